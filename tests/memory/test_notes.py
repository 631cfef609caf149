"""Working notes: of the task at hand, what it has to keep to and what it reached; gone when it ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction_schema import TaskNotes
from memory.notes import MAX_ITEMS, Notes, after_turn, written

EN = Notes(
    task="Help me plan a trip to Oslo",
    constraints=("It must cost at most 900 euros", "No flights before noon"),
    results=("So far we have booked the train",),
    since="t1",
)
ZH = Notes(
    task="帮我策划去大理的旅行",
    constraints=("总价不能超过三千元", "一律坐高铁"),
    results=("目前订好了酒店",),
    since="t1",
)


def read(*turns: tuple[str, str], notes: Notes | None = None) -> tuple[Notes, list[Notes]]:
    now, over = notes or Notes(), []
    for number, (said, reply) in enumerate(turns, start=1):
        now, ended = after_turn(now, said, [reply], turn_id=f"t{number}")
        over += [ended] if ended else []
    return now, over


@pytest.mark.parametrize(
    ("turns", "notes"),
    [
        (
            [
                ("Help me plan a trip to Oslo.", "Sure."),
                ("It must cost at most 900 euros. No flights before noon.", "Noted."),
                ("So far we have booked the train. Nice weather today!", "Great."),
            ],
            EN,
        ),
        (
            [
                ("帮我策划去大理的旅行。", "好的。"),
                ("总价不能超过三千元。一律坐高铁。", "记下了。"),
                ("目前订好了酒店。今天天气不错！", "好。"),
            ],
            ZH,
        ),
    ],
)
def test_a_task_is_noted_with_what_it_keeps_to_and_what_it_reached(turns: list[tuple[str, str]], notes: Notes) -> None:
    assert read(*turns) == (notes, [])


@pytest.mark.parametrize(
    "said",
    [
        *(
            "Help me write a report on bees",
            "Let's fix the login page",
            "I need to prepare a talk",
            "We're designing a poster",
        ),
        *(
            "Can you help me draft a letter to the council?",
            "Now I want to compare two laptops",
            "The task is to migrate the shop",
        ),
        *(
            "帮我写一份蜜蜂的报告",
            "我们来修复登录页面",
            "我要准备一个演讲",
            "接下来我们一起设计海报",
            "任务是迁移商店",
            "我想比较两台电脑",
        ),
    ],
)
def test_a_task_begins_where_the_user_says_so(said: str) -> None:
    assert read((said, ""))[0].task == said.rstrip("?？")


@pytest.mark.parametrize(
    "said",
    [
        *("What is a report?", "I wrote a letter yesterday", "The weather is fine", "thanks", "Should I write a book?"),
        *("报告是什么？", "昨天写了一封信", "天气不错", "谢谢", "你会写诗吗？"),
    ],
)
def test_small_talk_and_questions_begin_none(said: str) -> None:
    assert read((said, "ok"))[0] == Notes()


@pytest.mark.parametrize(
    "said", ["That's done, thanks.", "The project is finished.", "Drop the whole thing.", "We're all done!"]
)
def test_the_notes_go_when_the_user_says_that_it_is_done(said: str) -> None:
    assert read((said, ""), notes=EN) == (Notes(), [EN])


@pytest.mark.parametrize("said", ["搞定了，谢谢。", "任务完成了。", "这件事不做了。", "就到这里吧。"])
def test_the_notes_go_when_the_user_says_that_it_is_done_in_chinese(said: str) -> None:
    assert read((said, ""), notes=ZH) == (Notes(), [ZH])


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        (EN, "It's not done yet."),
        (EN, "The first part is done."),
        (EN, "Tell me when we're done."),
        (ZH, "还没完成。"),
        (ZH, "第一部分写完了。"),
        (ZH, "等全部完成了告诉我。"),
    ],
)
def test_what_is_not_yet_done_goes_on(notes: Notes, said: str) -> None:
    now, ended = read((said, ""), notes=notes)
    assert (now.task, ended) == (notes.task, [])


@pytest.mark.parametrize(("notes", "said"), [(EN, "Now help me write a poem."), (ZH, "接下来帮我写一首诗。")])
def test_another_task_puts_its_notes_in_the_place_of_the_last(notes: Notes, said: str) -> None:
    now, ended = read((said, ""), notes=notes)
    assert (now.constraints, now.results, ended) == ((), (), [notes])
    assert now.task == said.rstrip(".。")


@pytest.mark.parametrize(
    ("notes", "said", "left"),
    [
        (EN, "Scrap the rule about flights before noon.", EN.constraints[:1]),
        (EN, "It is at most 1,200 euros now, not 900.", (EN.constraints[1], "It is at most 1,200 euros now, not 900")),
        (ZH, "高铁那条作废。", ZH.constraints[:1]),
        (ZH, "总价改成五千元。", (ZH.constraints[1], "总价改成五千元")),
    ],
)
def test_a_constraint_is_taken_back_or_changed(notes: Notes, said: str, left: tuple[str, ...]) -> None:
    assert read((said, ""), notes=notes)[0].constraints == left


@pytest.mark.parametrize(
    ("notes", "reply", "result"),
    [
        (EN, "I added it up. The total comes to 840 euros.", "The total comes to 840 euros"),
        (ZH, "我算了一下。总共两千八百元。", "总共两千八百元"),
    ],
)
def test_a_figure_that_the_assistant_reached_is_a_result(notes: Notes, reply: str, result: str) -> None:
    assert read(("hm", reply), notes=notes)[0].results[-1] == result


def test_they_are_written_in_the_language_of_the_prompt() -> None:
    assert written(EN, "en") == (
        "Task: Help me plan a trip to Oslo\nTo keep to: It must cost at most 900 euros; No flights before noon\n"
        "Reached so far: So far we have booked the train"
    )
    assert written(ZH, "zh") == "任务：帮我策划去大理的旅行\n要求：总价不能超过三千元；一律坐高铁\n进展：目前订好了酒店"
    assert written(Notes(), "zh") == ""


@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=80)), max_size=6))
def test_notes_stay_small_and_belong_to_a_task(turns: list[tuple[str, str]]) -> None:
    now, over = read(("Help me plan a trip", ""), *turns)
    for notes in (now, *over):
        assert len(notes.constraints) <= MAX_ITEMS
        assert len(notes.results) <= MAX_ITEMS
        assert notes.task or notes == Notes()


@pytest.mark.parametrize(
    ("notes", "said", "told", "expected"),
    [
        (Notes(), "A cake for Bo is what I am at", TaskNotes(task="a cake for Bo"), ("a cake for Bo", (), ())),
        (Notes(), "What is a cake?", TaskNotes(task="Bake a cake"), ("", (), ())),
        (EN, "Vegan, please", TaskNotes(constraints=["Vegan"]), (EN.task, (*EN.constraints, "Vegan"), EN.results)),
        (EN, "And that was it", TaskNotes(done=True), ("", (), ())),
        (Notes(), "给小波的蛋糕是我手头的事", TaskNotes(task="给小波的蛋糕"), ("给小波的蛋糕", (), ())),
        (
            ZH,
            "要素食",
            TaskNotes(constraints=["要素食"], results=["没说过"]),
            (ZH.task, (*ZH.constraints, "要素食"), ZH.results),
        ),
    ],
)
def test_of_what_a_model_reads_the_users_own_words_are_noted(
    notes: Notes, said: str, told: TaskNotes, expected: tuple[str, tuple[str, ...], tuple[str, ...]]
) -> None:
    now, _ = after_turn(notes, said, [], turn_id="t9", told=told)
    assert (now.task, now.constraints, now.results) == expected
