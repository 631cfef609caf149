from __future__ import annotations

from skills.rendering import rendered
from skills.skill_file import Skill


def of(skills: tuple[Skill, ...], skill_id: str) -> Skill:
    return next(skill for skill in skills if skill.id == skill_id)


def test_a_skill_is_written_in_the_language_asked_for(packaged: tuple[Skill, ...]) -> None:
    assert rendered(of(packaged, "track_delivery"), "zh").splitlines() == [
        "track_delivery: 查询订单的物流进度：是否发货、包裹在哪里、预计哪天送达",
        "1. 从对话或记忆中找订单号；有多个时问用户是哪一个",
        "2. 调用 orderService_status 查询现在的状态",
        "3. 回答时带上订单号、状态、承运商和预计送达日期；不猜测没有查到的内容",
        "工具: orderService_status",
        "安全检查: 确认订单归属当前用户",
    ]
    assert rendered(of(packaged, "track_delivery"), "en").isascii()


def test_without_a_language_it_is_written_in_both(packaged: tuple[Skill, ...]) -> None:
    text = rendered(of(packaged, "recall_promise"))
    assert "想起角色与玩家之间的承诺" in text
    assert "Recall a promise" in text
    assert "Tools" not in text


def test_tools_stand_under_the_names_they_are_offered_by(packaged: tuple[Skill, ...]) -> None:
    text = rendered(of(packaged, "cancel_order"))
    assert "orderService.cancel" not in text
    assert "orderService_cancel" in text
