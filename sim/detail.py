"""Tricks and plays of played deals (``--detail``): as the engine gives them, and as the rows of their tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.detail import FIELDS, LEADER, TRICK
from .columns import Strings, columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from .games import Game


@dataclass(frozen=True)
class Detail:
    """The tricks of consecutive deals, and perhaps the plays.

    counts: tricks of each deal; banker, partner: seats by deal, partner -1 for none; tricks: int16[len(FIELDS), any];
    plays: the cards of each play, in the order of play, or None.
    """

    seats: int
    counts: NDArray[np.int8]
    banker: NDArray[np.int8]
    partner: NDArray[np.int8]
    tricks: NDArray[np.int16]
    plays: Strings | None

    @classmethod
    def from_engine(
        cls,
        game: Game,
        columns: Mapping[str, NDArray[Any]],
        tricks: NDArray[np.int16],
        text: NDArray[np.uint8],
        ends: NDArray[np.int32],
        *,
        plays: bool,
    ) -> Detail:
        """From the engine's columns and what the kernel filled; the rest of the room is given back."""
        counts = columns["tricks"].astype(np.int8)
        number = int(counts.sum(dtype=np.int64))
        cards = None
        if plays:
            ends = ends[: number * game.seats].copy()
            cards = Strings(text[: ends[-1] if len(ends) else 0].copy(), ends)
        return cls.of_deals(game, columns, tricks[:, :number].copy(), cards)

    @classmethod
    def of_deals(
        cls,
        game: Game,
        columns: Mapping[str, NDArray[Any]],
        tricks: NDArray[np.int16],
        plays: Strings | None,
    ) -> Detail:
        """From the columns of the deals, for tricks and plays of just these."""
        banker = columns["banker"].astype(np.int8)
        partner = columns["partner"].astype(np.int8) if "partner" in columns else np.full_like(banker, -1)
        return cls(game.seats, columns["tricks"].astype(np.int8), banker, partner, tricks, plays)

    def __len__(self) -> int:
        """Deals."""
        return len(self.counts)

    def part(self, start: int, stop: int) -> Detail:
        """Deals ``start`` .. ``stop - 1`` of these, copied unless it is all of them."""
        if start == 0 and stop >= len(self):
            return self
        low = int(self.counts[:start].sum(dtype=np.int64))
        high = low + int(self.counts[start:stop].sum(dtype=np.int64))
        plays = None if self.plays is None else self.plays.part(low * self.seats, high * self.seats)
        deals = slice(start, stop)
        return Detail(
            self.seats,
            self.counts[deals].copy(),
            self.banker[deals].copy(),
            self.partner[deals].copy(),
            self.tricks[:, low:high].copy(),
            plays,
        )

    def rows(self, table: str, first: int) -> dict[str, Any]:
        """The rows of a table, each column in its own type; ``first``: number of the first deal."""
        deals = np.repeat(np.arange(first, first + len(self), dtype=np.int64), self.counts)
        if table == "tricks":
            found: dict[str, Any] = {"deal": deals, **dict(zip(FIELDS, self.tricks, strict=True))}
        else:
            seats = self.seats
            place = np.arange(seats, dtype=np.int8)
            seat = (self.tricks[LEADER].astype(np.int8)[:, None] + place) % np.int8(seats)  # a row a trick
            banker, partner = (np.repeat(x, self.counts)[:, None] for x in (self.banker, self.partner))
            role = np.int8(1) + (seat == partner) - (seat == banker).view(np.int8)
            found = {
                "deal": np.repeat(deals, seats),
                "trick": np.repeat(self.tricks[TRICK], seats),
                "position": np.tile(place, len(deals)),
                "seat": seat.ravel(),
                "cards": self.plays,
                "role": role.ravel(),
            }
        return {
            c.name: found[c.name] if c.type == "string" else found[c.name].astype(c.numpy, copy=False)
            for c in columns_of("", table)
        }


def joined(pieces: Sequence[Detail]) -> Detail:
    """Several pieces as one."""
    if len(pieces) == 1:
        return pieces[0]
    plays = [piece.plays for piece in pieces if piece.plays is not None]
    return Detail(
        pieces[0].seats,
        np.concatenate([piece.counts for piece in pieces]),
        np.concatenate([piece.banker for piece in pieces]),
        np.concatenate([piece.partner for piece in pieces]),
        np.concatenate([piece.tricks for piece in pieces], axis=1),
        Strings.joined(plays) if plays else None,
    )
