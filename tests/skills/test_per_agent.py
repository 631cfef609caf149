from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.namespaces import label_of
from skills.loader import SkillLibrary
from tests.skills.folders import skill_md
from tests.skills.test_loader import GOOD, written


def library_of(*places: Path) -> SkillLibrary:
    library = SkillLibrary(places, tools={})
    library.refresh()
    return library


def seen(library: SkillLibrary, agent: str) -> dict[str, str]:
    return {skill.id: str(skill.description) for skill in library.for_agent(agent)}


def test_an_agent_sees_its_own_skills_and_the_shared_ones(tmp_path: Path) -> None:
    skill_md(tmp_path, "greet", "Greet anybody.")
    skill_md(tmp_path / "agents" / "npc", "barter", "Haggle over a sword.")
    written(tmp_path / "agents" / "npc", "plants.yaml", GOOD)
    library = library_of(tmp_path)
    assert list(seen(library, "npc")) == ["barter", "water_plants", "greet"]
    assert list(seen(library, "clerk")) == list(seen(library, "_")) == ["greet"]
    assert [skill.id for skill in library.skills] == ["greet"]


def test_an_agents_own_skill_wins_over_the_shared_one_of_an_earlier_folder(tmp_path: Path) -> None:
    skill_md(tmp_path / "first", "greet", "Greet anybody.")
    skill_md(tmp_path / "second" / "agents" / "npc", "greet", "Greet in character.")
    library = library_of(tmp_path / "first", tmp_path / "second")
    assert seen(library, "npc") == {"greet": "Greet in character."}
    assert seen(library, "clerk") == {"greet": "Greet anybody."}
    assert library.faults == ()


def test_of_two_own_skills_the_first_stays_and_another_agents_is_no_double(tmp_path: Path) -> None:
    skill_md(tmp_path / "a" / "agents" / "npc", "greet", "First.")
    second = skill_md(tmp_path / "b" / "agents" / "npc", "greet", "Second.")
    skill_md(tmp_path / "b" / "agents" / "guard", "greet", "Third.")
    library = library_of(tmp_path / "a", tmp_path / "b")
    assert seen(library, "npc") == {"greet": "First."}
    assert seen(library, "guard") == {"greet": "Third."}
    assert [fault.file for fault in library.faults] == [second]


def test_a_chinese_agent_has_a_folder_of_its_name(tmp_path: Path) -> None:
    skill_md(tmp_path / "agents" / "客服", "greet", "问候。")
    assert list(seen(library_of(tmp_path), "客服")) == ["greet"]


@pytest.mark.parametrize(
    "agent",
    ["../private", "..", ".", "/", "../../private", "agents/npc", "npc/", "npc\0", "NPC", "*", "%2e%2e", "~"],
)  # fmt: skip
def test_no_agents_name_leads_elsewhere(tmp_path: Path, agent: str) -> None:
    skill_md(tmp_path / "private", "secret", "A secret.")
    skill_md(tmp_path / "skills" / "agents" / "npc", "barter", "Haggle.")
    skill_md(tmp_path / "skills" / "private", "other", "Not at the top.")
    assert seen(library_of(tmp_path / "skills"), agent) == {}


def test_a_name_that_no_folder_can_have_is_written_as_in_namespaces(tmp_path: Path) -> None:
    skill_md(tmp_path / "agents" / "game%2Fnpc%2E1", "barter", "Haggle.")
    library = library_of(tmp_path)
    assert list(seen(library, "game/npc.1")) == ["barter"]
    assert seen(library, "game%2Fnpc%2E1") == {}


@pytest.mark.parametrize(("name", "meant"), [("npc.1", "npc%2E1"), ("100%", "100%25"), ("%ff", "%25ff")])
def test_a_folder_that_is_no_agents_is_named_with_what_to_call_it(tmp_path: Path, name: str, meant: str) -> None:
    file = skill_md(tmp_path / "agents" / name, "barter", "Haggle.")
    library = library_of(tmp_path)
    assert library.every_skill == ()
    [fault] = library.faults
    assert fault.file == file
    assert fault.reason == f"is for no agent: call its folder under agents/ {meant!r}"


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=30).filter(lambda agent: agent != "npc"))
def test_nobody_else_sees_an_agents_own_skills(tmp_path: Path, agent: str) -> None:
    if not (tmp_path / "agents").exists():
        skill_md(tmp_path / "agents" / "npc", "barter", "Haggle.")
    assert label_of(agent) != "npc"
    assert seen(library_of(tmp_path), agent) == {}


def test_a_faulty_own_skill_is_named_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "agents" / "npc").mkdir(parents=True)
    broken = written(tmp_path / "agents" / "npc", "a.yaml", "skills: 3")
    library = library_of(tmp_path)
    assert [fault.file for fault in library.faults] == [broken]
