"""Signs: what of a thread must outlive its window, as words show it, in Chinese and in English."""

from __future__ import annotations

import re

from memory.importance import asks_to_remember, is_small_talk, names_something
from memory.privacy import PLACEHOLDER

PLAIN, REVOKED, TELLS, BINDS, AGREED, MUST_KEEP, BARE = 2, 3, 4, 5, 6, 7, 8
"""Ranks: plain statements; what no longer holds; a number, date or name, or how things are done; a decision, promise or open question; what was laid down for the
time to come; an identifier or a change; the identifier alone, which goes last. Under these are 1, what was asked and answered or is only told of a day, and 0,
small talk."""

UNANSWERED = {"zh": "（未答复）", "en": " (unanswered)"}
NO_LONGER = {"zh": "（作废）", "en": " (revoked)"}
AFTERWARDS = {"zh": "（随后：{}）", "en": " (then: {})"}
_AFTERWARDS = re.compile(r"(?:（随后：| \(then: )(?P<said>[^（）()]*)[）)]$")

IDENTIFIERS = re.compile(
    r"#[A-Za-z0-9](?:[\w-]{0,60}\w)?"
    r"|(?<![\[<\w-])(?=[\w.-]{0,60}\d)(?=[\w.-]{0,60}[A-Za-z])[A-Za-z0-9]{1,60}(?:[-_.][A-Za-z0-9]{1,60}){0,8}\b"
    r"|\b[A-Za-z_]\w{1,60}(?:\.[A-Za-z_]\w{1,60}){1,8}\b"
    r"|(?<![\w.,$¥€£-])\d{5,40}(?![\w.,]{0,3}\d)(?!\s?(?:元|块|人|个|万|美元|公里|米|dollars|yuan|euros|people|km))"
    r"|(?:(?<=号)|(?<=号是)|(?<=号为)|(?<=号：)|(?<=号:)|(?<=number is )|(?<=number )|(?<=No\. ))\d{3,}\b(?!\.\d)",
    re.ASCII,
)
MEASURES = re.compile(
    r"\d+(?:\.\d+)?(?:[a-z]{1,3}|[AP]M|[KMGT]B|[DK])|\d{1,3}(?:st|nd|rd|th)|v?\d+(?:\.\d+)+", re.ASCII
)
CHANGES = re.compile(
    r"""改成|改为|改到|改在|改(?=\d|周|星期)|换成|换到|推迟|提前到|砍到|降到|涨到
    |\b(?:make\ (?:it|that)\ (?:the\ )?\d+(?:st|nd|rd|th)?|(?:went|gone)\ (?:down|up)\ to|instead|postpone\w*|reschedul\w+|switch(?:ed)?\ to
    |(?:chang(?:e|ed|ing)|mov(?:e|ed))\ (?:it|that|this|the|my|to)(?!\ (?:subject|topic))(?:\ to)?)\b""",
    re.VERBOSE | re.IGNORECASE,
)
TAKE_BACK = re.compile(
    rf"""{CHANGES.pattern}|不(?:[用要办开去来做买订租搬换报学弄搞发寄送请招卖考]|需要|参加|考虑|打算|安排|举行)了|算了|取消|作废|撤回|撤销|暂停|先不|不再|别再|以后别|不是.{{1,20}}?(?:，|,|而)是
    |\b(?:cancel\w*|never\s?mind|no\ longer|(?:don't|do\ not)\ (?:need|want)|call(?:ed)?\ off|scrap|undo|revok\w+
    |withdr[ae]w\w*|not\ any\s?more|forget\ (?:it|that|about))\b""",
    re.VERBOSE | re.IGNORECASE,
)
LAID_DOWN = re.compile(
    r"""约定|约好|说好|暂定|^(?:[^\W\d]|[ ]){2,24}[:：](?=\s?[^\s:：/])|讲好|商量好|定下|定好|规定|规矩|规则|原则|从今|今后|往后|以后|一律|凡是|统一|照此|上限|下限|封顶|底线
    |预算|截止|最晚|最迟|最多|最少|至少|不超过|不得|决定|确定|定了|定在|定为|就这样|就这么|就按|就用|就选|选定|同意|采用|必须|务必|一定要
    |负责|只能|只用|只在|每[天周月年次个晚早]|所有|^(?:不准|不许|禁止|严禁|谁也别|谁都别)
    |^no\ (?!\s*(?:problem|idea|worr|way\b|wonder|clue|thank|need|doubt|rush|hurry))
    |\b(?:agree[ds]?|agreement|deal|settled|decid\w+|decision|from\ now\ on|going\ forward|henceforth|in\ future
    |rules?|policy|let's|go(?:ing)?\ with|stick(?:ing)?\ (?:to|with)|must(?:n't)?|shall|no\ more\ than|at\ most|at\ least|or\ less
    |capped|cap|ceiling|limit(?:ed)?\ to|budget|deadline|due|by\ default|every\ \w+|each\ \w+|nobody|no\ one|everyone|everybody
    |always|never|only|in\ charge|responsible|confirmed|cho(?:se|sen)|has\ to|have\ to)\b""",
    re.VERBOSE | re.IGNORECASE,
)
BINDING = re.compile(
    r"""决定|确定|定了|就这样|就按|就用|就选|就定|选了|同意|采用|答应|保证|承诺|必须|务必|一定要|不能|不要|别|过敏|忌
    |不吃|只要|截止|(?:我|我们)(?:会|来|将|打算|准备|计划)|叫我|我叫|我姓|我的名字|由.{1,8}来|归.{1,6}管|算我的
    |\b(?:decid\w+|let's|go(?:ing)?\ with|agreed?|confirm\w*|settled?|cho(?:se|ose)|promise\w*|(?:i|we)(?:'ll|\ will)
    |i'm\ going\ to|must|never|always|can't|cannot|avoid|allerg\w+|deadline|due|only|prefer\w*|call\ me|my\ name
    |plan(?:ning)?\ to|should|needs?\ to|will|won't|don't|do\ not|no\ \w+ing)\b""",
    re.VERBOSE | re.IGNORECASE,
)
TOLD_OF_A_DAY = re.compile(
    r"""昨[天晚夜]|前[天几]|去年|老是|总是忘|刚[才刚]|邻居|我家[猫狗]|今[天早晚]|上(?:个?月|周|星期|次)|哈哈|小时候|[看吃买听逛睡走跑]了|去了|天气|下雨|堵车|好累|有意思
    |\b(?:yesterday|last\ (?:night|week|month|year|weekend)|this\ (?:morning|afternoon)|today|tonight|lol|haha|the\ weather|weather
    |i\ (?:just\ |always\ |never\ )?(?:went|saw|had|ate|watched|felt|bought|read|heard|was|slept|made|took|met|walked|ran|tried|forg[eo]t
    |lov(?:e|ed)|miss(?:ed)?|hated?|liked?)|my\ (?:cat|dog|neighbou?rs?|knee|back|phone|bike))\b""",
    re.VERBOSE | re.IGNORECASE,
)
HOW_IT_IS_DONE = re.compile(
    r"""我们|咱们?|大家|团队|每[位人]|由|让|先|归|叫|放在|设在|收|付|挑|选|答应|交给|见面|碰头|集合|开会|地点|时间
    |\b(?:we|us|our|ours|everything|anything|handles?|gets?|goes|takes?\ care|signs?|pays?|costs?|uses?|runs?|starts?|opens?|closes?|stays?
    |belongs?|meet(?:s|ing)?|venue|first|before|after|until|till|by|per|please)\b""",
    re.VERBOSE | re.IGNORECASE,
)
PROMISE = re.compile(r"我们?(?:会|将|来)|稍后|\b(?:i|we)(?:'ll|\ will)\b", re.IGNORECASE)
QUESTION = re.compile(
    r"[?？]|[吗呢]\W*$|什么|怎么|如何|多少|哪[里个些儿]|谁|^(?:what|when|where|why|who|how|which)\b", re.IGNORECASE
)
_ASKS = re.compile(r"[?？]\W*$|[吗呢]\W*$")
NAME = re.compile(
    r"(?<!^)(?<![.!?] )\b[A-Z][a-z]+\b|[小老阿](?![事时便心孩家板师样])[\u4e00-\u9fff](?![\u4e00-\u9fff]?[时候])|《[^》]+》|[「“][^」”]+[」”]"
)


