"""Asking why: whether a message asks how something is known of the user: then the prompt shows the words it rests on."""

from __future__ import annotations

import re

from memory.privacy import fold

_WHY = re.compile(
    r"为(?:什么|何|啥)(?:你)?(?:会|要|能)?(?:这么|这样|那么)?(?:认为|觉得|以为|说我|记得|记着|知道)|你?(?:是)?(?:怎么|如何|从哪(?:里|儿)?)(?:会)?(?:知道|得知|了解到?|记得)(?:的|我|这)?"
    r"|(?:有|是)?什么(?:依据|根据|证据)|凭(?:什么|啥)(?:这么)?(?:说|认为|觉得)|(?:根据|依据)(?:是)?什么|谁告诉你|我(?:是)?(?:什么时候|何时|哪天|哪次)(?:跟|和|对)?(?:你)?(?:说|讲|提|告诉)"
    r"|\bwhy (?:do|would|did) you (?:think|believe|say|assume|know|remember)\b|\bhow (?:do|did|would) you (?:know|learn|find out|remember)\b"
    r"|\bwhat makes you (?:think|say|believe|so sure)\b|\bwhere did you (?:get|hear|learn) (?:that|this|it)\b|\bwho told you\b"
    r"|\bwhen did i (?:say|tell|mention)\b|\b(?:based )?on what (?:basis|grounds|evidence)?\b(?= (?:do|are|did) you|\W*$)|\bwhat(?:'s| is) (?:your|the) (?:evidence|basis|source)\b"
)


def asks_why(text: str) -> bool:
    """Tell whether a message asks for the grounds of what is remembered of the user."""
    return _WHY.search(fold(text).lower().replace("’", "'")) is not None
