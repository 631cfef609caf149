from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.orders import Order, described, may_cancel, may_refund, money, order_number, priced, sample_orders
from skills.registry import Passed, Refused, Settled

TODAY = date(2026, 11, 30)


def sample(number: str) -> Order:
    return next(order for order in sample_orders(TODAY) if order.number == number)


@pytest.mark.parametrize(
    "written",
    [
        "8842",
        "#8842",
        "订单#8842",
        " 8842 ",
        "订单号：8842",
        "＃８８４２",
        "order #8842",
        "Order No. 8842",
        8842,
        "我的订单8842",
    ],
)
def test_an_order_number_is_read_as_people_write_it(written: object) -> None:
    assert order_number(written) == "#8842"


@pytest.mark.parametrize("written", ["", "  ", "#", "耳机", "8842 and 8843", "order", None, [8842], "8842; DROP TABLE"])
def test_what_is_not_an_order_number_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="not an order number"):
        order_number(written)


@given(st.integers(0, 10**12), st.sampled_from(["", "#", "订单", "订单号 ", "order ", " "]))
def test_reading_an_order_number_again_changes_nothing(number: int, before: str) -> None:
    once = order_number(f"{before}{number}")
    assert once == order_number(once) == f"#{number}"


@given(st.integers(0, 10**9))
def test_money_is_exact(cents: int) -> None:
    assert round(float(money(cents).removeprefix("¥")) * 100) == cents


def test_a_shipped_order_is_described_in_both_languages() -> None:
    outcome = described(sample("#8842"), TODAY)
    assert outcome.text == (
        "订单 #8842（降噪耳机）：已发货，运输中（顺达快递），预计 12 月 2 日送达。 / "
        "Order #8842 (noise-cancelling headphones): shipped, in transit with Shunda Express, expected on 2026-12-02."
    )
    assert outcome.data["order"] == "#8842"
    assert outcome.data["status"] == "SHIPPED"
    assert outcome.data["expected_on"] == "2026-12-02"
    assert outcome.data["carrier"] == "顺达快递 / Shunda Express"


def test_a_delivery_that_is_late_is_said_to_be_late() -> None:
    text = described(sample("#8842"), TODAY + timedelta(days=3)).text
    assert "原定 12 月 2 日送达，已延误" in text
    assert "was expected on 2026-12-02, overdue" in text


def test_the_difference_is_what_was_paid_too_much() -> None:
    outcome = priced(sample("#8844"))
    assert (outcome.data["paid_cents"], outcome.data["difference_cents"]) == (19900, 3000)
    assert "差额 ¥30.00" in outcome.text
    assert priced(replace(sample("#8844"), price_now_cents=30000)).data["difference_cents"] == 0


@pytest.mark.parametrize(
    ("number", "verdict"), [("#8842", Refused), ("#8843", Passed), ("#8844", Refused), ("#8845", Passed)]
)
def test_only_what_is_not_on_its_way_can_be_cancelled(number: str, verdict: type) -> None:
    assert isinstance(may_cancel(sample(number)), verdict)


@pytest.mark.parametrize(
    ("number", "cents", "verdict"),
    [
        ("#8842", None, Refused),
        ("#8843", None, Refused),
        ("#8844", None, Passed),
        ("#8844", 19900, Passed),
        ("#8844", 19901, Refused),
    ],
)
def test_only_what_was_paid_for_and_is_finished_can_be_refunded(number: str, cents: int | None, verdict: type) -> None:
    assert isinstance(may_refund(sample(number), cents), verdict)


@given(st.integers(1, 19900), st.integers(1, 30000))
def test_an_order_is_never_refunded_twice(before: int, wanted: int) -> None:
    verdict = may_refund(replace(sample("#8844"), refunded_cents=before), wanted)
    assert isinstance(verdict, Settled if wanted == before else Refused)
