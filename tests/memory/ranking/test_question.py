"""The question: what it is about, who says it, whether it asks a time, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory.ranking.question import MOST_PIECES, question_of


def test_a_plain_question_is_its_own_text_and_its_pieces() -> None:
    question = question_of("上司是做什么工作的呢？另外，论坛的地点是什么？", ("user",))
    assert question.pieces == ("上司是做什么工作的呢", "论坛的地点是什么")
    assert question.text == question.last
    assert question.by == ""


def test_the_names_of_those_who_speak_are_no_terms() -> None:
    question = question_of("When did Moss adopt the dogs?", ("Moss", "Fern"))
    assert (question.about, question.terms) == (("Moss",), ("adopt", "dog"))
    assert question_of("Mossy stones", ("Moss", "Fern")).about == ()


@pytest.mark.parametrize(
    "text", ["When did it end?", "What year was it?", "什么时候搬的家？", "他哪天来？", "几月开学？"]
)
def test_a_question_for_a_time_is_known(text: str) -> None:
    assert question_of(text, ()).asks_when


@pytest.mark.parametrize("text", ["Where is it?", "他是谁？", "what is whenever"])
def test_another_question_asks_no_time(text: str) -> None:
    assert not question_of(text, ()).asks_when


def test_of_a_conversation_the_users_words_count_and_the_last_ones_again() -> None:
    talk = '<Bo>: "I passed!"\n<Assistant>: "Great."\n<Bo>: "How to celebrate?"\n<Bo>: "With cake?"'
    question = question_of(talk, ("user",))
    assert question.text == "I passed!\nHow to celebrate?\nWith cake?"
    assert (question.last, question.by) == ("How to celebrate?\nWith cake?", "Bo")


def test_a_line_with_a_colon_is_no_conversation() -> None:
    assert question_of("note: buy milk", ()).by == ""


def test_a_long_message_has_few_pieces_and_an_empty_one_is_one() -> None:
    assert len(question_of("。".join(f"第 {n} 句话" for n in range(50)), ()).pieces) == MOST_PIECES
    assert question_of("", ()).pieces == ("",)


NOW = datetime(2025, 7, 16, tzinfo=UTC)


def test_a_question_knows_its_times_and_what_else_it_asks() -> None:
    question = question_of("What did Moss buy last week?", ("Moss", "Fern"), now=NOW)
    assert [(one.begin, one.end) for one in question.times] == [(NOW - timedelta(days=9), NOW - timedelta(days=2))]
    assert (question.topic, question.only_time, question.asked_at) == (("buy",), False, NOW)


@pytest.mark.parametrize("text", ["What did Moss say last week?", "上周 Moss 说了什么？", "上次我们聊了什么？"])
def test_where_only_a_time_is_asked_for_nothing_is_left_to_look_for(text: str) -> None:
    question = question_of(text, ("Moss", "Fern"), now=NOW)
    assert question.only_time
    assert (question.terms, question.topic) == ((), ())


@pytest.mark.parametrize("text", ["What did I say in May?\nAnd in June?", "我五月说了什么？\n那六月呢？"])
def test_of_a_question_and_what_it_leans_on_the_last_time_counts(text: str) -> None:
    question = question_of(text, ("user",), now=NOW)
    assert [one.begin.month for one in question.times] == [6]
    assert question.only_time


def test_a_conversation_tells_of_times_and_asks_for_none() -> None:
    talk = '<Bo>: "I saw it last week."\n<Assistant>: "Nice."\n<Bo>: "What did I see last time?"'
    question = question_of(talk, ("user",), now=NOW)
    assert (question.times, question.occasion, question.only_time) == ((), "", False)


@pytest.mark.parametrize(
    "query",
    [
        "Error: timeout\nTime: 10:00\nWhen are my kitchen tiles coming?",
        "09:00 standup\n09:30 review\nWhat is my flight number?",
        "Options:\nA: satay\nB: stew\nWhich of these can I eat?",
        "https://a.example/x\nhttps://a.example/y\nWhich of these did I send you?",
        "姓名：见附件\n电话：见附件\n我儿子叫什么名字？",
    ],
)
def test_a_form_a_list_or_a_log_is_no_conversation_and_nothing_of_it_is_lost(query: str) -> None:
    question = question_of(query, ("user", "assistant"))
    assert (question.text, question.by) == (query, "")


@pytest.mark.parametrize(
    ("query", "by", "text"),
    [
        ("Fern: I ride.\nAssistant: Where?\nFern: To the lake,\nby bike.", "Fern", "I ride.\nTo the lake,\nby bike."),
        ("小满：我想骑车。\n助手：去哪里？", "小满", "我想骑车。"),
        ("Fern: I ride.\nMoss: Where?", "Moss", "I ride.\nWhere?"),
    ],
)
def test_in_a_conversation_counts_what_the_people_say(query: str, by: str, text: str) -> None:
    question = question_of(query, ("Fern", "Moss"))
    assert (question.text, question.by) == (text, by)


def test_blanks_take_no_time() -> None:
    query = "Where is my dog\n" + " " * 100_000 + "\nx: y\n" + "\t" * 100_000
    assert question_of(query, ()).by == ""
