"""About the user: which facts a question asks for, in Chinese or English, whatever language they are labelled in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graph.models.relations import asked_relations, facts_of_relations, group_of
from graph.models.telling_words import shared_words, telling_words
from graph.models.wording import Wording
from memory.keys import ASKED_FOR
from memory.prompt_parts import ShownFact

_I = re.IGNORECASE
_TOPIC_WEIGHT = 2
_KEY_MARKS = re.compile(r"[._]+")
TELLS_WHO = (".relation", ".species", ".kind", ".type")
_WHO = re.compile(r"叫(?:什么|啥)|是谁|哪位|\b(?:called|named)\b|^\s*who\b", re.IGNORECASE)
SAFETY_TOPICS = frozenset({"allergy", "diet"})
SAFETY_KEYS = ("user.allergy", "user.diet", "user.health")

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
        "job": r"职业|工作|做什么的|做哪一?行|上班|职位|employer|\bjob\b|\bworks?\b|profession|occupation|position|for a living|\bdo i do\b|\bdoes .{1,30} do\b",
        "company": r"公司|单位|company|employer|employed",
        "phone": r"电话|手机|\bphone",
        "email": r"邮箱|邮件|e-?mail",
        "order": r"订单|单号|\border\b",
        "ticket": r"工单|ticket",
        "tracking": r"运单|快递单|tracking",
        "style": r"风格|怎么回答|回答方式|\bstyle\b",
        "language": r"什么语言|语言|\blanguage\b",
        "liking": r"(?<!不)喜欢|喜好|爱好|兴趣|偏好|最爱|\blikes?\b|\blove\b|favou?rite|hobb(?:y|ies)|\bprefer|interest",
        "dislike": r"讨厌|不喜欢|dislike|hate",
        "family": r"家人|家里|family",
        "health": r"身体|健康|疾病|\bhealth",
    }.items()
}
_FOOD = re.compile(
    r"吃|喝|餐|饭|菜|火锅|烧烤|零食|外卖|甜点|蛋糕|食谱|药|过敏|\b(?:eat|eating|food|meal|dinner|lunch|breakfast|brunch|snack"
    r"|hot ?pot|barbecue|restaurant|recipe|cook|cooking|bake|dish|cake|dessert|drink|takeaway|takeout|medicine"
    r"|medication|pills?|drugs?|ibuprofen|aspirin|antibiotics?)\b",
    _I,
)


def topics_of(text: str) -> frozenset[str]:
    """Say which topics a text speaks of."""
    return frozenset(topic for topic, pattern in TOPICS.items() if pattern.search(text))


def speaks_of_food(text: str) -> bool:
    """Tell whether a text speaks of eating or of medicine, and of nothing else that is known of the user."""
    return _FOOD.search(text) is not None and topics_of(text) <= SAFETY_TOPICS


def safety_told(asked: str, facts: Sequence[ShownFact], wording: Wording) -> str:
    """Name what must be heeded, the facts of one label together; "" when nothing is known."""
    values: dict[str, list[str]] = {}
    for fact in safety_facts(asked, facts):
        values.setdefault(fact.label, []).append(fact.value)
    told = [f"{label}{wording.colon}{wording.comma.join(held)}" for label, held in values.items()]
    return wording.heed.format(what=wording.between.join(told)) if told else ""


def safety_facts(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give what must be heeded when something is eaten or taken: by the user, and by those who are named."""
    theirs = [fact for fact in facts_of_others(asked, facts) if fact.key.endswith((".allergy", ".diet", ".health"))]
    return [fact for fact in facts if fact.key in SAFETY_KEYS] + theirs


def facts_asked_for(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give the facts that fit the question best, all that fit it equally; [] when none fits.

    A question about somebody else is answered from what is known of them, never from what is known of the user.
    """
    if asks_about_others(asked, facts):
        return _best(asked, facts_of_others(asked, facts), of_others=True)
    return _best(asked, [fact for fact in facts if not fact.key.startswith("person.")], of_others=False)


def facts_to_remember(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give what the user asked to have remembered that says at least half of what a question is about; often none."""
    wanted = telling_words(asked)
    kept = [fact for fact in facts if fact.key == ASKED_FOR]
    shares = [shared_words(wanted, fact.value) for fact in kept]
    least = max(*shares, 1, -(-len(wanted) // 2)) if shares else 1
    return [fact for fact, share in zip(kept, shares, strict=True) if share >= least]


def asks_about_others(asked: str, facts: Sequence[ShownFact]) -> bool:
    """Tell whether a text speaks of one of the user's people or animals, by relation or by name."""
    return bool(asked_relations(asked)) or any(_is_named(fact, asked) for fact in facts)


def facts_of_others(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give the facts about those whom a text names; else about those who stand in the relation it speaks of."""
    named = [fact for fact in facts if _is_named(fact, asked)]
    return named or facts_of_relations(asked_relations(asked), facts)


def _best(asked: str, facts: Sequence[ShownFact], *, of_others: bool) -> list[ShownFact]:
    scores = [_fit(asked, fact, of_others=of_others) for fact in facts]
    best = max(scores, default=0)
    return [fact for fact, score in zip(facts, scores, strict=True) if score == best > 0]


def _fit(asked: str, fact: ShownFact, *, of_others: bool) -> int:
    """Weigh a fact; what shares no topic with a question that has one does not fit it."""
    told = f"{_KEY_MARKS.sub(' ', fact.key)} {fact.label}"
    wanted, held = (
        (_topics_of_others(asked), topics_of(told)) if of_others else (_main_topics(asked), _main_topics(told))
    )
    if fact.key.endswith(TELLS_WHO):
        held = held | {"name"}
    if wanted and not wanted & held:
        return 0
    return _TOPIC_WEIGHT * len(wanted & held) + shared_words(telling_words(asked), f"{told} {fact.value}")


def _topics_of_others(asked: str) -> frozenset[str]:
    return topics_of(asked) | ({"name"} if _WHO.search(asked) else frozenset())


def _main_topics(text: str) -> frozenset[str]:
    """Say what a text is about; the name of something else (a cat, a company) is not the user's name."""
    topics = topics_of(text)
    return topics - {"name"} if len(topics) > 1 else topics


def _is_named(fact: ShownFact, asked: str) -> bool:
    group = group_of(fact)
    name = group.partition(".")[2].replace("_", " ")
    return bool(name) and name.casefold() in asked.casefold()
