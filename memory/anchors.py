"""Anchors: plain sentences about nothing in particular, against which an embedder's cosines are calibrated."""

CHINESE = (
    "今天天气不错，适合出去走走。",
    "会议改到了三楼的会议室。",
    "这家店周末人很多，要排队。",
    "他把自行车停在了楼下。",
    "明天的火车是早上八点。",
    "电影的结局有点出人意料。",
    "打印机又没纸了。",
    "她在阳台上种了几盆花。",
    "公司下个月搬到新的办公楼。",
    "昨晚的比赛踢成了平局。",
    "这个季节的桃子很甜。",
    "图书馆九点才开门。",
)
OTHER = (
    "The weather is nice, good for a walk.",
    "The meeting was moved to a room upstairs.",
    "That shop is crowded at weekends.",
    "He left the bicycle in front of the house.",
    "The train leaves at eight in the morning.",
    "The film had an unexpected ending.",
    "The printer is out of paper again.",
    "There are some flowers on the balcony.",
    "The company moves to a new building next month.",
    "Last night's match ended in a draw.",
    "Peaches are sweet at this time of the year.",
    "The library does not open before nine.",
)
ANCHORS = (*CHINESE, *OTHER)
