"""What all tests share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tuolaji.kernels import compiling

if TYPE_CHECKING:
    from tuolaji.sim.audit import Auditor

# No example fails for being slow: kernels are compiled within the first one, and machines are busy.
settings.register_profile("tuolaji", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tuolaji")

ROOT = Path(__file__).resolve().parent.parent


class TopLevelIsNoTestPackage:
    """Keeps pytest from importing the repository's own `__init__.py` under the name of the checkout's folder."""

    @staticmethod
    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if path == ROOT:
            directory: pytest.Collector = pytest.Dir.from_parent(parent, path=path)
            return directory
        return None


def pytest_configure(config: pytest.Config) -> None:
    # As a plugin of its own: hooks of a conftest file do not see folders above it.
    config.pluginmanager.register(TopLevelIsNoTestPackage())


@pytest.fixture(autouse=True)
def _show_unexpected_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line turns unexpected exceptions into a sentence; tests want the exception."""
    monkeypatch.setenv("TUOLAJI_DEBUG", "1")
    monkeypatch.delenv("TUOLAJI_LANG", raising=False)


@pytest.fixture(autouse=True)
def _compiling_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command says on stderr does not depend on whether its kernels were compiled before; see test_compiling."""
    monkeypatch.setattr(compiling, "_told", True)


@pytest.fixture(scope="module")
def auditor() -> Auditor:
    from tuolaji.sim.audit import Auditor

    return Auditor()
