"""Write the generated half of the labelled data for `jiyi bench pii`: what has a check digit, and what only looks private.

    python -m bench.make_pii

`own-generated.pii.jsonl`: cards, IBANs, addresses of computers (IPv4, IPv6) and resident's ids, each with right check digits
where its kind has them, in sentences of both languages, at the start, in the middle and at the end, beside Chinese
characters and grouped. `own-benign.pii.jsonl`: orders, parcels, versions, prices, times, models, books and code, in which
nothing is private. The sentences stand here, the numbers are drawn with a seed: the same call writes the same files.
"""

from __future__ import annotations

import ipaddress
import json
import random
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jiyi.evals.own_files import own_files
from memory.digits import RESIDENT_CHECKS, RESIDENT_WEIGHTS, passes_luhn

SEED = 20260301
EACH = 6
"""How often a sentence of the generated file is filled in."""
BENIGN_EACH = 3

Row = dict[str, Any]
Draw = Callable[[random.Random], str]

CARDS = (
    ("zh", "帮我记一下卡号{}，是工资卡"),
    ("zh", "{}这张信用卡下个月到期"),
    ("zh", "房租请打到我的银行卡：{}"),
    ("zh", "昨天用尾号不对，完整的是{}。"),
    ("en", "Please charge my card {} for the hotel."),
    ("en", "{} is the card I use for groceries"),
    ("en", "My old Visa was ({}), it expired"),
    ("en", "the number on the front says {}"),
)
IBANS = (
    ("zh", "学费汇到{}，别写错"),
    ("zh", "我的IBAN是{}"),
    ("zh", "{}是房东的账户"),
    ("zh", "他给的国际账号：{}。"),
    ("en", "Send the deposit to {}, please."),
    ("en", "{} belongs to my landlord"),
    ("en", "My IBAN is {}"),
    ("en", "transfer (account {}) by Friday"),
)
IPS = (
    ("zh", "我家路由器的公网地址是{}"),
    ("zh", "{}登录过我的账号"),
    ("zh", "从{}连上来的就是我"),
    ("zh", "把{}加进白名单吧，谢谢"),
    ("en", "My home connection has the address {} today"),
    ("en", "{} was me, logging in from the hotel"),
    ("en", "please unblock {}, that is my laptop"),
    ("en", "the login came from ({})"),
)
IDS = (
    ("zh", "我的身份证号是{}，帮我填表"),
    ("zh", "{}，这是我妈妈的证件号码"),
    ("zh", "报名要用身份证{}"),
    ("zh", "同行的人：李雷{}，韩梅梅没带"),
    ("en", "My Chinese ID number is {}"),
    ("en", "{} is what stands on my resident card"),
    ("en", "for the visa form use {} please"),
    ("en", "my partner's national ID ({}) is on file"),
)
IBAN_LENGTHS = {
    "DE": "d" * 18,
    "GB": "l" * 4 + "d" * 14,
    "FR": "d" * 10 + "x" * 11 + "d" * 2,
    "NL": "l" * 4 + "d" * 10,
    "ES": "d" * 20,
    "IT": "l" + "d" * 10 + "x" * 12,
    "CH": "d" * 5 + "x" * 12,
    "AT": "d" * 16,
    "BE": "d" * 12,
    "PL": "d" * 24,
    "SE": "d" * 20,
    "IE": "l" * 4 + "d" * 14,
}
CARD_KINDS = (
    ("4", 16),
    ("51", 16),
    ("54", 16),
    ("37", 15),
    ("62", 19),
    ("6222", 19),
    ("62", 16),
    ("6011", 16),
    ("35", 16),
)
PROVINCES = ("110101", "310104", "440106", "330102", "510104", "420111", "230102", "610113", "350203", "370202")

