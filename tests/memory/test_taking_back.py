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
user.health | 贫血 | 贫血的药准备好了
user.health | 贫血 | 贫血好多了
user.health | 贫血 | 我的贫血还没好利索
user.health | 贫血 | 等贫血好了我就去跑步
user.health | 贫血 | 贫血好了吗
user.health | 中风 | 我在做中风康复训练
user.health | asthma | My asthma inhaler is gone
user.health | asthma | I haven't recovered from asthma
user.health | asthma | I hope my asthma cleared up
user.health | asthma | My asthma is over the top today
user.health | asthma | Has my asthma cleared up?
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
user.health | 胃炎 | 我的胃炎好了
user.health | 胃炎 | 胃炎已经彻底好利索了
user.health | 失眠 | 失眠的毛病终于断根了
user.health | 骨折 | 骨折早就康复了
user.allergy | 花粉 | 我的花粉过敏好了
user.health | eczema | My eczema has completely cleared up
user.health | pneumonia | I've fully recovered from pneumonia
user.health | the flu | I'm over the flu
user.health | anemia | I got the all clear on my anemia
user.allergy | pollen | My pollen allergy is gone
person.妈妈.health | 肺炎 | 妈妈的肺炎好了
person.Ann.health | measles | Ann recovered from measles
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


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("我准备好了", False), ("饭做好了", False), ("还没痊愈", False), ("快好了", False), ("我在康复科上班", False),
        ("我已经康复了", True), ("病好了", True),
        ("I'm ready", False), ("I recovered the file", False), ("I have not recovered", False), ("I walked over it", False),
        ("I've fully recovered", True), ("I'm over it now", True), ("It cleared up", True), ("I got the all clear", True),
    ],
)  # fmt: skip
def test_an_illness_is_taken_back_only_by_words_that_one_got_over_it(text: str, passes: bool) -> None:
    draft = Draft(key="user.health", value="", confidence=0.9, quote=text, act="retract")
    assert isinstance(judge(draft, keys=KEYS, heard=[text]), Draft) == passes


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["不", "忘", "forget ", "not ", "把我的", "please ", "n't forget", "no longer "])
def test_a_long_text_of_one_repeated_piece_is_judged_in_time(piece: str) -> None:
    long = piece * (20_000 // len(piece))
    draft = Draft(key="user.allergy", value="茶", confidence=0.9, quote=f"{long}茶", act="retract")
    assert judge(draft, keys=KEYS, heard=[f"{long}茶"])
    assert retracted("user.allergy", "茶", f"{long[:590]}茶") == []


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["早就", "的病", "really ", "已经治", "康复", "over ", "all clear "])
def test_a_long_text_after_an_illness_is_judged_in_time(piece: str) -> None:
    for what in ("茶 ", "gout "):
        long = what + piece * (20_000 // len(piece))
        draft = Draft(key="user.health", value=what.strip(), confidence=0.9, quote=long, act="retract")
        assert judge(draft, keys=KEYS, heard=[long])
        assert len(retracted("user.health", what.strip(), f"{long[:590]}吗")) <= 1
