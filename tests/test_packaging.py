"""The package as others meet it: imports are cheap, modules are loaded once, names are in place."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import tuolaji

ROOT = Path(tuolaji.__file__).resolve().parent
HEAVY = ("numba", "numpy", "pandas", "pyarrow", "tqdm", "duckdb", "distributed")


def loaded_after(statement: str) -> set[str]:
    """The modules a fresh interpreter holds after a statement."""
    code = f"{statement}\nimport sys\nprint(' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("statement", ["import tuolaji", "import tuolaji.cli", "import tuolaji.sim.rules"])
def test_importing_is_cheap(statement: str) -> None:
    assert not loaded_after(statement) & set(HEAVY)


def test_the_command_modules_import_nothing_heavy() -> None:
    from tuolaji.cli import COMMANDS

    for module, _ in COMMANDS.values():
        assert not loaded_after(f"import tuolaji.commands.{module}") & set(HEAVY), module


def test_no_module_is_loaded_under_a_second_name() -> None:
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None)
        place = Path(file).resolve() if file else Path("/")
        if place == ROOT / "cli.py" or any(
            place.is_relative_to(ROOT / p) for p in ("commands", "kernels", "sim")
        ):
            assert name.startswith("tuolaji."), f"{name} from {file}"


def test_version_is_the_one_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert tuolaji.__version__ == project["version"]


def test_every_dependency_is_pinned_for_ci() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {
        re.split(r"[\[>]", name)[0] for name in project["dependencies"] + extras["dev"] + extras["cluster"]
    }
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and line[0] != "#"]
    assert all("==" in pin and "/" not in pin for pin in pins)
    assert wanted <= {pin.partition("==")[0] for pin in pins}


def test_every_public_name_loads() -> None:
    for name in tuolaji.__all__:
        assert getattr(tuolaji, name) is not None
    assert set(tuolaji.__all__) <= set(dir(tuolaji))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'shuffle'"):
        _ = tuolaji.shuffle


def test_public_errors_are_one_family() -> None:
    assert issubclass(tuolaji.CardError, tuolaji.UsageError)
    assert issubclass(tuolaji.UsageError, ValueError)


def test_modules_are_found_through_the_package_name_only() -> None:
    assert import_module("tuolaji.cli") is sys.modules["tuolaji.cli"]
    assert "cli" not in sys.modules


def test_every_benchmark_can_be_loaded() -> None:
    """They are run by hand, and would not tell before that what they measure has moved."""
    scripts = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    assert len(scripts) > 10
    code = f"import sys; sys.path.insert(0, 'benchmarks'); import {', '.join(scripts)}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
