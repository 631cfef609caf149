"""Orders: what the example shop knows about one, and what may be done with it. No I/O."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from skills.bilingual import Text
from skills.registry import Passed, Refused, Settled, ToolOutcome

Status = Literal["PENDING", "CONFIRMED", "SHIPPED", "DELIVERED", "CANCELLED"]

CANCELLABLE: frozenset[Status] = frozenset({"PENDING", "CONFIRMED"})
REFUNDABLE: frozenset[Status] = frozenset({"DELIVERED", "CANCELLED"})

STATUS_WORDS: dict[Status, Text] = {
    "PENDING": Text(zh="待确认，尚未发货", en="pending, not shipped yet"),
    "CONFIRMED": Text(zh="已确认，尚未发货", en="confirmed, not shipped yet"),
    "SHIPPED": Text(zh="已发货，运输中", en="shipped, in transit"),
    "DELIVERED": Text(zh="已送达", en="delivered"),
    "CANCELLED": Text(zh="已取消", en="cancelled"),
}

_REFERENCE = re.compile(
    r"""(?:我的\s*)?(?:订单号?|单号|my\ order|order)?\s*
        (?:编号|number|no\.?|id)?\s*(?:是|为)?\s*[:：]?\s*
        \#?\s*([a-z0-9][a-z0-9-]{0,19})""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, kw_only=True)
class Order:
    """An order of one customer; money in cents, `expected_on` known while it is on its way."""

    number: str
    item: Text
    status: Status
    paid_cents: int
    price_now_cents: int
    ordered_on: date
    carrier: Text | None = None
    expected_on: date | None = None
    refunded_cents: int | None = None


def order_number(written: object) -> str:
    """Read an order number as people and models write it: `8842`, `#8842`, `订单#8842`, ` 8842 `.

    Raises:
        ValueError: There is no order number in it, or more than one.
    """
    plain = unicodedata.normalize("NFKC", str(written)).strip() if isinstance(written, str | int) else ""
    found = _REFERENCE.fullmatch(plain)
    if found is None or not any(char.isdigit() for char in found.group(1)):
        raise ValueError(f"{written!r:.40} is not an order number; write it like #8842")
    return f"#{found.group(1).upper()}"


def money(cents: int) -> str:
    """Write an amount in yuan."""
    return f"¥{cents // 100}.{cents % 100:02d}"


def unknown(number: str) -> Refused:
    """Say that the customer has no such order, whether or not somebody else has."""
    return Refused(Text(zh=f"没有找到您名下的订单 {number}。", en=f"No order {number} of yours was found."))


def may_cancel(order: Order) -> Passed | Refused | Settled:
    """Judge whether an order can still be cancelled; once it is, asking again changes nothing."""
    if order.status == "CANCELLED":
        return Settled(cancelled(order, already=True))
    if order.status in CANCELLABLE:
        return Passed()
    words = STATUS_WORDS[order.status]
    return Refused(
        Text(
            zh=f"订单 {order.number} {words.zh}，不能取消；可以在收货后申请退款。",
            en=f"Order {order.number} is {words.en} and cannot be cancelled; a refund is possible after delivery.",
        )
    )


def may_refund(order: Order, cents: int | None) -> Passed | Refused | Settled:
    """Judge a refund; an order is refunded once, and asking for the same again changes nothing.

    Args:
        order: What it is for.
        cents: How much; None for all that was paid.
    """
    wanted = order.paid_cents if cents is None else cents
    if order.refunded_cents is not None:
        return _refunded_before(order, order.refunded_cents, wanted)
    if order.status not in REFUNDABLE:
        return Refused(_not_refundable(order))
    if wanted > order.paid_cents:
        return Refused(
            Text(
                zh=f"退款金额 {money(wanted)} 超过订单 {order.number} 的已付金额 {money(order.paid_cents)}。",
                en=f"A refund of {money(wanted)} is more than the {money(order.paid_cents)} paid for {order.number}.",
            )
        )
    return Passed()


def _refunded_before(order: Order, before: int, wanted: int) -> Refused | Settled:
    if before == wanted:
        return Settled(refunded(order, already=True))
    return Refused(
        Text(
            zh=f"订单 {order.number} 已经退过 {money(before)}，每单只退一次；再退需要人工处理。",
            en=f"Order {order.number} was refunded {money(before)} before, once per order; more needs a person.",
        )
    )


def _not_refundable(order: Order) -> Text:
    words = STATUS_WORDS[order.status]
    zh, en = (
        ("请先取消订单", "cancel it first") if order.status in CANCELLABLE else ("请收货后再申请", "wait for delivery")
    )
    return Text(
        zh=f"订单 {order.number} {words.zh}，现在不能退款，{zh}。",
        en=f"Order {order.number} is {words.en} and cannot be refunded now; {en}.",
    )


