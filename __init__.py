"""Monte Carlo simulator for die-wu-fen (跌五分) and hong-wu-wu-jia (红五五家).

Importing this package is cheap: each public name below is loaded when first used, so `import tuolaji`
pays for numba and pyarrow only when something is computed.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not that of `typing`: a command that is stopped while that is loaded could not say so
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    judge: ModuleType

__version__ = "0.1.0"

# public name -> (module inside the package, attribute; None = the module itself)
_PUBLIC: dict[str, tuple[str, str | None]] = {
    "advise": ("sim.advise", "advise"),
    "audit": ("sim.audit", "audit"),
    "compare": ("sim.compare", "compare"),
    "judge": ("sim.judge", None),
    "match": ("sim.match", "match"),
    "replay": ("sim.replay", "replay"),
    "simulate": ("sim.simulate", "simulate"),
    "tournament": ("sim.tournament", "tournament"),
    "UsageError": ("sim.errors", "UsageError"),
    "CardError": ("sim.errors", "CardError"),
    "RuleSet": ("sim.rules", "RuleSet"),
}

__all__ = [
    "CardError",
    "RuleSet",
    "UsageError",
    "__version__",
    "advise",
    "audit",
    "compare",
    "judge",
    "match",
    "replay",
    "simulate",
    "tournament",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use (PEP 562)."""
    try:
        module_name, attribute = _PUBLIC[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    from importlib import import_module

    module = import_module(f".{module_name}", __name__)
    value = module if attribute is None else getattr(module, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
