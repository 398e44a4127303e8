"""`python -m tuolaji`: the same as the `tuolaji` command."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="python -m tuolaji")
