"""Relations: of whom in the user's life a question speaks, and which facts are about that person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from memory.prompt_parts import ShownFact

_I = re.IGNORECASE
OTHERS = ("person.", "pet.", "thing.")

RELATIONS: Mapping[str, re.Pattern[str]] = {
    relation: re.compile(pattern, _I)
    for relation, pattern in {
        "daughter": r"女儿|闺女|\bdaughters?\b",
        "son": r"儿子|\bsons?\b",
        "child": r"孩子|小孩|\bchild(?:ren)?\b|\bkids?\b",
        "wife": r"妻子|老婆|太太|媳妇|\bwife\b",
        "husband": r"丈夫|老公|\bhusband\b",
        "partner": r"伴侣|对象|爱人|\bpartner\b|\bspouse\b|\bfianc[eé]e?\b|未婚[妻夫]",
        "girlfriend": r"女朋友|女友|\bgirlfriend\b",
        "boyfriend": r"男朋友|男友|\bboyfriend\b",
        "mother": r"妈妈|母亲|老妈|我妈|\bmother\b|\bmom\b|\bmum\b",
        "father": r"爸爸|父亲|老爸|我爸|\bfather\b|\bdad\b",
        "elder sister": r"姐|\bsisters?\b",
        "younger sister": r"妹|\bsisters?\b",
        "elder brother": r"哥|\bbrothers?\b",
        "younger brother": r"弟|\bbrothers?\b",
        "grandmother": r"奶奶|外婆|姥姥|\bgrand(?:mother|ma)\b",
        "grandfather": r"爷爷|外公|姥爷|\bgrand(?:father|pa)\b",
        "aunt": r"阿姨|姑姑|姨妈|舅妈|\baunt\b",
        "uncle": r"叔叔|舅舅|伯伯|姑父|\buncle\b",
        "cousin": r"表[姐妹哥弟]|堂[姐妹哥弟]|\bcousins?\b",
        "niece or nephew": r"侄|外甥|\bniece\b|\bnephew\b",
        "boss": r"老板|上司|领导|主管|经理|\bboss\b|\bmanager\b",
        "colleague": r"同事|\bcolleagues?\b|\bco-?workers?\b",
        "friend": r"(?<![男女])朋友|闺蜜|\bfriends?\b",
        "classmate": r"同学|\bclassmates?\b",
        "roommate": r"室友|\broommates?\b|\bflatmates?\b",
        "neighbour": r"邻居|\bneighbou?rs?\b",
        "teacher": r"老师|导师|教练|\bteacher\b|\bcoach\b|\btutor\b",
        "doctor": r"医生|\bdoctor\b|\bdentist\b|\btherapist\b",
        "cat": r"猫|\bcats?\b|\bkitten\b",
        "dog": r"狗|\bdogs?\b|\bpuppy\b",
        "bird": r"鸟|鹦鹉|\bbirds?\b|\bparrot\b",
        "rabbit": r"兔|\brabbit\b|\bbunny\b",
        "hamster": r"仓鼠|\bhamster\b",
        "fish": r"(?:金|热带|养的)鱼|\bgoldfish\b",
        "pet": r"宠物|\bpets?\b",
    }.items()
}
_BEFORE = re.compile(
    r"我们?(?:家)?(?:里)?(?:养)?(?:的)?(?:那[个只条位])?[大小二三]?$|\b(?:my|our)\s+(?:[\w-]+\s+){0,2}$", _I
)


def relations_in(text: str) -> frozenset[str]:
    """Say which relations a text names."""
    return frozenset(relation for relation, pattern in RELATIONS.items() if pattern.search(text))


def asked_relations(asked: str) -> frozenset[str]:
    """Say of which of the user's people or animals a question speaks."""
    return frozenset(relation for relation, pattern in RELATIONS.items() if _is_own(pattern, asked))


def facts_of_relations(relations: Iterable[str], facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give the facts about whoever stands in one of the relations, and those that name one of them themselves."""
    wanted = frozenset(relations)
    about = {group_of(fact) for fact in facts if _stands_in(fact, wanted)}
    return [fact for fact in facts if group_of(fact) in about] if about else []


def pattern_of(relations: Iterable[str]) -> re.Pattern[str]:
    """Give the pattern that finds any of these relations."""
    return re.compile("|".join(sorted(RELATIONS[relation].pattern for relation in relations)), _I)


def group_of(fact: ShownFact) -> str:
    """Say about whom or what a fact is: `person.小李`, or "" for the user."""
    return ".".join(fact.key.split(".")[:2]) if fact.key.startswith(OTHERS) else ""


def _stands_in(fact: ShownFact, wanted: frozenset[str]) -> bool:
    if not fact.key.startswith(OTHERS):
        return False
    says_which = fact.key.endswith((".relation", ".species", ".kind", ".type", ".breed"))
    told = f"{fact.key.replace('.', ' ').replace('_', ' ')} {fact.label} {fact.value if says_which else ''}"
    pet = {"pet"} if fact.key.startswith("pet.") else set()
    return bool(wanted & (relations_in(told) | pet))


def _is_own(pattern: re.Pattern[str], asked: str) -> bool:
    """Tell whether the word stands after "my" or 我 (的、家、那只), not elsewhere."""
    return any(_BEFORE.search(asked[: match.start()]) or match[0].startswith("我") for match in pattern.finditer(asked))
