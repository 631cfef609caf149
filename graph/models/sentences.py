"""Sentences: what the user is told where the model did not answer; docs/models.md prints them all."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from graph.models.bounds import MOST_CHARS, MOST_TOOL_ROUNDS, most_s
from graph.models.failures import Failure, Reason
from graph.settings import Settings
from skills.bilingual import Language, Text

OPENAI_URL = "https://api.openai.com/v1"

SENTENCES: Mapping[Reason, Text] = {
    "no_key": Text(
        zh="模型没有回答：没有设置 OPENAI_API_KEY。请设置密钥（或用 OPENAI_BASE_URL 指定不需要密钥的端点），再说一遍。",
        en="The model did not answer: OPENAI_API_KEY is not set. Set it (or name an endpoint that needs none in OPENAI_BASE_URL), then say it again.",
    ),
    "wrong_key": Text(
        zh="模型没有回答：{host} 不接受这个密钥。请检查 OPENAI_API_KEY，再说一遍。",
        en="The model did not answer: {host} does not accept the key. Check OPENAI_API_KEY, then say it again.",
    ),
    "no_access": Text(
        zh="模型没有回答：{host} 不允许这个密钥或这个地区使用 {model}。请在服务商处检查权限，或换一个模型。",
        en="The model did not answer: {host} does not allow this key or region to use {model}. Check its permissions there, or choose another model.",
    ),
    "no_money": Text(
        zh="模型没有回答：{host} 上的余额或额度用完了。请充值，或换一个端点，再说一遍。",
        en="The model did not answer: the balance or quota at {host} is used up. Top it up or use another endpoint, then say it again.",
    ),
    "limited": Text(
        zh="模型没有回答：{host} 的请求太多了。请 {seconds} 秒后再说一遍。",
        en="The model did not answer: {host} has too many requests. Say it again in {seconds} s.",
    ),
    "limited_for_now": Text(
        zh="模型没有回答：{host} 的请求太多了。请过一分钟再说一遍。",
        en="The model did not answer: {host} has too many requests. Say it again in a minute.",
    ),
    "unreachable": Text(
        zh="模型没有回答：连不上 {host}。请检查它是否在运行、网络是否通、OPENAI_BASE_URL 是否正确，再说一遍。",
        en="The model did not answer: {host} cannot be reached. Check that it runs, the network and OPENAI_BASE_URL, then say it again.",
    ),
    "wrong_address": Text(
        zh="模型没有回答：{host} 上没有对话接口。请检查 OPENAI_BASE_URL（通常以 /v1 结尾），再说一遍。",
        en="The model did not answer: there is no chat API at this address of {host}. Check OPENAI_BASE_URL (it mostly ends in /v1), then say it again.",
    ),
    "moved": Text(
        zh="模型没有回答：{host} 指向了另一个地址，对话没有发过去。请把 OPENAI_BASE_URL 改成新地址（`jiyi doctor` 会显示），再说一遍。",
        en="The model did not answer: {host} points to another address, and the conversation was not sent there. Set OPENAI_BASE_URL to the new one (`jiyi doctor` shows it), then say it again.",
    ),
    "no_model": Text(
        zh="模型没有回答：{host} 没有名为 {model} 的模型。请检查 MODEL，再说一遍。",
        en="The model did not answer: {host} has no model named {model}. Check MODEL, then say it again.",
    ),
    "no_tools": Text(
        zh="模型没有回答：{host} 上的 {model} 不能调用工具。请换一个支持工具的模型（vLLM 需要打开 --enable-auto-tool-choice）。",
        en="The model did not answer: {model} at {host} cannot call tools. Choose one that can (vLLM needs --enable-auto-tool-choice).",
    ),
    "time_out": Text(
        zh="模型没有回答：{host} 超过 {timeout} 秒没有响应。请再说一遍；如果模型本来就慢，请调大 MODEL_TIMEOUT_S。",
        en="The model did not answer: {host} was silent for more than {timeout} s. Say it again; if the model is slow, raise MODEL_TIMEOUT_S.",
    ),
    "broke_off": Text(
        zh="回答到这里中断了：与 {host} 的连接断了。请再说一遍。",
        en="The answer broke off here: the connection to {host} was lost. Say it again.",
    ),
    "endless": Text(
        zh="回答到这里中断了：{model} 的回答没有结束，已超过 {most_s} 秒或 {most_chars} 字。请再说一遍，或换一个模型。",
        en="The answer was broken off here: that of {model} did not end within {most_s} s or {most_chars} characters. Say it again, or choose another model.",
    ),
    "cut_short": Text(
        zh="回答到这里被截断了：达到了 {model} 的长度上限。可以说“继续”。",
        en="The answer was cut short here: {model} reached its length limit. You may say “go on”.",
    ),
    "empty": Text(
        zh="模型没有给出回答：{model} 返回的内容是空的（可能思考用完了长度，或上下文太短）。请再说一遍，或换一个模型。",
        en="The model gave no answer: what {model} returned is empty (its thinking may have used up the length, or its context is too short). Say it again, or choose another model.",
    ),
    "only_tools": Text(
        zh="模型没有给出回答：{model} 用了 {most_rounds} 轮工具，还是只调用工具。请把问题说得更具体一些，或换一个模型。",
        en="The model gave no answer: after {most_rounds} rounds of tools {model} still only calls tools. Say more exactly what you want, or choose another model.",
    ),
    "too_long": Text(
        zh="模型没有回答：对话超过了 {model} 的上下文长度。请开一个新的会话，说短一些，或把模型的上下文调大。",
        en="The model did not answer: the conversation is longer than the context of {model}. Begin a new thread, say less, or give the model a longer context.",
    ),
    "refused": Text(
        zh="模型没有回答：{host} 的内容审查拒绝了这次对话。请换一种说法。",
        en="The model did not answer: the content filter of {host} refused this. Say it in other words.",
    ),
    "no_media": Text(
        zh="模型没有回答：{host} 上的 {model} 不接受你发的图片、音频或文件。之后的对话不会再带上它们；要它看，请换一个能看的模型（或者用 MODEL_TAKES 说明模型接受什么）。",
        en="The model did not answer: {model} at {host} does not take the pictures, recordings or files that you sent. They are not sent again in this thread; to have them seen choose another model (or say in MODEL_TAKES what yours takes).",
    ),
    "broken": Text(
        zh="模型没有回答：{host} 出错了（{status}）。请过一会儿再说一遍。",
        en="The model did not answer: {host} has an error of its own ({status}). Say it again in a while.",
    ),
    "rejected": Text(
        zh="模型没有回答：{host} 拒绝了请求（{status}），可能 {model} 不支持其中的某一项。请看日志，或换一个模型。",
        en="The model did not answer: {host} rejected the request ({status}); {model} may not support something in it. See the log, or choose another model.",
    ),
    "unreadable": Text(
        zh="模型没有回答：{host} 返回的不是回答。请检查 OPENAI_BASE_URL 是否指向 OpenAI 兼容的接口。",
        en="The model did not answer: what {host} returned is no answer. Check that OPENAI_BASE_URL names an OpenAI-compatible API.",
    ),
}


def sentence_of(failure: Failure, language: Language, *, model: str, chosen: Settings) -> str:
    """Write the sentence for a failure.

    Args:
        failure: What went wrong.
        language: Of the user's last message.
        model: The model's name, as the run or the settings say it.
        chosen: The settings: which endpoint, and how long it may be silent.
    """
    return SENTENCES[failure.reason].in_language(language).format(
        host=host_of(chosen),
        model=model.partition(":")[2] or model,
        seconds=failure.seconds,
        status=failure.status or "—",
        timeout=f"{chosen.model_timeout_s:g}",
        most_s=f"{most_s(chosen.model_timeout_s):g}",
        most_chars=f"{MOST_CHARS:,}",
        most_rounds=MOST_TOOL_ROUNDS,
    )  # fmt: skip


def host_of(chosen: Settings) -> str:
    """Name the endpoint's host and port, without a name and password that may stand before them."""
    return urlsplit(chosen.openai_base_url or OPENAI_URL).netloc.rpartition("@")[2]
