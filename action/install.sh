#!/usr/bin/env bash
# Install nofluke into an environment of its own: the given version, or what the action was checked out with.
set -euo pipefail

# -I: nothing of the checked-out repository is imported, whatever its files are called.

python=${INPUT_PYTHON:-python3}
if ! "$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "::error title=nofluke::Python 3.11 or newer is needed: name one with the input python, or set one up first."
  exit 2
fi
what="$GITHUB_ACTION_PATH[logs]"
if [[ -n "${INPUT_VERSION:-}" ]]; then
  if ! [[ "$INPUT_VERSION" =~ ^[0-9][0-9A-Za-z.+]*$ ]]; then
    echo "::error title=nofluke::The input version is not a version: give one such as 0.1.0."
    exit 2
  fi
  what="nofluke[logs]==$INPUT_VERSION"
fi
"$python" -I -m venv "$RUNNER_TEMP/nofluke"
"$RUNNER_TEMP/nofluke/bin/python" -I -m pip install --quiet --disable-pip-version-check "$what"
