"""Taking back: a model's retraction needs the user's unmistakable words for it, and the gate asks for some of anybody."""

from __future__ import annotations

import pytest

from memory.drafting import drafts_of
from memory.extraction import propose
from memory.extraction_schema import Extraction, ProposedMemory
from memory.gate import Refused, judge
from memory.keys import default_keys
from memory.kinds import TAKES_AWAY, Draft
from tests.memory.test_powers import rows

KEYS = default_keys()

KEPT = """
user.allergy | | 别忘了我的过敏
user.allergy | | 请不要删除我的过敏信息
user.allergy | | 千万别把我的过敏删掉
user.allergy | | 我不想让你忘掉我的过敏
user.allergy | 花生 | 不要忘记我对花生过敏
user.name | | 别忘了我的名字
user.name | | I don't want you to forget my name.
user.name | Kim | Don't forget that my name is Kim
user.allergy | | Never forget my allergy!
user.allergy | | Please do not delete my allergy
user.allergy | nuts | You must not remove my allergy to nuts
user.allergy | peanuts | I don't like that I am allergic to peanuts
user.allergy | 花生 | 我不喜欢我对花生过敏
user.allergy | peanuts | I'm allergic to peanuts, so no snacks
user.allergy | 花生 | 我对花生过敏，不吃零食
"""
"""Words that no retraction may rest on, whoever proposes it."""

DOUBTFUL = """
user.allergy | peanuts | Remove peanuts from my shopping list
user.allergy | peanuts | I can't eat peanuts any more
user.allergy | 花生 | 我再也不能吃花生了
user.allergy | | Delete my allergy medicine reminder
user.allergy | | Delete order 5 and tell me about my allergy
user.allergy | | 你怎么把我的过敏忘了
user.allergy | | 你忘了我的过敏
user.allergy | | I always forget my allergy
user.health | asthma | I stopped to buy something for my asthma
user.birthday | | 我忘了我的生日
user.birthday | | Should I forget my birthday?
user.birthday | | I forget my birthday every year
pref.likes | tea | I do not like that the tea is cold
pref.likes | 茶 | 我没买到茶
user.lives_in | York | I never leave York
user.lives_in | York | I don't want any more of York
"""

TAKEN_BACK = """
user.allergy | | Please forget my allergy
user.allergy | nuts | Forget that I am allergic to nuts
user.allergy | peanuts | I am no longer allergic to peanuts
user.allergy | peanuts | I'm not allergic to peanuts any more
user.allergy | | 请删除我的过敏信息
user.allergy | 花生 | 忘掉我对花生过敏这件事
user.allergy | 花生 | 我对花生不过敏了
user.allergy | 花生 | 我不再对花生过敏
user.name | | 请忘掉我的名字
user.name | | Can you delete my name?
user.diet | vegetarian | I am no longer vegetarian
user.health | asthma | I no longer have asthma
pref.likes | tea | I no longer drink tea
pref.likes | 咖啡 | 我不喜欢咖啡了
user.hobby | chess | I gave up chess
user.birthday | | 把我的生日忘掉吧
"""


def retracted(key: str, value: str, text: str) -> list[Draft]:
    memory = ProposedMemory(key=key, value=value, quote=text, confidence=0.95, act="retract")
    drafted = drafts_of(Extraction(memories=[memory]), text, keys=KEYS, said_at=None, timezone="UTC")
    return [each for each in drafted.drafts if isinstance(judge(each, keys=KEYS, heard=[text]), Draft)]


@pytest.mark.parametrize(("key", "value", "text"), rows(KEPT))
def test_what_the_user_wants_kept_is_taken_back_by_nobody(key: str, value: str, text: str) -> None:
    draft = Draft(key=key, value=value, confidence=0.95, quote=text, act="retract")
    judged = judge(draft, keys=KEYS, heard=[text])
    assert isinstance(judged, Refused)
    assert judged.reason == "not_taken_back"
    assert not [each for each in propose(text, said_at=None) if each.act == "retract"]


@pytest.mark.parametrize(("key", "value", "text"), rows(KEPT) + rows(DOUBTFUL))
def test_a_model_takes_back_nothing_on_a_no_or_on_words_about_something_else(key: str, value: str, text: str) -> None:
    assert retracted(key, value, text) == []


@pytest.mark.parametrize(("key", "value", "text"), rows(TAKEN_BACK))
def test_what_the_user_takes_back_in_so_many_words_is_taken_back(key: str, value: str, text: str) -> None:
    assert [(each.key, each.value) for each in retracted(key, value, text)] == [(key, value)]


@pytest.mark.parametrize(
    "text",
    [
        "我对花生不过敏了", "我不是对花生过敏，是对虾过敏", "我不吃素了", "别再叫我小王", "忘掉我的过敏",
        "I'm not allergic to nuts", "I'm allergic to walnuts, not peanuts", "Don't call me Wang anymore", "Forget my allergies",
    ],
)  # fmt: skip
def test_what_the_rules_read_as_taken_back_passes_the_gate(text: str) -> None:
    taken = [each for each in propose(text, said_at=None) if each.act in TAKES_AWAY]
    assert taken
    assert all(isinstance(judge(each, keys=KEYS, heard=[text]), Draft) for each in taken)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["不", "忘", "forget ", "not ", "把我的", "please ", "n't forget", "no longer "])
def test_a_long_text_of_one_repeated_piece_is_judged_in_time(piece: str) -> None:
    long = piece * (20_000 // len(piece))
    draft = Draft(key="user.allergy", value="茶", confidence=0.9, quote=f"{long}茶", act="retract")
    assert judge(draft, keys=KEYS, heard=[f"{long}茶"])
    assert retracted("user.allergy", "茶", f"{long[:590]}茶") == []
