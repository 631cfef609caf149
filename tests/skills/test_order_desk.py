from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from skills.order_desk import OrderDesk, order_desk_tools
from skills.orders import sample_orders
from skills.registry import Caller, NeedsConsent, Tool, ToolOutcome, attempt, registered, schemas

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=10)


async def done(tool: Tool, caller: Caller, **raw: Any) -> ToolOutcome:
    outcome = await attempt(tool, raw, caller, consent=True)
    assert isinstance(outcome, ToolOutcome)
    return outcome


async def status_of(tools: dict[str, Tool], caller: Caller, order_id: str) -> str:
    outcome = await done(tools["orderService.status"], caller, order_id=order_id)
    return str(outcome.data["status"])


@pytest.mark.parametrize("order_id", ["8842", "#8842", "订单#8842", " 8842 ", 8842])
async def test_the_live_state_is_given_however_the_number_is_written(
    tools: dict[str, Tool], caller: Caller, order_id: str | int
) -> None:
    outcome = await attempt(tools["orderService.status"], {"order_id": order_id}, caller, consent=None)
    assert isinstance(outcome, ToolOutcome)
    assert outcome.ok
    assert outcome.text.startswith(
        "订单 #8842（降噪耳机）：已发货，运输中（顺达快递），预计 12 月 2 日送达。 / Order #8842"
    )
    assert outcome.data["expected_on"] == "2026-12-02"


@pytest.mark.parametrize("name", ["orderService.status", "orderService.cancel", "refund.create", "price.calculate"])
async def test_an_unknown_order_is_said_to_be_unknown_in_both_languages(
    tools: dict[str, Tool], caller: Caller, name: str
) -> None:
    raw = {"order_id": "9999"} | ({"reason": "no"} if name == "orderService.cancel" else {})
    outcome = await attempt(tools[name], raw, caller, consent=None)
    assert outcome == ToolOutcome(
        ok=False,
        text="没有找到您名下的订单 #9999。 / No order #9999 of yours was found.",
        data={"refused": "check"},
    )


async def test_cancelling_asks_about_this_very_order_and_then_does_it(tools: dict[str, Tool], caller: Caller) -> None:
    cancel = tools["orderService.cancel"]
    raw = {"order_id": "8843", "reason": "买错了"}
    asked = await attempt(cancel, raw, caller, consent=None)
    assert isinstance(asked, NeedsConsent)
    assert asked.question.zh == "确认取消订单 #8843（保温杯，¥129.00）吗？"
    assert asked.question.en == "Cancel order #8843 (insulated bottle, ¥129.00)?"
    assert await status_of(tools, caller, "8843") == "PENDING"
    declined = await attempt(cancel, raw, caller, consent=False)
    assert isinstance(declined, ToolOutcome)
    assert not declined.ok
    assert await status_of(tools, caller, "8843") == "PENDING"
    outcome = await done(cancel, caller, **raw)
    assert (outcome.ok, outcome.data["status"], outcome.data["already"]) == (True, "CANCELLED", False)
    assert await status_of(tools, caller, "8843") == "CANCELLED"


async def test_cancelling_twice_is_settled_without_asking_again(tools: dict[str, Tool], caller: Caller) -> None:
    cancel = tools["orderService.cancel"]
    await done(cancel, caller, order_id="8843", reason="first")
    again = await attempt(cancel, {"order_id": "8843", "reason": "second"}, caller, consent=None)
    assert isinstance(again, ToolOutcome)
    assert (again.ok, again.data["already"]) == (True, True)
    assert "之前已经取消" in again.text


async def test_an_order_on_its_way_is_not_cancelled_whoever_agrees(tools: dict[str, Tool], caller: Caller) -> None:
    outcome = await done(tools["orderService.cancel"], caller, order_id="8842", reason="x")
    assert not outcome.ok
    assert "不能取消" in outcome.text
    assert "cannot be cancelled" in outcome.text
    assert await status_of(tools, caller, "8842") == "SHIPPED"


async def test_a_cancelled_order_is_refunded_in_full_and_once(tools: dict[str, Tool], caller: Caller) -> None:
    refund = tools["refund.create"]
    early = await done(refund, caller, order_id="8843")
    assert "请先取消订单" in early.text
    await done(tools["orderService.cancel"], caller, order_id="8843", reason="x")
    first = await done(refund, caller, order_id="8843")
    assert (first.ok, first.data["refunded_cents"], first.data["already"]) == (True, 12900, False)
    again = await done(refund, caller, order_id="8843")
    assert (again.ok, again.data["refunded_cents"], again.data["already"]) == (True, 12900, True)
    assert "已退款 ¥129.00" in (await done(tools["orderService.status"], caller, order_id="8843")).text


async def test_a_partial_refund_is_the_difference_and_no_second_one_follows(
    tools: dict[str, Tool], caller: Caller
) -> None:
    price = await done(tools["price.calculate"], caller, order_id="8844")
    assert price.data["difference_cents"] == 3000
    asked = await attempt(tools["refund.create"], {"order_id": "8844", "amount": 30}, caller, consent=None)
    assert isinstance(asked, NeedsConsent)
    assert "退款 ¥30.00 吗" in asked.question.zh
    assert (await done(tools["refund.create"], caller, order_id="8844", amount=30.0)).data["refunded_cents"] == 3000
    other = await done(tools["refund.create"], caller, order_id="8844", amount=50)
    assert not other.ok
    assert "每单只退一次" in other.text


