"""Irregular verb forms of Portuguese and English under their infinitive, folded.

Stemming joins regular forms; these share no stem with their infinitive, and questions use other
forms than answers do ("por que saiu" - "saio da Vitrine").
"""

from __future__ import annotations

_SHORTEST = 3  # letters; shorter forms are other words as well: da, do, ve

_FORMS = """
sair: saio sai saimos saem sai saiu sairam saia saindo saido
ir: vou vai vamos vao fui foi fomos foram ia iam indo
fazer: faco faz fazem fiz fez fizemos fizeram fazia feito fazendo
ter: tenho tem temos tive teve tivemos tiveram tinha tinham tido
dizer: digo diz dizem disse disseram dizia dito
por: ponho poe poem pus pos pusemos puseram punha posto
vir: venho vem vimos vieram veio vinha vindo
ver: vejo ve veem vi viu viram via visto
trazer: trago traz trazem trouxe trouxeram trazia
saber: sei sabe sabem soube souberam sabia
poder: posso pode podem pude pode puderam podia
querer: quero quer querem quis quiseram queria
dar: dou da dao dei deu demos deram dava
cair: caio cai caem caiu cairam caia
pedir: peco pede pedem pedi pediu pediram
perder: perco perde perdem perdi perdeu perderam
medir: meco mede medi mediu
ouvir: ouco ouve ouvi ouviu ouviram
subir: subo sobe sobem subi subiu subiram
dormir: durmo dorme dormi dormiu
preferir: prefiro prefere preferi preferiu
mentir: minto mente menti mentiu
servir: sirvo serve servi serviu
be: is are was were been am being
go: went gone goes going
have: has had having
do: did done does doing
say: said says
make: made makes making
take: took taken takes taking
leave: left leaves leaving
buy: bought buys
choose: chose chosen choosing
get: got gotten getting
give: gave given giving
come: came coming
keep: kept
think: thought
bring: brought
pay: paid
send: sent
sell: sold
find: found
lose: lost losing
tell: told
write: wrote written writing
break: broke broken
run: ran running
begin: began begun
drive: drove driven
build: built
hold: held
meet: met
speak: spoke spoken
spend: spent
win: won
sleep: slept
feel: felt
fall: fell fallen
know: knew known
see: saw seen
teach: taught
catch: caught
"""

INFINITIVES: dict[str, str] = {
    form: line.partition(":")[0]
    for line in _FORMS.strip().splitlines()
    for form in line.partition(":")[2].split()
    if len(form) >= _SHORTEST
}
