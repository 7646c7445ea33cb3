"""Every cue has sentences that only it explains, and near misses that it lets pass."""

from __future__ import annotations

import pytest
from readings import said

from memory_core.extraction import clauses
from memory_core.extraction.cues import AGENT_CUES, CUES, TABLE
from memory_core.model import AuthorKind, Theme
from memory_core.text import fold

# name | sentence that loses its theme, its outcome or its provisional mark without the cue
OWN = """
changed-mind | Mudei de ideia sobre o sofá.
changed-mind | I changed my mind about the sofa.
second-thought | Pensando melhor, pinta de azul.
second-thought | On second thought, paint it blue.
from-now-on | A partir de amanhã o portão abre às sete.
from-now-on | From now on the gate opens at seven.
correction | Correção: o ensaio é na sala dois.
correction | Correction: the old schedule holds.
actually | Na verdade a chave é a 12.
actually | Actually the key is number 12.
moved-from-to | We moved mail from Fernpost to Cardeal last night.
moved-from-to | Migramos a planilha do drive para o servidor novo.
moved-from-to | O aluguel subiu de 900 para 1.100.
becomes | A consulta passa para as quinze horas.
no-longer | The cellar is no longer locked.
no-longer | Em vez de tinta, cal.
x-not-y | O código da porta é 4512, não 4521.
x-not-y | The door code is 4512, not 4521.
rescheduled | Remarquei o dentista.
rescheduled | We postponed the rehearsal.
out-and-in | Sai o couro, entra a lona.
back-to | We're back to the old plan.
raised-to | Subi a meta para 300.
raised-to | I lowered the target to 80.
now-number | 420 now.
move-everything | Move everything to the attic.
move-everything | Passa tudo para o sótão.
decidi | Optei pela cortina de linho.
decidi | Bati o martelo na cor da parede.
resolvi | Resolvi vender a bicicleta.
resolvi | Fechei com a gráfica do centro.
decided | I picked the linen curtain.
decided | We settled on Tuesdays.
headed | Decisão: cortina de linho.
headed | Print run: 500.
it-is | Linen it is.
it-is | Então é linho.
final | Twelve seats, and that's final.
voted | The assembly voted yesterday.
voted | Confirmed, twelve seats.
said-no | I told him no.
said-no | Recusei a proposta da gráfica.
said-no | I never agreed to share anything.
accept | We accept the printer's offer.
vamos-de | Vamos de linho na cortina.
vamos-de | Bora de Caddy.
vamos-fazer | Vamos contratar a Joana.
lets-go-with | I go with the linen curtain.
lets-go-with | Going with the later train.
fica-decidido | A porta fica assim.
fica-decidido | O ensaio fica em duas horas.
quero-assim | Quero a cortina sem franja.
quero-assim | I want the curtain without a fringe.
nao-vamos | There will be no new floor.
nao-vamos | We are not changing the floor.
so-no | Franja no cabelo, não.
so-no | Franja na cortina, não.
cannot-wait | Não dá para esperar.
cannot-wait | This can't wait.
autorizo | Pode usar a tinta branca.
autorizo | Dou o ok para a tinta.
for-now | Por enquanto o palco continua no salão.
for-now | The stage stays in the hall for now.
leaning | I'm leaning towards the linen.
leaning | Primeira ideia: linho.
until-then | Até lá a gente continua no pátio.
preco-fica | A tiragem sugerida vai ser de trezentos.
vai-ser | A oficina vai ser aos sábados.
write-down | Anota: o gás acaba na quinta.
opcoes | São duas opções.
opcoes | There are three ways.
ou-ou | Ou a gente pinta, ou a gente lixa.
ou-ou | Either we paint or we sand.
alternatively | Dá para usar cal.
alternatively | We could sand it.
descartei | O verniz eu descarto.
descartei | I ruled out varnish.
x-nao | O verniz fosco não, é feio.
favours | O Breno insistiu no 12.
favours | Breno pushed for 40.
quoted | Caio quoted 18 mm boards at 184.
quoted | A serraria pediu R$ 900.
plan-b | O plano B é o pátio.
porque | Lixei a porta porque o verniz descascou.
porque | I sanded the door because the varnish peeled.
porque | Lixei a porta devido à umidade.
porque | We rehearse early thanks to the heating.
since-the | Since the hall is cold, we rehearse early.
o-motivo | O motivo foi o frio no salão.
o-motivo | The reason is the cold hall.
para-nao | Para não acordar o bebê.
para-nao | To avoid waking the baby.
e-caro | It costs too much.
e-caro | É caro demais.
blames | Léo blames the cheap filament.
never-do | Nunca ligar o forno sem água.
never-do | Never run the kiln dry.
may-not | Não pode bicicleta no elevador.
may-not | Bikes are not allowed in the lift.
only-then | Só me chama se passar de 75.
only-then | For anything bigger, ask me first.
tem-que | Tem que caber em duas malas.
tem-que | It has to be quiet.
limite | No máximo dois cafés por dia.
limite | The policy runs out on 30 September.
sem-x-nao | Sem crachá ninguém entra, não.
deu-erro | O forno deu pau.
deu-erro | The kiln crashed.
no-luck | A cold pull, no luck.
no-luck | Bati duas vezes e ninguém respondeu.
funcionou | A fita funcionou.
funcionou | Got the printer working.
tentei | Tentei com fita.
tentei | I tried tape.
repaired | Limpei o bico.
repaired | Léo cleaned the lens.
feito | Feito: três caixas lixadas.
feito | Done, three crates sanded.
aprendi | Aprendi que cal precisa curar.
aprendi | Turns out lime has to cure.
falta | Falta lixar a porta.
falta | We have yet to sand the door.
precisamos-ver | Rita has to look at the budget.
precisamos-ver | A Rita precisa assinar o recibo.
not-yet | For MDF I have no numbers yet.
not-yet | Eu nem olhei usado ainda.
later | Sábado a gente vê depois.
later | We should do a course some day.
closed | Assunto do aluguel encerrado.
nao-sei | Não sei se cabe na sala.
nao-sei | I wonder whether it fits.
espero | Espero que caiba na sala.
espero | I hope it fits.
espero | A entrega está prevista para maio.
espero | The parcel is due on Friday.
feeling | Estou exausta com a obra.
feeling | I'm worn out.
exclaimed | Que alívio!
exclaimed | Essa obra me deixa nervosa.
exclaimed | The noise makes me anxious.
exclaimed | I loved the new curtain.
i-do | Resgato o dinheiro e pago à vista.
i-do | A gente fica na pousada da praia.
i-dont | Não assino o recibo.
i-dont | Não sobe hoje.
ordered | Troca o vidro da janela.
ordered | Switch the lights off.
keep-take | Take the blue one.
i-will | I'll cancel the gym.
i-am-doing | I'm paying for the private room.
i-am-doing | We close with the old song.
said-yes | I said yes!
on-balance | Capa definida: o desenho azul.
x-does-y | O bolo a Neide faz.
let-it-be | Vai ser o mercado.
leaning-more | I'm minded to keep half of it.
leaning-more | Estou mais pra ir do que pra ficar.
feeling-more | Tô acabada.
feeling-more | Fiquei nas nuvens.
feeling-more-en | I'm gutted about the door.
outcry | Chorei.
outcry | Gutted.
idiom | Estou com um frio na barriga danado.
idiom | I could scream.
feels-for | Cole's relieved.
came-to-nothing | O formulário trava no envio.
came-to-nothing | The jam wouldn't set.
came-to-nothing | Rang the office: voicemail.
came-good | Finally got through.
came-good | Subiu liso.
went-about | Rang the office.
i-did | Renomeei os arquivos.
i-did | I reinstalled the driver.
agent-failed | I was unable to open the sheet.
offers-options | Vocês podem ir de trem ou alugar um carro.
not-until | No running till she says so.
not-until | Nada de pintura sem o laudo.
only-when | O padre só confirma depois do feriado.
only-when | Primeiro quero o laudo do engenheiro.
cap | Budget's 2,500 all in.
cap | Four hours max.
hanging | Still waiting.
hanging | Alguém tem que fazer o bolo.
turned-around | The release slips to Wednesday.
turned-around | A missa fica pras 8.
either-way | SQLite vs MMKV for the queue.
no-thanks | Nem salão nem almoço grande.
no-thanks | The train with a buggy, no thanks.
lesson-learned | Note for next time: oil the hinge first.
lesson-learned | Reparei que a porta range.
ended-up | O casamento ficou pra março.
ended-up | We ended up choosing the smaller flat.
no-more | Not buying from that shop again.
better-to | Melhor a gente ir de carro.
better-to | You can cancel the booking.
came-over | Bateu o desespero hoje.
came-over | I miss my dad.
"""

