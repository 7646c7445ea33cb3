# ruff: noqa: E501 - word lists read best a row a line
"""The words of a request to remember, and of what only looks like one; pt-BR and English.

`TELLS`, `STANDING` and `TRAILING` are searched in the text as typed (offsets must hold), the
others in folded text.
"""

from __future__ import annotations

import re

_MEM_PT = r"(?:n[ao] (?:sua |tua |minha )?(?:mem[óo]ria|perfil|caderno|cabe[çc]a)|pra mim|para mim|por favor|a[ií]|bem|de vez|sempre|pra sempre|para sempre|isso|isto|disso|disto|esta|essa|também|tamb[eé]m|no seu perfil|pra depois|para depois|para o futuro|pro futuro|uma coisa|o seguinte|mais (?:isso|esta|essa|uma)|(?:ess[ae]|est[ae]|mais ess[ae]|a seguinte|o seguinte|uma|um) (?:informa[çc][ãa]o|prefer[êe]ncia|regra|dado|fato|coisa|detalhe|instru[çc][ãa]o|pedido))"
_MEM_EN = r"(?:(?:in|to|into) (?:your |the |my )?(?:long-term |permanent )?(?:memory|notes|profile)|down|this|these|it|please|well|always|for (?:me|later|next time|the future|future reference|good)|permanently|one thing|the following|here|too|also|in mind|on (?:file|record)|(?:this|that|these|the following|my|one|a) (?:information|preference|rule|fact|detail|thing|instruction|request|note))"
_VOCATIVE = r"(?:, [A-ZÀ-Þ][\w-]+)?"
_THAT_PT = rf"{_VOCATIVE}(?:[ ,]*(?:de )?que\b|\s*[:–—]|\s*-(?=\s)|,(?=\s))"
_THAT_EN = rf"{_VOCATIVE}(?:[ ,]*that\b|\s*[:–—]|\s*-(?=\s)|,(?=\s))"
_OPEN_PT = r"(?=\s+(?:eu|meus?|minhas?|a gente|nós|nos|nossos?|nossas?|prefiro|gosto|não|nao|sempre|nunca|o|a)\b)"
_OPEN_EN = r"(?=\s+(?:I|I'm|I've|my|our|we|never|always|to always|to never|not to)\b)"
_IMP_PT = r"v[êe] se (?:lembra|anota|guarda|registra)|(?:quero|queria|preciso) que fique (?:registrado|anotado|gravado|guardado)|(?:atualiz[ae]|corrig[ae]|corrija) (?:a |sua |tua |a sua )?mem[óo]ria|(?:v[êe] se|trat[ae] de|fa[zç]a? (?:o )?favor de|n[ãa]o deix[ae] de) (?:se )?(?:lembrar|anotar|guardar|registrar)|lembr[ae](?:-se|-te)?|anot[ae]|registr[ae]|guard[ae]|grav[ae]|salv[ae]|memoriz[ae]|decor[ae]|tom[ae] nota|tem em mente|tenha em mente|lev[ae] em conta|fa[zç]a? (?:uma )?nota|deix[ae] (?:anotado|registrado|gravado|salvo)|(?:coloc|bot|inclu|adicion|acrescent|inser|ponh|p[oõ])\w{0,4} (?:isso |isto )?n[ao] (?:sua |tua )?(?:mem[óo]ria|perfil)"
_INF_PT = r"(?:se )?lembrar(?:-se)?|anotar|registrar|guardar|gravar|salvar|memorizar|deixar (?:anotado|registrado)|colocar n[ao] (?:sua )?mem[óo]ria"
_SUBJ_PT = r"(?:se )?lembre|anote|registre|guarde|grave|salve|memorize"
_IMP_EN = r"update (?:your |the )?memory|(?:make sure|be sure)(?: to| you) remember|keep a note|add a note|put on record|remember|memori[sz]e|(?:make|take) (?:a )?(?:mental )?note(?: of)?|note down|note for (?:later|the future)|jot down|keep in mind|bear in mind|(?:record|save|store|log|write|put|add|commit|keep|note|jot)(?= (?:this|that|it|these|in|to|into|down|for|on file)\b)"
_INF_EN = r"remember(?:ing)?|(?:not|sav|stor|record)ing|memori[sz]e|make a (?:mental )?note(?: of)?|note down|note|keep in mind|record|save|store"
_FORGET_PT = r"(?:n[ãa]o|nunca) (?:se |te )?esque[çc]\w{0,3}(?:-se)?(?: nunca)?"
_FORGET_EN = r"(?:do not|don'?t|never) (?:ever )?forget"
_POLITE_PT = r"(?:(?:voc[êe]|vc|tu) )?(?:pode|poderia|podia|consegue|d[áa] pra|tem como)(?: por favor)?(?: voc[êe]| vc)?"
_POLITE_EN = r"(?:can|could|would|will) you(?: please| kindly)?|would you mind"
_WANT_PT = r"(?:(?:eu )?(?:quero|queria|preciso|gostaria|pe[çc]o)|[ée] (?:importante|bom|essencial)) que (?:voc[êe]|vc|tu) (?:sempre )?"
_WANT_EN = r"(?:(?:I|we)(?:'d| would)? (?:want|like|need|ask) you to|it(?:'s| is) important (?:that you|for you to)) (?:always |please )?"

