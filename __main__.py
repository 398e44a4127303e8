"""`python -m tuolaji`, and where the `tuolaji` command begins."""

from __future__ import annotations

import signal
import sys


def main(prog_name: str | None = None) -> None:
    """Run the command line and leave the process; Ctrl-C is one sentence from the first moment to the last."""
    try:
        from .cli import main as command

        command(prog_name=prog_name)
    except KeyboardInterrupt:  # before the command line is there to tell more, or when it has told all
        if sys.stderr is not None:
            print("Error: interrupted.", file=sys.stderr)
        sys.exit(130)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main(prog_name="python -m tuolaji")
