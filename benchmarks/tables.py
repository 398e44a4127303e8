"""Measure again what the documentation shows, and put the tables in.

    python benchmarks/tables.py --peers /path/to/the/peers/environment/bin/python

A table stands between `<!-- measured: COMMAND -->` and `<!-- end -->` in README.md, README.zh.md or
docs/performance.md; each command is run once, wherever its table stands. `--only whole_deal` does some of them. To be
run on a machine that is otherwise idle; whole_deal.py and memory.py take minutes.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "README.zh.md", "docs/performance.md")
BLOCK = re.compile(r"(<!-- measured: python (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


@cache
def measured(command: str, peers: str) -> str:
    """What a command prints, without its JSON: the table and the sentence about the machine."""
    words = [word.replace("PEERS", peers) for word in shlex.split(command)]
    print("running", shlex.join(words), flush=True)
    done = subprocess.run([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    print(done.stdout, flush=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith('{"machine"')]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def main() -> None:
    """Run and replace."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", help="the interpreter that has the peers; without it their table stays")
    parser.add_argument("--only", default="", help="only commands with this in them")
    args = parser.parse_args()

    def renewed(block: re.Match[str]) -> str:
        begin, command, end = block.groups()
        if args.only not in command or ("PEERS" in command and not args.peers):
            return block.group()
        return f"{begin}{measured(command, args.peers or '')}\n{end}"

    for name in PAGES:
        page = ROOT / name
        before = page.read_text("utf-8")
        after = BLOCK.sub(renewed, before)
        if after != before:
            page.write_text(after, "utf-8")
            print("renewed", name)


if __name__ == "__main__":
    main()