TELLS = re.compile(
    rf"(?P<cue>(?:\b(?:{_FORGET_PT})(?:,? {_MEM_PT})*(?:{_THAT_PT}|{_OPEN_PT})"
    rf"|\b(?:{_FORGET_EN})(?:,? {_MEM_EN})*(?:{_THAT_EN}|{_OPEN_EN})"
    rf"|\b(?P<polite>(?:{_POLITE_PT}) (?:{_INF_PT})|(?:{_POLITE_EN}) (?:{_INF_EN}))(?:,? {_MEM_PT}|,? {_MEM_EN})*(?:{_THAT_PT}|{_THAT_EN})"
    rf"|\b(?:{_WANT_PT})(?:{_SUBJ_PT})(?:,? {_MEM_PT})*{_THAT_PT}"
    rf"|\b(?:{_WANT_EN})(?:{_INF_EN})(?:,? {_MEM_EN})*(?:{_THAT_EN}|{_OPEN_EN})"
    rf"|\b(?:{_IMP_PT})(?:,? {_MEM_PT})*{_THAT_PT}"
    rf"|\blembr[ae](?:-se)? de(?=\s+(?:sempre|nunca|não|nao)\b)"
    rf"|\b(?:{_IMP_EN})(?:,? {_MEM_EN})*(?:{_THAT_EN}|{_OPEN_EN})))",
    re.IGNORECASE,
)
STANDING = re.compile(
    r"(?P<cue>\b(?:a partir de (?:agora|hoje|já|ja)|(?:de|daqui) (?:agora|hoje|ora) em diante|daqui (?:pra|para) (?:a )?frente|daqui em diante|doravante"
    r"|from (?:now|here|today|this (?:day|point)) (?:on|onwards?|forward)(?: out)?|from now on|going forward|henceforth|as of (?:now|today)|for (?:future reference|the future|next time)|in (?:the )?future(?=,)|next time(?=,)|da pr[óo]xima vez(?=,)|daqui por diante|para as pr[óo]ximas(?: vezes)?)\b[,:]?)",
    re.IGNORECASE,
)
_THIS = r"(?:isso|isto|disso|disto|essa|esta|dessa|desta|tudo isso)"
TRAILING = re.compile(
    rf"(?P<cue>\b(?:(?:pode |por favor,? |favor )?(?:lembr[ae](?:-se)?|anot[ae]r?|registr[ae]r?|guard[ae]r?|grav[ae]r?|salv[ae]r?|memoriz[ae]r?|tom[ae] nota)(?: bem| a[ií])* {_THIS}(?:,? {_MEM_PT})*"
    rf"|(?:anot|guard|grav|registr)[ae] a[ií]"
    rf"|n[ãa]o (?:se |te )?esque[çc]\w*(?: {_THIS})?"
    rf"|pode (?:anotar|guardar|gravar|registrar|salvar|memorizar)|please remember|(?:please )?(?:keep|bear) (?:this|that|it) in mind"
    rf"|(?:please )?(?:remember|memori[sz]e|note|record|save|store|keep|write down|keep in mind|bear in mind|make a note of) (?:this|that|it)(?:,? {_MEM_EN})*"
    rf"|(?:do not|don'?t|never) forget(?: (?:this|that|it))?"
    rf")(?:,? (?:por favor|please|ok|t[áa] bom|viu|obrigad[oa]|thanks?|thank you|valeu))?[\s.!…\"')]*$)",
    re.IGNORECASE,
)

