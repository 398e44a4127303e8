"""An independent, slow and plain reading of the rules: the oracle the tests compare against."""

from .cards import DEFAULTS, DWF, FACES, HW, effective_suit, ladders, level, points
from .coverage import EVENTS, coverage
from .generate import random_record
from .play import follow_fault, legal_follows, obligations, throw_check, trick
from .record import check_record
from .shapes import Component, best_top, components, contains

__all__ = [
    "DEFAULTS",
    "DWF",
    "EVENTS",
    "FACES",
    "HW",
    "Component",
    "best_top",
    "check_record",
    "components",
    "contains",
    "coverage",
    "effective_suit",
    "follow_fault",
    "ladders",
    "legal_follows",
    "level",
    "obligations",
    "points",
    "random_record",
    "throw_check",
    "trick",
]
