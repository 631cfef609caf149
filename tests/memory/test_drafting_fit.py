"""Fit: under a key that hurts when it is wrong a model's quote must say so of the user, in the user's own words."""

from __future__ import annotations

import pytest

from memory.drafting import Drafted, drafts_of
from memory.extraction import propose
from memory.extraction_schema import Extraction, ProposedMemory
from memory.gate import Refused, judge
from memory.keys import default_keys
from memory.kinds import Draft
from memory.pasted import own_words
from tests.memory.test_powers import rows

KEYS = default_keys()

UNFIT = """
user.name | Alice | The book is about Alice, a lawyer.
user.occupation | lawyer | The book is about Alice, a lawyer.
user.name | Bob | I had lunch with Bob the admin
user.name | Bob | I am Bob's neighbour
user.name | 小李 | 我和小李吃了饭
user.name | 小李 | 我同事叫小李
user.lives_in | Berlin | I booked a hotel in Berlin for a client.
user.works_in | Berlin | I booked a hotel in Berlin for a client.
user.lives_in | pizza | I love pizza
user.lives_in | pizza | I live in Rome and I love pizza
user.lives_in | Rome | My sister lives in Rome
user.lives_in | 柏林 | 我给客户订了柏林的酒店
user.lives_in | 火锅 | 我住在成都，我爱吃火锅
user.lives_in | 北京 | 我同事住在北京
user.allergy | walnuts | not peanuts, I meant that walnuts are on sale
user.allergy | nuts | I bought nuts for my friend
user.allergy | nuts | My sister is allergic to nuts.
user.allergy | 花生 | 我买了花生
user.allergy | 花生 | 我妹妹对花生过敏
user.occupation | 律师 | 我喜欢那位律师
user.occupation | lawyer | I called a lawyer
user.position | manager | I talked to the manager
user.position | 经理 | 我找了经理
user.age | 45 | I had lunch with Bob, 45
user.birthday | May 3 | I fly on May 3
user.remember | the shop link belongs in it | the shop link belongs in it
user.remember | 客服要先哄我 | 客服要先哄我
user.diet | vegan | The monk is vegan
user.health | diabetes | The film is about diabetes
user.habit | Ate two pizzas | Ate two pizzas after the match
user.habit | went for a swim | I went for a swim this morning
user.habit | cooking dinner | I'm cooking dinner
user.habit | smoke | I used to smoke
pref.likes | dumplings | We had dumplings with her parents
pref.likes | 饺子 | 晚上包了饺子
pref.dislikes | the bus | I took the bus today
pref.dislikes | 公交 | 我今天坐了公交
user.project | a bug report | Then back to a bug report
user.project | 改简历 | 上午改简历
user.habit | 早上跑了五公里 | 早上跑了五公里
user.habit | 喝了杯奶茶 | 我下午喝了杯奶茶
user.habit | 看书 | 今晚看书
user.habit | 非常困 | 刚下班，非常困
user.religion | 佛教 | 这本书讲佛教，作者很有名，他信佛教
"""

FIT = """
user.name | Dana | My name is Dana
user.name | Dana | Hi, I'm Dana, nice to meet you
user.name | Dana | Please call me Dana
user.name | 小王 | 我叫小王，住在杭州
user.name | 小王 | 以后叫我小王
user.lives_in | York | I live in York
user.lives_in | Leeds | I live in the old town of Leeds
user.lives_in | Berlin | Last year we moved to Berlin
user.lives_in | 杭州 | 我叫小王，住在杭州
user.lives_in | 上海 | 我刚搬到上海
user.lives_in | 北京 | 我家在北京
user.allergy | nuts | I'm severely allergic to nuts
user.allergy | eggs | I am allergic to nuts, milk and eggs
user.allergy | shellfish | I have a shellfish allergy
user.allergy | 虾 | 我对花生和虾过敏
user.allergy | 芒果 | 我不能吃芒果
user.occupation | nurse | I'm a night nurse in York
user.occupation | teacher | I work as a teacher
user.occupation | 老师 | 我在中学当老师
user.occupation | 工程师 | 我是一名工程师
user.position | 产品经理 | 我在一家公司做产品经理
user.position | team lead | I was promoted to team lead
user.employer | Acme | I work for Acme
user.works_in | 上海 | 我在上海上班
user.age | 45 | I'm 45
user.age | 30岁 | 我今年30岁
user.birthday | May 3 | My birthday is May 3
user.birthday | 5月3日 | 我的生日是5月3日
user.diet | vegan | I'm vegan
user.habit | iron a shirt | I iron a shirt before bed
pref.likes | dumplings | I loved the dumplings we had
pref.likes | 饺子 | 我迷上了饺子
pref.dislikes | the bus | I took the bus today and it was awful
pref.dislikes | 公交 | 今天坐了公交，最烦公交
user.project | renovating my kitchen | I'm renovating my kitchen
user.project | 装修厨房 | 我正在装修厨房
user.project | a compiler | I started a compiler yesterday
user.project | 记账软件 | 我上周开始做记账软件
user.habit | swim | I have swum on Tuesdays for years, I swim at night
user.habit | yoga | yoga twice a week
user.habit | ate oats every morning | Last year I moved, and I ate oats every morning
user.habit | 睡前看书 | 我睡前看书
user.habit | 每天走一万步 | 我上个月戒了烟，每天走一万步
user.habit | 抽烟 | 我抽烟
user.habit | 早起 | 我养成了早起的习惯
user.health | 糖尿病 | 我有糖尿病
"""