BENIGN: tuple[tuple[str, str], ...] = (
    ("zh", "订单号是{d12}，还没发货"),
    ("zh", "订单{d16}已经付款"),
    ("zh", "我的订单编号：{d18}，麻烦催一下"),
    ("zh", "快递单号SF{d13}到哪了"),
    ("zh", "运单号{d14}显示已签收"),
    ("zh", "圆通YT{d13}，三天没动了"),
    ("zh", "物流号：{t11}，查不到"),
    ("zh", "京东快递JD{d13}"),
    ("zh", "工单{d8}处理完了吗"),
    ("zh", "发票号码{d20}，代码{d12}"),
    ("zh", "交易流水号{d19}对不上"),
    ("zh", "把依赖升级到{s}.{s}.{s}版本"),
    ("zh", "版本 {o}.{o}.{o}.{o} 有问题，回退吧"),
    ("zh", "固件版本：{s}.{s}.{o}.{o}"),
    ("zh", "Chrome 更新到 {o}.0.{d4}.{o} 之后变慢了"),
    ("zh", "请看第{s}.{s}.{s}.{s}节"),
    ("zh", "章节 {s}.{s}.{s} 讲的是缓存"),
    ("zh", "这台电脑{d4}元，分12期"),
    ("zh", "总价￥{d5}.{c2}，含税"),
    ("zh", "预算{m}元左右，最多再加一千"),
    ("zh", "年收入大概{d6}元"),
    ("zh", "{date} {clock} 开会"),
    ("zh", "时间戳 {d10} 换成北京时间"),
    ("zh", "毫秒时间戳 17{d11} 是几点"),
    ("zh", "日志里写着 {date}T{clock}Z ERROR"),
    ("zh", "明天 {clock} 的闹钟"),
    ("zh", "ISBN 978{d10} 这本书不错"),
    ("zh", "书号9787{d9}，帮我找一下"),
    ("zh", "型号 XPS-{d4}-{d3}，要配充电器"),
    ("zh", "序列号 {X12}，保修查询"),
    ("zh", "错误码 0x{h8} 是什么意思"),
    ("zh", "提交 {h40} 引入了这个问题"),
    ("zh", "商品条码69{d11}"),
    ("zh", "坐G{d4}次列车，{s}车{s}{s}号"),
    ("zh", "航班CA{d4}延误了"),
    ("zh", "端口 {d4} 被占用，换成 {d4}"),
    ("zh", "监听 0.0.0.0:{d4} 就行"),
    ("zh", "本机 127.0.0.1 连不上"),
    ("zh", "会议号 {d9}，下午两点"),
    ("zh", "地铁{s}号线转{s}号线"),
    ("zh", "第{d2}章第{d2}页，一共{d3}页"),
    ("zh", "跑了{d2}公里，用时{clock}"),
    ("zh", "我住在杭州市西湖区，养了{s}只猫"),
    ("zh", "生日是19{y}年{s}月{s}日，属马"),
    ("zh", "面积{d3}平方米，{s}室{s}厅"),
    ("zh", "数组是[1, 3, 5, {s}, {s}, {s}, {s}, {s}, {s}, {s}, {s}]"),
    ("zh", "圆周率 3.{d15}"),
    ("zh", "彩票号码 {d2} {d2} {d2} {d2} {d2} {d2}"),
    ("zh", "统一社会信用代码 91{d6}MA{X8}"),
    ("zh", "准考证号{d12}，座位{s}"),
    ("zh", "优惠券 {X4}-{X4}-{X4}"),
    ("zh", "取件码 {s}-{s}-{d4}"),
    ("zh", "公交{d3}路到终点站"),
    ("zh", "浏览量 {d7}，点赞 {d5}"),
    ("zh", "密码学课在{d3}教室"),
    ("zh", "装了微信 8.0.{o} 之后很卡"),
    ("en", "Order number {d12} has not shipped yet"),
    ("en", "my order {d16} was charged twice"),
    ("en", "Order #{d10} arrived broken"),
    ("en", "order id: {d18}"),
    ("en", "tracking number {d12}, where is it"),
    ("en", "Tracking: 1Z{X8}{d8}"),
    ("en", "UPS says {u}, FedEx tracking {d15}"),
    ("en", "the parcel {t11} is stuck in customs"),
    ("en", "ticket {d8} is still open"),
    ("en", "invoice no. {d10} is due on {date}"),
    ("en", "reference {X6}-{d6} for the refund"),
    ("en", "transaction id {d19} failed"),
    ("en", "upgrade to version {o}.{o}.{o}.{o} please"),
    ("en", "v{s}.{s}.{d5}.{s} broke the build"),
    ("en", "we run {s}.{s}.{s} in production"),
    ("en", "release {o}.{s}.{s}.{s} fixed it"),
    ("en", "see section {s}.{s}.{s}.{s} of the manual"),
    ("en", "chapter {d2}, page {d3}"),
    ("en", "it costs ${d4}.{c2} with tax"),
    ("en", "the budget is {m} dollars"),
    ("en", "income of ${m}.{c2} a year"),
    ("en", "the meeting is on {date} at {clock}"),
    ("en", "timestamp {d10} in local time"),
    ("en", "epoch 17{d11} in milliseconds"),
    ("en", "{date}T{clock}.{d3}Z WARN retry {s}"),
    ("en", "wake me at {clock} tomorrow"),
    ("en", "ISBN 978-{s}-{d2}-{d6}-{s} is a good read"),
    ("en", "ISBN-10: 0{d9}"),
    ("en", "model number WH-{d4}XM{s}"),
    ("en", "serial number {X12} is out of warranty"),
    ("en", "error 0x{h8} again"),
    ("en", "commit {h40} broke it"),
    ("en", "sha256 {h64}"),
    ("en", "uuid {h8}-{h4}-4{h3}-a{h3}-{h12}"),
    ("en", "barcode {d13} does not scan"),
    ("en", "flight LH{d4}, seat {d2}A"),
    ("en", "listen on 0.0.0.0:{d4}"),
    ("en", "mac address 00:1a:{h2}:{h2}:{h2}:{h2}"),
    ("en", "std::vector<int> a{s}; foo::bar::baz(12)"),
    ("en", "x = [1, 3, 8, {s}, {s}, {s}, {s}, {s}, {s}, {s}, {s}]"),
    ("en", "pi is 3.{d15}"),
    ("en", "I ran {d2} km in {clock}"),
    ("en", "about {d7} views and {d5} likes"),
    ("en", "born in 19{y}, moved to Berlin in 20{c2}"),
    ("en", "npm i left-pad@{s}.{s}.{s} and @types/node@{d2}.{s}.{s}"),
    ("en", "git clone git@code.example.org:team/app-{s}.git"),
    ("en", "lottery numbers {d2} {d2} {d2} {d2} {d2} {d2}"),
    ("en", "coupon {X4}-{X4}-{X4} gives 10 % off"),
    ("en", "RFC {d4} and ISO {d4}-{s}"),
    ("en", "a {d4}x{d4} screen, {d3} Hz"),
    ("en", "CVE-20{c2}-{d5} is patched"),
    ("en", "the part number is {d4}-{d4}-{d4}"),
    ("en", "My pass expired on {date}; the ticket costs {d2} euros"),
    ("en", "Windows 10 Pro build {d5}, Office 365"),
    ("en", "I read 3 Chapters of Clean Code on {date}"),
    ("en", "password rules: {d2} characters at least"),
)


