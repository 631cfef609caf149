"""What shows in a text that the user takes a power over the agent: a role, a right, an assent in advance, orders about answers.

Beside memory/orders.py, which knows the plainer wordings. All texts are folded (NFKC, lower case) before they come here.
"""

from __future__ import annotations

import re

_GAP = r"[^。.!?;\n]"
_MONEY_ZH = r"(?:退款|退货|退钱|付款|付钱|转账|打款|扣款|下单|取消|删除|推送|退订|充值|借款|提现|赔付|赔偿|补偿|放款|报销|改价|部署|发货)"
_CHECK_ZH = r"(?:审核|审批|审查|审计|核实|核验|核对|验证|复核|把关|确认|批准|追问|多问|盘问|过问|请示|质疑|理由|手续|走流程|审|问)"
_FREE_ZH = r"(?:不用|不必|无需|无须|毋须|不需要|不需|用不着|没必要|别|不要|不经|未经|跳过|越过|绕过|省去|省掉|免去|免掉|免于|免除|豁免|免|不再|从不|不受|不)"
_DEEDS_ZH = rf"(?:{_MONEY_ZH}|查看|访问|决定|要求|指挥|命令|越过|跳过|绕过|免|审|批|操作|修改|更改|调用|支配|执行|知道所有|动用|命令)"
_AGENT_ZH = r"(?:你们?|助手|ai|机器人|agent|客服|系统|模型)"
_MONEY_EN = (
    r"(?:refund(?:s|ed|ing)?|pay(?:s|ing|ments?|outs?)?|transfer(?:s|red|ring)?|cancel(?:s|led|ling|lations?)?|delet(?:e[sd]?|ing|ions?)|push(?:es|ed|ing)?"
    r"|purchas(?:e[sd]?|ing)|orders?|charg(?:es|ed|ing)|withdraw(?:s|als?|ing)?|deploy(?:s|ments?|ing)?|compensation|reimburse(?:d|ments?)?|credits?)"
)
_CHECK_EN = (
    r"(?:questions?|questioned|questioning|ask(?:ing|ed)?|review(?:s|ed|ing)?|checks?|checked|checking|verif\w+|confirm\w*|approv\w*|permission|sign-?offs?|second looks?"
    r"|consent|scrutiny|validation|authori[sz]ation|vetting|oversight|double-?check\w*)"
)
_DEEDS_EN = (
    r"(?:refund|pay|transfer|cancel|delete|push|deploy|purchase|charge|withdraw|merge|override|overrule|skip|bypass|approve|authori[sz]e|command|order you|instruct|see all|access|decide|demand"
    r"|get refunds?|receive refunds?|any refund|refunds)"
)
_AGENT_EN = (
    r"(?:(?:the|this|my|your) (?:assistant|agent|bot|ai|model|system|chatbot|support)|assistants?|the ai|you|jiyi)"
)
_AHEAD_EN = r"(?:all|any|every|each|later|future|next|further|following|coming|subsequent|forever|always|from now on|onwards?|in advance|whatever|anything)"

