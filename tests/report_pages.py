"""A page of `tuolaji report` looked at as a browser would, for tests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "meta"}


@dataclass
class Seen:
    """What stands in a page: its text, tags with attributes, and what is wrong with it."""

    text: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def words(self) -> str:
        """All text outside of styles, one space between words."""
        return " ".join(" ".join(self.text).split())

    def count(self, name: str) -> int:
        """How many of a tag there are."""
        return sum(tag == name for tag, _ in self.tags)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen = Seen()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if len({key for key, _ in attrs}) < len(attrs):
            self.seen.faults.append(f"{tag} has an attribute twice")
        self.seen.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.tags.append((tag, dict(attrs)))
        if "svg" not in self.open:
            self.seen.faults.append(f"<{tag}/> outside of a drawing")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.seen.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.seen.text.append(data)


def read(page: str) -> Seen:
    """Look at a page; `Seen.faults` is empty when it is well-formed, self-contained, and its links lead somewhere."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    seen = reader.seen
    seen.faults += [f"<{tag}> is left open" for tag in reader.open]
    if not page.startswith("<!DOCTYPE html>\n<html lang="):
        seen.faults.append("it does not begin as a page")
    ids = [about["id"] for _, about in seen.tags if "id" in about]
    seen.faults += [f"id {each} is not the only one" for each in set(ids) if ids.count(each) > 1]
    for tag, about in seen.tags:
        if tag in {"script", "link", "img", "iframe", "object", "embed", "base", "form", "image"}:
            seen.faults.append(f"<{tag}> has no place in it")
        for key, value in about.items():
            shown = value or ""
            if key.startswith("on") or key in {"src", "srcset", "xlink:href"}:
                seen.faults.append(f"{tag} has {key}")
            if key == "href" and (not shown.startswith("#") or shown[1:] not in ids):
                seen.faults.append(f"{tag} leads to {shown}")
            for target in re.findall(r"url\(([^)]*)\)", shown):
                if not target.startswith("#") or target[1:] not in ids:
                    seen.faults.append(f"{tag} takes {target}")
    if re.search(r"https?:|//[a-z]|@import|url\((?!#)", page):
        seen.faults.append("it names something outside")
    if sum(tag == "h1" for tag, _ in seen.tags) != 1:
        seen.faults.append("it has not one heading of the first order")
    for tag, about in seen.tags:
        if tag == "svg" and not (about.get("role") == "img" and about.get("aria-label")):
            seen.faults.append("a drawing has no words for those who don't see it")
    return seen
