"""How the page looks, and the colours its charts share with it, in light and in dark."""

from __future__ import annotations

#: Name -> (on light paper, on dark). The charts are drawn in the light ones, all different; on the page each becomes
#: the variable of its name.
COLOURS = {
    "ink": ("#21252b", "#e4e2dc"),
    "mute": ("#63676e", "#a3a5a9"),
    "rule": ("#dcdad4", "#3a3e44"),
    "paper": ("#fffefb", "#16181c"),
    "a": ("#1f6fb2", "#6cb2ee"),
    "b": ("#c8541c", "#f0905c"),
    "c": ("#2c8a61", "#62c79b"),
    "d": ("#8d4fa3", "#c794da"),
    "e": ("#a67c00", "#dcb64a"),
    "soft-a": ("#c3d9ea", "#27425c"),
    "soft-b": ("#f1d3c2", "#5c3522"),
}
SERIES = ("a", "b", "c", "d", "e")


def colour(name: str) -> str:
    """As it is drawn."""
    return COLOURS[name][0]


def _variables(at: int) -> str:
    return " ".join(f"--{name}: {values[at]};" for name, values in COLOURS.items())


CSS = (
    f"""\
:root {{ {_variables(0)} --wash: #f4f2ec; }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(1)} --wash: #1f2227; }} }}
"""
    """\
@media print { :root { --paper: #fff; } section, .block { break-inside: avoid; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 3.5rem 1.5rem 4rem; max-width: 76rem;
  font: 1.0625rem/1.6 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, "Songti SC", "Noto Serif CJK SC",
    "Source Han Serif SC", SimSun, serif;
}
h1, h2, nav, .kicker, table, dl, svg text, figcaption, summary {
  font-family: "Avenir Next", "Segoe UI", "Helvetica Neue", Roboto, "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", "Source Han Sans SC", "DejaVu Sans", Arial, sans-serif;
}
h1 {
  font-size: clamp(1.7rem, 4vw, 2.5rem);
  line-height: 1.2;
  font-weight: 650;
  letter-spacing: -0.015em;
  margin: 0 0 1rem;
}
h2 { font-size: 1.3rem; line-height: 1.3; font-weight: 650; margin: 0 0 0.6rem; }
p, .findings ul { max-width: 44rem; margin: 0 0 0.8rem; }
.kicker {
  text-transform: uppercase;
  letter-spacing: 0.09em;
  font-size: 0.78rem;
  color: var(--mute);
  margin-bottom: 0.6rem;
}
.lead { font-size: 1.14rem; }
.note, .reading p, figcaption { color: var(--mute); font-size: 0.92rem; }
nav { border-block: 1px solid var(--rule); margin: 2rem 0 0; padding: 0.55rem 0; font-size: 0.88rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; list-style: none; margin: 0; padding: 0; }
a { color: inherit; text-decoration-color: var(--a); text-underline-offset: 0.2em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 2px solid var(--a);
  outline-offset: 2px;
}
section { margin-top: 3.2rem; }
.findings {
  background: var(--wash);
  border-left: 3px solid var(--a);
  padding: 1.3rem 1.6rem 1.1rem;
  margin-top: 2.4rem;
}
.findings ul { padding-left: 1.1rem; margin: 0; }
.findings li { margin: 0.35rem 0; }
.keys { display: flex; flex-wrap: wrap; gap: 1.3rem 2.8rem; margin: 1.8rem 0 0; }
.keys dt { font-size: 0.84rem; color: var(--mute); }
.keys dd { margin: 0; line-height: 1.25; }
.keys b { font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; display: block; }
.keys small, td small, th small { color: var(--mute); font-size: 0.82em; white-space: nowrap; }
.block {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.2rem 2.4rem;
  align-items: start;
  margin: 1.3rem 0 1.6rem;
}
.pair { grid-template-columns: minmax(0, 1fr) fit-content(54%); }
@media (max-width: 62rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
figure { margin: 0; }
.pair figure { position: sticky; top: 1rem; }
figcaption { margin-top: 0.5rem; line-height: 1.45; max-width: 44rem; }
.drawing { overflow-x: auto; }
svg { display: block; width: 100%; height: auto; min-width: 27rem; overflow: visible; }
.stack svg { min-width: 46rem; }
.table { overflow-x: auto; }
table {
  border-collapse: collapse;
  font-size: 0.86rem;
  line-height: 1.35;
  font-variant-numeric: tabular-nums lining-nums;
}
.pair table { width: 100%; }
caption { text-align: left; color: var(--mute); padding-bottom: 0.5rem; }
th, td { padding: 0.34rem 0 0.34rem 1rem; text-align: right; vertical-align: baseline; font-weight: inherit; }
th:first-child { padding-left: 0; }
th.words, td.words { text-align: left; }
tbody th:first-child { white-space: nowrap; }
td:not(.words) span, th:not(.words) span { white-space: nowrap; }
thead th { border-bottom: 1.5px solid var(--ink); font-weight: 600; vertical-align: bottom; }
tbody th, tbody td { border-bottom: 1px solid var(--rule); }
details { margin: 1rem 0; }
summary { cursor: pointer; font-size: 0.95rem; color: var(--a); }
footer { margin-top: 4rem; border-top: 1.5px solid var(--ink); padding-top: 1.4rem; font-size: 0.88rem; }
footer h2 { font-size: 1.05rem; }
footer dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.3rem 1.6rem; margin: 0; }
footer dt { grid-column: 1; color: var(--mute); }
footer dd { grid-column: 2; margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { footer dl { display: block; } footer dd { margin-bottom: 0.6rem; } }
"""
)
