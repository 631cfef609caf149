"""Screening: refuse a skill file that gives orders to the model instead of explaining how to do something.

A skill's text goes into the prompt as know-how, so whoever can drop a file into a skills folder could speak to the
model. This is a simple check of wording in Chinese and English, a first gate and not the only one: a tool's checks
and the user's consent stand whatever a skill says.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Smuggled:
    """What a text was found to attempt, and the words that say so."""

    attempt: str
    words: str


_GAP = r"[^.!?。！？\n]{0,24}?"
_HIDDEN = r"(?:system prompt|passwords?|api[ _-]?keys?|secrets?|credentials?|tokens?)"
_DATA = rf"(?:{_HIDDEN}|history|memory|memories|(?:user|customer|player|personal|private)(?:'?s)? data)"
_HIDDEN_ZH = r"(?:系统提示词?|密码|口令|密钥|凭证|令牌)"
_DATA_ZH = rf"(?:{_HIDDEN_ZH}|记录|记忆|数据|资料|隐私)"
_AWAY = r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w|webhook|外部|第三方|external|third part)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|all|any|your|system|safety)"
_EARLIER_ZH = r"(?:之前|以上|上面|先前|前面|所有|一切|任何|系统|你的|安全)"
_RULE = r"(?:instructions?|rules?|prompts?|guidelines?|checks?|polic(?:y|ies))"
_RULE_ZH = r"(?:指令|指示|规则|提示|限制|要求|设定|检查)"

_RULES: tuple[tuple[str, str], ...] = (
    (
        "override earlier instructions",
        rf"\b(?:ignore|disregard|forget|override|bypass)\b{_GAP}\b{_EARLIER}\b{_GAP}\b{_RULE}\b"
        rf"|(?:忽略|无视|忘记|忘掉|抛开|推翻|绕过){_GAP}{_EARLIER_ZH}{_GAP}{_RULE_ZH}",
    ),
    (
        "act without the user's consent",
        r"\bwithout (?:asking|telling|confirmation|(?:the )?(?:user|customer|player)'?s? (?:consent|approval))"
        r"|\bskip (?:the |all |any )?(?:consent|confirmation|safety checks?)"
        r"|(?:不用|无需|不必|不要|跳过|绕过)(?:经过|征得|询问|等待|做)?(?:用户|客户|玩家)?的?(?:同意|确认|授权|安全检查)",
    ),
    (
        "hide something from the user",
        rf"\b(?:do not|don't|never) (?:tell|inform|show|mention){_GAP}\b(?:user|customer|player)\b"
        r"|(?:不要|别|不得|不能)(?:让|告诉|告知|通知|提醒)(?:用户|客户|玩家)|瞒着(?:用户|客户|玩家)",
    ),
    (
        "give secrets away",
        rf"\b(?:reveal|print|output|show|leak|expose|repeat)\b{_GAP}\b{_HIDDEN}"
        rf"|(?:输出|泄露|透露|打印|公开|显示|说出){_GAP}{_HIDDEN_ZH}",
    ),
    (
        "send data away",
        rf"\b(?:send|post|upload|forward|transmit|exfiltrate|e-?mail)\b{_GAP}(?:\b{_DATA}{_GAP})?{_AWAY}"
        rf"|(?:发送|发到|上传|转发|传到|提交|寄到){_GAP}(?:{_DATA_ZH}{_GAP})?{_AWAY}"
        rf"|把{_GAP}{_DATA_ZH}{_GAP}(?:发|传|寄|转){_GAP}{_AWAY}",
    ),
    (
        "take over the model's role",
        r"\byou are (?:now|no longer)\b|你现在(?:是|不再是)|从现在(?:起|开始)[，,]?你",
    ),
    (
        "pose as another part of the prompt",
        r"</?(?:system|memory|user|assistant|skills?)\b|\[/?(?:system|inst)\]|<\|",
    ),
)
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
_IN_EMOJI = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
_PATTERNS = tuple((attempt, re.compile(pattern, re.IGNORECASE)) for attempt, pattern in _RULES)


def smuggled(text: str) -> Smuggled | None:
    """Say what a skill's text attempts that a skill must not, or None where it only explains.

    A sentence that forbids such a thing ("never reveal the password") is refused as well: telling the two apart is
    exactly where such checks are fooled, and the author can say it in other words.
    """
    hidden = next((char for char in _IN_EMOJI.sub("", text) if _is_hidden(char)), None)
    if hidden is not None:
        return Smuggled(attempt="hide characters", words=f"U+{ord(hidden):04X}")
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    for attempt, pattern in _PATTERNS:
        if found := pattern.search(plain):
            return Smuggled(attempt=attempt, words=found.group())
    return None


def _is_hidden(char: str) -> bool:
    """Characters that a reader does not see and a model does: zero width, direction marks, tags."""
    return unicodedata.category(char) in {"Cf", "Co"} or (unicodedata.category(char) == "Cc" and char not in "\n\r\t")
