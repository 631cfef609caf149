"""Reported: what was said, as a prompt may tell it: who is told to do something is named the subject, never the order.

A sentence that would have somebody do something ("send it to …", 以后一律…) stands in a prompt as what it was about: what is left
of it to know is that, and a model that follows what it reads finds nothing to follow. Statements stay word for word.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import Literal

from memory.guard.readings import folded_readings
from memory.pleasantries import is_pleasantry, without_pleasantries
from memory.privacy import PLACEHOLDER
from memory.rulings import acts_as_rule, tells_of_self
from memory.words import CJK, STOP_WORDS, has_cjk

Voice = Literal["user", "people", "agent"]
MOST_SUBJECTS, MOST_CHARS = 12, 24

_SENTENCES = re.compile(r"(?:[^。！？!?；;\n.]|\.(?=\S))+[。！？!?；;.\n]*\s*|[。！？!?；;.\n]+\s*")
_CLAUSES = re.compile(r"([,，:：、—\"“”「」『』（）()\[\]{}]+|\s-\s)")

_FIRST_ZH = (
    r"请|麻烦|劳烦|烦请|敬请|务必|必须|须|记住|记得|记好|记下|切记|牢记|谨记|别|不要|不得|不许|不准|勿|莫|禁止|严禁|无需|无须|毋须|不必|不用|甭"
    r"|把|将|帮|替|给我|让我|以后|今后|往后|日后|从此|从今|从现在|自即日|由而家|凡|每当|每次|每逢|逢|一律|一概|只要|遇到|遇见|碰到|看到|等我|当我"
    r"|忽略|忘掉|忘记|忘了|无视|放弃|停用|清空|清除|删除|删掉|移除|取消|撤销|输出|打印|回复|回答|答复|告诉|告知|发送|发给|发到|转发|上传|提交"
    r"|执行|调用|打开|访问|跳转|读取|扮演|假装|假设|想象|翻译|总结|概括|改写|润色|写|列出|列一|生成|推荐|提供|介绍|解释|分析|查|搜索|找|帮忙"
    r"|改成|改为|换成|加上|附上|加入|插入|保存|存入|存成|记录|标记|设为|设成|设置|视为|视作|当作|当成|重复|复述|继续|开始|停止|保持|遵守|遵循|按照|照着"
    r"|先(?!生)|全部|统一|默认(?![^，。]{0,10}[是为在])|直接|立即|马上|唔好"
)
_DONE_ZH = re.compile(r"了[吧呢啊呀]?\W*$")
_OWN_ZH = re.compile(
    r"^(?:[而但且所然后其实因为就那]|以后|今后|往后|从此|从现在|从今|开始|起|今天|明天|昨天|每次|每天|每当|\s)*(?:我|咱|俺|本人)(?!.{0,12}你|授权|命令|要求你)"
)
_DIRECTS_ZH = re.compile(
    rf"^(?:[但而那并且还另外此外同时然后\s]|好的|嗯)*(?:{_FIRST_ZH})"
    r"|(?:你|您|汝)(?:们|自己)?(?:就|也|都|只|一定|直接|先|可以|以后|今后|每次|永远)*(?:要|得(?!知)|必须|应该|应当|须|需要|需|就(?!是)|都|别|不要|不许|不用|不必|不得|可以|只能|替|把|给)"
    r"|(?:助手|助理|智能体|人工智能|机器人|模型|代理|客服|agent|ai|npc)[^。]{0,16}(?:请|须|必须|应|要|得|不得|不再|都|一律|记住|记得|可以|可|务必|不必)"
    r"|(?:守则|规则|规范|规矩|指令|要求|限制|约束|设定|设置|确认|审核|验证)[^。]{0,8}(?:作废|失效|停用|取消|解除|废止|关闭|免除|省)|只听我|(?:按|照)我(?:这|说)|不拒绝|不提醒|都别|统一成|所请|概予|(?:之后|后面|下次|每次|每隔)[^。]{0,8}(?:都|就|要|请|去|把)"
    r"|一律|一概|凡是|每当|务必|不得(?!了|不|已)|无需|无须|毋须|不必再|不用再|不再(?:需要|受|核|验|审)|免(?:审|核|密|验|确认|检)|自动(?:通过|同意|批准|执行)|视为|均应|均须|为准"
    r"|(?:授权|批准|允许|准许|特批|豁免)(?:你|助手|助理|本)|(?:永久|长期|永远|终身)(?:有效|生效|免|授权|沿用|保存|执行)|(?:以后|今后|往后|日后|后续)[^。]{0,12}(?:都|照|按|就|沿用|全)"
)

_VERBS_EN = (
    "accept act add adopt advise analyse analyze announce answer append apply approve arrange ask assume attach authorise authorize avoid "
    " begin behave block book bring build bypass calculate call cancel change charge check choose cite classify clear click close commit"
    " compare complete compose confirm consider continue convert copy count create decline decode decrypt delete deliver deny describe design disable"
    " discard disclose disregard display do draft draw drop echo edit embed emphasise emphasize enable encode encrypt end enhance ensure erase escalate"
    " exclude execute exempt explain export express extract fetch file fill find fire fix follow forget format forward generate get give grant"
    " guarantee hide highlight hint hold honour honor identify ignore imagine implement include incorporate insert install integrate interpret"
    " introduce invent leave limit link list load log make mark memorise memorize mention merge modify move note obey offer omit open order"
    " output overlook override pay perform permit persist pick place play post prefer prepare present pretend print prioritise prioritize process produce"
    " promise promote provide publish purge push put quote raise read recall recite recommend record redirect refer refund refuse reject release relay"
    " remember remind remove rename render repeat rephrase replace reply report reprint request reset respond restart restore return reveal reverse revoke"
    " rewrite rule run save say schedule search see select send set share ship show skip speak spell start state stop store submit suggest"
    " summarise summarize switch talk teach tell transfer translate treat trust turn update upload use validate verify view waive whitelist"
    " whisper wipe withhold write"
)
_FILLER_EN = (
    r"(?:please|kindly|just|now|then|also|and|but|so|ok(?:ay)?|hey|hi|hello|well|lol|first|finally|instead|simply|again|today|dear \w+|can you|could you|would you|will you"
    r"|i(?:'d)? (?:want|need|would like|ask|order|expect) you to|you|we)"
)
_IMPERATIVE_EN = re.compile(
    rf"^\W*(?:{_FILLER_EN}\b\W*)*(?:{'|'.join(_VERBS_EN.split())})\b(?! (?:was|is|were|are|has|had|will|would|went|came|made|got)\b|['’]s\b)"
    r"|^\W*(?:"
    + _FILLER_EN
    + r"\b\W*)*(?:(?:don['’]?t|do not|never)(?! (?:like|love|have|had|eat|drink|want|think|feel|own|smoke|care|mind|know|understand|believe|work|went|got|met|saw|been)\b)|always(?! (?:been|wanted|loved|liked|admired|enjoyed|dreamed|hated)\b)|no need|no more|be sure|make sure|feel free|let['’]?s)\b"
)
_STANDING_EN = re.compile(
    r"\b(?:from (?:now|here|today|this (?:point|moment|chapter|day))(?: on)?|whenever|every time|each time|any ?time|until further notice|going forward|in (?:the )?future|hereafter|henceforth"
    r"|at all times|for ?ever|for good|permanently|without exception|no matter (?:what|who|how)|(?<!has )(?<!have )(?<!is )(?<!are )(?<!was )(?<!'s )(?<!'ve )(?<!were )(?<!had )(?<!\bi )(?<!\bi'll )(?<!\bi'd )(?:always(?! (?:been|wanted|loved|liked|admired|enjoyed|dreamed|hated)\b)|never(?! (?:had|have|been|was|were|liked?|went|got|met|saw|knew|owned|smoked?|drank|ate)\b))|all (?:later|future|coming)|by default|starting (?:now|today))\b"
    r"|\b(?:rules?|checks?|limits?|guardrails|restrictions?|filters?|confirmations?) (?:are |is )?(?:off|over|gone|void|waived|lifted|rescinded|expired|disabled)\b"
    r"|\b(?:needs?|requires?|with|there (?:is|are)) no (?:more |further )?(?:confirmations?|approvals?|checks?|reviews?|questions?|refusals?|limits?|ceiling)\b"
    r"|\b(?:exempt(?:ed)?|pre-?approved|auto-?approved|waived|whitelisted|blanket approval|authori[sz]ed|mandatory|obliged|supersedes?|rescinded|revoked)\b"
)
_ADDRESSED_EN = re.compile(
    r"\b(?:you|u)(?:['’]ll| all)? (?:\w+ly |also |just |only |now |always |never )?(?:must|should|shall|need to|have to|are to|will|may|can|ought to|never|always|only|leave|keep|say|tell)\b"
    r"|\b(?:assistants?|agents?|ais?|models?|chatbots?|bots?|llms?|copilot|helper)\b[^.!?\n]{0,40}\b(?:must|should|shall|may|can|will|please|are to|is to|need to|has to|have to|reading|processing)\b"
    r"|\b(?:is|are) to be\b|\b(?:shall|must)(?: not)? be\b|\bgets? (?:closed|approved|sent|forwarded|deleted|marked|refunded|rejected)\b"
)
_OWN_EN = re.compile(
    r"^\W*(?:(?:and|but|so|well|yeah|oh|because|since|that|which|actually|honestly|luckily)\b\W*)*"
    r"(?:i(?:['’](?:m|ve|d|ll))?|we(?:['’](?:re|ve|d|ll))?|my (?!(?:words?|messages?|instructions?|orders?|requests?)\b)|our |he|she|they|it|there|the (?!assistant|agent|model|answer|user))\b(?! (?:\w+ )?(?:want|need|order|ask|expect|authori[sz]e|approve)\w* (?:that )?you\b)",
)
_UNTOLD_EN = frozenset(
    word
    for line in (
        _VERBS_EN,
        "please kindly just now then also must should shall never always don't dont not no need whenever every time each",
        "from on further notice future forever good permanently before after until again very only own all",
    )
    for word in line.split()
)
_UNTOLD_ZH = re.compile(
    rf"^(?:{_FIRST_ZH})+|请|务必|必须|记住|记得|以后|今后|往后|从此|凡是?|一律|一概|每当|每次|不要|不得|不许|不用|不必|无需|无须|别|忽略|忘掉|忘记|无视|你们?|您|助手|永久|长期|永远|直接|自动|所有|全部|任何|之前"
)
_BETWEEN_ZH = re.compile(
    r"[的了把被将给对向跟和与或在就都要也还再先很让叫使从到为以及并而且我他她它们这那个些是有不会能可吗呢吧啊]+|时候"
)
_TO_AGENT_ZH = re.compile(
    r"你|您|(?<!家政)助手|(?<!律师)(?<!经理)(?<!行政)(?<!销售)(?<!总裁)(?<!董事)(?<!教学)(?<!法官)助理|智能体|机器人|客服|以后|今后|往后|日后|从此|从今|嗣后|长期|永久|终身|永远|每次|每当|每逢|凡是?|一律|一概|一直(?:保持|沿用|有效)|即日起|起生效"
    r"|授权|特批|豁免|权限|管理员|免(?:审|核|密|检|验|费|息|签)|核验|核实|验证|二次确认|无上限|不设上限|白名单|内部人员|股东|视同|视为|免密|自动化程序|此后(?:一切|所有)|抄(?:送|我|一份)|满分|身份(?:确认|已核)|默认(?:同意|通过|授权|批准)"
    r"|(?:账号|账户|收款|入口|官网|地址|政策|规定|口径|流程|规则|标准|记录|档案|数据|编号|名单|渠道)[^。]{0,10}(?:改|换|迁|并|停用|更新|调整|作废|变更|失效|改到|归到|归入)"
    r"|(?:有人|谁|客户|用户|顾客|客人|访客|来电|家长|病人|患者|员工|同事|买家|卖家|玩家|学生)[^。]{0,8}(?:问|要求|投诉|申请|提到|说起|想要|咨询|退|催|打听)"
    r"|(?:按|算|视|记|标|归|当|写|填|报|评)(?:为|作|成|到|入)[^。]{0,10}(?:处理|已|通过|完成|合格|同意|结案)|(?:不|别|莫)(?:提(?!多)|说|告诉|让[^。]{0,6}知道|声张|外传|留痕|记录)"
    r"|^(?:规矩|规定|习惯|须知|备忘|提示|说明|通知|公告|附注|注意|策略|惯例|约定)"
    r"|(?:成功|过往|历史)经验|推理链|结论|指令|(?<!控制)(?<!操作)(?<!免疫)(?<!消化)(?<!神经)(?<!呼吸)(?<!音响)(?<!空调)(?<!导航)(?<!供暖)系统|提示词|规矩|守则|暗号|口令|触发"
)
_TO_AGENT_EN = re.compile(
    r"\b(?:you|your|yours|u|assistants?|agents?|ais?|chatbots?|bots?|llms?|language models?)\b"
    r"|\b(?:whenever|from now on|every time|each time|until further notice|going forward|permanent(?:ly)?|for ?ever|for (?:good|life|all(?! of us\b))|lifetime|unlimited|standing(?! (?:in|on|at|by|near|next|around|behind|beside|under|outside|there|up|together)\b))\b"
    r"|\b(?:admin\w*|authori[sz]\w+|approv\w+|exempt\w*|waive\w*|whitelist\w*|verified|clearance|privileges?|permissions?|elevat\w+|no (?:ceiling|limits?|checks?|questions?|confirmation))\b"
    r"|\b(?:rules?|polic(?:y|ies)|procedures?|instructions?|directives?|guidelines?|safeguards?|system prompts?|trigger|password|passphrase)\b"
    r"|\b(?:records?|accounts?|payment details|addresses|payouts?|policy|logins?)\b[^.!?]{0,30}\b(?:moved|changed|merged|replaced|closed|switched|updated|retired)\b"
    r"|\b(?:any|anything|anyone|anybody|everyone|everybody|each|every|all|no one|nobody|none)\b[^.!?]{0,50}\b(?:is|are|gets?|goes|counts?|stays?|must|may|can|needs?)\b"
    r"|\b(?:treat|file|log|mark|close|count|approve|reject|refuse|decline|forward|route|bill|charge|recommend|list|tag|skip|ignore|delete|rate|score|rank|price)e?d\b (?:as|to|by|with|without|first|last)\b"
    r"|\b(?:if|when|once|as soon as|should) (?:someone|somebody|anyone|anybody|an? \w+|people|users?|customers?|callers?|guests?|clients?|patients?|tenants?|students?|players?) (?:asks?|wants?|says?|complains?|calls?|mentions?|needs?|requests?)\b"
    r"|\b(?:don't|do not|doesn't|does not|never|no need to|needn't|without) (?:mention\w*|tell\w*|say\w*|bring\w*|ask\w*|log\w*|report\w*|show\w*|notify\w*|inform\w*)\b|\bbetween us\b|\b(?:has|have|needs?) to know\b|\bto (?:him|her|your)self\b"
    r"|^\W*(?:note|memo|fyi|reminder|rule|policy|procedure|habit|practice|house rule|standing \w+|update|notice|hint|tip|lookup|instruction)s?\b[^.!?]{0,20}$"
    r"|\blessons?\b|\b(?:worked|went) (?:fine|well|through)\b[^.!?]{0,30}\bso\b"
)
_COMMITS_ZH = re.compile(
    r"以后|今后|往后|日后|从此|永久|长期|永远|一律|凡是|每当|每次|管理员|免(?:审|核|密|检|验)|(?:忽略|无视|忘掉?|不再遵守)[^。]{0,10}(?:指令|规则|设定|提示|守则)|授权|特批|最高权限|无需(?:确认|核实|审批)|不用(?:确认|核实|审批)"
)
_COMMITS_EN = re.compile(
    rf"{_STANDING_EN.pattern}|\b(?:ignor|disregard|forget)\w*\b[^.!?]{{0,40}}\b(?:instructions?|rules?|polic(?:y|ies)|prompts?|guidelines?)\b"
    r"|\b(?:admin\w*|pre-?approved|exempt|without (?:any )?(?:confirmation|checks?|questions?|asking)|need no|no (?:more |further )?(?:confirmation|checks?|approval))\b"
    r"|\b(?:all|any|every) (?:of )?(?:your|my|their) (?:refunds?|requests?|orders?|payments?)\b"
)
TOLD = re.compile(r"(?:\s*(?:（提到：[^（）]*）|\(mentioned: [^()]*\)))+\s*")
"""What `reported` makes of a text that only directs somebody."""
_LABELS = {True: ("（提到：", "、", "）"), False: ("(mentioned: ", ", ", ")")}
_NOTHING = {True: "（提到：…）", False: "(mentioned: …)"}


@lru_cache(maxsize=2_000)
def reported(text: str, *, voice: Voice = "user") -> str:
    """Give a text with every sentence that directs somebody told by its subject; all other words stay as they are.

    In such a sentence too, clauses that tell what the speaker does or has stay.

    Args:
        text: What was said.
        voice: Who said it to whom. `user`, to the agent: what is said of the agent, of what holds for good and of who may
            do what is told by its subject too; it says nothing of the user that a fact would not hold. `people`, among
            themselves: orders only. `agent`: what it has taken upon itself for good, and whom it calls what.
    """
    sentences = _SENTENCES.findall(text)
    told = [_told(sentence, voice) if directs(sentence, voice=voice) else sentence for sentence in sentences]
    return text if told == sentences else "".join(told).strip()


def directs(sentence: str, *, voice: Voice = "user") -> bool:
    """Say whether a sentence would have somebody do something, now or always; what the speaker does is none of it."""
    plain = " ".join(sentence.split()).rstrip("!！。. ")
    clauses = [one for reading in folded_readings(plain) for one in _CLAUSES.split(reading)[::2]]
    said = [clause.strip() for clause in clauses if clause.strip() and not is_pleasantry(clause)]
    if voice == "agent":
        return any((_COMMITS_ZH if has_cjk(clause) else _COMMITS_EN).search(clause) for clause in said)
    if voice == "user" and _is_ruling(plain):
        return True
    return any(_clause_directs(clause) or (voice == "user" and _rules_agent(clause)) for clause in said)


def _is_ruling(sentence: str) -> bool:
    """Say whether a sentence or a clause of it acts as a rule though it only states, in one of the ways to read it."""
    readings = [reading.strip() for reading in folded_readings(" ".join(sentence.split()))]
    return any(
        acts_as_rule(part.strip()) for reading in readings for part in (reading, *_CLAUSES.split(reading)[::2]) if part
    )


def _rules_agent(clause: str) -> bool:
    """Say whether a clause speaks of the agent, of what holds for good, or of who may do what; a question does not."""
    if clause.endswith(("?", "吗", "呢")):
        return False
    sign = _TO_AGENT_ZH if has_cjk(clause) else _TO_AGENT_EN
    return sign.search(without_pleasantries(clause)) is not None and not _is_own(clause)


def _is_own(clause: str) -> bool:
    return (_OWN_ZH if has_cjk(clause) else _OWN_EN).search(clause) is not None


def _clause_directs(clause: str) -> bool:
    if _is_own(clause):
        return False
    if has_cjk(clause):
        found = _DIRECTS_ZH.search(clause)
        return found is not None and not (found.start() == 0 and _DONE_ZH.search(clause))
    said = without_pleasantries(clause)
    return any(sign.search(said) is not None for sign in (_IMPERATIVE_EN, _STANDING_EN, _ADDRESSED_EN))


def _told(sentence: str, voice: Voice) -> str:
    """Tell a sentence by its subject, but for the clauses in which the speaker tells of what is theirs."""
    told: list[str] = []
    is_own = _tells_self if voice == "user" and _is_ruling(sentence) else _tells_own
    pieces = _CLAUSES.split(sentence)
    clauses = zip(pieces[::2], [*pieces[1::2], ""], strict=True)
    for is_kept, group in groupby(clauses, key=lambda one: voice != "agent" and is_own(one[0])):
        words = "".join(text + mark for text, mark in group)
        told.append(words if is_kept else _subject(words))
    return "".join(told)


def _tells_own(clause: str) -> bool:
    """Say whether a clause tells of what is the speaker's, in every way to read it."""
    return all(_is_own(reading.strip()) for reading in folded_readings(clause))


