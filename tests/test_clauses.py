"""Every clause of the rules is cited by a test of the program (the tests of the oracle do not count)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CLAUSES = [f"COM-{n}" for n in range(1, 20)]
CLAUSES += [f"DWF-{n}" for n in range(1, 20) if n != 12]  # there is no DWF-12
CLAUSES += [f"DWF-11{branch}" for branch in "abcd"]
CLAUSES += [f"HW-{n}" for n in range(1, 19)]
_CITED = re.compile(r"(?<![a-zA-Z])(COM|DWF|HW)[-_]?([0-9]+[a-d]?)", re.IGNORECASE)


def citations() -> dict[str, set[str]]:
    """Clause -> the tests that name it, in their name, docstring, comments or cases."""
    found: dict[str, set[str]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        if path.name in ("test_naive.py", "test_clauses.py"):
            continue
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                source = "\n".join(lines[first - 1 : node.end_lineno]).replace("test_", " ")
                for family, number in _CITED.findall(source.replace("_", " ")):
                    found.setdefault(f"{family.upper()}-{number.lower()}", set()).add(
                        f"{path.name}::{node.name}"
                    )
    return found


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_cited_by_a_test(clause: str) -> None:
    assert citations().get(clause)


def test_no_test_cites_a_clause_that_does_not_exist() -> None:
    assert set(citations()) <= {*CLAUSES}
