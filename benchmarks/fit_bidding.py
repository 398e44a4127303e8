"""Fit the hand strength by which ``expert`` bids: regression of the defenders' points on the banker's hand.

    python benchmarks/fit_bidding.py [--deals N] [--seed S]

Each deal gets its trump from the calls of the shipped ``expert``; then every seat is banker once, whatever the bidding
said (play does not look at the bid), with expert play all round. The 33 cards before the bottom, as the ten features of
``dwf_expert.strength``, explain the defenders' points linearly. Prints the weights (hundredths of a point), how well
they explain, and how often each bid would be made by predicted points: the data behind bid.first and bid.each.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from tuolaji.kernels import layout, rng
from tuolaji.kernels.policies import dwf_expert
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURES = [name.partition(".")[2] for name in dwf_expert.NAMES if name.startswith("strength.")]


def counterfactual(deals: int, seed: int) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.float64]]:
    """Trump and redeals of each deal, and the defenders' points with each seat as banker, (deals, 3)."""
    columns = Engine(make_plan("die-wu-fen", policies="expert", seed=seed)).play(0, deals)
    points = np.zeros((deals, 3))
    for trump in range(4):
        here = columns["trump"] == trump
        for banker in range(3):
            contract = {"banker": banker, "trump": "shcd"[trump], "bid": 110}
            plan = make_plan("die-wu-fen", policies="expert", seed=seed, contract=contract)
            points[here, banker] = Engine(plan).play(0, deals)["defender_points"][here]
    return columns["trump"], columns["redeals"], points


def features(deals: int, seed: int, trumps: NDArray[np.int16]) -> NDArray[np.float64]:
    """The features of ``dwf_expert.strength`` for every hand, (deals, 3, 10)."""
    out = np.zeros((deals, 3, len(FEATURES)))
    bit_of = layout.build_all(layout.DIE_WU_FEN)[:, layout.BIT_OF : layout.BIT_OF + 54]
    plan = rng.shuffle_plan(108).ravel()
    faces = np.zeros(108, np.int64)
    for deal in range(deals):
        faces[:] = np.arange(108) % 54
        rng.shuffle(faces, 108, plan, seed, deal, 0)
        bits = bit_of[trumps[deal]]
        for seat in range(3):
            held = np.bincount(bits[faces[33 * seat : 33 * seat + 33]], minlength=54)
            sides, trump = held[:33].reshape(3, 11), held[33:]
            pairs = sides == 2
            out[deal, seat] = [
                trump.sum(), (trump == 2).sum(), trump[19:].sum(), trump[15:19].sum(), sides[:, 10].sum(),
                pairs[:, 10].sum(), pairs.sum(), sides[:, 9].sum(), np.maximum(0, 3 - sides.sum(axis=1)).sum(),
                (pairs[:, 1:] & pairs[:, :-1]).sum(),
            ]  # fmt: skip
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=77)
    args = parser.parse_args()
    trumps, redeals, points = counterfactual(args.deals, args.seed)
    first = redeals == 0  # a contract is played on the first attempt of a deal
    hands = features(args.deals, args.seed, trumps)[first].reshape(-1, len(FEATURES))
    seen = points[first].reshape(-1)
    design = np.column_stack([np.ones(len(hands)), hands])
    fitted, *_ = np.linalg.lstsq(design, seen, rcond=None)
    predicted = design @ fitted
    left = seen - predicted
    print(
        f"{len(seen)} hands; constant {fitted[0]:.1f}; R² {1 - left.var() / seen.var():.3f}; residual {left.std():.1f}"
    )
    for name, weight in zip(FEATURES, fitted[1:], strict=True):
        print(f"{name} = {round(-100 * weight)}")
    print(
        "\n| predicted | hands | mean | "
        + " | ".join(f"P(made {bid})" for bid in (110, 130, 150, 180))
        + " |"
    )
    for low in range(int(predicted.min() // 10) * 10, int(predicted.max()) + 1, 10):
        here = seen[(predicted >= low) & (predicted < low + 10)]
        if len(here) >= 100:
            made = " | ".join(f"{np.mean(here < 200 - bid):.3f}" for bid in (110, 130, 150, 180))
            print(f"| {low}-{low + 10} | {len(here)} | {here.mean():.0f} | {made} |")


if __name__ == "__main__":
    main()
