# ruff: noqa: E501 - a table of patterns reads best a row a line
"""Cues of how a thing turned out, by what people say of it rather than by "it failed"."""

from __future__ import annotations

from memory_core.extraction.cue import Cue, cue
from memory_core.model import Outcome, Theme

OK, BAD, UNKNOWN = Outcome.SUCCESS, Outcome.FAILURE, Outcome.UNKNOWN
T = Theme

CUES: tuple[Cue, ...] = (
    cue(
        "came-to-nothing",
        T.ATTEMPT,
        "trav* emperr* spins hangs hung freezes froze nowhere nada vao vain avail nao engaged voicemail postal chama ocupado line ninguem keep* kept foi fui was were got vir* desand* desmoron* agua fell went voltou vanished lasted durou didn't did wouldn't won't refuse* same luck nothing mesmo trip* desarm*",
        r"\b(?:trav(?:a|ou|ando|aram)|emperr(?:a|ou)) (?:n[oa]|em|tudo|de novo|sempre|toda)\b|\b(?:e|mas) (?:so )?trava\b|\btravou\b",
        r"\b(?:just |only |still )?(?:spins|hangs|hung|freezes)\b(?! out)",
        r"\bgot (?:me )?nowhere\b|\bnao (?:deu em nada|deu em lugar)\b|\bdeu em nada\b|\bem vao\b|\bin vain\b|\bto no avail\b",
        r"\bnao (?:fez|teve|surtiu|deu) (?:nem |nenhum |nenhuma |o menor )?(?:cocegas?|efeito|diferenca|resultado|jeito|sinal)\b",
        r"\bnao (?:vingou|vingaram|pegou|colou|rolou|cresceu|aderiu|ligou|carregou|instalou|abriu|subiu|entrou|respondeu|bateu|coube|serviu)\b",
        r"\b(?:engaged|voicemail|caixa postal|so chama|so ocupado|dead line|ninguem atende)\b",
        r"\b(?:keeps?|kept) (?:bouncing|failing|crashing|dropping|coming back|breaking|timing out|freezing|stalling)\b",
        r"\b(?:foi|fui|was|were|got) (?:recusad[oa]|negad[oa]|rejeitad[oa]|devolvid[oa]|declined|rejected|denied|refused|bounced)\b",
        r"\b(?:vir(?:ou|aram)) (?:lama|bagunca|farelo|fumaca|pesadelo)\b|\bdesand(?:ou|aram)\b|\bdesmoron\w+\b|\bfoi por agua abaixo\b|\bfell (?:apart|through|flat)\b|\bwent (?:wrong|nowhere|up in smoke|south)\b",
        r"\bvoltou (?:por causa|com erro|recusad|devolvid|igual|de novo|duas|tres)\b",
        r"\b(?:effect|difference|signal|result) vanished\b",
        r"\b(?:lasted|durou) (?:only |just |so )?(?:one|a|um|uma|two|dois|duas) (?:day|hour|week|minute|night|dia|hora|semana|noite)\b",
        r"\b(?:didn't|did not|wouldn't|won't|refuses? to) (?:set|budge|take|stick|hold|load|open|start|boot|turn on|connect|compile|build|respond|rise|help|go through|come on|charge|print|save|sync|fit)\b",
        r"^(?:same|no luck|nada|nothing|de novo nada|o mesmo) (?:on|with|in|n[oa]|com|na)\b",
        r"\btrips? the (?:fuse|breaker)\b|\bdesarm(?:a|ou) o disjuntor\b",
        r"\bninguem (?:atende|responde)\b",
        outcome=BAD,
    ),
    cue(
        "came-good",
        T.ATTEMPT,
        "through held holds stuck worked took working holding sorted running going up rolou segurou aguentou vingou pegou fluiu entrou saiu deu funcionou cresceu subiu rodou passou ficou primeira first hitch foi works went did survive pass work aprovad* aceit* approved accepted liberad* fixed testes tests got managed",
        r"\bgot through\b|\b(?:got|had|have) it (?:running|going|working|up)\b|\bup and running\b",
        r"\b(?:it|it's|one|that|they|seal|glue|patch|fix|and) (?:has |have )?(?:held|holds|stuck|worked|took)\b(?! (?:the|a|two|three|hours|days|up|by|off|that))|\bit's (?:held|working|holding|sorted)\b|\bis(?: finally)? working\b",
        r"\b(?:rolou|segurou|aguentou|vingou|pegou|fluiu|entrou|saiu|deu) (?:de primeira|direitinho|certinho|bem|bonito|liso|na primeira)\b|^(?:e |ai |agora |hoje )?(?:rolou|segurou|vingou|deu certo|pegou)[.!]|\be (?:segurou|rolou|vingou|pegou|deu certo|funcionou|cresceu)\b",
        r"\b(?:subiu|rodou|passou|saiu|entrou|ficou) (?:liso|redondo|sem erro|limpo|de primeira|perfeito|certinho|direitinho|no ar)\b",
        r"\bde primeira\b|\bfirst (?:try|time) (?:lucky|it worked)\b|\bworked first time\b|\bwithout a hitch\b",
        r"^(?:pelo|pela|com|no|na|via) (?:\w+ ){1,3}(?:foi|deu|rolou|entrou|funcionou)[.!]?$|^(?:with|using|via|on) (?:the )?(?:\w+ ){1,4}(?:it (?:works|went through|worked|did)|all .{2,25} (?:survive|pass|work))\b",
        r"^(?:aprovad[oa]s?|aceit[oa]s?|approved|accepted|liberad[oa]s?) (?:n[oa]|on|at|in|de|after)\b",
        r"\b(?:took|accepted|did|fixed|sorted) it (?:over the phone|in person|straight away|at once|by hand)\b",
        r"\b(?:os )?(?:\d+|todos os|all(?: the)?|all \d+) (?:\w+ )?(?:testes|tests) (?:passam|passaram|pass|passed|are green)\b|\bos testes passam\b",
        r"\bgot (?:it|them) to (?:them|him|her|work|run|build|print)\b|\bmanaged\b(?= to)",
        outcome=OK,
    ),
    cue(
        "went-about",
        T.ATTEMPT,
        "tried attempted rang phoned re reran redid tentando spent mandei mandamos pedi pedimos liguei reenviei asked",
        r"^(?:i |we |finally |so )?(?:tried|attempted) (?:to|the|a|it|\w+ing|with|again)\b",
        r"^(?:i |we )?(?:rang|phoned|re-?ran|redid)\b",
        r"\b(?:fiquei|passei|estou|to) (?:\w+ ){0,4}tentando\b|\bspent .{3,30} (?:fighting|trying|debugging|wrestling)\b",
        r"\b(?:mandei|mandamos|pedi|pedimos|liguei|reenviei) .{2,50}\b(?:vezes|de novo|e nada|again)\b",
        r"^(?:i've |i |we've |we )?asked (?:for|them for) (?:\w+ ){1,6}(?:and|plus)\b",
        r"^pedi (?:pra|para|a) \w+ .{0,10}\d",
        outcome=UNKNOWN,
    ),
)

