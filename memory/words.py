"""Words: how a text is split for keyword search, in Chinese and English, with identifiers kept whole."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_CJK_RUN = re.compile(f"[{CJK}]+")
_TOKEN = re.compile(rf"[{CJK}]+|#?[^\W{CJK}]+(?:[-_.:/@+'’#&][^\W{CJK}]+)*[+#]*", re.UNICODE)
_INNER = re.compile(r"[-_.:/@+'’#&]+")
_POSSESSIVE = re.compile(r"['’]s$")
MAX_WORD_CHARS = 64

STOP_WORDS = frozenset(
    word
    for line in (
        "a an and are as at be been but by can could did do does for from had has have he her hers him his how",
        "i if in into is it its me my of on or our ours she should so than that the their them then there they",
        "this to us was we were what when where which who whom why will with would you your yours am about any",
        "some 的 了 吗 呢 吧 啊 是 我 你 他 她 它 在 和 与 也 都 就 有 这 那 什么 怎么 哪里 谁",
    )
    for word in line.split()
)


def words_of(text: str) -> list[str]:
    """Split a text that is kept: all words, identifiers whole and in parts, CJK as single and double characters.

    The result keeps repetitions, so that frequency counts.
    """
    return [word for token in _tokens(text) for word in _kept_forms(token)]


def query_words_of(text: str) -> list[str]:
    """Split what is searched for: without stop words, CJK as double characters (single when alone), each once."""
    asked = (word for token in _tokens(text) for word in _asked_forms(token))
    found = dict.fromkeys(asked)
    telling = [word for word in found if word not in STOP_WORDS]
    return telling or list(found)


def has_cjk(text: str) -> bool:
    """Tell whether any Chinese, Japanese kana or Han character stands in the text."""
    return _CJK_RUN.search(text) is not None


def _tokens(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    for match in _TOKEN.finditer(folded):
        yield match.group()


def _kept_forms(token: str) -> Iterator[str]:
    if _CJK_RUN.fullmatch(token):
        yield from token
        yield from _pairs(token)
        return
    yield token[:MAX_WORD_CHARS]
    yield from _parts(token)


def _asked_forms(token: str) -> Iterator[str]:
    if _CJK_RUN.fullmatch(token):
        yield from _pairs(token) if len(token) > 1 else token
        return
    yield token[:MAX_WORD_CHARS]
    yield from _parts(token)


def _parts(token: str) -> Iterator[str]:
    """Give the pieces of an identifier, and a word without its possessive."""
    bare = _POSSESSIVE.sub("", token)
    pieces = [piece for piece in _INNER.split(bare) if piece]
    if pieces != [token]:
        yield from (piece[:MAX_WORD_CHARS] for piece in pieces)


def _pairs(run: str) -> Iterator[str]:
    for first, second in pairwise(run):
        yield first + second
