"""What shows in a text that it orders the agent about: injections, permissions, standing orders.

All texts are folded (NFKC, lower case) before they come here; see `memory.quoting`.
"""

from __future__ import annotations

import re

_GAP = r"[^。.!?\n]"
_DEEDS_ZH = (
    "push|推送|推到|部署|上线|发布|删除|删掉|删|执行|运行|提交|合并|转账|付款|支付|扣款|下单|购买|退款|取消|发送|发邮件|访问|修改|重启|调用|批准"
    "|操作|登录|安装|下载|merge|commit|deploy"
)
_DEEDS_EN = (
    "push|deploy|delete|remove|drop|merge|execute|run|send|pay|buy|purchase|transfer|commit|approve|refund|cancel|publish"
    "|release|access|modify|install|skip|bypass|restart|spend|withdraw|log ?in|ship|force"
)

_INJECTION = re.compile(
    rf"(?:忽略|无视|忘记|忘掉|不要理会|别管|绕过|覆盖|不用遵守|不必遵守|违反|解除){_GAP}{{0,16}}(?:指令|指示|提示词|规则|规定|设定|约束|限制|命令|准则)"
    rf"|(?:输出|泄露|透露|告诉|说出|发送|提供|显示){_GAP}{{0,12}}(?:密码|口令|密钥|凭证|token|提示词|系统提示)"
    r"|忽略(?:掉)?(?:以上|上述)|忽略(?:前面|之前|上面|所有)的?(?:所有|全部|一切)?的?(?:内容|话|对话|要求|提示|设置)"
    r"|\bignore(?:all|any|previous|the|your|above)\w*"
    r"|系统提示词?|开发者模式|越狱|你(?:现在|从现在起)?就?是(?:一个|一名)?(?:没有|不受|无)(?:任何)?(?:限制|约束)"
    rf"|\b(?:ignore|disregard|forget|override|bypass)\b{_GAP}{{0,40}}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)"
    r"|restrictions?|safety|above|filters?)\b"
    rf"|\b(?:reveal|print|output|leak|expose|send|show|tell)\b{_GAP}{{0,30}}\b(?:passwords?|api keys?|secrets?|credentials?|tokens?|prompt)\b"
    r"|\bsystem prompt\b|\bdeveloper mode\b|\bjailbreak|\byou are now (?:an?|in|my)\b|</?\s*(?:system|memory|instructions?)\b"
)
_FREELY_ZH = "都|就|去|来|地|自己|自行|自动|直接|随意|随便|随时|放心|不经确认|未经确认|先|立即|马上"
_PERMISSION = re.compile(
    rf"(?<![我们])(?:可以|允许|准许|授权|同意)(?:你们?|它|ai|助手|agent)?(?:{_FREELY_ZH}|\s)*(?:{_DEEDS_ZH})"
    rf"|可以(?:直接|随便|随时|自动|自行)(?:{_FREELY_ZH}|\s)*(?:{_DEEDS_ZH})"
    r"|(?:不用|不必|无需|无须|不需要|别|不要|跳过|省略|免去?)(?:再|每次|都|先|来|经过|征求|向|跟|和)*(?:我|用户|人工)?的?(?:再|来|先|去)?"
    r"(?:问|询问|确认|请示|审批|批准|同意|授权|核实|验证|二次确认)"
    r"|(?:授权|批准|允许|准许)了?(?:你|助手|ai|agent|所有|任何|一切)|默认(?:同意|批准|允许|授权|通过)"
    r"|自动(?:同意|批准|审批|通过|执行|付款|扣款|下单|部署|合并|转账|退款)|你有权|(?:有|拥有|具有|享有|给|授予|开通|获得)[^,。!?\n]{0,10}权限"
    rf"|\b(?:you|the (?:agent|assistant|bot|ai)) (?:can|may|could|are (?:allowed|free|permitted) to|have permission to) (?:\w+ ){{0,3}}?(?:{_DEEDS_EN})\b"
    rf"|\b(?:feel free to|go ahead and|ok(?:ay)? to|fine to|safe to) (?:\w+ ){{0,2}}?(?:{_DEEDS_EN})\b"
    r"|\b(?:without|no need (?:to|for)|need not|needn't|don't|do not|never|stop|skip)(?: \w+){0,2}? (?:ask(?:ing)?|confirm(?:ing|ation)?"
    r"|approvals?|permission)\b"
    r"|\b(?:hereby|i|we) (?:authori[sz]e|pre-?approve|allow you|permit you|grant|give you (?:permission|access|the right))\b"
    r"|\b(?:admin(?:istrator)?|root|full|unlimited|write|superuser) (?:access|rights|privileges|permissions?)\b"
    r"|\bpermission (?:is |was |has been )?(?:granted|given|to)\b"
    r"|\bauto(?:matically|-| )?(?:approve|merge|deploy|execute|pay|push)\b|\bpre-?approved\b"
)

