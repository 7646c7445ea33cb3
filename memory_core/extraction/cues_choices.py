# ruff: noqa: E501 - a table of patterns reads best a row a line
"""Cues of what is chosen, weighed and changed: decision, alternative, revision."""

from __future__ import annotations

from memory_core.extraction.cue import Cue, cue
from memory_core.model import Theme

T = Theme

CUES: tuple[Cue, ...] = (
    # revision
    cue(
        "mudei-de-ideia",
        T.REVISION,
        r"\bmud(?:ei|amos) de (?:ideia|plano|planos)\b|\bchange[d]? (?:my|our) mind\b|\bvolt(?:ei|amos) atras\b|\b(?:i|we) take (?:it|that) back\b|\bpensando melhor\b|\bon second thought\b|\bthinking about it again\b",
    ),
    cue(
        "a-partir-de",
        T.REVISION,
        r"\b(?:a partir de (?:hoje|agora|amanha)|daqui para frente|from now on|as of (?:today|now)|starting (?:today|now))\b",
    ),
    cue(
        "correcao",
        T.REVISION,
        r"^(?:correcao|corrigindo|correction|scratch that|esquec[ea]|errata)\b|\bonde eu disse\b|\b(?:esquece|forget) o? ?(?:que|what)\b|\bleia-se\b",
    ),
    cue(
        "na-verdade",
        T.REVISION,
        r"^(?:na verdade|actually|wait|alias|ou melhor|or rather)\b(?=.*(?:\d|\bnao\b|\bnot\b|\be o\b|\be a\b|apaga|recome|start over|cancel))",
    ),
    cue(
        "de-para",
        T.REVISION,
        r"\bpassa (?:para|a)\b|\bsubi (?:o|a) .{1,20}para\b|\bdaqui em diante\b|\bvoltamos para\b|\bmove everything\b|\bremarcou\b|^\d+ now\b|\b(?:pass(?:ou|a|am|aram|e) (?:de|a ser)|mud(?:ou|a|aram) (?:de|para)|went from|goes? from|moved? (?:[\w ]{1,30} )?from|changed from|migr(?:ou|amos) de|switched from|subiu de|caiu de)\b(?=.*\d.*\b(?:para|a|to)\b|.*\bto\b|.*\bpara\b|.* a ser )",
    ),
    cue(
        "nao-mais",
        T.REVISION,
        r"\b(?:nao mais|no longer|not any ?more|any more$|instead of|em vez d[eoa]|ao inves d[eoa])\b",
    ),
    cue(
        "x-nao-y",
        T.REVISION,
        r"\bmudanca:|\b(?:e|sao|is|are) [\w ]{1,40}\d[\w%]*[^,]{0,20}, (?:nao|not) (?:mais )?\d",
    ),
    cue(
        "remarquei",
        T.REVISION,
        r"\b(?:remar(?:quei|cou|camos)|reagend\w+|rescheduled?|adi(?:ei|amos|ou|ado|ada)|postponed?|antecip(?:ei|amos|ou|ado))\b|\bera (?:dia )?\d+.{0,20}\bagora\b|\bit was the \d+.{0,20}\bnow\b",
    ),
    cue(
        "sai-entra",
        T.REVISION,
        r"\bsai (?:o|a|d[oa])\b.{1,40}\bentra (?:o|a)\b|^drop \w+, (?:use|take)\b|\bsaio d[aoe]\b.{1,40}\b(?:vou|fico)\b|\bvolta para o?\b",
    ),
    # decision
    cue(
        "decidi",
        T.DECISION,
        r"\bentao e [\w ]{2,30}$|\b(?:aceit(?:o|amos|ei)|recus(?:o|ei|amos)|vamos pedir)\b|^bicho .{1,20}, nao|\bo papel e d\w|\b(?:decid(?:i|imos|ido)|resolv(?:i|emos)(?= (?:ir|ficar|comprar|vender|mudar|usar|fazer|deixar|nao|que|trocar|adotar|contratar|aceitar|parar|sair))|optei|optamos|escolh(?:i|emos|ido|ida)|bat(?:i|emos|ido) o martelo|fech(?:ei|amos)(?= (?:com|o|a|em|que|isso|negocio))|defin(?:i|imos|ido)|defer(?:i|imos)|aprov(?:ei|amos|ado))\b",
    ),
    cue(
        "decided",
        T.DECISION,
        r"^final answer\b|^(?:print run|price|preco|tiragem|prazo)[^.]{0,20}: ?(?:r\$ ?)?\d|\bb it is\b|^[\w ]{1,20} it is\b|\bi said no\b|^still no\b|\bthis time it's final\b|\bfinal\.?$|\b(?:voted|confirmed)\b(?!\?)|\b(?:(?:i|we)(?:'ve|'d| have|'m| am)? (?:decided|chose|chosen|settled on|picked|agreed|opted|approved)|final answer|that's settled|it's settled|it's a deal|agreed on)\b|\bdecided:|^decid\w*:",
    ),
    cue(
        "vamos-de",
        T.DECISION,
        r"\b(?:(?:vamos|vou|bora|ficamos|fico) (?:de|com|na|no|para|pra)|(?:fica|segue|seguimos) (?:de|com)) (?!dormir|casa\b|a pe\b|onibus\b|carona\b)",
    ),
    cue(
        "lets-go-with",
        T.DECISION,
        r"\b(?:let's|lets|let us) (?:go with|use|keep|stick|do|take|move|make|leave)\b|\b(?:we'll|i'll|we will|i will) (?:use|go with|take|keep|pay|stay|move)\b|\bgo(?:ing)? with\b",
    ),
    cue(
        "fica-decidido",
        T.DECISION,
        r"^(?:fechado|combinado|feito|decidido|definido)\b[,:]|\besta decidido\b|\bfica (?:o|a|em|para|pra|assim|combinado|decidido|de pe|rs256|\d)|\b(?:e|esta) oficial\b|\btopo\b(?! d[aoe]\b)|\bvou aceitar\b|\bvamos ficar com\b",
    ),
    cue(
        "quero-assim",
        T.DECISION,
        r"\b(?:quero|prefiro|i want|i prefer|i'd rather)\b(?=.*\b(?:que|sem|com|the|without|in|no|na|o|a|it)\b)(?! (?:saber|ver|entender|perguntar|to know|to see|to ask|to understand|very|muito))",
    ),
    cue(
        "nao-vamos",
        T.DECISION,
        r"\b(?:nao (?:vamos|vou|quero|vai ter)|nada de|nem pensar|de jeito nenhum|nao mexe\w*|we(?:'re| are) not|i(?:'m| am) not (?=\w+ing)|i won't|we won't|there will be no|absolutely not|don't (?:touch|use|buy|sell|send|change|move))\b(?! (?:sei|saber|ter certeza|sure|certain))",
    ),
    cue(
        "autorizo",
        T.DECISION,
        r"^(?:pode|podem|go ahead|ship it|mantem|mantenha|keep it|usa|use) \w|^ship it\b|\bautoriz(?:o|ei|ado)\b|\bi approve\b|\bdou o ok\b",
    ),
    cue(
        "keeping",
        T.DECISION,
        r"\b(?:i'm|we're|i am|we are) (?:keeping|taking|switching|buying|renewing|dropping|moving|canceling|cancelling|staying)\b",
    ),
    cue(
        "em-principio",
        T.DECISION,
        r"^em principio\b|\b(?:provisori\w+|por (?:enquanto|ora)|for (?:now|the time being|the moment)|tentativ\w+|provisional\w*|ate segunda ordem|until (?:the|further)|penso em|thinking of|fica assim ate|depois revemos|leave it at|deixa em)\b",
        provisional=True,
    ),
    cue(
        "preco-fica",
        T.DECISION,
        r"\b(?:o preco|a tiragem|o prazo|o limite|the price|the limit)\b.{0,30}\b(?:fica|vai ser|sera|is set|will be)\b",
    ),
    cue(
        "vai-ser",
        T.DECISION,
        r"\bvai ser (?:kraft|a|o|no|na|em|assim|com)\b|\b(?:quem|who) .{1,25}\b(?:vai ser|will be)\b",
    ),
    cue("we-keep", T.DECISION, r"^(?:registra|anota|guarda|note|record|write down)[:,]? "),
    # alternative
    cue(
        "opcoes",
        T.ALTERNATIVE,
        r"\b(?:two|three|duas|tres|dois) (?:options?|opcoes|caminhos|ways|alternativas)\b|\bthe third option\b|\b(?:opc(?:ao|oes)|alternativas?|possibilidades?|caminhos|options?|alternatives?|possibilit(?:y|ies)|ways)\b(?=.*(?:[:,]| ou | or |seria|would|outra|another|: ))(?!.*\b(?:correta|right|menu)\b)",
    ),
    cue("ou-ou", T.ALTERNATIVE, r"\bou\b.{3,60}\bou\b|\beither\b.{3,60}\bor\b"),
    cue(
        "alternatively",
        T.ALTERNATIVE,
        r"\b(?:alternativamente|alternatively|tambem (?:pensei|daria|pensamos)|i also (?:thought|considered)|we also (?:thought|considered)|(?:da|daria) (?:para|pra) usar|you could (?:use|also)|podiamos|poderiamos|we could|outra (?:ideia|saida))\b",
    ),
    cue(
        "descartei",
        T.ALTERNATIVE,
        r"\bplain \w+ is out\b|\bi don't want it\b|\beu recusei\b|\b(?:descart(?:o|ei|amos|ado|ada|aram)|rejeit(?:o|ei|amos|ado|ada)|desist(?:i|imos) d[aoe]|deix(?:ei|amos) de lado|esta fora|ta fora|abandon(?:ei|amos|ado)|rul(?:ed|e) out|reject(?:ed)?|discarded|turned down|dropped (?:it|that)|considered .{1,40} dropped|is out$|gave up on|decided against)\b",
    ),
    cue(
        "x-nao",
        T.ALTERNATIVE,
        r"^(?:de |o |a |os |as )?[\w ]{3,40}\bnao,|^not by \w+|\bi don't want \w+ here\b|\bnao quero \w+ aqui\b",
    ),
)
