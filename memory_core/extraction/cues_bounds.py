# ruff: noqa: E501 - a table of patterns reads best a row a line
"""Cues of bounds set and of things still hanging: constraints, open points, changes, options."""

from __future__ import annotations

from memory_core.extraction.cue import Cue, cue
from memory_core.model import Theme

T = Theme
_MONEY = r"(?:r\$ ?|us\$ ?|[$£€] ?)?\d"

CUES: tuple[Cue, ...] = (
    cue(
        "not-until",
        T.CONSTRAINT,
        "",
        r"^(?:but |and |so |ok |mas |e )?(?:no|not|nothing|nobody|don't|do not) .{2,60}\b(?:till|until|before|unless|without|ever)\b",
        r"^(?:mas |e |entao )?(?:nao|nada|ninguem|nem) (?!sei\b|tenho certeza|acho\b).{2,70}\b(?:sem|antes d|ate|enquanto|a nao ser|a menos)\b(?! (?:agora|hoje|o momento|ontem)\b)",
        r"\bwithout (?:a |the |an )?\w+ (?:i|we) (?:won't|will not|can't|don't|am not|'m not)\b|\bsem \w+(?: \w+)? (?:eu |a gente )?nao (?:vou|vamos|assino|fecho|aceito|libero|faco|entro|pago)\b",
    ),
    cue(
        "only-when",
        T.CONSTRAINT,
        "",
        r"^(?:mas |e |[\w ]{2,25} )?so (?:\w+ )?(?:se|quando|depois|apos|a partir|com|confirma|da|abre|aceita|atende|funciona|libera)\b(?!.*\bque nao\b)",
        r"\bonly (?:if|when|after|once|on|by|with)\b(?=.{4})",
        r"^(?:primeiro|antes disso|antes de tudo|first),? (?:eu )?(?:quero|preciso|tem que|i (?:want|need)|we need)\b",
        r"\b(?:com|tem|so) uma condicao\b|\bon (?:one|the) condition\b|\bthe condition is\b|\ba condicao (?:e|era|foi)\b",
        r"\b(?:yes|ok|fine|sim|topou|aceitou)\b.{0,30}\b(?:as long as|provided|desde que|contanto que)\b",
    ),
    cue(
        "cap",
        T.CONSTRAINT,
        "",
        rf"\b(?:budget|orcamento|teto|cap|limite|verba)(?:'s| is| e| sao|:)? (?:de |of )?(?:\w+ )?{_MONEY}",
        rf"\b(?:can't|cannot|must not|nao (?:pode|posso|podemos|da pra|da para)) (?:top|exceed|go over|spend|pass|passar|gastar|ultrapassar)\b.{{0,20}}{_MONEY}|\bno \w+ (?:over|above|under|below) {_MONEY}|\bnenhum\w* \w+ (?:acima|abaixo) d[eo]\b",
        r"\b(?:hours?|days?|weeks?|horas?|dias?|semanas?) (?:max|tops|no maximo)\b",
        r"\b(?:has|have) to be (?:in|out|done|back|sent|paid|signed)\b|\bwe're out by\b|\bout by \w+",
        r"\b(?:quer|exige|exigiu|exigem|pede|pedem|wants|need|needs|requires?|insists on) .{2,60}\b(?:antes d[eoa]?|before|ate o|ate a|first|assinad[oa])\b",
        r"\b(?:is|are|e|seria) (?:a |an |um |uma )?(?:dealbreaker|deal-breaker|non-negotiable|inegociavel|sagrad[oa]|sacred)\b",
        r"\bnao (?:fecha|abre|funciona|atende|trabalha)m? (?:de|n[oa]s?|em|aos?)\b",
        r"\b(?:anything|everything|tudo|o que passar) (?:over|above|acima|de) .{1,25} (?:is|e|paga|costs|charged)\b",
        r"\bso tem (?:vaga|horario|lugar|espaco)\b|\bthere's only (?:room|space|time)\b",
        r"\b(?:said|disse(?:ram)?) (?:no|nao) (?:to|para|pra)\b(?=.)",
        r"\b(?:so vence|trava(?:do|da)s? ate|locked (?:in )?until|tied up until)\b",
        r"^mais \S+(?: \w+)? eu nao tenho\b|\bi (?:don't|haven't) (?:have|got) (?:that|another|more|the money)\b|\b(?:nao|eu nao) (?:consigo|tenho como) (?:licenca|pagar|tirar)\b",
        r"\b(?:can't|cannot) (?:sit|wait|be without|do without|afford|stay) .{2,40}\b(?:till|until|more than|in the)\b",
    ),
    cue(
        "hanging",
        T.OPEN_POINT,
        "",
        r"\bstill waiting\b|\b(?:haven't|hasn't|have not|not) heard (?:back|from)\b|\b(?:hasn't|haven't|has not) (?:answered|replied|responded|got back|confirmed)\b(?! (?:my prayers))",
        r"\bi (?:still )?owe (?:him|her|them|the|my|a)\b|\bi (?:still )?(?:have|need|'ve got) to (?:get|call|ask|book|find|tell|check|talk|sort|write|send|return|buy|pay)\b|\bstill to (?:do|buy|book|decide|come)\b",
        r"\b(?:haven't|have not|hadn't) (?:a|the|any|got a) (?:notion|idea|clue|foggiest)\b|\bno (?:idea|clue) (?:who|where|when|how|what|yet)\b|\bsei la (?:quem|onde|quando|como)\b|\b(?:quem|onde|quando|como) .{2,40} eu nao sei(?: ate agora| ainda)?\b|\bnao faco (?:ideia|a menor ideia)\b",
        r"\b(?:someone|somebody|one of us) (?:has|needs|still has) to\b|\balguem (?:tem|vai ter|precisa) (?:que|de)?\b|\btem que ver (?:quem|onde|como|quando|se)\b",
        r"\bcontinua(?:m)? (?:faltando|pendente|em aberto|sem resposta)\b|\bsem (?:resposta|retorno)(?: ainda| ate agora)?[.!]?$|\besperando (?:a |o )?(?:resposta|retorno|orcamento)\b",
        r"\b(?:ninguem|nobody|no one) (?:(?:ainda |has )?(?:testou|resolveu|decidiu|confirmou|marcou|viu|pensou|avisou|tested|decided|checked|booked|looked|confirmed|thought))\b",
        r"\b(?:falo|vejo|resolvo|decido|pergunto|confirmo|ligo|converso|marco) (?:isso |com \w+ )?(?:depois|amanha|na (?:segunda|terca|quarta|quinta|sexta)|semana que vem|no (?:sabado|domingo))\b",
        r"^(?:mas |e |entao |primeiro )?(?:eu )?(?:vou|preciso|tenho que|tenho de|falta) (?:perguntar|falar|conversar|ver|confirmar|consultar|checar|avisar|descobrir|marcar|ligar|achar|buscar|procurar|resolver|arrumar)\b",
        r"^(?:but |so |and )?(?:i'll|let me|i will|i need to|let's) (?:ask|check|find out|talk to|call|phone|see (?:if|whether|what))\b(?! with care)",
        r"\bwhat's (?:still )?(?:missing|left|open)\b|\bainda nao (?:falei|liguei|avisei|mandei|comprei|paguei|tenho|escolhi|assinei|vi)\b|\be ainda nao tenho\b",
        r"\b(?:do|does) (?:i|we) \w+ .{2,60}\bor\b|^who's (?:going to|gonna)\b",
    ),
    cue(
        "turned-around",
        T.REVISION,
        "",
        r"^(?:right|ok|okay|entao|bom|voltando|no)?[,:]? ?(?:scrap|esquec[ea]|forget|scratch) (?:the|that|it|o|a|isso|aquilo)\b",
        r"\b(?:slips?|slipped|pushed(?: back)?|moves?|moved|bumped|brought forward) (?:back )?to (?:mon|tues|wednes|thurs|fri|satur|sun|the \d|\d|next|tomorrow|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
        r"^(?:no|em) lugar d[eoa] .{2,40}(?:vou|fico|uso|faco|vamos)\b|\bin place of\b",
        r"^(?:entao |ta, |ok, )?(?:volto|voltamos|vou voltar|vamos voltar) (?:pro|pra|para|ao|a|com) (?!casa\b|trabalh|dormir|falar)",
        r"\bfica(?:m)? (?:pr[ao]s?|para (?:o|a|as|os)) (?:\d|dia|segunda|terca|quarta|quinta|sexta|sabado|domingo|as)\b",
        r"\bit's the \d+(?:st|nd|rd|th)?.{0,25}\bnow\b|\bit's .{1,30}\d.{0,12} now\b",
        r"\b(?:pediu|pediram) (?:pra|para) (?:passar|mudar|adiar|trocar)\b|\bbaixar (?:pra|para) \d|\bsubir (?:pra|para) \d",
        r"\bmud(?:ou|aram) (?:o papo|a conversa|de ideia|as regras|o combinado)\b|\bagora (?:querem|quer|sao|vai ser) \D{0,6}\d",
        r"^(?:so )?the [\w ]{2,25} goes first\b|\bmake (?:it|that) \d",
        r"^(?:tudo bem|ok|ta|fine|all right),? (?:entao )?\d{1,4}(?:h|%)?[.!]?$|^(?:troca|muda|altera|switch|change) [\w ]{2,40} (?:pra|para|pro|to) ",
    ),
    cue(
        "either-way",
        T.ALTERNATIVE,
        "",
        r"\b\w+ (?:vs\.?|versus) \w+",
        r"\b(?:duas|dois|two|three|tres) (?:uses|remedios|orcamentos|propostas|quotes|offers|brands|modelos|places|lugares|jeitos)\b",
        r"\bi could (?:do|take|go|use|pick) .{3,60} or\b|\b(?:podia|poderia) .{3,60} ou\b",
        r"\b(?:no thanks|no, thanks|nao, obrigad[oa]|(?:eu )?(?:to|tou|estou) fora|deus me livre|nem morta?|nem a pau|over my dead body|not a chance|hard pass)\b",
        r"^(?:nem [\w ]{2,30} nem|neither .{2,40} nor)\b|\bnem pensar\b(?=,)|^[\w ]{3,30} nem pensar\b",
        r"^[oa] (?:d[oa] )?[\w ]{2,25} (?:e|custa|sai|cobra) (?:por )?\S*\d.{2,60}\b(?:mas|e (?:o|a)|[oa] d[oa])\b",
        r"\S*\d\S* (?:for|por|a hora|each|para) .{3,50}[;,] .{2,40}\S*\d",
        r"\bturning (?:\w+ )?down\b",
    ),
    cue(
        "lesson-learned",
        T.LEARNING,
        "",
        r"\bwhat i(?:'ve| have)? (?:learned|learnt)\b|\b(?:note|reminder) for next time\b|\bwho knew\b|\bpra proxima:|\bda proxima vez (?!que a gente se)",
        r"^(?:licao|aprendizado|conclusao)\b ?(?:do dia)?[:,]|\b(?:reparei|notei) que\b|\bi(?:'ve)? (?:noticed|worked out|figured out) (?:that )?\w+",
    ),
)
