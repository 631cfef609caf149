"""What shows in a text that it is no lasting statement of the user's own: bilingual signs.

All texts are folded (NFKC, lower case) before they come here; see `memory.quoting`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory.words import has_cjk

_POLITE_IF = re.compile(
    r"如果(?:可以|方便|可能|不介意|没记错|我没记错|你?还?记得|你?不?知道|你?想知道|有需要|需要)的?话?"
    r"|\bif (?:possible|(?:you|u) can|(?:you|u) could|(?:you|u) (?:do|would)n'?t mind|you must know|i (?:remember|recall) correctly|needed|(?:it|that) (?:helps|matters|makes sense)|(?:you|u) (?:remember|know))\b"
    r"|\b(?:wonder(?:ing)?|(?:not|un)? ?sure|idk|dunno|know|see|check|ask(?:ing)?|remember|tell) if\b"
)
_HYPOTHETICAL = re.compile(
    r"如果|假如|假设|假使|假若|倘若|若是|要是|万一|设想一?下?|想象一?下|打个比方|(?<!说)的话(?=,|就|我)"
    r"|\bif (?:i|we|you|he|she|they|it|my|our|the|there|someone|somebody|one)\b|\bif (?:only|and when)\b|\beven if\b"
    r"|(?<!\bi )\bsuppos(?:e|ing)\b|\bimagine\b|\bassum(?:e|ing)\b|\blet'?s say\b|\bhypothetical(?:ly)?\b|\bpretend\b"
    r"|\b(?:i|we|he|she|they|it|that) would(?: have)?\b(?! (?:like|love|prefer|rather|say|appreciate|call myself|describe myself|consider myself)\b)"
    r"|\bi'd (?!like|love|prefer|rather|say|appreciate|call myself|describe myself|consider myself|been|had|already|never|better|\w+ed\b)|\bi wish\b"
    r"|(?:小说|故事|剧本|话本|漫画|动漫|动画|同人文?|梦|游戏)(?:里面?|里头|中|之中)[, 的]*(?:我(?!最?(?:喜欢|爱|讨厌|觉得|认为|看|读|想))|咱|主角|主人公|男主|女主)"
    r"|在[^,。]{0,10}(?:小说|故事|剧本|话本|漫画|动漫|动画|同人文?|梦|游戏)(?:里面?|里头|中|之中)[, ]*(?:叫|是|姓|住|当|演|扮|名叫)"
    r"|(?:^|[,;:.] ?|\b(?:and|but|so|well) )in (?:(?:my|our) (?:\w+ )?(?:novel|story|script|screenplay|play|comic|fanfic|dream|game|film|movie)|(?:the|a|this) (?:\w+ )?(?:novel|story|script|screenplay|fanfic|dream|game))\b"
    r"(?! (?:that )?(?:i|we)(?:'ve|'m|'re)? (?:just )?(?:read|saw|seen|watch|heard|bought|played|finished))[^,.]{0,40}?,? ?\b(?:i'm|i|my|we)\b(?! (?:really )?(?:like|love|hate|enjoy|prefer|think))"
)
_NOT_IF = re.compile(r"(?:主|重|只|需|不)要是")

_JOKE = re.compile(
    r"(?<!不是)(?<!没)(?<!没有)(?<!别)(?<!不)(?<!不要)(?<!喜欢)(?<!爱)(?<!会)(?<!讨厌)开(?:个|了个)?玩笑"
    r"|逗你(?:的|玩)|骗你的|说笑|瞎说|胡说的|闹着玩|不是真的|别当真|假的(?:啦|哦|[,。!]|$)"
    r"|(?<!not )(?<!no )(?<!never )\b(?:just|only|totally|i'?m|i was|was|am|haha,?) (?:just |only )?(?:kidding|joking)\b"
    r"|(?:^|[.!,(] ?)(?:kidding|joking)\b|\bj/k\b|(?:^|[\s,(])jk\b|\b(?:just|only|was|it'?s) a joke\b"
    r"|\bpulling your leg\b|\bnot serious(?:ly)?\b|\bdon'?t take (?:it|that|this|me) seriously\b|\s/s$"
)
_STICKER = re.compile(
    r"\[(?:手动)?(?:狗头|滑稽|坏笑|阴险|旺柴|doge|joke|joking)[^\[\]]{0,4}\]|\((?:手动)?(?:狗头|滑稽|doge|joke|joking)[^()]{0,4}\)|狗头保命|🐶保命|手动狗头"
    r"|\s/(?:j|joke|joking|sarcasm)\b"
)
"""What marks a joke without a word, at the end of what it is about: a dog's head, a tone tag. One may laugh in earnest (😂)."""
_ANOTHER_SENTENCE = re.compile(r"[。!?\n] ?[^\s。!?~]")
_JOKE_AT_ONCE = re.compile(
    r"^[哈嘿嘻,!。~ ]*+(?:我)?(?:刚才|刚刚)?(?:是|在)?(?:跟你|和你)?(?:开(?:个|了个)?玩笑|逗你|骗你的|说笑|瞎说|假的)"
    r"|^(?:ha)*[,!. ]*(?:no,? )?(?:i'?m |i was |just |only )*(?:kidding|joking)\b|^(?:jk|j/k)\b|^(?:just|only) a joke"
)

