"""Wording: every sentence of an offline reply, in each language; and how a reply is kept short and addressed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memory.prompt_texts import Language

BRIEF_CHARS = 40
"""At most so many characters has a brief reply in Chinese, besides the notice."""
BRIEF_LETTERS = 80
BRIEF_WORDS = 16
"""At most so many words has a brief reply in English, besides the notice."""
_CUT = "…"
_KEEPS_ITS_CAPITAL = re.compile(r"I\b|[A-Z]{2,}|[A-Z][a-z]*\d|[^A-Za-z]")


@dataclass(frozen=True, kw_only=True)
class Wording:
    """The sentences of one language; `{…}` are filled in."""

    notice: str
    addressed: str
    here: str
    welcome: str
    heard: str
    farewell: str
    noted: str
    noted_name: str
    given_up: str
    given_up_name: str
    forgotten: str
    just_said: str
    all_about: str
    forget_what: str
    private: str
    understood: str
    heard_only: str
    feelings: Mapping[str, str]
    myself: str
    heed: str
    remembered: str
    because: str
    nothing_remembered: str
    not_known: str
    user_said: str
    assistant_said: str
    somebody_said: str
    summary_says: str
    on_record: str
    unknown_now: str
    identifier: Mapping[str, str]
    about: str
    which: str
    ask_for: str
    ask_for_number: Mapping[str, str]
    failed: str
    waiting: str
    cannot_answer: str
    empty: str
    style: Mapping[str, str]
    between: str
    comma: str
    colon: str
    stop: str
    name_label: str
    style_label: str

    def sentences(self) -> Iterator[str]:
        """Give the sentences that are no tables."""
        yield from (text for text in vars(self).values() if isinstance(text, str))


CHINESE = Wording(
    notice="（离线模式：未配置模型）",
    addressed="{name}，{body}",
    here="我在，请说。",
    welcome="不客气。",
    heard="好的。",
    farewell="再见。",
    noted="好的，记下了：{what}。",
    noted_name="好的，以后这样称呼你。",
    given_up="好的，这条不再记着：{what}。",
    given_up_name="好的，不再这样称呼你。",
    forgotten="好的，我会忘掉：{what}。",
    just_said="你说的“{text}”",
    all_about="关于{who}的一切",
    forget_what="我没看出要忘掉的是哪一条，请说得具体些。",
    private="好的。号码、邮箱这类私人信息我不会长期保存。",
    understood="好的，我知道了。",
    heard_only="我听着呢；不过没有模型，我接不上太多话。",
    feelings={
        "low": "听起来不好受，愿你很快好起来。",
        "ill": "多保重，愿你早日康复。",
        "tired": "辛苦了，好好休息一下。",
        "glad": "真好，替你高兴。",
    },
    myself="我是会记住你的助手，现在没有接上模型。",
    heed="请注意，我记得：{what}。别的没有模型答不了。",
    remembered="我记得：{what}。",
    because="{fact}，因为你说过：{said}",
    nothing_remembered="我还没有记住关于你的事。",
    not_known="这个我还不知道，你没有告诉过我。",
    user_said="你{when}说过“{text}”",
    assistant_said="我{when}回答过“{text}”",
    somebody_said="{who}{when}说过“{text}”",
    summary_says="之前的摘要里有：{text}",
    on_record="{what}。这是记录，别的我答不了。",
    unknown_now="最新进度我查不到",
    identifier={
        "order": "订单 {id}",
        "tracking": "运单 {id}",
        "ticket": "工单 {id}",
        "invoice": "发票 {id}",
        "": "{id}",
    },
    about="{what}：",
    which="你问的是哪一件？请告诉我订单号或别的编号。",
    ask_for="请告诉我{what}，我才能查。",
    ask_for_number={
        "order": "订单号",
        "tracking": "运单号",
        "ticket": "工单号",
        "invoice": "发票号",
        "": "订单号或单号",
    },
    failed="没有办成：",
    waiting="还没有结果。",
    cannot_answer="没有模型，这个我答不了；你的话已留在对话里。",
    empty="我没有看到文字，请用文字告诉我。",
    style={"brief": "简短", "detailed": "详细"},
    between="；",
    comma="、",
    colon=" ",
    stop="。",
    name_label="称呼",
    style_label="回答",
)

ENGLISH = Wording(
    notice=" (offline: no model configured)",
    addressed="{name}, {body}",
    here="I am here, go ahead.",
    welcome="You are welcome.",
    heard="All right.",
    farewell="Goodbye.",
    noted="noted: {what}.",
    noted_name="I will call you that.",
    given_up="all right, I no longer keep: {what}.",
    given_up_name="all right, I will not call you that any more.",
    forgotten="all right, I will forget: {what}.",
    just_said="what you said, “{text}”",
    all_about="everything about {who}",
    forget_what="I could not tell what is to be forgotten; please say which it is.",
    private="all right. I do not keep phone numbers, e-mail addresses and the like.",
    understood="all right.",
    heard_only="I am listening, but without a model I cannot say much to that.",
    feelings={
        "low": "that sounds hard; I hope it gets better soon.",
        "ill": "take good care of yourself, and get well soon.",
        "tired": "take it easy and get some rest.",
        "glad": "how nice, I am glad for you.",
    },
    myself="I am an assistant that remembers you; no model is connected now.",
    heed="please heed, I remember: {what}. More I cannot answer without a model.",
    remembered="I remember: {what}.",
    because="{fact}, because you said: {said}",
    nothing_remembered="I have not remembered anything about you yet.",
    not_known="I do not know that yet; you have not told me.",
    user_said="you said{when}: “{text}”",
    assistant_said="I answered{when}: “{text}”",
    somebody_said="{who} said{when}: “{text}”",
    summary_says="an earlier summary says: {text}",
    on_record="{what}. That is on record; more I cannot answer.",
    unknown_now="I cannot look up how it stands now",
    identifier={
        "order": "order {id}",
        "tracking": "shipment {id}",
        "ticket": "ticket {id}",
        "invoice": "invoice {id}",
        "": "{id}",
    },
    about="{what}: ",
    which="Which one do you mean? Please tell me its number.",
    ask_for="Please tell me the {what}, so that I can look.",
    ask_for_number={
        "order": "order number",
        "tracking": "tracking number",
        "ticket": "ticket number",
        "invoice": "invoice number",
        "": "order or reference number",
    },
    failed="This was not done: ",
    waiting="There is no result yet.",
    cannot_answer="I cannot answer this without a model; your message stays in this conversation.",
    empty="I see no text; please tell me in words.",
    style={"brief": "brief", "detailed": "detailed"},
    between="; ",
    comma=", ",
    colon=" ",
    stop=".",
    name_label="name",
    style_label="answers",
)

_CLAUSE_END = re.compile(r"[，。；！？]|[,;.!?](?=\s|$)")

WORDINGS: Mapping[Language, Wording] = {"zh": CHINESE, "en": ENGLISH}


def addressed(body: str, *, name: str, wording: Wording) -> str:
    """Begin a reply with the user's name, and with a capital letter when there is none."""
    if not name:
        return body[:1].upper() + body[1:]
    lower = body if _KEEPS_ITS_CAPITAL.match(body) else body[:1].lower() + body[1:]
    return wording.addressed.format(name=name, body=lower)


def shortened(text: str, *, language: Language, limit: int | None = None) -> str:
    """Keep a text within the length of a brief reply, or within `limit` characters (zh) or words (en).

    It is cut where a clause ends, when that leaves at least half of what is allowed.
    """
    if language == "zh":
        most = BRIEF_CHARS if limit is None else limit
        return text if len(text) <= most else _whole_clauses(text[: max(most - 1, 0)]) + _CUT
    words = text.split()
    kept = " ".join(words[: BRIEF_WORDS if limit is None else limit])
    if limit is None and len(kept) > BRIEF_LETTERS:
        kept = kept[:BRIEF_LETTERS].rpartition(" ")[0]
    return text if kept == " ".join(words) else _whole_clauses(kept) + _CUT


def _whole_clauses(cut: str) -> str:
    """Leave off a clause that was cut in the middle, and the mark before it."""
    ends = [match.start() for match in _CLAUSE_END.finditer(cut)]
    kept = cut[: ends[-1]] if ends and ends[-1] * 2 >= len(cut) else cut
    return kept.rstrip("，、；：,;: ")
