"""Draw what a command prints as a picture of a terminal: plain SVG, no fonts or scripts from elsewhere."""

from __future__ import annotations

from html import escape

_LINE, _CHARACTER, _MARGIN = 19, 7.85, 22


def terminal(command: str, output: str, lines: int) -> str:
    """Give the SVG of a prompt, the command and the first lines of its output."""
    shown = [f"$ {command}", *output.rstrip("\n").splitlines()[:lines]]
    width = round(max(len(line) for line in shown) * _CHARACTER) + 2 * _MARGIN
    height = len(shown) * _LINE + 2 * _MARGIN + 14
    rows = "\n".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + 14 + (number + 1) * _LINE}" class="{_style(number)}" '
        f'xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(shown)
    )
    dots = "".join(f'<circle cx="{_MARGIN + 16 * i}" cy="20" r="5" fill="#c9c2b6"/>' for i in range(3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Output of {escape(command, quote=True)}">\n'
        "<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "fill:#2b2a27}.command{fill:#0b5394;font-weight:600}.verdict{font-weight:700}</style>\n"
        f'<rect width="{width}" height="{height}" rx="10" fill="#faf8f4" stroke="#d9d3c7"/>\n{dots}\n{rows}\n</svg>\n'
    )


def _style(number: int) -> str:
    return {0: "command", 1: "verdict", 2: "verdict"}.get(number, "plain")