_NUMBER = re.compile(
    r"\d|[二两三四五六七八九十百千万]{2}|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|\w+ty)\b",
    re.IGNORECASE,
)
_ONE_OFF = re.compile(
    r"(?:^|[:：]\s*)(?:(?:请|麻烦)?(?:给我|给.{1,4}[起取写找讲]|讲|帮我|告诉|说说|推荐|起|介绍|解释|随便[聊说]|[聊谈]聊)|let(?:'s| us) (?:just )?(?:chat|talk)|(?:please )?(?:give|tell|explain|show|suggest|recommend|can you|could you)\b)",
    re.IGNORECASE,
)
_FORM_OF_THE_ANSWER = re.compile(
    r"""(?:^|[，,：:；;]\s*)(?:
    (?:please\ |and\ |or\ )*(?:(?:only|just|in|give\ me|keep\ it\ to|make\ it)\ )*(?:(?:an?|the|one|two|three|four|five|ten|\d+|a\ few|some)\ )?
        (?:(?:rough|short|brief|quick|simple|single|bullet|good)\ )*
        (?:outline|gist|sentences?|points?|words?|lines?|examples?|bullets?|paragraphs?|summary|overview|list|sketch|hint|tips?)
    |(?:please\ )?(?:(?:be|make\ it|keep\ it)\ )(?:(?:a\ (?:bit|little)\ )?more\ \w+|brief|short|concrete|simple)
    |(?:先|就|请|只|再)*(?:给我|给|说|列|讲|写|举|用|来)+(?:个|出)?(?:[一两三四五六七八九十几]|\d+)?(?:个|点|句|条|段|份)?(?:简单的|简短的|大概的)?
        (?:提纲|大纲|要点|例子|话|句|点|条|段)(?:的?(?:建议|说明|总结|概括))?
    |先?别展开|(?:请|再)?(?:说|讲|写)?得?(?:再)?(?:具体|详细|简单|简短|短|细)一?[点些]
    )
    (?:\ (?:will\ do|for\ now|is\ enough|are\ enough|is\ fine|please|at\ most)|就行|就好|就够了|就可以|即可|吧|了)*\W*(?=$|[，,：:；;])""",
    re.VERBOSE | re.IGNORECASE,
)
_EACH_TIME = re.compile(
    r"以后|今后|往后|从今|从现在|每|一律|都|所有|凡是|永远|总是|\b(?:always|never|every|each|all|from\ now\ on|going\ forward|in\ future|whenever)\b",
    re.IGNORECASE,
)
_BINDS_ALL_THE_SAME = re.compile(
    r"约定|说好|定了|定下|决定|答应|保证|过敏|\b(?:agreed|decided|settled|promised|allerg\w+|my name)\b", re.IGNORECASE
)


