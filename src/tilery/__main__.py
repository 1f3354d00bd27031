"""`python -m tilery` is `tilery`."""

from tilery.cli import main

main()
