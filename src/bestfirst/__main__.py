"""python -m bestfirst: the same as the command `bestfirst`."""

from bestfirst.cli import main

main()