_ONCE = re.compile(
    r"(?:就|只|仅|只有|仅限|限)(?:[此这本]一?|一)(?:次|回)(?!性)|这一?(?:次|回)(?:就|先|请|你|帮|给|用|别|不用|不要|不必|可以|直接|破例|例外)"
    r"|(?:暂时|临时)(?:先|就|帮|用|给)|(?:本次|这条|这句|这封|这篇)(?:就|先|请|帮|用|别)|今天(?:请|帮|先别|先用)"
    r"|\bjust (?:this|for) (?:once|one|now|today|time)\b|\b(?:just|only) th(?:is|e) (?:once|one)\b|\bonly this (?:once|time)\b"
    r"|\bjust once\b|\bfor this (?:one|time|task|question|reply|answer|message|email|letter)\b|\bas a one[- ]off\b"
    r"|(?:^|[.,;] ?)(?:please )?this time,? (?!i\b|we\b|my\b)"
)
_HOW_ZH = (
    r"(?:用(?:中|英|法|日|德|俄|韩|西班牙|葡萄牙|意大利|阿拉伯|泰|越南|粤|汉|普通|国|简体|繁体)\w|简[短洁单略]|精简|详[细尽]|(?:说|讲|写|答|回答|回复|解释)(?:得|的)?(?:简|短|详|细|长|具体)"
    r"|短一?点|长一?点|细一?点|(?:叫|喊|称呼)我|回答|回复|别(?![人的处墅])|不用|不要(?!紧))"
)
_ONE_ZH = r"这(?:一?(?:次|回|条|题)|一?(?:个问题|道题|句话|封信|封邮件|篇文章|段话|份报告|条消息|条回复|条微信|回合))"
_SHORT_WHILE_ZH = r"(?:暂时|暂且|临时|今天|今儿|今晚|这会儿|眼下)"
_FILLING_ZH = r"(?:你|您|请|先|就|都|也|帮我|给我|麻烦|可以|能不能|的话|上面?|[, ])*"
_WISH_EN = (
    r"(?:^|[,.;:!] ?|\b(?:please|you|and|just|but|then|now|to|it'?s ok to) )(?:please |just )?"
    r"(?:call me|address me|refer to me|answer|reply|respond|write|speak|talk|explain|keep (?:it|this|your|the|that)|make (?:it|this|your|the)|use|be|go with|stick (?:to|with))\b"
)
_THIS_ONE_EN = r"(?:(?:for|in|on|with) (?:just )?(?:this|that) (?:one|time|task|question|reply|answer|message|email|letter|chat|conversation|session|thread|paragraph|essay|text)|(?:just |only )?this time(?: (?:only|around|round))?)"
_TODAY_EN = r"(?:(?:just |only )?(?:for )?(?:today|tonight)(?: only)?|(?:just |only )?for (?:now|the moment|the time being|this (?:morning|afternoon|evening|week|weekend))|this (?:morning|afternoon|evening|week))"
_ONCE_WISHED = re.compile(
    rf"{_ONE_ZH}{_FILLING_ZH}{_HOW_ZH}|(?:回答|回复|解释|作答)(?:一下)?(?:我)?{_ONE_ZH}|{_SHORT_WHILE_ZH}{_FILLING_ZH}{_HOW_ZH}|(?:^|[, ]|你|您|请)先(?:叫|喊|称呼)我"
    rf"|{_WISH_EN}[^,.;!?]{{0,60}}\b(?:{_THIS_ONE_EN}|{_TODAY_EN})(?=[,.;!? ]*(?:please|ok|okay|thanks|will you|would you)?[,.;!? ]*$|,)"
    rf"|^(?!(?:i|we|my|our|he|she|they|it)\b(?! need\b| want\b|'d like\b| would like\b|'d prefer\b))[^,.;!?]{{0,60}}\bthis time(?: (?:only|around|round))?\W*(?:please\W*)?$"
)
_ONCE_AFTER = re.compile(
    rf"^[,; ]*(?:but |only |just |and |please )*(?:{_THIS_ONE_EN}|{_TODAY_EN}|this once|just once)(?: please)?(?=[,.;!?\s]|$)(?!,? (?:i|we|my)\b)"
    r"|^(?:但|不过|只|就|仅|限|也|[, ])*(?:[此这]一?(?:次|回)|今天|暂时|临时)(?:而已|吧|就好|就行|哈|啊|的)?(?=[,。!\s]|$)"
)
_REQUEST = re.compile(
    r"^(?:请|麻烦|劳烦|能不能|可不可以|可以|能否|你|您|能|先|再|那|现在|快|这次|今天|赶紧|[,: ])*(?:帮|替|给|为)我(?:再|先|把)?"
    r"(?:查|看|改|写|翻译|找|算|订|预订|买|取消|处理|检查|搜|生成|总结|解释|画|做|退|催|发|整理|列|推荐|安排|修)"
    r"|^(?:请|麻烦|劳烦|能不能|可不可以|可以|能否|你|您|能|先|再|那|现在|快|这次|今天|赶紧|[,: ])*(?:(?:帮|替|给|为)我把|把(?=这|那|上面|下面|以下|上述|刚才))"
    r"(?!(?:我的?)?(?:名字|姓名|称呼|昵称|地址|住址|生日|城市|语言|风格|过敏|职业))(?![^,。]*记)"
    r"|^(?:请|麻烦|能不能|可不可以|可以|能否|你|您|先|再|那|现在|快|[,: ])*(?:帮|替|给|为)我(?:再|先)?"
    r"(?:压缩|缩写|扩写|仿写|续写|润色|精简|提炼|归纳|概括|优化|校对|排版|转成|转换|导出|对比|比较|分析|计算|设计|编一?[个段]|拟一?[个份]|起一?个|草拟|调试|统计|核对|删|剪)"
    r"|^(?:请|麻烦你?)?(?:查|查询|翻译|总结|解释|计算|搜索|生成|压缩|润色|精简|概括|提炼|归纳|校对)(?:一下|下|这|成)"
    r"|^(?:(?:please|now|then|just|ok|hey|can you|could you|would you|will you)[, ]+)*(?:help me|check|look up|translate"
    r"|summari[sz]e|write|rewrite|fix|find|show me|give me|tell me|explain|calculate|generate|book|order(?! ?(?:#|no\b|number|id\b|\d))|cancel|send|shorten|condense|compress|rephrase|paraphrase|proofread"
    r"|(?:trim|cut|edit|polish|format|convert|turn|reduce|expand|draft|review|debug|refactor|compare|analy[sz]e|sort|make)\b(?=[^.]*\b(?:this|these|that|it|the (?:following|text|paragraph|passage|above|below)|for me)\b))\b"
)
_LASTING = re.compile(
    r"以后|今后|往后|从现在|从今|总是|一直|每次|永远|都用|\balways\b|\bfrom now on\b|\bin (?:the )?future\b|\bgoing forward\b"
    r"|\bevery time\b|\bnever\b|\bby default\b|记住|\bremember\b"
)

