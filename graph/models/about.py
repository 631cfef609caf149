"""About the user: which facts a question asks for, in Chinese or English, whatever language they are labelled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from memory.prompt_parts import ShownFact
from memory.words import query_words_of, words_of

_I = re.IGNORECASE
PERSON_KEYS = "person."
KEYS_OF_OTHERS = (PERSON_KEYS, "pet.", "thing.")
_TOPIC_WEIGHT = 2
_KEY_MARKS = re.compile(r"[._]+")

TOPICS: Mapping[str, re.Pattern[str]] = {
    topic: re.compile(pattern, _I)
    for topic, pattern in {
        "name": r"我叫(?:什么|啥)|名字|姓名|称呼|我是谁|(?<!user)\bname\b|who am i|call me",
        "allergy": r"过敏|忌口|allerg",
        "place": r"住|城市|地址|家在|\blives?\b|\bcity\b|\baddress\b|location",
        "origin": r"家乡|籍贯|老家|哪里人|哪儿人|来自|home ?town|comes? from|am i from",
        "diet": r"饮食|素食|忌口|能吃|可以吃|不吃|\bdiet|\beat\b|vegetarian|vegan",
        "birthday": r"生日|出生|birth|\bborn\b",
        "age": r"年龄|多大|几岁|\bage\b|how old",
        "job": r"职业|工作|做什么的|职位|\bjob\b|\bworks?\b|profession|occupation",
        "company": r"公司|单位|company|employer|employed",
        "phone": r"电话|手机|\bphone",
        "email": r"邮箱|邮件|e-?mail",
        "order": r"订单|单号|\border\b",
        "ticket": r"工单|ticket",
        "tracking": r"运单|快递单|tracking",
        "style": r"风格|怎么回答|回答方式|\bstyle\b",
        "language": r"什么语言|语言|\blanguage\b",
        "liking": r"喜欢|喜好|爱好|兴趣|偏好|最爱|\blikes?\b|\blove\b|favou?rite|hobb(?:y|ies)|\bprefer|interest",
        "dislike": r"讨厌|不喜欢|dislike|hate",
        "pet": r"宠物|猫|狗|\bpets?\b|\bcat\b|\bdog\b",
        "family": r"家人|爸|妈|父亲|母亲|妻子|丈夫|老婆|老公|孩子|儿子|女儿|family|wife|husband|mother|father",
    }.items()
}


def topics_of(text: str) -> frozenset[str]:
    """Say which topics a text speaks of."""
    return frozenset(topic for topic, pattern in TOPICS.items() if pattern.search(text))


def facts_asked_for(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give the facts that fit the question best, all that fit it equally; [] when none fits."""
    scores = [_fit(asked, fact) for fact in facts]
    best = max(scores, default=0)
    return [fact for fact, score in zip(facts, scores, strict=True) if score == best > 0]


def speaks_of_known(asked: str, facts: Sequence[ShownFact]) -> bool:
    """Tell whether a text names somebody or something that facts are held about."""
    return any(_names(asked, fact.key.split(".")[1:2]) for fact in facts if fact.key.startswith(KEYS_OF_OTHERS))


def _fit(asked: str, fact: ShownFact) -> int:
    if fact.key.startswith(PERSON_KEYS) and not _names(asked, fact.key.split(".")[1:2]):
        return 0
    shared_topics = _main_topics(asked) & _main_topics(f"{_KEY_MARKS.sub(' ', fact.key)} {fact.label}")
    shared_words = set(query_words_of(asked)) & set(words_of(f"{fact.label} {fact.value} {fact.key}"))
    return _TOPIC_WEIGHT * len(shared_topics) + len(shared_words)


def _main_topics(text: str) -> frozenset[str]:
    """Say what a text is about; the name of something else (a cat, a company) is not the user's name."""
    topics = topics_of(text)
    return topics - {"name"} if len(topics) > 1 else topics


def _names(asked: str, names: Iterable[str]) -> bool:
    return any(name.casefold() in asked.casefold() for name in names)
