"""Judging game records by the rules: every fault, with its place, its clause and a sentence why.

    >>> import tuolaji
    >>> tuolaji.audit(tuolaji.replay("die-wu-fen", 7, 12))
    []

Records may come from anywhere and lack keys (docs/record.md): what is there is judged, and `Report.unchecked` says what
could not be.
"""

from __future__ import annotations

from .auditor import Auditor, Report, audit

__all__ = ["Auditor", "Report", "audit"]
