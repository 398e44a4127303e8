"""The judge against the oracle on random lumpy situations, and its command."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from helpers import PACKS, SEATS, SUITS_OF, small_hand, suit_hand

from tuolaji import judge
from tuolaji.sim.errors import UsageError
from tuolaji.sim.fault import Fault, IllegalPlayError

import naive
from naive import DWF, HW

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    (DWF, {}),
    (DWF, {"cascade": False, "forced_trump": "throw", "void_order": "by-level"}),
    (DWF, {"forced_trump_binds": "all"}),
    (DWF, {"forced_trump": "off", "points_five": 7}),
    (HW, {}),
    (HW, {"cascade": True, "split_triples": False}),
    (HW, {"cascade": True}),
    (HW, {"split_triples": False}),
]
NAMEABLE = [*(rank + suit for rank in "AK" for suit in "shcd"), "5h", "BJ"]


def kept(game: str, cards: list[str], used: list[str]) -> list[str]:
    """The cards that can exist beside those used elsewhere."""
    seen = Counter(used)
    found = []
    for card in cards:
        if seen[card] < PACKS[game]:
            seen[card] += 1
            found.append(card)
    return found


def situations(game: str, seed: int, count: int) -> Any:
    """(rng, trump, lead): random leads from lumpy suits."""
    rng = random.Random(f"{game} {seed}")
    for _ in range(count):
        trump = rng.choice("shcd")
        suit = rng.choice(SUITS_OF[game, trump])
        lead = suit_hand(rng, game, trump, suit, rng.randint(1, 9))
        yield rng, trump, suit, [*dict.fromkeys(lead)] if rng.random() < 0.2 else lead


def variant_id(variant: object) -> str:
    return "-".join(map(str, variant.values())) if isinstance(variant, dict) else str(variant)


# --- against the oracle


@pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=variant_id)
def test_com_7_com_10_leads_agree_with_the_oracle(game: str, rules: dict[str, Any]) -> None:
    failed = 0
    for rng, trump, suit, lead in situations(game, 1, 300):
        others: list[list[str]] = []
        for _ in range(rng.randint(0, SEATS[game] - 1)):
            taken = [card for hand in [lead, *others] for card in hand]
            others.append(kept(game, suit_hand(rng, game, trump, suit), taken))
        verdict = judge.lead(game, trump, lead, others, rules)
        stands, played = naive.throw_check(game, trump, lead, others, rules)
        assert (verdict["stands"], sorted(verdict["played"])) == (stands, sorted(played))
        found = [
            (one["kind"], one["levels"], one["triples"], sorted(one["cards"]))
            for one in verdict["components"]
        ]
        parts = naive.components(game, trump, lead)
        assert found == [(part.kind, part.L, part.t, sorted(part.cards)) for part in parts]
        failed += not stands
    assert failed > 30


@pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=variant_id)
def test_com_11_to_14_dwf_11_hw_9_follows_agree_with_the_oracle(game: str, rules: dict[str, Any]) -> None:
    clauses: Counter[str] = Counter()
    for rng, trump, suit, lead in situations(game, 2, 700):
        suits = suit + rng.choice(["t", "t", "", SUITS_OF[game, trump].replace(suit, "")])
        hand = kept(
            game, small_hand(rng, game, trump, "".join(dict.fromkeys(suits)), rng.randint(1, 14)), lead
        )
        if len(hand) < len(lead):
            continue
        named = rng.choice([None, *NAMEABLE]) if game == HW else None
        if named and rng.random() < 0.5:
            hand += kept(game, [named] * rng.randint(1, 3), lead + hand)
        for play in plausible(rng, game, trump, hand, lead, rules, named):
            due = naive.follow_fault(game, trump, hand, lead, play, rules, named)
            found = judge.follow(game, trump, hand, lead, play, rules, named)
            assert (found and found.clause) == (due and due[0]), (trump, hand, lead, play, named, found, due)
            clauses[found.clause if found else "legal"] += 1
    wanted = {"legal", "COM-11", "COM-12", "COM-13", "COM-9"}
    if game == HW:
        wanted |= {"HW-9"}
    elif not rules:
        wanted |= {"DWF-11a", "DWF-11b", "DWF-11c", "DWF-11d"}
    assert wanted <= set(clauses)


def plausible(
    rng: random.Random, game: str, trump: str, hand: list[str], lead: list[str], rules: Any, named: str | None
) -> list[list[str]]:
    """Plays of a hand: cards of the led suit first, trumps first, any, and some that cannot be."""
    n = len(lead)
    led = naive.effective_suit(game, trump, lead[0])
    found = []
    for favour in (led, led, led + "t", led + "t", "t", ""):
        shuffled = rng.sample(hand, len(hand))
        if rng.random() < 0.5:
            shuffled.sort(key=lambda card: (-hand.count(card), naive.level(game, trump, card)))
        shuffled.sort(key=lambda card: favour.find(naive.effective_suit(game, trump, card)) % 9)
        found.append(shuffled[:n])
    if len(hand) <= 9:
        legal = naive.legal_follows(game, trump, hand, lead, rules, named)
        found += [list(play) for play in rng.sample(legal, min(4, len(legal)))]
    if rng.random() < 0.1:
        found += [hand[: n - 1], rng.sample(sorted(naive.FACES), n)]
    return found


@pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=variant_id)
def test_com_15_to_18_tricks_agree_with_the_oracle(game: str, rules: dict[str, Any]) -> None:
    met: Counter[tuple[bool, bool, bool]] = Counter()
    for rng, trump, suit, lead in situations(game, 3, 500):
        plays = [lead]
        for _ in range(rng.randint(0, SEATS[game] - 1)):
            taken = [card for play in plays for card in play]
            pool = kept(game, suit_hand(rng, game, trump, rng.choice([suit, "t", "t"])), taken)
            if len(pool) < len(lead):
                pool = kept(game, rng.sample(naive.FACES, 54), taken)
            pool.sort(key=lambda card: (-pool.count(card), naive.level(game, trump, card)))
            plays.append(pool[: len(lead)])
        winner, ruffed, points = naive.trick(game, trump, plays, rules)
        assert judge.trick(game, trump, plays, rules) == {
            "winner": winner,
            "ruffed": ruffed,
            "points": points,
        }
        met[ruffed, winner > 0, len(lead) > 1] += 1
    assert set(met) == {
        (r, w, n) for r in (False, True) for w in (False, True) for n in (False, True) if w or not r
    }


# --- the clauses' examples


@pytest.mark.parametrize(
    ("cards", "other", "played"),
    [
        ("5s 7s 7s 9s 9s", "Ts 4s", "5s"),
        ("5s 7s 7s 9s 9s", "Ts Ts", "7s 7s"),
        ("5s 7s 7s 9s 9s", "8s 8s", "7s 7s"),
        ("9s 8s 8s 4s 4s", "Js", "9s"),
        ("9s 8s 8s 4s 4s", "Qs Qs", "4s 4s"),
        ("9s 8s 8s 4s 4s", "5s 5s", "4s 4s"),
    ],
)
def test_com_10_examples(cards: str, other: str, played: str) -> None:
    verdict = judge.lead(DWF, "h", cards, [other])
    assert not verdict["stands"]
    assert " ".join(verdict["played"]) == played


def test_dwf_11_examples() -> None:
    # KKQQ of spades led, void, trump pairs 3h and Kh only: both pairs, nothing else
    hand = "3h 3h Kh Kh BJ 2c 9h 4d"
    assert judge.follow(DWF, "h", hand, "Ks Ks Qs Qs", "3h 3h Kh Kh") is None
    fault = judge.follow(DWF, "h", hand, "Ks Ks Qs Qs", "BJ 3h 3h Kh")
    assert fault is not None
    assert str(fault) == (
        "DWF-11d: void in ♠, and a tractor of 2 pairs was led: the highest trump pairs must be played, 3h 3h Kh Kh"
    )
    assert fault.say("zh") == "♠ 缺门，首出的是两连对拖拉机：须垫最大的主对：♥3 ♥3 ♥K ♥K"
    # one spade, and the three highest trumps
    assert judge.follow(DWF, "h", "4s BJ BJ SJ 3h", "Ks Ks Qs Qs", "4s BJ BJ SJ") is None
    fault = judge.follow(DWF, "h", "4s BJ BJ SJ 3h", "Ks Ks Qs Qs", "4s BJ BJ 3h")
    assert fault is not None
    assert fault.clause == "DWF-11c"
    assert fault.reason.endswith("the missing cards must be the highest trumps, BJ BJ SJ")
    # 5544 led, void: a tractor ruffs, or BJ BJ Ah Ah is thrown off
    hand = "BJ BJ Ah Ah Kh Kh 9h 9h 8h 8h"
    for play, legal in {
        "9h 9h 8h 8h": True,
        "Ah Ah Kh Kh": True,
        "BJ BJ Ah Ah": True,
        "BJ BJ 9h 9h": False,
    }.items():
        assert (judge.follow(DWF, "h", hand, "5s 5s 4s 4s", play) is None) == legal


@pytest.mark.parametrize(
    ("hand", "lead", "play", "reason"),
    [
        ("4s 5s 6c", "Ks Qs", "4s 6c", "COM-12: ♠ was led and the hand has 2 ♠: all 2 cards played must be ♠"),
        ("4s 5c", "Ks", "5c", "COM-12: ♠ was led and the hand has 1 ♠: the card played must be one"),
        ("4s 5c 6c 4h", "Ks Qs", "5c 6c", "COM-12: ♠ was led and the hand has only 4s of the suit: it must be played"),
        (
            "4s 5s 5c 6c", "Ks Qs Js", "4s 5c 6c",
            "COM-12: ♠ was led and the hand has only 5s 4s of the suit: all of them must be played",
        ),
        (
            "BJ 4h 6c", "Kh Kh", "4h 6c",
            "COM-12: trumps were led and the hand has 2 of them: all 2 cards played must be trumps",
        ),
        ("4s", "Ks Qs", "4s", "COM-11: 2 cards were led, but 1 played"),
        ("4s 5s", "Ks", "5c", "COM-9: the hand does not hold 5c"),
        (
            "9s 9s 8s 8s 5s 5s 4s", "As As Ks Ks Qs Qs", "9s 9s 8s 8s 5s 4s",
            ("COM-13: a tractor of 3 pairs was led in ♠, so the hand must follow with a tractor of 2 pairs and a pair; "
            "it has 9s 9s 8s 8s, 5s 5s"),
        ),
        (
            "4h 5c 6c", "Ks Qs", "5c 6c",
            "DWF-11a: void in ♠, and a throw of 2 singles was led: with 2 missing, the one trump must be played, 4h",
        ),
        (
            "4h 5h 6h 5c 6c", "Ks Qs", "5c 6h",
            "DWF-11b: void in ♠, and a throw of 2 singles was led: the 2 missing cards must be trumps",
        ),
        (
            "4s BJ 3s 3c", "Ks Ks", "4s 3s",
            "DWF-11c: short of ♠, and a pair was led: the missing cards must be the highest trumps, BJ",
        ),
        (
            "4s 3s 3c 5h", "Ks Ks", "4s 5h",
            ("DWF-11c: short of ♠, and a pair was led: the missing cards must be the highest trumps, 3c "
            "(or equal ones in their place)"),
        ),
        (
            "BJ Ah 9h 9h 8h", "Ks Ks", "BJ 9h",
            "DWF-11d: void in ♠, and a pair was led: the highest trump pairs must be played, 9h 9h",
        ),
        (
            "BJ Ah 9h 9h 8h", "Ks Ks Qs Qs", "BJ Ah 9h 8h",
            ("DWF-11d: void in ♠, and a tractor of 2 pairs was led: the highest trump pairs, then the highest other "
            "trumps, must be played, BJ Ah 9h 9h"),
        ),
    ],
)  # fmt: skip
def test_reasons_say_what_is_due(hand: str, lead: str, play: str, reason: str) -> None:
    fault = judge.follow(DWF, "h", hand, lead, play)
    assert str(fault) == reason
    assert fault is not None
    assert fault.say("en") == fault.reason
    assert any("一" <= sign <= "鿿" for sign in fault.say("zh"))


def test_dwf_11d_reason_mentions_the_ruff_where_there_is_one() -> None:
    fault = judge.follow(DWF, "h", "BJ BJ Ah Ah 9h 9h 8h 8h", "5s 5s 4s 4s", "BJ BJ 9h 9h")
    assert fault is not None
    assert fault.reason.endswith("must be played, BJ BJ Ah Ah; only a ruff could take their place")
    binds = {"forced_trump_binds": "all"}
    bound = judge.follow(DWF, "h", "BJ BJ Ah Ah 9h 9h 8h 8h", "5s 5s 4s 4s", "9h 9h 8h 8h", binds)
    assert bound is not None
    assert bound.reason.endswith("must be played, BJ BJ Ah Ah")


def test_hw_9_a_named_ace_may_not_be_thrown_off_but_ruffs_are_free() -> None:
    def verdict(hand: str, lead: str, play: str, named: str) -> str | None:
        fault = judge.follow(HW, "h", hand, lead, play, named=named)
        return fault and fault.clause

    assert verdict("Ac 4c 5d", "Ks", "Ac", "Ac") == "HW-9"  # another card could go
    assert verdict("Ac 4c 5d", "Ks", "4c", "Ac") is None
    assert verdict("Ac Ac", "Ks", "Ac", "Ac") is None  # nothing else left
    assert verdict("Ac Ac 4d", "Ks Ks", "Ac Ac", "Ac") == "HW-9"  # one is unavoidable, not two
    assert verdict("Ac Ac 4d", "Ks Ks", "Ac 4d", "Ac") is None
    assert verdict("Ac 4c 5d", "Kc", "Ac", "Ac") is None  # in the led suit
    assert verdict("Ah 4c 5d", "Ks", "Ah", "Ah") is None  # a ruff
    assert verdict("Ah 4h 4c 5d", "Ks Ks", "Ah 4h", "Ah") == "HW-9"  # no ruff: a pair was led
    assert verdict("BJ 4c 5d", "Ks Ks", "BJ 4c", "BJ") is None  # only A and K are bound
    fault = judge.follow(HW, "h", "Ac Ac 4d", "Ks Ks", "Ac Ac", named="Ac")
    assert fault is not None
    assert fault.reason.endswith(
        "must not be thrown off outside its suit; the other cards leave only 1 unavoidable"
    )


def test_com_9_a_lead_of_two_suits() -> None:
    with pytest.raises(IllegalPlayError) as caught:
        judge.lead(DWF, "h", "As 4h", [])
    assert caught.value.fault.clause == "COM-9"
    assert "trumps (4h), ♠ (As)" in str(caught.value)
    fault = judge.follow(DWF, "h", "Ks 5s", "As 4h", "Ks 5s")
    assert fault == Fault(caught.value.fault.clause, caught.value.fault.reason)
    with pytest.raises(IllegalPlayError, match="COM-11: play 2: 1 card was led, but 2 played"):
        judge.trick(DWF, "h", ["As", "4h 5h"])


def test_cards_come_in_every_spelling_and_rules_in_every_form() -> None:
    hand = ["♠4", "大王", "10h", "黑桃K"]
    assert judge.follow("跌五分", "♥", hand, "A♠", "♠4") is None
    assert judge.follow("dwf", "hearts", hand, ["As"], ["4s"], "die-wu-fen-throws-only") is None
    with pytest.raises(UsageError, match="no option"):
        judge.follow(DWF, "h", hand, "As", "4s", {"cascades": True})


# --- bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: judge.lead(DWF, "h", "", []), "the lead has no cards"),
        (lambda: judge.lead(DWF, "h", "1s", []), "is not a card"),
        (lambda: judge.lead(DWF, "x", "As", []), "is not a suit"),
        (lambda: judge.lead("bridge", "h", "As", []), "there is no game"),
        (lambda: judge.lead(DWF, "h", "As As As", []), "As stands 3 times in the lead"),
        (lambda: judge.lead(DWF, "h", "As As", ["As"]), "As stands 3 times in .* together"),
        (lambda: judge.lead(DWF, "h", "As", ["Ks"] * 3), "there are 3 other hands"),
        (lambda: judge.lead(DWF, "h", list(naive.FACES), []), "the lead has 54 cards"),
        (lambda: judge.follow(DWF, "h", "As As", "As", "As"), "As stands 3 times in .* together"),
        (lambda: judge.follow(DWF, "h", "", "As", "As"), "the hand has no cards"),
        (lambda: judge.follow(DWF, "h", "Ks", "As", "Ks", named="Ac"), "has no partner card"),
        (lambda: judge.follow(HW, "h", "Ks", "As", "Ks", named="Qc"), "can't be named"),
        (lambda: judge.trick(DWF, "h", []), "1 to 3 plays"),
        (lambda: judge.trick(DWF, "h", ["As", "Ks", "Qs", "Js"]), "1 to 3 plays"),
        (lambda: judge.trick(DWF, "h", ["As", "As", "As"]), "As stands 3 times in .* together"),
    ],
)
def test_bad_input_is_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        call()
    assert not isinstance(caught.value, IllegalPlayError)
    assert "\n" not in str(caught.value)


def test_com_1_an_empty_hand_among_the_others_beats_nothing() -> None:
    assert judge.lead(DWF, "h", "As 4s", [[], "Ks"])["played"] == ["4s"]
    assert judge.lead(DWF, "h", "As Ks", [[], []])["stands"]


def test_the_judge_loads_no_deal_engine() -> None:
    code = (
        "import sys; from tuolaji import judge; judge.trick('dwf', 'h', ['As', 'Ks']);"
        "assert not {'tuolaji.kernels.die_wu_fen', 'tuolaji.sim.engine', 'pyarrow', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("lead", "en", "zh"),
    [
        ("9s 9s", "a pair", "对子"),
        ("9s 9s 9s", "a triple", "三张"),
        ("9s 9s 9s 8s 8s 8s", "a tractor of 2 triples", "两连三张拖拉机"),
        ("9s 9s 9s 8s 8s 7s 7s", "a tractor of 3 with 1 triple", "三连带柄拖拉机（三张的有一级）"),
        (
            "As 9s 9s 8s 8s 6s 6s 5s 5s",
            "a throw of 2 tractors of 2 pairs and a single", "甩牌（2 个两连对拖拉机、1 张单牌）",
        ),
        (
            "4h 4h 6h 6h 7h 7h 8h 8h 9h 9h Th Th Jh Jh Qh Qh Kh Kh Ah Ah 2s 2s 2h 2h",
            "a tractor of 12 pairs", "十二连对拖拉机",
        ),
    ],
)  # fmt: skip
def test_com_5_leads_have_names_in_both_languages(lead: str, en: str, zh: str) -> None:
    from tuolaji.sim.reasons import lead_name
    from tuolaji.sim.table import Table

    table = Table(HW, "h")
    assert lead_name(table.lead(table.parse(lead, "the lead"))) == (en, zh)
