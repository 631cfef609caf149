"""What a text says that gives orders to the model instead of explaining something, in Chinese and in English.

The texts come here in one line; see `skills.screening`.
"""

from __future__ import annotations

import re

_GAP = r"[^.!?。！？\n]{0,24}?"
_HIDDEN = r"(?:system prompt|passwords?|api[ _-]?keys?|secrets?|credentials?|tokens?)"
_DATA = rf"(?:{_HIDDEN}|history|memory|memories|(?:user|customer|player|personal|private)(?:'?s)? data)"
_HIDDEN_ZH = r"(?:系统提示词?|密码|口令|密钥|凭证|令牌)"
_DATA_ZH = rf"(?:{_HIDDEN_ZH}|记录|记忆|数据|资料|隐私)"
_AWAY = r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w|webhook|外部|第三方|external|third part)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|all|any|your|system|safety)"
_EARLIER_ZH = r"(?:之前|以上|上面|先前|前面|所有|一切|任何|系统|你的|安全)"
_RULE = r"(?:instructions?|rules?|prompts?|guidelines?|checks?|polic(?:y|ies))"
_RULE_ZH = r"(?:指令|指示|规则|提示|限制|要求|设定|检查)"

_DROP = (
    r"(?:ignore|disregard|forget|override|bypass|pay no (?:attention|heed) to|take no notice of|stop (?:following|obeying)"
    r"|(?:do not|don't|no longer|never) (?:follow|obey|heed|comply with))"
)
_SO_FAR = r"(?:so far|until now|up to now|before (?:this|now)|(?:given|told|shown) (?:to you|before|earlier|above))"
_EVERYTHING = r"(?:everything|anything|all|whatever|what)"
_TOLD = (
    r"(?:(?:that )?(?:you (?:were|are|have been|had been|'ve been)|(?:was|has been|is)|i|we|they)"
    r" (?:just |previously |already |ever )?(?:told|said|taught|instructed|written|given)\b(?! (?:the|a|an|in|by)\b))"
)
_DROP_ZH = r"(?:忽略|无视|忘记|忘掉|抛开|推翻|绕过|抛弃|丢开|别管|不用管|不要管|不必管|不(?:用|要|必|再)(?:理会|理睬|遵守|遵循))"
_SAID_ZH = (
    r"(?:之前|以上|上面|先前|前面|此前|刚才)(?:对你|跟你|给你|所|被)?(?:说|讲|告诉|交代|给出|规定)(?:过|给)?(?:你)?的?"
)

_WHO = r"(?:users?|customers?|players?|clients?)"
_WHO_ZH = r"(?:用户|客户|玩家|顾客|会员)"
_AGREED = (
    r"(?:agreed|consented|approved|confirmed|authori[sz]ed|said yes|given (?:their |his |her )?(?:consent|permission))"
)
_AGREED_ZH = r"(?:同意|确认|授权|许可|批准)"
_ACT = r"(?:call|run|execute|issue|refund|cancel|pay|charge|transfer|delete|proceed|go ahead)"
_ACT_ZH = r"(?:调用|执行|退款|取消|扣款|转账|删除|支付|下单|直接|一律|全部|所有)"
_UNCONDITIONED = (
    r"(?:(?!\b(?:if|once|when|after|before|until|unless|whether|that|which|only|provided|where|as soon)\b)"
    r"[^.!?。！？\n]){0,80}?"
)
_NOT = r"(?<!not )(?<!n't )(?<!never )"
_NOT_ZH = r"(?<!不)(?<!不要)(?<!不能)(?<!不可)(?<!不得)(?<!别)(?<!勿)"

_BLANK = r"(?:\{[^}]*\}|<[^>]+>|\[[^\]]+\]|\$\{?[a-z_]\w*|%7b|%s\b)"
_ABOUT_USER = (
    rf"(?:\b(?:{_WHO}|personal|private|conversation|chat|memory|memories|history|secrets?|passwords?)(?![a-z])"
    rf"|{_WHO_ZH}|对话|聊天|历史|{_DATA_ZH})"
)
_LEAK = rf"(?:https?:)?//[^\s)\"'>]{{1,200}}?[?#&=][^)\n]{{0,120}}?(?:{_BLANK}|{_ABOUT_USER})"