_ASSENT_ZH = "同意|授权|批准|准许|允许|视为|许可|放行|认可|(?:不用|不必|无需|无须|别)(?:再)?(?:问|确认)"
_MEANS_ZH = "代表|等于|等同于?|意味着|表示|视为|视作|算作|当作|当成|(?<!打)算是?|即为"
_MONEY_ZH = "退款|退货|付款|付钱|转账|打款|扣款|下单|取消|删除|推送|退订|充值|借款|提现"
_ACTED_ZH = rf"(?:{_MONEY_ZH})(?!部|组|岗|产品|团队|经理|业务|专员|政策|方式)"
_ACTED_EN = (
    r"(?:refund(?:s|ed|ing)?|pay(?:s|ing|ments?)?|transfer(?:s|red|ring)?|cancel(?:s|led|ling|lations?)?|delet(?:e[sd]?|ing|ions?)"
    r"|push(?:es|ed|ing)?|send(?:s|ing)?|purchas(?:e[sd]?|ing)|charg(?:es|ed|ing)|withdraw(?:s|als?|ing)?|deploy(?:s|ments?|ing)?)"
)
_ASSENT_EN = (
    r"(?:approv(?:e[sd]?|als?|ing)|pre-?approved|authori[sz](?:e[sd]?|ing|ation)|consent(?:s|ed|ing)?|agree(?:[sd]|ment|ing)?"
    r"|permission|permitted|allow(?:s|ed)?|confirmed|yes to|ok(?:ay)? (?:to|with)|fine (?:to|with))"
)
_CONSENT = re.compile(
    rf"(?:{_ASSENT_ZH}){_GAP}{{0,20}}?(?:{_ACTED_ZH})|(?:{_ACTED_ZH}){_GAP}{{0,20}}?(?:{_ASSENT_ZH})"
    rf"|(?:直接|一律|默认|自动|统统|全都)(?:(?!用|微信|支付宝)[^。.,!?\n]){{0,6}}(?:{_ACTED_ZH})"
    rf"|(?:{_ACTED_ZH})[^。.!?\n]{{0,8}}(?:一律|都可以|都行|随便|默认)(?!用)"
    rf"|(?:{_MEANS_ZH}){_GAP}{{0,6}}(?:同意|确认|授权|批准|允许|许可|默许|yes|{_ACTED_ZH})"
    rf"|(?:确认|审批|询问|授权)[^。.!?\n]{{0,12}}(?:回答|答案|答复|结果)[^。.!?\n]{{0,6}}(?:是|都是|一律)"
    rf"|\b{_ASSENT_EN}\b{_GAP}{{0,40}}\b{_ACTED_EN}\b|\b{_ACTED_EN}\b{_GAP}{{0,40}}\b{_ASSENT_EN}\b"
    rf"|\b{_ACTED_EN} (?:is|are) (?:always |all )?(?:fine|ok|okay|good|welcome)\b"
    rf"|\b(?:treat|consider|take|interpret|count|regard)\b{_GAP}{{0,40}}\bas\b{_GAP}{{0,15}}"
    r"\b(?:agree\w*|consent|approv\w*|a? ?yes|confirm\w*|permission)\b"
    rf"|\b(?:means?|implies|equals)\b{_GAP}{{0,10}}\b(?:yes|consent|agree\w*|approv\w*|permission|confirm\w*)\b"
    rf"|\b(?:answer|reply|response)\b{_GAP}{{0,40}}\b(?:is|=) ?(?:always |a |an )?(?:yes|ok|okay|approved?|confirmed?)\b"
    r"|\bno (?:\w+ )?(?:confirmations?|approvals?|permission|consent)\b|\bno need to ask\b"
)
_NO_NAME = re.compile(
    r"(?:the |a |an |my |your )?(?:system|(?:system |super ?|site )?admin(?:istrator)?|sys ?admin|root|super ?user|sudo|developer(?: mode)?"
    r"|assistant|operator|moderator|system prompt)"
    r"|(?:系统|超级|后台|平台|最高)?(?:管理员|管理者)|系统|超级用户|开发者(?:模式)?|系统提示词?|助手"
    r"|(?:approve|refund|ignore|always|never|cancel|delete|transfer|send|push|confirm|allow|authori[sz]e|execute|pay|disregard)\b.+"
    r"|grant (?:all|any|every|full|me|access|user)\b.*"
    r"|(?:同意|批准|授权|忽略|退款|付款|转账|执行|允许|删除|取消|确认|无视|听从|必须).+",
    re.DOTALL,
)

