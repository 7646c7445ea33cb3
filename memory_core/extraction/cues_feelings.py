# ruff: noqa: E501 - a table of patterns reads best a row a line
"""Cues of moods beyond the plain adjectives: short outcries, idioms of the body, verbs of feeling."""

from __future__ import annotations

from memory_core.extraction.cue import Cue, cue
from memory_core.model import Theme

T = Theme
PT = (
    r"acabad[oa]s?|put[oa]s?|moid[oa]s?|destruid[oa]s?|mort[oa]s? de (?:cansaco|cansad[oa]|medo|vergonha|sono|raiva|rir|saudade|feliz)|esgotad[oa]s?|pilhad[oa]s?|eufori\w+|radiantes?|bob[oa]s? de (?:feliz|alegria)|tod[oa] bob[oa]|nas nuvens"
    r"|em panico|em choque|em frangalhos|no limite|por um fio|um lixo|um bagaco|um caco|na fossa|pra baixo|mal pra caramba|de saco cheio|de bode|de cabeca quente|com o coracao (?:na mao|apertado|partido)|com (?:um|o) pe atras"
    r"|com (?:esperanca|preguica|inveja|ciumes|nojo|pena|culpa|odio|orgulho|remorso|receio|pavor)|sem (?:animo|paciencia|energia|forca|chao)|perdid[oa]|insegur[oa]s?|conformad[oa]s?|contrariad[oa]s?|revoltad[oa]s?|indignad[oa]s?|injuriad[oa]s?|emburrad[oa]s?|desconfiad[oa]s?|emocionad[oa]s?|comovid[oa]s?|apreensiv[oa]s?|otimistas?|pessimistas?|deprimid[oa]s?|deprê|depre|desolad[oa]s?|culpad[oa]s?|amedrontad[oa]s?|apavorad[oa]s?|surtad[oa]s?|surtando|pirando|vibrando|rindo a toa|chorando|carente|enciumad[oa]s?|impacientes?|intrigad[oa]s?|surpres[oa]s?|mordid[oa]s?|danad[oa]s? da vida|possess[oa]s?|bolad[oa]s?|de boa|em paz|aflit[oa]s?"
)
EN = r"shattered|knackered|gutted|chuffed|buzzing|stoked|mortified|bummed(?: out)?|giddy|elated|ecstatic|livid|fuming|seething|raging|crushed|torn up|heartsick|jittery|terrified|petrified|spooked|a wreck|a mess|in bits|in tears|in pieces|on cloud nine|over it|at my wits' end|at the end of my rope|beside myself|sick of (?:it|this)|sick with worry|done in|wiped(?: out)?|beat|burn(?:ed|t) out|numb|blue|down|gloomy|cross|peeved|miffed|irritated|cheesed off|pissed(?: off)?|hacked off|bitter|resentful|hurt|guilty|insecure|nervous wreck|keyed up|psyched|pumped|tickled|content|peaceful|lighter|less alone|dumb|stupid|useless|like (?:crying|a fraud|an idiot|a failure|giving up)|optimistic|pessimistic|hopeless|desperate|shaken|rattled|stunned|speechless|moved|choked up|homesick|smug|dejected|downhearted|crestfallen|on top of the world|full of (?:hope|dread|joy)"
_PT_DEGREE = r"(?:meio |muito |super |bem |tao |so |um pouco |bastante |mais |toda |todo |completamente |totalmente |nada )*"
_EN_DEGREE = r"(?:a bit |a little |so |very |really |quite |pretty |all |absolutely |completely |totally |utterly |still |oddly |too |rather |just |properly |such )*"

