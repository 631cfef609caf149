"""Declining: whether a tool did what it was called for, by its status and, failing that, its words."""

from __future__ import annotations

import re

from graph.models.situation import CallMade

_REFUSAL = re.compile(
    r"拒绝|驳回|未批准|没有批准|不批准|未授权|无权|没有权限|无法|不能|不可以|失败|出错|没有?找到|找不到|查无|不存在"
    r"|\b(?:den(?:y|ied)|declin\w+|reject\w+|refus\w+|cannot|can't|could not|couldn't|unable|not found|no such"
    r"|fail(?:ed|ure|s)?|not allowed|not permitted|no permission|forbidden|unauthori[sz]ed|error)\b",
    re.IGNORECASE,
)


def is_declined(call: CallMade) -> bool:
    """Tell whether a call was refused or has failed."""
    return call.failed or (call.result is not None and _REFUSAL.search(call.result) is not None)