# What may stand right before an order: nothing, a mark, a joining or a polite word.
BEFORE = re.compile(
    r"(?:^|[.!?;:,(\n–—-]|\b(?:e|and|mas|but|entao|so|also|tambem|please|pls|plz|kindly|por favor|pfv|favor|pf|ai|ah|oh|oi|ok|okay|olha|look|hey|hi|ei|bom|well|so|just|agora|now|logo|portanto|therefore|because of that|yes|sim|isso|sure|claro|beleza|blz|agent|assistant|assistente|do|sempre|always))\s*$"
)
# What makes it no order: a denial, somebody else doing it, an infinitive of another verb.
BARRED = re.compile(
    r"\b(?:nao|nunca|jamais|nem|sem|never|not|don'?t|do not|no need to|needn'?t|without|stop|pare de|para de|deixa de|quit|instead of|em vez de|ao inves de|dispensa|evita|avoid)(?: (?:precisa|precisam|e pra|e para|quero que|want you to|have to|need to|vai|va|bother to|try to|you|voce|vc))*[\s,]*$"
    r"|\b(?:voce|vc|eu|ele|ela|eles|elas|quem|you|i|he|she|they|we|who|did you|do you|does \w+|to|para|pra|vai|will)(?: (?:sempre|nunca|tambem|ja|ainda|always|never|also|still|often))?\s*$"
)
# Suppositions in front of it; "if you can, remember that" is manners, not a supposition.
POLITE_IF = re.compile(
    r"\b(?:se|if|when|quando) (?:voce |vc |you )?(?:puder|der|possivel|for possivel|nao for incomodo|can|could|possible|don't mind|do not mind|nao se importar|get a chance|tiver tempo)\b(?: e |,| )?"
)
SUPPOSED = re.compile(
    r"\b(?:se|caso|if|unless|suppose|supondo|supoe|supoem|imagin[ae]|e se|what if|whether|talvez|maybe|perhaps|would|quando|when|whenever|sempre que|every time|toda vez que|as if|como se|hypothetically|hipoteticamente|em tese)\b[^.!?]*$"
)
# Somebody else's words in front of it; the owner's own "as I said" is taken out first.
UNLESS_FIRST = re.compile(
    r"\b(?:como |as |ja |conforme )?(?:eu|i|a gente|we|i've|i have|i already|eu ja)(?: \w+)? (?:disse|falei|pedi|said|told you|asked|mentioned|expliquei|explained)\b"
)
REPORTED = re.compile(
    r"\b(?:diz|dizem|disse|disseram|dizia|fala|falou|falaram|pede|pediu|pediram|escreve|escreveu|mandou|manda|avisou|recomenda|recomendou|sugere|sugeriu|consta|lia-se|le-se|segundo|conforme|de acordo com|exemplo|por exemplo|tipo assim|frase|texto|mensagem|comando|instrucao|prompt"
    r"|says?|said|told|tells|asked|asks|writes?|wrote|reads?|suggests?|suggested|recommends?|recommended|according to|example|for instance|e\.g|such as|phrase|sentence|text|message|instruction|prompt|quote|quoted|it goes|prezad[oa]s?|car[oa]s? (?:client|usuari|leitor|assinant|hospede|morador|condomin)\w*|dear|assistentes|assistants|agentes|agents|(?:for|to|para|a|ao|aos) (?:any |all |qualquer |todo )?(?:ai|ia|assistente|assistant|agente|agent|language model|modelo|llm|bot)s?)\b[^.!?]*$"
)
# A frame before the sentence: what follows is material to work on, or an example.
FRAME = re.compile(
    r"\b(?:traduz\w*|traduc\w+|resum[aeo]\w*|revis[ae]\w*|corrig\w+|corrij\w+|reescrev\w*|parafrase\w*|analis[ae]\w*|classifi\w+|translate|translation|summari[sz]e|proofread|rewrite|paraphrase|analy[sz]e|classify|correct this|por exemplo|exemplos?|for example|examples?|e\.g|(?:ele|ela|o \w+|a \w+|he|she|they|the \w+) (?:disse|escreveu|mandou|respondeu|said|wrote|sent|replied)|cliente|customer|client)\b[^.!?\n]*:\s*$"
    r"|\b(?:a|as|o|os|the|next|proxim[ao]s?) (?:linhas?|lines?|frases?|sentences?|paragraf\w+|paragraphs?) (?:seguintes? |abaixo |below |a seguir )?(?:e|sao|is|are|vem|comes?)\b[^\n]*:?\s*$"
)
# "Remember that I told you" calls something back to mind and asks for nothing.
RECALLS = re.compile(
    r"(?:eu |a gente |nos |i |we |you |voce |vc )?(?:ja |te |lhe |tinha |had |have |already |once ){0,3}(?:falei|disse|contei|comentei|mencionei|pedi|perguntei|falamos|conversamos|combinamos|discutimos|prometeu|falou|disseste|told|said|mentioned|asked|talked|spoke|discussed|agreed|promised)\b"
    r"|(?:the|that|aquela|aquele|da|do|daquela|daquele) (?:time|day|vez|dia)\b"
)
# A colon in front leaves it the owner's own only where the owner speaks or opens a new point.
OWN_LEAD = re.compile(
    r"(?:.*\b(?:eu|quero|queria|preciso|gostaria|prefiro|pra mim|para mim|comigo|i|i'd|i'm|i've|me|we|a gente|nos)\b.*"
    r"|(?:(?:meus? |minhas? |my |mais |so mais |e |and |ultima |last |one |um[a]? |outra |another |more |final ){0,3}(?:(?:duas|tres|umas|algumas|two|three|some|a few|few) )?(?:coisas?|things?|pontos?|points?|notas?|notes?|lembretes?|reminders?|pedidos?|requests?|favor(?:es)?)(?: rapid[ao]s?| final)?|importante|important|muito importante|very important|p\.?s\.?|obs\.?|fyi|ah|agora|now|entao|so|por favor|please|ok|okay|tambem|also|e|and|sim|yes))\s*"
)
# What announces a paste: behind it, in a message where nothing was marked, nobody knows who speaks.
PASTES = re.compile(
    r"\b(?:colei|colo|colando|segue|seguem|encaminh\w+|repass\w+|copiei|copiado|transcrev\w+|abaixo (?:vai|esta|segue)|pasted|pasting|i(?:'ve| have)? (?:paste|copied)|forward(?:ed|ing)?|here(?:'s| is| are) (?:the|an?|his|her|their|what)|below (?:is|are)|copied|attached|fwd|enc)\b"
)
# A tag at the end of an order asks for a nod, not for an answer.
TAG = re.compile(
    r",?\s+(?:t[áa](?: bom| bem| certo)?|ok|okay|viu|hein|beleza|blz|combinado|certo|pode ser|por favor|please|will you|would you|could you|can you|all right|alright)\s*\?+[\s\"')]*$",
    re.IGNORECASE,
)
# A sentence right before it that lets somebody else speak: "My mother wrote."
SPEAKS_NEXT = re.compile(
    r"(?<!\beu )(?<!\bi )\b(?:escreveu|escreveram|disse|disseram|mandou|respondeu|falou|dizia|diz|avisou|pediu|wrote|says?|said|sent|replied|reads?|asked|announced)"
    r"(?: (?:o seguinte|isto|isso|assim|pra mim|me|pra gente|no bilhete|na carta|this|the following|me|us|back|in (?:the|a) (?:note|letter))){0,2}[\s.:!]*$"
)
HEADING = re.compile(r"(?m)^#{1,6} \S")
BASE_FORM = re.compile(
    r"(?:please |do )?(?:remember|note|save|store|keep|record|memori[sz]e|don'?t forget)\b",
    re.IGNORECASE,
)
REPORTED_AFTER = re.compile(
    r",\s*(?:says?|said|diz|disse|escreveu|wrote|segundo|according to|conforme|de acordo com)\b[^,.;]*[.!]?\s*$"
)
