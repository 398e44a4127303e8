"""From a plan to played deals: the only module that calls the deal kernels."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import detail, layout, rng, view
from ..kernels.memory import policy_table
from . import searching
from .bidding import POLICY, ROLES_OF, places
from .cards import FACES
from .detail import Detail
from .encode import encode_play, reading_place
from .given import vector
from .plan import Plan, kernel_of
from .weights import weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .rules import RuleSet

Columns = dict[str, "NDArray[np.int16]"]


#: Game -> its deal kernels, and the module that encodes its rules for them. Only the game played is imported.
_GAMES = {
    "die-wu-fen": ("..kernels.die_wu_fen", ".encode_die_wu_fen"),
    "hong-wu-wu-jia": ("..kernels.hong_wu_wu_jia", ".encode_hong_wu_wu_jia"),
}


def encode_rules(rules: RuleSet) -> NDArray[np.int64]:
    """The four layouts of a game (by trump suit) with the rule options filled in: int64[4, layout.SIZE]."""
    lays: NDArray[np.int64] = encode_play(rules)
    import_module(_GAMES[rules.game][1], __package__).fill(lays, rules)
    return lays


@dataclass(frozen=True)
class Trace:
    """One played deal, in full: its row and the engine's memory at its end (``kernels.view``)."""

    row: dict[str, int]
    pub: NDArray[np.int64]
    own: NDArray[np.int64]
    faces: NDArray[np.int64]
    lay: NDArray[np.int64]


class Engine:
    """Plays deals of one plan; compiles or loads the kernels it needs when it is made. Safe to share by threads."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._game = import_module(_GAMES[plan.game.name][0], __package__)
        self.columns: tuple[str, ...] = tuple(self._game.COLUMNS)
        self._lays = encode_rules(plan.rules)
        modules = [
            import_module(f"..kernels.policies.{kernel_of(plan.game.name, name)}", __package__)
            for name in plan.policies
        ]
        alone = len(set(plan.policies)) == 1 and hasattr(modules[0], "play")
        player = modules[0] if alone else import_module("..kernels.policies.mixed", __package__)
        self._policies = policy_table([*(module.decide for module in modules), player.play])
        #: A deal takes milliseconds.
        self.slow = any(hasattr(module, "ASKED") for module in modules)
        weights = [
            searching.vector(searching.parse(name), module)
            if hasattr(module, "ASKED")
            else weights_of(module)
            for name, module in zip(plan.policies, modules, strict=True)
        ]
        self._weights = np.zeros((len(modules), max(each.size for each in weights)), np.int64)
        for row, each in zip(self._weights, weights, strict=True):
            row[: each.size] = each
        for seat, bidding in enumerate(plan.bidding):
            if bidding is not None:
                for role in ROLES_OF[plan.game.name]:
                    if plan.policies[3 * seat + role] == POLICY:
                        self._weights[3 * seat + role, list(places(bidding.game))] = bidding.values
        self._plan = rng.shuffle_plan(plan.game.cards)
        if plan.given is not None:
            self._plan = vector(plan.given)
        c = plan.contract
        self._contract = np.array([c.banker, c.trump, c.bid or 0] if c else [-1, 0, 0], np.int64)
        seed = plan.seed
        self._detail: Any = None
        self._letters: Any = None
        self._seed = seed - 2**64 if seed >= 2**63 else seed  # the same 64 bits as int64

    def play(
        self, first: int, count: int, stop: NDArray[np.int64] | None = None, *, replica: int = 0
    ) -> Columns:
        """Deals ``first`` .. ``first + count - 1``, whole sessions, as int16 columns in deal order.

        ``stop``: int64[1], polled between deals; non-zero ends the chunk early, and the columns are then shorter.
        ``replica``, 1 to 7: the same cards and lots of the deal, but other random numbers for the seats.
        """
        return self._run(first, count, stop, log=False, replica=replica)[0]

    def play_in_full(
        self, first: int, count: int, stop: NDArray[np.int64] | None = None, *, plays: bool = True
    ) -> tuple[Columns, Detail]:
        """As ``play``, and the tricks of these deals; with ``plays`` the plays too. The columns are the same."""
        self.load_detail()
        tricks, cards = view.MAX_TRICKS * count, (self.plan.game.cards - self.plan.game.bottom_size) * count
        found = np.zeros((len(detail.FIELDS), tricks), np.int16)
        text = np.zeros(3 * cards if plays else 0, np.uint8)
        ends = np.zeros(tricks * self.plan.game.seats if plays else 0, np.int32)
        columns, *_ = self._run(
            first, count, stop, log=True, kernel=self._detail,
            more=(self._letters, int(plays), found, text, ends),
        )  # fmt: skip
        return columns, Detail.from_engine(self.plan.game, columns, found, text, ends, plays=plays)

    def load_detail(self) -> None:
        """Load or compile what `play_in_full` needs; not to be left to threads."""
        if self._detail is None:
            self._letters = np.stack([_letters(lay) for lay in self._lays])
            module = f"..kernels.detail_{self.plan.game.name.replace('-', '_')}"
            self._detail = import_module(module, __package__).play_in_full

    def trace(self, deal: int) -> Trace:
        """One deal in full; with sessions, its session is played up to it."""
        hand = deal % self.plan.session
        columns, pub, own, faces = self._run(deal - hand, hand + 1, None, log=True)
        row = {name: int(values[-1]) for name, values in columns.items()}
        return Trace(row, pub, own, faces, self._lays[row["trump"]])

    def _run(
        self,
        first: int,
        count: int,
        stop: NDArray[np.int64] | None,
        *,
        log: bool,
        replica: int = 0,
        kernel: Any = None,
        more: tuple[Any, ...] = (),
    ) -> tuple[Columns, Any, Any, Any]:
        faces, pub, own, masks = self._game.working_memory()
        pub[view.LOG] = log or self.slow  # a search reasons from what was played
        pub[view.REPLICA] = rng.REPLICA * replica
        # Rows a power of two apart would share one set of the processor's cache: a quarter of a microsecond a deal.
        width = -(-count // 2048) * 2048 + 32
        out = np.zeros((len(self.columns), width), np.int16)
        flag = np.zeros(1, np.int64) if stop is None else stop
        done = (kernel or self._game.play_chunk)(
            self._lays, self._policies, self._weights, self._plan, self._seed, first, count, self.plan.session,
            self._contract, flag, faces, pub, own, masks, out, *more,
        )  # fmt: skip
        return dict(zip(self.columns, out[:, :done], strict=True)), pub, own, faces


def _letters(lay: NDArray[np.int64]) -> NDArray[np.int64]:
    """The names of a layout's cards, in reading order, as ``kernels.detail`` takes them."""
    faces = lay[layout.FACE_OF : layout.FACE_OF + 54].tolist()
    order = sorted(range(54), key=lambda bit: reading_place(lay, bit))
    made: NDArray[np.int64] = detail.letters(order, [FACES[face] for face in faces])
    return made
