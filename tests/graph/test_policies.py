"""Policies from files: what they say holds, and a file that cannot be understood stops everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.parts import make_parts
from graph.policies import PolicyFileError, policies_of
from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import ScriptedModel
from memory.namespaces import Owner
from store.profile import facts_of
from tests.jiyi.command_line import jiyi

KEYS = """
families:
  - pattern: game.guild
    holds: one
    label: {zh: 公会, en: guild}
"""
GUARD = """
- family: standing_rule
  firm: true
  pattern: '芝麻开门|open sesame'
  yes: ["说芝麻开门", "say open sesame"]
  no: ["芝麻酱", "sesame oil"]
"""
OK = ScriptedModel(replies=lambda messages: "ok")
ADA = Owner(user="ada")


def file(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def chosen(home: Path, **files: str) -> Settings:
    return Settings(_env_file=None, jiyi_home=home, embeddings="none", model="offline", **files)  # type: ignore[arg-type, call-arg]


def test_families_of_facts_are_added_by_a_file_of_the_settings(tmp_path: Path) -> None:
    policies = policies_of(chosen(tmp_path, keys_files=file(tmp_path / "keys.yaml", KEYS)))

    assert policies.keys.label("game.guild", "zh") == "公会"
    assert policies.keys.spec("user.name") is not None


@pytest.mark.parametrize(
    ("what", "kept"), [("keep", "13812345678"), ("redact", "[phone]"), ("hash", "[phone:")], ids=str
)
async def test_the_privacy_file_decides_what_becomes_of_a_telephone_number(
    what: str, kept: str, tmp_path: Path
) -> None:
    privacy = file(tmp_path / "privacy.yaml", f"phone: {what}\n")
    async with open_agent(tmp_path, model=OK, chosen=chosen(tmp_path, privacy_file=privacy)) as agent:
        await agent.say("我的手机号是13812345678，请记住我喜欢爬山", user="ada", thread="t")
        [found, *_] = await agent.recall("喜欢爬山", user="ada", gated=False)

    assert kept in found.text


async def test_what_a_guard_file_names_is_held_back(tmp_path: Path) -> None:
    guard = file(tmp_path / "guard.yaml", GUARD)
    async with open_agent(tmp_path, model=OK, chosen=chosen(tmp_path, guard_files=guard)) as agent:
        for text in ("我最喜欢的咒语是芝麻开门", "My favourite spell is open sesame", "我喜欢芝麻酱"):
            await agent.say(text, user="ada", thread="t")
        found = await agent.recall("咒语 spell 芝麻", user="ada", gated=False, limit=50)
        facts = await facts_of(agent.store, ADA)

    assert not [one for one in found if "芝麻开门" in one.text or "sesame" in one.text]
    assert not [fact for fact in facts if "芝麻开门" in fact.value or "sesame" in fact.value]
    assert [one for one in found if "芝麻酱" in one.text]


BAD = [
    ("keys_files", "families: 3"),
    ("keys_files", "families:\n  - pattern: user.x\n    holds: some\n    label: {zh: x, en: x}"),
    ("keys_files", "{"),
    ("privacy_file", "telephone: redact"),
    ("privacy_file", "phone: maybe"),
    ("privacy_file", "secret: keep"),
    ("privacy_file", "[phone, redact]"),
    ("privacy_file", ""),
    ("privacy_file", "phone: redact\nphone: keep"),
    ("guard_files", "- family: standing_rule\n  pattern: '('\n  yes: ['(']\n  no: ['a']"),
    ("guard_files", "- family: standing_rule\n  pattern: 'x'\n  yes: ['y']\n  no: ['a']"),
    ("guard_files", "- family: standing_rule\n  pattern: '(?=plum)p'\n  yes: ['plum']\n  no: ['pear']"),
    ("guard_files", "- family: standing_rule\n  pattern: '(李)\\1子'\n  yes: ['李李子']\n  no: ['李子']"),
    ("guard_files", "- motif: 'x'"),
    ("guard_files", "pattern: x"),
    ("guard_files", ""),
]


@pytest.mark.parametrize(("setting", "text"), BAD, ids=[f"{name} {text[:24]!r}" for name, text in BAD])
def test_a_policy_file_that_means_nothing_stops_the_start(setting: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    with pytest.raises(PolicyFileError, match=r"policy\.yaml"):
        make_parts(chosen(tmp_path, **{setting: file(path, text)}))


@pytest.mark.parametrize("setting", ["keys_files", "privacy_file", "guard_files"])
def test_a_policy_file_that_is_not_there_or_no_text_stops_the_start(setting: str, tmp_path: Path) -> None:
    binary = tmp_path / "policy.yaml"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    for path in (tmp_path / "missing.yaml", binary):
        with pytest.raises(PolicyFileError, match=path.name):
            make_parts(chosen(tmp_path, **{setting: str(path)}))


@pytest.mark.parametrize("command", [("facts", "--user", "ada"), ("recall", "x", "--user", "ada")], ids=str)
def test_no_command_opens_a_memory_by_half_a_policy(command: tuple[str, ...], tmp_path: Path) -> None:
    done = jiyi(*command, env={"PRIVACY_FILE": file(tmp_path / "privacy.yaml", "phone: sometimes")})

    assert done.status == 1
    assert "privacy.yaml" in done.err
    assert "Traceback" not in done.err


def test_the_doctor_names_a_policy_file_that_cannot_be_used(tmp_path: Path) -> None:
    done = jiyi("doctor", "--json", env={"GUARD_FILES": file(tmp_path / "guard.yaml", "- pattern: 3")})

    [found] = [check for check in done.json["checks"] if check["name"] == "policies"]
    assert (done.status, found["status"]) == (1, "fail")
    assert "guard.yaml" in found["found"]