def write(folder: Path) -> None:
    """Write both files into a folder."""
    chance = random.Random(SEED)  # noqa: S311  (numbers of samples, no secrets)
    _write(folder / "own-generated.pii.jsonl", list(_generated(chance)))
    _write(folder / "own-benign.pii.jsonl", list(_benign(chance)))


def _generated(chance: random.Random) -> Iterator[Row]:
    for kind, sentences, draw in (
        ("bank_card", CARDS, _card),
        ("iban", IBANS, _iban),
        ("ip", IPS, _ip),
        ("national_id", IDS, _resident_id),
    ):
        for lang, sentence in sentences:
            for _ in range(EACH + 2):
                yield _labelled(lang, sentence, draw(chance), kind)


def _benign(chance: random.Random) -> Iterator[Row]:
    for lang, sentence in BENIGN:
        for text in dict.fromkeys(_filled_in(sentence, chance) for _ in range(BENIGN_EACH)):
            yield {"lang": lang, "text": text, "spans": []}


def _labelled(lang: str, sentence: str, value: str, kind: str) -> Row:
    start = sentence.index("{}")
    return {"lang": lang, "text": sentence.replace("{}", value), "spans": [[start, start + len(value), kind]]}


def _card(chance: random.Random) -> str:
    prefix, length = chance.choice(CARD_KINDS)
    body = prefix + _some(string.digits, length - len(prefix) - 1, chance)
    digits = next(body + check for check in string.digits if passes_luhn(body + check))
    groups = [digits[:4], digits[4:10], digits[10:]] if length == len("378282246310005") else _fours(digits)
    return chance.choice(("", " ", "-")).join(groups)


