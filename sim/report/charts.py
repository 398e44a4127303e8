"""Charts by matplotlib: as SVG inside the page, whose colours and fonts they take, and as PNG files."""

from __future__ import annotations

import io
import logging
import re
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ..errors import UsageError
from .html import Html, plain
from .style import COLOURS, colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..text import Lang, Text

MISSING = 'report draws with matplotlib, which is not installed; pip install "tuolaji[plots]" brings it'
DPI = 160
_CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "Heiti SC", "SimHei", "STHeiti",
    "Droid Sans Fallback", "Arial Unicode MS",
)  # fmt: skip
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tuolaji",  # the same data give the same file
    "text.parse_math": False,  # a name with a $ in it is a name
    "text.usetex": False,
    "axes.unicode_minus": True,
    "font.size": 10.0,
    "font.family": ["DejaVu Sans"],
    "text.color": colour("ink"),
    "axes.labelcolor": colour("ink"),
    "axes.edgecolor": colour("mute"),
    "xtick.color": colour("mute"),
    "ytick.color": colour("mute"),
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": colour("rule"),
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "figure.constrained_layout.use": True,
}


@dataclass
class Chart:
    """A chart. ``draw(figure, say)`` puts it on a matplotlib figure; ``say`` gives a `Text` in the chart's language.

    ``size``: inches, 72 units of the SVG each. ``alt``: what is seen, for those who don't see it. ``title``: what the
    file says above, where no page stands around it.
    """

    name: str
    size: tuple[float, float]
    draw: Callable[[Any, Callable[[Text], str]], None]
    alt: Text
    title: Text
    wide: bool = False

    def svg(self, lang: Lang, prefix: str) -> Html:
        """As an element of the page; its ids begin with ``prefix``."""
        with _styled() as figure_of:
            figure = figure_of(self.size)
            self.draw(figure, lambda text: text.say(lang))
            real = _stand_ins(figure)
            data = io.BytesIO()
            figure.savefig(data, format="svg", transparent=True)
        return _inline(data.getvalue().decode("utf-8"), real, prefix, self.alt.say(lang))

    def png(self, lang: Lang) -> bytes:
        """As a file. Without a Chinese font on the machine its words are English."""
        font = chinese_font()
        with _styled(font) as figure_of:
            figure = figure_of((self.size[0], self.size[1] + 0.4))
            above, below = figure.subfigures(2, 1, height_ratios=(0.4, self.size[1]))
            title = self.title.say(lang if font else "en")
            above.text(0.012, 0.4, title, va="center", fontsize=12, fontweight="bold")
            self.draw(below, lambda text: text.say(lang if font else "en"))
            _only_known(figure, font)
            data = io.BytesIO()
            figure.savefig(
                data, format="png", dpi=DPI, facecolor=colour("paper"), metadata={"Software": None}
            )
        return data.getvalue()


def require() -> None:
    """`UsageError` if nothing can be drawn."""
    if find_spec("matplotlib") is None:
        raise UsageError(MISSING)


def chinese_font() -> str | None:
    """A font with Chinese characters on this machine, by name."""
    from matplotlib import font_manager

    here = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in _CHINESE if name in here), None)


@contextmanager
def _styled(font: str | None = None) -> Iterator[Callable[[tuple[float, float]], Any]]:
    """Matplotlib as the page wants it, whatever the user's own settings are."""
    import matplotlib.style
    from matplotlib.figure import Figure

    families = ["DejaVu Sans", *([font] if font else [])]
    quiet = logging.getLogger("matplotlib.font_manager")
    before = quiet.level
    quiet.setLevel(logging.ERROR)
    try:
        with matplotlib.style.context(["default", {**_STYLE, "font.family": families}]):
            yield lambda size: Figure(figsize=size)
    finally:
        quiet.setLevel(before)


def _lacking(font: str | None = None) -> Callable[[str], bool]:
    """Whether a character is in none of the fonts."""
    from matplotlib import font_manager

    found = [font_manager.get_font(font_manager.findfont(name)) for name in ("DejaVu Sans", font) if name]
    return lambda c: all(one.get_char_index(ord(c)) == 0 for one in found)


def _texts(figure: Any) -> list[Any]:
    from matplotlib.text import Text as Drawn

    return [text for text in figure.findobj(Drawn) if text.get_text()]


def _stand_ins(figure: Any) -> dict[str, str]:
    """Put something as wide in place of texts the machine has no font for; the reader's browser has one.

    Returns the texts by the id of their groups. Numbers at ticks have no such characters.
    """
    lacking, real = _lacking(), {}
    for at, text in enumerate(_texts(figure)):
        words = text.get_text()
        if any(lacking(c) for c in words):
            real[f"t{at}"] = words
            text.set_gid(f"t{at}")
            text.set_text("".join("m" if lacking(c) else c for c in words))
    return real


def _only_known(figure: Any, font: str | None) -> None:
    lacking = _lacking(font)
    for text in _texts(figure):
        text.set_text("".join("?" if lacking(c) else c for c in text.get_text()))


_SVG, _LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"


def _inline(svg: str, real: dict[str, str], prefix: str, alt: str) -> Html:
    """Matplotlib's file as an element for a page: no metadata, ids of its own, the page's fonts and colours."""
    root = ET.fromstring(svg)
    for text in root.iter():
        text.tag = text.tag.removeprefix(_SVG) if isinstance(text.tag, str) else text.tag
    for group in root.iter("g"):
        words = real.get(group.get("id", ""))
        shown = group.find("text")
        if words is not None and shown is not None:
            shown.text = words
    named = {e.get("id") for e in root.iter() if e.get("id") and e.tag in ("path", "clipPath")}
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in ("metadata", "style", "title"):
                parent.remove(child)
    for element in root.iter():
        element.text, element.tail = (_trimmed(part) for part in (element.text, element.tail))
        _attributes(element, named, prefix)
    box = root.get("viewBox", "0 0 1 1")
    root.attrib.clear()
    root.attrib |= {"viewBox": box, "role": "img", "aria-label": plain(alt)}
    return Html(ET.tostring(root, encoding="unicode"))


def _trimmed(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _attributes(element: ET.Element, named: set[str | None], prefix: str) -> None:
    for key, value in list(element.attrib.items()):
        del element.attrib[key]
        if key == "id":
            if value in named:
                element.set("id", f"{prefix}-{value}")
            continue
        if key == _LINK:
            key, value = "href", f"#{prefix}-{value.removeprefix('#')}"
        value = value.replace("url(#", f"url(#{prefix}-").replace("\n", "")
        if key == "style":
            value = re.sub(r"font-family: [^;]+;? ?", "", value)
            for name, (light, _) in COLOURS.items():
                value = value.replace(light, f"var(--{name})")
        element.set(key, value)
