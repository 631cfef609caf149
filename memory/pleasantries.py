"""Pleasantries: what is said to a friend, or to the agent, for manners or of a feeling ("don't worry", 别客气); no order.

A pleasantry that soothes or parts is one only where it is a whole clause: "don't worry about the approval" is an order. What
is said of somebody's doings or of how they are is taken out wherever it stands, and whatever is left is judged.
"""

from __future__ import annotations

import re

from memory.asked_for_words import lexicon
from memory.words import has_cjk

_FINE_EN = (
    r"(?:amazing|awesome|great|good|nice|cool|lovely|wonderful|fantastic|incredible|inspiring|beautiful|brilliant|gorgeous|sweet|kind|talented"
    r"|dedicated|passionate|adorable|funny|brave|strong|smart|clever|creative|adaptable|encouraging|motivating|rewarding|relaxing|fun|excited|exciting"
    r"|thrilled|elated|happy|proud|glad|pleased|tired|exhausted|sad|nervous|scared|stressful|hard|tough|rough|difficult|scary|painful|awful|upset"
    r"|busy|worried|relieved|delicious|right|welcome|lucky|blessed|a blast|a dream|a star|a lot|so much|the world|the best|appreciated|priceless)"
)
_VERY_EN = r"(?:(?:so|such|very|really|pretty|super|quite|truly|absolutely|incredibly|completely|totally|just|too|all|both|an?) )*"
_WITH_YOU_EN = (
    r"(?:to (?:see|hear(?: (?:from|about))?|meet|know|catch up with|(?:talk|chat|speak) (?:to|with))"
    r"|hearing (?:from|about)|seeing|meeting|(?:talking|chatting|speaking|catching up) (?:to|with))"
)
_LIFE_EN = (
    r"(?:kids?|child(?:ren)?|famil(?:y|ies)|fam|friends?|loved ones|mom|mum|dad|mother|father|parents|sisters?|brothers?|sons?|daughters?|wife|husband|partner"
    r"|grand\w+|bab(?:y|ies)|dogs?|cats?|pets?|pups?|weekend|holidays?|vacation|trips?|travels|hikes?|birthday|wedding|party|adventures?|dreams|hobb(?:y|ies)"
    r"|garden|cooking|paintings?|dance|dancing|studio|band|team|big day|day|evening)"
)
_ONWARD_EN = r"(?! (?:to|not|must|should|shall|will|may|can|could|never|always|only|just|approve|agree)\b)"
_YOU_EN = rf"(?:all of |both of )?(?:you\b{_ONWARD_EN}|your\b)"
_DID_EN = (
    r"(?:had (?:so |such )?(?:an?|some|fun|much)\b|did (?:it|so|great|well|amazing|an? \w+ job)\b|made (?:it|my day|some|new)\b|worked (?:so |really )?(?:hard|up)\b"
    r"|got (?:this|it|to go)\b|went\b|enjoy(?:ed)?\b|lov(?:e|ed)\b|liked\b|nailed\b|rock(?:ed)?\b|inspire\b|deserve\b|came\b|met\b|won\b|felt\b|earned\b|look(?:ed)?\b|sounded\b"
    r"|found (?:an?|some|the|something|that same)\b|stuck it out\b|put in\b)"
)
_SOCIAL_EN = re.compile(
    rf"\b{_FINE_EN} (?:that |for |of |about )?{_WITH_YOU_EN}? ?{_YOU_EN}"
    rf"|\b{_FINE_EN} (?:that |to hear (?:that )?|to see (?:that )?)?you(?:'ve| all| two| guys| both| really)* {_DID_EN}"
    rf"|\b(?:so|really|very) (?:sorry|stoked|grateful|thankful|jealous) (?:for |to |of |that happened to )?(?:hear about )?{_YOU_EN}"
    rf"|\b(?:stoked|sorry|grateful|thankful|congrats|congratulations|well done|good luck|cheers|hats off|best wishes|shout ?out|welcome)\b[^.!?]{{0,24}}? (?:for|to|of|on|about|with|in) {_YOU_EN}"
    rf"|\b(?:thanks?|thank|miss(?:ed)?|admire|appreciate|congratulate|wishing|bless|love)(?: (?:for|to|on))? {_YOU_EN}"
    rf"|\bhop(?:e|ing) (?:that )?you(?:'re| are|'ve| have| had| all| guys|\b) ?(?:enjoy|like|had|have (?:an?|fun)|feel|get well|(?:doing|keeping|feeling|having|enjoying)\b|{_VERY_EN}{_FINE_EN})"
    rf"|\b(?:sound|look|seem|feel)s? like {_YOU_EN}"
    rf"|\byou(?:'re| are|'ve been| were| look(?:ed)?| sound(?:ed)?| seem(?:ed)?|'ll be| will be|'re doing| are doing) {_VERY_EN}(?:{_FINE_EN}|\w+ (?:a|an) \w+ing\b)\b"
    rf"|\byou(?:'ve| have)? {_VERY_EN}(?:obviously |definitely |certainly )?{_DID_EN}"
    r"|\byou(?:'ve| have) (?:come|grown|been through|worked (?:so )?hard)\b|\byou(?:'ve)? got this\b|\byou(?:'re| are) (?:killing|rocking|nailing) it\b|\byou'll (?:love|enjoy|do (?:great|fine|well)|get there)\b"
    rf"|\byour (?:\w+ ){{1,5}}?(?:is|are|was|were|looks?|looked|sounds?|sounded|means?|meant|seems?|must be) {_VERY_EN}{_FINE_EN}\b"
    r"|\byour (?:\w+ ){1,4}?(?:(?:really|definitely|certainly|sure) )?(?:paid off|inspires?|motivates?|matters?|rocks?|helps?|helped)\b"
    r"|\byou(?:'re| are) (?:really )?making (?:a|such a) (?:\w+ )?difference\b"
    rf"|\byour (?:\w+ )?{_LIFE_EN}\b"
    r"|\b(?:i|we) (?:told|showed) you (?:all )?about (?:my|our|how (?:i|we)|when (?:i|we)|the (?:time|day|trip|night))\b"
    rf"|\b(?:same|back) (?:to|at) you\b|\b(?:what|how) about you\b|^(?:and )?you\W*$|\byou (?:too|guys|rock)\b|\blet me know (?:if|how) you(?:'re)?\b|\bsee (?:you|ya)\b{_ONWARD_EN}|\b(?:{_WITH_YOU_EN}) you\b{_ONWARD_EN}"
    rf"|\byou must (?:be {_VERY_EN}{_FINE_EN}|have (?:been|had|felt|loved|enjoyed|missed|worked))\b"
    rf"|\bmust(?: not)? be {_VERY_EN}(?:{_FINE_EN}|\w+ journey)\b"
    r"|\bremember (?:when|how) (?:we|you and i) (?:\w+ed|went|were|had|got|met|saw|did|made)\b"
)
_ASKING_EN = re.compile(
    r"^(?:and |so |but )?(?:(?:do|did|have|are|were|don't) (?:you|they|we|your \w+) (?!mind\b|ever\b|dare\b|must\b|always\b)"
    r"(?:guys |all |still |ever |both |also )?(?:have|know|think|like|love|enjoy|feel|want|remember|take|play|go|live|work|own|got|been|seen|read|tried|heard|had|doing|planning|going|coming|need|agree|find)\b"
    r"|(?:how|what|where|why|which|who)\b[^.!?]{0,20}\b(?:do|did|are|were|have) (?:you|your)\b)"
)
_WHOLE_EN = re.compile(
    r"\W*(?:(?:oh|ok(?:ay)?|well|hey|so|but|and|please|haha|aw+|then|yeah|yes|no)\b\W*)*"
    r"(?:(?:please )?(?:don't|do not|no need to|never) (?:you )?(?:worry|fret|panic|mind|mention it|sweat it|thank me|apologi[sz]e|cry|give up|lose hope|be (?:so |too )?(?:sorry|sad|silly|shy|upset|scared|afraid|nervous|hard on yourself|a stranger|discouraged)|get discouraged)"
    r"|no (?:problem|worries|hurry|rush|big deal)(?: at all)?|don't you think|all good|take care(?: of yourself)?|hang in there|cheer up|get well soon|sleep well|enjoy|keep (?:it up|going|at it)"
    r"|(?:see|catch|talk to|speak to|hear from) (?:you|ya|u)|talk soon|let's talk soon|feel free|be well|stay safe|have (?:a|an) (?:\w+ )?(?:day|time|evening|night|weekend|one|trip))"
    r"(?:\W*(?:about (?:it|me|that|this|him|her|us|them|a thing)|for (?:me|us)|too much|at all|then|though|either|anymore|now|soon|later|again|around|tomorrow|tonight|next (?:week|time)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|there|mate|man|dear|honey|buddy|friend|bro|my friend|you guys|everyone|[a-z]+(?=!)))*\W*"
)

