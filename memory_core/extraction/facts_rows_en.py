# ruff: noqa: E501 - patterns read best a row a line
"""Patterns of facts in English, over folded text; the rows are those of `facts_rows_pt`."""

ROWS_EN = r"""
en-my-name identity name ^my (?:full |real )?name(?: is|'s) <P>
en-call-me identity called ^(?:you can |please |just )?call me <P>
en-birthday-is identity birthday ^my birthday(?: is|'s| falls)(?: on| in)? <V>
en-born identity born ^i was born (?:in|on|at) <V>
en-age identity age ^i(?:'m| am) (?P<v>\d{1,3} years old)\b
en-turn-age identity age ^<T>i (?:turn|turned) (?P<v>\d{1,3}\b<REST>)
en-i-am-name identity name ^(?:i'm|i am|this is) (?!on\b)<P>(?=, (?:from|the|your|of)\b)
en-rel-named kinship name ^(?P<s>my (?:\w+ )?<RELE>) is (?:called|named) <P>
en-rel-name-is kinship name ^(?P<s>my (?:\w+ )?<RELE>)'s name(?: is|'s) <P>
en-have-relatives kinship has ^(?:i|we) have (?P<v>(?:a|an|one|two|three|four|five|six|\d) (?:\w+ )?(?:<RELE>s?|kids?|child|children|siblings?)\b(?: <VV>)?)
en-married-to kinship partner ^i(?:'m| am) (?:married|engaged) to <P>
en-is-my-rel kinship relation ^<SP> is (?P<v>my (?:\w+ )?<RELE>)\b
en-live-in residence lives_in ^(?:i|we) live (?:in|on|at|near|by|outside) <V>
en-living-in residence lives_in ^(?:i|we)(?:'ve| have) (?:been living|lived) (?:in|on|at|near) <V>
en-my-address residence address ^(?:my|our)(?: new| home| current)? address(?: is|'s) <V>
en-moved-to residence lives_in ^<T>(?:i|we)(?:'ve| have)? moved (?:to|into|in with) (?!the next|the other)<V>
en-rel-lives residence lives_in ^(?P<s>my (?:\w+ )?<RELE>s?) lives? (?:in|on|at|near) <V>
en-work-at work employer ^i work (?:at|for|in|with) (?!the evening|the morning|that|you)<V>
en-work-as work occupation ^i work as <V>
en-am-profession work occupation ^i(?:'m| am) (?P<v>an? (?:<PROFE>)(?: <VV>)?)
en-run-business work owns_business ^i (?:run|own) (?P<v>(?:a|an|the|my) (?:\w+ ){0,3}(?:shop|business|company|studio|bakery|restaurant|cafe|farm|workshop|agency|garage|bookshop|practice|salon|clinic)\b<REST>)
en-started-at work employer ^<T>i started (?:working )?(?:at|with) <P>
en-my-boss work colleague ^(?P<s>my (?:new )?(?:boss|manager|supervisor|business partner|coworker|colleague))(?: is called| is named| is|'s) <P>
en-i-teach work occupation ^i teach (?!you|him|her|them|myself)<V>
en-my-email contact email ^(?:my|our)(?: <w>){0,2}? e-?mail(?: address)?(?: is|'s) (?P<v>\S+@\S+\w)
en-email-of contact email ^(?:the )?(?P<s>(?!my\b|our\b)<w>(?: <w>)?)'s? e-?mail(?: address)?(?: is|'s) (?P<v>\S+@\S+\w)
en-phone-of contact phone ^(?P<s>(?:the |my )?(?:<w> )?<w>)'s? (?:phone(?: number)?|mobile|number|extension|whatsapp|cell)(?: is|'s) <NUM>
en-my-phone contact phone ^(?:my|our)(?: new| work| home)? (?:phone(?: number)?|mobile|number|extension|whatsapp|cell)(?: number)?(?: is|'s) <NUM>
en-my-handle contact handle ^my (?:username|handle|login|instagram|telegram)(?: on (?:the )?<w>)?(?: is|'s) (?P<v>@?[\w.]{3,30})
en-prefer preference prefers ^(?:i|we)(?:'d rather have| prefer) (?!it |that |this |you |not |if )<V>
en-love preference likes ^i(?: really| absolutely)? (?:love|adore) (?!it\b|that\b|this\b|you\b|how\b|the idea|losing|when\b|them\b|to see\b)<V>
en-like preference likes ^i(?: really| quite)? like (?!it\b|that\b|this\b|you\b|how\b|the (?:idea|plan|way|look|sound|suggestion|result)|when\b|them\b|[^,.;!?]{2,60} (?:best|most|better)\b)<V>
en-favourite preference favourite ^(?P<s>my favou?rite (?:\w+ )?<w>)(?: is|'s) <V>
en-like-best preference prefers ^i like (?P<v><w>(?: <w>){0,4}?) (?:best|most|better)\b
en-fan preference likes ^i(?:'m| am) (?:a |an )(?:\w+ )?fan of <V>
en-hate dislike dislikes ^i(?: really)? hate (?!to say|to admit|it\b|that\b|this\b|you\b|when you)<V>
en-do-not-like dislike dislikes~ ^i (?:don't|do not)(?: really)? like (?!it\b|that\b|this\b|the (?:idea|plan|way|look))<V>
en-cannot-stand dislike dislikes~ ^i (?:can't|cannot) (?:stand|bear|abide) (?!it\b|up\b|still\b|in line|witness|this\b|that\b)<V>
en-dislike dislike dislikes ^i (?:dislike|detest|loathe) (?!it\b|this\b|that\b)<V>
en-scared dislike dislikes ^i(?:'m| am) (?:scared|terrified|afraid) of (?!it\b|that\b|this\b|you\b)<V>
en-have-thing possession has ^(?:i|we)(?:'ve got| have) (?P<v>(?:a|an|two|three|four|\d+) (?:(?!appointment)\w+ ){0,3}?(?:<THINGE>)\b<REST>)
en-own possession has ^(?:i|we) own (?P<v>(?!it\b|this\b|that\b|up\b)(?:a|an|two|three|\d+) <VV>)
en-bought possession bought ^<T>(?:i|we)(?:'ve| have)?(?: just)? bought (?!it\b|that\b|time\b)<V>
en-my-thing-is possession has ^(?P<s>my (?:new |old )?(?:<THINGE>)) is (?P<v>an? <VV>)
en-was-given possession received ^<T>i (?:was given|got given|inherited) (?P<v>(?:a|an|my|the) <VV>)
en-allergic health allergy ^i(?:'m| am)(?: very| badly)? allergic to <V>
en-take-medicine health medication ^i take (?!care|note|a look|the bus|a walk)(?P<v><w>(?: <w>){0,3}?) (?:every|each|at night|in the morning|once|twice|daily|for my)\b
en-have-illness health condition ^i have (?P<v><ILLE>(?: <VV>)?)
en-am-condition health condition ^i(?:'m| am) (?:a )?(?P<v>(?:diabetic|asthmatic|vegetarian|vegan|coeliac|celiac|epileptic|colou?r-?blind|pregnant|lactose intolerant|pescatarian|deaf|hypertensive)\b<REST>)
en-cannot-eat health cannot_have~ ^i (?:can't|cannot) (?:eat|drink|have|take) (?!it\b|this\b|that\b|any more|part\b|much more)<V>
en-broke-body health injury ^<T>i (?:broke|sprained|twisted|fractured|dislocated|hurt|injured) (?P<v>my (?:\w+ )?<BODYE>)\b
en-have-appointment appointment has@ ^<T>(?:i|we)(?:'ve got| have) (?P<v>(?:an? |my |the )?(?:\w+ ){0,2}?<EVE>\b<REST>)
en-is-set-for appointment when ^(?P<s>(?:the|my|our) (?:\w+ ){0,2}?<EVE>(?: <w>){0,4}?) (?:is|was|has been) (?:set|scheduled|booked|moved|rescheduled)(?: for| to)? (?!in stone|up\b)<V>
en-event-is-on appointment when ^(?P<s>(?:the|my|our) (?:\w+ ){0,2}?<EVE>(?: <w>){0,5}?) (?:is|will be) (?P<v>(?:on|at|in|tomorrow|today|next)\b<REST>)
en-flight-leaves appointment departs ^(?P<s>(?:the|my|our) (?:flight|train|bus|ferry|coach)(?: to <w>)?) (?:leaves|departs|takes off|goes) (?P<v>(?:at|on|in|tomorrow|today|next)\b<REST>)
en-booked appointment booked ^<T>(?:i|we)(?:'ve| have)? (?:booked|scheduled|rescheduled) (?P<v>(?:a|an|the|my|our) <w>(?: <w>){0,4}? (?:for|on|at) <VV>)
en-going-to plan will@ ^<T>(?:i'm|i am|we're|we are) going to (?!bed|be\b|sleep|see\b|need)<V>
en-plan-to plan intends ^<T>(?:i|we) (?:plan|intend|mean) to <V>
en-planning plan intends ^<T>(?:i'm|i am|we're|we are) planning (?:to|on|a|an|the) <V>
en-want-in plan wants@ ^<T>(?:i|we) want to (?!know|say|ask|see)<V>
en-travelling plan travels ^<T>(?:i'm|i am|we're|we are) (?:travell?ing|flying|driving|heading) (?P<v>to <VV>)
en-never-do rule never~ ^never (?P<v>(?:<IMPE>)\b <VV>)
en-do-not rule never~ ^(?:please )?(?:don't|do not) (?P<v>(?:<IMPE>)\b <VV>)
en-always-do rule always ^(?:please )?always (?P<v>(?:<IMPE>)\b <VV>)
en-from-now-on rule standing~ ^(?:from now on|from today(?: on)?|starting today|going forward)[:,]? <VL>
en-we-agreed rule agreed~ ^<T>(?:we agreed|we(?:'ve| have) agreed|we decided|the rule is|it was agreed) that <VL>
en-secret-is-in credential_place kept_in ^(?P<s><CREDE>(?: for <w>(?: <w>)?)?) (?:is|are|sits|lives) (?P<v>(?:in|on|under|inside|behind|taped|stuck)\b <VV>)
en-secret-stored credential_place kept_in ^(?P<s><CREDE>(?: for <w>(?: <w>)?)?) (?:is|are) (?:stored|kept|saved|written|hidden|locked) (?P<v>(?:away )?(?:down )?(?:in|on|under|inside|behind|at)\b <VV>)
en-i-keep-secret credential_place kept_in ^(?:i|we) (?:keep|store|hide|leave) (?P<s><CREDE>) (?P<v>(?:in|on|under|inside|behind|at|with)\b <VV>)
en-i-put-secret credential_place kept_in ^<T>(?:i|we)(?:'ve| have)? (?:put|stored|saved|wrote|hid|left) (?P<s><CREDE>) (?P<v>(?:down )?(?:in|on|under|inside|behind|at|with)\b <VV>)
en-secret-with credential_place kept_by ^(?P<s><CREDE>) (?:is|are) (?P<v>with <VV>)
en-costs price costs ^(?P<s><NP>) (?:costs?|cost me|cost us) <MONEY>
en-paid price paid ^<T>(?:i|we)(?:'ve| have)? (?:paid|spent|pay) (?P<v><MON> (?:for|on|to|in|a|per)\b <VV>)
en-is-money price costs ^(?P<s><NP>) (?:is|was|comes to|came to) <MONEY>
en-i-charge price charges ^(?:i|we) charge (?P<v>(?:<MON>|\d[\d.,]*) ?(?:an?|per|for) <VV>)
en-charges price charges ^(?P<s>(?!i\b|we\b)<NP>) (?:charges|charged)(?: me| us)? <MONEY>
en-thing-broke event happened ^<T>(?P<v>(?:the|my|our) (?:<w> ){1,3}(?:broke|burst|burned|died|flooded|collapsed|leaked|exploded|crashed|cracked)\b<REST>)
en-graduated event graduated ^<T>i graduated (?P<v>(?:in|from|at|with|as)\b <VV>)
en-rel-born event born ^<T>(?P<s>my (?:\w+ )?<RELE>) was born (?P<v>(?:in|on|at|yesterday|today|last)\b<REST>)
en-lost event lost ^<T>(?:i(?:'ve)? lost|someone stole|they stole) (?P<v>(?:the|my|our) (?!way|mind|patience|temper|train of|place|track)<VV>)
en-had-accident event happened ^<T>i (?:had|crashed|suffered|was in) (?P<v>(?:an accident|a car accident|a stroke|a heart attack|the car|my car|the bike|a fall|a bad fall)\b<REST>)
en-passed-exam event passed ^<T>(?P<s>my (?:\w+ )?<RELE>|(?:<SPX>)) (?P<v>passed (?:the|her|his|their|my) (?:\w+ )?(?:exam|test|bar|driving test|finals|audition)s?\b<REST>)
en-got-married event married ^<T>(?:i|we) (?:got married|married|got divorced|separated|split up|got engaged) (?P<v>(?:in|on|at|last|to|ten|\d+)\b <VV>)
en-speak skill speaks ^i(?: can| also)? speak (?P<v><LANGE>\b<REST>)
en-know-how skill can ^i(?: already)? know how to (?!do it|fix it|do that)<V>
en-play skill plays ^i(?:'ve| have)? play(?:ed)? (?P<v>the (?:guitar|piano|accordion|drums|flute|violin|bass|cello|saxophone|trumpet|harp|banjo|organ|viola|ukulele)\b<REST>)
en-i-can skill can ^i can (?P<v>(?:sew|knit|weld|solder|swim|sail|drive|ride|juggle|type|code|program|bake|cook|dance|ski|skate|paint|draw|whistle|read music)\b(?! (?:it|that|this|you|there|over|by)\b)<REST>)
en-learned-to skill learned ^<T>i(?:'ve)? (?:learned|learnt|taught myself) (?:how )?to <V>
en-member-of membership member_of ^i(?:'m| am) (?:a |an )?(?:\w+ )?member of <V>
en-joined membership joined ^<T>i(?:'ve| have)? joined (?P<v>(?:the|a|an|my) (?:[\w']+ ){0,3}?(?:association|club|group|choir|board|cooperative|team|union|party|church|gym|charity|society|committee)\b<REST>)
en-on-the-board membership member_of ^i(?:'m| am) on the (?P<v>(?:board|committee|council|team|jury) of <VV>)
en-volunteer membership member_of ^i volunteer (?P<v>(?:at|for|with) <VV>)
en-belong membership member_of ^i belong to <V>
en-sing-in membership member_of ^i (?:sing|play|row|dance|act) (?P<v>(?:in|with|for) (?:the|a|an|our|my) (?:[\w']+ ){0,3}?(?:choir|band|orchestra|team|club|troupe|company|ensemble)\b<REST>)
en-subscribe membership subscribes ^i(?:'m| am)? subscribed? to (?!that\b|this\b|the view|the idea)<V>
en-every-week routine habit ^(?P<v>(?:every|each) (?:<DAYE>|morning|evening|night|day|week|month|year|other \w+),? (?:i|we) <VV>)
en-every-day routine habit ^(?P<v>(?:i|we) (?!have to|need|want|had|will)[\w']+ (?:[\w'-]+ ){0,8}?(?:every|each) (?:<DAYE>|morning|evening|night|day|week|month|other \w+))(?=[.!,;]|$)
en-on-sundays routine habit ^(?P<v>on (?:<DAYE>s|weekends|weekdays),? (?:i|we) <VV>)
en-walk-on-days routine habit ^(?P<v>(?:i|we) (?!have to|need|want|had|will)[\w']+ (?:[\w'-]+ ){0,8}?on (?:<DAYE>s|weekends|weekdays))(?=[.!,;]|$)
en-usually routine habit ^(?P<v>i (?:usually|normally|typically|always) (?!thought|wanted|knew|wondered|hated|loved)<VV>)
en-of-every-month routine habit ^(?P<v>on the \w+ of (?:every|each) month,? (?:i|we) <VV>)
en-thing-on setting is_at ^(?P<s><NPX>) (?:now )?(?:is|runs|listens|sits|lives|answers) (?:now )?(?P<v>(?:on|at|in) (?:(?:port|room|floor|channel|version|address|desk|bay|slot|block|ip|extension) )?\d<REST>)
en-thing-is-name setting is ^(?P<s><NPX>) is (?:now |still )?<P>
en-thing-expires setting until ^(?P<s><NPX>) (?:expires|renews|runs out|is (?:still )?under warranty|is due|is valid) (?P<v>(?:on|in|at|until|by|every|next|tomorrow)\b <VV>)
en-went-up-to price costs~ ^<T>(?P<s><NP>) (?:went up|went down|rose|dropped|fell|has gone up|went) to <MONEY>
en-they-on-days routine habit ^(?:(?P<s>my (?:\w+ )?<RELE>)|<SP>) (?P<v>(?!was\b|is\b|has\b|does\b)\w+s (?:<w> ){0,5}?on (?:<DAYE>s|weekends|weekdays)(?: and (?:<DAYE>s))?)(?=[.!,;]|$)
en-rel-works work employer ^(?P<s>my (?:\w+ )?<RELE>(?: <w>)?) (?:works|started working) (?:at|for|in|as|with) <V>
en-label-value setting is ^(?P<s>(?![^:]*\b(?:d[aeo]s?|para|por|com|this|that|said|is|are|was)\b)(?!look|see|total|result|example|ps\b|note|error|here|there|if|when|at\b|i\b|we\b|you\b|he\b|she\b|they\b|o\b|a\b|eu\b)(?:the |my |our )?[\w'-]+(?: [\w'-]+){1,4}): (?P<v>[^:?!\d\n]{0,12}\d(?!\d?:\d)[^:?!\n]{0,80}?)(?=[.!;,](?!\w)|$)
"""