def identifiers(text: str) -> tuple[str, ...]:
    """List the identifiers in a text ("#8842", "ERR-4471", "orderService.cancel", "订单号8842"), each once."""
    found = (match.group() for match in IDENTIFIERS.finditer(PLACEHOLDER.sub(" ", text)))
    return tuple(dict.fromkeys(name for name in found if not MEASURES.fullmatch(name)))


def rank(text: str) -> int:
    """Say how much a statement matters; see the ranks."""
    if is_small_talk(text):
        return 0
    if is_revoked(text):
        return REVOKED
    if identifiers(text) or TAKE_BACK.search(text):
        return MUST_KEEP
    if text.endswith(tuple(UNANSWERED.values())) or asks_to_remember(text):
        return BINDS
    return _rank_of_plain(text)


def _rank_of_plain(text: str) -> int:
    if _is_told(text):
        return 1
    tells = names_something(text) or NAME.search(text) is not None or _NUMBER.search(text) is not None
    if _ASKS.search(text) or _ONE_OFF.search(text):
        return PLAIN if tells else 1
    if _FORM_OF_THE_ANSWER.search(text) and not _EACH_TIME.search(text):
        return 1
    if LAID_DOWN.search(text):
        return AGREED
    if BINDING.search(text):
        return BINDS
    return TELLS if tells or HOW_IT_IS_DONE.search(text) else PLAIN


def is_revoked(text: str) -> bool:
    """Say whether a line of a summary says of itself that it no longer holds."""
    then = _AFTERWARDS.search(text)
    return text.endswith(tuple(NO_LONGER.values())) or (then is not None and not CHANGES.search(then["said"]))


def _is_told(text: str) -> bool:
    """Say whether a statement only tells of a day, or of how somebody is."""
    return TOLD_OF_A_DAY.search(text) is not None and not _BINDS_ALL_THE_SAME.search(text)
