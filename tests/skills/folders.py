"""Agent-Skills folders as tests write them."""

from __future__ import annotations

from pathlib import Path

BODY = "# Watering\n\n1. Feel the soil.\n2. Water well, then wait."


def skill_md(
    parent: Path, name: str, description: str = "Water house plants.", *, body: str = BODY, more: str = ""
) -> Path:
    """Write `<name>/SKILL.md` and give its path; `more` are further lines of front matter."""
    folder = parent / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "SKILL.md"
    file.write_text(f"---\nname: {name}\ndescription: {description}\n{more}---\n{body}\n", encoding="utf-8")
    return file
