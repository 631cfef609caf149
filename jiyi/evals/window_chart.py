"""The chart of what a model is shown in the course of a long thread, as SVG: a line for each strategy, a panel a language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH, PANEL, HEAD, LEFT, RIGHT = 720, 220, 30, 60, 130
COLOURS = ("#2f81f7", "#2da44e", "#bf8700", "#cf222e", "#8250df", "#1b7c83")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#6e7781}.title{font-weight:600}.axis{stroke:#8c959f;stroke-width:1}"
    "polyline{fill:none;stroke-width:1.6}@media (prefers-color-scheme:dark){text{fill:#adbac7}}"
)
POINTS = 100
"""So many means are drawn of a thread."""


def window_chart(panels: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """Draw tokens shown by turn.

    Args:
        panels: For each language, for each strategy, the tokens of every turn.
    """
    height = HEAD + len(panels) * (PANEL + HEAD)
    drawn = [
        line
        for at, (name, lines) in enumerate(panels.items())
        for line in _panel(name, lines, HEAD + at * (PANEL + HEAD))
    ]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}">\n<title>Tokens that a model is shown, turn by turn</title>\n<style>{STYLE}</style>'
    )
    return "\n".join([opening, *drawn, "</svg>", ""])


def _panel(name: str, lines: Mapping[str, Sequence[int]], top: int) -> Iterator[str]:
    most = max((max(tokens, default=1) for tokens in lines.values()), default=1)
    turns = max((len(tokens) for tokens in lines.values()), default=1)
    bottom = top + PANEL - HEAD
    yield f'<text class="title" x="{LEFT}" y="{top - 8}">{escape(name)}: tokens shown, turn 1 to {turns}</text>'
    yield f'<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{WIDTH - RIGHT}" y2="{bottom}"/>'
    yield f'<text x="{LEFT - 8}" y="{top + 4}" text-anchor="end">{most}</text>'
    yield f'<text x="{LEFT - 8}" y="{bottom}" text-anchor="end">0</text>'
    for at, (strategy, tokens) in enumerate(lines.items()):
        colour = COLOURS[at % len(COLOURS)]
        yield f'<polyline stroke="{colour}" points="{" ".join(_points(tokens, most, top, bottom))}"/>'
        yield f'<text x="{WIDTH - RIGHT + 12}" y="{top + 12 + at * 18}" style="fill:{colour}">{escape(strategy)}</text>'


def _points(tokens: Sequence[int], most: int, top: int, bottom: int) -> Iterator[str]:
    size = max(1, len(tokens) // POINTS)
    means = [sum(part) / len(part) for start in range(0, len(tokens), size) if (part := tokens[start : start + size])]
    for at, mean in enumerate(means):
        x = LEFT + at / max(1, len(means) - 1) * (WIDTH - LEFT - RIGHT)
        yield f"{x:.1f},{bottom - mean / most * (bottom - top):.1f}"
