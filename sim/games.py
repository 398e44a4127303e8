"""The two games: their names, sizes and aliases."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import UsageError
from .text import Lang, clip, legible, one_of


@dataclass(frozen=True, slots=True)
class Game:
    """What never changes about a game, whatever the rule set."""

    name: str
    zh: str
    aliases: tuple[str, ...]
    seats: int
    packs: int
    hand_size: int
    bottom_size: int

    @property
    def cards(self) -> int:
        """Number of cards in play."""
        return 54 * self.packs

    def title(self, lang: Lang) -> str:
        """The game's name for a reader."""
        return self.zh if lang == "zh" else self.name


DIE_WU_FEN = Game("die-wu-fen", "跌五分", ("dwf", "跌5分"), seats=3, packs=2, hand_size=33, bottom_size=9)
HONG_WU_WU_JIA = Game(
    "hong-wu-wu-jia", "红五五家", ("hwwj", "红5五家"), seats=5, packs=3, hand_size=31, bottom_size=7
)
GAMES: tuple[Game, ...] = (DIE_WU_FEN, HONG_WU_WU_JIA)

_BY_WORD = {word: game for game in GAMES for word in (game.name, game.zh, *game.aliases)}


def resolve_game(word: str | Game) -> Game:
    """The game a name or alias stands for (`die-wu-fen`, `跌五分`, `dwf`, any case, `_` for `-`)."""
    if isinstance(word, Game):
        return word
    game = _BY_WORD.get(legible(word).strip().lower().replace("_", "-")) if isinstance(word, str) else None
    if game is None:
        known = one_of([f"{g.name} ({', '.join((g.zh, g.aliases[0]))})" for g in GAMES])
        raise UsageError(f"there is no game {clip(word)}; allowed are {known}")
    return game
