# ruff: noqa: E501 - word lists read best a row a line
"""The table of fact patterns, its words in angle brackets put in place and compiled.

Expressions run over folded text of the text's own length. `^` is the clause's beginning after
what only leads in. `<V>` takes the value up to the clause's end, `<P>` one that is a proper name
(a capital in the text), `<SP>` a subject that is one, `<T>` an optional time in front.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memory_core.extraction.facts_model import FactType, PatternRow
from memory_core.extraction.facts_rows_en import ROWS_EN
from memory_core.extraction.facts_rows_pt import ROWS_PT

_CHARS = r"(?:[^,;.!?()\n\"“”]|[.,](?=\w))"
_STOP = r"(?=\s*(?:[;!?()\n,]|\.(?!\w)|$))"
_MON = r"(?:(?:r\$|us\$|\$|£|€) ?\d[\d.,]*(?: mil| k)?|\d[\d.,]*(?: mil)? ?(?:reais|real|contos|euros?|dolares|dollars?|pounds?|bucks|quid|eur|usd|brl)\b)"
_WORDS = {
    "V": rf"(?P<v>{_CHARS}{{2,120}}?){_STOP}",
    "VV": rf"{_CHARS}{{2,120}}?{_STOP}",
    "VL": r"(?P<v>[^?\n]{6,200}?)(?=[.!]*$)",
    "P": rf"(?P<p>{_CHARS}{{2,60}}?){_STOP}",
    "REST": rf"{_CHARS}{{0,120}}?{_STOP}",
    "WV": rf"(?:dia |o |a |as )?{_CHARS}{{2,60}}?{_STOP}",
    "SP": r"(?P<sp>\w+(?: \w+)?)",
    "SPX": r"[\w'-]{3,}",
    "NP": r"(?:o|a|os|as|meu|minha|nosso|nossa|the|my|our)(?: [\w'-]+){1,5}?",
    "NPX": r"(?:o|a|os|as|meu|minha|nosso|nossa|the|my|our) (?!(?:problema|ideia|resposta|questao|erro|duvida|ponto|vez|problem|idea|answer|point|question|thing|issue|trick|only|moment|rest)\b)[\w'-]+(?: [\w'-]+){0,4}?",
    "MONEY": rf"(?P<v>(?:cerca de |about |around |uns )?{_MON}{_CHARS}{{0,60}}?){_STOP}",
    "MON": _MON,
    "NUM": r"(?P<v>(?:\+?\d[\d\s().-]{5,20}\d|\d{3,5}))(?!\w)",
    "REL": r"(?:irma[os]?|mae|pai|filh[oa]|marido|esposa|mulher|namorad[oa]|noiv[oa]|prim[oa]|ti[oa]|avo|cunhad[oa]|sogr[oa]|sobrinh[oa]|net[oa]|enteado|enteada|madrinha|padrinho|afilhad[oa])",
    "RELE": r"(?:brother|sister|mother|father|mom|mum|dad|son|daughter|husband|wife|girlfriend|boyfriend|fiance|cousin|uncle|aunt|grandmother|grandfather|grandma|grandpa|niece|nephew|brother-in-law|sister-in-law|mother-in-law|father-in-law|stepson|stepdaughter|godmother|godfather|twin|partner)",
    "PROF": r"(?!solteir|brasileir|guerreir|verdadeir|inteir|pessimista|otimista|perfeccionista|primeir|moradora?\b|companheir|parceir|herdeir)(?:\w+(?:eir[oa]|ista|olog[oa]|grafo|grafa)|arquitet[oa]|professora?|medic[oa]|advogad[oa]|veterinari[oa]|costureira|tradutora?|programadora?|contadora?|vendedora?|corretora?|cozinheir[oa]|motorista|musico|atriz|ator|escritora?|editora?|designer|pintora?|agricultora?|bibliotecari[oa]|secretari[oa]|farmaceutic[oa]|biolog[oa]|gerente|diretora?|chef)\b",
    "PROFE": r"(?:\w+ (?:and \w+ )?){0,2}(?:architect|teacher|nurse|doctor|lawyer|engineer|\w+ologist|\w+grapher|vet|carpenter|joiner|plumber|electrician|accountant|translator|programmer|developer|designer|baker|cook|chef|driver|musician|actor|writer|editor|painter|farmer|librarian|secretary|pharmacist|manager|dentist|journalist|barber|tailor|welder|potter|midwife|pilot|solicitor)\b",
    "THING": r"(?:gat[oa]|cachorr[oa]|cao|papagaio|coelh[oa]|caval[oa]|galinha|carro|moto|bicicleta|bike|scooter|caminhonete|notebook|computador|celular|tablet|impressora|camera|drone|casa|apartamento|sitio|chacara|terreno|barco|canoa|piano|violao|bateria|geladeira|fogao|furadeira|nas|servidor|kombi|telescopio)",
    "THINGE": r"(?:cats?|dogs?|parrots?|rabbits?|horses?|hens?|cars?|motorbikes?|bikes?|bicycles?|scooters?|vans?|trucks?|laptops?|computers?|phones?|tablets?|printers?|cameras?|drones?|houses?|flats?|apartments?|cottages?|boats?|canoes?|pianos?|guitars?|fridges?|stoves?|drills?|nas|servers?|telescopes?|sewing machines?)",
    "ILL": r"(?:pressao (?:alta|baixa)|asma|diabetes?|rinite|enxaqueca|intolerancia|labirintite|epilepsia|artrite|artrose|gastrite|refluxo|anemia|hipotireoidismo|miopia|astigmatismo|hernia|bronquite|psoriase|alergia|insonia|tdah|ansiedade)",
    "ILLE": r"(?:(?:high|low) blood pressure|asthma|(?:type \w+ )?diabetes|hay fever|migraines?|an? \w+ intolerance|vertigo|epilepsy|arthritis|gastritis|reflux|anaemia|anemia|hypothyroidism|a hernia|bronchitis|psoriasis|an? \w+ allergy|insomnia|adhd|anxiety|tinnitus)",
    "BODY": r"(?:braco|perna|pe|mao|joelho|tornozelo|dedo|costela|nariz|punho|ombro|quadril|olho|coluna|clavicula|dente)",
    "BODYE": r"(?:arm|leg|foot|hand|knee|ankle|finger|rib|nose|wrist|shoulder|hip|eye|back|collarbone|tooth|toe|elbow)",
    "EV": r"(?:consulta|dentista|reuniao|audiencia|prova|exame|medic[oa]|entrevista|aula|voo|vistoria|pericia|cirurgia|formatura|casamento|ensaio|apresentacao|visita|assembleia|mudanca|entrega|terapia|fisioterapia|sessao|festa)",
    "EVE": r"(?:appointment|dentist|meeting|hearing|exam|test|scan|doctor's|interview|class|flight|inspection|surgery|graduation|wedding|rehearsal|presentation|visit|viewing|therapy|physio|checkup|check-up|session|party|delivery|mot|call)",
    "CRED": r"(?:[oa]s? )?(?:senhas?|tokens?|chaves?|cartao de codigos|pin|codigos?|credenciais?|cofre|certificado|segredo|backup das senhas|frase de recuperacao)",
    "CREDE": r"(?:the |my |our )?(?:[\w']+ ){0,2}?(?:passwords?|passphrase|tokens?|keys?|code card|pin|codes?|credentials|certificate|seed phrase|recovery phrase|api key)",
    "IMP": r"(?:us|mand|agend|apag|compr|envi|marqu|mex|respond|publiqu|compartilh|alter|ligu|aceit|pagu|deix|rod|cham|confirm|revis|peg|peç|pec|fech|abr|escrev|coloqu|salv|cit|avis|pergunt|assin|cancel|mostr|us|consult|trat|inclu|faç|fac|di[gz]|p[oõ]nh|troqu|edit|instal|atualiz|verifiqu|guard|incomod|reserv|negoci)\w{0,3}(?:e|a|em|am)|apague|reinicie",
    "IMPE": r"(?:use|send|message|schedule|delete|buy|email|book|touch|answer|reply|publish|share|change|call|accept|pay|leave|run|confirm|check|review|close|open|write|put|save|quote|warn|ask|sign|cancel|show|include|say|replace|edit|install|update|keep|deploy|merge|push|commit|restart|post|forward|print|store|mention|round|add|translate|reserve|disturb|negotiate|archive|mix)",
    "DAY": r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)?",
    "DAYE": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "FP": r"(?:faco|acordo|caminho|corro|nado|treino|pago|abro|fecho|almoco|janto|visito|ligo|levo|busco|compro|leio|rego|limpo|cozinho|medito|jogo|danco|estudo|reviso|mando|tomo|vou|durmo|levanto|passeio|saio|ando|pedalo|lavo|trabalho|toco|escrevo|faz|almoca|janta|vai|joga|limpa|caminha|dou|tenho|fazemos|almocamos|jantamos|vamos)",
    "LANG": r"(?:portugues|ingles|espanhol|frances|alemao|italiano|japones|mandarim|chines|russo|arabe|coreano|grego|holandes|polones|hebraico|guarani|libras|esperanto|catalao|turco)",
    "LANGE": r"(?:(?:fluent|basic|some|good|a little) )?(?:portuguese|english|spanish|french|german|italian|japanese|mandarin|chinese|russian|arabic|korean|greek|dutch|polish|hebrew|welsh|irish|turkish|catalan|swedish|danish|norwegian|finnish|hindi)",
    "T": r"(?:(?:ontem|hoje|amanha|anteontem|agora|logo|yesterday|today|tomorrow|tonight|later this \w+|(?:n[ao]s?|em|d[ao]|in|on|at|by|this|next|last|ha|faz|depois d[oae]s?|after|semana|mes|ano)(?: [\w-]+){1,4}?)(?: (?:cedo|de manha|a tarde|a noite|morning|afternoon|evening))?,? )?",
    "w": r"[\w'-]+",
}
_LEAD = r"^\W*(?:(?:e|mas|ah|oh|olha|entao|bom|bem|ok|oi|ola|sim|aha|na verdade|alias|a proposito|lembrando|so para constar|para constar|lembra que|lembre que|lembre-se que|anota ai|anota|anote|saiba que|como (?:voce|vc) sabe|quero que (?:voce )?saiba que|and|but|so|well|yes|hi|hello|hey|look|listen|actually|by the way|for the record|just so you know|fyi|remember that|note that|please note|also|btw|as you know|and also|tambem|ja|because|porque|pois|que|please|por favor)\b[,:]? )*"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A row made ready: its compiled expression, and whether it needs a time in its clause."""

    row: PatternRow
    regex: re.Pattern[str]
    needs_time: bool


def _expanded(expression: str) -> str:
    while True:
        result = re.sub(
            r"(?<!\?P)<([A-Za-z]+)>",
            lambda m: f"(?:{_WORDS[m[1]]})",
            expression,
        )
        if result == expression:
            break
        expression = result
    return _LEAD + expression.removeprefix("^") if expression.startswith("^") else expression


def _pattern(line: str) -> Pattern:
    name, kind, attribute, expression = line.split(" ", 3)
    row = PatternRow(
        name, FactType(kind), attribute.rstrip("~@"), expression, denies="~" in attribute
    )
    return Pattern(row, re.compile(_expanded(expression)), "@" in attribute)


@cache
def table() -> tuple[Pattern, ...]:
    """Return every pattern, Portuguese first; an earlier one wins where two would take a clause."""
    lines = (ROWS_PT + ROWS_EN).strip().splitlines()
    return tuple(_pattern(line) for line in lines if line.strip())
