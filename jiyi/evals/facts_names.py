"""Of whom or what a fact is: keys of a memory and entities of labelled files, told to be the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jiyi.evals.facts_file import Line
from jiyi.evals.facts_values import is_value
from memory.kinds import Fact
from memory.values import normalised

USER = frozenset(["我", "我自己", "本人", "自己", "用户", "i", "me", "my", "myself", "user"])
KIN = (
    ("父亲", "爸爸", "爸", "老爸", "father", "dad", "daddy"),
    ("母亲", "妈妈", "妈", "老妈", "mother", "mom", "mum", "mommy", "mummy"),
    ("爷爷", "祖父"),
    ("奶奶", "祖母"),
    ("外公", "姥爷", "外祖父"),
    ("外婆", "姥姥", "外祖母"),
    ("grandfather", "grandpa", "granddad"),
    ("grandmother", "grandma", "granny"),
    ("哥哥", "哥", "大哥", "older brother", "elder brother", "big brother"),
    ("弟弟", "弟", "younger brother", "little brother"),
    ("姐姐", "姐", "大姐", "older sister", "elder sister", "big sister"),
    ("妹妹", "妹", "younger sister", "little sister"),
    ("叔叔", "叔父"),
    ("舅舅", "舅父"),
    ("婶婶", "婶子"),
    ("舅妈", "舅母"),
    ("伯伯", "伯父"),
    ("姑姑", "姑妈", "姑母"),
    ("阿姨", "姨妈", "姨母", "小姨"),
    ("丈夫", "老公", "husband"),
    ("妻子", "老婆", "太太", "wife"),
    ("爱人", "对象", "伴侣", "partner", "spouse"),
    ("男朋友", "男友", "boyfriend"),
    ("女朋友", "女友", "girlfriend"),
    ("儿子", "son"),
    ("女儿", "闺女", "daughter"),
    ("孩子", "宝宝", "小孩", "child", "kid", "baby"),
    ("岳父", "公公", "father-in-law"),
    ("岳母", "婆婆", "mother-in-law"),
    ("朋友", "好友", "friend"),
    ("室友", "舍友", "roommate", "flatmate"),
    ("邻居", "neighbour", "neighbor"),
    ("同学", "classmate"),
    ("同事", "colleague", "coworker", "co-worker"),
    ("上司", "领导", "老板", "boss"),
    ("下属", "部下"),
    ("房东", "landlord"),
    ("老师", "teacher"),
)
"""Words for the same kin, or for the same part in somebody's life."""
NAMING = frozenset(["姓名", "名字", "称呼", "叫", "关系", "name", "full name", "nickname", "relation", "relationship"])
"""Attributes of labels by which an entity is called otherwise: its name, or whose it is."""
TELLS_WHO = frozenset(["relation", "kind"])
"""Last segments of keys whose value says who a person is to the user, or what an animal is."""

_OWN = re.compile(r"(?:我们?家?的?|my\s+|our\s+)(?=.)", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"['’]s?$|^of$")
_SAME_KIN = {normalised(word): normalised(group[0]) for group in KIN for word in group}

Pair = tuple[str, str]
"""Two names of one person, animal or thing."""


def is_user(entity: str) -> bool:
    """Say whether a label is about the user."""
    return normalised(entity) in USER


def is_name(one: str, other: str) -> bool:
    """Say whether two wordings are one name or words for the same kin, or one is a part of the other (sister, older sister)."""
    return _called(one) == _called(other) or _is_part(one, other)


def pair_told(fact: Fact) -> Pair | None:
    """Give a name and who that is, of a fact that tells no more than this ("Momo is a cat"); None for others."""
    first, *middle, last = fact.key.split(".")
    return (".".join(middle), fact.value) if first in ("person", "pet") and last in TELLS_WHO else None


class Names:
    """Who or what is called by more than one name."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._pairs = frozenset(frozenset(map(_called, pair)) for pair in pairs)

    @classmethod
    def in_labels(cls, lines: Iterable[Line]) -> Names:
        """Take from labels which names belong together: what gives an entity's name, or whose it is."""
        labels = (label for line in lines for label in line.labels)
        return cls((one.entity, one.value) for one in labels if normalised(one.attribute) in NAMING)

    def with_told(self, facts: Iterable[Fact]) -> Names:
        """Add what the facts of one message tell: who somebody is to the user, what an animal is."""
        more = Names(pair for fact in facts if (pair := pair_told(fact)))
        more._pairs |= self._pairs
        return more

    def is_owner(self, fact: Fact, entity: str) -> bool:
        """Say whether a fact is about what a label calls its entity; an identifier (`ref.`) is kept as nobody's."""
        first, *middle, _ = fact.key.split(".")
        if first in ("user", "pref"):
            return is_user(entity)
        name = ".".join(middle)
        return first == "ref" or self.is_same(name, entity) or (first == "thing" and is_value(name, entity))

    def is_same(self, one: str, other: str) -> bool:
        """Say whether two names belong to one being: equal, words for the same kin, or known to."""
        return is_name(one, other) or frozenset((_called(one), _called(other))) in self._pairs


def _called(name: str) -> str:
    plain = normalised(_unowned(name))
    return _SAME_KIN.get(plain, plain)


def _unowned(name: str) -> str:
    """Give "sister" for "my sister"."""
    owned = _OWN.match(name)
    return name[owned.end() :] if owned else name


def _is_part(one: str, other: str) -> bool:
    """Say whether all words of one name stand in the other; "Tom's sister" is somebody else than a sister."""
    fewer, more = sorted((frozenset(_unowned(name).casefold().split()) for name in (one, other)), key=len)
    return bool(fewer) and fewer <= more and not any(_OF_SOMEBODY.search(word) for word in more)