@pytest.mark.parametrize("amount", [0, -5, 0.001, "abc", float("nan"), float("inf"), 199.01])
async def test_an_impossible_amount_is_refused_as_a_value(
    tools: dict[str, Tool], caller: Caller, amount: object
) -> None:
    outcome = await done(tools["refund.create"], caller, order_id="8844", amount=amount)
    assert not outcome.ok
    untouched = await done(tools["orderService.status"], caller, order_id="8844")
    assert "refunded_cents" not in untouched.data


async def test_refunds_asked_for_at_once_refund_once(tmp_path: Path, caller: Caller) -> None:
    async with (
        OrderDesk(tmp_path / "o.db", connect=opened) as one,
        OrderDesk(tmp_path / "o.db", connect=opened) as two,
    ):
        desks = [registered(order_desk_tools(desk))["refund.create"] for desk in (one, two)]
        calls = [done(desks[number % 2], caller, order_id="8844") for number in range(10)]
        outcomes = await asyncio.gather(*calls)
    assert sorted(outcome.data["already"] for outcome in outcomes) == [False] + [True] * 9


async def test_twenty_customers_do_not_touch_each_other(tools: dict[str, Tool], caller: Caller) -> None:
    names = [f"客户{number}" for number in range(18)] + ["a.b@c.com", "u%' OR '1'='1"]
    customers = [replace(caller, user=name) for name in names]
    cancelling = customers[::2]
    await asyncio.gather(
        *(done(tools["orderService.cancel"], customer, order_id="8843", reason="x") for customer in cancelling)
    )
    states = await asyncio.gather(*(status_of(tools, customer, "8843") for customer in customers))
    assert states == ["CANCELLED", "PENDING"] * 10


async def test_an_order_of_another_customer_is_unknown(desk: OrderDesk, tools: dict[str, Tool], caller: Caller) -> None:
    other = replace(caller, user="小李")
    theirs = replace(sample_orders(NOW.date())[1], number="#9001")
    await desk.ask(lambda book: book.place(other.user, theirs, NOW))
    assert await status_of(tools, other, "9001") == "PENDING"
    for name, raw in (("orderService.status", {}), ("orderService.cancel", {"reason": "x"}), ("refund.create", {})):
        outcome = await done(tools[name], caller, order_id="9001", **raw)
        assert outcome.text.startswith("没有找到您名下的订单 #9001")
    assert await status_of(tools, other, "9001") == "PENDING"


async def test_a_notification_is_shown_before_and_sent_once_in_a_thread(
    desk: OrderDesk, tools: dict[str, Tool], caller: Caller
) -> None:
    send = tools["notification.send"]
    asked = await attempt(send, {"message": "已取消"}, caller, consent=None)
    assert isinstance(asked, NeedsConsent)
    assert "已取消" in asked.question.zh
    assert (await done(send, caller, message="已取消")).data == {"already": False}
    assert (await done(send, caller, message="已取消")).data == {"already": True}
    assert (await done(send, replace(caller, thread_id="tuesday"), message="已取消")).data == {"already": False}
    assert await desk.ask(lambda book: book.notifications(caller.user)) == ["已取消", "已取消"]
    assert await desk.ask(lambda book: book.notifications("小李")) == []


async def test_what_was_done_is_still_so_after_closing_and_days_later(tmp_path: Path, caller: Caller) -> None:
    async with OrderDesk(tmp_path / "o.db", connect=opened) as desk:
        await done(registered(order_desk_tools(desk))["orderService.cancel"], caller, order_id="8843", reason="x")
    later = replace(caller, now=NOW + timedelta(days=5))
    async with OrderDesk(tmp_path / "o.db", connect=opened) as desk:
        tools = registered(order_desk_tools(desk))
        assert await status_of(tools, later, "8843") == "CANCELLED"
        assert "已延误" in (await done(tools["orderService.status"], later, order_id="8842")).text


async def test_work_that_fails_halfway_leaves_nothing_behind(desk: OrderDesk, caller: Caller) -> None:
    first = sample_orders(NOW.date())[0]
    with pytest.raises(sqlite3.IntegrityError):
        await desk.ask(lambda book: book.place(caller.user, first, NOW))
    assert await desk.order(caller, first.number) == first


async def test_a_desk_that_was_never_asked_opens_nothing(tmp_path: Path) -> None:
    paths: list[Path] = []

    def noted(path: Path) -> sqlite3.Connection:
        paths.append(path)
        return opened(path)

    async with OrderDesk(tmp_path / "o.db", connect=noted):
        pass
    assert paths == []


def test_every_tool_is_described_in_both_languages_with_arguments(tools: dict[str, Tool]) -> None:
    assert [tool.offered_as for tool in tools.values()] == [
        "orderService_status",
        "orderService_cancel",
        "refund_create",
        "price_calculate",
        "notification_send",
    ]
    for schema in schemas(tools.values()):
        assert " / " in schema["function"]["description"]
        assert "order_id" in schema["function"]["parameters"]["properties"] or "notification" in str(schema)
