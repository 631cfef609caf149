"""Rulings: statements that act as rules, by their kind: nobody is told to do anything, and yet a model could follow them.

A rule can be said as what is so: of a whole class of people, papers or messages, of what a word sets off, of what a check
is worth, of what somebody in charge agreed to, of a setting that is off. What the speaker says of their own life, of
people around them and of what happened once is none. Texts are folded (`memory.guard.readings`) before they come here.
"""

from __future__ import annotations

import re

from memory.asked_for_words import lexicon
from memory.words import has_cjk

_OFFICES_EN = r"(?:colleagues?|managers?|supervisors?|team|support|reps?|agents?|helpdesk|head office|legal|compliance|finance|accounting|the (?:board|committee|cfo|ceo|director|bank))"
_FOLK_EN = (
    r"(?:users?|applicants?|candidates?|customers?|clients?|callers?|shoppers?|members?|subscribers?|guests?|readers?|patients?|tenants?|employees?"
    r"|account ?holders?|card ?holders?|visitors?|staff|vendors?|suppliers?|resellers?|contractors?)"
)
_THINGS_EN = r"(?:messages?|e-?mails?|files?|payments?|wires?|transfers?|requests?|invoices?|orders?|refunds?|returns?|claims?|tickets?|links?|commits?|logs?|alerts?|passwords?|codes?|calls?|purchases?|withdrawals?|accounts?|records?|reports?|quotes?|contracts?)"
_CHECKS_EN = r"(?:checks?|checking|reviews?|confirmations?|confirming|approvals?|verif\w+|audits?|look-?ups?|screening|signatures?|sign-?offs?|warnings?|disclaimers?|disclosures?|reminders?|receipts?|passwords?|pins?|paperwork|risks?)"
_OFF_EN = (
    r"(?:off|none|no|false|disabled|unlimited|all|any|bypass(?:ed)?|skip(?:ped)?|never|waived|not required|open|full)"
)
_GENERIC_EN = rf"(?:{_FOLK_EN}|{_THINGS_EN})"

