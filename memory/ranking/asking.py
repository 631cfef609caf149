"""asking: what a message wants, by its wording alone: company, a task that anybody could do, or something of one's own."""

from __future__ import annotations

import re


def _wordings(zh: str, en: str, *, before: str = "", after: str = "") -> re.Pattern[str]:
    """Make a pattern of wordings, some a line; English ones stand as whole words.

    Args:
        zh: In Chinese.
        en: In English.
        before: What must stand before.
        after: What must follow.
    """
    chinese, english = ("|".join(line.strip() for line in text.strip().splitlines()) for text in (zh, en))
    return re.compile(rf"{before}(?:{chinese}|\b(?:{english})\b){after}", re.IGNORECASE)


COURTESY = _wordings(
    """
    非常感谢|[谢感多]谢|谢[了啦]|感激|感恩|万分|辛苦|劳驾|麻烦你|费心|太?客气|有你真好|帮(?:了)?大?忙|你(?:真|太|最)(?:好|棒|贴心|厉害)
    [你您]好|大家好|[早中晚下上]午?[好安]|哈[喽啰]|嗨|喂|好久不见|又见面|幸会|久等|有人[吗嘛]|在[吗么]
    (?:祝你?)?(?:节日|新年|生日|圣诞|中秋|周末|假期|元旦|春节|旅途)(?:快乐|愉快|好)|恭喜|祝贺|祝你|一路平安
    再见|拜拜|回见|回头(?:见|聊|说)|改天|下次(?:见|聊|再)|(?:我|那)?先(?:这样|走|撤|下|忙|睡)|我(?:走|撤|下|睡|溜)[了啦]|保重|慢走|晚安
    好的|好[吧嘞呀啊了]|行[吧啊]?(?!李|程|业)|可以的?|没(?:问题|事|关系)|不客气|[明]白|懂了?|收到|了解|知道了|原来如此|这样啊|有道理|没错|对[的啊对]
    随便|都(?:行|可以)|无所谓|听你的|就(?:这样|这么)|不用了|算了|继续|嗯+|哦+|噢|哈{2,}|[呵嘿嘻]{2,}|不错|挺好|太?好了|真(?:好|棒)|漂亮
    """,
    """
    thanks?|thank you|thx|ta|cheers|(?:much )?appreciated?|grateful|much obliged|that (?:was|is) (?:really |very |so )?(?:kind|sweet|nice)
    you(?:'re| are) (?:a|an|the|so|very|too) \\w+|(?:so|very) kind of you|well done|good job|nice one|i owe you
    hi|hiya|hello|hey|yo|howdy|greetings|(?:good )?(?:morning|afternoon|evening|night)|long time no see|(?:good|nice|great) to (?:see|hear|meet)
    happy \\w+|merry christmas|have a (?:good|nice|great|lovely)|enjoy your|congrat\\w*|best wishes|bless you|welcome back
    bye|goodbye|see (?:you|ya)|catch you|talk (?:to you )?(?:later|soon)|later|take care|so long|farewell|sleep well|i'?m (?:off|out)
    i (?:gotta|have to|need to|must) (?:go|run)|until (?:next|then)|ok(?:ay)?|sure|fine|alright|all right|right|got it|gotcha|noted|understood|i see
    (?:that )?makes sense|fair enough|(?:that )?sounds (?:good|great|fine|right)|no (?:problem|worries)|never ?mind|that's (?:all|it|fine|great|right)
    works for me|go (?:on|ahead)|whatever|up to you|will do|exactly|indeed|agreed|interesting|cool|great|nice|perfect|y(?:es|ep|eah|up)|no(?:pe)?|lol|haha\\w*|wow
    """,
    before=r"(?:^|[，。！!,.~～;；])\s*",
    after=r"(?:[啊呀啦了的吧哦呢哈你您们！!。.，,~～?？\s]|\W|$)",
)
TASK = _wordings(
    """
    翻译|[译翻]成|(?:英|法|日|德|韩|俄|中|西班牙|意大利)[语文](?:里|中)?(?:怎么|最|的?说|叫)|用[英法日德韩俄][语文]|什么意思|近义词|反义词|语病|病句|造句|拼音
    (?:写|编|作|拟|起草|润色|改写|续写|缩写)(?:一|个|首|篇|段|句|封|副|份|几|出|得|成)|改得|起个?名|[讲说来]一?个.{0,6}(?:笑话|故事|段子|谜语|梗)|急转弯|绕口令|逗我笑
    作文|对联|春联|祝福语|文案|标语|口号|用一句话|这(?:句|段)话
    函数|编程|算法|正则|脚本|语法|数据库|变量|数组|列表|递归|线程|排序|遍历|编译|命令行|二叉树|容器和|(?:python|java|rust|sql|git|docker|linux|html|css|shell|json)
    等于|加上?\\d|减去|乘以|除以|平方是|立方|开方|次方|根号|百分之.{1,6}是|公约数|公倍数|质数|素数|阶乘|余数|平均数|换算|每人几|几分之
    的?首都|世界上|[最](?:高|长|大|深|快|小)的(?:山|河|湖|海|国|动物|沙漠|建筑|行星|城市)|是?谁(?:写|发明|发现|画|创作|提出)的|哪个(?:朝代|大洲)|元素|行星|光速|太阳系|定律|原理|的定义
    怎么(?:实现|判断|用代码)|是?怎么(?:形成|产生|运作)的?|(?:和|与|跟)[^，。？]{1,12}(?:有什么|的)?(?:区别|不同)|解释(?:一下|什么)?|介绍一下|科普
    """,
    """
    translate|translation|how (?:do|would) (?:you|i) (?:say|pronounce|spell)|(?:in|into) (?:french|german|spanish|italian|japanese|chinese|korean|latin|english|russian)
    what does .{1,40} mean|meaning of|synonym\\w*|antonym\\w*|grammar\\w*|grammatical\\w*|correct english|proofread|rephrase|paraphrase|shorten this|make this (?:more|less|shorter|sound)
    (?:write|draft|compose|make up|invent|give me|tell me|say|suggest) (?:me )?(?:a|an|some|one|two|three|something|another)|slogan|tagline|headline
    jokes?|riddle|pun|limerick|haiku|knock,? knock|make me laugh|tongue twister
    regex\\w*|python|java|javascript|typescript|rust|sql|git|docker|kubernetes|linux|bash|css|html?|json|div|compiler|algorithm|recursion|unit test|linked list
    plus|minus|times \\d+|divided by|multiply|multiplied by|add \\d+|subtract|square root|squared|cubed|cube root|to the power|percent of|as a percentage|prime number|factorial|remainder|average of|sum of|decimals?|fahrenheit|celsius
    how many (?:feet|inches|miles|ounces|centimet\\w+|seconds|minutes|hours|days|grams) (?:is|are|in)|capital of|population of|(?:tallest|largest|biggest|longest|deepest|fastest|smallest|oldest) \\w+ (?:in the world|on earth|species)
    in the world|on earth|who (?:wrote|invented|discovered|painted|composed|directed)|century|empire|solar|planet|chemical|molecule|speed of light|photosynthesis|definition of|define|explain|history of
    difference between|why (?:is|are|do|does) (?:the |a |an )?(?!my|our|his|her|their)\\w+|how (?:does|do) (?!i|we|you|my)(?:a |an |the )?\\w+ work|what causes|what (?:is|are|'s) (?:a|an)|how (?:do i|to) \\w+ (?:a|an)
    """,
)
OWN = _wordings(
    "(?<![帮给跟替为教逗])(?<!告诉)我|咱|用户|偏好|喜好|记得|上次|之前|以前|提到过|说过|来着|聊过",
    "i|i'm|i've|i'd|my|mine|me|we|our|us|(?:the )?user(?:'s)?|preferences?|remember|last time|before|earlier|told you|mentioned",
)
FOR_ME = re.compile(
    r"(?:帮|给|跟|替|为|教|告诉|逗)我|\b(?:tell|show|give|help|let|teach|make) (?:me|us)\b|\bhow (?:do|can|would|should) (?:i|we)\b",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"[?？]|[吗呢么]\W*$|推荐|建议|什么|哪|谁|几|多[少大久长高远重]|怎[么样]|如何|为何|是否|有没有|是不是"
    r"|\b(?:recommend|suggest|who|whose|whom|what|which|when|where|why|how)\b|^\W*(?:did|does|do|is|are|was|were|has|have|had|can|could)\b",
    re.IGNORECASE,
)


def is_courtesy(text: str) -> bool:
    """Say whether a message greets, thanks, takes leave or agrees."""
    return COURTESY.search(text) is not None


def is_task(text: str) -> bool:
    """Say whether it is what anybody could be asked: to translate, to write, to reckon, to code, to explain the world."""
    return TASK.search(text) is not None


def is_own(text: str) -> bool:
    """Say whether it is about the one who speaks, or about what was said before: "我", "my", "上次", "remember"."""
    return OWN.search(FOR_ME.sub(" ", text)) is not None


def asks(text: str) -> bool:
    """Say whether something is asked."""
    return ASKS.search(text) is not None
