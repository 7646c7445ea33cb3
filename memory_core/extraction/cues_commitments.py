# ruff: noqa: E501 - a table of patterns reads best a row a line
"""Cues of commitments by grammar, not by word: what a speaker says they will do, or orders.

"Resgato e fecho com a cooperativa", "a gente fica na pousada", "I'm paying for the private one",
"take the 17:40". What is told as a habit or of the past commits to nothing.
"""

from __future__ import annotations

from memory_core.extraction import verbs
from memory_core.extraction.cue import Cue, cue
from memory_core.model import Theme

T = Theme

LEAD = (
    r"^(?:(?:entao|ok|okay|ta|ta bom|tudo bem|beleza|blz|certo|bom|bem|ah|e|mas|ai|dai|olha|ou seja|so|right|well|fine|alright|and|but|then"
    r"|yes|yeah|sim|no|isso|claro|por mim|agora|hoje|amanha|amanha cedo|primeiro|this time|for this one|eu mesm[oa]|deus me livre)[,:]? ){0,3}"
)
_HABIT = r"(?!.*\b(?:sempre|todo (?:dia|mes|ano|sabado|domingo)|toda (?:semana|noite|vez|hora)|as vezes|geralmente|normalmente|desde|ha \w+ (?:anos|meses|dias)|quase nunca|always|usually|every|often|sometimes|these days)\b)"
_ORDER_OBJECT = r"(?: (?:[oa]s?|isso|esse|essa|este|esta|aquele|aquela|tudo|todos|todas|pro|pra|para|com|em|n[oa]s?|de|d[oa]s?|so|meu|minha|um|uma|fora|la|ai|que eu)\b| r?\$| \d|[.!,]|$)"
_ORDER_OBJECT_EN = r"(?: (?:the|it|that|this|those|these|them|all|both|us|my|our|his|their|in|on|with|for|off|up|down|out|everything|one|two|three|only|just|instead)\b| [£$€]?\d|[.!,]|$)"
_NOT_NOW = r"(?! (?:ver|saber|pensar|perguntar|ler|olhar)\b)"

_SOON = r"\b(?:amanha|agora|mesmo|entao|de uma vez|por enquanto|dessa vez|desta vez|semana que vem|mes que vem|(?:n[oa]|de|para a?|pr[oa]) (?:segunda|terca|quarta|quinta|sexta|sabado|domingo)|dia \d|em vez)\b"
_DRAWN = r"^(?:(?:entao|ok|ta bom|por mim|beleza|fechado|bom),? )"

