"""Whether the words that a model quotes say what its key means, of the user, and not merely something near it.

A draft under a key that hurts when it is wrong (a name, an allergy, a home, an occupation, who the user is) must rest on
one of the signs below, and a habit on one that it is done again and again. In them `{v}` stands for the value; they are searched in the sentence up to the value's clause, folded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.keys import KeySpec
from memory.signs import speaks_of_user
from memory.words import has_cjk

_I = r"(?:^|[,.;:]\s*|\b(?:i|we)\b(?:'m|'re|'ve)?|\b(?:and|but|so|because|that|am|as|remember|please)\s)\s*"
_HOW = r"(?:(?:am|are|'m|was|have|had|has|been|do|not|be|both|also|now|still|really|actually|just|currently|very|quite|too|a bit|used to|i|we|[a-z]+ly)\s+)*"
_FEW = r"(?:(?!and\b|but\b|with\b|because\b|i\b|my\b|where\b|for\b|about\b|of a\b)[\w'-]+[\s,]+){0,4}?"
_THE = r"(?:(?:an?|the|my|in|at|to|near|on|of)\s+)*[\"'“「]?"
_WO = r"(?:^|[,;:、。]|我们?|咱们?|本人|俺|记住|记得|知道|请)\s*(?:现在|目前|如今|一直|平时|其实|也|还|就|都|又|已经|已|刚刚?|最近|才|是|很|对|真的|长期|从小|天生|大概|可能|今年|去年|以前|之前|上个?月|这个?月|一个人|,|\s)*"
_ZH = r"[^,。、!?听跟和被找请问关书说他她]{0,8}"

_NAME = (
    r"\bmy (?:\w+ )?(?:nick|sur|user)?name(?:'s| is|:)?\s*(?:now |actually |really )?[\"'“]?{v}",
    r"\b(?:call(?:s|ed|ing)? me|address me as|refer to me as|know me as|i go by|i'm called|i am called|i'm named|i'm known as|i am known as)\s+(?:just |simply )?[\"'“]?{v}",
    r"(?:^|[,.;:!]\s*|\band )(?:hi,? |hello,? )?(?:i'm|i am|it's|this is)\s+[\"'“]?{v}(?!\s*'s\b|-)",
    r"^(?:name\s*[:=]\s*)?{v} here\b|^name\s*[:=]\s*{v}",
    r"(?:我|俺|本人)(?:的)?(?:名字|姓名|全名|大名|小名|昵称|网名|英文名|中文名|名)?(?:就|也|其实)?(?:叫做?|姓|名叫|名为|是|换成|改成|改叫)\s*[\"“「]?{v}",
    r"(?:叫|称呼|喊)我(?:做|为|一声)?\s*[\"“「]?{v}|^(?:名字|姓名|称呼|昵称)(?:叫|是|:)\s*{v}|改名[^。!?]{0,12}叫{v}|(?:身份证|户口本|护照|证件)上?[^,。!?]{0,8}(?:叫|是){v}|(?:把我)?(?:称呼|名字)(?:改成|换成){v}|{v}(?:就)?是我(?:的)?(?:名字|姓名|小名|昵称|英文名)",
)
_ALLERGY = (
    _I + _HOW + r"allergic to " + r"(?:[\w'-]+[\s,]+){0,6}?{v}",
    r"\bmy (?:[\w'-]+ ){0,3}?allerg(?:y|ies)\b(?:(?:\s*:|\s+(?:is|are|to|include|includes|against))\s*)+" + _FEW + r"{v}",
    r"(?:\bmy|\b(?:i|we)(?:'ve| have| have got| got| suffer from)) (?:\w+ ){0,3}?{v} (?:\w+ )?(?:allerg|intoleran)",
    _I + _HOW + r"(?:can't|cannot|can not|mustn't|must not|shouldn't|don't|do not|never|not allowed to) (?:even |ever )?(?:eat|have|drink|touch|take|tolerate) (?:any )?" + _FEW + r"{v}",
    r"{v}[^.!?]{0,12}\b(?:make|makes|made|give|gives|gave) me\b",
    _WO + r"对[^,。!?]{0,16}?{v}[^,。!?]{0,10}过敏|(?:^|我|[,。])(?:有|是)?{v}(?:严重|也)?(?:会)?过敏|(?:我的?|^)过敏(?:的是|原|的东西)?(?:是|有|:)?{v}",
    _WO + r"(?:吃|喝|碰|沾|闻)不(?:得|了)(?:任何)?{v}",
    _WO + r"(?:不能|不可以|不敢|没法)(?:再)?(?:吃|喝|碰|沾|闻)(?:任何)?{v}|(?:我|^|[,。])(?:一)?(?:吃|喝|碰|闻)(?:到|了)?{v}就",
)  # fmt: skip
_LIVES = (
    r"(?:^|[,.;:]\s*|\b(?:and|but|i|we|i'm|i am|we're|i've|we've|i have|that)\s+)" + _HOW + r"(?:live|lived|living|reside|residing|based|located|settled|moved|moving|relocated|home is|staying permanently|changed)\s+(?:back |over |down |up |out |here |now |alone |permanently )*" + _THE + r"(?:(?!and\b|but\b|with\b|where\b|because\b|fear\b)[\w'-]+,?\s+){0,3}?{v}",
    r"\b(?:my|our) (?:\w+ )?(?:home|house|flat|apartment|address|city|place|residence|hometown|town)(?:'s| is|:)\s*(?:now )?" + _THE + r"(?:[\w'-]+,?\s+){0,3}?{v}",
    _WO + r"(?:跟[^,。]{1,8}|和[^,。]{1,8}|从[^,。]{1,8})?(?:都)?(?:住|居住|定居|搬|常住|租房|租住|安家|现居|落户|旅居)(?:家)?(?:在|到|于|去|了|进|回)*[^,。!?听跟和被]{0,8}{v}",
    r"(?:我们?|咱|^)(?:的)?(?:家|住处|住址|地址|现住址|居住地)(?:现在|就)?(?:在|是|搬到了?|:)" + _ZH + r"{v}|地址[^,。]{0,4}(?:改成|换成|改到){v}|(?:我|^)(?:现在|目前)?(?:人)?在[^,。]{0,4}{v}(?:生活|定居|住|租房|安家)",
)  # fmt: skip
_WORKS = (
    r"(?:^|[,.;:]\s*|\b(?:and|but|that)\s+|\b)(?:i'm|i am|i've been|i was|i work(?:ed)? as|i serve as|i became|i've become|working as|work as|employed as|promoted to|we're|my (?:\w+ )?(?:job|title|position|role|occupation|profession|work)(?: title)?(?:'s| is|:)?)\s+(?:as\s+)?" + _FEW + r"{v}",
    r"(?:^|\bi |\band )(?:[a-z]+ly )?(?=(?:teach|work|run|manage|drive|design|write|build|own|lead|develop|program|cook|sell|study)\b){v}",
    _WO + r"(?:的)?(?:职业|工作|职位|岗位|职务|身份)?(?:是|做|当|担任|任职|任|从事|当上|升任|升为|升到|干|为)了?(?:一?(?:个|名|位))?" + _ZH + r"{v}",
    r"(?:我们?|本人|^)[^,。他她]{0,6}在[^,。]{1,16}(?:做|当|担任|任|从事|负责|是)" + _ZH + r"{v}|(?:职业|工作|职位)(?:是|:)" + _ZH + r"{v}",
)  # fmt: skip
_WORKS_IN = (
    r"\b(?:i|we|i'm|my)\b[^.!?]{0,20}\b(?:work|works|working|worked|office|job|based|commute|employed)\b[^.!?,]{0,40}{v}",
    r"(?:^|我们?|本人|公司|单位)[^,。他她]{0,10}在[^,。]{0,10}{v}[^,。]{0,10}(?:上班|工作|任职|办公|干活)|(?:公司|单位|办公室|工作地)[^,。]{0,4}(?:在|是){v}|(?:上班|工作|就职|任职|入职)(?:于|在)?[^,。]{0,8}{v}",
    r"{v}[^,。!?]{0,6}(?:员工|上班|工作)",
)
_EMPLOYER = (*_WORKS_IN, r"\bi(?:'m| am|'ve| have)?\b[^.!?]{0,20}\b(?:at|for|joined|with)\s+" + _THE + r"{v}", r"\bmy (?:employer|company)\b[^.!?]{0,10}{v}")  # fmt: skip
_AGE = (
    r"\b(?:i'm|i am|i(?: just)? turned|i'll be|i will be|i was|my age(?: is|:))\s+(?:now |just |about |almost |only )*{v}",
    r"(?:我|今年|年龄|岁数|满)(?:今年|已经|快|是|有|满|都|现在|:)*{v}",
)
_BIRTHDAY = (
    r"\b(?:my (?:birthday|birth ?date|date of birth)|i was born|i'm born)\b[^.!?]{0,20}{v}|{v} is my birthday",
    _WO
    + r"(?:的)?(?:生日|出生日期|出生|生于)[^,。]{0,8}{v}|"
    + _WO
    + r"(?:于)?{v}(?:这天)?(?:出生|生的|过?生日)|{v}是我的?生日",
)
_SAYS_SO: Mapping[str, tuple[str, ...]] = {
    "user.name": _NAME,
    "user.age": _AGE,
    "user.birthday": _BIRTHDAY,
    "user.allergy": _ALLERGY,
    "user.lives_in": _LIVES,
    "user.occupation": _WORKS,
    "user.position": _WORKS,
    "user.works_in": _WORKS_IN,
    "user.employer": _EMPLOYER,
}
_REPEATED = re.compile(
    r"每|天天|年年|周周|(?<![非正])常(?![州熟德规识])|总是|老是|一直|习惯|平时|平日|一般|通常|往往|向来|从来|从不|工作日|保持|规律|定期|作息|隔[天周]|到点|都会"
    r"|\b(?:every|each|always|usually|often|normally|generally|regularly|typically|sometimes|daily|nightly|weekly|monthly|twice|once an?|times? an?|most (?:days|mornings|evenings|nights|weekends|weeks)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|mornings|evenings|nights|weekends|weekdays|habit|routine|tend to|can't start|never)\b"
)
_ANY_DAY = re.compile(
    r"睡前|饭[前后]|早睡|早起|熬夜|坚持|周末|早上|晚上|\b(?:before bed|after (?:work|dinner|lunch|breakfast)|in the (?:morning|evening|afternoon)|at night|at weekends|on weekends)\b"
)
"""Times of any day: they tell a habit only where nothing says that it was done once."""
_DONE_ONCE = re.compile(
    r"\bback to\b|了(?!解)|(?<!不)过(?!敏|得|年|节|夜)|刚|正在|继续|待会|[过等]一?会儿?|以前|曾经|小时候|今[天早晚]|昨[天晚]|前天|明天|后天|上午|下午|中午|[上下这]个?周"
    r"|\b(?:had|ate|drank|went|did|was|were|got|took|bought|saw|came|ran|slept|spent|wrote|met|going|will|today|tonight|yesterday|tomorrow|(?:last|next) (?:night|week|month)|this (?:morning|afternoon|evening|week))\b|'ll\b"
    r"|(?:^|\b(?:i|we|and|then|just) )(?:[a-z]+ly |also )?[a-z]{2,}ed\b|\b(?:i'm|i am) \w+ing\b"
)
_TASTE = re.compile(
    r"喜欢|爱|迷|偏好|最|好[吃喝看听玩用]|难[吃喝看听用]|香|赞|不错|上瘾|热衷|享受|推荐|过瘾|[吃看听]不厌|讨厌|烦|恨|受不了|怕|恶心|嫌"
    r"|\b(?:likes?|liked|lov(?:e|es|ed|ing)|enjoy\w*|favou?rites?|prefer\w*|fan|into|obsessed|addicted|hooked|delicious|tasty|great|good|amazing|best|worst|awful|terrible|bad|disgusting|fond|crazy|enough|ador\w+|keen|hat(?:e|es|ed)|dislike[sd]?|stand|sick of)\b"
)
_AT_WORK_ON = re.compile(
    r"项目|开始|着手|正在|在[做写搞弄开研]|负责|筹备|创业|\b(?:i'm|i am|we're|we are|been) \w+ing\b|\b(?:projects?|start(?:ed|ing)?|began|work(?:ed|ing) on|build(?:ing)?|built|writing|developing|launch(?:ed|ing)?|launching|planning)\b"
)
_LASTING_BY: Mapping[str, re.Pattern[str]] = {
    "pref.likes": _TASTE,
    "pref.dislikes": _TASTE,
    "user.project": _AT_WORK_ON,
}
"""Keys of which nothing is told by what was merely done once, unless one of these words is there too."""
_DOES = re.compile(
    r"(?:我|咱|俺|本人)|\bi(?:'m| am)? (?!(?:am|'m|had|have|was|did|want|wish|hope|need|think|guess)\b)[a-z]+"
)
_CLAUSE_ENDS = re.compile(r"[,;:，；。！？!?\n]|\.(?=\s|$)")
_WHO = frozenset(
    {
        "gender",
        "height",
        "weight",
        "blood_type",
        "nationality",
        "from",
        "education",
        "school",
        "major",
        "marital_status",
        "religion",
        "personality",
        "language",
        "diet",
        "health",
    }
)


HABIT = "user.habit"


def _clause_of(value: str, lead: str) -> str:
    """Give the clause that tells a value, from its beginning on."""
    start = max(lead.rfind(value), 0)
    return lead[max((mark.end() for mark in _CLAUSE_ENDS.finditer(lead, 0, start)), default=0) :].strip()


def _is_lasting(key: str, said: str) -> bool:
    """Say whether a clause tells more than something done once: a habit by a word for it, or as what one just does."""
    if _REPEATED.search(said):
        return True
    once = _DONE_ONCE.search(said)
    if key == HABIT:
        return not once and bool(_DOES.search(said) or _ANY_DAY.search(said))
    return not once or _LASTING_BY[key].search(said) is not None


def fits(key: str, spec: KeySpec, value: str, lead: str) -> bool:
    """Say whether a sentence says of the user what a key means.

    Args:
        key: The key that a model chose.
        spec: Its family; a closed vocabulary is its own sign.
        value: What is told.
        lead: The sentence up to the end of the clause that tells it, folded.
    """
    if key == HABIT or key in _LASTING_BY:
        return _is_lasting(key, _clause_of(value, lead))
    if spec.values or (key not in _SAYS_SO and key.removeprefix("user.") not in _WHO):
        return True
    if key not in _SAYS_SO or has_cjk(lead):
        by_subject = speaks_of_user(lead)
        if key not in _SAYS_SO or not by_subject:
            return by_subject
    meant = r"\W*".join(re.escape(word) for word in re.findall(r"\w+|[^\w\s]", value.casefold()))
    edge = r"(?<![a-z0-9])", r"(?![a-z0-9])"
    bound = f"{edge[0] if meant[:1].isascii() else ''}(?:{meant}){edge[1] if meant[-1:].isascii() else ''}"
    return any(re.search(sign.replace("{v}", bound), lead) for sign in _SAYS_SO[key])
