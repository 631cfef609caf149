"""`jiyi skills`: which skills there are, whether their files are sound, and which ones a message calls for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from graph.settings import ORDERS_FILE, settings
from jiyi.cli.options import ANY_AGENT, AgentOption, JsonOption
from jiyi.cli.output import one_line, say, say_json, tell, well_formed
from memory.namespaces import SHARED_AGENT, id_of
from memory.recalled import asks_for_memory
from skills.calling import called_for
from skills.loader import SkillLibrary
from skills.matcher import Judgement, Matched
from skills.order_desk import OrderDesk, order_desk_tools
from skills.registry import registered
from skills.similarity import EmbeddedSimilarity
from skills.skill_file import Fault, Skill
from store.connect import connect
from store.embed.choice import embedder_named
from store.embed.kept import KeptEmbedder

DECIMALS = 4
SHARED = "shared"

skills = typer.Typer(name="skills", help="What the agent knows how to do.", no_args_is_help=True, rich_markup_mode=None)


@skills.command(name="list")
def list_skills(agent: AgentOption = ANY_AGENT, as_json: JsonOption = False) -> None:
    """List the skills that an agent sees: its own, then the shared ones."""
    library = _library(on_fault=_left_out)
    library.refresh()
    seen = library.for_agent(agent)
    if as_json:
        say_json({"agent": agent, "skills": [_skill_json(skill) for skill in seen]})
    else:
        for skill in seen:
            own = "" if skill.agent == SHARED_AGENT else "  [its own]"
            say(f"{one_line(skill.id)}  {one_line(str(skill.description))}{own}")
    others = sorted({_owner(skill) for skill in library.every_skill} - {SHARED, agent})
    if others:
        tell(f"Agents with skills of their own: {', '.join(map(one_line, others))} (see --agent).")


@skills.command()
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files or folders; without any, those in use.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Say of each skill file whether it is sound or what is wrong; status 1 where there is a fault."""
    library = _library(paths, on_fault=_nothing)
    library.examine()
    checked = _checked(library, paths or ())
    good = not any(one.faults for one in checked)
    if as_json:
        say_json({"ok": good, "files": [_checked_json(one) for one in checked]})
    else:
        for one in checked:
            _say_checked(one)
    if not good:
        raise typer.Exit(1)


@skills.command()
def match(
    text: Annotated[str, typer.Argument(help="What a user might say.")],
    agent: AgentOption = ANY_AGENT,
    as_json: JsonOption = False,
) -> None:
    """Say which skills TEXT calls for and why, and which were near but not enough."""
    said = well_formed(text)
    library = _library(on_fault=_left_out)
    judged = asyncio.run(_judged(library, agent, said))
    if as_json:
        found = {"called": judged.called, "near": judged.near}
        say_json(
            {"text": said, "agent": agent} | {name: [_match_json(one) for one in ones] for name, ones in found.items()}
        )
    else:
        _say_judgement(judged)


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of reading one file, or of looking for one."""

    file: Path
    skills: tuple[Skill, ...] = ()
    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """Say how it is, as `jiyi doctor` does."""
        return "fail" if self.faults else "warn" if self.warnings else "ok"


def _library(paths: Sequence[Path] | None = None, *, on_fault: Callable[[Fault], None]) -> SkillLibrary:
    """Give the library of these paths, or else that of the home; nothing of the order desk is opened for that."""
    home = settings().jiyi_home
    tools = registered(order_desk_tools(OrderDesk(home / ORDERS_FILE, connect=connect)))
    if paths:
        return SkillLibrary(paths, tools=tools, on_fault=on_fault)
    return SkillLibrary.of_home(home, settings().skill_folders, tools=tools, on_fault=on_fault)


def _left_out(fault: Fault) -> None:
    tell(f"Left out: {one_line(str(fault.file))}: {one_line(fault.reason)}")


def _nothing(_: Fault) -> None:
    """Say nothing: `check` lists the faults itself."""


async def _judged(library: SkillLibrary, agent: str, text: str) -> Judgement:
    """Judge as a turn of the graph does: of small talk no skill is asked."""
    if not asks_for_memory(text):
        await asyncio.to_thread(library.refresh)
        return Judgement(called=())
    return await called_for(library, agent, text, similarity=_similarity())


def _similarity() -> EmbeddedSimilarity | None:
    """Give the measure of meaning; what the skills' texts are is kept in the home, where there is one."""
    embedder = embedder_named(settings().embeddings, endpoint=settings().embeddings_endpoint)
    if embedder is None:
        return None
    home = settings().jiyi_home
    return EmbeddedSimilarity(KeptEmbedder(embedder, home / "cache") if home.is_dir() else embedder)


def _checked(library: SkillLibrary, paths: Sequence[Path]) -> list[Checked]:
    """Put what was found together by file; a path under which there is none is a fault."""
    read = [*(skill.source for skill in library.every_skill), *_files(library.faults), *_files(library.warnings)]
    files = sorted(set(read))
    empty = [path for path in paths if not any(file.is_relative_to(path) for file in files)]
    return [
        *(_checked_file(file, library) for file in files),
        *(Checked(file=path, faults=("holds no skill file, and no folder with a SKILL.md",)) for path in empty),
    ]


def _files(faults: Iterable[Fault]) -> Iterable[Path]:
    return (fault.file for fault in faults)


def _checked_file(file: Path, library: SkillLibrary) -> Checked:
    return Checked(
        file=file,
        skills=tuple(skill for skill in library.every_skill if skill.source == file),
        faults=tuple(fault.reason for fault in library.faults if fault.file == file),
        warnings=tuple(warning.reason for warning in library.warnings if warning.file == file),
    )


def _owner(skill: Skill) -> str:
    return SHARED if skill.agent == SHARED_AGENT else id_of(skill.agent)


def _skill_json(skill: Skill) -> dict[str, Any]:
    return {
        "id": skill.id,
        "description": {"zh": skill.description.zh, "en": skill.description.en},
        "format": "yaml" if skill.folder is None else "agent-skill",
        "agent": skill.agent,
        "triggers": list(skill.triggers),
        "tools": list(skill.tools),
        "file": str(skill.source),
    }


def _checked_json(one: Checked) -> dict[str, Any]:
    return {
        "file": str(one.file),
        "status": one.status,
        "skills": [skill.id for skill in one.skills],
        "faults": list(one.faults),
        "warnings": list(one.warnings),
    }


def _match_json(one: Matched) -> dict[str, Any]:
    return {"id": one.skill_id, "score": round(one.score, DECIMALS), "why": one.why}


def _say_checked(one: Checked) -> None:
    found = ", ".join(one_line(skill.id) for skill in one.skills)
    say(f"{one.status:<4}  {one_line(str(one.file))}{f': {found}' if found else ''}")
    for reason in (*one.faults, *one.warnings):
        say(f"      {one_line(reason)}")


def _say_judgement(judged: Judgement) -> None:
    for mark, ones in (("called", judged.called), ("near", judged.near)):
        for one in ones:
            say(f"{mark:<6}  {one.score:.2f}  {one_line(one.skill_id)}  {one_line(one.why)}")
    if not judged.called:
        tell("It calls for no skill.")