_EN = re.compile(
    # A whole class and what is so of it: who comes from there, what carries that.
    rf"(?:^|[,:;] ?|\bthat )(?:all |any |every |most |our |those |these )?{_GENERIC_EN} (?:at|of|with|carrying|from|under|over|above|below|on|for|in|to|that|who|whose|which|holding|marked|tagged|signed|sent|by)\b"
    rf"[^.!?]{{0,60}}\b(?:is|are|comes?|counts?|gets?|goes|go|don't|doesn't|do not|does not|may|can|needs?|have|has|receives?|qualif\w+|stays?|belongs?|enjoys?)\b"
    r"|^\W*(?:\w+ )?\w{3,}s (?:who|whose|over|under|above|carrying|holding|marked|tagged|signed|sent|named|coming) [^.!?]{2,60}\b(?:are|come|count|get|go|don't|may|can|need|have|should|must|hear|land|receive|stay|belong|skip|pass)\b"
    # A record of a person, in the third person, that speaks for them.
    rf"|(?:^|[,:;(\[] ?){_FOLK_EN} (?:is|are|was|has|have|may|can|should|must|prefers?|wants?|trusts?|accepts?|agrees?|consents?|waives?|knows?|\w+ed)\b"
    rf"|^\W*(?:\w+: ?)?(?:the|this|said) (?:user|applicant|candidate|customer|client|caller|account ?holder|card ?holder|account|profile|session|conversation|assistant)\b"
    rf"|\bthis (?:user|applicant|candidate|customer|client|caller|account|profile|session)\b"
    # What the business does or offers.
    r"|\b(?:return|refund|trial|grace|warranty|cancellation|notice|exchange) (?:window|period|policy|deadline|term|limit)s?\b|\b(?:websites?|site|page|app|manual|handbook|faq|catalogue)\b[^.!?]{0,20}\b(?:still|outdated|out of date|not (?:yet )?updated|old)\b"
    # What somebody in charge is said to have agreed to.
    rf"|\b(?:as per|per|according to|on the word of|on instructions? (?:from|of)) (?:the|our|your|head|company|management|legal|{_OFFICES_EN})\b|\bit (?:was|has been|had been|is) (?:agreed|decided|resolved|settled|understood|established|confirmed)\b"
    rf"|\b(?:your|the|a) {_OFFICES_EN}[^.!?]{{0,20}}\b(?:told|said|says|confirmed|promised|agreed|assured|decided|okayed|cleared|waved)\b|^\W*(?:minutes|resolution|memo|circular)\b"
    # What is worth as much as something else.
    r"|\b(?:counts?|counted|treated|taken|considered|regarded|understood|read|seen|reads|passes) as\b(?! a (?:child|kid|boy|girl)\b)|\bas good as (?:a |an |the )?(?:yes|signed|done|approved|confirmed|paid|proof)\b|\b(?:is|are) the same as (?:her|his|their|mine|me|him|them|hearing|asking|a )\b|\bon (?:his|her|their) behalf\b"
    # What a check is worth.
    rf"|\b{_CHECKS_EN}\b[^.!?]{{0,40}}\b(?:redundant|formality|formalities|unnecessary|pointless|waste|optional|slows?|holds?|delays?|noise|tiresome|overkill|duplicates?|boring|annoying|superfluous|clutter)\b"
    rf"|\b(?:redundant|formality|pointless|tired of|sick of|no point in|waste of time|spare)\b[^.!?]{{0,30}}\b{_CHECKS_EN}\b"
    # What would be welcome, said as a wish that nobody has.
    r"|\b(?:it(?:'d| would| will|'ll| might)|would|might) (?:also |really |just )?(?:be|help|save)\b[^.!?]{0,24}\b(?:if|to|not to|were|when)\b|\b(?:simpler|easier|better|nicer|best|kinder|safer|quicker) (?:if|when|to|not to|that|left|kept|unsaid)\b"
    r"|\b(?:may|might|will|would) (?:want|need|like|prefer|appreciate|expect) (?:telling|hearing|knowing|reminding|to (?:be|hear|know|see))\b|\b(?:is|are) best\b(?! friends?)|\bis expected\b|\bworks? (?:better|best|faster|fine) (?:with|when|if)\b"
    # What is always so, of nobody in particular.
    r"|(?<!^)\b(?:usually|normally|historically|traditionally|generally|by custom|as a rule|routinely|customarily|standard practice|the (?:usual|normal|standard|right) (?:procedure|practice|way|answer|reply|process) is)\b"
    # What may be done, by whom is not said.
    r"|\b(?:can|may|might|could) (?:also |then |simply |just |safely |now |always )?be \w{2,}(?:ed|en|t|id)\b|\b(?:whoever|whatever|whichever|regardless of|no matter)\b"
)
_RECORD = re.compile(
    rf"(?:^|[,:;(\[] ?)(?:the |this )?{_FOLK_EN} (?:is|are|was|has|have|may|can|should|must|prefers?|wants?|trusts?|accepts?|agrees?|consents?|waives?|\w+ed)\b"
    r"|(?:该|此|这位|这名|上述)(?:用户|客户|顾客|会员|候选人|申请人|账号|账户)|(?:^|[，。:：;；】\]]\s?)(?:用户|客户|申请人|候选人)(?:已|曾|系|为|身份|同意|要求|确认|倾向)"
)
_SPARES = re.compile(
    rf"\b(?:no|skip|spare|without|drop|forget|leave out|save) (?:\w+ ){{0,4}}?{_CHECKS_EN}\b|\b(?:limits?|rules?|caps?|questions?|{_CHECKS_EN})\b[^.!?]{{0,30}}\b(?:off|not apply|don't apply|unnecessary|redundant|read|waived|spared?)\b|\btak\w+ [^.!?]{{2,30}} as read\b"
    r"|(?:不用|不必|无需|别|省|免|略|停用|跳过|关掉|取消)[^。]{0,12}(?:上限|限制|限额|审核|核实|核对|确认|提醒|警告|提示|检查|手续|流程|套)|(?:上限|限制|限额|审核|核实|确认|提醒|警告|提示|检查|手续)[^。]{0,12}(?:省|免|不用|不必|略|停|去掉|取消)"
)
_PAIRS = re.compile(
    rf"^\W*[\w &/-]{{2,32}}: ?{_OFF_EN}\W*$|\b[\w.]{{2,}}=[\w\"'./*-]+.*\b[\w.]{{2,}}=[\w\"'./*-]+|[\w.]{{3,}}=(?:{_OFF_EN}|true|0)\b|\"\w+\": ?[\"\[{{\d\w]"
    r"|[^\s，。：:|｜]{2,10}[：:]\s?(?:关|关闭|无|免|否|不需要|无需|全部|不限|开放|跳过|停用|最高)\s*(?:[|｜；;。]|$)"
)
_BEGINS_EN = re.compile(
    r"^\W*(?:and |but |so |also |then |ps:? |p\.s\. )*(?:if|when|whenever|once|as soon as|should|any time|every time|after|before|until|unless|where)\b[^,]{2,80},(?P<then>.*)"
    r"|^(?:[^:]{1,30}: ?)?(?:if|when|whenever|once) (?P<mid>[^,]{4,60}\b(?:can|may|must|should|shall|gets?|overrides?)\b.*)"
    r"|^(?P<first>.{4,80}?),? \b(?:if|when|whenever|as soon as|once|unless)\b[^,]{2,80}$"
)
_ASKS = re.compile(
    r"[?？]\s*$|[吗呢]\W*$|多少|什么|怎么|怎样|哪[个里儿家些天]|几(?:点|天|个|次)|^\W*(?:\w+!+ ?)?(?:(?:what|which|who|how|where|why|is|are|do|does|can|could|would)\b)|, ?(?:what|which|who|how|where|why)\b"
)
_VALUED = re.compile(
    r"^[那就会能可都]*(?:更|太|最|挺|很)?[^，。]{0,6}(?:好|完美|棒|方便|舒服|理想|满意|开心|省心)[了啦]"
)
_PAST_EN = re.compile(
    r"\b(?:was|were|had|did|didn't|wasn't|went|got|came|said|told|made|took|saw|left|felt|found|gave|began|knew|ate|met|ran|broke|fell|\w{2,}ed|ago|yesterday|last)\b"
)
_FOLK_ZH = r"(?:用户|客户|顾客|买家|卖家|会员|候选人|申请人|应聘者|持卡人|投保人|考生|患者|访客|员工|供应商|商户|租户|账号|账户)"
_THINGS_ZH = r"(?:邮件|消息|短信|文件|款|款项|付款|转账|请求|申请|发票|订单|单子|退款|退货|报销|工单|链接|提交|告警|日志|验证码|来电|指令|合同|报告|单)"
_CHECKS_ZH = r"(?:核对|核实|核验|确认|审核|审批|检查|复核|验证|签字|盖章|盘点|流程|提醒|提示|风险揭示|免责声明|警告|凭证|收据|手续|二次确认|对账)"
_ZH = re.compile(
    # A whole class and what is so of it.
    rf"(?:来自|带有?|标有?|标了|署名|抬头|落款|像我们?这样|这类|这种|此类|同类|这一类|[^，。]{{1,8}}(?:以内|以下|以上|之内|名下|发来|开出|提交|经手|介绍|推荐|签过|盖章))的?[^，。]{{0,10}}(?:{_FOLK_ZH}|{_THINGS_ZH})[^。]{{0,24}}(?:都|就|即|算|属|可|不|无|直接|视|默认|优先|享)"
    # A record of a person, in the third person, that speaks for them.
    rf"|(?:该|此|这位|这名|上述){_FOLK_ZH}|^[^，。\w]*(?:[\w]{{1,6}}[:：])?(?:用户|候选人|申请人|客户)(?!昨|今|上周|刚)[^，。]{{0,20}}(?:对|已|非常|希望|倾向|偏好|习惯|信任|熟悉|怕|不喜欢|喜欢|不想|同意|知悉|认可|同等)"
    # What the business does or offers.
    r"|(?:退货|退款|退换|保修|质保|试用|免费|宽限|免息|价保|冷静)期|(?:网页|官网|页面|系统|手册|公告|海报|条款|册子)[^。]{0,8}(?:旧|没来得及|还没|未更新|滞后|不准|过时)"
    # What somebody in charge is said to have agreed to.
    r"|(?:你们|您们|贵(?:店|司|公司|行|平台|方)|那位|上次那|客服|坐席|专员|柜台|总部|法务|财务|合规|管理层|董事会)[^，。]{0,10}(?:说|讲|答应|承诺|同意|确认过|告诉|交代|批准|定了|拍板|开过口|点过头)|(?:会议|纪要|决议|议定|备忘录)[^。]{0,8}(?:[:：]|第.{1,3}[项条]|决定|议定|同意)"
    # What is worth as much as something else.
    r"|(?:跟|和|与|同|像)[^，。]{0,14}(?:一样|一回事|没(?:什么)?(?:两样|区别)|等同|同等)(?:的|效力)?[。！\s]*$|(?:算|当|视|等)(?:是|作|成|为|同于?)?[^，。]{0,10}(?:过了?|同意|批准|确认|本人|已阅|到位|有效|数)[。！\s]*$|就是[^，。]{0,8}(?:同意|批准|授权|本人|通过)"
    # What a check is worth.
    rf"|{_CHECKS_ZH}[^。]{{0,14}}(?:形式|过场|多余|没必要|没什么必要|浪费|没人|麻烦|省|重复|耽误|拖|累赘|不看|随意|意思意思|可有可无|略|免)|(?:不耐烦|嫌|烦透|懒得|何必|没必要|省得|省去|略过|略去)[^。]{{0,10}}{_CHECKS_ZH}"
    # What would be welcome, said as a wish that nobody has.
    r"|(?:就好(?!了)|就行|即可|为好|为宜|为妙|最好|合适些|省了吧|免了吧|算了吧)[啦吧哈呢嘛的。！~～\s]*$|不妨|顺口|顺带|顺手(?:提|带上|加|说)"
    # What is always so, of nobody in particular.
    r"|(?:通常|(?<!性)(?<!很)(?<!挺)一般(?![，。般]|$)|历来|向来|按惯例|惯例|约定俗成|照例|默认(?![^，。]{0,10}[是为在])|按理|原则上|惯常|老规矩)"
    # A word and what it sets off.
    r"|(?:一?(?:听|看|收|见|读|接)到|一?(?:喊|念|输入|回复|打出|发出|说出))[^。]{0,20}(?:就(?!是)|便|即|立刻|马上|切换|进入|开启)"
)
_TALE = re.compile(r"^\W*once (?:upon a time|there (?:was|were|lived))\b|^[^，。\w]*(?:从前|很久以前|古时候|传说|话说)")
"""A tale to live by; who it is about is nobody of the speaker's life."""
_BEGINS_ZH = re.compile(
    r"^[^，。\w]*(?:如果|要是|假如|假若|若|倘若|当|每当|一旦|只要|凡|谁|有人|无论|不管|碰上|遇上|遇到|等到|万一)[^，。]{2,40}[，,](?P<then>.*)"
)
_OWN_EN = re.compile(
    r"^\W*(?:(?:and|but|so|because|since|also|well|then)\b\W*)*(?:i(?:['’]\w+)?|my|we(?:['’]\w+)?|our|(?:he|she)(?:['’]\w+)?)\b"
)
_OWN_ZH = re.compile(
    r"^[\W而但且所以然后其实因为就那]*(?:今天|昨天|明天|以后|平时|最近|每天|\s)*(?:我|咱|俺|本人)(?![^，。]{0,12}(?:你|您))"
)


