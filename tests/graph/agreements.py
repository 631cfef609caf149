"""Agreements that are planted in long threads: what is said, the words that tell it, and how it is taken back, if it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Planted:
    """What is agreed; `sign` stands in nothing else that is said.

    `revoked` takes it back later; "" where it holds. `instead` tells what holds then.
    """

    said: str
    sign: str
    revoked: str = ""
    instead: str = ""

    @property
    def points_back(self) -> bool:
        """Say whether the revocation names nothing, so that it is only understood where it is said."""
        return self.revoked in POINT_BACK


POINT_BACK = ("Never mind that one.", "那个作废。")


def _plant(said: str, sign: str, revoked: str = "", instead: str = "") -> Planted:
    return Planted(said=said, sign=sign, revoked=revoked, instead=instead)


FIRST = {
    "en": (
        _plant("Let's agree that nobody phones me before 9 o'clock.", "9 o'clock", "Scrap the 9 o'clock rule."),
        _plant("The catering budget is capped at 4,300 euros.", "4,300"),
        _plant("From now on every draft goes to Priya for sign-off.", "Priya"),
        _plant("We decided to go with the blue logo.", "blue logo", "I changed my mind about the blue logo."),
        _plant("Deal: refunds above 50 dollars need my approval.", "refunds above 50"),
        _plant(
            "The weekly sync happens on Tuesdays at noon.",
            "Tuesdays",
            "Let's move the weekly sync to Thursdays instead.",
            "Thursdays",
        ),
        _plant("No peanuts in anything we order for the team.", "peanuts"),
        _plant("We will ship the parcels with DHL only.", "DHL", "We're not using DHL any more."),
        _plant("Invoices must carry the code KX-204.", "KX-204"),
        _plant("I'd like all reports in metric units, please stick to that.", "metric units", "Never mind that one."),
    ),
    "zh": (
        _plant("说好了，九点以前谁也别给我打电话。", "九点", "九点那条规矩作废吧。"),
        _plant("这次聚餐的预算上限是四千三百元。", "四千三百"),
        _plant("以后所有稿子都先给普雅过目。", "普雅"),
        _plant("我们决定用蓝色的标志。", "蓝色", "蓝色标志的决定我改主意了，不用了。"),
        _plant("退款超过五十块的，一律要我批准。", "五十块"),
        _plant("周会定在每周二中午。", "周二", "周会改到周四中午。", "周四"),
        _plant("给团队订的东西里都不能有花生。", "花生"),
        _plant("包裹只用顺丰寄。", "顺丰", "不用顺丰了。"),
        _plant("发票上必须写编号 KX-204。", "KX-204"),
        _plant("报告里一律用公制单位。", "公制", "那个作废。"),
    ),
}
"""Known to whoever wrote the rules."""

CHATTER = {
    "en": (
        "I walked 7 km by the river this morning.",
        "Did you know that octopuses have three hearts?",
        "My cat knocked over a vase today.",
        "How do I get wine stains out of linen?",
        "It rained all day and the bus was late.",
        "Tell me a joke about penguins.",
        "I watched a film about Mars on Friday, it was long.",
        "What is a good word for slightly annoyed?",
        "thanks!",
        "I always forget where I put my keys.",
        "Can you explain how tides work?",
        "We had 12 guests last weekend and the oven broke.",
        "I love the smell of coffee.",
        "What's 17 times 23?",
        "My neighbour plays the trumpet at midnight.",
        "Is it true that honey keeps for ever?",
        "I read 40 pages last night before falling asleep.",
        "The weather in Lisbon was lovely last year.",
        "good morning",
        "Give me three names for a goldfish.",
        "I never liked maths at school.",
        "Why do cats purr?",
        "I bought a green scarf for 15 dollars yesterday.",
        "That is a nice way to put it.",
    ),
    "zh": (
        "今天早上沿着河走了七公里。",
        "你知道章鱼有三颗心脏吗？",
        "我家猫刚才打翻了一个花瓶。",
        "亚麻布上的酒渍怎么去掉？",
        "下了一整天雨，公交车也晚点。",
        "讲个关于企鹅的笑话吧。",
        "周五看了一部火星的电影，挺长的。",
        "有点烦用哪个词比较好？",
        "谢谢！",
        "我老是忘记钥匙放哪儿了。",
        "潮汐是怎么回事，能解释一下吗？",
        "上周末来了十二个客人，烤箱还坏了。",
        "我很喜欢咖啡的香味。",
        "17乘以23是多少？",
        "邻居半夜吹小号。",
        "蜂蜜真的永远不会坏吗？",
        "昨晚睡前读了四十页书。",
        "去年里斯本的天气很舒服。",
        "早上好",
        "给金鱼起三个名字。",
        "我上学的时候不喜欢数学。",
        "猫为什么会打呼噜？",
        "昨天花十五块买了条绿围巾。",
        "这个说法不错。",
    ),
}

LATER = {
    "en": (
        _plant("Tom handles the landlord, I don't want to talk to him myself.", "landlord"),
        _plant(
            "Meetings are limited to 25 minutes.", "25 minutes", "You can drop the 25 minute limit, it didn't work out."
        ),
        _plant("For the newsletter we use the title Harbour Notes.", "Harbour Notes"),
        _plant("I promised my sister to be done by June 14.", "June 14"),
        _plant(
            "Backups run every night at 2 am on the old server.", "old server", "The nightly backups are cancelled."
        ),
        _plant(
            "The launch is going to be on the 3rd of May.",
            "3rd of May",
            "The launch has been pushed to the 20th of May.",
            "20th of May",
        ),
        _plant("Anything in French gets checked by Odile first.", "Odile"),
        _plant("We picked the oak table over the pine one.", "oak table", "I take that back about the oak table."),
        _plant("Please always answer me without bullet points.", "bullet points"),
        _plant(
            "Guests pay 20 pounds each for the boat.",
            "20 pounds",
            "It's 35 pounds for the boat now, not 20.",
            "35 pounds",
        ),
    ),
    "zh": (
        _plant("房东那边由老汤去谈，我不想出面。", "房东"),
        _plant("会议限时二十五分钟。", "二十五分钟", "二十五分钟的限制去掉吧，行不通。"),
        _plant("通讯的标题就叫《港湾笔记》。", "港湾笔记"),
        _plant("我答应了姐姐六月十四号之前弄完。", "六月十四"),
        _plant("旧服务器每天夜里两点备份。", "旧服务器", "夜里的备份取消了。"),
        _plant("发布会放在五月三号。", "五月三号", "发布会推到五月二十号了。", "五月二十号"),
        _plant("法语的东西都先让小欧看一遍。", "小欧"),
        _plant("桌子我们挑了橡木的，没要松木。", "橡木", "橡木桌子的事我收回。"),
        _plant("回答我的时候请不要用项目符号。", "项目符号"),
        _plant("坐船每位客人收二十块。", "收二十块", "坐船现在收三十五块，不是二十了。", "三十五块"),
    ),
}
"""Written after the rules were."""

LAST = {
    "en": (
        _plant("Rosa has the keys to the studio, ask her and not me.", "Rosa"),
        _plant("We're meeting at the Elm Street office.", "Elm Street", "The Elm Street office is out, forget it."),
        _plant("Sandwiches have to be halal.", "halal"),
        _plant("I want two reviewers on each change.", "two reviewers", "Two reviewers is too much, one is enough."),
        _plant("Nothing gets published before the lawyer has seen it.", "lawyer"),
        _plant("Deposit is 150 francs, non-refundable.", "150 francs"),
        _plant("Let us use Lato for all slides.", "Lato", "We're dropping Lato."),
        _plant("Keep the guest list under forty people.", "under forty"),
        _plant("The van is booked for Saturday at seven.", "The van", "The van booking is off."),
        _plant("Noor writes the minutes, that's settled.", "Noor", "Noor won't be writing the minutes after all."),
    ),
    "zh": (
        _plant("工作室的钥匙在罗姐那儿，找她别找我。", "罗姐"),
        _plant("见面就在榆树街的办公室。", "榆树街", "榆树街那个地方不去了。"),
        _plant("三明治必须是清真的。", "清真"),
        _plant("每次改动我要两个人审。", "两个人审", "两个人审太多了，一个就够。"),
        _plant("律师没看过的东西不能发。", "律师"),
        _plant("押金一百五十法郎，不退。", "一百五十"),
        _plant("幻灯片统一用思源宋体。", "思源宋体", "思源宋体我们不用了。"),
        _plant("客人名单控制在四十人以内。", "四十人"),
        _plant("面包车订了周六七点。", "面包车", "面包车不订了。"),
        _plant("会议纪要由小努写，就这么定了。", "小努", "纪要还是别让小努写了。"),
    ),
}
"""Written last, when nothing was to be changed any more."""
