"""Skills: all can be read; nothing of the order desk is opened for that."""

from __future__ import annotations

from graph.settings import ORDERS_FILE, Settings
from jiyi.cli.checks.check import Check
from skills.loader import SkillLibrary
from skills.order_desk import OrderDesk, order_desk_tools
from skills.registry import registered
from store.connect import connect


def check_skills(chosen: Settings) -> Check:
    """Read the skills that come with Jiyi, the home's own and those of `SKILLS_DIRS`."""
    tools = registered(order_desk_tools(OrderDesk(chosen.jiyi_home / ORDERS_FILE, connect=connect)))
    library = SkillLibrary.of_home(chosen.jiyi_home, chosen.skill_folders, tools=tools, on_fault=lambda _: None)
    library.examine()
    count = len(library.every_skill)
    found, measured = f"{count} skills", {"count": count, "faults": len(library.faults)}
    if library.faults:
        named = "; ".join(f"{fault.file}: {fault.reason}" for fault in library.faults)
        told = f"{found}; left out: {named}"
        return Check(
            name="skills",
            status="warn",
            found=told,
            advice="Mend these files; `jiyi skills check` shows them one by one.",
            measured=measured,
        )
    return Check(name="skills", status="ok", found=found, measured=measured)
