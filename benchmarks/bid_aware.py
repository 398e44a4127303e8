"""What play that knows the bid changes: the same contracts played by `expert`, which is blind to it, and by `search`.

    python benchmarks/bid_aware.py [--deals N] [--worlds N]

Prints the table of docs/statistics.md: at each bid the share of bids made and the banker's mean payoff by `expert`,
and the paired differences of ``search:N`` (by points: blind, too) and ``search:N,by=payoff`` (plays for the bid) in all
seats. 95 % intervals, the unit is the deal.
"""

from __future__ import annotations

import argparse

import numpy as np

SEED, BIDS = 51, (110, 130, 150)
Z = 1.96


def figure(values: np.ndarray, scale: float, digits: int) -> str:
    """A mean with its interval."""
    mean, error = values.mean() * scale, Z * values.std(ddof=1) / np.sqrt(len(values)) * scale
    return f"{mean:+.{digits}f} ± {error:.{digits}f}"


def main() -> None:
    """Measure and print."""
    import tuolaji

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--worlds", type=int, default=20)
    args = parser.parse_args()
    policies = ["expert", f"search:{args.worlds}", f"search:worlds={args.worlds},by=payoff"]
    print("| bid | made, `expert` | by points | for the bid | payoff, `expert` | by points | for the bid |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for bid in BIDS:
        found = []
        for policy in policies:
            contract = {"banker": 0, "trump": "h", "bid": bid}
            deals = tuolaji.simulate(
                "die-wu-fen", args.deals, seed=SEED, policies=policy, contract=contract
            ).to_pandas()
            found.append(((deals["result"] == "made").to_numpy(float), deals["payoff_0"].to_numpy(float)))
        cells = []
        for at, scale, digits in ((0, 100.0, 1), (1, 1.0, 2)):
            base = found[0][at]
            cells.append(f"{base.mean() * scale:.{digits}f}{' %' if at == 0 else ''}")
            cells += [figure(other[at] - base, scale, digits) for other in found[1:]]
        print(f"| {bid} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