PASTED = """
Here is an email I got:\\nHi, I am Bob, I live in Rome and I am allergic to nuts | I am Bob, I live in Rome
I received this message: I am Bob and I live in Rome | I am Bob and I live in Rome
Please proofread: I am Bob. I live in Rome. | I live in Rome
Translate the following text\\nI am Bob. I live in Rome. | I live in Rome
From: landlord\\nSubject: hello\\nI am Bob. I live in Rome. | I live in Rome
帮我翻译：我叫Bob，住在Rome | 我叫Bob，住在Rome
帮我润色下面这段话：\\n我叫Bob。我住在Rome。 | 我住在Rome
我收到一封邮件：你好，我叫Bob，我住在Rome | 我住在Rome
请总结以下文章：我叫Bob，我住在Rome | 我住在Rome
"""

OWN = """
我叫小王，帮我翻译：hello | 我叫小王
My address: I live in Rome | I live in Rome
Here is my situation: I live in Rome | I live in Rome
Remember this: I live in Rome | I live in Rome
I answer letters at 10:30 and I live in Rome | I live in Rome
修改：我住在上海 | 我住在上海
我做翻译的：我住在上海 | 我住在上海
会议时间是2024-04-16 14:00，总结在 15:00，我住在上海 | 我住在上海
"""


def drafted(key: str, value: str, text: str, quote: str = "") -> Drafted:
    memory = ProposedMemory(key=key, value=value, quote=quote or text, confidence=0.95)
    return drafts_of(Extraction(memories=[memory]), text, keys=KEYS, said_at=None, timezone="UTC")


@pytest.mark.parametrize(("key", "value", "text"), rows(UNFIT))
def test_a_value_that_only_stands_near_is_dropped(key: str, value: str, text: str) -> None:
    result = drafted(key, value, text)
    assert result.drafts == ()
    assert len(result.dropped) == 1


@pytest.mark.parametrize(("key", "value", "text"), rows(FIT))
def test_what_the_user_says_of_themselves_is_drafted_and_kept(key: str, value: str, text: str) -> None:
    (draft,) = drafted(key, value, text).drafts
    assert isinstance(judge(draft, keys=KEYS, heard=[text]), Draft)


@pytest.mark.parametrize(("text", "quote"), rows(PASTED))
def test_pasted_and_translated_text_is_not_the_users_own(text: str, quote: str) -> None:
    text = text.replace("\\n", "\n")
    assert drafted("user.lives_in", "Rome", text, quote).dropped == ("not_the_users_words",)
    draft = Draft(key="user.lives_in", value="Rome", confidence=0.9, quote=quote)
    judged = judge(draft, keys=KEYS, heard=[text])
    assert isinstance(judged, Refused)
    assert judged.reason == "not_the_users_words"
    assert all(isinstance(judge(each, keys=KEYS, heard=[text]), Refused) for each in propose(text, said_at=None))


@pytest.mark.parametrize(("text", "quote"), rows(OWN))
def test_the_users_own_words_around_it_count(text: str, quote: str) -> None:
    assert quote in own_words(text)


def test_an_order_number_is_read_in_a_pasted_mail_too() -> None:
    text = "Here is the mail I got:\nYour order #8842 has left"
    draft = Draft(key="ref.order", value="#8842", confidence=0.75, quote="Your order #8842 has left")
    assert isinstance(judge(draft, keys=KEYS, heard=[text]), Draft)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["翻译", "收到", "got email ", "translate ", "我", "i live in ", "this is ", "把", "\n", " "]
)
def test_a_long_message_of_one_repeated_piece_is_read_in_time(piece: str) -> None:
    long = piece * (20_000 // len(piece))
    assert own_words(long)
    result = drafted("user.lives_in", "茶", f"{long[:590]}茶")
    assert len(result.drafts) + len(result.dropped) == 1
