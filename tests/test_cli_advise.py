"""`tuolaji advise` on the command line: its table, and what it refuses."""

from __future__ import annotations

import pytest
from test_advise import DWF, HW, HW_STRONG, HW_WEAK, STRONG, WEAK, run

from tuolaji import cli
from tuolaji.sim import advise_result


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_table_names_every_choice_and_the_best(lang: str) -> None:
    result = run(DWF, "--hand", WEAK, "--seat", "2", "--fixed", "400", "--lang", lang)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert sum(line.startswith("* ") for line in lines) == 1
    words = {"en": ["wait", "call ♥ hearts with one 3", "best"], "zh": ["等待", "单张 3 叫♥ 红桃", "最优"]}[
        lang
    ]
    assert all(word in result.stdout for word in words)
    if lang == "zh":
        assert "choice" not in result.stdout
    name = run(
        HW,
        "--hand",
        HW_STRONG,
        "--trump",
        "s",
        "--bottom",
        "4c 6c 7c 8c 4d 6d 7d",
        "--fixed",
        "60",
        "--lang",
        lang,
    )
    assert {"en": "(solo)", "zh": "（独打）"}[lang] in name.stdout


# --- what is refused ------------------------------------------------------------------------------------

BAD = [
    ([DWF, "--hand", "Zz"], "is not a card"),
    ([DWF, "--hand", "3h 3h 3h"], "3h stands 3 times"),
    ([DWF, "--hand", "As Ks"], "no 3 to call with"),
    ([DWF, "--hand", WEAK, "--seat", "3"], "no seat 3; allowed are 0 to 2"),
    ([DWF, "--hand", WEAK + " As"], "34 cards; allowed are 1 to 33"),
    ([DWF, "--hand", "3h", "--trump", "h"], "1 cards; once trump is known it has 33"),
    ([DWF, "--hand", WEAK, "--bottom", "As"], "it goes with --trump"),
    ([DWF, "--hand", WEAK, "--trump", "x"], "is not a suit"),
    ([DWF, "--hand", WEAK, "--trump", "s"], "say with --revealed who called"),
    ([DWF, "--hand", WEAK, "--trump", "s", "--revealed", "1:3d"], "not what was revealed"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d 3h"], "write one 3 or a pair of 3s"),
    ([DWF, "--hand", WEAK, "--revealed", "1:4d"], "write one 3 or a pair of 3s"),
    ([DWF, "--hand", WEAK, "--revealed", "4:3d"], "seats 0 to 2"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--revealed", "2:3s"], "DWF-4"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d"], "seat 1 opens the bidding"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--bid-so-far", "hello"], "is no bid"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--bid-so-far", "1:115"], "seat 1 can't bid 115"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--bid-so-far", "1:pass"], "seat 1 can't pass"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d 3d", "--bid-so-far", "1:110"], "from 120 to 200"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--bid-so-far", "0:110"], "it is seat 1's turn"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--bid-so-far", "1:110"], "it is seat 2's turn"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d", "--bid-so-far", "1:110 2:pass 0:pass"], "seat 1 is banker"),
    ([DWF, "--hand", WEAK, "--trump", "h", "--bid-so-far", "0:110 1:pass 2:pass"], "give --bottom"),
    ([DWF, "--hand", WEAK, "--trump", "h", "--bottom", "As"], "1 cards; the bottom has 9"),
    ([DWF, "--hand", WEAK, "--trump", "h", "--bottom", "As As Ks Ks Ts Ts 9s 8s 6s"], "has not won the bidding"),
    ([DWF, "--hand", WEAK, "--trump", "h", "--pressed"], "no such thing in die-wu-fen"),
    ([DWF, "--hand", WEAK, "--fixed", "10", "--max", "2000"], "leave one of the two out"),
    ([DWF, "--hand", WEAK, "--seat", "1", "--revealed", "0:3d 3d", "--revealed", "1:3h 3h"], "DWF-4"),
    ([DWF, "--hand", WEAK, "--revealed", "1:3d@14", "--bid-so-far", "1:110"], "counts only with --news"),
    ([DWF, "--hand", WEAK, "--news", "--revealed", "1:3d@40", "--bid-so-far", "1:110"], "1 to 33 cards are in hand"),
    ([DWF, "--hand", WEAK, "--news", "--revealed", "1:3d 3d@1", "--bid-so-far", "1:110"], "2 to 33 cards"),
    ([DWF, "--hand", WEAK, "--news", "--revealed", "1:3d@20-10", "--bid-so-far", "1:110"], "write 10-20"),
    ([DWF, "--hand", WEAK, "--news", "--revealed", "1:3d@late", "--bid-so-far", "1:110"], "write @14 or @10-20"),
    (
        [DWF, "--hand", WEAK, "--news", "--revealed", "1:3d@20", "--revealed", "2:3s 3s@9", "--bid-so-far", "2:120"],
        "a counter comes after the call",
    ),
    (
        [DWF, "--hand", WEAK, "--set", "counter=false", "--revealed", "1:3d", "--revealed", "2:3s 3s"],
        "these rules know no counter",
    ),
    ([HW, "--hand", HW_WEAK, "--trump", "s", "--bottom", "As As As Ks Ks Ks Qs", "--revealed", "0:2s@9"], "--news"),
    (
        [HW, "--hand", HW_WEAK, "--bottom", "As As As Ks Ks Ks Qs", "--revealed", "0:2s", "--pressed"],
        "leave out one of --pressed and --revealed",
    ),
    (
        [HW, "--hand", HW_WEAK, "--trump", "s", "--bottom", "As As As Ks Ks Ks Qs", "--pressed", "--previous-banker",
         "1"],
        "and that is seat 0",
    ),
    (
        [HW, "--hand", HW_WEAK, "--news", "--bottom", "As As As Ks Ks Ks Qs", "--revealed", "0:2s@30",
         "--previous-banker", "1"],
        "only the previous banker, seat 1",
    ),
    ([HW, "--hand", "As Ks"], "no 2 to reveal"),
    ([HW, "--hand", HW_WEAK, "--seat", "1", "--previous-banker", "2"], "only the previous banker, seat 2"),
    ([HW, "--hand", HW_WEAK, "--trump", "s"], "give --bottom"),
    ([HW, "--hand", HW_WEAK, "--revealed", "1:2s"], "nothing to decide before play"),
    ([HW, "--hand", HW_WEAK, "--trump", "s", "--bottom", "As", "--seat", "1"], "1 cards; the bottom has 7"),
    ([HW, "--hand", HW_WEAK, "--bid-so-far", "1:110"], "no bids in hong-wu-wu-jia"),
    ([HW, "--hand", HW_WEAK, "--trump", "s", "--bottom", "As As As Ks Ks Ks Qs", "--bury", "As"], "7 are buried"),
    (
        [HW, "--hand", HW_WEAK, "--trump", "s", "--bottom", "As As As Ks Ks Ks Qs", "--bury", "BJ As As As Ks Ks Ks"],
        "BJ is not in hand or bottom",
    ),
    ([HW, "--hand", HW_WEAK, "--trump", "s", "--bottom", "3h 3h As As As Ks Ks"], "3h stands there 4 times"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "why"), BAD, ids=lambda x: x[-30:] if isinstance(x, str) else "")
def test_what_can_not_be_is_refused_in_one_sentence(words: list[str], why: str) -> None:
    result = run(*words)
    assert result.exit_code == cli.BAD_USAGE, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert why in result.stderr


def test_news_that_no_world_agrees_with_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's policy goes up to 200 on this."""
    monkeypatch.setattr(advise_result, "TRIED", 2_000)
    hand = STRONG.replace("3h 3h", "3h 2d")
    bids = "0:110 1:120 2:130 0:140 1:150 2:160 0:170 1:180 2:190"
    result = run(DWF, "--hand", hand, "--seat", "0", "--trump", "h", "--bid-so-far", bids, "--news")
    assert result.exit_code == cli.BAD_USAGE
    assert "of 10,000 worlds tried 0 agree" in result.stderr
    assert (
        'say with how many cards it was shown, like --revealed "0:3h@14", or leave --news out'
        in result.stderr
    )
