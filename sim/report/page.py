"""A report as data, and the page made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ..text import Text
from .html import Html, join, plain, tag
from .style import CSS

if TYPE_CHECKING:
    from ..text import Lang
    from .charts import Chart
    from .html import Inside


#: A cell of a table: a text, or a value with its interval.
Cell: TypeAlias = "str | tuple[str, str]"


@dataclass
class Table:
    """Rows beside a chart: a heading for each column; the cells of ``words`` columns are prose, others are numbers.

    A cell may be a pair: a value and, set smaller, its interval.
    """

    heads: list[str]
    rows: list[list[Cell]]
    words: tuple[int, ...] = (0,)
    caption: str = ""

    def markup(self) -> Html:
        """As HTML."""
        head = tag(
            "tr", *(tag("th", h, scope="col", class_=self._kind(at)) for at, h in enumerate(self.heads))
        )
        body = [tag("tr", *(self._cell(at, cell) for at, cell in enumerate(row))) for row in self.rows]
        caption = tag("caption", self.caption) if self.caption else None
        return tag(
            "div", tag("table", caption, tag("thead", head), tag("tbody", *body)), class_="table", tabindex=0
        )

    def _kind(self, at: int) -> str | None:
        return "words" if at in self.words else None

    def _cell(self, at: int, cell: Cell) -> Html:
        inside: Html | str = cell if isinstance(cell, str) else tag("span", cell[0])
        if not isinstance(cell, str) and cell[1]:
            inside = join(inside, " ", tag("small", cell[1]))
        if at == 0:
            return tag("th", inside, scope="row", class_=self._kind(at))
        return tag("td", inside, class_=self._kind(at))


@dataclass
class Block:
    """A chart with its caption, a table, or both side by side; ``folded``: behind this title until it is wanted."""

    chart: Chart | None = None
    caption: str = ""
    table: Table | None = None
    folded: str = ""

    def markup(self, lang: Lang, at: int) -> Html:
        """As HTML; ``at``: a number of its own on the page."""
        parts: list[Html] = []
        if self.chart:
            drawn = self.chart.svg(lang, f"c{at}")
            caption = tag("figcaption", self.caption) if self.caption else None
            parts.append(tag("figure", tag("div", drawn, class_="drawing", tabindex=0), caption))
        if self.table:
            parts.append(self.table.markup())
        kind = "pair" if len(parts) == 2 else "single"
        if self.chart and self.chart.wide:
            kind = "stack"
        inside = tag("div", *parts, class_=f"block {kind}")
        return tag("details", tag("summary", self.folded), inside) if self.folded else inside


@dataclass
class Section:
    """A heading, prose, and blocks."""

    title: str
    prose: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def markup(self, lang: Lang, at: int) -> Html:
        """As HTML."""
        return tag(
            "section",
            tag("h2", self.title),
            *(tag("p", text) for text in self.prose),
            *(block.markup(lang, 10 * at + n) for n, block in enumerate(self.blocks)),
            *(tag("p", text, class_="note") for text in self.after),
            id=f"s{at}",
        )


@dataclass
class Report:
    """Everything on the page. ``keys``: figures that stand out, as value, interval and what it is."""

    title: str
    kicker: str
    lead: list[str]
    keys: list[tuple[str, str, str]]
    findings: list[str]
    sections: list[Section]
    notes: list[str]
    provenance: list[tuple[str, list[str]]]

    def charts(self) -> list[Chart]:
        """All charts, in order."""
        return [block.chart for section in self.sections for block in section.blocks if block.chart]


_FINDINGS = Text("What stands out", "要点")
_READING = Text("How to read this page", "怎样读本页")
_PROVENANCE = Text("Where the numbers come from", "数字的来历")
_CONTENTS = Text("On this page", "本页内容")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(report: Report, lang: Lang) -> str:
    """The page: one file that needs no other."""
    sections = [section.markup(lang, at) for at, section in enumerate(report.sections)]
    keys = [
        tag("div", tag("dt", about), tag("dd", tag("b", value), " ", tag("small", interval)))
        for value, interval, about in report.keys
    ]
    contents = [tag("li", tag("a", s.title, href=f"#s{at}")) for at, s in enumerate(report.sections)]
    contents.append(tag("li", tag("a", _PROVENANCE.say(lang), href="#provenance")))
    findings = tag(
        "section",
        tag("h2", _FINDINGS.say(lang)),
        tag("ul", *(tag("li", text) for text in report.findings)),
        class_="findings",
    )
    origin = [
        join(tag("dt", name), *(_value(value) for value in values)) for name, values in report.provenance
    ]
    body = tag(
        "body",
        tag(
            "header",
            tag("p", report.kicker, class_="kicker"),
            tag("h1", report.title),
            *(tag("p", text, class_="lead") for text in report.lead),
            tag("dl", *keys, class_="keys") if keys else None,
        ),
        tag("nav", tag("ul", *contents), aria_label=_CONTENTS.say(lang)),
        tag(
            "main",
            findings if report.findings else None,
            *sections,
            tag(
                "section",
                tag("h2", _READING.say(lang)),
                *(tag("p", text) for text in report.notes),
                class_="reading",
            ),
        ),
        tag("footer", tag("h2", _PROVENANCE.say(lang), id="provenance"), tag("dl", *origin)),
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", report.title),
        Html(f"<style>\n{CSS}</style>"),
    )
    page = tag("html", head, body, lang="zh-Hans" if lang == "zh" else "en")
    return f"<!DOCTYPE html>\n{page}\n"


def _value(value: Inside) -> Html:
    return tag("dd", plain(value))