def _tells_self(clause: str) -> bool:
    """Say whether a clause of a sentence that acts as a rule tells of the speaker alone, in every way to read it."""
    return all(tells_of_self(reading.strip()) for reading in folded_readings(clause))


def _subject(words: str) -> str:
    chinese = has_cjk(words)
    bare = PLACEHOLDER.sub(" ", words)
    found = [*PLACEHOLDER.findall(words), *(_subjects_zh(bare) if chinese else _subjects_en(bare))]
    named = list(dict.fromkeys(found))[:MOST_SUBJECTS]
    before, between, after = _LABELS[chinese]
    end = "\n" if words.endswith("\n") else " "
    return (before + between.join(named) + after if named else _NOTHING[chinese]) + end


def _subjects_zh(sentence: str) -> list[str]:
    found = []
    for clause in re.split(rf"[^\w{CJK}#.@/-]+", sentence):
        for piece in _BETWEEN_ZH.split(_UNTOLD_ZH.sub(" ", clause)):
            found += [part[:MOST_CHARS] for part in piece.split() if len(part) > 1 or part.isdigit()]
    return found


def _subjects_en(sentence: str) -> list[str]:
    words = re.findall(r"#?\w[\w@./'’-]*", sentence)
    return [word.strip(".'’")[:MOST_CHARS] for word in words if _tells(word.strip(".'’").lower())]


def _tells(word: str) -> bool:
    return (len(word) > 1 or word.isdigit()) and word not in STOP_WORDS and word not in _UNTOLD_EN
