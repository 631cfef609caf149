"""Telling words: what of a message says what it is about, without stop words, pronouns and words of asking."""

from __future__ import annotations

import re

from memory.words import has_cjk, query_words_of, words_of

_ZH_ASKING = re.compile(
    r"为什么|什么时候|什么|怎么样|怎么|怎样|哪里|哪儿|哪个|哪些|多少|多大|知道|记得|记住|告诉|可以|能不能|可不可以|是不是|有没有"
    r"|有关|关于|一下|一个|一些|现在|今天|请问|帮我|帮忙|麻烦|没有|我们|你们|他们|她们|自己|时候|这个|那个|觉得|还是|已经|应该|号码"
    r"|养[了着过的]?(?:[那这一二两三几]?[只条个匹])?(?=[猫狗鸟鱼兔龟鼠马羊鸡])"
    r"|如何|有点|一点|上次|之前|刚才|刚刚|说过|提过|聊过|叫做|想要|需要|名字"
    r"|[的了吗呢吧啊呀哦嘛么是我你您他她它们在和与跟也都就有这那谁几哪啥请会能要想不没个给把对被让为以很太好还再又说问叫到得地着过去来上下里从]"
)
_EN_PHRASES = re.compile(r"\bin order (?:to|that)\b|\bof course\b|\bby the way\b|\bat all\b")
_EN_ASKING = frozenset(
    [
        "what",
        "what's",
        "who",
        "who's",
        "where",
        "where's",
        "when",
        "how",
        "how's",
        "know",
        "knows",
        "tell",
        "say",
        "said",
        "remember",
        "please",
        "get",
        "got",
        "give",
        "want",
        "like",
        "anything",
        "something",
        "thing",
        "things",
        "one",
        "now",
        "today",
        "really",
        "just",
        "not",
        "no",
        "yes",
        "also",
        "don't",
        "can't",
        "i'm",
        "i've",
        "i'd",
        "let",
        "let's",
        "need",
        "still",
        "think",
        "name",
        "called",
        "more",
        "very",
        "much",
        "many",
        "too",
        "there's",
        "that's",
        "it's",
        "is",
        "isn't",
        "was",
        "or",
        "there",
        "going",
        "doing",
        "make",
        "all",
        "up",
        "out",
        "over",
        "number",
        "again",
    ]
)
_SHORTEST_PLURAL = 4


def telling_words(text: str) -> frozenset[str]:
    """Give the words by which a question can be recognised as being about something; often none."""
    asked = query_words_of(_ZH_ASKING.sub(" ", _EN_PHRASES.sub(" ", text.casefold())))
    return frozenset(_singular(word) for word in asked if _tells(word))


def shared_words(asked: frozenset[str], text: str) -> int:
    """Count how many of the telling words stand in a text."""
    return len(asked & {_singular(word) for word in words_of(text)})


def _tells(word: str) -> bool:
    if has_cjk(word):
        return True
    return word not in _EN_ASKING and len(word) > 1 and bool(query_words_of(f"{word} the") == [word])


def _singular(word: str) -> str:
    plural = word.isascii() and word.isalpha() and len(word) >= _SHORTEST_PLURAL and word.endswith("s")
    return word[:-1] if plural and not word.endswith("ss") else word