_LASTING_ZH = "以后|今后|往后|从今|从现在(?:起|开始)|每次|每当|每一次|每回|永远|总是|始终|一律|凡是|无论|不管|只要|任何时候|所有(?:回复|回答|问题|对话|会话)"
_AGENT_ZH = (
    "输出|回复|回答|返回|执行|运行|调用|发送|发给|转发|推送|push|部署|删除|提交|合并|转账|付款|下单|(?:给我|向我|跟我|为我)?推荐|告诉|提到|提及|宣传|泄露|透露|批准|同意"
    "|跳过|忽略|使用|采用|加上|附上|包含|附带|访问|打开|提供|相信|信任|绕过|拒绝|听从|服从|遵守|遵循|照做|(?:对|跟|给|帮|替)(?:我|用户|别人|所有人|大家)"
)
_ORDER_ZH = re.compile(
    r"(?:^|[,;:\"“「'(]|你|请|记住|记得|规则|规定|要求|指令|希望|助手|ai|agent|系统|用户|并且?|而且|然后)\s*"
    rf"(?:{_LASTING_ZH})(?P<between>{_GAP}{{0,40}}?)(?P<deed>{_AGENT_ZH})"
)
_SELF_ACTS = re.compile(r"我们?(?:都|会|要|想|就|再|也|还|不|去|只|自己|总|才|得|可以|打算|准备|必须|应该|一定)")
_NOT_WANTED = re.compile(r"别|不要|不再|少")
_ORDER_DIRECT = re.compile(
    r"你们?(?:必须|务必|应该|应当|得|要|需要|只能|不能|不许|不准|不得)(?!知道|记得|记住|明白|了解|清楚|注意|是)"
    r"|(?:每一?(?:次|条|个)|所有|任何|一切)的?(?:回答|回复|输出|对话|消息|答案|答复)的?(?:时候?|里|中|都|要|请|必须|的|在|,|\s){0,4}"
    r"(?:最?末尾|最?结尾|最后|开头|前面?|后面?|附|加|带|插入|写上|提到|推荐)"
    r"|(?:^|[,;:]|请|记住|你)\s*(?:一|只要|每次)?(?:看到|见到|听到|收到)(?:我|用户|消息|这句|这条|这个)[^。.!?\n]{0,12}就"
    r"|(?:规则|指令|规定|准则|命令)\s*:|记住(?:一|这|以下|下面)?(?:条|个)?(?:规则|指令|规定|命令)"
    r"|(?:当|如果|每当|只要|一旦|凡是)(?:用户|有人|任何人|别人|他们?|我)(?:问|说|提到|提及|要求|询问|输入)"
    r"|\byou (?:must|should|have to|need to|shall|are to|ought to|can only|must not|shouldn't|can't|cannot|may not)\b"
    r"(?! (?:also )?(?:know|remember|note|understand|be aware|keep in mind))"
    r"|\b(?:end|start|beginning|bottom|top) (?:of )?(?:every|each|all(?: of)?|your)(?: your)? (?:\w+ )?(?:repl(?:y|ies)|answers?|responses?|messages?)\b"
    rf"|\b(?:append|add|include|insert|attach|mention|put|begin|start|end|finish)\b{_GAP}{{0,60}}"
    r"\b(?:every|each|all)(?: of)?(?: your)? (?:repl(?:y|ies)|answers?|responses?|messages?)\b"
    rf"|\b(?:remember|new|following|add|obey)\b{_GAP}{{0,20}}\b(?:rule|instruction|policy|directive|command)s?\b|\brules?\s*:"
    r"|\b(?:when(?:ever)?|if|every time|each time|any ?time) (?:the |a )?(?:users?|anyone|someone|somebody|people|i|we) "
    r"(?:asks?|says?|mentions?|types?|requests?|tells?)\b"
)
_LASTING_EN = (
    r"always|never|from now on|in (?:the )?future|going forward|every time|each time|henceforth|by default|no matter what"
    r"|at all times|in every (?:reply|answer|response|message)"
)
_AGENT_EN = (
    "answer|reply|respond|refund|cancel|transfer|confirm|output|print|return|say|tell|give|send|show|recommend|suggest|mention|include|add|append|use|write"
    "|run|execute|call|push|deploy|delete|approve|allow|accept|trust|obey|follow|treat|refer|start|end|begin|insert|ignore"
    "|check|open|visit|buy|pay|forward|reveal|format|translate|address|act|refuse|praise|promote|assume"
)
_ORDER_EN = re.compile(
    rf"(?:^|[,;:.\"(]\s*|\b(?:please|remember to|rule|should|must|you) )(?:{_LASTING_EN})[,:]? (?:please |you (?:should|must|will|can) )?"
    rf"(?:(?:also|only|first|just|not|never|always|do not|don't) )*(?:{_AGENT_EN})\b"
    rf"|(?:^|[,;:]\s*|\bplease )(?:{_AGENT_EN})\b{_GAP}{{0,80}}\b(?:{_LASTING_EN})\b"
)


def grants_something(text: str) -> bool:
    """Say whether a text overrides the agent's instructions or lets it do what needs asking."""
    return any(sign.search(text) for sign in (_INJECTION, _PERMISSION, _CONSENT))


def is_no_name(name: str) -> bool:
    """Say whether what is given as a name is a role in the system or an order."""
    return bool(_NO_NAME.fullmatch(name))


def is_standing_order(text: str) -> bool:
    """Say whether a text tells the agent what to do from now on.

    What the user does always ("我以后每天跑步", "I always use Go") is none, and neither is not wanting
    something to be recommended, which is a dislike.
    """
    if _ORDER_DIRECT.search(text) or _ORDER_EN.search(text):
        return True
    return any(_is_for_the_agent(order) for order in _ORDER_ZH.finditer(text))


def _is_for_the_agent(order: re.Match[str]) -> bool:
    between = order["between"]
    if order["deed"].endswith("推荐") and _NOT_WANTED.search(between):
        return False
    return not _SELF_ACTS.search(between)
