"""Rule sets as data: options with values, presets, files, checks."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from . import options_die_wu_fen, options_hong_wu_wu_jia
from .calls import words
from .errors import RuleError, UsageError
from .games import GAMES, Game, resolve_game
from .text import Text, clip, legible, one_of
from .toml import TomlError, read_bytes, read_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .calls import Words
    from .options import Option, Value
    from .text import Lang

_MAX_ABOUT = 200
_NO_TEXT = Text("", "")

OPTIONS: dict[str, dict[str, Option]] = {
    "die-wu-fen": {option.name: option for option in options_die_wu_fen.OPTIONS},
    "hong-wu-wu-jia": {option.name: option for option in options_hong_wu_wu_jia.OPTIONS},
}
_CONTRADICTIONS: dict[str, Callable[[Mapping[str, Any]], list[Text]]] = {
    "die-wu-fen": options_die_wu_fen.contradictions,
    "hong-wu-wu-jia": options_hong_wu_wu_jia.contradictions,
}
_ABOUT_KEYS = ("game", "name", "about", "about_zh")  # what a file may hold besides options


@dataclass(frozen=True, eq=False)
class RuleSet:
    """A game and a value for every one of its options. Make one with `load` or `RuleSet.build`.

    Two rule sets are equal when they play the same: the name and the description do not count.
    """

    game: str
    name: str
    values: Mapping[str, Value]
    about: Text = _NO_TEXT

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @classmethod
    def build(
        cls, game: str, values: Mapping[str, object] | None = None, *, name: str = "", where: str = "rules"
    ) -> RuleSet:
        """Check options given as a mapping (a record's `rules`, say); what is missing takes its default."""
        name_of_game = resolve_game(game).name
        complete, faults = check_values(name_of_game, values or {}, where)
        if faults:
            raise RuleError(faults)
        return cls(name_of_game, name or name_of_game, complete)

    def __getitem__(self, option: str) -> Any:
        return self.values[option]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        return self.game == other.game and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.hash())

    def __reduce__(self) -> tuple[type[RuleSet], tuple[object, ...]]:
        return (RuleSet, (self.game, self.name, dict(self.values), self.about))

    def options(self) -> dict[str, Any]:
        """Every option, name to plain value (tuples become lists), as records and manifests hold them."""
        plain: dict[str, Any] = json.loads(json.dumps(dict(self.values)))
        return plain

    def changed(self) -> dict[str, Value]:
        """The options that differ from the game's defaults."""
        return {n: v for n, v in self.values.items() if v != OPTIONS[self.game][n].default}

    def hash(self) -> str:
        """SHA-256 (hex) over the canonical JSON of game and options: equal exactly when the rules are."""
        content = {"game": self.game, "rules": self.options()}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Game, name, options and hash, fit for JSON."""
        return {"game": self.game, "name": self.name, "rules": self.options(), "hash": self.hash()}

    def to_toml(self, lang: Lang = "en") -> str:
        """A complete rule file: every option with what it means. `load` reads it back."""
        # Name and description stay comments: whoever edits a copy would else keep a name that no longer fits.
        about = self.about.say(lang).replace("\n", " ")
        lines = [f"# {self.name}{': ' if about else ''}{about}", f"game = {_quote(self.game)}"]
        for option in OPTIONS[self.game].values():
            clauses = ", ".join(option.clauses)
            lines += [
                "",
                f"# {clauses}: {option.doc.say(lang)}",
                f"# {'取值' if lang == 'zh' else 'allowed'}: {option.allowed(lang)}",
                f"{option.name} = {option.to_toml(self.values[option.name])}",
            ]
        return "\n".join(lines) + "\n"


#: A preset, a TOML file, a mapping of options to values, or a rule set; None: the game's own rules.
Rules: TypeAlias = "str | PathLike[str] | Mapping[str, object] | RuleSet | None"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def check_values(game: str, given: Mapping[str, object], where: str) -> tuple[dict[str, Value], list[Text]]:
    """All options of a game with `given` put over the defaults, and every fault found."""
    known = OPTIONS[game]
    values: dict[str, Value] = {name: option.default for name, option in known.items()}
    faults: list[Text] = []
    for name, raw in given.items():
        option = known.get(name)
        if option is None:
            faults.append(_unknown_option(str(name), game, where))
            continue
        value = option.check(raw)
        if value is None:
            faults.append(option.fault(raw, where))
        else:
            values[name] = value
    # Options judged faulty above stand at their defaults here, so one mistake is not reported twice.
    faults += [Text(f"{where}: {f.en}", f"{where}：{f.zh}") for f in _CONTRADICTIONS[game](values)]
    return values, faults


def _unknown_option(name: str, game: str, where: str) -> Text:
    known = [*OPTIONS[game]]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if near:
        hint = (f"did you mean {near[0]}?", f"是否想写 {near[0]}？")
    else:
        hint = (f"its options are {', '.join(known)}.", f"可用选项有 {'、'.join(known)}。")
    shown = clip(name)
    return Text(
        f"{where}: {game} has no option {shown}; {hint[0]}", f"{where}：{game} 没有选项 {shown}；{hint[1]}"
    )


def presets() -> dict[str, RuleSet]:
    """The rule sets that come with the package, by name, each game's default first."""
    folder = resources.files(__package__) / "rulesets"
    found = [
        _from_text(entry.read_text("utf-8"), entry.name, Path(entry.name).stem)
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    ]
    order = [game.name for game in GAMES]
    found.sort(key=lambda rules: (order.index(rules.game), rules.name != rules.game, rules.name))
    return {rules.name: rules for rules in found}