_FINE_ZH = r"(?:棒|好|厉害|了不起|优秀|贴心|善良|可爱|好看|漂亮|帅|美|幸福|辛苦|不容易|幽默|聪明|温柔|细心|有才|幸运|勇敢|坚强|有趣|有意思|对|懂我|懂|累|忙|激动|开心|高兴)"
_SOCIAL_ZH = re.compile(
    r"(?:谢谢|多谢|感谢|谢|辛苦|想念|想|爱|恭喜|恭贺|祝贺|心疼|羡慕|佩服|欣赏)(?:您|你们?)(?!们?(?:必须|一定|要|得(?!了)|应该|以后|把|给|去|帮|替|别|不要|来))"
    r"|(?:为|替)(?:您|你们?)(?:感到|觉得)?(?:很|真|好|十分)?(?:高兴|开心|骄傲|自豪|难过|可惜)"
    r"|(?:高兴|开心|荣幸|幸运)(?:能|可以|又)?(?:认识|见到|遇见|遇到|听到|看到|收到|跟|和)(?:您|你们?)"
    r"|(?:祝|愿|希望)(?:您|你们?)(?:全家|家人|也|都|能|天天|永远)*(?:玩得|喜欢|一切顺利|早日|开心|快乐|幸福|健康|平安|顺利|好运|生日|新年|节日|身体)"
    rf"|(?:您|你们?)(?:今天|最近|昨天|那天|看起来|看上去|可|也|真的?|太|好|超|非常|特别|实在|一直|这么|那么|很|挺|够)+{_FINE_ZH}"
    r"|(?:您|你们?)(?:说得|讲得|做得|唱得|画得|写得|演得|跳得)(?:真|太|很|都|也|挺|非常|没)*(?:好|对|棒|错|精彩|漂亮|有道理)"
    r"|(?:听说|看到|看见)(?:您|你们?)(?=[^,，。]{1,14}了)|^(?:您|你们?)好|(?:您|你们?)呢\W*$|(?:一定|肯定)(?:很|特别|非常|超)(?:棒|开心|高兴|好玩|精彩|辛苦|累|难过|激动)"
    r"|(?:跟|和|同|对|向|给)(?:您|你们?)(?:说|讲|聊|提|分享|介绍)(?:过|了|起过?)(?=我(?!让|要|叫|有权|授权|是|的(?:规|权|要求))|咱|那次|那天|上次|上周|去年|前)"
)
_WHOLE_ZH = re.compile(
    r"\W*(?:嗯+|哦+|好的?|哎|唉|哈+|那|就|真的|你|您|你们|千万|都|也|可|请|大家|\s)*"
    r"(?:(?:别|不要|不用|不必|甭|无需|无须|毋须|勿)(?:再|太|这么|那么|瞎|总|老|为我|替我|跟我|和我|对我|往|这样|有|\s)*"
    r"(?:担心|操心|挂心|挂念|惦记|牵挂|客气|谢|道谢|道歉|介意|难过|伤心|着急|急|紧张|害怕|怕|慌|生气|在意|见外|见怪|见笑|放在心上|往心里去|心里去|多想|想太多|想多|灰心|气馁|泄气|自责|哭|激动|压力|顾虑|不好意思)"
    r"|没关系|没事|没问题|不要紧|不打紧|不碍事|不客气|不谢|不怪|哪里哪里|哪儿的话|再见|拜拜|回头见|回见|改天见|保重|加油|慢走|晚安|早安|辛苦)"
    r"(?:我们?|你们?|您|他们?|她们?|它|这个|这些|这事|了|啦|啊|哈|呀|嘛|哦|的|噢|喔|吧|儿|太多|过头|一下|\s)*\W*"
)


def is_pleasantry(clause: str) -> bool:
    """Say whether a clause, in small letters, does nothing but soothe, thank back, cheer or part, or asks what one does."""
    if not has_cjk(clause):
        return _WHOLE_EN.fullmatch(clause) is not None or _ASKING_EN.search(clause) is not None
    return _WHOLE_ZH.fullmatch(clause) is not None


def without_pleasantries(clause: str) -> str:
    """Give a clause, in small letters, without what it says to somebody of a feeling, of how they are or what they did.

    Where it is about money, papers or a service too, all of it stays.
    """
    if lexicon().trade.search(clause):
        return clause
    return (_SOCIAL_ZH if has_cjk(clause) else _SOCIAL_EN).sub(" ", clause)
