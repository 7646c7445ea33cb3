# ruff: noqa: E501 - a table of patterns reads best a row a line
"""Cues of how things go: reasons, limits, attempts, lessons, open points, doubts, moods."""

from __future__ import annotations

from memory_core.extraction.cue import Cue, cue
from memory_core.model import Outcome, Theme

OK, BAD, UNKNOWN = Outcome.SUCCESS, Outcome.FAILURE, Outcome.UNKNOWN

T = Theme

CUES: tuple[Cue, ...] = (
    # reason
    cue(
        "porque",
        T.REASON,
        r"^(?:porque|pois|ja que|uma vez que|visto que|por causa d|por ser|because|since (?!(?:\w+day|the|last|19|20|\w+ \d))|due to|given that|as the|as it|as we|as i|so that|owing to)\b",
    ),
    cue(
        "since-the",
        T.REASON,
        r"^since the \w+ (?:loses|is|are|was|were|has|had|does|cannot|can't)\b|^como [oa] \w+ (?:queima|e|esta|foi|tem|nao)\b",
    ),
    cue(
        "o-motivo",
        T.REASON,
        r"^(?:(?:o |a |the )?(?:motivo|razao|reason)s?\b)(?: e| is| was| foi|:)|\b(?:o motivo|a razao|the reason) (?:e|foi|is|was)\b",
    ),
    cue(
        "para-nao",
        T.REASON,
        r"^(?:para|pra) (?:nao|que|caber|evitar|poder|abrir)\b|^to (?:fit|avoid|keep|prevent|save|make sure)\b|^in order to\b",
    ),
    cue(
        "e-caro",
        T.REASON,
        r"^(?:e|esta|sai|it's|it is|it) (?:muito |far |too |caro|car[ao]|mais barat|barat|cheap|expensive|slow|lent|adds?\b|costs?\b)",
    ),
    # constraint
    cue(
        "nunca-pode",
        T.CONSTRAINT,
        r"\bnobody uses\b|\bask me first\b|\bso fal[oa]\b|\bis rated\b|\bruns out on\b|\bso (?:ate|me chama)\b|\beu nao dou a ninguem\b|\bfecha dia\b|\bsem pular\b|\b(?:nunca (?:\w+r|em|no|na)\b|nao pode(?:m|mos|ria)?\b|(?<!i )(?<!we )(?<!has )(?<!have )(?<!he )(?<!she )(?<!they )never (?!again|said|went|called|agreed)\w+|must(?: not)? (?!have been)|mustn't|can(?:no|')t (?:go|spend|be|run|exceed|pass|use)|cannot|may only|not allowed|is forbidden|e proibido|proibid[oa])\b",
    ),
    cue(
        "tem-que",
        T.CONSTRAINT,
        r"\b(?:tem (?:que|de) (?:ser|caber|ficar|estar|ter|sair|terminar|passar)|precisa (?:ser|caber|terminar|ficar|estar)|have to be|has to be|it has to|needs to be|must fit|so pode\b|so aguenta|can only|only takes|exige|exigem|requires?|obrigatori\w+|mandatory|only admins)\b",
    ),
    cue(
        "limite",
        T.CONSTRAINT,
        r"\b(?:no maximo|no minimo|pelo menos|at most|at least|no more than|not more than|up to a maximum|maximum of|minimum of|limite de|minimo (?:e |de )|maximo (?:e |de )|prazo e|nao passa\w* d[aeo]|ate o limite|allergic to)\b",
    ),
    cue(
        "sem-x-nao",
        T.CONSTRAINT,
        r"^(?:sem|without) .{2,30}\b(?:nao|no|nothing|never)\b|\bantes d[aoe]s? (?:meio-dia|\d)|\bbefore (?:six|noon|\d)",
    ),
    # attempt
    cue(
        "deu-erro",
        T.ATTEMPT,
        r"\bno luck\b|\bstill clogged\b|\bnao segurou\b|\b(?:deu (?:erro|ruim|pau|errado)|falh(?:ou|aram|ei|a)\b|nao (?:funcionou|rodou|deu certo|resolveu|consegui\w*|passou|abriu|conectou)|quebr(?:ou|aram)|trav(?:ou|aram)|estour(?:ou|aram)|parou|fail(?:ed|s|ing)|broke\b|did(?:n't| not) (?:work|run|fix|help|pass|start)|could(?:n't| not) (?:get|reproduce|connect|find|open|reach|be)|timed? ?out|tempo esgotado|crash(?:ed|es)|stopped|errored|nobody (?:picked up|answered)|ninguem atendeu|estava fechad[oa]|was closed|jammed|piorou)\b|\b\d+ (?:erros?|failed|failures?)\b",
        BAD,
    ),
    cue(
        "funcionou",
        T.ATTEMPT,
        r"\bprints again\b|\bamanheceu seca\b|\bdeu conta\b|\bfired\b|\b(?:funcion(?:ou|aram|a agora)|deu certo|consegu(?:i|imos|iu)\b|passou sem|passaram|resolv(?:ido|eu)|pronto[,:]|concluid[oa]s?|works?\b|worked|passed|pass now|succeeded|managed to|got (?:it|the .{1,25}) (?:working|to work)|got the .{0,25}permit|finished without|went through|confirmation arrived|confirmacao chegou|is rebuilt|health checks? (?:verdes|green)|verdes?\b)",
        OK,
    ),
    cue(
        "tentei",
        T.ATTEMPT,
        r"\b(?:tent(?:ei|amos|ou)|test(?:ei|amos|ou)\b|experiment(?:ei|amos)|liguei|fui (?:ao|a|la)\b|i tried|we tried|tried to|i tested|we tested|called (?:the|them|him|her)|i went to|first attempt|primeira tentativa|re-?ran|refiz|submitted|enviei|rodei|instalei)\b",
        UNKNOWN,
    ),
    cue(
        "feito",
        T.ATTEMPT,
        r"^(?:feito|pronto|done|deploy feito|atualizado|updated|renamed|fixed|corrigid\w+)\b[:,. ]",
        OK,
    ),
    # learning
    cue(
        "aprendi",
        T.LEARNING,
        r"^(?:licao|moral da historia|lesson|note to self|takeaway)\b|\bso it wasn't\b|\b(?:aprend(?:i|emos)|descobr(?:i|imos)|perceb(?:i|emos)|agora (?:eu )?sei que|licao|moral da historia|fica de licao|i (?:learned|learnt|realised|realized|found out|discovered)|we (?:learned|learnt|realised|realized|found out|discovered)|turns out|lesson|takeaway|note to self|it turned out)\b",
    ),
    # open point
    cue(
        "falta",
        T.OPEN_POINT,
        r"^to do:|^todo:|^open:|^falta\b|\bem aberto:|\bespera por\b|\bowes? us\b|\bpend(?:encia|ente)\b|\bme lembra de\b|\bneeds? (?:her|his|its|to) \w+ by\b|\b(?:falta(?:m)? (?!de\b|d[ao]\b)\w+|fica(?:m|r)? pendente|pendente\b|em aberto|a definir|a confirmar|por fazer|still (?:need|have|has|to|open|undecided|missing)|is still|yet to|to do:|todo:|to be (?:decided|confirmed|bought|done)|remains open|undecided|pending)\b(?!.*\b(?:vidro)\b)",
    ),
    cue(
        "precisamos-ver",
        T.OPEN_POINT,
        r"\b(?:precis(?:o|amos) (?:ver|confirmar|decidir|saber|descobrir|marcar)|tem (?:que|de) decidir|temos que ver|need to (?:find out|decide|check|confirm|see)|ainda nao (?:sei|sabemos|resolv|decid|temos|marc|confirm)|nao resolvi ainda|haven't (?:sorted|decided|booked|settled|confirmed)|have not (?:sorted|decided|booked|settled)|someone (?:still )?has to)\w*",
    ),
    # doubt
    cue(
        "nao-sei",
        T.DOUBT,
        r"\bi (?:think|believe) i (?:left|forgot|may)\b|\b(?:nao (?:sei|tenho certeza|estou (?:certo|certa|segur[oa]))|tenho duvidas?|desconfi(?:o|amos)|duvid(?:o|amos)\b|sera que|quem sabe|talvez|pode ser que|acho que(?=.*(?:mas|nao tenho|deixei|ta|esta))|i'm (?:not sure|unsure)|i am (?:not sure|unsure)|not sure|i (?:doubt|wonder|suspect)|maybe|perhaps|might\b|i think i may)\b",
    ),
    # expectation
    cue(
        "espero",
        T.EXPECTATION,
        r"\b(?:esper(?:o|amos) (?!um|a resposta)|prevej?o|a ideia e|deve(?:m)? (?:chegar|sair|ficar|terminar|vir|dar)|vai (?:chegar|sair|ser no dia|acontecer)|chega(?:m)? (?:na|no|em|amanha|hoje|dia|sexta|quinta|quarta|terca|segunda|sabado|domingo)|i (?:expect|hope)|we (?:expect|hope)|should (?:arrive|be|finish|come)|will (?:arrive|take|be on|come)|arrives? (?:on|tomorrow|next)|comes? (?:on|tomorrow|next)|procuro .{1,30} amanha)\b",
    ),
    # mood
    cue(
        "estou-sinto",
        T.MOOD,
        r"\bestou (?P<word3>leve|bem|mal|um caco)\b|\b(?P<word4>worn out|discouraged)\b|\bdormir (?P<word5>feliz|tranquil[ao])\b|\b(?:estou|to|tou|ando|fiquei|ficou|fico|sai\w* d[oaeu]\w* .{0,20}|me sinto|senti|estava|esta|tava|i'm|i am|i was|i've been|i felt|i feel|feeling|left .{0,25}|got|is|was|am) (?:feeling |meio |muito |super |bem |tao |so |very |really |quite |a bit |um pouco |bastante |nao )*(?P<word>exaust\w+|irritad\w+|animad\w+|feliz\w*|triste\w*|preocupad\w+|aliviad\w+|cansad\w+|frustrad\w+|nervos\w+|ansios\w+|chatead\w+|orgulhos\w+|contente\w*|satisfeit\w+|furios\w+|arrasad\w+|empolgad\w+|decepcionad\w+|com (?:medo|raiva|saudade|vergonha)|exhausted|happy|sad|tired|relieved|worried|angry|upset|excited|anxious|proud|afraid|glad|frustrated|annoyed|nervous|furious|devastated|disappointed|thrilled|low|scared|stressed|overwhelmed|delighted|miserable)\b",
    ),
    cue(
        "que-raiva",
        T.MOOD,
        r"^(?P<word>que (?:raiva|alivio|tristeza|medo|saudade|odio|frustracao))\b|\b(?P<word2>odeio|adorei|amei|detest(?:o|ei)|driving me (?:crazy|mad)|(?:i )?(?:love|loved|hate|hated))\b",
    ),
)
