# ruff: noqa: E501 - patterns read best a row a line
"""Patterns of facts in Brazilian Portuguese, over folded text (no case, no accents).

A row is `id type attribute expression`; an attribute that ends in `~` may stand in a denied
clause ("nao gosto de"); one that ends in `@` needs a day or an hour in it. `facts_table` says what the words in angle brackets stand for.
"""

ROWS_PT = r"""
pt-me-chamo identity name ^(?:eu )?me chamo <P>
pt-meu-nome identity name ^(?:o )?meu nome(?: completo| todo)? e <P>
pt-pode-chamar identity called ^(?:podem?|podes) me chamar (?:so )?de <P>
pt-faco-aniversario identity birthday ^(?:eu )?faco aniversario (?:no |em )?<V>
pt-meu-aniversario identity birthday ^(?:o )?meu aniversario (?:e|cai)(?: no dia| dia| em| no)? <V>
pt-nasci identity born ^(?:eu )?nasci (?:em|n[oa]) <V>
pt-idade identity age ^(?:eu )?tenho (?P<v>\d{1,3} anos)(?=[,.;!]|$)
pt-sou-o-nome identity name ^(?:eu )?sou [oa] <P>
pt-parente-chama kinship name ^(?:[oa] )?(?P<s>m(?:eu|inha) <REL>(?: mais (?:nov|velh)[oa])?) (?:se chama|chama-se) <P>
pt-nome-do-parente kinship name ^o nome d[oa] (?P<s>m(?:eu|inha) <REL>) e <P>
pt-tenho-parentes kinship has ^(?:eu |a gente )?(?:tenho|tem|temos) (?P<v>(?:um|uma|dois|duas|tres|quatro|cinco|seis|\d) (?:<REL>)s?\b(?: <VV>)?)
pt-casado-com kinship partner ^(?:eu )?sou (?:casad|noiv|viuv|divorciad)[oa] (?:com|d[oae])(?: [oa])? <P>
pt-e-meu-parente kinship relation ^(?:[oa] )?<SP> e (?P<v>m(?:eu|inha) <REL>)\b
pt-moro-em residence lives_in ^(?:(?:eu )?moro|a gente mora|(?:nos )?moramos) (?:em|n[oa]s?|nums?|numa) <V>
pt-morando-em residence lives_in ^(?:eu |a gente )?(?:estou|to|estamos|esta|ta) morando (?:em|n[oa]s?|num|numa) <V>
pt-endereco residence address ^(?:o )?(?:meu|nosso) endereco(?: novo| atual)? e <V>
pt-me-mudei residence lives_in ^<T>(?:(?:eu )?me mudei|a gente se mudou|(?:nos )?(?:nos )?mudamos) (?:para|pra|pro)(?: [oa])? <V>
pt-parente-mora residence lives_in ^(?:[oa] )?(?P<s>m(?:eu|inha)s? <REL>s?(?: <w>)?) moram? (?:em|n[oa]s?|num|numa) <V>
pt-trabalho-em work employer ^(?:eu )?trabalho (?:em|n[oa]s?|num|numa|para [oa]|pr[ao]) <V>
pt-trabalho-como work occupation ^(?:eu )?trabalho (?:como|com|de) (?!voce|casa)<V>
pt-sou-profissao work occupation ^(?:eu )?sou (?P<v>(?:<PROF>)(?: <VV>)?)
pt-dou-aula work occupation ^(?:eu )?(?:dou aulas?|ensino|leciono) (?:de )?(?!voce|isso)<V>
pt-sou-dono work owns_business ^(?:eu )?sou don[oa] d[eao] <V>
pt-comecei-na work employer ^<T>(?:eu )?comecei (?:a trabalhar )?(?:n[oa]|em) <P>
pt-meu-chefe work colleague ^(?:[oa] )?(?P<s>m(?:eu|inha) (?:chefe|gerente|soci[oa]|supervisor[a]?|coordenador[a]?)(?: nov[oa])?) (?:e|se chama)(?: [oa])? <P>
pt-meu-email contact email ^(?:o )?(?:meu|nosso) e-?mail(?: (?:do|de|da|novo|pessoal|trabalho|casa|firma))* e (?P<v>\S+@\S+\w)
pt-email-de contact email ^o e-?mail d[oa]s? (?P<s><w>(?: <w>){0,2}) e (?P<v>\S+@\S+\w)
pt-telefone-de contact phone ^o (?:telefone|celular|whats\w*|zap|ramal|numero) d[oae]s? (?P<s><w>(?: <w>){0,2}) e <NUM>
pt-meu-telefone contact phone ^(?:o )?(?:meu|nosso) (?:telefone|celular|whats\w*|zap|ramal|numero)(?: novo| de casa| do trabalho| fixo)? e <NUM>
pt-meu-usuario contact handle ^(?:o )?meu (?:usuario|perfil|instagram|telegram|login)(?: n[oa] <w>)? e (?P<v>@?[\w.]{3,30})
pt-prefiro preference prefers ^(?:eu |a gente |nos )?(?:prefiro|prefere|preferimos) (?!assim|que |nao |isso|esse|essa|el[ea]\b)<V>
pt-adoro preference likes ^(?:eu )?(?:adoro|amo) (?!isso|isto|ess[ea]|quando|voce|ficar sem|el[ea]\b)<V>
pt-gosto-de preference likes ^(?:eu )?gosto (?:muito |bastante )?d(?:e|o|a|os|as) (?!ideia|voce|como|que\b|jeito|resultado|plano|sugest|propost)<V>
pt-favorito preference favourite ^(?:[oa] )?(?P<s>m(?:eu|inha) <w>) (?:preferid|favorit)[oa] e <V>
pt-gosto-mais preference prefers ^(?:eu )?gosto mais d(?:e|o|a|os|as) <V>
pt-sou-fa preference likes ^(?:eu )?sou (?:muito |super )?fa d(?:e|o|a|os|as) <V>
pt-detesto dislike dislikes ^(?:eu )?detesto (?!dizer|admitir|ter que|isso|ess)<V>
pt-odeio dislike dislikes ^(?:eu )?odeio (?!dizer|admitir|ter que|isso|ess|quando voce)<V>
pt-nao-gosto dislike dislikes~ ^(?:eu )?nao gosto (?:nada |muito )?d(?:e|o|a|os|as) (?!ideia|como voce|jeito|resultado|plano)<V>
pt-nao-suporto dislike dislikes~ ^(?:eu )?nao (?:suporto|aguento|tolero) (?!mais|isso|ess)<V>
pt-horror dislike dislikes ^(?:eu )?tenho (?:horror|pavor|nojo|aversao|odio) (?:a|ao|de|d[oa]s?) (?!isso|voce)<V>
pt-tenho-coisa possession has ^(?:eu |a gente )?(?:tenho|tem|temos) (?P<v>(?:um|uma|dois|duas|tres|\d+) (?:<THING>)s?\b(?: <VV>)?)
pt-tenho-marca possession has ^(?:eu )?tenho (?:um|uma) <P>
pt-comprei possession bought ^<T>(?:eu |a gente )?(?:comprei|comprou|compramos) (?!a ideia|briga|isso)<V>
pt-meu-e-um possession has ^(?:[oa] )?(?P<s>m(?:eu|inha) (?:<THING>)(?: nov[oa])?) e (?P<v>(?:um|uma) <VV>)
pt-ganhei possession received ^<T>(?:eu )?ganhei (?P<v>(?:um|uma) (?!tempo|bronca|susto)<VV>)
pt-alergico health allergy ^(?:eu )?sou alergic[oa] (?:a|ao|aos|as) <V>
pt-tomo health medication ^(?:eu )?tomo (?!banho|cafe|cuidado|nota|conta)(?P<v><w>(?: <w>){0,3}?) (?:tod[oa]s?|de manha|a noite|por dia|para|pra|\d+ vez\w*)\b
pt-tenho-doenca health condition ^(?:eu )?tenho (?P<v><ILL>(?: <VV>)?)
pt-sou-condicao health condition ^(?:eu )?sou (?P<v>(?:diabetic|asmatic|hipertens|vegetarian|vegan|celiac|epiletic|epileptic|daltonic)[oa]|intolerante (?:a|ao) <w>)\b
pt-nao-posso-comer health cannot_have~ ^(?:eu )?nao posso (?:comer|beber|tomar) (?!mais essa)<V>
pt-quebrei-o health injury ^<T>(?:eu )?(?:quebrei|torci|operei|fraturei|machuquei|desloquei) (?P<v>(?:o|a|meu|minha) <BODY>)\b
pt-tenho-compromisso appointment has@ ^<T>(?:eu |a gente )?(?:tenho|tem|temos) (?P<v>(?:um |uma )?<EV>\b(?: <VV>)?)
pt-ficou-marcado appointment when ^(?P<s>(?:[oa]|minha|meu) <EV>(?: <w>){0,4}?) (?:ficou|esta|foi|ta) (?:marcad|agendad|remarcad|adiad)[oa] (?:para|pra|pro) <V>
pt-compromisso-e appointment when ^(?P<s>(?:[oa]|minha|meu) <EV>(?: <w>){0,5}?) (?:e|vai ser|sera) (?P<v>(?:n[oa]|em|dia|amanha|hoje|as|segunda|terca|quarta|quinta|sexta) ?<VV>)
pt-voo-sai appointment departs ^(?P<s>(?:o|meu|nosso) (?:voo|onibus|trem|barco)(?: (?:para|pra|pro|de) <w>)?) (?:sai|parte|decola) (?P<v>(?:a|as|n[oa]|dia|em|amanha|hoje)\b ?<VV>)
pt-marquei appointment booked ^<T>(?:eu )?(?:marquei|agendei|remarquei) (?P<v>(?:[oa]s?|um|uma|minha|meu) <w>(?: <w>){0,5}? (?:para|pra|pro|n[oa]) <WV>)
pt-vou-fazer plan will@ ^<T>(?:eu |a gente )?(?:vou|vai|vamos) (?!ver\b|te\b|responder|ja\b|la\b|indo|pensar|dormir|sair\b)(?P<v><w>[aei]r\b <VV>)
pt-pretendo plan intends ^<T>(?:eu )?pretendo <V>
pt-planejo plan intends ^<T>(?:eu |a gente )?(?:(?:estou|estamos|ando|to) planejando|planejo|planejamos) <V>
pt-quero-em plan wants@ ^<T>(?:eu )?quero (?!que|saber|dizer)(?P<v><w>[aei]r\b <VV>)
pt-viajo-para plan travels ^<T>(?:eu |a gente )?(?:viajo|viaja|viajamos|embarco|embarcamos) (?P<v>(?:para|pra|pro) <VV>)
pt-nunca-faca rule never~ ^nunca (?:mais )?(?P<v>(?:<IMP>) <VV>)
pt-nao-faca rule never~ ^(?:por favor,? )?nao (?P<v>(?:<IMP>) <VV>)
pt-sempre-faca rule always ^sempre (?P<v>(?:<IMP>) <VV>)
pt-de-agora-em-diante rule standing~ ^(?:de agora em diante|a partir de (?:agora|hoje)|daqui (?:para a|pra|para) frente)[:,]? <VL>
pt-combinamos-que rule agreed~ ^<T>(?:(?:a gente )?combin(?:amos|ou)|ficou (?:combinado|decidido)|decidimos|a regra e)(?: que|:) <VL>
pt-segredo-esta credential_place kept_in ^(?P<s><CRED>(?: (?!fica|esta)<w>){0,4}) (?:esta|fica|estao|ficam|ta) (?P<v>(?:n[oa]s?|num|numa|em|dentro|embaixo|atras|guardad[oa]|anotad[oa])\b <VV>)
pt-guardo-segredo credential_place kept_in ^(?:eu )?(?:guardo|deixo|escondo|mantenho) (?P<s><CRED>(?: <w>){0,4}?) (?P<v>(?:n[oa]s?|num|numa|em|dentro|embaixo)\b <VV>)
pt-anotei-segredo credential_place kept_in ^<T>(?:eu )?(?:guardei|anotei|deixei|escondi|salvei) (?P<s><CRED>(?: <w>){0,4}?) (?P<v>(?:n[oa]s?|num|numa|em|dentro|embaixo)\b <VV>)
pt-segredo-com credential_place kept_by ^(?P<s><CRED>(?: (?!fica|esta)<w>){0,3}) (?:esta|fica|ficou|ta) (?P<v>com <VV>)
pt-custa price costs ^(?P<s><NP>) (?:custa|custou|custam) <MONEY>
pt-paguei price paid ^<T>(?:eu |a gente )?(?:paguei|pagamos|pagou|pago) (?P<v><MON> (?:n[oa]s?|por|pel[oa]s?|de|d[oa])\b <VV>)
pt-sai-por price costs ^(?P<s><NP>) (?:sai|saiu|ficou|fica) (?:por|em) <MONEY>
pt-cobro price charges ^(?:eu )?cobro <MONEY>
pt-cobra price charges ^(?P<s>(?!eu\b)<NP>) (?:cobra|cobram|cobrou) <MONEY>
pt-quebrou event happened ^<T>(?P<v>(?:o|a|os|as|meu|minha|nosso|nossa) (?:<w> ){1,3}(?:quebrou|queimou|pifou|estragou|alagou|desabou|furou|vazou|morreu)\b<REST>)
pt-me-formei event graduated ^<T>(?:eu )?me formei (?:em|n[oa]) <V>
pt-nasceu event born ^<T>(?:[oa] )?(?P<s>m(?:eu|inha) <REL>|<SPX>) nasceu (?P<v>(?:em|n[oa]|dia|ontem|hoje)\b<REST>)
pt-perdi event lost ^<T>(?:eu )?(?:perdi|roubaram|furtaram|levaram) (?P<v>(?:o|a|os|as|meu|minha|meus|minhas) (?!paciencia|hora|aula|tempo|cabeca|voo da ideia)<VV>)
pt-sofri event happened ^<T>(?:eu )?(?:sofri|bati|tive|capotei) (?P<v>(?:um acidente|um assalto|um infarto|um derrame|o carro|a moto|uma crise|uma queda)\b<REST>)
pt-passou-em event passed ^<T>(?:[oa] )?(?P<s>m(?:eu|inha) <REL>|<SPX>) passou (?P<v>n[oa] (?:vestibular|concurso|prova|enem|exame|oab)\b<REST>)
pt-casei event married ^<T>(?:eu )?(?:me casei|casei|nos casamos|me separei|nos separamos|me divorciei) (?P<v>(?:em|n[oa]|com|ha|faz|dia)\b <VV>)
pt-falo-lingua skill speaks ^(?:eu )?falo (?:um pouco de )?(?P<v>(?:<LANG>)\b<REST>)
pt-sei-fazer skill can ^(?:eu )?sei (?!que|la|como|se\b)(?P<v><w>[aei]r\b<REST>)
pt-toco skill plays ^(?:eu )?toco (?P<v>(?:violao|guitarra|piano|sanfona|bateria|flauta|violino|baixo|cavaquinho|saxofone|trompete|pandeiro|teclado|viola)\b<REST>)
pt-aprendi-a skill learned ^<T>(?:eu )?aprendi a (?P<v><w>[aei]r\b<REST>)
pt-programo skill can ^(?:eu )?programo (?:em|n[oa]) <V>
pt-faco-parte membership member_of ^(?:eu )?faco parte d[oae]s? <V>
pt-sou-membro membership member_of ^(?:eu )?sou (?:soci[oa]|membr[oa]|voluntari[oa]|integrante|conselheir[oa]|filiad[oa]|associad[oa]) (?:d[oae]|n[oa]|a|ao) <V>
pt-entrei-para membership joined ^<T>(?:eu )?entrei (?:para|pra|pro|n[oa])(?: [oa])? (?P<v>(?:associacao|clube|grupo|coral|conselho|cooperativa|time|sindicato|partido|igreja|academia|ong)\b<REST>)
pt-participo membership member_of ^(?:eu )?participo d[oae]s? (?P<v>(?:um |uma )?(?:grupo|clube|coral|conselho|associacao|coletivo|liga|forum|comite|roda|time|projeto)\b<REST>)
pt-assino membership subscribes ^(?:eu )?assino (?:o|a|os|as) (?!embaixo|contrato|recibo|papel)<V>
pt-toda-semana routine habit ^(?P<v>tod[oa]s?(?: [oa]s)? (?:<DAY>|manha|tarde|noite|dia(?: \d+)?|mes|semana|ano|mes)s?,? (?:eu |a gente |nos )?(?:<FP>)\b<REST>)
pt-todos-os-dias routine habit ^(?P<v>(?:eu )?(?:<FP>)\b (?:<w> ){0,8}?(?:todo dia|todos os dias|toda (?:manha|noite|tarde|semana)|tod[oa] (?:<DAY>)))(?=[.!,;]|$)
pt-aos-domingos routine habit ^(?P<v>(?:aos|as|nas|nos) (?:<DAY>)s?(?:-feiras)?,? (?:eu |a gente |nos )?(?:<FP>|almoca|janta|vai|faz)\b<REST>)
pt-faco-as-quartas routine habit ^(?P<v>(?:eu )?(?:<FP>)\b (?:<w> ){0,8}?(?:aos|as|nas|nos) (?:<DAY>)s(?:-feiras)?)(?=[.!,;]|$)
pt-costumo routine habit ^(?:eu )?costumo (?P<v><w>[aei]r\b<REST>)
pt-coisa-fica-em setting is_at ^(?P<s><NPX>) (?:agora )?(?:fica|esta|roda|escuta|responde|atende|ta) (?:agora )?(?P<v>n[oa] (?:porta|ip|sala|andar|bloco|canal|versao|endereco|rua|numero|mesa|ramal|gaveta|slot|bay)(?: \w+)? ?\w*\d<REST>)
pt-coisa-e-nome setting is ^(?P<s><NPX>) (?:agora )?(?:e|passa a ser|passou a ser|vai ser) (?:agora )?(?:[oa] )?<P>
pt-coisa-vence setting until ^(?P<s><NPX>) (?:vence|expira|renova|caduca|tem garantia|esta na garantia|vale) (?P<v>(?:n[oa]|em|ate|dia|todo dia|amanha)\b(?:[^,;?!]*\d| \w+)<REST>)
pt-subiu-para price costs ^<T>(?P<s><NP>) (?:subiu|caiu|baixou|passou|aumentou|foi) (?:para|pra|de <MON> (?:para|pra)) <MONEY>
pt-eles-as-tercas routine habit ^(?:[oa] )?(?:(?P<s>m(?:eu|inha) <REL>)|<SP>) (?P<v>\w+(?<!ou)(?<!eu)(?<!iu)[aem] (?:<w> ){0,4}?(?:as|aos|nas|nos) (?:<DAY>)s?(?:-feiras)?(?: e (?:<DAY>)s?(?:-feiras)?)?)(?=[.!,;]|$)
pt-parente-trabalha work employer ^(?:[oa] )?(?P<s>m(?:eu|inha) <REL>(?: <w>)?) (?:trabalha|comecou a trabalhar) (?:em|n[oa]s?|como|com|para) <V>
pt-rotulo-valor setting is ^(?P<s>(?!olha|veja|total|resultado|exemplo|ps\b|obs|erro|para\b|eu\b|[oa]s? )[\w'-]+ (?:d[aeo]s? |para |por |n[oa] )(?!ist|iss)[\w'-]+(?: [\w'-]+){0,3}): (?P<v>[^:?!\d\n]{0,12}\d(?!\d?:\d)[^:?!\n]{0,80}?)(?=[.!;,](?!\w)|$)
"""