_QUESTION = re.compile(
    r"[?]\W*$|吗\W*$|(?<![什那这怎多要])么\W*$|(?<!没)(?<!没有)(?:什么|谁|哪里|哪儿|哪|多少|几岁|几号|怎么办|为什么|怎么样|啥)(?:来着|呢|啊|呀)?\W*$"
    r"|是不是|有没有|对不对|会不会"
    r"|^(?:(?:and|so|but|hey|hi|hello|ok|please) )*(?:what|where|when|who|which|why|how)(?:'s| (?:is|are|am|was|were|do|does|did|can"
    r"|could|should|would|will)\b)"
    r"|^(?:(?:and|so|but|hey|hi|hello|ok) )*(?:do|does|did|am|is|are|was|were|can|could|will|would|should|have|has|shall|may) "
    r"(?:i|you|my|we|he|she|they|it|the|there|this|that|your)\b"
)
_FROM_NOW_ON = re.compile(
    r"(?<![了之])(?:以后|今后|往后)(?!想|打算)|从(?:现在|今天?|此|今往后)(?:起|开始|往后|以后)?|\b(?:from (?:now|here|today|this (?:day|point)) ?on(?:wards?)?|from today|going forward|in (?:the )?future)\b"
)
_CALL_ME = re.compile(r"叫我|称呼我|喊我|\bcall me\b|\baddress me\b|\brefer to me\b")

