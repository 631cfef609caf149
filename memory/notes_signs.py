"""Signs of a thread's work: what begins a task, what ends it, what was reached on the way; in Chinese and in English."""

from __future__ import annotations

import re

_VERB_EN = (
    r"(?:plan(?:ning)?|writ(?:e|ing)|draft(?:ing)?|build(?:ing)?|design(?:ing)?|prepar(?:e|ing)|organi[sz](?:e|ing)|fix(?:ing)?"
    r"|refactor(?:ing)?|debug(?:ging)?|translat(?:e|ing)|compar(?:e|ing)|research(?:ing)?|creat(?:e|ing)|develop(?:ing)?|set(?:ting)? up"
    r"|put(?:ting)? together|analy[sz](?:e|ing)|migrat(?:e|ing)|review(?:ing)?|edit(?:ing)?|work(?:ing)? on|figur(?:e|ing) out"
    r"|calculate|calculating|rewrit(?:e|ing)|arrange|arranging|find(?:ing)?|choose|choosing)"
)
_LEAD_EN = (
    r"(?:(?:can|could|would|will) you (?:please )?help me(?: to| with)?|help me(?: to| with)?|let's|let us|we (?:need|have|want) to|we(?:'re| are)(?: going to)?"
    r"|i (?:need|want|have) to|i'd like to|i would like to|i'm(?: currently| now)?(?: going to)?|i need (?:your )?help(?: to| with)?"
    r"|(?:our|my|the) (?:new )?(?:task|goal|project) (?:now )?is(?: to)?|start(?: to)?)"
)
_VERB_ZH = r"(?:写|做|策划|规划|设计|准备|整理|修复?|调试|重构|翻译|比较|研究|制定|安排|筹备|搭建|开发|迁移|分析|审阅|修改|改写|起草|撰写|计算|组织|挑选?|办)"
_LEAD_ZH = r"(?:帮我|给我|我们?(?:来|要|想要?|得|需要|打算|准备|正?在|一起)|咱们?(?:来|要|一起)?|一起|开始|(?:任务|目标|项目)(?:就)?是)"
BEGINS = re.compile(
    rf"^(?:(?:ok(?:ay)?|now|next|so|hi|hello|please|alright|right|then|and|also|first|today)\b[\s,]*)*{_LEAD_EN} {_VERB_EN}\b.{{3,}}"
    rf"|^(?:好的?|那么?|嗯|接下来|现在|下面|然后|首先|今天|请|麻烦你?|您好|你好|[，,\s])*{_LEAD_ZH}+(?:一起|一下|先|再|把)*.{{0,6}}?{_VERB_ZH}.{{2,}}",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"""\b(?:(?:that's|that\ is|this\ is|it's|it\ is|we're|we\ are|i'm|i\ am|everything\ is|all)\ (?:all\ |now\ )?(?:done|finished|completed?|sorted|set)
    |(?:task|project|job)\ (?:is\ )?(?:now\ )?(?:done|completed?|finished|over)|(?:finished|done)\ with\ (?:that|this|it|the\ \w+)
    |that's\ (?:it|all|everything)|we\ can\ close\ this
    |(?:cancel|drop|scrap|abandon|stop|never\ ?mind|forget)\ (?:about\ )?(?:the\ |this\ |that\ )?(?:whole\ )?(?:task|project|plan|job|thing))\b
    |(?:都?(?:搞定|弄完|弄好|做完|写完|办完|完工|收工|大功告成)|(?:全部|都|任务|项目|终于)(?:已经)?(?:完成|结束))(?:了|啦)
    |就(?:先)?(?:到这儿?|到这里)(?:吧|为止)?|(?:任务|计划|项目|这事儿?|这件事)(?:就)?(?:不做|不办|不弄|不用做|取消|算|作废)了""",
    re.IGNORECASE | re.VERBOSE,
)
NOT_YET = re.compile(
    r"还没|没有?(?:做完|写完|完成|搞定)|尚未|[等待](?:.{0,8})(?:完|好|定)|如果|要是|之前|[吗呢?？]\W*$|第[一二三四五六七八九十]|一半|部分"
    r"|\b(?:not|isn't|aren't|n't|when|once|until|till|if|before|almost|nearly|half|part|step|section|chapter|draft)\b|n't\b",
    re.IGNORECASE,
)
REACHED = re.compile(
    r"""目前|至今|已经?|结果|算出|算下来|总共|合计|一共|找到了?|查到|订好|定好|发出|写好|得出|(?:部分|一半|步|稿|章)(?:.{0,6})(?:完|好)了?
    |\b(?:so\ far|already|(?:part|step|draft|version|section|chapter|half)\ (?:\w+\ )?(?:is|are|was)\ (?:now\ )?(?:done|ready|finished|written|complete)
    |(?:we|i)(?:'ve|\ have)\ (?:got|found|finished|done|booked|chosen|written|decided|sent|collected)|results?|turns?\ out|comes?\ to|totals?|found\ that
    |works?\ out\ (?:to|at)|booked|adds?\ up\ to)\b""",
    re.IGNORECASE | re.VERBOSE,
)