# What the agent tells that it did: only asked of its own words.
AGENT_DID: tuple[Cue, ...] = (
    cue(
        "i-did",
        T.ATTEMPT,
        "",
        # Deeds of trying and mending; what was merely ordered, sent or noted is no attempt.
        r"\bi(?:'ve| have)? (?:just |now |also |already )?(?:reproduced|implemented|patched|rebuilt|rewrote|reran|re-ran|retried|refactored|replaced|restarted|reverted|tested|deployed|migrated|debugged|reinstalled|cleaned|compressed|converted|booked|fixed)\b",
        r"\b(?:implementei|reproduzi|refiz|corrigi|reescrevi|reiniciei|reinstalei|troquei|substitui|migrei|testei|comprimi|converti|reverti|publiquei|renomeei|consertei|ajustei o)\b",
        r"^(?!.*\b(?:nao|not|never|nunca)\b)(?:[\w-]+ ){1,5}(?:trocad|instalad|corrigid|testad|publicad|implementad|aplicad|convertid|migrad|mesclad|revertid|reservad|confirmad)[oa]s?\b(?! (?:em|no caderno|como|na lista)\b)",
        r"^(?:booked|deployed|installed|merged|reverted|published|migrated|rebuilt)\b(?! (?:by|as)\b)",
        r"^(?!.*\b(?:not|never)\b)(?:[\w-]+ ){1,3}(?:(?:is|are|was|were|has been|have been) )?(?:written and tested|tested|deployed|installed|merged|migrated|published|rebuilt|refactored|reverted|booked)\b",
        outcome=OK,
    ),
    cue(
        "agent-failed",
        T.ATTEMPT,
        "",
        r"^(?:the |a |o )?(?:[\w-]+ ){1,4}(?:failed|falhou|falharam)\b",
        r"^i (?:couldn't|could not|was unable|wasn't able)\b|^nao consegui\b",
        outcome=BAD,
    ),
    cue(
        "offers-options",
        T.ALTERNATIVE,
        "",
        r"\b(?:voces?|da para|da pra|podem(?:os)?|pode|dois caminhos|duas opcoes|da|ha)\b.{3,80} ou \w+",
        r"\b(?:you|we) (?:could|can|may|might)\b.{3,80},? or \w+",
        r"\b(?:could|can|might|may) be (?:cheaper|better|enough|an option|another)\b",
        r"\bi(?:'d| would)? (?:recommend|suggest)\b|^(?:eu )?(?:recomendo|sugiro|recomendaria|usaria|escolheria)\b",
        r"\b(?:ha|existem|vejo|there are|i see) (?:dois|duas|tres|two|three) (?:caminhos|opcoes|saidas|options|ways|alternatives|paths)\b",
    ),
)
