"""Consent: whether what a user answered to a question means yes."""

from __future__ import annotations

AGREED = frozenset(
    [
        "yes",
        "y",
        "ok",
        "okay",
        "sure",
        "true",
        "confirm",
        "是",
        "是的",
        "好",
        "好的",
        "可以",
        "同意",
        "确认",
        "确定",
        "行",
        "对",
        "嗯",
        "没问题",
    ]
)
DECLINED = frozenset(
    [
        "no",
        "n",
        "nope",
        "false",
        "cancel",
        "stop",
        "不",
        "不要",
        "不用",
        "不用了",
        "不行",
        "不同意",
        "算了",
        "别",
        "否",
        "取消",
    ]
)


def agrees(answer: object) -> bool:
    """Tell whether the answer is a clear yes; whatever is not, is no."""
    return answer is True or (isinstance(answer, str) and _plain(answer) in AGREED)


def is_verdict(answer: str) -> bool:
    """Tell whether a message answers a yes-or-no question at all."""
    return _plain(answer) in AGREED | DECLINED


def _plain(answer: str) -> str:
    return answer.strip().strip("。．.!！，,~ ").casefold()
