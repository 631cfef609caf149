"""Asking why: whether a message asks how something is known of the user: then the prompt shows the words it rests on."""

from __future__ import annotations

import re

from memory.privacy import fold

_WHY = re.compile(
    r"你(?:是|们)?(?:怎么|咋|如何|从哪(?:里|儿)?|从何)(?:会)?(?:知道|得知|了解到?|记得)(?:的|我|这|那)?(?!.{0,6}(?:熟|几点|天气))|(?:怎么|咋|从何)(?:知道|得知)(?:的|我)(?!.{0,3}熟)"
    r"|你(?:是)?(?:为(?:什么|何|啥)|凭(?:什么|啥))(?:会|要|能)?(?:这么|这样|那么)?(?:认为|觉得|以为|说|记得|记着|知道)|为(?:什么|何|啥)(?:这么|这样|那么)(?:认为|觉得|说)"
    r"|(?:有|是)?什么(?:依据|根据|证据)(?:吗|呢|\?|$)|谁(?:告诉你|说的)|我(?:是)?(?:什么时候|何时|哪天|哪次)(?:跟|和|对)?(?:你)?(?:说|讲|提|告诉)"
    r"|\bwhy (?:do|would|did) you (?:think|believe|say|assume|know|remember) (?:so\b|that\b|this\b|i\b|i'|my\b|we\b|me\b)|\bhow (?:do|did|would|come) you (?:know|learn|find out|remember)\b(?= (?:that|this|it|so|my|i|i'm|me|about me|where i|what i|who i|when i|who my|what my|where my|when my|how)\b|\W*$)"
    r"|\bwhat makes you (?:think|say|believe|so sure)\b|\bwhere(?: did|'d) you (?:get|hear|learn) (?:that|this|it)\b|\bwho told you\b"
    r"|\bwhen did i (?:say|tell|mention)\b|\bbased on what\b\W*$|\bon what (?:basis|grounds|evidence)\b|\bwhat(?:'s| is) your (?:evidence|basis|source)\b"
)


def asks_why(text: str) -> bool:
    """Tell whether a message asks for the grounds of what is remembered of the user."""
    return _WHY.search(fold(text).lower().replace("’", "'")) is not None