def _iban(chance: random.Random) -> str:
    country, shape = chance.choice(list(IBAN_LENGTHS.items()))
    alphabets = {"d": string.digits, "l": string.ascii_uppercase, "x": string.digits + string.ascii_uppercase}
    body = "".join(chance.choice(alphabets[place]) for place in shape)
    number = int("".join(str(int(char, 36)) for char in f"{body}{country}00"))
    whole = f"{country}{98 - number % 97:02d}{body}"
    return chance.choice(("", " ")).join(_fours(whole))


def _ip(chance: random.Random) -> str:
    if chance.random() < 0.5:  # noqa: PLR2004
        first = chance.choice((10, 39, 61, 88, 113, 172, 192, 203, 222))
        return ".".join(
            str(part) for part in (first, chance.randint(10, 250), chance.randint(0, 255), chance.randint(1, 254))
        )
    network = chance.choice((0x20010DB8, 0x2408820F, 0x2A0200BE, 0xFD12AB34, 0xFE800000))
    middle = 0 if chance.random() < 0.5 else chance.getrandbits(32)  # noqa: PLR2004
    address = ipaddress.IPv6Address((network << 96) | (middle << 64) | chance.getrandbits(64))
    return address.exploded if chance.random() < 0.3 else str(address)  # noqa: PLR2004


def _resident_id(chance: random.Random) -> str:
    born = f"{chance.randint(1940, 2012)}{chance.randint(1, 12):02d}{chance.randint(1, 28):02d}"
    body = chance.choice(PROVINCES) + born + _some(string.digits, 3, chance)
    total = sum(weight * int(char) for weight, char in zip(RESIDENT_WEIGHTS, body, strict=True))
    whole = body + RESIDENT_CHECKS[total % 11]
    return chance.choice((whole, whole, whole.lower(), f"{whole[:6]} {whole[6:14]} {whole[14:]}"))


def _fours(text: str) -> list[str]:
    return [text[place : place + 4] for place in range(0, len(text), 4)]


def _filled_in(sentence: str, chance: random.Random) -> str:
    parts = sentence.split("{")
    return parts[0] + "".join(_drawn(*part.partition("}")[::2], chance) for part in parts[1:])


def _drawn(what: str, rest: str, chance: random.Random) -> str:
    """Draw a filler: `d5` five digits, `X`, `h` the like, `c2` digits that may begin with 0, others by name."""
    named: dict[str, Draw] = {
        "s": lambda chance: str(chance.randint(1, 9)),
        "o": lambda chance: str(chance.randint(2, 120)),
        "y": lambda chance: str(chance.randint(50, 99)),
        "m": lambda chance: f"{chance.randint(10, 900)},{chance.randint(0, 999):03d}",
        "u": lambda chance: f"1Z{_some(string.ascii_uppercase + string.digits, 16, chance)}",
        "t11": lambda chance: chance.choice("2345678") + _some(string.digits, 10, chance),
        "date": lambda chance: f"20{chance.randint(10, 29)}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
        "clock": lambda chance: f"{chance.randint(0, 23):02d}:{chance.randint(0, 59):02d}:{chance.randint(0, 59):02d}",
    }
    if what in named:
        return named[what](chance) + rest
    alphabet = {
        "d": string.digits,
        "c": string.digits,
        "X": string.ascii_uppercase + string.digits,
        "h": string.hexdigits[:16],
    }
    drawn = _some(alphabet[what[0]], int(what[1:]), chance)
    return (chance.choice("123456789") + drawn[1:] if what[0] == "d" else drawn) + rest


def _some(alphabet: str, count: int, chance: random.Random) -> str:
    return "".join(chance.choice(alphabet) for _ in range(count))


def _write(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    write(own_files("")[0])
