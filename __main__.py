"""`python -m tuolaji`, and where the `tuolaji` command begins."""

from __future__ import annotations

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
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Where it has passed through text that was executed, as of dataclasses, Python would end itself by the signal
        # and not with our code. Executing another text makes it forget that.
        exec("")


if __name__ == "__main__":
    main(prog_name="python -m tuolaji")