CUES: tuple[Cue, ...] = (
    cue(
        "i-do",
        T.DECISION,
        "",
        rf"{LEAD}(?:eu )?(?:{verbs.I_TURN}) (?!\w+ (?:anos|meses)\b){_HABIT}",
        rf"{LEAD}(?:eu )?(?!vou\b|fico (?:feliz|triste|com (?:medo|raiva|pena)))(?:{verbs.I_DO})\b(?=.*{_SOON}){_HABIT}",
        rf"^(?!daqui|quando|se\b|como\b|o que|por que|acho|ontem|ai\b|entao|que\b|ja\b|agora)(?:[oa]s? )?[\w ]{{3,40}} eu (?:mesm[oa] )?(?:{verbs.I_DO})\b{_HABIT}",
        rf"{_DRAWN}(?:eu )?(?!vou\b|acho\b)(?:{verbs.I_DO})\b{_HABIT}",
        rf"{LEAD}(?:eu )?vou (?:{verbs.TO_DO})\b(?! (?:um pouco|triste|feliz|em casa hoje)\b)",
        rf"{LEAD}(?:a gente|nos) (?!vai ver\b)(?:vai |vamos )?(?:{verbs.ONE_DOES}|{verbs.WE_DO}|{verbs.TO_DO})\b{_HABIT}(?! (?:triste|feliz|mal)\b)",
        rf"{LEAD}(?:{verbs.WE_DO}) (?!ontem\b|hoje cedo\b)(?=.*\b(?:as \d|amanha|segunda|terca|quarta|quinta|sexta|sabado|domingo|dia \d|so\b|com\b))",
        rf"{LEAD}deixa que eu \w+",
    ),
    cue(
        "i-dont",
        T.DECISION,
        "",
        rf"{LEAD}(?:eu |a gente )?nao (?:{verbs.I_TURN}|abro mao|assino|mexo)\b{_HABIT}",
        rf"{LEAD}(?:eu |a gente )?nao (?:{verbs.I_DO}|{verbs.WE_DO}|espero|esperamos) mais\b",
        rf"{LEAD}(?:eu |a gente )?nao (?:vou|vamos|vai) (?:{verbs.TO_DO}|esperar|aceitar)\b",
        rf"{LEAD}(?:isso )?nao (?:sobe|sai|entra|roda|vai pro ar) (?:hoje|amanha|agora|essa semana)\b",
    ),
    cue(
        "ordered",
        T.DECISION,
        "",
        rf"{LEAD}(?:pode |podem )?(?!deixa eu\b|(?:coloca|bota|poe|tira) ai\b|fica (?:triste|calm|tranquil|bem|feliz)|sai daqui|some\b)(?:{verbs.ORDERED}){_ORDER_OBJECT}(?!.*\b(?:me (?:diz|fala|mostra|manda))\b)",
        rf"{LEAD}(?:(?:please|just|let's|lets|let us|go ahead and) ){{0,2}}(?:{verbs.ORDERED_EN}){_ORDER_OBJECT_EN}(?!.*\b(?:up the (?:good|great|hard|awesome|amazing) |let me know|tell me|show me)\b)",
    ),
    cue(
        "keep-take",
        T.DECISION,
        "",
        rf"{LEAD}(?:(?:please|just|let's|lets) ){{0,2}}(?:keep|take) (?:the|my|our|both|\d)\b(?! (?:good|great|faith|spirit|time|chance|opportunity|work))",
        rf"{LEAD}(?:please |just )?keep it (?!up|going|real|coming)\w+|{LEAD}put (?:us|me|it|them|the|everything) (?:on|in|up|off|down|back|under|to)\b(?! (?:a lot|so much))",
    ),
    cue(
        "ended-up",
        T.DECISION,
        "",
        r"\b(?:(?:i|we) (?:\w+ )?ended up|^ended up|acabei|acabamos) (?:\w+ing|\w+ndo) (?:with |for |com |por |pel[oa] )?(?:the|a|an|o|um|uma|it)\b(?<!sick)",
        r"^(?:i |we |in the end |so )*went (?:with|for) (?!a (?:walk|run|swim|ride)|him|her|them|my)",
        r"\bmar(?:quei|camos) .{2,40} (?:pra|para|n[oa]) (?:dia|\d|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez|o dia|segunda|terca|quarta|quinta|sexta|sabado|domingo)",
        r"^[\w ]{3,40} ficou (?:pra|para) (?:dia|o dia|\d|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|segunda|terca|quarta|quinta|sexta|sabado|domingo|depois)",
        r"^(?:fechou|fechado|combinado)[,:]",
        r"\b(?:cancel|renov|contrat|encerr)(?:ei|amos)\b(?! (?:sem querer|por engano))|\bassin(?:ei|amos) (?:o|a|com)\b|\blarg(?:uei|amos) (?:o|a) (?!celular|bolsa|chave)",
        r"^(?:so |and |today |yesterday )?(?:i|we)(?:'ve| have)? (?:just |finally |already )?(?:cancel+ed|renewed|hired|signed (?:up|with|the)|enrolled|quit)\b",
    ),
    cue(
        "no-more",
        T.DECISION,
        "",
        r"^(?:so |ok |and |well,? )?not (?:\w+ing) .{2,60}\b(?:again|any ?more|this (?:year|time|week)|ever)\b",
        r"^(?:so |ok |and )?no more \w+",
        r"^(?:chega|basta) de \w+",
        rf"^nunca mais (?:eu )?(?:{verbs.I_DO})\b",
    ),
    cue(
        "better-to",
        T.DECISION,
        "",
        rf"^(?:entao |e |ah |so )?(?:it's |e )?(?:better|best|melhor) (?:to (?:{verbs.DO}|drive|walk|fly|cook|ask)|(?:a gente |eu )?(?:{verbs.TO_DO}|dirigir))\b",
        rf"^(?:bora|partiu|vambora|simbora) (?:{verbs.TO_DO})\b",
        r"^vai [oa] \w+ mesmo\b",
        r"^melhor [oa]s? (?!que\b)\w+(?: \w+)?[.!]?$",
        r"^(?:ok |so |yes )?you (?:can|may) (?:now |just )?(?:cancel|delete|remove|book|order|buy|send|close|merge|ship|deploy|go ahead|drop|stop|publish|pay|sign)\b",
        r"^(?:please )?(?:cancel|delete|remove|renew|revert|scrap|ditch|refund|buy|sell) (?!is\b|was\b|or\b|and\b)\w",
    ),
    cue(
        "i-will",
        T.DECISION,
        "",
        rf"\b(?:i'll|we'll|i will|we will|(?:i'm|we're|i am|we are) (?:going to|gonna)) (?:just |all |now |definitely |only |never |still )?(?!see\b|call\b|send\b|fix\b|make\b|do\b|add\b|keep (?:\w+ing|you|ya|it up|on\b|going|(?:that|this|it) in mind)|stay (?!at|in|with|on|until|till|here|there|put)|stick up|join you|go\b|put up|be\b)(?:{verbs.DO}|close|live with)\b",
        r"\b(?:i'll|we'll) \w+ .*\b(?:myself|ourselves)\b",
        r"\b(?:we'll|i'll) try .{3,40}\b(?:for a|and then)\b",
    ),
    cue(
        "i-am-doing",
        T.DECISION,
        "",
        rf"\b(?:i'm|we're|i am|we are) (?:just |now |all |definitely |still |therefore )?(?:{verbs.DOING}|taking (?:the (?!time)|it\b|that\b|this\b(?! (?:time|chance))))\b(?! (?:mad|crazy|nuts|on\b|well\b|slowly|through|you\b|busy|up\b|to (?:be|have)))",
        r"\b(?:i'm|we're|i am|we are) (?:just |now )?going (?:by|with|for|ahead|back to)\b",
        r"\bwe (?:go|are going) ahead\b",
        r"\bwe (?:close|start|open|meet|leave|record|keep|stay|drop|ship|use|take) (?:with|at|on|the|by)\b",
    ),
    cue(
        "said-yes",
        T.DECISION,
        "",
        r"\b(?:i|we) (?:said|told (?:him|her|them)) yes\b",
        r"\beu (?:disse|falei) (?:que )?sim\b",
        r"\b(?:aceitei|topei|i accepted)\b",
    ),
    cue(
        "on-balance",
        T.DECISION,
        "",
        r", (?:decidido|decided|fechado|esta decidido)[.!]?$",
        r"^[\w ]{3,30} (?:definid|decidid|escolhid)[oa]s?\b ?[:,.]",
    ),
    cue(
        "x-does-y",
        T.DECISION,
        "",
        r"^[oa]s? \w+ (?:[oa]|quem) \w+ (?:faz|leva|cuida|cobre)\b",
        r"^(?:\w+ ){1,4}vira[m]? (?:\w+ )?(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|\d+)\b",
        r"\bquem (?:faz|leva|cuida|paga) (?:e|vai ser)\b",
        r"\b(?:fica|ficam) de fora\b",
        r"^[\w ]{2,25}'s (?:driving|handling it|doing it|paying|cooking)\b",
    ),
    cue(
        "let-it-be",
        T.DECISION,
        "",
        r"^(?:\w+ ){0,2}vai ser [oa]s? [\w ]{2,30}[.!]?$",
    ),
    cue(
        "leaning-more",
        T.DECISION,
        "",
        r"\bmais (?:pra|para) \w+r do que\b",
        r"\b(?:estou|to|tou|ando|estamos) pensando em \w+r\b|\b(?:i'm|we're|i am|been) thinking (?:of|about) \w+ing\b",
        r"\b(?:propens[oa]|inclinad[oa]) a\b",
        r"\b(?:i'm|we're|i am) (?:minded|inclined|tempted) to\b",
        r"\bpencil(?:led)? (?:in|it)\b",
        r"\b(?:eu )?pretendo\b",
        r"\b(?:acho|creio) que (?:eu )?vou (?!ter|ficar (?:mal|doente)|morrer|chorar)\w+r\b|\b(?:i think i'll|i'll probably|i'd probably|provavelmente vou)\b",
        r"\b(?:i'm|we're) planning (?:to|on)\b",
        r"\bvou \w+[aei]r por (?:agora|enquanto|ora)\b",
        r"\bfor a (?:week|month|while|year)\b.*\b(?:then|see|look)\b",
        provisional=True,
    ),
)
