"""The report on the study ``threshold`` of hong-wu-wu-jia: when to reveal, which card to name, when to play alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..crossing_text import KINDS, no_crossing
from ..text import Text
from ..threshold_hong_wu_wu_jia_text import BY, FACES
from .figures import FEW, SCALE, Number, direction, evidence, judged, said, shown, together, told
from .html import plain
from .kinds import Graph, Line, Panel, Rows, curves, forest
from .page import Block, Report, Section, Table
from .style import SERIES

if TYPE_CHECKING:
    from ..text import Lang
    from .page import Cell
    from .source import Row, Source

_PREVIOUS = {
    "all": Text("all", "全部"),
    "yes": Text("previous banker", "原庄"),
    "no": Text("others", "他家"),
}
_REVEALING = Text("payoff of revealing less that of waiting", "翻与等的得失之差")
_NAMING = Text("banker's payoff, against the best other card", "庄家得失，比之其余最佳者")
_SOLO = Text("payoff of solo less that with a partner", "独打与找伴的得失之差")


def report(source: Source, lang: Lang, origin: list[tuple[str, list[str]]]) -> Report:
    """The whole report."""
    return _Study(source, lang).report(origin)


class _Study:
    """The tables of the study."""

    def __init__(self, source: Source, lang: Lang) -> None:
        self.source, self.lang = source, lang
        self.deals = source.whole(source.top, "deals")
        by = source.word(source.top, "by")
        self.by = BY.get(by) or source.damaged(
            f"by is {plain(by, 40)!r}, which is nothing hands are ordered by"
        )
        self.reveals = [self._look(row) for row in source.rows("reveal_break_even")]
        self.names = [row for row in source.rows("name") if row.get("from") is None]
        self.solo = [
            row for row in source.rows("solo") if row.get("face") == "all" and row.get("from") is not None
        ]

    def say(self, en: str, zh: str) -> str:
        """In the report's language."""
        return zh if self.lang == "zh" else en

    def _look(self, row: Row) -> Row:
        if self.source.word(row, "previous") not in _PREVIOUS:
            self.source.damaged(f"there is no previous {plain(row['previous'], 40)!r}")
        return row

    def cards(self, row: Row) -> str:
        """How many cards are held, from one number to another."""
        low, high = self.source.whole(row, "cards_from"), self.source.whole(row, "cards_to")
        return str(low) if low == high else f"{low}–{high}"

    def face(self, row: Row) -> Text:
        """A kind of card."""
        word = self.source.word(row, "face")
        return FACES.get(word) or Text(plain(word, 40), plain(word, 40))

    def crossing(self, row: Row | None, *, up_to: bool = False) -> Cell:
        """A break-even."""
        if row is None:
            return ""
        kind, value = self.source.word(row, "kind"), self.source.number(row, "value", "low", "high")
        if kind not in KINDS or (value.value is None) == (kind == "crossing"):
            self.source.damaged(f"there is no kind {plain(kind, 40)!r} with the value {value.value}")
        if value.value is None:
            return no_crossing(kind, value.low, value.high, self.lang, up_to=up_to), ""
        low, high = ("…" if end is None else f"{end:.1f}" for end in (value.low, value.high))
        return shown(value) if value.known else (f"{value.value:.1f}", f"[{low}, {high}]".replace("-", "−"))

    def verdict(self, value: Number) -> str:
        """How sure it is that a difference is not 0."""
        return said(evidence(value), self.lang)

    def _of(self, rows: list[Row], row: Row) -> Number:
        """The difference of one of several rows, with the interval that holds for all of them together."""
        return together(self.source.number(row, "difference"), len(rows))

    def report(self, origin: list[tuple[str, list[str]]]) -> Report:
        """The whole."""
        say = self.say
        title = say(
            f"Hong-wu-wu-jia: when to reveal, whom to name, from {self.deals:,} deals",
            f"红五五家：何时翻 2、叫谁作伴，{self.deals:,} 局",
        )
        lead = say(
            "Whoever reveals a 2 while the cards are dealt makes its suit trump and becomes banker; the "
            "banker names a card, "
            "whose holder is the partner. Each choice was played out against its alternative on the same "
            "deals.",
            "发牌时翻出 2 者定主坐庄；庄家指定一张找伴牌，持牌者为伴家。每种选择都与其他选择在同一批牌局上各"
            "打一遍。",
        )
        notes = [
            say(
                "Brackets are 95 % intervals; the unit is the deal, however many hands of it are looked at. "
                "…: no bound on that "
                "side. Waiting means to go on by the bidding studied; it may end as somebody else's deal.",
                "方括号内为 95 % 区间，以牌局为单位，不论其中看了几手牌。…：该侧没有界限。等：此后仍按所研究"
                "的叫法，也可能由他家坐庄。",
            ),
            say(
                "All alternatives are played out by the same policies. Bots are not people.",
                "各种选择均由同样的策略打完。机器不等于真人。",
            ),
            SCALE.say(self.lang),
        ]
        sections = [self.revealing(), self.curve(), self.naming(), self.alone(), self.response()]
        return Report(
            title, say("tuolaji · report on a study", "tuolaji · 研究报告"), [lead], [], self.findings(),
            [section for section in sections if section.blocks], notes, origin,
        )  # fmt: skip

    def findings(self) -> list[str]:
        """What stands out, in sentences."""
        say, source, found = self.say, self.source, []
        looks = [row for row in self.reveals if row["previous"] == "all" and row.get("place") == "all"]
        for verb, zh, sign in (("gains", "翻合算", 1), ("loses", "翻吃亏", -1)):
            those = []
            for row in looks:
                value = self._of(looks, row)
                if direction(value) == sign:
                    those.append(f"{self.cards(row)}: {told(value, sign=True)}")
            if those:
                listed = say("; ", "；").join(those)
                found.append(
                    say(
                        f"Over all hands with a 2, revealing {verb} against waiting, by cards held: "
                        f"{listed}.",
                        f"就所有有 2 的手牌，比之再等，按已摸张数，{zh}：{listed}。",
                    )
                )
        best = max(self.names, key=lambda row: source.real(row, "difference") or -1e9, default=None)
        if best is not None:
            value, held = self._of(self.names, best), source.whole(best, "held")
            found.append(
                say(
                    f"Best to name, on the average: {self.face(best).en} with {held} in hand, "
                    f"{told(value, sign=True)} against the "
                    f"best other card ({self.verdict(value)}).",
                    f"平均而言最宜叫：{self.face(best).zh}（手中 {held} 张），比其余最佳者多 "
                    f"{told(value, sign=True)}"
                    f"（{self.verdict(value)}）。",
                )
            )
        return found

    def revealing(self) -> Section:
        """Revealing against waiting, by cards held."""
        say, source = self.say, self.source
        looks = [row for row in self.reveals if row.get("place") == "all"]
        rows: list[list[Cell]] = []
        for row in looks:
            value = source.number(row, "difference")
            rows.append([
                self.cards(row), _PREVIOUS[row["previous"]].say(self.lang),
                shown(source.number(row, "reveal"), sign=True),
                shown(source.number(row, "wait"), sign=True), shown(value, sign=True), self.crossing(row),
                f"{source.whole(row, 'hands'):,}", judged(value, len(looks), self.lang),
            ])  # fmt: skip
        heads = [
            say("cards held", "已摸张数"), say("seat", "座位"), say("reveal", "翻"), say("wait", "等"),
            say("difference", "差"),
            say(f"pays from, by {self.by.en}", f"合算之起点（{self.by.zh}）"), say("hands", "手数"),
            say("different from 0?", "与 0 有别？"),
        ]  # fmt: skip
        blocks = self._forest("reveal", looks, self._looked, _REVEALING, "cards_from")
        prose = say(
            "The mean over all hands with a 2 in them that came to this look; strong hands may gain where "
            "the mean loses, and the "
            "column says from where on.",
            "就所有走到此步、手中有 2 的手牌平均；平均吃亏时强牌仍可能合算，右列说明从何处起。",
        )
        blocks.append(Block(table=Table(heads, rows, words=(0, 1, 7))))
        return Section(say("Reveal now or wait", "翻还是等"), [prose], blocks if rows else [])

    def _looked(self, row: Row) -> Text:
        who = _PREVIOUS[row["previous"]]
        return Text(f"{self.cards(row)} cards, {who.en}", f"{self.cards(row)} 张，{who.zh}")

    def _forest(self, name: str, rows: list[Row], label: Any, axis: Text, group: str = "") -> list[Block]:
        """Differences of rows as a forest plot."""
        drawn = [row for row in rows if self.source.number(row, "difference").known]
        if not drawn:
            return []
        values = [[self.source.number(row, "difference")] for row in drawn]
        new = {
            at for at in range(1, len(drawn)) if group and drawn[at].get(group) != drawn[at - 1].get(group)
        }
        seen, seen_zh = (
            "; ".join(
                f"{label(row).say(x)}: {told(v[0], sign=True)}" for row, v in zip(drawn, values, strict=True)
            )
            for x in ("en", "zh")
        )
        chart = forest(
            name, Rows([label(row) for row in drawn], new), [Panel(axis, values, reference=0.0)],
            Text(f"{axis.en.capitalize()}. {seen}.", f"{axis.zh}。{seen_zh}。"), title=axis, wide=True,
        )  # fmt: skip
        return [Block(chart, self.say("Means with 95 % intervals.", "均值与 95 % 区间。"))]

    def curve(self) -> Section:
        """What revealing is worth by strength, a curve for each number of cards held."""
        say, source = self.say, self.source
        by_cards: dict[str, list[Row]] = {}
        for row in source.rows("reveal"):
            if row.get("previous") == row.get("place") == "all" and source.whole(row, "hands") >= FEW:
                by_cards.setdefault(self.cards(row), []).append(row)
        evens = {
            self.cards(row): source.number(row, "value", "low", "high")
            for row in self.reveals
            if row["previous"] == "all" and row.get("place") == "all"
        }
        lines = [
            Line(
                Text(f"{cards} cards", f"{cards} 张"),
                [((source.real(row, "from") or 0) + (source.real(row, "to") or 0)) / 2 for row in rows],
                [source.number(row, "difference") for row in rows], evens.get(cards),
            )
            for cards, rows in by_cards.items()
            if len(rows) > 1
        ][: len(SERIES)]  # fmt: skip
        title = Text("What revealing is worth", "翻 2 值多少")
        if not lines:
            return Section(title.say(self.lang))
        chart = curves(
            "reveal-curves", [Graph(Text("by cards held", "按已摸张数"), lines)], self.by, _REVEALING,
            Text(
                f"{_REVEALING.en.capitalize()}, by {self.by.en}: a curve with its 95 % band for each number "
                "of cards held.",
                f"按{self.by.zh}看{_REVEALING.zh}：每种已摸张数一条曲线，带 95 % 区间。",
            ),
            title=title,
        )  # fmt: skip
        caption = say(
            f"A curve for each number of cards held, with its 95 % band; classes of fewer than {FEW} hands "
            "are left out. Dots on "
            "the line: break-evens.",
            f"每种已摸张数一条曲线，带 95 % 区间；不足 {FEW} 手的级别不画。零线上的点：平衡点。",
        )
        rows: list[list[Cell]] = [
            [cards, f"{source.real(row, 'from') or 0:g}", f"{source.whole(row, 'hands'):,}",
             shown(source.number(row, "difference"), sign=True)]
            for cards, found in by_cards.items()
            for row in found
        ]  # fmt: skip
        heads = [
            say("cards held", "已摸张数"),
            say("from", "起"),
            say("hands", "手数"),
            say("difference", "差"),
        ]
        blocks = [Block(chart, caption), Block(table=Table(heads, rows), folded=say("As a table", "列表"))]
        return Section(title.say(self.lang), [], blocks)

    def naming(self) -> Section:
        """Each face against the best other one."""
        say, source = self.say, self.source
        evens = {(row.get("face"), row.get("held")): row for row in source.rows("name_break_even")}
        rows: list[list[Cell]] = []
        for row in self.names:
            value = source.number(row, "difference")
            rows.append([
                self.face(row).say(self.lang), str(source.whole(row, "held")),
                shown(source.number(row, "won"), "share"),
                shown(value, sign=True), self.crossing(evens.get((row["face"], row["held"])), up_to=True),
                f"{source.whole(row, 'faces'):,}", judged(value, len(self.names), self.lang),
            ])  # fmt: skip
        heads = [
            say("card", "牌"), say("in hand", "手中"), say("banker's side wins", "庄家方胜"),
            say("difference", "差"),
            say("up to so many of its suit", "该门至多几张"), say("cards looked at", "次数"),
            say("different from 0?", "与 0 有别？"),
        ]  # fmt: skip
        blocks = self._forest("name", self.names, self._named, _NAMING, "face")
        blocks.append(Block(table=Table(heads, rows, words=(0, 6))))
        prose = say(
            "After burying, each card that may be named against the best of the others, on the same deal: "
            "above 0 it is itself "
            "the best on the average.",
            "埋底之后，每张可叫的牌与其余最佳者在同一副牌上相比：大于 0 即平均而言它最好。",
        )
        return Section(say("Which card to name", "叫哪张牌找伴"), [prose], blocks if rows else [])

    def _named(self, row: Row) -> Text:
        face, held = self.face(row), self.source.whole(row, "held")
        return Text(f"{face.en}, {held} in hand", f"{face.zh}，手中 {held} 张")

    def alone(self) -> Section:
        """Solo against a partner, by trumps in hand."""
        say, source = self.say, self.source
        rows: list[list[Cell]] = []
        for row in self.solo:
            value = source.number(row, "difference")
            value = value if source.whole(row, "deals") >= FEW else Number(value.value)
            rows.append([
                self._trumps(row).say(self.lang), shown(source.number(row, "solo"), sign=True),
                shown(source.number(row, "partner"), sign=True), shown(value, sign=True),
                f"{source.whole(row, 'deals'):,}",
                judged(value, len(self.solo), self.lang),
            ])  # fmt: skip
        heads = [
            say("trumps in hand", "手中主牌"), say("solo", "独打"), say("with a partner", "找伴"),
            say("difference", "差"),
            say("deals", "局数"), say("different from 0?", "与 0 有别？"),
        ]  # fmt: skip
        drawn = [row for row in self.solo if source.whole(row, "deals") >= FEW]
        blocks = self._forest("solo", drawn, self._trumps, _SOLO)
        blocks.append(Block(table=Table(heads, rows, words=(0, 5))))
        prose = say(
            "With all copies of a card in hand the banker may name it and play alone, for more. Against the "
            "best card that makes a "
            "partner, on the same deals.",
            "一种牌全在手中，庄家可叫它独打，输赢更大。与找伴的最佳叫法在同一副牌上相比。",
        )
        return Section(say("When to play alone", "何时独打"), [prose], blocks if rows else [])

    def _trumps(self, row: Row) -> Text:
        low, high = self.source.whole(row, "from"), self.source.whole(row, "to")
        return Text(f"{low}–{high} trumps", f"主牌 {low}–{high} 张")

    def response(self) -> Section:
        """What the iterated best responses came to."""
        say, source = self.say, self.source
        response, naming, match = (source.object(key) for key in ("response", "naming", "match"))
        payoff, deals = source.object("payoff", match), source.whole(match, "deals")
        gains = [
            (
                say("left to gain by another time to reveal", "改变翻 2 时机尚可多得"),
                source.estimate(source.object("left", response)),
            ),
            (
                say("at most, best on the same deals", "至多（同批牌局上择优）"),
                source.estimate(source.object("at_most", response)),
            ),
            (
                say("the naming found against the one studied", "所得叫法找伴，比之所研究者"),
                source.estimate(source.object("gain", naming)),
            ),
            (
                say(f"match against the bidding studied, {deals:,} deals", f"对所研究叫法实战 {deals:,} 局"),
                source.number(payoff, "mean", "lo", "hi"),
            ),
        ]
        rows: list[list[Cell]] = [
            [name, shown(value, sign=True), self.verdict(value)] for name, value in gains
        ]
        heads = [say("payoff a deal", "每局得失"), "", say("different from 0?", "与 0 有别？")]
        prose = say(
            "The rules for revealing were changed step by step to the best answer to what the others do, "
            "and those for naming fitted "
            "anew; both were judged on deals of their own.",
            "翻 2 的规则逐步改为对他家的最优回应，找伴的规则重新拟合；都在另外的牌局上检验。",
        )
        return Section(
            say("Is there more to gain?", "还能多得多少"),
            [prose],
            [Block(table=Table(heads, rows, words=(0, 2)))],
        )
