from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skills.triggers import TriggerError, checked_trigger, plain, spans, spoken


def says(trigger: str, message: str) -> bool:
    return bool(spans(trigger, plain(message)))


@pytest.mark.parametrize(
    ("trigger", "message"),
    [
        ("物流", "帮我查一下物流信息"),
        ("取消订单", "我想 取消 订单"),
        ("取消…订单", "请取消我昨天下的那个订单"),
        ("cancel…order", "Please CANCEL my last order!"),
        ("cancel…order", "cancel both orders"),
        ("cancel order", "cancel   order"),
        ("track", "帮我track一下"),
        ("where's my order", "Where’s my order?"),
        ("track...parcel", "can you track my parcel"),
        ("^track", "Please track #8842"),
        ("ERR-4471", "看到 ＥＲＲ－４４７１ 了"),
    ],
)
def test_a_trigger_is_found(trigger: str, message: str) -> None:
    assert says(trigger, message)


@pytest.mark.parametrize(
    ("trigger", "message"),
    [
        ("track", "I love this soundtrack"),
        ("track", "the tracker is broken"),
        ("^track", "keep track of my reading"),
        ("取消…订单", "先取消会议。然后看看订单"),
        ("cancel…order", "Cancel the meeting. Then show the order"),
        ("cancel…order", "cancel the meeting that was planned for the border"),
        ("a.c", "abc"),
        ("order", "border"),
    ],
)
def test_a_trigger_is_not_found_where_it_is_not_said(trigger: str, message: str) -> None:
    assert not says(trigger, message)


@pytest.mark.parametrize("trigger", ["", "  ", "单", "…", "^a", "?!"])
def test_a_trigger_that_matches_everything_is_refused(trigger: str) -> None:
    with pytest.raises(TriggerError, match="too short"):
        checked_trigger(trigger)


def test_a_trigger_is_spoken_without_its_signs() -> None:
    assert spoken("^track…order") == "track order"


@given(st.text(alphabet="取消订单物流 abcXYZ019", min_size=2), st.text(max_size=30), st.text(max_size=30))
def test_a_trigger_is_found_wherever_it_stands_alone(trigger: str, before: str, after: str) -> None:
    assume(sum(char.isalnum() for char in trigger) >= 2)
    assert says(checked_trigger(trigger), f"{before}。{trigger}。{after}")


@given(st.text(max_size=200), st.sampled_from(["取消…订单", "cancel…order", "^track", "物流"]))
def test_places_lie_within_the_message(message: str, trigger: str) -> None:
    said = plain(message)
    assert all(0 <= start < end <= len(said) for start, end in spans(trigger, said))
