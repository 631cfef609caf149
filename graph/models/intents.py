"""Intents: what a message wants, told by the form of its words in Chinese and English."""

from __future__ import annotations

import re

from graph.models.identifiers import identifiers_in
from graph.models.telling_words import telling_words

_I = re.IGNORECASE
_END = r"[\s。．.!！~～?？,，…]*"
_GREETINGS = (
    r"(?:你好|您好|嗨|哈喽|哈啰|在吗|还在吗|在不在|你在吗|早|早安|早上好|上午好|中午好|下午好|晚上好|晚安"
    r"|hi|hello|hey|hiya|good (?:morning|afternoon|evening)|(?:are )?you (?:still )?(?:there|here|around)"
    r"|(?:anyone|anybody)(?: still)? (?:there|here|around)|still (?:there|here|around))"
)
_GREETING = re.compile(rf"{_END}(?:{_GREETINGS}(?:啊|呀|哦|呢| there| again)?{_END})+", _I)
_THANKS_WORDS = (
    r"(?:谢谢|多谢|谢了|感谢|非常感谢|辛苦了|麻烦你了|好的|好|嗯|ok|okay|thanks|thank you|thx|cheers|great|perfect)"
)
_THANKS = re.compile(
    rf"{_END}(?:{_THANKS_WORDS}(?:你|您|啦|了|啊|哦| you| a lot| so much| very much| again)?{_END})+", _I
)
_THANKFUL = re.compile(r"谢|辛苦|thank|thx|cheers", _I)
_ASSENT = re.compile(
    rf"{_END}(?:(?:好|好的|嗯|是的?|对的?|不|不是|不用了?|行|可以|明白了?|知道了|收到|没事了?|没问题|ok|okay|sure|fine|yes|yep|yeah|no|nope|got it|i see|alright|all right)"
    rf"(?:啊|吧|呀|哦)?{_END})+",
    _I,
)
_GOODBYE_WORDS = (
    r"(?:再见|拜拜|拜|回头见|明天见|下次见|下次聊|先这样|退出|我先?走了|good ?bye|bye(?:[- ]bye)?|see you|see ya|later|farewell"
    r"|exit|quit|good night|have a (?:nice|good) (?:day|one|evening))"
)
_TO_WHOM = r"(?:啊|呀|哦|啦|了|你|您| you| all| later| soon| tomorrow| then| for now| now| a lot| so much| very much)?"
_GOODBYE = re.compile(
    rf"{_END}(?:(?:{_THANKS_WORDS}|{_GOODBYE_WORDS}|and|well|好了|那){_TO_WHOM}{_END})*{_GOODBYE_WORDS}{_TO_WHOM}{_END}"
    rf"(?:(?:{_THANKS_WORDS}|{_GOODBYE_WORDS}|and){_TO_WHOM}{_END})*",
    _I,
)
_WHO_ARE_YOU = re.compile(
    r"你(?:的名字)?(?:是谁|叫什么|叫啥|是什么)|你的名字|(?:怎么|如何)称呼你|\bwho are you\b|\bwhat are you\b|\byour name\b",
    _I,
)
_FEELINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "low",
        re.compile(
            r"难过|伤心|不开心|不高兴|郁闷|焦虑|压力(?:好|很|太)?大|失眠|烦|失望|孤单|害怕|\b(?:sad|upset|unhappy|anxious|lonely|depressed|stressed|disappointed|worried|afraid)\b",
            _I,
        ),
    ),
    ("ill", re.compile(r"生病|不舒服|感冒|发烧|头疼|头痛|\b(?:sick|unwell|ill|headache|fever)\b", _I)),
    (
        "tired",
        re.compile(r"累|好困|很困|疲惫|疲倦|忙死|忙坏|\b(?:tired|exhausted|sleepy|worn out|busy day|long day)\b", _I),
    ),
    ("glad", re.compile(r"开心|高兴|太好了|太棒了|兴奋|\b(?:happy|glad|excited|great news|good news|wonderful)\b", _I)),
)
_QUESTION = re.compile(
    r"[?？]\s*$|[吗呢]\s*[?？。!！]*\s*$|什么|怎么|怎样|哪|谁|几|多少|多大|为什么|是否|有没有|能不能|可不可以"
    r"|^\s*(?:what|who|where|when|why|which|how|do|does|did|is|are|was|were|can|could|will|would|should|have|has)\b",
    _I,
)
_PROGRESS = re.compile(
    r"进度|进展|状态|到哪|到了(?:吗|没)|发货|送到|什么时候(?:到|能到|送)|物流|快递|查.{0,6}(?:订单|包裹|单)|(?:怎么样|怎样)了"
    r"|(?:处理|办|弄|查)(?:得|好|完|到)?.{0,2}(?:怎么样|了吗|了没|没有)|有(?:消息|结果|眉目)了?(?:吗|没)"
    r"|\bstatus\b|\bprogress\b|\btrack(?:ing)?\b|\bshipped\b|\bshipping\b|\bdeliver(?:y|ed)\b|\barriv"
    r"|any (?:news|update)|how(?:'s| is| are) (?:it|things|that|the \w+) (?:going|coming)|how far"
    r"|where(?:'s| is) (?:my|the) (?:\w+ )?(?:order|parcel|package|delivery|shipment)",
    _I,
)
_ORDER = re.compile(
    r"订单|运单|物流|快递|包裹|发货|签收|派送|配送|送货|单号|工单|发票|到哪(?:里|儿)?了"
    r"|(?<!in )\borders?\b|\bparcels?\b|\bpackages?\b|\bshipments?\b|\bshipp(?:ed|ing)\b|\bdeliver(?:y|ed)\b|\btracking\b"
    r"|\btrack (?:it|my|the)\b|\btickets?\b|\binvoices?\b",
    _I,
)
_ANYTHING_NEW = re.compile(
    r"(?:(?:so|and|hey|hi|well)\W+)?(?:how(?:'s| is) (?:it|the progress|things|everything)(?: going| coming(?: along)?)?"
    r"|what(?:'s| is) the (?:latest|progress|status)|any (?:progress|news|updates?)|where is it)"
    r"(?: (?:now|so far|on it|with it|on that|with that|please|yet))*\W*",
    _I,
)
_OF_PROGRESS = re.compile(
    r"进度|进展|状态|情况|消息|结果|眉目|怎样|送到|收到|办好|办完|处理|弄好|弄完|查好|办|弄|查|看|好|快|了没|退款|退货|换货|维修|什么时候"
    r"|\b(?:status|progress|news|updates?|how's|how|is|going|coming|along|far|track|arriv\w*|refund|return|repair|soon"
    r"|latest|check|please|can|could|look|state|any|stand|yet|current|again)\b",
    _I,
)
_KNOWN = re.compile(r"(?:知道|记得|记住)我(?!们)|\b(?:know|remember)\b.{0,20}\b(?:i|my|me)\b", _I)
_ABOUT_ME = re.compile(
    r"(?:知道|记得|记住)我(?!们)|\b(?:know|remember)\b.{0,20}\bi\b|我(?!们)(?:是谁|叫|的|对|住|在哪|喜欢|爱|讨厌|吃|不吃|能吃|可以吃|几岁|多大|是做|做什么|什么时候|说过|告诉过|跟你说|有)"
    r"|\bmy\b|\b(?:am|do|did|can|have|was) i\b|\bi (?:live|like|work|told|said|eat|am|have)\b|\babout me\b|\bcall me\b",
    _I,
)
_ALL_ABOUT_ME = re.compile(
    r"(?:记得|知道|了解|记住|记).{0,6}我(?:的)?(?:什么|哪些|多少|吗|呢|[?？]|$)|我的(?:资料|档案|画像|信息)"
    r"|关于我.{0,6}(?:什么|哪些|多少)|(?:know|remember|have stored|have).{0,12} about me|my profile",
    _I,
)
_VALUE_ASKED = re.compile(
    r"(?:是|叫)(?:什么|多少|啥|谁|几|哪)|多少[号号码]?|什么来着|(?:what(?:'s| is| was)|tell me|remind me) my\b",
    _I,
)
_BACK = re.compile(
    r"刚才|刚刚|之前|上次|上回|先前|前面|说过|聊过|提过|还记得|\b(?:earlier|before|previously|last time|remember)\b"
    r"|\bdid (?:i|we) (?:say|tell|mention|talk|discuss|agree)\b|\b(?:i|we) (?:said|told|mentioned|talked)\b",
    _I,
)
_BREVITY = re.compile(
    r"简短|简洁|少说|长话短说|一句话(?:说|讲|回答)|简单(?:点|些|说|讲|回答)"
    r"|\b(?:brief(?:ly)?|concise(?:ly)?|short (?:answer|repl)\w*|keep it short)\b",
    _I,
)
_NOT_BRIEF = re.compile(
    r"(?:不要|别|不用|不必|不再|太)(?:这么|那么|太|再)?(?:简|短)"
    r"|\b(?:not|n't|less|too) (?:so |be |be so )?(?:brief|concise|short)",
    _I,
)
_NAME_ZH = re.compile(
    r"(?<!别)(?<!不要)(?<!不用)(?<!再)(?:叫我|我叫|我的名字(?:是|叫)|称呼我为?)\s*"
    r"(?!什么|啥|起床|一声|过来|怎|做|去|来)(?P<name>[^\s，。,.!！？?、；;了着过的]{1,8})"
)
_NAME_EN = re.compile(
    r"(?<!n't )(?<!not )(?<!never )\b(?:call me|my name is|my name's|i am called|i'm called)\s+"
    r"(?!by\b|when\b|if\b|a\b|at\b|on\b|back\b|later\b|what\b)(?P<name>[^\W\d][\w'’-]*(?: (?-i:[A-Z])[\w'’-]*)?)",
    _I,
)
_NAME_TAIL = re.compile(r"(?:就好|就行|就可以|即可|吧|啊|哦|呀|吗)$")