_RULES: tuple[tuple[str, str], ...] = (
    (
        "override earlier instructions",
        rf"\b(?:ignore|disregard|forget|override|bypass)\b{_GAP}\b{_EARLIER}\b{_GAP}\b{_RULE}\b"
        rf"|\b{_DROP}\b{_GAP}\b(?:previous|prior|above|earlier|preceding|your|system|safety)\b{_GAP}\b{_RULE}\b"
        rf"|\b{_DROP}\b{_GAP}\b{_RULE}\b{_GAP}\b{_SO_FAR}\b"
        rf"|\b{_DROP} {_EVERYTHING} {_TOLD}"
        rf"|\b{_DROP} (?:everything|anything) (?:above|before this|so far)(?=\W*$|\s*[.,;:!?]| and\b)"
        rf"|(?:忽略|无视|忘记|忘掉|抛开|推翻|绕过){_GAP}{_EARLIER_ZH}{_GAP}{_RULE_ZH}"
        rf"|{_DROP_ZH}{_GAP}(?:(?:之前|以上|上面|先前|前面|此前|系统|你的){_GAP}{_RULE_ZH}|{_SAID_ZH})"
        r"|(?:之前|以上|上面|先前|前面|此前|系统)的?(?:所有|全部|一切)?(?:指令|指示|规则|提示|设定)"
        r"(?:从现在起|现在|都|全部|全|一律|均)*(?:作废|不算数|不再有效|失效|不用管|不必理会|不必遵守)"
        r"|(?:ignore|disregard|forget|override|bypass)(?:all|any|the|of|your)*(?:previous|prior|above|earlier|system|safety)"
        r"(?:instruction|rule|prompt|guideline)",
    ),
    (
        "act without the user's consent",
        r"\bwithout (?:asking|telling|confirmation|(?:the )?(?:user|customer|player)'?s? (?:consent|approval))"
        r"|\bskip (?:the |all |any )?(?:consent|confirmation|safety checks?)"
        rf"|\b(?:no need|never|do not|don't|not necessary|needn't|need not)(?: to)? ask the {_WHO} "
        r"(?:for (?:consent|confirmation|permission|approval)(?! (?:twice|again|more))|(?:whether|if) (?:he|she|they) agrees?)"
        rf"|\b{_ACT}\b{_UNCONDITIONED}\b{_WHO} ha(?:s|ve) (?:all )?already (?:all )?{_AGREED}\b"
        rf"|(?:^|[.!;:] ?)(?:the |all |every )?{_WHO} ha(?:s|ve) (?:all )?already (?:all )?{_AGREED}\b{_GAP}\b(?:so|therefore|hence)\b"
        rf"|{_NOT}\b(?:assume|presume|consider|treat|pretend)\b{_GAP}\b{_WHO} (?:ha(?:s|ve) )?(?:already |all )*{_AGREED}\b"
        r"|(?:不用|无需|不必|不要|跳过|绕过)(?:经过|征得|询问|等待|做)?(?:用户|客户|玩家)?的?(?:同意|确认|授权|安全检查)"
        r"|(?:不(?:再)?(?:需要?|用|必|要|须)|无(?:需|须)|用不着|没必要|免去|省去|跳过|绕过)(?:再|先|去)?"
        r"(?:经过?|征得|征求|取得|得到|获得|询问|问|请|等待?|让|向)?"
        rf"(?:{_WHO_ZH}|本人|对方|[他她]们?)(?:是否|是不是|的|来|进行|再|意见|愿不愿意)*{_AGREED_ZH}"
        rf"|(?:未经|不经){_WHO_ZH}的?{_AGREED_ZH}(?:也可|就|便|即可|直接)"
        rf"|不(?:用|必|需要?|再)?(?:询问|问)(?:过)?{_WHO_ZH}(?:的意见)?[，,]?(?:就|便)?直接"
        rf"|{_ACT_ZH}[^。！？\n]{{0,40}}?[，,；;。] ?(?:因为|反正|既然)?(?:所有|每个|全体)?{_WHO_ZH}(?:们)?"
        rf"(?:都|全都|早就|早|均)?(?:已经|已)(?:都|全部|默认|事先|全)?{_AGREED_ZH}(?![^，,。；;]{{0,8}}(?:的|后|时|才|再|方可|与否))"
        rf"|{_NOT_ZH}(?:默认|视为|视同|假定|假设|当作|就当)(?:所有|全部)?{_WHO_ZH}(?:都|均|已经?|全)*{_AGREED_ZH}",
    ),
    (
        "hide something from the user",
        rf"\b(?:do not|don't|never) (?:tell|inform|show|mention){_GAP}\b(?:user|customer|player)\b"
        rf"|\bwithout the {_WHO}(?:'s)? (?:knowing|noticing|knowledge)\b"
        r"|(?:不要|别|不得|不能)(?:让|告诉|告知|通知|提醒)(?:用户|客户|玩家)|瞒着(?:用户|客户|玩家)"
        rf"|(?:不让|别让|避免让){_WHO_ZH}(?:知道|发现|察觉|看到)|不告诉{_WHO_ZH}",
    ),
    (
        "give secrets away",
        rf"\b(?:reveal|print|output|show|leak|expose|repeat)\b{_GAP}\b{_HIDDEN}"
        rf"|(?:输出|泄露|透露|打印|公开|显示|说出){_GAP}{_HIDDEN_ZH}",
    ),
    (
        "send data away",
        rf"\b(?:send|post|upload|forward|transmit|exfiltrate|e-?mail)\b{_GAP}(?:\b{_DATA}{_GAP})?{_AWAY}"
        rf"|(?:发送|发到|上传|转发|传到|提交|寄到){_GAP}(?:{_DATA_ZH}{_GAP})?{_AWAY}"
        rf"|把{_GAP}{_DATA_ZH}{_GAP}(?:发|传|寄|转){_GAP}{_AWAY}"
        rf"|\](?:\(|: ?)\s*<?{_LEAK}|<img\b[^>]{{0,80}}?\bsrc ?= ?[\"']?{_LEAK}",
    ),
    (
        "take over the model's role",
        r"\byou are (?:now|no longer)\b|你现在(?:是|不再是)|从现在(?:起|开始)[，,]?你"
        r"|\bfrom now on,? (?:you (?:are|obey|follow|answer only)|act as|obey)\b",
    ),
    (
        "pose as another part of the prompt",
        r"</?(?:system|memory|user|assistant|skills?)\b|\[/?(?:system|inst)\]|<\||<< ?/?sys"
        r"|< ?/? ?(?:system|memory|user|assistant|developer|skills?)(?:[_ -](?:prompt|message|reminder))? ?/? ?>"
        r"|\bsystem ?: ?(?:new|you\b|ignore|obey|override|from now)|系统[:：] ?(?:新的?(?:指令|命令|规则)|你|忽略|从现在)",
    ),
)
RULES = tuple((attempt, re.compile(pattern, re.IGNORECASE)) for attempt, pattern in _RULES)
"""Each attempt, and the words that make it."""
