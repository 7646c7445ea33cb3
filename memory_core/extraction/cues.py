# ruff: noqa: E501 - a table of patterns reads best a row a line
"""The words that show what a clause is to the story: one row a cue, pt-BR and English.

Patterns run over folded text (no case, no diacritics). `first` cues only count where the
clause begins with them. Order matters inside a theme only for the name that is reported;
between themes, `PRIORITY` decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.model import Outcome, Theme

T = Theme


@dataclass(frozen=True, slots=True)
class Cue:
    """A named pattern of a theme; `outcome` where it tells how an attempt ended."""

    name: str
    theme: Theme
    pattern: re.Pattern[str]
    outcome: Outcome | None = None
    provisional: bool = False


def _cue(
    name: str,
    theme: Theme,
    pattern: str,
    outcome: Outcome | None = None,
    *,
    provisional: bool = False,
) -> Cue:
    return Cue(name, theme, re.compile(pattern), outcome, provisional)


OK, BAD, UNKNOWN = Outcome.SUCCESS, Outcome.FAILURE, Outcome.UNKNOWN

CUES: tuple[Cue, ...] = (
    # revision
    _cue(
        "mudei-de-ideia",
        T.REVISION,
        r"\bmud(?:ei|amos) de (?:ideia|plano|planos)\b|\bchange[d]? (?:my|our) mind\b|\bvolt(?:ei|amos) atras\b|\b(?:i|we) take (?:it|that) back\b|\bpensando melhor\b|\bon second thought\b|\bthinking about it again\b",
    ),
    _cue(
        "a-partir-de",
        T.REVISION,
        r"\b(?:a partir de (?:hoje|agora|amanha)|daqui para frente|from now on|as of (?:today|now)|starting (?:today|now))\b",
    ),
    _cue(
        "correcao",
        T.REVISION,
        r"^(?:correcao|corrigindo|correction|scratch that|esquec[ea]|errata)\b|\bonde eu disse\b|\b(?:esquece|forget) o? ?(?:que|what)\b|\bleia-se\b",
    ),
    _cue(
        "na-verdade",
        T.REVISION,
        r"^(?:na verdade|actually|wait|alias|ou melhor|or rather)\b(?=.*(?:\d|\bnao\b|\bnot\b|\be o\b|\be a\b|apaga|recome|start over|cancel))",
    ),
    _cue(
        "de-para",
        T.REVISION,
        r"\bpassa (?:para|a)\b|\bsubi (?:o|a) .{1,20}para\b|\bdaqui em diante\b|\bvoltamos para\b|\bmove everything\b|\bremarcou\b|^\d+ now\b|\b(?:pass(?:ou|a|am|aram|e) (?:de|a ser)|mud(?:ou|a|aram) (?:de|para)|went from|goes? from|moved? from|changed from|migr(?:ou|amos) de|switched from|subiu de|caiu de)\b(?=.*\d.*\b(?:para|a|to)\b|.*\bto\b|.*\bpara\b|.* a ser )",
    ),
    _cue(
        "nao-mais",
        T.REVISION,
        r"\b(?:nao mais|no longer|not any ?more|any more$|instead of|em vez d[eoa]|ao inves d[eoa])\b",
    ),
    _cue(
        "x-nao-y",
        T.REVISION,
        r"\bmudanca:|\b(?:e|sao|is|are) [\w ]{1,40}\d[\w%]*[^,]{0,20}, (?:nao|not) (?:mais )?\d",
    ),
    _cue(
        "remarquei",
        T.REVISION,
        r"\b(?:remar(?:quei|cou|camos)|reagend\w+|rescheduled?|adi(?:ei|amos|ou|ado|ada)|postponed?|antecip(?:ei|amos|ou|ado))\b|\bera (?:dia )?\d+.{0,20}\bagora\b|\bit was the \d+.{0,20}\bnow\b",
    ),
    _cue(
        "sai-entra",
        T.REVISION,
        r"\bsai (?:o|a|d[oa])\b.{1,40}\bentra (?:o|a)\b|^drop \w+, (?:use|take)\b|\bsaio d[aoe]\b.{1,40}\b(?:vou|fico)\b|\bvolta para o?\b",
    ),
    # decision
    _cue(
        "decidi",
        T.DECISION,
        r"\bentao e [\w ]{2,30}$|\b(?:aceit(?:o|amos|ei)|recus(?:o|ei|amos)|vamos pedir)\b|^bicho .{1,20}, nao|\bo papel e d\w|\b(?:decid(?:i|imos|ido)|resolv(?:i|emos)(?= (?:ir|ficar|comprar|vender|mudar|usar|fazer|deixar|nao|que|trocar|adotar|contratar|aceitar|parar|sair))|optei|optamos|escolh(?:i|emos|ido|ida)|bat(?:i|emos|ido) o martelo|fech(?:ei|amos)(?= (?:com|o|a|em|que|isso|negocio))|defin(?:i|imos|ido)|defer(?:i|imos)|aprov(?:ei|amos|ado))\b",
    ),
    _cue(
        "decided",
        T.DECISION,
        r"^final answer\b|^(?:print run|price|preco|tiragem|prazo)[^.]{0,20}: ?(?:r\$ ?)?\d|\bb it is\b|^[\w ]{1,20} it is\b|\bi said no\b|^still no\b|\bthis time it's final\b|\bfinal\.?$|\b(?:voted|confirmed)\b(?!\?)|\b(?:(?:i|we)(?:'ve|'d| have|'m| am)? (?:decided|chose|chosen|settled on|picked|agreed|opted|approved)|final answer|that's settled|it's settled|it's a deal|agreed on)\b|\bdecided:|^decid\w*:",
    ),
    _cue(
        "vamos-de",
        T.DECISION,
        r"\b(?:(?:vamos|vou|bora|ficamos|fico) (?:de|com|na|no|para|pra)|(?:fica|segue|seguimos) (?:de|com)) (?!dormir|casa\b|a pe\b|onibus\b|carona\b)",
    ),
    _cue(
        "lets-go-with",
        T.DECISION,
        r"\b(?:let's|lets|let us) (?:go with|use|keep|stick|do|take|move|make|leave)\b|\b(?:we'll|i'll|we will|i will) (?:use|go with|take|keep|pay|stay|move)\b|\bgo(?:ing)? with\b",
    ),
    _cue(
        "fica-decidido",
        T.DECISION,
        r"^(?:fechado|combinado|feito|decidido|definido)\b[,:]|\besta decidido\b|\bfica (?:o|a|em|para|pra|assim|combinado|decidido|de pe|rs256|\d)|\b(?:e|esta) oficial\b|\btopo\b(?! d[aoe]\b)|\bvou aceitar\b|\bvamos ficar com\b",
    ),
    _cue(
        "quero-assim",
        T.DECISION,
        r"\b(?:quero|prefiro|i want|i prefer|i'd rather)\b(?=.*\b(?:que|sem|com|the|without|in|no|na|o|a|it)\b)(?! (?:saber|ver|entender|perguntar|to know|to see|to ask|to understand|very|muito))",
    ),
    _cue(
        "nao-vamos",
        T.DECISION,
        r"\b(?:nao (?:vamos|vou|quero|vai ter)|nada de|nem pensar|de jeito nenhum|nao mexe\w*|we(?:'re| are) not|i(?:'m| am) not (?=\w+ing)|i won't|we won't|there will be no|absolutely not|don't (?:touch|use|buy|sell|send|change|move))\b(?! (?:sei|saber|ter certeza|sure|certain))",
    ),
    _cue(
        "autorizo",
        T.DECISION,
        r"^(?:pode|podem|go ahead|ship it|mantem|mantenha|keep it|usa|use) \w|^ship it\b|\bautoriz(?:o|ei|ado)\b|\bi approve\b|\bdou o ok\b",
    ),
    _cue(
        "keeping",
        T.DECISION,
        r"\b(?:i'm|we're|i am|we are) (?:keeping|taking|switching|buying|renewing|dropping|moving|canceling|cancelling|staying)\b",
    ),
    _cue(
        "em-principio",
        T.DECISION,
        r"^em principio\b|\b(?:provisori\w+|por (?:enquanto|ora)|for (?:now|the time being|the moment)|tentativ\w+|provisional\w*|ate segunda ordem|until (?:the|further)|penso em|thinking of|fica assim ate|depois revemos|leave it at|deixa em)\b",
        provisional=True,
    ),
    _cue(
        "preco-fica",
        T.DECISION,
        r"\b(?:o preco|a tiragem|o prazo|o limite|the price|the limit)\b.{0,30}\b(?:fica|vai ser|sera|is set|will be)\b",
    ),
    _cue(
        "vai-ser",
        T.DECISION,
        r"\bvai ser (?:kraft|a|o|no|na|em|assim|com)\b|\b(?:quem|who) .{1,25}\b(?:vai ser|will be)\b",
    ),
    _cue("we-keep", T.DECISION, r"^(?:registra|anota|guarda|note|record|write down)[:,]? "),
    # alternative
    _cue(
        "opcoes",
        T.ALTERNATIVE,
        r"\b(?:two|three|duas|tres|dois) (?:options?|opcoes|caminhos|ways|alternativas)\b|\bthe third option\b|\b(?:opc(?:ao|oes)|alternativas?|possibilidades?|caminhos|options?|alternatives?|possibilit(?:y|ies)|ways)\b(?=.*(?:[:,]| ou | or |seria|would|outra|another|: ))(?!.*\b(?:correta|right|menu)\b)",
    ),
    _cue("ou-ou", T.ALTERNATIVE, r"\bou\b.{3,60}\bou\b|\beither\b.{3,60}\bor\b"),
    _cue(
        "alternatively",
        T.ALTERNATIVE,
        r"\b(?:alternativamente|alternatively|tambem (?:pensei|daria|pensamos)|i also (?:thought|considered)|we also (?:thought|considered)|(?:da|daria) (?:para|pra) usar|you could (?:use|also)|podiamos|poderiamos|we could|outra (?:ideia|saida))\b",
    ),
    _cue(
        "descartei",
        T.ALTERNATIVE,
        r"\bplain \w+ is out\b|\bi don't want it\b|\beu recusei\b|\b(?:descart(?:o|ei|amos|ado|ada|aram)|rejeit(?:o|ei|amos|ado|ada)|desist(?:i|imos) d[aoe]|deix(?:ei|amos) de lado|esta fora|ta fora|abandon(?:ei|amos|ado)|rul(?:ed|e) out|reject(?:ed)?|discarded|turned down|dropped (?:it|that)|considered .{1,40} dropped|is out$|gave up on|decided against)\b",
    ),
    _cue(
        "x-nao",
        T.ALTERNATIVE,
        r"^(?:de |o |a |os |as )?[\w ]{3,40}\bnao,|^not by \w+|\bi don't want \w+ here\b|\bnao quero \w+ aqui\b",
    ),
    # reason
    _cue(
        "porque",
        T.REASON,
        r"^(?:porque|pois|ja que|uma vez que|visto que|por causa d|por ser|because|since (?!(?:\w+day|the|last|19|20|\w+ \d))|due to|given that|as the|as it|as we|as i|so that|owing to)\b",
    ),
    _cue(
        "since-the",
        T.REASON,
        r"^since the \w+ (?:loses|is|are|was|were|has|had|does|cannot|can't)\b|^como [oa] \w+ (?:queima|e|esta|foi|tem|nao)\b",
    ),
    _cue(
        "o-motivo",
        T.REASON,
        r"^(?:(?:o |a |the )?(?:motivo|razao|reason)s?\b)(?: e| is| was| foi|:)|\b(?:o motivo|a razao|the reason) (?:e|foi|is|was)\b",
    ),
    _cue(
        "para-nao",
        T.REASON,
        r"^(?:para|pra) (?:nao|que|caber|evitar|poder|abrir)\b|^to (?:fit|avoid|keep|prevent|save|make sure)\b|^in order to\b",
    ),
    _cue(
        "e-caro",
        T.REASON,
        r"^(?:e|esta|sai|it's|it is|it) (?:muito |far |too |caro|car[ao]|mais barat|barat|cheap|expensive|slow|lent|adds?\b|costs?\b)",
    ),
    # constraint
    _cue(
        "nunca-pode",
        T.CONSTRAINT,
        r"\bnobody uses\b|\bask me first\b|\bso fal[oa]\b|\bis rated\b|\bruns out on\b|\bso (?:ate|me chama)\b|\beu nao dou a ninguem\b|\bfecha dia\b|\bsem pular\b|\b(?:nunca (?:\w+r|em|no|na)\b|nao pode(?:m|mos|ria)?\b|never \w+|must(?: not)? (?!have been)|mustn't|can(?:no|')t (?:go|spend|be|run|exceed|pass|use)|cannot|may only|not allowed|is forbidden|e proibido|proibid[oa])\b",
    ),
    _cue(
        "tem-que",
        T.CONSTRAINT,
        r"\b(?:tem (?:que|de) (?:ser|caber|ficar|estar|ter|sair|terminar|passar)|precisa (?:ser|caber|terminar|ficar|estar)|have to be|has to be|it has to|needs to be|must fit|so pode\b|so aguenta|can only|only takes|exige|exigem|requires?|obrigatori\w+|mandatory|only admins)\b",
    ),
    _cue(
        "limite",
        T.CONSTRAINT,
        r"\b(?:no maximo|no minimo|pelo menos|at most|at least|no more than|not more than|up to a maximum|maximum of|minimum of|limite de|minimo (?:e |de )|maximo (?:e |de )|prazo e|nao passa\w* d[aeo]|ate o limite|allergic to)\b",
    ),
    _cue(
        "sem-x-nao",
        T.CONSTRAINT,
        r"^(?:sem|without) .{2,30}\b(?:nao|no|nothing|never)\b|\bantes d[aoe]s? (?:meio-dia|\d)|\bbefore (?:six|noon|\d)",
    ),
    # attempt
    _cue(
        "deu-erro",
        T.ATTEMPT,
        r"\bno luck\b|\bstill clogged\b|\bnao segurou\b|\b(?:deu (?:erro|ruim|pau|errado)|falh(?:ou|aram|ei|a)\b|nao (?:funcionou|rodou|deu certo|resolveu|consegui\w*|passou|abriu|conectou)|quebr(?:ou|aram)|trav(?:ou|aram)|estour(?:ou|aram)|parou|fail(?:ed|s|ing)|broke\b|did(?:n't| not) (?:work|run|fix|help|pass|start)|could(?:n't| not) (?:get|reproduce|connect|find|open|reach|be)|timed? ?out|tempo esgotado|crash(?:ed|es)|stopped|errored|nobody (?:picked up|answered)|ninguem atendeu|estava fechad[oa]|was closed|jammed|piorou)\b|\b\d+ (?:erros?|failed|failures?)\b",
        BAD,
    ),
    _cue(
        "funcionou",
        T.ATTEMPT,
        r"\bprints again\b|\bamanheceu seca\b|\bdeu conta\b|\bfired\b|\b(?:funcion(?:ou|aram|a agora)|deu certo|consegu(?:i|imos|iu)\b|passou sem|passaram|resolv(?:ido|eu)|pronto[,:]|concluid[oa]s?|works?\b|worked|passed|pass now|succeeded|managed to|got (?:it|the .{1,25}) (?:working|to work)|got the .{0,25}permit|finished without|went through|confirmation arrived|confirmacao chegou|is rebuilt|health checks? (?:verdes|green)|verdes?\b)",
        OK,
    ),
    _cue(
        "tentei",
        T.ATTEMPT,
        r"\b(?:tent(?:ei|amos|ou)|test(?:ei|amos|ou)\b|experiment(?:ei|amos)|liguei|fui (?:ao|a|la)\b|i tried|we tried|tried to|i tested|we tested|called (?:the|them|him|her)|i went to|first attempt|primeira tentativa|re-?ran|refiz|submitted|enviei|rodei|instalei)\b",
        UNKNOWN,
    ),
    _cue(
        "feito",
        T.ATTEMPT,
        r"^(?:feito|pronto|done|deploy feito|atualizado|updated|renamed|fixed|corrigid\w+)\b[:,. ]",
        OK,
    ),
    # learning
    _cue(
        "aprendi",
        T.LEARNING,
        r"^(?:licao|moral da historia|lesson|note to self|takeaway)\b|\bso it wasn't\b|\b(?:aprend(?:i|emos)|descobr(?:i|imos)|perceb(?:i|emos)|agora (?:eu )?sei que|licao|moral da historia|fica de licao|i (?:learned|learnt|realised|realized|found out|discovered)|we (?:learned|learnt|realised|realized|found out|discovered)|turns out|lesson|takeaway|note to self|it turned out)\b",
    ),
    # open point
    _cue(
        "falta",
        T.OPEN_POINT,
        r"^to do:|^todo:|^open:|^falta\b|\bem aberto:|\bespera por\b|\bowes? us\b|\bpend(?:encia|ente)\b|\bme lembra de\b|\bneeds? (?:her|his|its|to) \w+ by\b|\b(?:falta(?:m)? (?!de\b|d[ao]\b)\w+|fica(?:m|r)? pendente|pendente\b|em aberto|a definir|a confirmar|por fazer|still (?:need|have|has|to|open|undecided|missing)|is still|yet to|to do:|todo:|to be (?:decided|confirmed|bought|done)|remains open|undecided|pending)\b(?!.*\b(?:vidro)\b)",
    ),
    _cue(
        "precisamos-ver",
        T.OPEN_POINT,
        r"\b(?:precis(?:o|amos) (?:ver|confirmar|decidir|saber|descobrir|marcar)|tem (?:que|de) decidir|temos que ver|need to (?:find out|decide|check|confirm|see)|ainda nao (?:sei|sabemos|resolv|decid|temos|marc|confirm)|nao resolvi ainda|haven't (?:sorted|decided|booked|settled|confirmed)|have not (?:sorted|decided|booked|settled)|someone (?:still )?has to)\w*",
    ),
    # doubt
    _cue(
        "nao-sei",
        T.DOUBT,
        r"\bi (?:think|believe) i (?:left|forgot|may)\b|\b(?:nao (?:sei|tenho certeza|estou (?:certo|certa|segur[oa]))|tenho duvidas?|desconfi(?:o|amos)|duvid(?:o|amos)\b|sera que|quem sabe|talvez|pode ser que|acho que(?=.*(?:mas|nao tenho|deixei|ta|esta))|i'm (?:not sure|unsure)|i am (?:not sure|unsure)|not sure|i (?:doubt|wonder|suspect)|maybe|perhaps|might\b|i think i may)\b",
    ),
    # expectation
    _cue(
        "espero",
        T.EXPECTATION,
        r"\b(?:esper(?:o|amos) (?!um|a resposta)|prevej?o|a ideia e|deve(?:m)? (?:chegar|sair|ficar|terminar|vir|dar)|vai (?:chegar|sair|ser no dia|acontecer)|chega(?:m)? (?:na|no|em|amanha|hoje|dia|sexta|quinta|quarta|terca|segunda|sabado|domingo)|i (?:expect|hope)|we (?:expect|hope)|should (?:arrive|be|finish|come)|will (?:arrive|take|be on|come)|arrives? (?:on|tomorrow|next)|comes? (?:on|tomorrow|next)|procuro .{1,30} amanha)\b",
    ),
    # mood
    _cue(
        "estou-sinto",
        T.MOOD,
        r"\bestou (?P<word3>leve|bem|mal|um caco)\b|\b(?P<word4>worn out|discouraged)\b|\bdormir (?P<word5>feliz|tranquil[ao])\b|\b(?:estou|to|tou|ando|fiquei|ficou|fico|sai\w* d[oaeu]\w* .{0,20}|me sinto|senti|estava|esta|tava|i'm|i am|i was|i've been|i felt|i feel|feeling|left .{0,25}|got|is|was|am) (?:feeling |meio |muito |super |bem |tao |so |very |really |quite |a bit |um pouco |bastante |nao )*(?P<word>exaust\w+|irritad\w+|animad\w+|feliz\w*|triste\w*|preocupad\w+|aliviad\w+|cansad\w+|frustrad\w+|nervos\w+|ansios\w+|chatead\w+|orgulhos\w+|contente\w*|satisfeit\w+|furios\w+|arrasad\w+|empolgad\w+|decepcionad\w+|com (?:medo|raiva|saudade|vergonha)|exhausted|happy|sad|tired|relieved|worried|angry|upset|excited|anxious|proud|afraid|glad|frustrated|annoyed|nervous|furious|devastated|disappointed|thrilled|low|scared|stressed|overwhelmed|delighted|miserable)\b",
    ),
    _cue(
        "que-raiva",
        T.MOOD,
        r"^(?P<word>que (?:raiva|alivio|tristeza|medo|saudade|odio|frustracao))\b|\b(?P<word2>odeio|adorei|amei|detest(?:o|ei)|driving me (?:crazy|mad)|(?:i )?(?:love|loved|hate|hated))\b",
    ),
)

# The sign of a theme that outranks another in one clause.
PRIORITY: tuple[Theme, ...] = (
    T.REASON,
    T.LEARNING,
    T.MOOD,
    T.REVISION,
    T.OPEN_POINT,
    T.DOUBT,
    T.ALTERNATIVE,
    T.ATTEMPT,
    T.CONSTRAINT,
    T.DECISION,
    T.EXPECTATION,
)