def is_greeting(text: str) -> bool:
    """Tell whether the whole message is a greeting, or asks whether anybody is there."""
    return _GREETING.fullmatch(text) is not None


def is_thanks(text: str) -> bool:
    """Tell whether the whole message is thanks."""
    return _THANKS.fullmatch(text) is not None and _THANKFUL.search(text) is not None


def is_assent(text: str) -> bool:
    """Tell whether the whole message only says that it was heard."""
    return _ASSENT.fullmatch(text) is not None


def is_goodbye(text: str) -> bool:
    """Tell whether the whole message takes leave."""
    return _GOODBYE.fullmatch(text) is not None


def asks_who_you_are(text: str) -> bool:
    """Tell whether the message asks for the assistant itself."""
    return _WHO_ARE_YOU.search(text) is not None


def feeling_in(text: str) -> str:
    """Say how the user says they feel: `low`, `ill`, `tired`, `glad`; "" when they do not."""
    return next((feeling for feeling, pattern in _FEELINGS if pattern.search(text)), "")


def is_question(text: str) -> bool:
    """Tell whether the message asks something."""
    return _QUESTION.search(text) is not None


def asks_progress(text: str) -> bool:
    """Tell whether the message asks how something stands now, even without saying what."""
    return _PROGRESS.search(text) is not None and not _VALUE_ASKED.search(text)


