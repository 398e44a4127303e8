"""The generator, bounded draws and the shuffle (COM-19): published vectors, exact references, uniformity."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from helpers import normal_of_chi2, scaled
from numpy.typing import NDArray

from tuolaji.kernels import rng
from tuolaji.kernels._jit import JIT

pytestmark = pytest.mark.nojit

#: A standard normal value beyond this has a chance of about one in a million (both sides together).
FAR = 4.9


def stream_words(seed: int, deal: int, stream: int) -> Iterator[int]:
    index = 0
    while True:
        yield from (int(w) for w in rng.block(seed, deal, stream, index))
        index += 1


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [  # Random123's kat_vectors for philox4x32-10
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_com19_philox_gives_the_published_numbers(counter: str, key: str, expected: str) -> None:
    given = [int(word, 16) for word in (counter + " " + key).split()]
    assert " ".join(f"{int(word):08x}" for word in rng.philox(*given)) == expected


def test_com19_seed_is_the_key_and_deal_stream_and_block_are_the_counter() -> None:
    seed, deal, stream, index = 0x299F31D0A4093822, 0x0370734413198A2E, 0x85A308D3, 0x243F6A88
    assert " ".join(f"{int(w):08x}" for w in rng.block(seed, deal, stream, index)) == (
        "d16cfe09 94fdcceb 5001e420 24126ea1"
    )
    # a seed of 2**63 and more is handed over as the same 64 bits, signed
    assert tuple(rng.block(-1, -1, 0xFFFFFFFF, 0xFFFFFFFF)) == tuple(
        int(w, 16) for w in ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]
    )


def test_com19_streams_of_a_deal_never_meet() -> None:
    streams = [rng.SHUFFLE, rng.LOT, *(rng.SEAT + seat for seat in range(5)), rng.WORLDS]
    assert len({s + rng.ATTEMPT * a for s in streams for a in range(50)}) == 50 * len(streams)
    assert max(streams) < rng.ATTEMPT


def test_a_reader_gives_the_words_of_its_stream_in_order() -> None:
    state = np.zeros(20, np.int64)
    rng.rng_start(state, 3, 11, 12, 13)
    expected = stream_words(11, 12, 13)
    assert [int(rng.word(state, 3)) for _ in range(23)] == [next(expected) for _ in range(23)]
    rng.rng_start(state, 3, 11, 12, 13)
    assert rng.word(state, 3) == next(stream_words(11, 12, 13))


# --- bounded draws: a reference on whole numbers, exact for any word size


def reference_below(words: Iterator[int], n: int, bits: int) -> int:
    """Lemire's bounded draw."""
    threshold = 2**bits % n
    while True:
        product = next(words) * n
        if product % 2**bits >= threshold:
            return product >> bits


