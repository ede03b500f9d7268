"""Write the gate's report as a comment on the pull request, or bring the one that is there up to date.

Nothing is written without a token, outside of pull requests, and for those of forks, whose token may not write: the
summary of the job shows the same. A comment that cannot be written is a warning; the verdict does not hang on it.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

LONGEST = 65_536
MARKER = "<!-- nofluke:"


def main() -> None:
    """Write the comment where it can be written."""
    number = own_pull_request()
    if os.environ.get("INPUT_COMMENT") != "true" or not os.environ.get("GH_TOKEN") or number is None:
        print("No comment: it is turned off, or this is no pull request of this repository, or there is no token.")
        return
    body = Path(os.environ["MARKDOWN"]).read_text(encoding="utf-8")
    marker = body.partition("\n")[0]
    if len(body) > LONGEST or not marker.startswith(MARKER):
        print("::warning title=nofluke::The report is no comment; the job's summary has it.")
        return
    repository = f"repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    try:
        known = comment_with(marker, f"{repository}/{number}/comments")
        if known is None:
            write("POST", f"{repository}/{number}/comments", body)
        else:
            write("PATCH", f"{repository}/comments/{known}", body)
    except (OSError, subprocess.CalledProcessError, ValueError):
        print("::warning title=nofluke::The comment could not be written: give the job `pull-requests: write`.")


def own_pull_request() -> int | None:
    """Give the number of the pull request, None where there is none or it comes from a fork."""
    try:
        event: dict[str, Any] = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        pull_request = event["pull_request"]
        own = pull_request["head"]["repo"]["full_name"] == os.environ["GITHUB_REPOSITORY"]
        return int(pull_request["number"]) if own else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def comment_with(marker: str, comments: str) -> int | None:
    """Find the comment that starts with the marker, among those that a workflow wrote: anybody can copy a marker."""
    fields = ".[] | {id, body, by: .user.type} | @json"
    listed = gh("--paginate", f"{comments}?per_page=100", "--jq", fields)
    for line in listed.splitlines():
        comment = json.loads(line)
        if comment["by"] == "Bot" and comment["body"].startswith(marker):
            return int(comment["id"])
    return None


def write(method: str, address: str, body: str) -> None:
    """Send the text as a file, so that nothing in it is read as an argument."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "comment.json"
        file.write_text(json.dumps({"body": body}), encoding="utf-8")
        gh("--method", method, address, "--input", str(file), "--silent")


def gh(*arguments: str) -> str:
    """Run `gh api` against the server that the workflow runs on."""
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com").removeprefix("https://")
    environment = os.environ | {"GH_HOST": server, "GH_ENTERPRISE_TOKEN": os.environ["GH_TOKEN"]}
    command = ["gh", "api", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout


if __name__ == "__main__":
    main()
