"""What a model is told about the shape of its answer, in each language it can be told in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memory.keys import Language

FaultKind = Literal["empty", "cut", "no_json", "several", "shape"]


@dataclass(frozen=True, kw_only=True)
class ShapeTexts:
    """The sentences of one language.

    `order` asks for JSON of a `{schema}`; `wrong` says that an answer could not be used because of a `{fault}`.
    """

    order: str
    wrong: str
    faults: Mapping[FaultKind, str]


CHINESE = ShapeTexts(
    order="只输出一个 JSON 对象，不要解释，不要代码块。它要符合这个 JSON Schema：\n{schema}",
    wrong="上一个回答不能用：{fault}。请重新给出完整的回答。",
    faults={
        "empty": "里面没有回答",
        "cut": "它没有写完就断了，请写短一些",
        "no_json": "里面没有完整的 JSON",
        "several": "里面有好几个不同的 JSON，只能有一个",
        "shape": "JSON 的结构不对（{detail}）",
    },
)

ENGLISH = ShapeTexts(
    order="Output one JSON object only: no explanation, no code fence. It must fit this JSON schema:\n{schema}",
    wrong="That answer cannot be used: {fault}. Give the whole answer again.",
    faults={
        "empty": "there is no answer in it",
        "cut": "it ends before it is complete; make it shorter",
        "no_json": "there is no complete JSON in it",
        "several": "there are several different JSON values in it; there must be one",
        "shape": "the JSON has the wrong shape ({detail})",
    },
)

SHAPE_TEXTS: Mapping[Language, ShapeTexts] = {"zh": CHINESE, "en": ENGLISH}
