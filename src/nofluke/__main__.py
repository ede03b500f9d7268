"""python -m nofluke."""

from nofluke.cli.main import main

main()