# name | sentence that holds the words of the cue and must not be read by it
NEAR = """
changed-mind | Mudei os vasos de lugar.
second-thought | Estou pensando no jantar.
moved-from-to | I moved the sofa.
moved-from-to | A Ana passou de carro.
becomes | O ônibus passa cedo.
no-longer | Quero mais café.
x-not-y | Ela não veio.
back-to | A Ana volta para casa às seis.
raised-to | She raised her hand.
now-number | I have 12 now.
decided | He picked the lock.
resolvi | Fechei a porta.
it-is | How late it is too.
it-is | Então é isso.
final | Ficou bom no final.
voted | She voted for the mayor.
accept | O gato está no topo da estante.
vamos-de | Vou para casa.
lets-go-with | The lift goes with the stairs.
fica-decidido | A loja fica longe.
quero-assim | Quero saber a hora.
nao-vamos | Não sei.
autorizo | Eles podem vir.
vai-ser | Vai ser bom.
opcoes | As opções do menu mudaram de lugar.
ou-ou | Chá ou café.
alternatively | Outra xícara.
descartei | Ela está fora da cidade.
descartei | The dog is out of breath.
favours | All aboard.
quoted | She quoted a poem.
porque | O porquê disso ninguém sabe.
porque | Since Monday it rains.
porque | She gave thanks to the choir.
para-nao | Para a Ana.
never-do | I never said that.
may-not | He must have been tired.
only-then | Só um café.
tem-que | Tem pão.
limite | At least I tried.
deu-erro | Deu sono.
no-luck | We still have bread.
funcionou | She works at the bank.
funcionou | He passed away.
tentei | O teste da escola é em junho.
aprendi | Fiz a lição de casa.
falta | A falta de chuva preocupa.
falta | Não falta nada.
precisamos-ver | Preciso de café.
later | See you later.
nao-sei | Tenho certeza.
espero | Espero um minuto.
espero | He is due a refund.
feeling | The sad face icon is misaligned.
exclaimed | Que dia.
exclaimed | Deixa a porta aberta.
keep-take | Keep up the good work!
keep-take | Take it easy!
i-will | I'll keep you posted.
i-do | Uso óculos.
i-do | Pago 900 de aluguel.
i-am-doing | I'm taking some time off.
decided | I picked up a few recipes.
nao-vamos | I won't forget that.
for-now | Bye for now!
it-is | Yes it is!
feeling | I'm happy to help.
feeling | A brave turtle who was scared.
exclaimed | I love coconut milk.
feeling-more-en | Someone is feeling down.
went-about | The tried recipe.
ordered | Passa das dez já.
vamos-de | Vou no banheiro e já volto.
i-do | Daqui a pouco eu mando.
i-do | Vou dormir.
ordered | Fica tranquilo.
falta | Falta pouco pro Natal.
may-not | Must be really hard.
porque | Since we last spoke.
limite | At least once a week.
"""