CUES: tuple[Cue, ...] = (
    cue(
        "feeling-more",
        T.MOOD,
        "",
        rf"\b(?:estou|to|tou|ando|fiquei|ficou|fico|ficamos|estava|tava|me senti|me sinto|continuo) (?:com |de )?{_PT_DEGREE}(?P<word>{PT})\b",
        rf"^(?!.*\b(?:conta|bateria|prazo)\b).{{0,20}}(?P<word2>{PT}) (?:nao)?, (?P<word3>{PT})\b",
    ),
    cue(
        "feeling-more-en",
        T.MOOD,
        "",
        rf"\b(?:i'm|i am|i was|we're|we are|i've been|i feel|i felt|^feeling|i'm feeling|been feeling|it feels|i still feel) {_EN_DEGREE}(?P<word4>{EN})\b(?! (?:the|to join|for|with the|to (?:the|a)|by (?:the|a)|at (?:noon|night|school)))",
        rf"\b(?:makes|made|left) (?:me|us) {_EN_DEGREE}(?P<word5>{EN})\b",
    ),
    cue(
        "outcry",
        T.MOOD,
        "",
        rf"^(?:ai |nossa |puts |uf(?:a)? |gente )?{_PT_DEGREE}(?P<word6>aliviad[oa]|alivio|arrasad[oa]|exaust[oa]|furios[oa]|put[oa] da vida|felicissim[oa]|orgulho|chorei(?: \w+)?|surtei|pirei|vibrei|desabei|odiei|amei|chateacao|raiva)[.!…]*$",
        rf"^(?:oh |god |ugh |honestly |man |well )?{_EN_DEGREE}(?P<word7>gutted|furious|relieved|relief|thrilled|exhausted|devastated|heartbroken|livid|fuming|knackered|chuffed|stoked|bummed|proud|delighted|ecstatic|mortified|shattered|terrified|overjoyed|crushed|elated)\b(?:[.!…]*$|,)",
    ),
    cue(
        "idiom",
        T.MOOD,
        "",
        r"\b(?P<word8>frio na barriga|no na garganta|coracao (?:apertado|na mao|partido|leve|a mil)|sangue (?:ferve\w*|subiu)|de saco cheio|sem chao|lagrimas nos olhos)\b",
        r"\b(?P<word9>(?:me )?tira(?:ndo)? (?:o )?(?:meu )?sono|tirou (?:o )?meu sono|me deixa (?:louc[oa]|doid[oa])|cansei d(?:isso|isto|ele|ela|e tudo)|nao aguento mais|nao vejo a hora|morro de (?:medo|rir|saudade|vergonha|raiva)|chorei (?:muito|de|a noite|feito|que nem|ate)\b)",
        r"\b(?P<word10>me (?:empolga|anima|assusta|preocupa|magoou|irrita|alegra|comove|entristece|revolta|apavora)(?:m|va|ram)?)\b",
        r"\b(?P<word11>(?:my|his|her) heart (?:is|was) \w+(?: \w+)?|my heart (?:sank|broke|leapt|stopped)|i (?:could|can) (?:scream|cry|weep|sing|have (?:cried|screamed|wept|kissed|hugged)[\w ]*)|i(?:'ve)? (?:cried|wept|sobbed|burst into tears)|(?:is |it's |was )?killing me|scared (?:me|us) (?:half )?to death|scared the (?:life|hell|wits) out of (?:me|us)|sick to my stomach|never been (?:so |more )?\w+|i(?:'m| am) losing (?:it|my mind)|can't (?:stop (?:smiling|crying)|wait to|take (?:it|this) any ?more|sleep)|on edge|butterflies)\b",
    ),
    cue(
        "came-over",
        T.MOOD,
        "",
        r"\b(?P<word14>(?:me )?bateu (?:um |uma |o |a |aquele |aquela )?(?:desespero|tristeza|saudade|medo|vazio|panico|ansiedade|angustia|culpa|arrependimento|desanimo|alegria|cansaco|bad))\b",
        r"\b(?P<word15>i(?: still| really)? miss (?:my|him|her|them|you|it|home|dad|mum|mom))\b|\b(?P<word16>(?:^|i'm |i am |been )feeling (?:so |pretty |really |very |a bit |much )*(?:good|great|bad|awful|terrible|better|worse|rough|hopeful|fine|strange|weird|off))\b",
        r"\b(?P<word17>(?:me sint|me sent|me sinto|me senti|to me sentindo|estou me sentindo) (?:tao |muito |super )?(?:bem|mal|pessim[oa]|otim[oa]|melhor|pior|sozinh[oa]|leve|inutil|burr[oa]))\b|\b(?P<word18>que saudade)\b",
    ),
    cue(
        "feels-for",
        T.MOOD,
        "",
        rf"^(?!eu )[\w ]{{2,30}} (?:ta|esta|ficou|anda|saiu|estava) {_PT_DEGREE}(?P<word19>preocupad[oa]s?|chatead[oa]s?|magoad[oa]s?|furios[oa]s?|feliz|felizes|triste|tristes|aliviad[oa]s?|ansios[oa]s?|animad[oa]s?|arrasad[oa]s?|orgulhos[oa]s?|irritad[oa]s?|nervos[oa]s?|com raiva|com medo|put[oa])\b",
        r"^(?!i )[\w' ]{2,30} (?:is|was|isn't|wasn't|are|aren't|seems|looked|got) (?:so |very |really |not |a bit |all )*(?P<word12>happy|relieved|upset|angry|thrilled|furious|sad|worried|scared|delighted|heartbroken|proud|excited|disappointed|mortified|over the moon)\b(?! (?:hour|ending|path))",
        r"^[\w' ]{2,30}(?<!i)'s (?:so |very |really |not |a bit )*(?P<word13>relieved|upset|angry|thrilled|furious|worried|scared|delighted|heartbroken|proud|excited|disappointed|happy)\b",
    ),
)