_PERSON_ZH = (
    "老板|上司|领导|经理|主管|下属|同事|同学|室友|舍友|邻居|朋友|闺蜜|哥们|客户|老师|医生|妈妈?|母亲|爸爸?|父亲|爸妈|父母|爷爷|奶奶|外公|外婆"
    "|姥姥|姥爷|哥哥?|弟弟?|姐姐?|妹妹?|老公|丈夫|老婆|妻子|爱人|对象|男朋友|女朋友|男友|女友|前任|儿子|女儿|孩子|宝宝|叔叔|阿姨|舅舅|姑姑|姑妈"
    "|姨妈|表[哥弟姐妹]|堂[哥弟姐妹]|侄子|侄女|外甥|公公|婆婆|岳父|岳母|家人"
)
_PERSON_EN = (
    "boss|manager|supervisor|colleague|coworker|co-worker|classmate|roommate|flatmate|neighbou?r|friend|buddy|client|customer"
    "|teacher|doctor|mother|mom|mum|father|dad|parents?|grand(?:mother|father|ma|pa|parents)|brother|sister|husband|wife"
    "|spouse|partner|boyfriend|girlfriend|fianc[eé]e?|ex|son|daughter|kids?|child(?:ren)?|baby|uncle|aunt|cousin|nephew|niece"
)
_HABITS_ZH = "喜欢|讨厌|爱吃|爱喝|不吃|不喝|住在|过敏|对|在|是|叫|姓|想|打算|吃|喝|用|说"
_OTHERS = re.compile(
    r"^(?:我?(?:听说|觉得|知道|发现|认为|记得)|据说|不过|但是?|而且|因为|对了)?[, ]?"
    rf"(?:(?:我们?|咱)?(?:的|家)?(?:{_PERSON_ZH})|[他她](?:们|的)?|有人|别人|人家"
    rf"|[小老阿](?![时家学是想说的爱吃了])[一-鿿](?:也|就|还|都|很|最|特别|非常|不|经常|总是)*(?:{_HABITS_ZH}))"
    r"|^(?:(?:i (?:think|guess|know|heard|believe)(?: that)?|but|and|so|because|apparently,?) )*"
    rf"(?:(?:my|our|his|her|their|the) (?:\w+ )?(?:{_PERSON_EN})s?\b|(?:he|she|they|someone|somebody)\b"
    r"|(?!who\b|that\b|what\b|it\b|i\b)[a-z]+ (?:likes|loves|hates|lives|works|prefers|dislikes|enjoys|wants|eats|drinks|studies)\b)"
)
_SELF = re.compile(r"(?:我|咱)(?!的?(?:" + _PERSON_ZH + r"))|\b(?:i|i'm|i've|me|mine|we|us|both)\b")
_OF_USER = re.compile(
    r"(?:我|咱|本人)(?!的?(?:" + _PERSON_ZH + r"))|\b(?:i|me|mine|we)\b|\bmy (?!(?:\w+ )?(?:" + _PERSON_EN + r")s?\b)"
)
_OF_THINGS = re.compile(r"[他她它这那你您]")
_REPORTING = re.compile(r"^(?:我?(?:听说|觉得|知道|发现|认为|记得)|i (?:think|guess|know|heard|believe)(?: that)?)\s*")

