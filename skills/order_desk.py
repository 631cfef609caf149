"""The order desk: an example of a business system that an agent works with through tools.

What it knows is the business's truth and no memory: it is asked each time. Replace it by your own system; what a
tool needs is in `skills.registry`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from skills.bilingual import Text
from skills.order_arguments import Cancellation, Notification, OfOrder, Refund
from skills.order_book import OrderBook
from skills.orders import (
    Order,
    cancelled,
    described,
    may_cancel,
    may_refund,
    money,
    priced,
    refunded,
    unknown,
)
from skills.registry import Caller, NeedsConsent, Passed, Refused, Settled, Tool, ToolOutcome, Verdict, refusal

Answer = TypeVar("Answer")


class OrderDesk:
    """The shop's counter: opens its file at first use and works on one thread of its own.

    Use it as `async with`, or call `aclose` in the end.

    Args:
        path: Where the shop's SQLite file is; made when it does not exist.
        connect: Opens a database file; called on the desk's thread.
    """

    def __init__(self, path: Path, *, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._book: OrderBook | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="order-desk")

    async def ask(self, question: Callable[[OrderBook], Answer]) -> Answer:
        """Run a piece of work on the book, on the desk's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    async def order(self, caller: Caller, number: str) -> Order | None:
        """Find one of the caller's orders as it is now."""
        return await self.ask(lambda book: book.order(caller.user, number, caller.now))

    async def aclose(self) -> None:
        """Close the file and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    async def __aenter__(self) -> OrderDesk:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _answer(self, question: Callable[[OrderBook], Answer]) -> Answer:
        if self._book is None:
            self._book = OrderBook(self._connect(self._path))
        return question(self._book)

    def _close(self) -> None:
        if self._book is not None:
            self._book.close()
            self._book = None


def order_desk_tools(desk: OrderDesk) -> tuple[Tool, ...]:
    """Offer the desk's work as tools."""
    work = _Work(desk)
    return (
        Tool(
            name="orderService.status",
            description=Text(
                zh="查询当前用户某个订单的实时状态、承运商和预计送达日期。",
                en="Look up the live state, carrier and expected date of one of this user's orders.",
            ),
            arguments=OfOrder,
            effect="read",
            checks=(work.is_callers_order,),
            run=work.status,
        ),
        Tool(
            name="orderService.cancel",
            description=Text(
                zh="取消当前用户还没有发货的订单。不会自动退款。",
                en="Cancel an order of this user that has not been shipped. Does not refund by itself.",
            ),
            arguments=Cancellation,
            effect="write",
            checks=(work.is_callers_order, work.is_cancellable),
            run=work.cancel,
        ),
        Tool(
            name="refund.create",
            description=Text(
                zh="为已送达或已取消的订单退款，每单一次，不超过已付金额；不给金额就全退。",
                en="Refund a delivered or cancelled order, once per order and at most what was paid; all if no amount.",
            ),
            arguments=Refund,
            effect="write",
            checks=(work.is_callers_order, work.is_refundable),
            run=work.refund,
        ),
        Tool(
            name="price.calculate",
            description=Text(
                zh="计算订单的已付金额、现价和可退差额。",
                en="Work out what was paid for an order, its price now, and the difference.",
            ),
            arguments=OfOrder,
            effect="read",
            checks=(work.is_callers_order,),
            run=work.price,
        ),
        Tool(
            name="notification.send",
            description=Text(zh="给当前用户发送一条通知。", en="Send a notification to this user."),
            arguments=Notification,
            effect="write",
            checks=(work.asks_before_sending,),
            run=work.notify,
        ),
    )


class _Work:
    """The tools' checks and acts, on one desk."""

    def __init__(self, desk: OrderDesk) -> None:
        self._desk = desk

    async def is_callers_order(self, arguments: OfOrder, caller: Caller) -> Verdict:
        """Check that the order belongs to the caller."""
        order = await self._desk.order(caller, arguments.order_id)
        return Passed() if order else unknown(arguments.order_id)

    async def is_cancellable(self, arguments: Cancellation, caller: Caller) -> Verdict:
        """Check that the order is not on its way yet, and ask for consent."""
        order = await self._desk.order(caller, arguments.order_id)
        verdict = may_cancel(order) if order else unknown(arguments.order_id)
        if order is None or not isinstance(verdict, Passed):
            return verdict
        return NeedsConsent(
            Text(
                zh=f"确认取消订单 {order.number}（{order.item.zh}，{money(order.paid_cents)}）吗？",
                en=f"Cancel order {order.number} ({order.item.en}, {money(order.paid_cents)})?",
            )
        )

    async def is_refundable(self, arguments: Refund, caller: Caller) -> Verdict:
        """Check that the order may be refunded, that much and for the first time, and ask for consent."""
        order = await self._desk.order(caller, arguments.order_id)
        verdict = may_refund(order, arguments.cents) if order else unknown(arguments.order_id)
        if order is None or not isinstance(verdict, Passed):
            return verdict
        amount = money(order.paid_cents if arguments.cents is None else arguments.cents)
        return NeedsConsent(
            Text(
                zh=f"确认为订单 {order.number}（{order.item.zh}）退款 {amount} 吗？",
                en=f"Refund {amount} for order {order.number} ({order.item.en})?",
            )
        )

    async def asks_before_sending(self, arguments: Notification, _: Caller) -> Verdict:
        """Show the user what would be sent."""
        return NeedsConsent(
            Text(zh=f"要发送这条通知吗：“{arguments.message}”", en=f'Send this notification: "{arguments.message}"?')
        )

    async def status(self, arguments: OfOrder, caller: Caller) -> ToolOutcome:
        """Say how the order stands."""
        order = await self._desk.order(caller, arguments.order_id)
        return described(order, caller.now.date()) if order else refusal(unknown(arguments.order_id).reason)

    async def price(self, arguments: OfOrder, caller: Caller) -> ToolOutcome:
        """Say what was paid, what it costs now, and the difference."""
        order = await self._desk.order(caller, arguments.order_id)
        return priced(order) if order else refusal(unknown(arguments.order_id).reason)

    async def cancel(self, arguments: Cancellation, caller: Caller) -> ToolOutcome:
        """Cancel the order, judged once more while nobody else can write."""
        number, reason = arguments.order_id, arguments.reason
        done = await self._desk.ask(lambda book: book.cancel(caller.user, number, reason, caller.now))
        return cancelled(done, already=False) if isinstance(done, Order) else _not_done(done)

    async def refund(self, arguments: Refund, caller: Caller) -> ToolOutcome:
        """Refund the order, judged once more while nobody else can write."""
        number, cents = arguments.order_id, arguments.cents
        done = await self._desk.ask(lambda book: book.refund(caller.user, number, cents, caller.now))
        return refunded(done, already=False) if isinstance(done, Order) else _not_done(done)

    async def notify(self, arguments: Notification, caller: Caller) -> ToolOutcome:
        """Send the message, once in a thread."""
        message = arguments.message
        new = await self._desk.ask(lambda book: book.notify(caller.user, caller.thread_id, message, caller.now))
        text = Text(
            zh="通知已发送。" if new else "这条通知之前已经发过，没有重复发送。",
            en="The notification was sent." if new else "This notification was sent before; it was not sent twice.",
        )
        return ToolOutcome(ok=True, text=str(text), data={"already": not new})


def _not_done(verdict: Refused | Settled) -> ToolOutcome:
    return verdict.outcome if isinstance(verdict, Settled) else refusal(verdict.reason)
