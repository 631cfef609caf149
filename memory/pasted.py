"""Pasted: what of a message is somebody else's text ("translate this: …", 我收到一封邮件：…, a letter in quotation marks)."""

from __future__ import annotations

import re

from memory.privacy import fold
from memory.prompt_shapes import without_prompt

_TEXT_EN = (
    r"(?:e-?mails?|mail|letters?|messages?|texts?|sms|articles?|reviews?|bios?|biograph(?:y|ies)|cvs?|r[eé]sum[eé]s?|transcripts?|chats?|posts?|conversations?"
    r"|paragraphs?|passages?|sentences?|stor(?:y|ies)|poems?|lyrics|drafts?|documents?|profiles?|tweets?|quotes?|excerpts?|dialogues?|scripts?|essays?|comments?)"
)
_TEXT_ZH = r"(?:邮件|来信|信件|一封信|短信|消息|微信|文章|文字|文本|内容|简历|简介|聊天记录|对话|段落|(?:段|句|番|些)话|句子|故事|诗|歌词|稿子?|文档|原文|台词|帖子|评论|留言|作文|引文|摘录)"
_TREATED_EN = r"(?:translate|proofread|summari[sz]e|rewrite|rephrase|paraphrase|polish|shorten|analy[sz]e|classify|reply to|respond to)"
_TREATED_ZH = r"(?:翻译|润色|校对|总结|概括|改写|缩写|分析|朗读|仿写|续写|翻成|译成|回复)"
_ASKED_EN = r"(?:^|[,.;!?\n]\s{0,3}|\b(?:please|you|me|to|and|then|now|just) )"
_ASKED_ZH = r"(?:^|[,。;!?\n]\s{0,3}|请|帮忙|帮我|麻烦|你|您|给我|替我|把[^:。!?,\n]{1,14})(?:先|再|快|来|一下|\s){0,4}"
_NOT_OWN = "\ufffc"
_COLON = r":(?!\d)"
_PASTED = re.compile(
    rf"{_ASKED_EN}{_TREATED_EN}\b(?! (?:in|me|you|always)\b)(?:[^:.!?\n]{{0,60}}{_COLON}|[^:.!?\n]{{0,30}}\b(?:this|following|below|{_TEXT_EN})\b[^:.!?\n]{{0,30}}\n)"
    rf"|\b(?:here(?:'s| is| are)|this is|below is|see|following|got|received|found|read|forward(?:ed|ing)?|past(?:e[sd]?|ing)|wrote|sent|sends|copied)\b"
    rf"[^:.!?\n]{{0,30}}\b{_TEXT_EN}\b[^:.!?\n]{{0,40}}{_COLON}"
    rf"|\b(?:here(?:'s| is| are)|below is|following|forward(?:ed|ing)|past(?:ed|ing))\b[^:.!?\n]{{0,20}}\b{_TEXT_EN}\b[^:.!?\n]{{0,40}}\n"
    rf"|\b(?:his|her|their|the|an?|someone's|somebody's|this|that) (?:\w+ )?{_TEXT_EN} (?:says|reads|said|goes|was|is|i got|i received)[^:.!?\n]{{0,20}}{_COLON}"
    rf"|^[^\S\n]{{0,8}}(?:reddit|facebook|forum|linkedin|twitter|instagram|blog|news|newspaper|youtube|customer|product|google|online|sample|example) {_TEXT_EN}\s?{_COLON}"
    r"|^[^\S\n]{0,8}(?:tweet|headline|caption|lyrics|excerpt)\s?:(?!\d)"
    r"|^[^\S\n]{0,8}(?:from|to|subject|sent)\s*:[^\n]*\n[^\S\n]{0,8}(?:from|to|subject|date|sent)\s*:|^-{2,} ?(?:forwarded|original) message"
    rf"|{_ASKED_ZH}{_TREATED_ZH}(?:[^:。!?,\n]{{0,24}}{_COLON}|[^:。!?,\n]{{0,10}}(?:这|下面|以下|下列|{_TEXT_ZH})[^:。!?,\n]{{0,10}}\n)"
    rf"|(?:收到|看到|读到|转发|复制|粘贴|摘自|发来|寄来|写来|以下|下面|下列|如下|这是|这有|这里有|有)[^:。!?\n]{{0,14}}{_TEXT_ZH}[^:。!?\n]{{0,8}}{_COLON}"
    rf"|{_TEXT_ZH}(?:里|中|上)?(?:是这样|这样|这么)?(?:写道?|说|的?原文|如下)[^:。!?\n]{{0,6}}{_COLON}"
    r"|^[^\S\n]{0,8}(?:发件人|收件人|主题)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_SEVERAL_LINES = re.compile(
    r"\"[^\"\n]*\"|(?<![A-Za-z0-9])\"(?=\S)[^\"]*\"(?![A-Za-z0-9])|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|『[^『』]*』"
)
"""What stands in quotation marks. Straight ones pair up within a line first; one after a letter or a number closes, or is an inch."""
_UNBROKEN = re.compile(r"[^\n]")


def own_words(text: str) -> str:
    """Give a message up to where the user says that another text follows.

    Lines of our own prompts and what is quoted over several lines are blanked out; line breaks stay.
    """
    folded = fold(text).replace("’", "'")
    found = _PASTED.search(folded)
    own = found.end() if found else len(text)
    return _SEVERAL_LINES.sub(_blanked, without_prompt(text, folded, _NOT_OWN)[:own])


def _blanked(quoted: re.Match[str]) -> str:
    """Blank out what runs over several lines; a name or a saying in a line stays."""
    return _UNBROKEN.sub(_NOT_OWN, quoted[0]) if "\n" in quoted[0] else quoted[0]
