#!/bin/sh
# Installs the programs that tests need and that pip cannot bring: pdflatex with booktabs, and a browser.
# Installs only what is missing, and says what failed. Tests that miss a program are skipped, except under CI.
set -u

missing=""
command -v pdflatex > /dev/null 2>&1 && kpsewhich booktabs.sty > /dev/null 2>&1 ||
  missing="$missing texlive-latex-base texlive-latex-recommended"
command -v chromium > /dev/null 2>&1 || command -v chromium-browser > /dev/null 2>&1 ||
  command -v google-chrome > /dev/null 2>&1 || missing="$missing chromium"

[ -z "$missing" ] && exit 0

say() { echo "system packages: $*" >&2; }
status=0
[ -n "${CI:-}" ] && status=1 # under CI a missing program is an error

if ! command -v apt-get > /dev/null 2>&1; then
  say "missing:$missing. There is no apt-get here; install them by hand. Tests that need them are skipped."
  exit $status
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo > /dev/null 2>&1 && sudo -n true 2> /dev/null; then
    as_root="sudo"
  else
    say "missing:$missing. Run: sudo apt-get install$missing. Tests that need them are skipped until then."
    exit $status
  fi
fi
say "installing$missing"
log=$(mktemp)
if ! $as_root apt-get update -q > "$log" 2>&1; then
  say "apt-get update failed:"
  tail -n 3 "$log" >&2
fi
for package in $missing; do
  if ! DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends "$package" > "$log" 2>&1; then
    say "$package could not be installed:"
    tail -n 3 "$log" >&2
    failed="${failed:-} $package"
  fi
done
rm -f "$log"
[ -z "${failed:-}" ] && exit 0
say "not installed:$failed. Tests that need them are skipped (and fail under CI)."
exit $status
