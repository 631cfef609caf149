"""Media: what a block is, its bytes out of a message and back, what a model sees, what is said in its place."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory.media import (
    Media,
    captioned,
    is_caption,
    kind_of,
    label,
    left_out_told,
    media_of,
    note,
    references_in,
    remembered,
    restored,
    seen,
    shelved,
    still_told,
    text_with_media,
    text_without_notes,
)
from memory.media.encoded import is_readable
from memory.media.shelving import MissingBytesError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
B64 = base64.b64encode(PNG).decode()
SHA = hashlib.sha256(PNG).hexdigest()
TEXT = {"type": "text", "text": "看 look"}


class Shelf(dict[str, bytes]):
    """Keeps bytes in memory."""

    def keep(self, data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        self[sha256] = data
        return sha256


leaves = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=600).map(lambda data: base64.b64encode(data).decode()),
    st.binary(max_size=600).map(lambda data: f"data:image/png;base64,{base64.b64encode(data).decode()}"),
    st.integers(),
    st.none(),
    st.booleans(),
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("url", "data", "name", "base64")), inner, max_size=3)
    ),
    max_leaves=8,
)
types = st.sampled_from(
    ("image", "image_url", "audio", "input_audio", "file", "document", "hologram", "video", "reasoning")
)
blocks = st.builds(
    lambda kind, rest: {**rest, "type": kind},
    types,
    st.dictionaries(
        st.sampled_from(("base64", "url", "image_url", "input_audio", "file", "source", "extras", "mime_type")),
        values,
        max_size=4,
    ),
)
contents = st.lists(st.one_of(blocks, st.text(max_size=20), st.just(TEXT)), max_size=4)


@given(contents, st.integers(0, 50))
def test_what_is_shelved_comes_back_exactly_as_it_was(content: list[Any], most: int) -> None:
    shelf = Shelf()
    message = HumanMessage(content, id="m")
    kept = shelved(message, most_bytes=most, keep=shelf.keep)
    back = [restored(block, shelf.get) if isinstance(block, dict) else block for block in kept.content]
    assert back == content
    assert message.content == content


@given(contents, st.integers(0, 50))
def test_shelving_twice_is_shelving_once_and_refers_to_all_that_was_kept(content: list[Any], most: int) -> None:
    shelf = Shelf()
    once = shelved(content, most_bytes=most, keep=shelf.keep)
    assert shelved(once, most_bytes=most, keep=shelf.keep) is once
    assert {one.sha256 for one in references_in(once)} == shelf.keys()


@given(blocks)
def test_any_block_can_be_described_named_and_noted_in_one_line(block: dict[str, Any]) -> None:
    if not kind_of(block):
        return
    media = media_of(block)
    for text in (label(media, "zh"), label(media, "en"), note(media, "broken", "zh"), note(media, "too_large", "en")):
        assert text.startswith("[")
        assert text.endswith("]")
        assert len(text.splitlines()) == 1
        assert len(text) < 600


@given(st.lists(contents, max_size=4), st.sets(st.sampled_from(("image", "audio", "file"))) | st.none())
def test_a_model_sees_as_many_messages_and_blocks_as_there_are_and_nothing_that_it_does_not_take(
    all_contents: list[list[Any]], takes: set[str] | None
) -> None:
    window = [HumanMessage(content, id=str(at)) for at, content in enumerate(all_contents)]
    view = seen(window, takes=takes, read=Shelf().get, language="en")
    assert [(one.id, len(one.content)) for one in view.messages] == [(one.id, len(one.content)) for one in window]
    shown = [kind_of(block) for one in view.messages for block in one.content]
    assert takes is None or set(shown) <= {"", *takes}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (
            {"type": "image", "base64": B64, "mime_type": "image/png", "extras": {"name": "cat.png", "caption": "a cat"}},
            Media(kind="image", media_type="image/png", size=len(PNG), sha256=SHA, name="cat.png", caption="a cat"),
        ),
        ({"type": "image", "base64": B64}, Media(kind="image", media_type="image/png", size=len(PNG), sha256=SHA)),
        (
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{B64}"}},
            Media(kind="image", media_type="image/png", size=len(PNG), sha256=SHA),
        ),
        ({"type": "image_url", "image_url": "https://a.example/x/%E7%8C%AB.png?key=s3cret"}, Media(kind="image", name="猫.png")),
        ({"type": "image", "url": "https://a.example/x?key=s3cret.png"}, Media(kind="image")),
        (
            {"type": "input_audio", "input_audio": {"data": B64, "format": "wav"}},
            Media(kind="audio", media_type="audio/wav", size=len(PNG), sha256=SHA),
        ),
        (
            {"type": "file", "file": {"filename": "a\n[b].pdf", "file_data": f"data:application/pdf;base64,{B64}"}},
            Media(kind="file", media_type="application/pdf", size=len(PNG), sha256=SHA, name="a b .pdf"),
        ),
        ({"type": "file", "file_id": "file-1"}, Media(kind="file")),
        ({"type": "media", "data": B64, "mime_type": "audio/mp3"}, Media(kind="audio", media_type="audio/mp3", size=len(PNG), sha256=SHA)),
        ({"type": "hologram"}, Media(kind="hologram")),
    ],
)  # fmt: skip
def test_a_block_is_described_in_whichever_form_it_is(block: dict[str, Any], expected: Media) -> None:
    assert media_of(block) == expected
    shelf = Shelf()
    (kept,) = shelved([block], most_bytes=100, keep=shelf.keep)
    assert media_of(kept) == expected


@pytest.mark.parametrize(
    "block", [TEXT, "看", {"type": "reasoning", "reasoning": "…"}, {"type": "tool_use", "id": "1"}, None]
)
def test_what_is_said_thought_or_called_is_no_medium(block: Any) -> None:
    assert kind_of(block) == ""


@pytest.mark.parametrize(
    ("why", "zh", "en"),
    [
        ("not_taken", "[图片，png，34 KB：这个模型不接受图片]", "[image, png, 34 KB: this model takes no images]"),
        ("refused", "[图片，png，34 KB：模型拒绝了它]", "[image, png, 34 KB: the model refused it]"),
        ("gone", "[图片，png，34 KB：内容已经删除]", "[image, png, 34 KB: its content was deleted]"),
        ("broken", "[图片，png，34 KB：内容损坏，读不出来]", "[image, png, 34 KB: its content is broken and cannot be read]"),
        ("too_large", "[图片，png，34 KB：太大了，一次最多 20 MB]", "[image, png, 34 KB: too large, at most 20 MB at a time]"),
    ],
)  # fmt: skip
def test_a_note_says_what_was_there_and_why_it_is_not_shown(why: Any, zh: str, en: str) -> None:
    media = Media(kind="image", media_type="image/png", size=34 * 1024)
    assert (note(media, why, "zh"), note(media, why, "en")) == (zh, en)
    for text in (zh, en):
        said = HumanMessage(["我对花生过敏", {"type": "text", "text": text}])
        assert text_without_notes(said) == "我对花生过敏"


def test_a_transcript_that_came_with_a_recording_is_all_that_a_model_without_ears_gets_of_it() -> None:
    audio = {"type": "audio", "base64": B64, "mime_type": "audio/wav", "extras": {"transcript": "明天九点 at nine"}}
    notes = [
        seen([HumanMessage([audio])], takes={"text"}, read=Shelf().get, language=language).left_out[0].note
        for language in ("zh", "en")
    ]
    assert notes == [
        "[音频，wav，2 KB，“明天九点 at nine”：这个模型不接受音频]",
        "[audio, wav, 2 KB, “明天九点 at nine”: this model takes no audio]",
    ]


def test_of_many_pictures_that_are_left_out_the_user_is_told_the_first_and_how_many_there_are() -> None:
    notes = [f"[{number}]" for number in range(9)]
    assert left_out_told(notes, "en") == "(The model was not shown what you sent: [0] [1] [2] [3] [4] … +4)"
    assert left_out_told(notes[:2], "zh") == "（模型没有看到你发的：[0] [1]）"


def test_the_newest_pictures_go_along_as_far_as_there_is_room() -> None:
    image = {"type": "image", "base64": B64, "mime_type": "image/png"}
    window = [HumanMessage([image, TEXT], id=name) for name in ("old", "new")]
    view = seen(window, takes=None, read=Shelf().get, language="en", most_bytes=len(PNG) + 10)
    assert [one.message_id for one in view.left_out] == ["old"]
    assert view.messages[1] is window[1]


def test_a_picture_of_a_tool_is_noted_too_and_what_a_model_said_in_a_form_of_its_own_is_given_back() -> None:
    image = {"type": "image", "base64": B64, "mime_type": "image/png"}
    own = {"type": "image_generation_call", "result": B64}
    shelf = Shelf()
    window: list[BaseMessage] = [AIMessage([own], id="a"), ToolMessage([image], tool_call_id="1", id="t")]
    kept = shelved(window, most_bytes=100, keep=shelf.keep)
    view = seen(kept, takes={"text"}, read=shelf.get, language="zh")
    assert view.messages[0].content == [own]
    assert view.messages[1].content == [{"type": "text", "text": "[图片，png，2 KB：这个模型不接受图片]"}]


def test_a_file_that_is_its_text_is_shown_as_text() -> None:
    block = {"type": "text-plain", "text": "line", "mime_type": "text/plain"}
    assert seen([HumanMessage([block])], takes={"text"}, read=Shelf().get, language="en").messages[0].content == [
        {"type": "text", "text": "line"}
    ]


def test_bytes_without_a_type_get_the_one_that_they_begin_with() -> None:
    view = seen([HumanMessage([{"type": "image", "base64": B64}])], takes=None, read=Shelf().get, language="en")
    assert view.messages[0].content == [{"type": "image", "base64": B64, "mime_type": "image/png"}]


def test_bytes_of_which_nothing_tells_the_type_are_noted() -> None:
    window = [HumanMessage([{"type": "image", "base64": base64.b64encode(bytes(900)).decode()}])]
    views = [seen(window, takes=None, read=Shelf().get, language=language) for language in ("zh", "en")]
    assert [view.left_out[0].note for view in views] == [
        "[图片，900 B：没有说明是什么格式（mime_type）]",
        "[image, 900 B: nothing tells its format (mime_type)]",
    ]


def test_a_reference_is_never_shelved_itself_however_long_its_type_is() -> None:
    shelf, long_type = Shelf(), "application/" + "x" * 80
    (kept,) = shelved([{"type": "file", "base64": B64, "mime_type": long_type}], most_bytes=0, keep=shelf.keep)
    assert shelved(kept, most_bytes=0, keep=shelf.keep) is kept
    assert restored(kept, shelf.get)["base64"] == B64


@pytest.mark.parametrize("most", [0, 10, 4096])
def test_an_address_a_name_and_a_long_transcript_stay_where_they_are_whatever_the_limit(most: int) -> None:
    said = "她说了很多 she said much. " * 500
    block = {
        "type": "audio",
        "url": "https://a.example/x.wav",
        "mime_type": "audio/wav",
        "extras": {"transcript": said},
    }
    assert shelved([block], most_bytes=most, keep=Shelf().keep) == [block]
    assert media_of(block).caption.startswith("她说了很多 she said much.")


def test_bytes_that_are_gone_are_told_by_their_hash() -> None:
    (kept,) = shelved([{"type": "image", "base64": B64}], most_bytes=100, keep=Shelf().keep)
    with pytest.raises(MissingBytesError, match=SHA):
        restored(kept, Shelf().get)


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        (B64, True),
        (f"data:image/png;base64,{B64}", True),
        ("AA\nA=", True),
        ("_-8", True),
        ("@@", False),
        ("data:image/png;base64,", False),
    ],
)
def test_base64_is_read_in_the_forms_that_endpoints_take(text: str, readable: bool) -> None:
    assert is_readable(text) is readable


@pytest.mark.parametrize(
    ("said", "plain", "told"),
    [
        ("看这张", "看这张\n[图片：猫.png]", "看这张\n[图片：猫.png，一只灰猫]"),
        ("Look", "Look\n[image: 猫.png]", "Look\n[image: 猫.png, 一只灰猫]"),
        ("", "[图片：猫.png]", "[图片：猫.png，一只灰猫]"),
    ],
)
def test_what_is_remembered_names_the_picture_and_takes_its_caption(said: str, plain: str, told: str) -> None:
    media = (Media(kind="image", name="猫.png"),)
    assert remembered(said, media) == plain
    text, known = captioned(plain, media, {0: "一只灰猫\n", 7: "nowhere"})
    assert (text, known[0].caption) == (told, "一只灰猫")
    assert captioned(text, known, {0: "另一句"}) == (text, known)
    assert captioned("[forgotten]", media, {0: "一只灰猫"}) == ("[forgotten]", media)
    assert still_told(plain, media) == media
    assert still_told(said or "…", media) == (Media(kind="image"),)
    assert still_told("", media) == ()


@pytest.mark.parametrize(
    "text",
    ["", " \n", "我看不到这张图片。", "抱歉，我无法查看图片", "I can’t see the image.", "I'm unable to view images"],
)
def test_that_nothing_was_seen_is_no_caption(text: str) -> None:
    assert not is_caption(text)


@pytest.mark.parametrize("text", ["一只灰猫在沙发上", "A grey cat on a sofa", "A sign: no view of the sea"])
def test_what_was_seen_is_a_caption(text: str) -> None:
    assert is_caption(text)


def test_a_message_without_words_says_what_it_shows() -> None:
    assert text_with_media(HumanMessage([{"type": "image", "file_id": "f"}])) == "[image]"


def test_a_spoken_answer_beside_the_content_is_shelved_and_comes_back_and_thoughts_stay() -> None:
    shelf = Shelf()
    thought = "I should say it kindly. " * 200
    beside = {"audio": {"id": "audio_1", "data": B64, "transcript": "hello"}, "reasoning_content": thought}
    message = AIMessage("", additional_kwargs=beside)
    kept = shelved(message, most_bytes=500, keep=shelf.keep)
    written = {"role": "assistant", "content": "", "additional_kwargs": beside}
    assert shelved(written, most_bytes=500, keep=shelf.keep)["additional_kwargs"] == kept.additional_kwargs
    assert list(shelf) == [SHA]
    assert kept.additional_kwargs["reasoning_content"] == thought
    assert kept.additional_kwargs["audio"]["transcript"] == "hello"
    assert [one.sha256 for one in references_in(kept)] == [SHA]
    for read, expected in ((shelf.get, beside), (lambda sha256: None, kept.additional_kwargs)):
        window = [HumanMessage("say it"), kept, HumanMessage("again")]
        assert seen(window, takes=None, read=read, language="en").messages[1].additional_kwargs == expected
