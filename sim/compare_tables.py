"""The study ``compare`` as tables and as one JSON object. Columns are explained in docs/statistics.md."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .given import told
from .plan import describe_policies
from .rules import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .compare import Asked, Comparison, Differing, Result, Row
    from .paired import Difference
    from .study_out import StudyFolder

Rows = list[dict[str, Any]]

_NUMBER = "float64"
_INTERVAL = dict.fromkeys(("estimate", "error", "low", "high"), _NUMBER)
_DIFFERENCE = {
    "difference": _NUMBER,
    "difference_error": _NUMBER,
    "difference_low": _NUMBER,
    "difference_high": _NUMBER,
}
#: Type by column, by table.
SCHEMAS: dict[str, dict[str, str]] = {
    "variants": {
        "variant": "string", "reference": "bool", "rules": "string", "rules_hash": "string", "changes": "string",
        "options": "string",
    },
    "figures": {
        "bidding": "string", "policy": "string", "variant": "string", "reference": "bool", "figure": "string",
        "group": "string", "value": "string", "kind": "string", "measure": "string", **_INTERVAL, "of": "int64",
        **_DIFFERENCE, "single_low": _NUMBER, "single_high": _NUMBER, "differing": "int64", "mark": "string",
        "never": "bool", "unit": "string", "units": "int64", "level": _NUMBER, "family": "int64",
    },
    "differing": {
        "bidding": "string", "policy": "string", "variant": "string", "option": "string", "clauses": "string",
        "from": "string", "to": "string", "deals": "int64", "played": "int64", "played_share": _NUMBER,
        "played_low": _NUMBER, "played_high": _NUMBER, "paid": "int64", "paid_share": _NUMBER, "paid_low": _NUMBER,
        "paid_high": _NUMBER, "never": "bool", "unit": "string", "level": _NUMBER,
    },
    "fairness": {
        "bidding": "string", "policy": "string", "variant": "string", "reference": "bool", "quantity": "string",
        **_INTERVAL, **_DIFFERENCE, "unit": "string", "level": _NUMBER,
    },
    "conclusions": {
        "variant": "string", "figure": "string", "difference": _NUMBER, "difference_low": _NUMBER,
        "difference_high": _NUMBER, "level": _NUMBER, "check": "string", "check_deals": "int64",
        "check_difference": _NUMBER, "check_low": _NUMBER, "check_high": _NUMBER, "verdict": "string",
    },
}  # fmt: skip


def comparisons(result: Result) -> list[Comparison]:
    """All of them, the main one first."""
    return [result.main, *([result.refitted] if result.refitted else []), *result.checks]


def policy_of(asked: Asked, found: Comparison) -> str:
    """Who played, in the shortest words."""
    if found.policy is not None:
        return found.policy
    words = describe_policies(asked.plan.policies)
    return ",".join(name if role == "all" else f"{role}={name}" for role, name in words.items())


def tables(result: Result) -> dict[str, Rows]:
    """Every table, by name, as `SCHEMAS` has its columns."""
    asked = result.asked
    return {
        "variants": [_variant(asked, at) for at in range(len(asked.variants))],
        "figures": [row for found in comparisons(result) for row in _figures(asked, found)],
        "differing": [row for found in comparisons(result) for row in _differing(asked, found)],
        "fairness": [*_fairness(result)],
        "conclusions": conclusions(result),
    }


def _variant(asked: Asked, at: int) -> dict[str, Any]:
    variant = asked.variants[at]
    changes = variant.changed(asked.variants[0].rules)
    return {
        "variant": variant.name,
        "reference": at == 0,
        "rules": variant.rules.name,
        "rules_hash": variant.rules.hash(),
        "changes": json.dumps({name: new for name, (_, new) in changes.items()}, ensure_ascii=False),
        "options": json.dumps(variant.rules.options(), ensure_ascii=False),
    }


def _unit(asked: Asked) -> str:
    return "deal" if asked.plan.session == 1 else "session"


def _head(asked: Asked, found: Comparison) -> dict[str, Any]:
    return {"bidding": found.bidding, "policy": policy_of(asked, found)}


def _of(difference: Difference | None) -> dict[str, Any]:
    if difference is None:
        return dict.fromkeys(_DIFFERENCE)
    return {
        "difference": difference.value,
        "difference_error": difference.error,
        "difference_low": difference.low,
        "difference_high": difference.high,
    }


def _figures(asked: Asked, found: Comparison) -> Iterator[dict[str, Any]]:
    for row in found.rows:
        figure, estimate, alone = row.figure, row.estimate, row.alone
        yield {
            **_head(asked, found),
            "variant": asked.variants[row.variant].name,
            "reference": row.variant == 0,
            "figure": figure.name,
            "group": figure.group,
            "value": figure.value,
            "kind": figure.kind,
            "measure": figure.measure,
            "estimate": estimate.value,
            "error": estimate.error,
            "low": estimate.low,
            "high": estimate.high,
            "of": estimate.of,
            **_of(row.difference),
            "single_low": alone.low if alone else None,
            "single_high": alone.high if alone else None,
            "differing": row.difference.differing if row.difference else None,
            "mark": (row.difference.mark or None) if row.difference else None,
            "never": row.never,
            "unit": _unit(asked),
            "units": found.units,
            "level": asked.confidence,
            "family": found.family,
        }


def _differing(asked: Asked, found: Comparison) -> Iterator[dict[str, Any]]:
    for each in (*found.differing, *found.clauses):
        yield {
            **_head(asked, found),
            "variant": asked.variants[each.variant].name,
            **_option(asked, each),
            "deals": found.deals,
            "played": None if each.played.value is None else each.deals[0],
            "played_share": each.played.value,
            "played_low": each.played.low,
            "played_high": each.played.high,
            "paid": None if each.paid.value is None else each.deals[1],
            "paid_share": each.paid.value,
            "paid_low": each.paid.low,
            "paid_high": each.paid.high,
            "never": each.never is not None,
            "unit": _unit(asked),
            "level": asked.confidence,
        }


def _option(asked: Asked, each: Differing) -> dict[str, Any]:
    """The option changed alone, or nothing where all of a variant is meant."""
    if not each.option:
        return {"option": None, "clauses": None, "from": None, "to": None}
    option = OPTIONS[asked.plan.game.name][each.option]
    old, new = asked.variants[each.variant].changed(asked.variants[0].rules)[each.option]
    return {
        "option": option.name,
        "clauses": ", ".join(option.clauses),
        "from": option.to_toml(old),
        "to": option.to_toml(new),
    }


def _fairness(result: Result) -> Iterator[dict[str, Any]]:
    """The banker's mean payoff, the mean payoff by position from the first seat, and the deal's share of variance."""
    asked = result.asked
    for found in comparisons(result):
        for at, variant in enumerate(asked.variants):
            place = {**_head(asked, found), "variant": variant.name, "reference": at == 0}
            for name in fair_figures(asked):
                row = found.row(name, at)
                if row is not None:
                    told = {
                        "quantity": name,
                        **_estimated(row),
                        "unit": _unit(asked),
                        "level": asked.confidence,
                    }
                    yield place | told
            if found is result.main:
                share = result.luck[at]
                yield {
                    **place, "quantity": "variance_due_to_deal", "estimate": share.value, "error": share.error,
                    "low": share.low, "high": share.high, **dict.fromkeys(_DIFFERENCE), "unit": "deal", "level": 0.95,
                }  # fmt: skip


def fair_figures(asked: Asked) -> list[str]:
    """The figures that tell how fair a variant is."""
    places = ("first", "second", "third", "fourth", "fifth")[: asked.plan.game.seats]
    return [f"payoff_{name}" for name in ("banker", *places)]


def _estimated(row: Row) -> dict[str, Any]:
    e = row.estimate
    return {"estimate": e.value, "error": e.error, "low": e.low, "high": e.high, **_of(row.difference)}


def conclusions(result: Result) -> Rows:
    """Every difference that is not 0 at the family's level, and whether it is there with other policies or bidding too.

    ``verdict``: `survives` where the check's own interval lies on the same side of 0, `reversed` on the other, `open`
    if it holds 0 or there is none, `absent` where nothing differs at all.
    """
    found: Rows = []
    for row in result.main.rows:
        if row.difference is None or not is_clear(row.difference):
            continue
        for check in comparisons(result)[1:]:
            other = check.row(row.figure.name, row.variant)
            alone = other.alone if other else None
            found.append(
                {
                    "variant": result.asked.variants[row.variant].name,
                    "figure": row.figure.name,
                    **{k: v for k, v in _of(row.difference).items() if k != "difference_error"},
                    "level": result.asked.confidence,
                    "check": check.policy or check.bidding,
                    "check_deals": check.deals,
                    "check_difference": alone.value if alone else None,
                    "check_low": alone.low if alone else None,
                    "check_high": alone.high if alone else None,
                    "verdict": _verdict(row.difference, alone),
                }
            )
    return found


def is_clear(difference: Difference) -> bool:
    """Whether an interval leaves 0 out."""
    low, high = difference.low, difference.high
    return low is not None and high is not None and (low > 0 or high < 0)


def _verdict(found: Difference, check: Difference | None) -> str:
    if check is not None and check.value == 0 and not check.differing:
        return "absent"
    if check is None or not is_clear(check) or found.value is None or check.value is None:
        return "open"
    return "survives" if (found.value > 0) == (check.value > 0) else "reversed"


def provenance(asked: Asked) -> dict[str, Any]:
    """What determines the tables."""
    described = {k: v for k, v in asked.plan.describe().items() if k not in ("rules", "rules_hash")}
    return {
        **described,
        "variants": [
            {"name": v.name, "rules": v.rules.options(), "rules_hash": v.rules.hash()} for v in asked.variants
        ],
        "first": asked.first,
        "deals": asked.deals,
        "unit": _unit(asked),
        "level": asked.confidence,
        "intervals": "differences: simultaneous by Bonferroni over all figures and variants of a comparison; "
        "single_low, single_high and estimates: each by itself",
        "refit_deals": asked.refit or None,
        "refit_first": asked.first + asked.deals if asked.refit else None,
        "checks": [{"policy": policy, "deals": deals} for policy, deals in asked.checks],
        "replica_deals": asked.replicas,
    }


def to_dict(result: Result) -> dict[str, Any]:
    """Everything at full precision, fit for JSON."""
    return {
        **provenance(result.asked),
        **told(result.asked.plan.given),
        "family": result.main.family,
        "resamples": result.main.resamples,
        "seconds": result.seconds,
        "biddings": [found.to_dict() for found in result.biddings],
        **{
            name: [{key: row.get(key) for key in SCHEMAS[name]} for row in rows]
            for name, rows in tables(result).items()
            if name != "variants"  # which stand above
        },
    }


def write(result: Result, folder: StudyFolder) -> None:
    """All tables, the JSON object, and the biddings that were fitted."""
    for name, rows in tables(result).items():
        folder.table(name, SCHEMAS[name], rows)
    folder.text("result.json", json.dumps(to_dict(result), ensure_ascii=False, indent=1) + "\n")
    for at, bidding in enumerate(result.biddings):
        rules = result.asked.variants[at].rules
        about = {
            "about": f"fitted by tuolaji compare for {result.asked.variants[at].name}",
            "rules": rules.name,
            "rules_hash": rules.hash(),
            "seed": str(result.asked.plan.seed),
            "first": result.asked.first + result.asked.deals,
            "deals": result.asked.refit,
        }
        folder.text(f"bidding-{at}.toml", bidding.to_toml(about))
    folder.finish()
