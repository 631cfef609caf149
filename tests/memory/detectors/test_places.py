"""Places: an address down to a house is replaced whole in both languages; a town or a district alone stays."""

from __future__ import annotations

import pytest

from memory.privacy import redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("现居住在黑龙江省哈尔滨市南岗区中山路123号。", "现居住在黑龙江省哈尔滨市[street]。"),
        ("寄到河北省石家庄市长安区和平东路100号，放门口", "寄到河北省石家庄市[street]，放门口"),
        ("我家在北京朝阳区望京街10号院1号楼", "我家在北京[street]"),
        ("地址：上海市浦东新区世纪大道100号8楼801室", "地址：上海市[street]"),
        ("从文三路456号到和平路3号打车", "从[street]到[street]打车"),
        ("搬到翠湖花园7栋1单元602了", "搬到[street]了"),
        ("老家在湖南省常德市桃源县漆河镇青山村5组18号", "老家在湖南省常德市[street]"),
        ("住人民路一百二十号", "住[street]"),
        ("水电路12号", "[street]"),
        ("住在文三路 478 号", "住在[street]"),
        ("文三路 478 号 3 号楼", "[street]"),
        ("台北市信义区信义路五段7号", "台北市[street]"),
        ("I live at 221B Baker Street with a cat", "I live at [street] with a cat"),
        ("ship it to 350 Fifth Avenue, Apt 5C", "ship it to [street]"),
        ("742 Evergreen Terrace, Springfield, IL 62704", "[street]"),
        ("10 Downing Street, London SW1A 2AA", "[street]"),
        ("residing at 1600 20th Street Northwest and", "residing at [street] and"),
        ("she lives at 4089 Cedar Port", "she lives at [street]"),
        ("0958 Bowen Fords Suite 625", "[street]"),
        ("my new address is Puruntie 82", "my new address is [street]"),
        ("寄到Via Garibaldi 23吧", "寄到[street]吧"),
        ("26 rue des Lilas", "[street]"),
        ("Unit 8505 Box 9220\nDPO AE 90744", "[street]"),
        ("P.O. Box 1138", "[street]"),
        ("20789 Allika 46\n Suite 501\n Riisa\n Estonia 62488", "[street]"),
    ],
)
def test_of_an_address_the_city_alone_is_told_again(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        "我住在杭州市西湖区",
        "黑龙江省哈尔滨市道里区",
        "坐2号线到人民广场站3号口",
        "今天是12月3号，5号楼停电",
        "人民路很堵，二号门见",
        "公交12路3站",
        "思路1号方案",
        "电路2号板",
        "套路18号",
        "出路一号",
        "优化思路 2 号",
        "知道1号是谁",
        "我走路 5 号出发",
        "move to 100 Mbps Plan",
        "lives on 16 GB Memory",
        "I live in Springfield, Illinois",
        "based in Berlin 2019, moved to Team 7",
        "meet me at Gate 12 on 12 March 2024",
        "I stayed in Room 237 and read Chapter 5",
        "about 300 miles on Route 66",
        "100 Years of Solitude, 12 Angry Men",
        "500 Internal Server Error",
    ],
)
def test_what_leads_to_no_house_stays(text: str) -> None:
    assert redact(text).text == text


def test_town_and_country_stay_where_the_lines_stand_apart() -> None:
    text = "> 72134 Ilmalankuja 82\n> Suite 446\n> Pori\n> Finland 87971"
    assert redact(text).text == "> [street]\n> Pori\n> Finland [street]"