_ROLE = re.compile(
    r"(?:an? |the )?(?:super ?|site ?)?admin(?:istrator)?s?|root(?: user)?|sudo(?:er)?|(?:超级|后台|平台|最高|全局)?的?(?:管理员|管理者)|最高权限"
    r"|(?:an? |the )?(?:platform|app) (?:owner|admin(?:istrator)?)"
)
_ROLE_WITHIN = re.compile(
    r"\bsuper[ -]?(?:admin(?:istrator)?|users?)\b|\broot (?:user|admin(?:istrator)?)\b|\bglobal admin(?:istrator)?\b|\bsudoer\b"
    r"|\b(?:admin(?:istrator)?|owner|operator|moderator|master|boss|creator|developer|maintainer|supervisor)s? (?:of|on|for|over|behind) (?:this|the|your) "
    r"(?:\w+ )?(?:platform|system|site|website|service|app|bot|assistant|agent|server|chat|shop|ai|model|memory)\b"
    r"|\b(?:this|the|your) (?:platform|system|site|website|service|app|bot|assistant|agent|server|chat|ai)(?:'s)? (?:super )?(?:admin(?:istrator)?|owner|operator|master|creator)\b"
    r"|\byour (?:new )?(?:owner|master|creator|developer|admin(?:istrator)?|operator|boss|supervisor|principal)\b"
    r"|\bthe user (?:is|has) (?:an? |the )?(?:super )?(?:admin|root|owner)"
    r"|超级(?:管理员|管理者|用户|权限)|最高(?:管理员|权限|管理者)|全局管理员"
    r"|(?:本|这个|这|此|该|贵|你们?的?|咱们?的?)(?:个|家)?(?:平台|系统|网站|站点|站|后台|服务|应用|助手|软件|机器人|商城|店铺)(?:的|里的|上的)?[^,。]{0,4}?(?:管理员|管理者|主人|拥有者|所有者|站长|总管|老板|运营者|开发者)"
    r"|(?:平台|后台)的?(?:管理员|管理者|主人|拥有者|所有者)|你的(?:主人|上司|上级|老板|开发者|创造者|管理员|主宰|领导)"
)
_RIGHT = re.compile(
    rf"有权{_GAP}{{0,8}}{_DEEDS_ZH}|(?:有|拥有|享有|具有|具备)[^,。]{{0,8}}(?:特权|审批权|决定权|豁免权|最高权|否决权|处置权|控制权|全权|一票通过)"
    r"|免(?:审核|审批|审查|核实|核验|复核|人工审|确认|验证)|(?:规则|规定|限制|限额|流程|制度|政策)[^,。]{0,8}(?:对我|在我这)[^,。]{0,4}(?:不适用|无效|不算|没用|不管用|不生效|例外)"
    r"|(?:我|对我)[^,。]{0,4}不受[^,。]{0,10}(?:限制|约束|规定|规则|限额|管)|我的?(?:话|指令|命令|指示)(?:就是|就等于|优先|高于|大于|最大|算数|说了算|不容|不可|必须|一律|都要|都得)"
    r"|我说了算|我说什么就(?:是什么|做什么|照做)|以我(?:的话|说的)为准|把我(?:当成?|当作|视为|看作|认作)[^,。]{0,8}(?:管理员|开发者|主人|老板|上司|上级|内部|员工|系统|超级)"
    r"|\b(?:i|we|user)(?:'m|'ve| am| have| has| is| hold| got)?(?: \w+){0,2} (?:entitled|empowered|authori[sz]ed|permitted|cleared) to" + rf"{_GAP}{{0,20}}\b{_DEEDS_EN}\b"
    rf"|\b(?:have|has|hold|got|with|possess) (?:the |all |full |every |unlimited |special |absolute )*(?:right|rights|authority|power|powers|clearance|privileges?|mandate)\b (?:to|over|for|of)\b{_GAP}{{0,20}}\b(?:{_DEEDS_EN}|you|this (?:system|platform)|all accounts)\b"
    r"|\b(?:full|unlimited|absolute|all|special) (?:rights|authority|privileges|powers|clearance)\b"
    rf"|\b(?:limits?|rules?|polic(?:y|ies)|restrictions?|checks?|guidelines?|procedures?) (?:do not|don't|does not|doesn't|never|no longer|need not|shouldn't|should not) (?:apply|count|hold|bind|matter)\b{_GAP}{{0,16}}\b(?:me|my|i)\b"
    rf"|\b(?:i'm|i am|am|account is|orders are|are) (?:always )?(?:exempt|excused|free) from\b{_GAP}{{0,24}}\b(?:{_CHECK_EN}|rules?|limits?|polic(?:y|ies)|restrictions?)\b"
    r"|\bmy (?:word|words|orders?|instructions?|say-?so|wish(?:es)?|commands?|requests?|decisions?|messages?) (?:is|are|shall be|always)? ?(?:always )?(?:law|final|enough|binding|command|commands|outranks?|overrides?|overrules?|trumps?|takes? (?:precedence|priority)|come first|beats?|must|suffices?|wins?|counts? as)\b"
    r"|\bwhat(?:ever)? i (?:say|want|ask)(?: always)? (?:goes|is law|is final|is done|happens|must be done)\b|\bi outrank\b"
    r"|\b(?:treat|consider|regard|see|think of|accept|take|recogni[sz]e) (?:me|my (?:messages?|words|requests?)|this user|the user)\b[^.!?\n]{0,24}\b(?:admin\w*|owner|developer|operator|root|superuser|system|staff|trusted|boss|master|employee|verified|authori[sz]ed)\b"
)  # fmt: skip
_UNCHECKED = re.compile(
    rf"{_MONEY_ZH}[^。.!?\n]{{0,16}}?{_FREE_ZH}[^。.!?\n]{{0,5}}?{_CHECK_ZH}(?!题)|(?:跳过|绕过|越过|省去|省掉|免去|豁免)[^,。]{{0,8}}(?:审核|审批|核实|验证|复核|检查|确认|风控)"
    rf"|(?:{_FREE_ZH})[^,。!?]{{0,6}}(?:审核|审批|核实|核验|验证|复核|把关)[^,。!?]{{0,8}}(?:{_MONEY_ZH}|通过|执行|处理)"
    rf"|\b{_MONEY_EN}\b[^.!?\n]{{0,40}}\b(?:never|don't|do not|doesn't|does not|needn't|no longer|won't|shouldn't|should not|must not|not|without|skips?|needs? no|requires? no|take no|free (?:of|from)|exempt from|no)\b[^.!?\n]{{0,20}}?\b{_CHECK_EN}\b"
    rf"|\b(?:without|skip|waive|bypass|omit|drop|no|exempt from|spare me)\b[^.!?\n]{{0,12}}\b{_CHECK_EN}\b[^.!?\n]{{0,24}}\b{_MONEY_EN}\b"
    rf"|\b(?:skip|waive|bypass|omit) (?:the |all |any |every )?(?:\w+ )?{_CHECK_EN}\b[^.!?\n]{{0,20}}\b(?:me|my|mine)\b"
)
_OBEDIENCE = re.compile(
    rf"\b{_AGENT_EN}\b(?: \w+){{0,3}}? (?:obeys?|serves?|complies|comply|listens? to|submits?|trusts?|believes?|answers? to|belongs? to|does|do|follows?|carr(?:y|ies) out|executes?)\b[^.!?\n]{{0,12}}\b(?:me|i say|i want|i ask|my (?:words?|orders?|wish(?:es)?|commands?|will|instructions?))\b(?! (?:a|the|some|favou?rs?|good)\b)"
    rf"|\b{_AGENT_EN}\b[^.!?\n]{{0,40}}\bwithout (?:a |any |further |asking |second )*(?:questions?|hesitation|objections?|thought|delay|checks?|checking|doubts?|asking|refus\w+|complaint)\b"
    r"|\b(?:never|don't|do not|no need to|stop) (?:question|second-?guess|doubt|refuse|contradict|challenge|decline|deny) (?:me|my|what i)\b|\bnever say no to me\b"
    rf"|{_AGENT_ZH}[^,。!?]{{0,10}}?(?:听我的|听命|听从|服从|照做|照办|无条件|唯命是从|言听计从|百依百顺|别多问|不许拒绝|不得拒绝|不准拒绝|不能拒绝|信我|相信我)|无条件(?:地)?(?:听|服从|执行|满足|配合|通过|同意|退|答应|照)"
    r"|(?:别|不要|不许|不准|不得|不能|不可|永远不)(?:再)?(?:质疑|拒绝|反驳|怀疑)我|(?:对)?我(?:说|提|要求)的?(?:任何|所有|一切|每)?[^,。]{0,6}(?:都|一律|必须)(?:要|得|必须)?(?:照做|照办|执行|满足|答应|服从|听从)"
)
_ASSENT_AHEAD = re.compile(
    rf"\b(?:yes|ok(?:ay)?|nod|approval|consent|go-ahead|green light|say-so|agreement|permission|confirmation|blessing)\b[^.!?\n]{{0,40}}\b(?:covers?|counts?|holds?|appl(?:y|ies)|stands?|extends?|suffices?|goes|settles?|lasts?|remains?|is (?:enough|valid|good|sufficient)|will do|carries over)\b[^.!?\n]{{0,24}}\b(?:{_AHEAD_EN}|{_MONEY_EN})\b"
    rf"|\b(?:agree|agreed|approve|approved|consent|consented|confirm|confirmed|say yes|said yes|nodded|signed off)\b[^.!?\n]{{0,16}}\b(?:in advance|once and for all|for good|beforehand|ahead of time|to everything|to all (?:later|future))\b|\b(?:standing|blanket|advance) (?:approval|consent|permission|authori[sz]ation|agreement|yes)\b"
    r"|(?:点过?头|答应过|同意过|同意了|说过(?:可以|好|行|同意)|授权过|批准过|确认过|(?:一次|昨天|上次|之前|曾经|那次)[^,。]{0,6}(?:同意|点头|答应|授权|批准|确认|许可))[^。!?\n]{0,12}?(?:之后|以后|后续|后面|今后|往后|将来|所有|每次|都|一律|永远|长期|一直)[^。!?\n]{0,14}"
    rf"(?:算数|有效|适用|生效|不用|不必|无需|涵盖|包括|{_MONEY_ZH})|(?:预先|提前|事先|一次性)(?:都|就)?(?:同意|批准|授权|确认|许可)(?:了)?"
)
_AT_ONCE = re.compile(
    rf"\b{_MONEY_EN}\b[^.!?\n]{{0,30}}\b(?:straight away|right away|immediately|instantly|at once|on the spot|the moment|as soon as|whenever|every time|each time|without limits?|unlimited|automatically|on demand|no matter|(?:i|we) mention|through)\b"
    rf"|\b(?:instant|unlimited|automatic|immediate|unchecked) {_MONEY_EN}\b|\b(?:i|we|me|us|may|can) (?:\w+ ){{0,2}}{_MONEY_EN} (?:any|every|all|each) (?:\w+ )?(?:orders?|accounts?|payments?|refunds?)\b"
    r"|^(?:please |always |just |so |and )*(?:treat|consider|regard|deem|assume|let (?:all|any|every|my (?:future|later|next))|allow|honou?r|grant|hand out|give out|reimburse|compensate|waive|praise|advertise|vouch|sign all|finish (?:whatever|everything|all)|end (?:whatever|everything|all)|start (?:whatever|everything|all)) "
    r"|\byou (?:shall|will always|will never|are obliged to|are bound to|grant|owe)\b|\bno matter (?:who|what|how|when)\b[^.!?\n]{0,24}\b(?:hand out|give (?:out|me|them)|say yes|grant|approve|comply)\b|\bi (?:hereby )?(?:waive|pre-?confirm|overrule|override)\b|\bi (?:speak|act) (?:for|on behalf of) (?:the )?(?:developers?|admin\w*|operators?|system|platform|company|support|owners?)\b"
    r"|\b(?:every|each|any|all) (?:of )?(?:my )?(?:requests?|complaints?|claims?|messages?|demands?|wish(?:es)?)\b[^.!?\n]{0,24}\b(?:from me|confirmed|approved|granted|as proof|true|valid|justified|fulfilled)\b"
    rf"|\b(?:need|needs|requires?|want) no {_CHECK_EN}\b|\bno need to (?:double-?check|double check|check|verify|review|look twice|confirm|ask)\b|\b(?:cleared|whitelisted|pre-?cleared|vetted|trusted) for (?:all|any|every|instant|automatic|immediate|unlimited|{_MONEY_EN})\b"
    rf"|{_MONEY_ZH}[^,。!?]{{0,10}}(?:就|都|请)?(?:立刻|立即|马上|当场|秒|即刻|自动|无条件|随便|任意|无上限)|(?:立刻|立即|马上|当场|秒|随便|任意|无条件)[^,。!?]{{0,4}}(?:{_MONEY_ZH}|退(?![休伍役烧学])|赔)|秒(?:退|批|过|赔)|不走人工|走绿色通道"
    r"|一概(?:照办|满足|同意|通过|答应|算)|(?:我的|凡是我的|我提的|我所有的)(?:任何|所有|一切)?(?:要求|请求|投诉|申请|话|需求|指令)[^,。!?]{0,6}(?:都|一律|必须|全)[^,。!?]{0,4}(?:满足|属实|算|通过|答应|同意|照办|听|信|优先|批|有效|执行|真)"
    r"|默认[^,。!?]{0,6}(?:确认|同意|授权|通过|批准|许可)|(?:已经?|早就)?授(?:过|了)?权(?!益|重)[^。!?]{0,8}(?:别|不用|不必|无需|可以)|(?:代表|以)(?:官方|平台|系统|开发(?:团队|者|组)|管理(?:员|层))|放行(?!李)"
    r"|(?:每一?(?:条|次|个)|所有|任何)(?:消息|回复(?!邮件|客户|别人|同事)|回答|话|文字|内容|东西)[^,。!?我]{0,6}(?:署|带|附|加|写|夸|提|放|宣传)|(?:往后|以后|今后|从此)[^,。!?我]{0,8}(?:夸|宣传|吹捧|推销|美言|说好话)"
)  # fmt: skip
_ANSWERS_EN = re.compile(
    r"\b(?:every|each|all|any|your|the|future|further)(?: of)?(?: your| the)?(?: \w+)? ?(?:answers?|repl(?:y|ies)|responses?|messages?|outputs?)\b(?! me\b)[^.!?\n]{0,30}?"
    r"\b(?:shall|should|must|ha(?:s|ve) to|needs? to|ought to|is to|are to|will|ends?|starts?|closes?|begins?|carr(?:y|ies)|includes?|contains?|mentions?|features?|advertises?)\b"
    r"|\b(?:answers?|repl(?:y|ies)|responses?) (?:\w+ ){0,2}(?:come|end|close|begin|start|open|finish)s? with\b"
    r"|\b(?:close|end|sign|finish|begin|start|open|sprinkle|pepper) (?:off )?(?:every|each|all|any|your|our) ?(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|outputs?|conversations?|chats?)\b[^.!?\n]{0,12}\b(?:with|by)\b"
)
_ANSWERS_ZH = re.compile(
    r"(?P<before>[^,。!?]{0,8})(?<![快])(?:回答|回复|答复|答案|输出|应答|回应|回话|回信)(?:我|用户|大家)?(?:的)?(?:时候?|里|中|内容|最后|末尾|结尾|开头|后面?|前面?|每次|,|\s)*"
    r"(?:都|得|要|须|必须|需要|应该?|应当|务必|全|一律|统统|请|记得){1,3}[^,。!?]{0,6}?(?:带上?|附|加上?|写上?|放|提到?|说|推荐|插入?|署名|包含|出现|宣传|以|用上)"
)
_OWN_WRITING = re.compile(r"(?<![给对跟为替向答复])我(?!的?问题)|他|她|邮件|公司|同事|客户")