def test_bounded_draws_are_exactly_uniform_with_words_of_eight_bits() -> None:
    for n in range(1, 256):
        counts: Counter[int] = Counter()
        for word in range(256):
            try:
                counts[reference_below(iter([word]), n, 8)] += 1
            except StopIteration:
                continue  # this word is drawn again
        assert counts == Counter(dict.fromkeys(range(n), 256 // n))


def test_bounded_draws_follow_the_reference_word_for_word() -> None:
    state = np.zeros(rng.RNG_SIZE, np.int64)
    picker = random.Random(5)
    # the largest of these reject a third to a half of all words
    bounds = [1, 2, 3, 33, 108, 2**16 + 1, 2**30 + 1, 2**31 - 1, 3 * 2**29 + 7]
    for deal in range(scaled(200)):
        rng.rng_start(state, 0, 99, deal, 2)
        words = stream_words(99, deal, 2)
        for _ in range(40):
            n = picker.choice(bounds)
            assert rng.below(state, 0, n) == reference_below(words, n, 32)


def test_a_bounded_draw_takes_a_word_that_just_reaches_the_threshold() -> None:
    # the words whose low half is the threshold, and one less, found by the inverse of an odd n, put into the buffer
    state = np.zeros(rng.RNG_SIZE, np.int64)
    for n in (3, 33, 2**30 + 1):
        threshold, inverse = 2**32 % n, pow(n, -1, 2**32)
        just, short, spare = threshold * inverse % 2**32, (threshold - 1) * inverse % 2**32, 2**31
        for words in ([just, spare], [short, spare]):
            rng.rng_start(state, 0, 0, 0, 0)
            state[3] = 1  # the next words are the second and the third of the four in the buffer
            state[5:7] = words
            assert rng.below(state, 0, n) == reference_below(iter(words), n, 32)
            assert state[3] == (2 if words[0] == just else 3)


# --- the shuffle


def reference_plan(cards: int, bits: int, limit: int) -> list[tuple[int, int, int, int]]:
    """Which draws share a word: (first position, how many, threshold, ways the draws can fall)."""
    groups, at = [], 0
    while at < cards - 1:
        sizes = [cards - at]
        while at + len(sizes) < cards - 1 and math.prod(sizes) * (cards - at - len(sizes)) <= limit:
            sizes.append(cards - at - len(sizes))
        groups.append((at, len(sizes), 2**bits % math.prod(sizes), math.prod(sizes)))
        at += len(sizes)
    return groups


def batch(word: int, sizes: list[int], threshold: int, bits: int) -> tuple[int, ...] | None:
    """The draws one word gives, or None if it has to be drawn again."""
    drawn = []
    for n in sizes:
        word *= n
        drawn.append(word >> bits)
        word %= 2**bits
    return tuple(drawn) if word >= threshold else None


def reference_shuffle(
    cards: int, words: Iterator[int], plan: list[tuple[int, int, int, int]] | None = None
) -> list[int]:
    deck = list(range(cards))
    for start, k, threshold, _ways in plan or reference_plan(cards, 32, 2**28):
        sizes = [cards - i for i in range(start, start + k)]
        drawn = None
        while drawn is None:
            drawn = batch(next(words), sizes, threshold, 32)
        for i, jump in enumerate(drawn, start=start):
            deck[i], deck[i + jump] = deck[i + jump], deck[i]
    return deck


@pytest.mark.parametrize("cards", [3, 7, 12])
def test_draws_that_share_a_word_are_exactly_uniform_with_words_of_twelve_bits(cards: int) -> None:
    for start, k, threshold, ways in reference_plan(cards, 12, 2**9):
        sizes = [cards - i for i in range(start, start + k)]
        counts = Counter(batch(word, sizes, threshold, 12) for word in range(2**12))
        rejected = counts.pop(None, 0)
        assert len(counts) == ways
        assert set(counts.values()) == {2**12 // ways}
        assert rejected == 2**12 % ways


@pytest.mark.parametrize("cards", [2, 3, 54, 108, 162])
def test_the_plan_of_a_shuffle_draws_for_every_place_once(cards: int) -> None:
    plan = rng.shuffle_plan(cards)
    assert [tuple(int(x) for x in row) for row in plan] == reference_plan(cards, 32, 2**28)
    assert [i for start, k, _, _ in plan for i in range(start, start + k)] == list(range(cards - 1))


@pytest.mark.parametrize("cards", [108, 162])
def test_com19_the_shuffle_follows_the_reference_word_for_word(cards: int) -> None:
    plan = rng.shuffle_plan(cards).ravel()
    for deal in range(scaled(500)):
        for seed, attempt in ((0, 0), (-(2**62) - deal, deal % 3)):
            faces = np.arange(cards, dtype=np.int64)
            rng.shuffle(faces, cards, plan, seed, deal, attempt)
            words = stream_words(seed, deal, rng.SHUFFLE + rng.ATTEMPT * attempt)
            assert faces.tolist() == reference_shuffle(cards, words)


def test_com19_the_shuffle_takes_a_word_that_just_reaches_the_threshold() -> None:
    for deal in range(50):
        # the first word's low half as the threshold: taken; one more: drawn again
        (start, k, _, ways), *rest = reference_plan(108, 32, 2**28)
        low = next(stream_words(1, deal, rng.SHUFFLE)) * ways % 2**32
        decks_seen = []
        for threshold in (low, low + 1):
            plan = [(start, k, threshold, ways), *rest]
            faces = np.arange(108, dtype=np.int64)
            rng.shuffle(faces, 108, np.array(plan, np.int64).ravel(), 1, deal, 0)
            assert faces.tolist() == reference_shuffle(108, stream_words(1, deal, rng.SHUFFLE), plan)
            decks_seen.append(faces.tolist())
        assert decks_seen[0] != decks_seen[1]


def decks(cards: int, count: int, number: Callable[[int], tuple[int, int, int]]) -> NDArray[np.int64]:
    """Shuffled decks, one a row; ``number`` gives (seed, deal, attempt) of each."""
    plan = rng.shuffle_plan(cards).ravel()
    rows = np.empty((count, cards), np.int64)
    rows[:] = np.arange(cards)
    for i, row in enumerate(rows):
        rng.shuffle(row, cards, plan, *number(i))
    return rows


def distance(counts: NDArray[np.int64], cells: int, freedom: float, shrink: float) -> float:
    """How far counts over equally likely cells are from even, as a standard normal value."""
    expected = counts.sum() / cells
    value = float(((counts - expected) ** 2).sum() / expected) * shrink
    return normal_of_chi2(value, freedom)


NUMBERINGS: dict[str, Callable[[int], tuple[int, int, int]]] = {
    "deals": lambda i: (7, i, 0),
    "seeds": lambda i: (i, 7, 0),
    "redeals": lambda i: (3, 1000 + i // 8, i % 8),
    "far deals": lambda i: (7, 2**40 + (i << 20), 0),
}


@pytest.mark.skipif(not JIT, reason="many shuffles")
@pytest.mark.parametrize("cards", [108, 162])
@pytest.mark.parametrize("numbering", [*NUMBERINGS])
def test_com19_every_card_comes_to_every_place_equally_often(cards: int, numbering: str) -> None:
    rows = decks(cards, 30_000, NUMBERINGS[numbering])
    counts = np.bincount((rows * cards + np.arange(cards)).ravel(), minlength=cards * cards)
    # each deck fills every row and column of the table once, which spreads the deviations by n / (n - 1)
    assert abs(distance(counts, cards * cards, (cards - 1) ** 2, (cards - 1) / cards)) < FAR


@pytest.mark.skipif(not JIT, reason="many shuffles")
@pytest.mark.parametrize("cards", [108, 162])
def test_com19_every_pair_of_cards_comes_to_a_pair_of_places_equally_often(cards: int) -> None:
    rows = decks(cards, 150_000, NUMBERINGS["deals"])
    where = np.argsort(rows[:, :], axis=1)
    pairs = cards * (cards - 1)
    hand = 33 if cards == 108 else 31
    # the two cards at: the first places, one seat's first cards, two seats' first cards, the last two of the bottom
    for a, b in ((0, 1), (hand, hand + 1), (0, hand), (hand - 1, cards - 1), (cards - 2, cards - 1)):
        for table in (rows, where):  # which cards lie at two places; at which places two cards lie
            counts = np.bincount(table[:, a] * cards + table[:, b], minlength=cards * cards)
            assert counts[:: cards + 1].sum() == 0
            off = counts.reshape(cards, cards)[~np.eye(cards, dtype=bool)]
            assert abs(distance(off, pairs, pairs - 1, 1.0)) < FAR


@pytest.mark.skipif(not JIT, reason="many shuffles")
@pytest.mark.parametrize("numbering", [*NUMBERINGS])
def test_com19_neighbouring_shuffles_are_independent(numbering: str) -> None:
    rows = decks(108, 120_000, NUMBERINGS[numbering])
    for place in (0, 50, 107):
        pairs = rows[:-1:2, place] * 108 + rows[1::2, place]
        counts = np.bincount(pairs, minlength=108 * 108)
        assert abs(distance(counts, 108 * 108, 108 * 108 - 1, 1.0)) < FAR


@pytest.mark.skipif(not JIT, reason="many draws")
def test_com19_lots_and_seats_draw_evenly() -> None:
    state = np.zeros(rng.RNG_SIZE, np.int64)
    for stream in (rng.LOT, *(rng.SEAT + seat for seat in range(5))):
        for n in (3, 5, 33):
            counts = np.zeros(n, np.int64)
            for deal in range(20_000):
                rng.rng_start(state, 0, 1, deal, stream)
                counts[rng.below(state, 0, n)] += 1
            assert abs(distance(counts, n, n - 1, 1.0)) < FAR