def read_file(path: str | Path) -> RuleSet:
    """The rule set in a TOML file. `UsageError` if it can't be read, `RuleError` if it is faulty."""
    path = Path(path)
    shown = legible(str(path))
    try:
        content = read_bytes(path, "a rule file")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"the rule file {clip(shown, 200)} can't be read: {reason}") from None
    try:
        text = content.decode("utf-8-sig")  # editors put a mark before the text
    except UnicodeDecodeError:
        raise RuleError(
            [Text(f"{shown}: the file is not UTF-8 text.", f"{shown}：文件不是 UTF-8 文本。")]
        ) from None
    return _from_text(text, shown, legible(path.stem))


def _from_text(text: str, where: str, stem: str) -> RuleSet:
    try:
        content = read_toml(text)
    except TomlError as error:
        en, zh = error.reason
        fault = Text(f"{where}: it can't be read as TOML: {en}.", f"{where}：无法作为 TOML 读取：{zh}。")
        raise RuleError([fault]) from None
    faults: list[Text] = []
    for key in _ABOUT_KEYS:
        text = content.get(key, "-")
        if not (isinstance(text, str) and 0 < len(text) <= _MAX_ABOUT and text.isprintable()):
            faults.append(
                Text(
                    f"{where}: {key} must be one line of text in quotes, at most {_MAX_ABOUT} characters.",
                    f"{where}：{key} 应为带引号的一行文本，最多 {_MAX_ABOUT} 个字符。",
                )
            )
    allowed = one_of([_quote(game.name) for game in GAMES])
    try:
        game = resolve_game(content["game"]).name
    except KeyError:
        faults.append(
            Text(f"{where}: game is missing; it must be {allowed}.", f"{where}：缺少 game，应为 {allowed}。")
        )
        raise RuleError(faults) from None
    except UsageError:
        shown = clip(content["game"])
        faults.append(
            Text(
                f"{where}: game is {shown}, but it must be {allowed}.",
                f"{where}：game 的值是 {shown}，应为 {allowed}。",
            )
        )
        raise RuleError(faults) from None
    given = {key: value for key, value in content.items() if key not in _ABOUT_KEYS}
    values, more = check_values(game, given, where)
    if faults or more:
        raise RuleError([*faults, *more])
    about = Text(content.get("about", ""), content.get("about_zh", content.get("about", "")))
    return RuleSet(game, content.get("name", stem), values, about)


def load(
    game: str | Game | None = None,
    name_or_path: str | Path | None = None,
    overrides: Iterable[str] = (),
) -> RuleSet:
    """The rule set asked for: a preset or a file (default: the game's own), then `option=value` on top.

    With `game`, a rule set of the other game is refused. Raises `UsageError`; `RuleError` has every fault.
    """
    wanted = None if game is None else resolve_game(game).name
    if name_or_path is None:
        if wanted is None:
            raise UsageError("neither a game nor a rule set was named; name at least one of the two")
        name_or_path = wanted
    rules = _find(name_or_path)
    if wanted is not None and rules.game != wanted:
        raise UsageError(f"the rule set {clip(rules.name)} is for {rules.game}, not for {wanted}")
    return _changed(rules, overrides)


def _changed(rules: RuleSet, overrides: Iterable[str]) -> RuleSet:
    """A rule set with `option=value` on top."""
    given: dict[str, object] = {}
    faults: list[Text] = []
    for text in overrides:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            shown = clip(text)
            faults.append(
                Text(f"--set {shown} is not of the form option=value.", f"--set {shown} 应写成 选项=值。")
            )
            continue
        option = OPTIONS[rules.game].get(name)
        given[name] = value if option is None else option.parse(value)
    if not given and not faults:
        return rules
    values, more = check_values(rules.game, {**rules.values, **given}, "--set")
    if faults or more:
        raise RuleError([*faults, *more])
    changed = RuleSet(rules.game, rules.name, values, rules.about)
    if changed == rules:
        return rules
    return RuleSet(rules.game, f"{rules.name}+", values)


def as_rule_set(
    game: str | Game, rules: Rules = None, overrides: Words = (), base: RuleSet | None = None
) -> tuple[Game, RuleSet]:
    """The game and the rule set a caller means: a preset or file, options as a mapping, or a rule set.

    A mapping changes ``base``, by default the game's own rules; ``overrides`` come on top, as words ``option=value``.
    """
    found = resolve_game(game)
    changes = words(overrides, "overrides", "write option=value")
    if rules is None or isinstance(rules, (str, PathLike)):
        return found, load(found, Path(rules) if isinstance(rules, PathLike) else rules, changes)
    if isinstance(rules, Mapping):
        options = {**base.values, **rules} if base else rules
        rules = RuleSet.build(found.name, options, name=f"{base.name}+" if base else "")
    if not isinstance(rules, RuleSet):
        raise UsageError(
            f"rules: {clip(rules)} is no rule set; allowed are the name of a preset, a TOML file, "
            'options like {"bottom_multiplier": 4}, or a RuleSet'
        )
    if rules.game != found.name:
        raise UsageError(f"the rule set {clip(rules.name)} is for {rules.game}, not for {found.name}")
    return found, _changed(rules, changes)


def _find(name_or_path: str | Path) -> RuleSet:
    known = presets()
    if isinstance(name_or_path, str):
        if name_or_path in known:
            return known[name_or_path]
        try:
            return known[resolve_game(name_or_path).name]
        except UsageError:
            pass
        looks_like_path = name_or_path.endswith(".toml") or "/" in name_or_path or "\\" in name_or_path
        if not looks_like_path and not Path(name_or_path).is_file():
            near = difflib.get_close_matches(name_or_path, [*known], n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"presets are {', '.join(known)}"
            raise UsageError(f"there is no rule set or file {clip(name_or_path)}; {hint}")
    return read_file(name_or_path)