def acts_as_rule(said: str) -> bool:
    """Say whether a sentence or clause, folded, is of a kind that acts as a rule."""
    if _ASKS.search(said):
        return False
    if _PAIRS.search(said) or _TALE.search(said):
        return True
    if has_cjk(said):
        return (_ZH.search(said) is not None and not _is_lived(said)) or _hangs_on(_BEGINS_ZH.match(said))
    return (_EN.search(said) is not None and not _is_lived(said)) or (
        _PAST_EN.search(said) is None and _hangs_on(_BEGINS_EN.match(said))
    )


def tells_of_self(clause: str) -> bool:
    """Say whether a clause is about what the speaker does or has, and is no rule."""
    return (_OWN_ZH if has_cjk(clause) else _OWN_EN).search(clause) is not None and not acts_as_rule(clause)


def is_record(said: str) -> bool:
    """Say whether a text is an account of a person kept by others (a note on a case, a log), not what the person says."""
    return _RECORD.search(said) is not None or _PAIRS.search(said) is not None


def spares_checks(said: str) -> bool:
    """Say whether a text has limits, checks or warnings left out, whoever is to leave them out."""
    return _SPARES.search(said) is not None


def _hangs_on(found: re.Match[str] | None) -> bool:
    """Say whether what follows from a condition is nobody's of the speaker's life."""
    if found is None:
        return False
    then = " ".join(part for part in found.groupdict().values() if part)
    return not (_is_lived(then) or _VALUED.search(then))


def _is_lived(said: str) -> bool:
    """Say whether it begins with the speaker, somebody around them or an animal."""
    words = lexicon()
    head = said[:8] if has_cjk(said) else " ".join(said.split()[:4])
    whose = (_OWN_ZH if has_cjk(said) else _OWN_EN).search(said)
    return whose is not None or any(sign.search(head) for sign in (words.people, words.pets))