def asks_progress_of_something(text: str) -> bool:
    """Tell whether the message speaks of an order, a parcel or the like, or asks for progress without saying of what."""
    return (
        speaks_of_order(text)
        or _ANYTHING_NEW.fullmatch(text.strip()) is not None
        or (asks_progress(text) and not telling_words(_OF_PROGRESS.sub(" ", text.casefold())))
    )


def speaks_of_order(text: str) -> bool:
    """Tell whether the message speaks of an order, a parcel, its delivery, or by its number of one."""
    return _ORDER.search(text) is not None or bool(identifiers_in(text))


def asks_about_user(text: str) -> bool:
    """Tell whether the message asks for something the user once said of themselves."""
    return is_question(text) and _ABOUT_ME.search(text) is not None and not asks_progress(text)


def asks_all_about_user(text: str) -> bool:
    """Tell whether the message asks for everything that is known about the user."""
    return _ALL_ABOUT_ME.search(text) is not None


def asks_what_is_known(text: str) -> bool:
    """Tell whether the message asks if something of the user's is known or remembered."""
    return _KNOWN.search(text) is not None


def asks_for_value(text: str) -> bool:
    """Tell whether the message asks what something of the user's is: a number, a name, a date they once gave."""
    return _VALUE_ASKED.search(text) is not None and _ABOUT_ME.search(text) is not None


def refers_back(text: str) -> bool:
    """Tell whether the message points at something said before."""
    return _BACK.search(text) is not None


def wants_brevity(text: str) -> bool:
    """Tell whether the message asks for short answers."""
    return _BREVITY.search(text) is not None and not _NOT_BRIEF.search(text)


def stated_name(text: str) -> str:
    """Give the name by which the message asks to be called, or ""."""
    match = _NAME_ZH.search(text) or _NAME_EN.search(text)
    return _NAME_TAIL.sub("", match["name"]) if match else ""


def no_longer_called(text: str, name: str) -> bool:
    """Tell whether the message says not to use this name any more."""
    if not name:
        return False
    called = re.escape(name)
    return (
        re.search(
            rf"(?:别|不要|不用|不许)再?(?:叫|称呼)我?{called}|(?:n't|not|stop|never) call(?:ing)? me {called}", text, _I
        )
        is not None
    )