_BUSINESS = re.compile(
    r"(?:已经?|正在|待|未|尚未|还没)(?:发货|签收|付款|支付|退款|出库|揽收|派送|配送|送达|妥投|发出|审核|入库|结算)"
    r"|(?:运输|派送|配送|退款|审核|备货|出库|清关)中|余额(?!宝)|库存(?!管理)|有货|缺货|无货|售罄|现货"
    r"|(?:订单|物流|快递|退款|支付|账户|工单)\S{0,12}\s?(?:状态|进度|金额|信息|status|balance)"
    r"|\b(?:in|out of) stock\b|\bstock level\b|^(?:has |have |been |was |already |is )*(?:shipped|dispatched|delivered|refunded|paid|cancell?ed)\W*$"
    r"|\bin transit\b|\bout for delivery\b|\b(?:account |card )balance\b|\bbalance (?:is|of|:)|\b(?:order|payment|refund|shipping|delivery) status\b"
    r"|\bpayment (?:pending|received|failed)\b|\bpending (?:payment|refund|shipment)\b"
)


def is_hypothetical(lead: str) -> bool:
    """Say whether a sentence, up to the words in question, only supposes them."""
    return bool(_HYPOTHETICAL.search(_NOT_IF.sub("", _POLITE_IF.sub("", lead))))


def is_joke(rest: str, after: str) -> bool:
    """Say whether the user called it a joke, from the words on or at once in the next message."""
    return bool(_JOKE.search(rest) or _is_marked(rest) or _JOKE_AT_ONCE.search(after))


def _is_marked(rest: str) -> bool:
    """Say whether a sticker ends the sentence that a text begins with."""
    found = _STICKER.search(rest)
    return found is not None and not _ANOTHER_SENTENCE.search(rest, 0, found.start())


def is_for_once(lead: str) -> bool:
    """Say whether the user asks for it this once only ("这次帮我…", "just this once")."""
    return bool(_ONCE.search(lead) or _ONCE_WISHED.search(lead))


def is_once_after_all(following: str) -> bool:
    """Say whether what follows the words adds that it is meant this once only (", just for today"; ，就这一次)."""
    return bool(_ONCE_AFTER.search(following))


def is_request(lead: str, clauses: Iterable[str]) -> bool:
    """Say whether all that was said is a plain request, with nothing lasting about it."""
    return not _LASTING.search(lead) and all(_REQUEST.search(clause) for clause in clauses)


def is_question(clauses: Iterable[str]) -> bool:
    """Say whether all that was said of it was asked."""
    return all(_QUESTION.search(clause) for clause in clauses)


def asks_to_be_called(lead: str) -> bool:
    """Say whether the user asks for a name ("可以叫我小王吗")."""
    return bool(_CALL_ME.search(lead))


def asks_for_good(lead: str) -> bool:
    """Say whether what is asked for is to last ("以后可以用英文吗")."""
    return bool(_LASTING.search(lead))


def begins_now(said: str) -> bool:
    """Say whether it is to hold from now on, in the place of what was so before (以后叫我…, "from now on")."""
    return bool(_FROM_NOW_ON.search(said))


def is_about_others(said: str) -> bool:
    """Say whether the subject is somebody else and the user does not come into it."""
    bare = _REPORTING.sub("", said)
    return bool(_OTHERS.search(bare)) and not _SELF.search(bare)


def speaks_of_user(lead: str) -> bool:
    """Say whether the user comes into a sentence: by a word for them, or as the subject that Chinese leaves out."""
    if _OF_USER.search(lead):
        return True
    return has_cjk(lead) and not is_about_others(lead) and not _OF_THINGS.search(lead)


def is_business_truth(text: str) -> bool:
    """Say whether it is a state that another system owns: shipping, stock, balances."""
    return bool(_BUSINESS.search(text))
