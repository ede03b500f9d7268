"""The command nofluke, and python -m nofluke: Ctrl-C ends it with one word, also while modules load."""

import sys

_INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it; exit 130 = interrupted."""
    try:
        from nofluke.cli.main import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)  # noqa: T201
        raise SystemExit(_INTERRUPTED) from None


if __name__ == "__main__":
    main()