def rows(table: str) -> list[tuple[str, str]]:
    pairs = (line.partition(" | ") for line in table.strip().splitlines())
    return [(name, text) for name, _, text in pairs]


def by_whom(name: str) -> AuthorKind:
    return AuthorKind.AGENT if name in {c.name for c in AGENT_CUES} else AuthorKind.OWNER


def reading(name: str, text: str, without: str = "") -> list[tuple[object, ...]]:
    message = said(text, by_whom(name))
    found = clauses(message, without=frozenset([without] if without else []))
    return [(c.start, c.theme, c.outcome, c.provisional) for c in found]


@pytest.mark.parametrize(("name", "text"), rows(OWN))
def test_without_this_cue_the_sentence_is_read_otherwise(name: str, text: str) -> None:
    assert any(name in c.cues for c in clauses(said(text, by_whom(name))))
    assert reading(name, text) != reading(name, text, without=name)
    assert any(theme not in (None, Theme.OTHER) for _, theme, _, _ in reading(name, text))


@pytest.mark.parametrize(("name", "text"), rows(NEAR))
def test_a_near_miss_is_not_taken_by_this_cue(name: str, text: str) -> None:
    assert name not in [c.name for c in TABLE.find(fold(text))]


def test_every_cue_has_a_sentence_of_its_own() -> None:
    assert {c.name for c in (*CUES, *AGENT_CUES)} == {name for name, _ in rows(OWN)}


def test_names_of_cues_are_unique() -> None:
    names = [c.name for c in (*CUES, *AGENT_CUES)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("name", "text"), rows(OWN))
def test_the_words_that_lead_to_a_cue_leave_out_no_match(name: str, text: str) -> None:
    known = (*CUES, *AGENT_CUES) if by_whom(name) is AuthorKind.AGENT else CUES
    for part in clauses(said(text, by_whom(name))):
        folded = fold(text[part.start : part.end]).strip()
        assert [c.name for c in known if c.pattern.search(folded)] == list(part.cues), name