def described(order: Order, today: date) -> ToolOutcome:
    """Say how an order stands."""
    status, way = STATUS_WORDS[order.status], _on_its_way(order, today)
    text = Text(
        zh=f"订单 {order.number}（{order.item.zh}）：{status.zh}{way.zh}{_refund_words(order).zh}。",
        en=f"Order {order.number} ({order.item.en}): {status.en}{way.en}{_refund_words(order).en}.",
    )
    return ToolOutcome(ok=True, text=str(text), data=order_data(order))


def _on_its_way(order: Order, today: date) -> Text:
    if order.carrier is None or order.expected_on is None:
        return Text(zh="", en="")
    day = f"{order.expected_on.month} 月 {order.expected_on.day} 日"
    late = order.expected_on < today
    return Text(
        zh=f"（{order.carrier.zh}），{f'原定 {day}送达，已延误' if late else f'预计 {day}送达'}",
        en=f" with {order.carrier.en}, {'was ' if late else ''}expected on {order.expected_on.isoformat()}"
        + (", overdue" if late else ""),
    )


def _refund_words(order: Order) -> Text:
    if order.refunded_cents is None:
        return Text(zh="", en="")
    return Text(zh=f"，已退款 {money(order.refunded_cents)}", en=f", refunded {money(order.refunded_cents)}")


def order_data(order: Order) -> dict[str, str | int | None]:
    """Give an order as JSON values; what is not known is left out."""
    data = {
        "order": order.number,
        "item": str(order.item),
        "status": order.status,
        "carrier": str(order.carrier) if order.carrier else None,
        "expected_on": order.expected_on.isoformat() if order.expected_on else None,
        "paid_cents": order.paid_cents,
        "refunded_cents": order.refunded_cents,
    }
    return {name: value for name, value in data.items() if value is not None}


def cancelled(order: Order, *, already: bool) -> ToolOutcome:
    """Say that an order is cancelled."""
    text = Text(
        zh=f"订单 {order.number} {'之前已经取消，没有重复操作' if already else '已取消'}。",
        en=f"Order {order.number} {'was cancelled before; nothing was done twice' if already else 'is cancelled'}.",
    )
    return ToolOutcome(ok=True, text=str(text), data=order_data(order) | {"already": already})


def refunded(order: Order, *, already: bool) -> ToolOutcome:
    """Say that an order is refunded."""
    amount = money(order.refunded_cents or 0)
    text = Text(
        zh=f"订单 {order.number} {f'之前已经退款 {amount}，没有重复退' if already else f'已退款 {amount}，原路退回'}。",
        en=f"Order {order.number} "
        + (f"was refunded {amount} before; nothing was refunded twice." if already else f"is refunded {amount}."),
    )
    return ToolOutcome(ok=True, text=str(text), data=order_data(order) | {"already": already})


def priced(order: Order) -> ToolOutcome:
    """Say what was paid, what it costs now, and the difference that could be refunded."""
    difference = max(order.paid_cents - order.price_now_cents, 0)
    text = Text(
        zh=f"订单 {order.number}：已付 {money(order.paid_cents)}，现价 {money(order.price_now_cents)}，"
        f"差额 {money(difference)}{_refund_words(order).zh}。",
        en=f"Order {order.number}: paid {money(order.paid_cents)}, price now {money(order.price_now_cents)}, "
        f"difference {money(difference)}{_refund_words(order).en}.",
    )
    data = {"price_now_cents": order.price_now_cents, "difference_cents": difference}
    return ToolOutcome(ok=True, text=str(text), data=order_data(order) | data)


def sample_orders(today: date) -> tuple[Order, ...]:
    """Give what each new customer of the example shop has ordered, as of today."""
    return (
        Order(
            number="#8842",
            item=Text(zh="降噪耳机", en="noise-cancelling headphones"),
            status="SHIPPED",
            paid_cents=39900,
            price_now_cents=39900,
            ordered_on=today - timedelta(days=3),
            carrier=Text(zh="顺达快递", en="Shunda Express"),
            expected_on=today + timedelta(days=2),
        ),
        Order(
            number="#8843",
            item=Text(zh="保温杯", en="insulated bottle"),
            status="PENDING",
            paid_cents=12900,
            price_now_cents=12900,
            ordered_on=today,
        ),
        Order(
            number="#8844",
            item=Text(zh="台灯", en="desk lamp"),
            status="DELIVERED",
            paid_cents=19900,
            price_now_cents=16900,
            ordered_on=today - timedelta(days=9),
        ),
        Order(
            number="#8845",
            item=Text(zh="机械键盘", en="mechanical keyboard"),
            status="CONFIRMED",
            paid_cents=45900,
            price_now_cents=42900,
            ordered_on=today - timedelta(days=1),
        ),
    )
