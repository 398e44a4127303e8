"""Of whose hands the tables of `threshold` are: of the seats of which something is known, or those asked for."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.sim import threshold, threshold_hong_wu_wu_jia, threshold_tables
from tuolaji.sim import threshold_hong_wu_wu_jia_tables as hidden_tables
from tuolaji.sim.errors import UsageError
from tuolaji.sim.plan import make_plan
from tuolaji.sim.table_seats import seats_text, table_seats
from tuolaji.sim.threshold_hong_wu_wu_jia_text import render_hidden
from tuolaji.sim.threshold_text import render

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
DEALS, SEED = 1000, 3
KNOWN: dict[str, dict[str, list[str]]] = {
    DWF: {"hold": ["1:3h 3h BJ"], "count": ["0:aces=2-4"]},
    HW: {"hold": ["1:2h 2h 5h"], "count": ["0:twos=1-9"]},
}
plays = pytest.mark.skipif(not JIT, reason="plays many deals")


@pytest.mark.parametrize(
    ("known", "asked", "seats", "en", "zh"),
    [
        ({}, None, (0, 1, 2), "of all seats", "全部座位"),
        ({"hold": ["1:3h"]}, None, (1,), "of seats whose cards are held: 1", "仅指定了牌的座位：1"),
        ({"hold": ["1:3h", "0:BJ"]}, None, (0, 1), "of seats whose cards are held: 0, 1", "仅指定了牌的座位：0、1"),
        ({"hold": ["1:3h"], "count": ["0:aces=1"]}, None, (1,), "cards are held: 1", "仅指定了牌的座位：1"),
        ({"count": ["2:aces=1"]}, None, (2,), "of seats whose cards are counted: 2", "仅限定了张数的座位：2"),
        ({"hold": ["bottom:3h"], "count": ["2:aces=1"]}, None, (2,), "are counted: 2", "仅限定了张数的座位：2"),
        ({"hold": ["bottom:3h"]}, None, (0, 1, 2), "of all seats, as only the bottom is given", "只指定了底牌"),
        ({"count": ["bottom:aces=1"]}, None, (0, 1, 2), "as only the bottom is given", "只指定了底牌"),
        ({"hold": ["1:3h"]}, "all", (0, 1, 2), "of all seats", "全部座位"),
        ({"hold": ["1:3h"]}, "2, 0", (0, 2), "of the seats asked for: 0, 2", "仅所选的座位：0、2"),
        ({}, "2", (2,), "of the seats asked for: 2", "仅所选的座位：2"),
    ],
)  # fmt: skip
def test_the_seats_are_those_of_which_something_is_known(
    known: dict[str, Any], asked: str | None, seats: tuple[int, ...], en: str, zh: str
) -> None:
    plan = make_plan(DWF, **known)
    assert table_seats(plan, asked) == seats
    assert en in seats_text(plan, seats, "en") and zh in seats_text(plan, seats, "zh")


@pytest.mark.parametrize("asked", ["", "3", "0,3", "0;1", "one", "-1", "0,,1", "٠"])
def test_seats_that_there_are_not_are_refused(asked: str) -> None:
    with pytest.raises(UsageError, match="seats: .* are no seats; write all, or numbers from 0 to 2"):
        table_seats(make_plan(DWF), asked)


@cache
def study(game: str, seats: str | None) -> tuple[dict[str, Any], dict[str, dict[str, Any]], Any, Any]:
    """The JSON object of a study with cards held, the columns of its rows, the bidding found, its text by language."""
    rows: dict[str, list[dict[str, Any]]] = {}

    def keep(name: str, columns: dict[str, Any]) -> None:
        rows.setdefault(name, []).append(columns)

    words: dict[str, Any] = {"seed": SEED, "by": "trumps", "seats": seats, **KNOWN[game]}
    if game == DWF:
        bids = threshold.run(threshold.ask(game, DEALS, **words), keep=keep)
        found, bidding, text = threshold_tables.to_dict(bids), bids.bidding, partial(render, bids)
    else:
        reveals = threshold_hong_wu_wu_jia.run_hidden(
            threshold_hong_wu_wu_jia.ask_hidden(game, DEALS, **words), keep=keep
        )
        found, bidding = hidden_tables.to_dict(reveals), reveals.bidding
        text = partial(render_hidden, reveals)
    joined = {
        name: {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
        for name, parts in rows.items()
    }
    return found, joined, bidding, text


@plays
@pytest.mark.slow
def test_the_tables_of_bids_are_of_the_seat_that_is_held() -> None:
    """Against the rows, which are of all seats."""
    found, rows, bidding, _ = study(DWF, None)
    every, all_rows, same, _ = study(DWF, "all")
    assert found["seats"] == [1] and every["seats"] == [0, 1, 2]
    for name in rows:
        assert all((rows[name][key] == all_rows[name][key]).all() for key in rows[name])
    # what everybody goes by is found on all hands, whosever the tables are
    assert bidding == same and found["response"] == every["response"] and found["match"] == every["match"]
    marginal = rows["marginal"]
    for about, seats in ((found, (1,)), (every, (0, 1, 2))):
        here = np.isin(marginal["seat"], seats)
        shown = [row for row in about["bids"] if row["estimand"] == "marginal" and row["bid"] == 110]
        assert sum(row["hands"] for row in shown) == here.sum() == 4 * DEALS * len(seats)
        for row in shown:
            those = here & (marginal["trumps"] == row["from"])
            assert row["hands"] == those.sum()
            assert row["made"] == pytest.approx((marginal["defender_points"][those] < 90).mean())
        assert {row["from"] for row in about["bid_up_to"]} == {row["from"] for row in shown}
    # three sure trumps of hearts: the mean hand of the seat has more of them than those of the others
    means = [marginal["trumps"][marginal["seat"] == seat].mean() for seat in range(3)]
    assert means[1] > means[0] + 1 and means[1] > means[2] + 1
    auctions = {about["seats"][0]: [row for row in about["bids"] if row["estimand"] == "auction"]
                for about in (every, found)}  # fmt: skip
    counted = [sum(row["hands"] for row in auctions[seat] if row["call"] == "all") for seat in (0, 1)]
    assert 0 < counted[1] < counted[0]
    calls = [{row["decision"]: row["hands"] for row in about["decisions"]} for about in (every, found)]
    assert all(0 < calls[1][name] < calls[0][name] for name in ("call", "call at once"))


@plays
@pytest.mark.slow
def test_the_tables_of_reveals_names_and_solo_are_of_the_seat_that_is_held() -> None:
    found, rows, bidding, _ = study(HW, None)
    every, _, same, _ = study(HW, "all")
    assert found["seats"] == [1] and every["seats"] == [0, 1, 2, 3, 4]
    assert bidding == same and found["response"] == every["response"] and found["naming"] == every["naming"]
    looks, names = rows["looks"], rows["names"]
    for about, seats in ((found, (1,)), (every, range(5))):
        here = (looks["reached"] == 1) & np.isin(looks["seat"], seats)
        shown = [row for row in about["reveal_break_even"] if row["previous"] == row["place"] == "all"]
        assert sum(row["hands"] for row in shown) == here.sum() > 0
        for row in shown:
            those = here & (row["cards_from"] <= looks["cards"]) & (looks["cards"] <= row["cards_to"])
            assert row["hands"] == those.sum()
            gain = looks["reveal"][those].astype(int) - looks["wait"][those]
            assert row["difference"] == pytest.approx(gain.mean())
        banker, solo = np.isin(names["banker"], seats), names["solo"] == 1
        assert sum(row["faces"] for row in about["name_break_even"]) == (banker & ~solo).sum() > 0
        alone = [row for row in about["solo"] if row["face"] == "all" and row["from"] is None]
        assert sum(row["deals"] for row in alone) == len({*names["deal"][banker & solo].tolist()})


@plays
@pytest.mark.slow
@pytest.mark.parametrize("game", [DWF, HW])
def test_the_text_says_whose_hands_they_are(game: str) -> None:
    text, every = study(game, None)[3], study(game, "all")[3]
    assert "tables  of seats whose cards are held: 1" in text("en") and "--seats" in text("en")
    assert "表中手牌  仅指定了牌的座位：1" in text("zh")
    assert "表中手牌  全部座位" in every("zh") and "--seats" not in every("zh")
    words = ["threshold", game, "--deals", str(DEALS), "--seats", "9"]
    done = CliRunner().invoke(cli.main, words)
    assert done.exit_code == cli.BAD_USAGE and 'seats: "9" are no seats' in done.stderr
