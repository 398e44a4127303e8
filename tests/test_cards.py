"""Cards as people write them (COM-1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuolaji.sim import cards
from tuolaji.sim.cards import CardError

FACE = st.integers(0, cards.NUM_FACES - 1)


def test_com_1_faces_are_numbered_suit_by_suit_and_jokers_last() -> None:
    assert cards.FACES[0] == "2s"
    assert cards.FACES[12] == "As"
    assert cards.FACES[13] == "2h"
    assert cards.FACES[26] == "2c"
    assert cards.FACES[39] == "2d"
    assert cards.FACES[51] == "Ad"
    assert (cards.FACES[cards.SMALL_JOKER], cards.FACES[cards.BIG_JOKER]) == ("SJ", "BJ")
    assert len(set(cards.FACES)) == 54


@pytest.mark.parametrize(
    ("word", "ascii_name"),
    [
        ("As", "As"), ("as", "As"), ("AS", "As"), ("aS", "As"),
        ("Td", "Td"), ("10d", "Td"), ("10D", "Td"), ("td", "Td"),
        ("♥A", "Ah"), ("A♥", "Ah"), ("♥️A", "Ah"), ("A♥️", "Ah"), ("♡a", "Ah"),
        ("♦10", "Td"), ("10♦", "Td"), ("♣T", "Tc"), ("黑桃5", "5s"), ("红桃10", "Th"), ("方片K", "Kd"), ("草花2", "2c"),
        ("BJ", "BJ"), ("bj", "BJ"), ("大王", "BJ"), ("SJ", "SJ"), ("sj", "SJ"), ("小王", "SJ"),
        ("JS", "Js"), ("js", "Js"), ("♠J", "Js"), (" 5h ", "5h"),
    ],
)  # fmt: skip
def test_com_1_every_accepted_spelling(word: str, ascii_name: str) -> None:
    assert cards.canonical(word) == ascii_name


@pytest.mark.parametrize(
    "word",
    ["", " ", "1s", "11s", "A", "s", "hA", "sA", "Ax", "0h", "AsKs", "JJ", "XJ", "王", "♥", "1０d", "A♥♥"],
)
def test_com_1_what_is_no_card_is_refused(word: str) -> None:
    with pytest.raises(CardError, match="is not a card; write rank then suit"):
        cards.parse_card(word)


@given(FACE)
def test_com_1_a_face_survives_every_way_of_writing_it(face: int) -> None:
    for word in (cards.face_name(face), cards.show_card(face, "en"), cards.show_card(face, "zh")):
        for spelling in (word, word.lower(), word.upper()):
            assert cards.parse_card(spelling) == face


@given(st.lists(FACE, max_size=40))
def test_hands_survive_writing_and_reading(faces: list[int]) -> None:
    text = cards.format_cards(faces)
    assert cards.parse_cards(text) == faces
    assert cards.parse_cards(text.replace(" ", ", ")) == faces
    assert cards.parse_cards(text.replace(" ", "，")) == faces
    assert cards.parse_cards(text.split()) == faces
    assert cards.parse_cards(cards.show_cards(faces, "zh")) == faces


@given(st.text(max_size=8))
def test_any_text_is_a_face_or_a_card_error(text: str) -> None:
    try:
        assert 0 <= cards.parse_card(text) < 54
    except CardError as error:
        assert "\n" not in str(error)


def test_an_error_names_the_word_and_its_place() -> None:
    with pytest.raises(CardError, match='^card 3 of your hand, "7x", is not a card; '):
        cards.parse_cards("5s 7s 7x", what="your hand")


def test_a_long_wrong_word_is_cut_short_in_the_message() -> None:
    with pytest.raises(CardError) as caught:
        cards.parse_card("x" * 10_000)
    assert len(str(caught.value)) < 250


def test_a_hand_cannot_hold_more_copies_than_packs() -> None:
    # two packs: two 5s are possible, three are not
    assert cards.parse_cards("5s 5s", packs=2) == [3, 3]
    with pytest.raises(
        CardError, match="^5s stands 3 times in the lead, but 2 packs have only 2 copies of it$"
    ):
        cards.parse_cards("5s 5s 5s", packs=2, what="the lead")
    assert len(cards.parse_cards("5s 5s 5s", packs=3)) == 3


def test_no_cards_is_an_empty_list() -> None:
    assert cards.parse_cards("") == cards.parse_cards(" , ") == cards.parse_cards([]) == []


@pytest.mark.parametrize(
    ("word", "index"), [("s", 0), ("H", 1), ("♣", 2), ("♦️", 3), ("hearts", 1), ("Spade", 0), ("方块", 3)]
)
def test_suits_by_letter_sign_and_name(word: str, index: int) -> None:
    assert cards.parse_suit(word) == index


@pytest.mark.parametrize("word", ["", "x", "nt", "sh"])
def test_what_is_no_suit_is_refused(word: str) -> None:
    with pytest.raises(CardError, match="is not a suit; allowed are s, h, c and d"):
        cards.parse_suit(word)


def test_words_must_be_text() -> None:
    with pytest.raises(CardError, match="card 1 of the cards, 5, is not a card"):
        cards.parse_cards([5])  # type: ignore[list-item]


@pytest.mark.parametrize("face", [-1, 54])
def test_face_numbers_outside_the_pack_are_refused(face: int) -> None:
    with pytest.raises(CardError, match="allowed are 0 to 53"):
        cards.face_name(face)


def test_rank_and_suit_of_a_face() -> None:
    assert (cards.face_rank(cards.parse_card("Th")), cards.face_suit(cards.parse_card("Th"))) == ("T", 1)
    assert (cards.face_rank(cards.BIG_JOKER), cards.face_suit(cards.SMALL_JOKER)) == (None, None)


def test_for_a_reader() -> None:
    hand = cards.parse_cards("Th As BJ SJ")
    assert cards.show_cards(hand, "en") == "10♥ A♠ BJ SJ"
    assert cards.show_cards(hand, "zh") == "♥10 ♠A 大王 小王"
    assert (cards.show_suit(1, "en"), cards.show_suit(3, "zh")) == ("♥ hearts", "♦ 方块")