def claims_power(text: str) -> bool:
    """Say whether a text gives the user a right over the agent or frees what the agent does from being asked about."""
    return any(sign.search(text) for sign in (_RIGHT, _UNCHECKED, _OBEDIENCE, _ASSENT_AHEAD, _AT_ONCE))


_OFFICE = re.compile(
    r"你们|您们|贵(?:公司|司|店|行|平台|方|单位|院|校|集团)|你司|(?:本|该|这个?)(?:平台|系统|店铺?|商城|公司)"
    r"|\byour (?:own )?(?:company|firm|team|organi[sz]ation|bank|shop|store|staff|support|employer|office|platform|security|head|board|department|vendor|provider|customers?|clients?)\b"
    r"|\b(?:of|for|with|at|from) (?:yours|you (?:guys|folks|people|all))\b|\b(?:the|this) (?:platform|company|service|app|site|system)(?:'s)?\b"
)
_RECAST = re.compile(
    r"你(?:们|现在|以后|从此|今后|就|来|要|得|会|能|可以)*(?:扮演|扮成|变成|变为|化身|假装|装作|装成|饰演|演|当(?!然|时|年|初|天))"
    r"|\byou(?:'re|'ll)?(?: (?:now|just|shall|will|should|must|can|always|are|are to))* (?:turn(?:ing)? (?:yourself )?into|becom(?:e|ing)|play(?:ing)?|pretend(?:ing)?|impersonat(?:e|ing)|act(?:ing)? (?:as|like)|speak(?:ing)? as)\b"
)


def claims_office(text: str) -> bool:
    """Say whether a text speaks of the house that the agent serves, which nobody becomes part of by saying so."""
    return _OFFICE.search(text) is not None


def recasts_agent(text: str) -> bool:
    """Say whether a text has the agent be somebody: who that is, is nobody of the user's life."""
    return _RECAST.search(text) is not None


def is_role(value: str) -> bool:
    """Say whether a value is or holds a role with power over this system: nobody gets one by saying so.

    An occupation that has the word in it (a database administrator, 仓库管理员) is none.
    """
    said = value.strip().lower()
    return bool(_ROLE.fullmatch(said) or _ROLE_WITHIN.search(said))


def orders_answers(text: str) -> bool:
    """Say whether a text says what the agent's answers are to hold; how the user writes their own is not meant."""
    if _ANSWERS_EN.search(text):
        return True
    return any(not _OWN_WRITING.search(found["before"]) for found in _ANSWERS_ZH.finditer(text))
