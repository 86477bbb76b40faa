import type { Language } from '../../nodes/TwoWayMessaging/waiting/words';

/** Texts by what they mean. */
export type Meant = Record<'yes' | 'no' | 'unclear', string[]>;

/** A list of texts with strokes between them. */
export const list = (texts: string): string[] =>
	texts
		.split('|')
		.map((text) => text.trim())
		.filter((text) => text !== '');

/** What people text to “Will you come on Friday?”, by language and by what they mean. */
export const ANSWERS: Record<Language, Meant> = {
	en: {
		yes: list(`
			yep ill be there | ya 👍 | yess cant wait lol | I wouldn't miss it | no problem, ill be there | np see u then | not a problem | absolutley | Of course 😊 |
			no worries I'm coming | I don't see why not | yes I haven't forgotten | Yes | yes! | Yes please | yes, thank you | Yess | yesss!!! | Yep | yup 👍 | Yeah |
			yeah sure | Yea that works | Ya | Ok | OK! | ok thanks | okay | Okay, see you then | Okey dokey | k | Kk | Sure | Sure thing! | Sure, no problem |
			For sure | Of course | Of course!! 😊 | ofc | Absolutely | Definitely | definately | Def | Certainly | Sounds good | Sounds great, thanks! |
			sounds good to me | That works | That works for me | works for me | Perfect | Perfect, thank you so much | Perfcet | Great! | Great, see you there |
			Awesome | Cool | cool, see you then | Fine | That's fine | thats fine with me | Fine by me | No problem | no problem, I'll be there |
			No worries, see you then | np | I'll be there | Ill be there! | I will be there | We will be there | We'll be there, thanks | Be there | see you then |
			See you then!! | See ya there | Yes I will | Yes I'll come | Yes we can | Yes I can | Yes sir | Yes ma'am | Hi, yes please |
			Hello! Yes, that works. Thank you | Good morning, yes | Hey, sure! | Confirmed | Confirm | I confirm | Yes, confirmed | I'm in | Count me in | Will do |
			I'd love to | Would love to! | Happy to | Alright | All right | alrighty | Agreed | Deal | Yes, looking forward to it | looking forward to it, yes! |
			Yes indeed | Absolutelly | Yes, of course | yes of course, thanks for the reminder | You bet | Hell yeah | Oh yes | Still coming | I'm coming |
			I can make it | Yes I can make it | 👍 | 👍👍👍 | 👍🏽 | 👌 | ✅ | Yes 👍 | yes ❤️ | Yes :) | ok :-) | Thumbs up | That suits me | Suits me fine | Correct |
			That's right | Yes, thank you for asking | Why not | Let's do it | go ahead | Yes yes yes | Yes!!!!! 🎉 | Affirmative | Yes, thanks x | Okay thanks, bye |
			Great thanks | brilliant, ta | Lovely, thank you | Fantastic | Wonderful, see you then | Naturally | Gladly | With pleasure | We are coming | Yes it is |
			Yes it does | okk | suuure | o.k. | All good, see you then | Excellent | Yes. Thank you. Have a nice day | Yes ma'am I'll be there | yessir |
			I'm good with that | that'll work | See y'all then | I'm in! | Yup yup | Sounds like a plan! | I wouldn't miss it for the world | wouldn't miss it! |
			Def will | 100% | Yes 100% | for sure for sure | Bet | say less | yh | yh sure | yeh no worries | ye | yeahh | sweet, see you then | Ok cool thx | k thx |
			OK! 👍🏼 | will do thx | Confirming | Y | That time works great | Works great | good to go | I shall | I shall be there | We shall attend | Attending |
			copy that | Okie | Gr8 | gr8 thx | Yes- thank you! | yes... | Yes, that is correct | Of course dear | Aww yes! | Ok no problem | ok no worries |
			Yep no problem at all | yes no problem | No problem, yes | no objections | sure why not | no way I'd miss it | without a doubt | don't worry I'll be there |
			lol yes | haha sure | 👍🏻👍🏻 | 😊👍 | ✔️ | 🆗 | 👌🏼 | 💯 | Yes, see you soon | Sure, thanks for the reminder! | yes please and thank you |
			Yes, count on it | Okay great thank you so much | Will be there with bells on | Works 4 me | im coming | Yup ill be there | Yes I confirm my appointment |
			I'll be there, thanks for checking | Yes still on | yes definitely | yeeees | yasss | Okay dokey | sure thang | Certainly, thank you kindly |
			yes im available | I'm available | I am free | yes I am free that day | that day is fine | Yes it works | Yes pls | yes mam | Yes confirmed thanks! |
			Confirm 👍 | Y thanks | Y! | ya sure | ya thats fine | yah | yup that works | yup see u then | c u then | c ya then | see u there | cu there | k see you |
			kk thanks | okay will do | ok will be there | okie thanks | oki doki | thats perfect | That is perfect, thanks | thats great thank you | perfect ty |
			Perfecto | prefect | Prefect thanks | Awsome | Great! Thank you!! | Very good, thank you, yes | Yes very good | I will attend | I accept the appointment |
			accepted thanks | Noted, yes | yes noted thanks | Of corse | ofcourse | of course yes | sure ok | sure yes | Sure, I'll be there! | yes I'll take it |
			I would like to come | We'd be delighted | we would love to | Delighted to | would be my pleasure | My pleasure, yes | yes, happy to | glad to |
			I'd be glad to | of course I will | of course I'm coming | definitely coming | 100 percent | hundred percent | totally | For sure I'll be there | can do |
			can do! | can do thanks | you know it | roger that | aye aye | yes captain | yes very much | still on for me | we're still on | all confirmed |
			it's confirmed | I can do that | I can | We can do that | that'd be great | that would be lovely, thanks | Lovely jubbly | champion | grand | grand thanks |
			spot on | smashing | Ideal | ideal thanks | no bother | no bother at all | no trouble | not an issue | Right you are | righto | rightio |
			cheers, see you then | yes cheers | sounds lovely | sounds grand | works a treat | that does work | yes that time is good | I'm not going to miss it |
			no need to reschedule, I'll come
		`),
		no: list(`
			nope sorry | cant make it sorry 😢 | I wont be able to come | I don't think I can make it, sorry | No | no. | No thanks | No thank you |
			no, thank you very much | Nope | nope, sorry | Nah | nah thanks | Noo | nooo | No sorry | No, I'm sorry | Sorry, no | Sorry no | Sorry, I can't | I can't |
			I can't make it | i cant make it sorry | Can't make it | Cannot make it | I cannot come | We can't come | we can't make it | I won't be there |
			I won't make it | Won't be able to make it | I won't be able to come, sorry | Unfortunately not | Unfortunately I can't | Unfortunately no | Afraid not |
			I'm afraid not | I'm afraid I can't | Sadly not | Not this time | No, not this time | No way | Never | No chance | Not coming | I'm not coming |
			We are not coming | I am unable to attend | unable to make it | Hi, no sorry | Hello, unfortunately I can't make it. Sorry | No I can't | No we can't |
			No I won't | No, I don't | Not interested | No, not interested | I'll pass | Hard pass | Absolutely not | Definitely not | Of course not |
			That doesn't work | That doesn't work for me | doesn't work for me, sorry | No can do | Count me out | I'm out | 👎 | 👎🏿 | ❌ | No 😢 | no :( |
			No, maybe next time | No but thanks | No thanks, maybe another time | Impossible | Declined | I have to decline | No, thanks for asking | Negative |
			no ma'am | No sir | Hell no | nope nope | No. Sorry. Bye | No thanks 😊 | I'd rather not | no, thanks anyway | pass | Rain check please | not really |
			not at this time | no longer interested | can't sorry | cant | cnt make it | cannot sorry | no can't do | nope can't | no go | that's a no from me |
			that's a no | it's a no | hard no | no bueno | nah I'm good | nah im good thanks | no I'm good | no thanks I'm good | lol no | oh hell no | heck no |
			ha no | 👎🏻 | 🙅‍♀️ | Sorry can't this time | no, can't make it, sorry! | Unfortunately no, thank you | I can't, apologies | Nope not this time |
			Sorry I won't be able to make it | not gonna make it | i wont be there | No thank you, maybe next time | Gonna have to pass | I'll have to pass |
			have to decline, thanks | Can't do it | No :( sorry | nooope | No. Thanks | absolutely not, sorry | Sadly I can't | No I cannot | won't work for me |
			doesn't work for me | no thx | no ty | Not for me thanks | I am not able to come | sorry im not available | I'm not available | I am not free |
			not free sorry | No im busy | I'm afraid I can't make it | afraid I can't | I regret I cannot attend | I can not attend | I will not attend |
			we will not be attending | I won't be attending | Not attending | won't be there sorry | wont make it | cant make it anymore | I can no longer make it |
			can no longer come | I'm not able to | not able to make it sorry | unable | Unable to attend sorry | no not coming | no sorry not coming | I don't want to |
			no need thanks | no need thank you | I don't need it | not needed thanks | Naw | nah bro | nah mate | nahh | nope thanks | nope nope nope | no no no |
			NO!!! | No way Jose | not happening | not gonna happen | ain't happening | ain't coming | aint coming | can't swing it | can't do that day |
			that day doesn't work for me | that doesn't suit | doesn't suit me sorry | No good for me sorry | sorry no can do | must decline |
			I must decline, thank you | respectfully decline | Thanks but no thanks | thank you but no | thanks but I can't | thank you but I can't make it |
			maybe another time, no | no, another time | unfortunately I am unable to come | unfortunately we cannot make it | regretfully no | Sadly no | count us out |
			we're out | I'm gonna pass | I think I'll pass | pass thanks | no thanks pass | I'd love to but I can't | I would love to but I can't
		`),
		unclear: list(`
			Yes thank you, see you Friday | Yup! 10am right? | yes but might be 5 min late | I will be there at 10:00, thanks | c u fri |
			yeah no, I'll be there for sure | no wait, yes I can come | why wouldn't I? see you then | 10 is fine | Unfortunately I have to work that day |
			sorry im sick 🤒 need to cancel | yeah no, can't do friday | Yes... actually no, something came up | pls cancel |
			Can we move it to next week? Friday doesnt work | I was going to come but my car broke down | ok so I can't come after all | idk yet | what appointment?? |
			Could I come at 11 instead? | yes if I get a babysitter | is it ok if I bring my son? | Probably, will let u know tmrw | not sure I can |
			I can't say no but can't say yes either | do I have to? | Yes, but not on Friday | Yes, please cancel | Ok but I can't come | Ok cancel it |
			Yeah, no, sorry | OK nein | Yes and no | yes/no | Yes? | Who is this? | What time? | Maybe | Perhaps | maybe yes | I think so | Probably | probably not |
			Not sure | I'm not sure | Sure? | Let me check | I'll let you know | Ask me tomorrow | Can we do Saturday instead? | Can I come at 11? | 10 is too early |
			Yes at 11 | Ok at 4 | Monday doesn't work | Yes if it doesn't rain | If I can | I hope so | hopefully | depends | It depends | No idea | no clue |
			No longer sure | No question | No doubt | Not yet | Yes, I have a question | Yesterday | Yes I got your message | I'm good | Ok I will call you |
			Ok call me | Please call me | No, call me | Sorry? | Thanks | Thank you | Hello | Hi there | 🤷 | 🤔 | 😂 | 🙏 | Stop by at 10 |
			Can't wait to see what you charge | I can't say | I can't say no | I can't complain | How could I say no | Yes, I can't come | Sure, I won't be there |
			Fine, cancel | Okay no thanks | Ok, I don't want it | Yes unfortunately I can't | Yeah right | As if | Good | Good, and you? | lol | Cancel | Reschedule |
			Another day please | Next week? | Later | Not today | today | Friday | Not Friday | Both | Whatever | I don't know | dunno | idk | Oh no | oh no! | No? |
			no yes | No wait, yes | Yes no wait | Sorry | I'm sorry | 50/50 | yes 2 | 2 | Y/N | ok? | Ok, but who are you | sure but later | I would but I can't |
			Sounds good but no | My husband will come | No problem if I come late | no problem but I can't come | No worries | Great, another bill | Nobody told me |
			Yes I want to cancel | I want to cancel | Definitely maybe | nice try | not bad, see you | nope all good | rain check? | can we do 5 instead |
			yes if you have parking | C | 1 | Done | on my way | I guess so | I suppose | I guess | if I must | should be fine | should be able to | I should be there |
			I'll try | I'll do my best | might | we'll see | prob | prolly | most likely | fingers crossed | God willing | inshallah | tentatively yes | pencil me in |
			yes but I'll be late | yes running 10 late | ok what's the address | Yes what's the address? | is parking free | how much | Can I bring my dog |
			do I need to bring anything? | ok can you remind me | who dis | new phone who dis | not going to lie I forgot | not sure yet | Not today thanks | doubt it |
			I'm all set thanks | sorry I have to work | have a conflict | need to reschedule | please cancel | cancel please | stuck at work | it's not a no | not no |
			I won't say no | wouldn't say no | can't say yes | never say never | no doubt! | no question about it | don't wait for me | don't count on it | yeah nah |
			nah yeah | yes no maybe | sure jan | ok boomer | 🤞 | 😬 | ❤️ | 🙌 | Not bad | can't complain | I can't not come | can't not | no I mean yes |
			yes I mean no | not coming? of course I am | Why would I say no | Is it ok if I come late | ok if I come late? | No problem? | why | why not friday |
			why not saturday | sure if my wife can come | yes unless it snows | I can if it's after 3 | Yes I would like to cancel | no need to worry |
			No need to remind me | I don't mind | yes sorry for the delay | sorry yes | ok sorry can't | sounds good but can't | I'd say yes but | Good question |
			great, what time | perfect what time | fine whatever | sure, whatever | ok let me ask my husband | k let me see | No hay | Nope jk yes | yes jk |
			kidding no | 👍👎 | 👍? | 👍 but late | ok but when | when is it | what day | what friday | which friday? | this friday? | where | where is it |
			who will be there | with whom? | how long does it take | How much will it cost? | do you take insurance | yes but how much | yes do you take cards |
			yes where do I park | can i bring someone | yes can i bring my son | is it still on? | still on? | are you open? | I forgot | oops | I already came |
			I was there yesterday | already done | did that already | I called already | I left you a voicemail | call me back | please ring me | ring me |
			text my wife | ask my wife | My wife handles this | I'll ask | need to check | checking | let me check my calendar | brb | one sec | give me a minute |
			hold on | wait | driving | in a meeting | can't talk | can't talk right now | can't talk now, yes later | later maybe | maybe later | maybe so | could be |
			possibly | possible | quite possibly | I believe so | I think yes | I think not | I hope to | hope so | planning to | I plan on it | if all goes well |
			if nothing comes up | if weather permits | weather permitting | yes if you pay | yes unless I'm sick | unless something comes up |
			as long as it's before 5 | before noon only | only after 5 | only mornings | mornings are better | Earlier is better | earlier please | something earlier? |
			do you have saturday | Saturday is better | rather Saturday | prefer Monday | Monday instead | can we move it | can we postpone | move it to Monday |
			push it back | change it please | new time please | another time? | a different day | not Friday but Saturday | any other day | yes or no? | you tell me |
			up to you | your choice | whichever | don't care | idc | meh | ugh | hmm | um | uh | eh | well... | so so | not too sure | not certain | not 100% |
			not decided | undecided | torn | tough one | yes? no? maybe? | yes and also Saturday | Yes and bring my wife | yes, 2 people | yes 4 of us | for 4 people |
			two of us | Yes, at 3 | yes 3pm | 3pm | 3 works | ok 3 | 3 ok? | noon ok | 10 ok | 10am yes | not at 10 | no not at 10 | no, at 11 | not before 11 |
			No I said Saturday | I said yes already | I said no already | told you no | told you yes | I never said yes | I didn't say no | not saying no |
			can't promise | no promises | no guarantees | yes no promises | you bet I won't | ok I won't | sure I can't | yes I won't be there | no I will be there |
			no I can come | nope I'm coming | no problem but no | great but no | love to but no | yes but no | no but yes | No. Yes. | yes. no. | Yes!! No wait |
			hahahaha | 😂😂 | 🙄 | 🤷‍♀️ | 👀 | 💀 | ❓ | ??? | ? | . | ok...? | okay? | really? | seriously? | are you kidding | you're joking | what? | huh | pardon |
			come again | come again? | who are you | Is this a scam | is this real | who is that | ok scammer | nice scam | no hablo ingles | no english |
			english please | English? | what language | Thx for nothing | thanks for nothing | no thanks to you | bad service | terrible | I want a refund | refund |
			complaint | worst ever | great service | loved it | you're the best | happy birthday | merry christmas | good luck | amen | bless you
		`),
	},
	de: {
		yes: list(`
			jo bin dabei 👍 | Jap passt | Kein Problem, komme gern | Ja | ja gerne | Jaa | Ja, passt | passt mir gut | Klar! | na klar | Natürlich | Gerne, danke |
			In Ordnung | Alles klar, bis dann | Geht klar | Ja natürlich, vielen Dank | Kein Problem | Einverstanden | Ich komme | ich komme gerne | Auf jeden Fall |
			Sehr gerne, liebe Grüße | ok danke | Jawohl | Selbstverständlich | Jo passt | jo klar | Jep bin da | Jau | jau passt | Geht klar, danke | Ja sicher doch |
			bin ich dabei | Ja, freu mich | Ja freu mich drauf | Ja bitte | bitte ja | Jaaa | Top | Läuft | Super danke | 👍 danke | Warum nicht | Ja, kein Problem |
			Ja gerne, bis dann | Passt, danke! | Ja, Termin passt | ja klar doch | Ja, bestätigt | ja passt super | Passt bei mir | das passt bei uns | Ja das geht |
			ja geht in Ordnung | Ja, da kann ich | Da kann ich | ich kann | Wir können | ich hab Zeit | Ja habe Zeit | Ja sehr gerne | gerne doch |
			Ja gern geschehen | Bestätige hiermit | Hiermit bestätige ich den Termin | Ja, bestätige den Termin | Termin bestätigt | Bin dabei! | wir sind dabei |
			Ja super | Ja toll | klingt gut, ja | Ja, alles gut | perfekt danke | Wunderbar, bis dann | Ja mach ich | Ja, vielen Dank! | Moin, ja passt |
			Servus, passt | Ja ich komme | ja wir kommen | Ja bin da | geht klar 👍 | Okay, bis dann | okay super | Yes | jap | jops | joa passt | Ja na klar |
			Ja safe | safe | Ja logo | aber sicher | Ja auf jeden | auf jeden | Ja eh | eh klar | sowieso | Jo
		`),
		no: list(`
			Nein | nein danke | Leider nein | Leider nicht | ne | Nö | Nein, tut mir leid | Ich kann leider nicht | das geht leider nicht | Passt mir leider nicht |
			Auf keinen Fall | Ich komme nicht | Kein Interesse | Hallo, leider kann ich nicht | nein nein | Nee leider nicht | nee du, geht nicht |
			Kann nicht, sorry | leider keine Zeit | keine Zeit | hab keine Zeit | Passt nicht | Passt leider gar nicht | Auf gar keinen Fall! |
			Nein, das geht leider nicht | Leider nein, danke | Ich kann da leider nicht | Da kann ich nicht | nein, sorry | Nein ich kann nicht | Nein geht nicht |
			Nein leider | nein, leider nicht | Leider verhindert | bin verhindert | Ich bin leider verhindert | Ich kann nicht kommen | Wir können leider nicht |
			Schaffe es leider nicht | schaff ich nicht | Schaffe ich leider nicht | Klappt leider nicht | klappt nicht | Heute leider nicht möglich |
			leider nicht möglich | Nein, vielen Dank | Nein danke, kein Interesse | Nö danke | Nope, sorry | Ne sorry | Tut mir leid, nein |
			Nein, tut mir leid, ich kann nicht | Sorry, klappt nicht | Bin nicht da | Wir sind nicht da | bin leider nicht da | keine Lust | Nein keine Zeit |
			Leider nein, nächstes Mal | leider nein, muss arbeiten | schaffs leider nich 😕
		`),
		unclear: list(`
			klaro, bis freitag! | Ne du, freitag is schlecht | weiss noch nicht, sag dir morgen bescheid | um 10 oder um 11? |
			ja also eigentlich schon, aber nur wenn der babysitter kann | Ja... ach ne doch nicht, hab zahnarzt sorry |
			Hat „Kommst du am Freitag um 10?“ mit „Gefällt mir“ markiert | Ja, aber erst um 11 | Ja bitte absagen | Jein | Weiß nicht | vielleicht |
			Ja nein doch nicht | Gut | Danke | Kein Problem, wenn ich später komme? | Nicht am Freitag | Lieber Montag | OK nein | Ich komme später |
			Ich komme nicht mehr dazu, Ihnen zu schreiben | Muss leider absagen | Bin leider krank | Nicht wirklich | nicht schlecht | Ja, nein, vielleicht |
			Nein, kein Problem | Glaub schon | denke ja | ich denke schon | müsste klappen | sollte gehen | geht auch 11 Uhr? | Um wie viel Uhr nochmal? |
			ja wenns nicht regnet | ungern | nicht nein | kann nicht nein sagen | Wieso nicht am Montag | passt schon, danke nein | ja aber ohne Kind | Nein doch |
			Ja nee | Ich muss absagen | Ich sage ab | Ja vielleicht | Kann sein | Mal sehen | Mal schauen | weiß noch nicht | noch nicht sicher | Ich melde mich |
			melde mich später | Wann denn? | Wo? | welcher Tag | Ja wann | Ja um 11 | Ja aber später | Lieber Dienstag | Dienstag besser | geht Dienstag? |
			Nein Dienstag | Wenn es geht | falls möglich | wenn nicht zu teuer | was kostet das | Wer ist da? | Wer schreibt? | Hä | hm | Nicht sicher | eventuell |
			Evtl. | unter Umständen | Ja sofern | nein sondern Montag | Ja nicht | nicht ja | Warum nicht Montag | Wieso? | Warum? | Kein Plan | keine Ahnung | egal |
			mir egal | Krank | Bin krank | Bitte anrufen | Rufen Sie an | Ja rufen Sie an | Ja und nein | Nein doch ja | Doch | Ja kein Interesse | ja passt nicht |
			ja leider nicht | gern aber nicht | ok aber nicht um 10
		`),
	},
	es: {
		yes: list(`
			sip ahi estare | como no, ahi nos vemos | Sí | si | Si, gracias | Claro que sí | Por supuesto | Vale, perfecto | De acuerdo | Sí, allí estaré |
			Está bien | Me parece bien | Sin problema | No hay problema | Confirmo | dale | Sip | Claro, ahí estaré | ahí estaremos | Sí señor | sii | siii gracias |
			ok perfecto | Órale | con gusto | Con mucho gusto | cómo no | Sí, sin falta | sí, confirmado | dale, gracias | si claro | por supuesto que sí | Sí claro |
			si por favor | Sí, voy | sí nos vemos | Claro | claro que si | Perfecto gracias | Ok gracias | ok, está bien | está bien gracias | Me viene bien |
			me va bien | Me queda bien | Sí, me queda perfecto | Sí confirmo mi cita | confirmada | Confirmado gracias | Sí asistiré | asistiré | iré | Sí iré |
			Sí, con gusto | Encantada | encantado | Genial | Genial, gracias | Listo | listo gracias | vale gracias | vale | sí vale | Simón | Seguro |
			Por supuesto, gracias | Excelente | Buenísimo | obvio | correcto | Así es | Cuenta conmigo | cuenten conmigo | ahí voy | 👍 gracias | claro q si 😊
		`),
		no: list(`
			No | No, gracias | No puedo | Lo siento, no puedo | No puedo ir | Lamentablemente no | Claro que no | No voy a poder, disculpe | Imposible | para nada |
			nop | No, muchas gracias | no podré | no podré asistir | no me es posible | no me va bien | me es imposible | No, lo siento | no gracias, otro día |
			No puedo, perdón | No puedo gracias | No, no puedo | no podemos | No voy | no iré | no asistiré | No voy a ir | no me queda | No me viene bien |
			Lo siento no | Lo siento mucho, no puedo | no, disculpa | Lamentablemente no puedo | Desafortunadamente no | No gracias, no me interesa | no me interesa |
			No estaré | no estoy disponible | No esta vez | En absoluto | Jamás | nunca | De ninguna manera | ni hablar | nah | no puedo, tengo curro |
			va a ser que no
		`),
		unclear: list(`
			dale, nos vemos el viernes | uy el viernes imposible, lo siento | a lo mejor, te digo luego | si puedo si | no creo q pueda | puede ser a las 12? |
			Le gustó “¿Vendrás el viernes a las 10?” | Sí, pero más tarde | No sé | Tal vez | Gracias | Si puedo, voy | No entiendo | Quizás | Mejor el lunes |
			¿Por qué no? | creo que sí | a lo mejor | a ver | si Dios quiere | No creo | no, no hay problema | Ya no | Hoy no | Mejor otro día | si no llueve |
			no digo que no | si puedo | no sé si pueda | claro, pero no | Sí pero a las 5 | Puede ser | Quizá | Tal vez sí | no estoy segura | no estoy seguro |
			Déjame ver | déjeme revisar | Luego le digo | ¿A qué hora? | A qué hora es | ¿Quién es? | quien habla | cuánto cuesta | Sí, ¿a qué hora? | Sí si puedo |
			si me da tiempo | si hay lugar | El lunes mejor | otro día | mañana no | hoy no puedo mañana sí | No sé si podré | creo que no | ya veremos | depende |
			Sí y no | no, sí | llámame | me puede llamar | no pues sí | Cómo? | que? | no entendí | Para qué | Sí, cancelar | cancelar
		`),
	},
	fr: {
		yes: list(`
			ouais pas de souci | carrément 😁 | Oui | oui merci | Bien sûr | D'accord | d’accord, à bientôt | Ça marche | Pas de problème | Avec plaisir |
			Parfait, merci beaucoup | Ok pour moi | C'est bon pour moi | Je confirme | J'y serai | Volontiers | Oui avec plaisir | ouiii | Ok ça marche merci |
			Pourquoi pas | Sans faute | ok nickel | Volontier | pas de souci à bientôt | Oui sans problème | oui c'est bon pour moi | Bien sur! | oui parfait merci |
			Oui je serai là | oui c'est parfait | Oui ça me va | ça me va | Oui c'est noté | C'est noté merci | Noté | Ok merci | ok parfait | Super merci |
			D'accord merci | oui d'accord | Oui je viens | je viens | Oui bien sûr merci | Très bien, oui | Entendu | entendu merci | Bonjour oui |
			Bonjour, oui c'est bon | Yes | ouais ok | ouai | Oui oui | Oui volontiers | Carrément | Évidemment | Nickel merci | Oui je confirme le rendez-vous |
			Je confirme ma présence | Je confirme mon rdv | présent | oui présente | On sera là | Oui, nous serons là | avec joie | Oui tout à fait | exact |
			Pas de problème pour moi | aucun souci | oui jserai la
		`),
		no: list(`
			Non | non merci | Désolé, non | Je ne peux pas | Malheureusement non | Je ne viendrai pas | Pas possible | Pas du tout | Non désolée |
			Je peux pas, désolé | Non pas possible | non ça ne va pas être possible | impossible désolé | pas dispo | je suis pas dispo | Pas cette fois merci |
			Non merci ça ira | Non, désolé | je ne peux pas venir désolée | Malheureusement je ne peux pas | Non je ne peux pas | Non désolé je peux pas |
			non ça va pas | Non ça ne me va pas | Je ne suis pas disponible | Je suis pas disponible | Je ne pourrai pas venir | je pourrai pas |
			Je ne pourrai pas être là | Non merci beaucoup | Non merci pas intéressé | pas intéressée merci | Impossible | Impossible pour moi | Hélas non |
			non hélas | Non pas cette fois | Absent | je serai absent | non malheureusement | Je décline | Nan | nan désolé | Ce n'est pas possible pour moi |
			c'est pas possible | nan desole jpeux pas
		`),
		unclear: list(`
			ah mince vendredi je bosse | ptet, je te redis | vendredi quelle date? | oui enfin non, finalement je peux pas | je ne dis pas non mais faut que je voie |
			avec plaisir, a vendredi | A aimé « Viendrez-vous vendredi à 10 h ? » | Oui mais plus tard | Peut-être | Je ne sais pas | Si possible | Merci |
			Pas vendredi | Oui non | On verra | bien reçu | peut être | je pense que oui | je ne pense pas | ça ira | oui non peut-être | pas mal |
			je ne dis pas non | oui si possible | oui mais tard | non mais oui | c'est pas un non | Je dois annuler | Oui mais à 11h | Je vais voir | on verra bien |
			Peut-être bien | ça dépend | À quelle heure ? | quelle heure | C'est où | qui est-ce | C'est qui ? | combien ça coûte | Oui à quelle heure |
			oui si il fait beau | Si je peux | plutôt lundi | Lundi plutôt | Pas lundi | pas sûr | pas sûre | je sais pas | je ne sais pas encore | rappelez-moi |
			appelez moi | Oui rappelez moi | hein | quoi | oui et non | non oui | pourquoi | Pourquoi pas lundi | Je vous redis | annuler | oui annulez
		`),
	},
	it: {
		yes: list(`
			certo ci sono | si si va bene | Sì | si | Si grazie | Va bene | Certo! | Certo che sì | D'accordo | Volentieri | Perfetto, grazie mille | Ci sarò |
			Nessun problema | Confermo | sì grazie mille | Si va bene | va bene grazie | Ok va bene | ok grazie | Certamente | confermo grazie | Sì, confermo |
			Sì ci sono | ci sono | Ci saremo | perfetto | Perfetto a presto | Sì volentieri | con piacere | Sì certo | certo sì | nessun problema grazie |
			Buongiorno sì | Ottimo | benissimo | non mancherò!
		`),
		no: list(`
			No | No grazie | Non posso | Mi dispiace, non posso | Purtroppo no | Non ci sarò | Assolutamente no | Non mi va bene | No mi dispiace | No non posso |
			Purtroppo non posso | non riesco | Non riesco a venire, scusa | no scusa | No grazie mille | Non ci sono | non sono disponibile | Impossibile |
			Mi spiace non posso | purtroppo nn posso | mi sa di no
		`),
		unclear: list(`
			ok a venerdi 😘 | no guarda venerdi sono fuori | boh vediamo | se riesco vengo volentieri | ma alle 10 di mattina o di sera? | perche no, dai |
			Ha messo "Non mi piace" a "Verrai venerdì alle 10?" | Sì ma più tardi | Forse | Non lo so | Grazie | Boh | Meglio lunedì | Sì però alle 5 | non so |
			Vediamo | vedremo | Dipende | a che ora? | Quando? | chi sei | Chi è? | Forse sì | Credo di sì | penso di no | se posso | Se non piove | meglio martedì |
			non lunedì | domani | sì e no | richiamatemi | ok ma no
		`),
	},
	nl: {
		yes: list(`
			Ja | Ja hoor | Ja graag | Prima | Is goed | Natuurlijk | Geen probleem | Ik kom | Tot dan! | Zeker weten | oké, bedankt | Ja prima | ja is goed |
			Ja dat is goed | Prima, tot dan | Ok is goed | oke | Ja natuurlijk | Graag | ja heel graag | Akkoord | Top | Top bedankt | Komt goed | ja komt goed |
			Ik ben er | Ja wij komen | Dat past | Ja dat past | Lukt | ja lukt | Helemaal goed | Perfect, bedankt | jazeker | Ja zeker | is goed joh |
			tuurlijk ben ik erbij 🎉
		`),
		no: list(`
			kan niet sorry | Nee | Nee bedankt | Nee, sorry | Helaas niet | Ik kan niet | Ik kan helaas niet komen | Dat lukt niet | Absoluut niet | Nee helaas |
			Nee dat lukt niet | Lukt niet | Helaas lukt het niet | ik kan niet komen | Nee ik kan niet | Kan niet | Nee dankjewel | Nee dank u | Sorry, nee |
			Nee sorry kan niet | Ik kom niet | Wij komen niet | geen interesse | Liever niet | Past niet | nee helaas, moet werken | ik sla ff over deze keer
		`),
		unclear: list(`
			jazeker tot vrijdag | misschien, hangt van het werk af | geen idee nog | ja hoor, als ik vrij krijg | vrijdag kan ik niet, zaterdag wel |
			nee hoor geen probleem, ik kom | Vond "Kom je vrijdag om 10 uur?" leuk | Ja maar later | Misschien | Weet ik niet | Bedankt | Liever maandag |
			Niet op vrijdag | Ja maar om 11 | weet niet | Ik weet het niet | Misschien wel | Hoe laat? | Wanneer | wie is dit | Als het kan | Als ik kan |
			Liever dinsdag | dinsdag beter | ja en nee | ik bel je | Bel me | Nog niet | kan dinsdag? | hoezo
		`),
	},
	pt: {
		yes: list(`
			blz, combinado | Sim | sim, obrigado | Claro | Com certeza | Está bem | Combinado | Perfeito | Vou sim | Estarei lá | Sem problemas | Beleza | Confirmo |
			Sim por favor | sim claro | Sim, confirmo | Confirmado | confirmo sim | Ok obrigado | ok, combinado | Tá bom | ta bom | sim tudo certo | Vou |
			vou sim obrigado | Estarei | estarei sim | Com certeza! | Claro que sim | perfeito obrigada | Ótimo | blz | fechado | Bora | sim com prazer |
			pode contar cmg | pois claro que sim
		`),
		no: list(`
			Não | nao | Não, obrigada | Não posso | Infelizmente não | Desculpe, não posso ir | Não vai dar | De jeito nenhum | não posso não | Não vou |
			Não vou poder | não poderei | Não, obrigado | não obrigada | Infelizmente não posso | Infelizmente não vou | Desculpa não posso | desculpe não |
			não consigo | não dá | Não dá pra mim | impossível | não quero | não tenho interesse | nao vai dar, foi mal | infelizmente n consigo 😔
		`),
		unclear: list(`
			sexta to viajando | talvez, depois confirmo | pois nao sei ainda | pode ser mais tarde? | sim, ou melhor nao, tenho medico nesse dia |
			Gostou de “Vem na sexta às 10?” | Sim, mas mais tarde | Talvez | Não sei | Obrigado | Depende | Melhor segunda | Sim mas às 5 | Não sei ainda | vou ver |
			Vou verificar | Que horas? | quando | quem é | Quem fala? | Se der | se eu puder | Se não chover | melhor terça | terça | sim e não | Acho que sim |
			acho que não | me liga | quanto custa
		`),
	},
};

/** What people text to a list of choices, and which one they mean; `none` for none that is clear. */
const BY_CHOICE: Array<Record<string, string>> = [
	{
		'Friday at 10': 'Friday please | fri 10:00',
		'Monday at 2:00': 'Mon is perfect thanks | Monday at 2',
		'Tuesday, 9 am': 'Tuesday at 9',
		'Tuesday, 3 pm': 'tues 3pm pls',
		none: 'Tuesday | Tuesday at 3 am | Friday at 11 | not Friday | Friday or Monday | Friday? | any day but Friday | Friday is no good | Wednesday',
	},
	{
		'Monday 15:00': 'Monday at 3pm',
		'Monday 9:00': 'mon 9am please',
		'Tuesday 2 pm': 'Tuesday 14:00',
		none: 'Monday at 3 am | Monday at 3',
	},
	{
		'Saturday at 3': 'Saturday at 3',
		'Saturday evening': '',
		'Sunday at 3': 'Sun at 3',
		Sunday: 'Sunday',
		none: 'Saturday',
	},
	{
		'Friday evening only if it rains': '',
		Monday: 'Monday',
		none: 'Friday',
	},
	{
		Monday: 'Monday | monday please | 1 | A | Number 1 please | Yes, Monday | Mon',
		Friday: `
			Friday! | Friday, thanks | Hi, Friday please. Thank you | 2. | #2 | b) | option 2 | 2️⃣ | Firday | Friday works for me | Friday sounds good | ok 2 |
			I'd like Friday | Friday is best
		`,
		none: `
			Monday doesn't work | Monday doesn't work, Friday | Not Monday | not friday | Monday or Friday | Monday? No, Friday | Friday? | Friday at 10 |
			2 of us are coming | 3 | 12 | both | Tuesday | Yes | No | Any | Anything but Monday | 1 or 2
		`,
	},
	{
		'Very good': 'Very good | very good, thank you!',
		'All right': 'All right',
		'Not so good': 'Not so good | 3 | answer c',
		'Not sure': 'not sure | D',
		none: 'not so good, sorry | So good! | Sure! | Good | not good | Very | not very good',
	},
	{
		Saturday: 'Saturday',
		'Saturday evening': 'Saturday evening, please | 2',
		'Friday at 10:00': 'friday at 10:00',
		'Friday at 2 pm': 'Friday at 2 PM | 4',
		none: 'saturday evning | Friday | 10:00 | at 2 pm | evening | Saturday Saturday evening',
	},
	{
		Yes: 'yes please',
		No: 'No, thanks',
		Maybe: 'maybe',
		none: 'maybe yes | yes no',
	},
	{
		'Friday at 10': `
			1 pls | friday | fri 10 | Friday 10 | 1. | 1, please! | Friday at 10 works | Yes 1 | A | a. | Option A! | I want 1 | put me down for 1 | the first one |
			One | 01
		`,
		'Monday at 2': `
			2 works best | option b please | B please | b works for me | I choose 2 | let's go with 2 | make it 2 | I'd prefer 2 | 2 if possible |
			Monday at 2 sounds great | Monday at 2 would be perfect, thank you | 2 thanks 😊 | 2 🙏 | 2️⃣ | ② | 2!!! | (2) | nr 2 | I will take the Monday at 2 |
			Mon at 2 | 2 👍 | Can I have 2 please | number two please | second | the 2nd works for me
		`,
		none: `
			either | neither | none of those | not 1 | 1 & 2 | 1 or 2 both work | anything but 2 | 2 is bad | 2 doesn't work | Can't do 1 | no 2 | 2? | maybe 2 |
			probably 2 | last one | 10 | at 10 | I can't do Friday at 10 | Friday at 10 is not good | No. 2 | 1 2 | Friday at 10 or later |
			not friday at 10, monday at 2 | 👍 | yes | no 1 | 2 or 1 | sorry 1 | Sorry, I meant 2 | I mean 2 | 1 wait no 2 | I'll take two | the first two | the one |
			not the second | I cannot do 2 | 3 | 0 | II
		`,
	},
	{
		Small: 'S | small pls | the small',
		Medium: 'M | Medium! | b | I will have the medium',
		Large: 'Large please thanks | the large one | LARGE | gimme large | number 3 | 3 please | C.',
		none: 'medum | larg | medium or large | not small | smallest | Lage | Extra large | very large | too small',
	},
	{
		Monday: "Mon is perfect thank you | I'll take mon",
		Tuesday: "tues | let's do tue if possible",
		Wednesday: 'weds pls | wed works best',
		none: 'not mon | mon? | any day but mon | mon or tue | mon is not great | monday im away so weds pls | mon at 2',
	},
	{
		Morning: 'am | in the am pls',
		Afternoon: '',
		Evening: '',
		none: 'pm | Good morning | 2 am | I am free',
	},
	{
		Tuesday: 'tue',
		March: '',
		none: 'mar',
	},
	{
		'Lunch for Monday': '',
		Dinner: '',
		none: 'mon | Monday',
	},
	{
		Medium: '',
		'Size M': '',
		'Extra large': 'xl',
		M: 'm',
		none: 'med',
	},
	{
		'Two adults': '',
		'One adult': 'one adult please | the second one | option two',
		none: 'one | two',
	},
];

export const CHOSEN = BY_CHOICE.map(({ none = '', ...byChoice }) => ({
	choices: Object.keys(byChoice),
	texts: Object.entries({ ...byChoice, '': none }).flatMap(([choice, texts]) =>
		list(texts).map((text) => [text, choice]),
	),
}));

/** What people text who want to be left alone, and others who do not, though their texts look alike. */
export const WISHES = {
	optedOut: list(`
		stop texting me | Stop texting me!! | Please stop | please stop texting me | STOP 🛑 | stop it | Stop messaging me please | unsubscribe me |
		Unsubscribe me please | please unsubscribe | Remove me | remove me please | Remove me from your list | take me off your list |
		Please take me off this list | opt out | I want to opt out | opt me out | leave me alone | Leave me alone!!! | don't text me | Do not text me again |
		dont contact me anymore | Please do not contact me again | Never text me again | no more texts | No more messages please | lose my number |
		delete my number | Stop sending me messages | stop sending these | STOP SPAMMING ME | quit texting me | Can you stop texting me? |
		Will you please stop messaging me | I don't want any more messages | I said stop | Stop. Just stop. | No. Stop texting. |
		I already told your people, stop calling me | Sorry, please remove my number from your list | Not interested, stop texting me |
		who is this? stop texting me | fuck off | Stop stop stop | go away | Hör auf mir zu schreiben | Keine Nachrichten mehr bitte | Lassen Sie mich in Ruhe |
		Schreiben Sie mir nicht mehr | Bitte abmelden | Deja de escribirme | No me escriban más | No más mensajes por favor | Arrêtez de m'écrire |
		Plus de messages svp | Laissez-moi tranquille | Basta messaggi | Non scrivetemi più | Pare de me mandar mensagens | Não quero mais mensagens |
		Geen berichten meer | Laat me met rust | Stop met sms'en | take me off | pls stop | plz stop txting | stop msging me | unsubscribe plz |
		how do I stop these | how do i unsubscribe | STOP!!!! | Stop please | cease and desist | I'll report you | STOP texting | stop texts |
		please remove me from this | dont text again | I want out | stop sending | Stop all messages | stop contacting | please take my number off |
		remove my number please | Stop Stop | stop stop stop!! | STOPP | unsuscribe | unsubcribe me | Opt-out | opt me out please | leave me the hell alone |
		stop it please | please stop it | pls remove me | kindly stop | no more texts ever | get me off this list | I do not want texts |
		not interested, remove me | STOP I said | Bitte keine SMS mehr | Hören Sie auf | No me escriban | ya no me escriban | arretez | Ne plus me contacter |
		enough with the texts | Cease all contact | I want to unsubscribe | stop these messages please | take my name off your list | I never subscribed |
		Bitte nehmen Sie mich aus dem Verteiler | Meine Nummer löschen bitte | quiero darme de baja | borren mi número | Désinscrivez-moi |
		Je ne veux plus recevoir de SMS | basta sms | Rimuovetemi | ik wil geen berichten meer | Parem de mandar mensagens | remova meu número
	`),
	wrongNumber: list(`
		Wrong number | wrong number! | Sorry, wrong number | You have the wrong number | I think you have the wrong number | wrong person |
		Hi, you've got the wrong number | this is the wrong number | Wrong number?? | falsche Nummer | Sie haben die falsche Nummer | número equivocado |
		mauvais numéro | Numero sbagliato | verkeerd nummer | Número errado | wrong numba | I think u got the wrong number | You must have the wrong number |
		Nope wrong number | sorry wrong person | who is Anna? wrong number | This isn't Anna | this is not Anna's number | nobody named Anna here |
		Sie haben sich verwählt | Das ist die falsche Nummer | se equivocó de número
	`),
	none: list(`
		Stop by at 10 | Can you stop by? | please don't stop | Please don't stop texting me | don't unsubscribe me | I did not unsubscribe |
		Is this the wrong number? | Not the wrong number | Is there a bus stop? | Where do I get off | The bus stop is closed | I can't stop laughing | no |
		No thanks | Yes | Cancel my appointment | remove one item from my order | Please remove the cheese | How do I opt out of the insurance? | Text me tomorrow |
		Leave it at the door | leave the parcel alone at the door | Call me | quit smoking course | I quit my job | no more sugar please | Don't call, text me |
		the wrong colour arrived | End of the month | My number has changed | stop at the corner | We stopped by yesterday | Thanks | hello | Ich komme nicht mehr |
		No puedo más | Was ist die richtige Nummer? | stop it, you're too kind | don't stop believing | I can't stop smiling | will you stop by |
		the kids won't stop texting me lol | please text me instead of calling | stop 4 on the route | bus stop | please do not text, call | remove the tomato |
		Can you stop at the store | I got off the bus | yes please | Non stop fun | who is this | I am going to stop by at 5 | quit joking lol | no more questions |
		take off at 5 | Are you texting the wrong number? | Is there an end date | we had to stop | cancel order | I got the wrong size | I opted for the red one |
		leave it alone | Do I need to opt out of insurance | remove 2 items | Please end at 5 | my number is wrong on the form | the number is wrong on my invoice |
		stop sign on left | this is not funny | Hier gibt es keinen Parkplatz | I'm not Catholic | no soy vegano | I am done | You have the wrong address |
		para de rir | nicht mehr | no more milk please
	`),
};

/** The same to a question that names the day and the time, of which an answer may name them again. */
export const ASKED: Record<Language, Meant & { question: string }> = {
	en: {
		question: 'Hi, this is the dental office. Will you come on Friday at 10?',
		yes: list(`
			Yes see you Friday | yes, see you friday at 10 | Yep see you at 10 | c u fri | c u friday 😊 | Yes! See you tomorrow | yes see u tmrw |
			ok see you then, thanks Anna | See you Friday 👍 | I'll be there Friday | I will be there at 10:00, thanks | 10 is fine | Friday at 10 works |
			Friday works for me | Friday is good for me | Yes 10am | Yes, Friday at 10 is perfect | ok friday it is | Sounds good, see you Friday at 10:00! |
			Hi Anna, yes I'll be there | Yes Dr. Miller, thank you | Yes thanks Sarah | Hello Dr Smith, yes that works | k thx c u then | np c u fri | ok ty |
			dw I'll be there | uh huh | mhm | Oh yes, thanks for reminding me! | Yes, almost forgot, thanks | yes!! can't wait to see you | Yes as planned |
			Yes I'll be there on time | I'm not going to miss it | no need to reschedule, I'll come | No change, I'll be there | you betcha | Sure will |
			I certainly will | Sign me up | We'll both be there | My wife and I will be there | Yes, thanks for checking in. Have a blessed day | Yup no problemo |
			yeah for sure lol 😂 | Yes 💕 | defs | fosho | Yes, I'll be there for my appointment | Yes, still coming on Friday | yes we're on for Friday |
			Yessir see you friday | Yes ma'am, see you at 10am | Looking forward to Friday, yes | Good morning! Yes, Friday is fine. Thanks! |
			all good for friday, yes | Can confirm, see you Friday | Confirmed for Friday at 10 | hey yes i can do friday | yes I can come friday |
			Friday's great, yes | Absolutely, see you there on Friday | yeah friday's fine | Sure, rain or shine | okey dokes | Okies | Yes and thank you |
			Oh ok yes | um yes | can't wait | Can't wait!! 🎉 | not a chance I'd miss it | Yes, see you soon, take care | ok bye see you friday
		`),
		no: list(`
			no sorry, I have to work | Can't make it, my kid is sick | No, I'm sick | nope, working | Sorry no, something came up | No, I'm out of town |
			no im on holiday | No, on vacation that week | Can't, I'm busy | no, not feeling well | No. Got to work | no time | sorry, no time |
			No, I'm away on Friday | I can't make it Friday | can't do friday, sorry | Friday doesn't work for me | Friday doesn't work |
			I'm not available on Friday | not free friday sorry | No, I work on Fridays | No I have another appointment | No, my daughter is ill |
			No my car broke down | I won't be able to make it, family emergency | no sorry can't get off work | no, too expensive | No thanks, I changed my mind |
			No thank you, not interested, already have one | nah im good | nah, can't make it bro | No Dr. Miller, sorry | Hi Anna, no sorry | No thanks Sarah |
			Sorry, can't come Friday | I can't come on Friday at 10 | we won't be there friday | I won't be able to make it on Friday | No, I have the flu |
			No I've got covid | No, double booked | No can't, sorry, got plans | no, wrong day for me | No, we have other plans | not gonna be able to make it |
			I'm afraid I won't be able to attend on Friday | unfortunately I can't make it, I'm traveling | No, I'm stuck at work | No, I need to cancel |
			Sorry no, have to cancel | no sorry hope thats ok | No, sorry for the late notice | no 🤒 | Nah, not my thing | gonna skip this one |
			It's gonna be a no from me | nuh uh | No sorry, no babysitter | no gotta work | Not a chance | No, bad timing, sorry | I'll have to say no |
			No sorry, at work | I can't this week | No, my husband is in the hospital | Can't make it, not feeling well | No, I don't feel well |
			I'm not gonna be able to come, sorry | No, I can't come in on Friday | I can't make it at 10
		`),
		unclear: list(`
			Yes see you Thursday | yes see you at 11 | yes, see you friday at 11 | Yes see you next Friday | c u sat | 11 works | Thursday works |
			yes see you Monday at 10 | Yes 10pm? | Friday? | Friday | 10 | No, Friday | no, see you friday | no see you then | nope see you at 10 | No I mean yes |
			No way I'd not come | No need to cancel | no cancelation please | no change | No I'll be there | No leave it as is | No please keep it | No, keep it |
			can't complain | Wouldn't miss it? | no rush | no hurry | no wait | no not really sure | no stress | no biggie | no doubt about it | I'm not busy |
			No I'm not busy | No, I'm not working | I don't have to work | no I don't have to work | I'm not sick | No, not sick | I'm not away | I won't decline |
			I can't decline | I won't pass | never decline | I'm not sorry | I'm not unable to come | I don't have other plans | no, I have no other plans |
			No other plans | I have to work | Working that day | my kid is sick | I'm sick | yes, my kid is sick | Ok, I'm busy | sure, something came up |
			yes I'm out of town | Yes, unless my kid is sick | no, can we do Saturday | no, Saturday instead | No, rather Monday | How about Monday? No Friday |
			no maybe Monday | No later please | no, but Saturday is fine | no, sorry, is 11 ok? | I can make it Friday but not at 10 | 10 is too early | Not at 10 |
			not friday | yes not friday | Friday yes, 10 no | yes any day but friday | every friday | before friday | after 10 | yes after 10 | yes by 10 |
			yes until 10 | from 10 | yes around 11 | Friday at 10 or 11 | yes friday and saturday | oh no | Oh no! | Ah no | Um no? | yeah right |
			yeah sure, like I believe that | ok whatever you say | Yes I have to work | no yes friday | No, yes Friday | can't, wait, yes | can't you come here? |
			No Friday yes | hi can you cancel? | Thanks Cancel | Hi Cancel | Yes Cancel | Yes, Tuesday | Ok thanks Tuesday | ok thanks nevermind |
			Yes thanks. Nevermind | Never mind | nevermind, yes | See you | see you tomorrow | No way I'm sick | no way I have to work | No worries, I'm sick |
			no worries about Friday | no problem, I have to work | no problem unless something came up | No, not this week | No, this week | is friday ok |
			Why not Friday? | sure, Friday next month | Yes but can we make it 10:30 | yes, 10:30 | 10:30 is fine | see you at 10:30 | Friday 10 pm? |
			I can't see you Friday | won't see you Friday | see you never | See you in court | no see you | I'd be late | ok, late | Yes, sick | no work |
			No time like Friday | no time to lose | no car needed | Yes no car | I hope I can come | hope so | I'm down with the flu | I have to pass the shop |
			no, don't cancel | dont cancel | do not cancel | please don't cancel | no, don't reschedule | Not cancelling | I'm not cancelling | no reschedule needed |
			no, I'm on my way | No I'm here | no I'm outside | No it's fine | no its ok | No, it works | no that works | No that's fine | nah it's fine |
			nope that's perfect | no no it's all good | No I said yes | No that's not what I meant | Yes no problem, but no | I will, not | yes... not | Sure... not |
			ok, not | of course... not sure | I can't today | today? | now? | Yes now | yes today | No today | Yes Saturday | ok saturday at 10 | uh | um | hmm ok |
			mm | k? | kk? | sure?? | nah? | no?
		`),
	},
	de: {
		question: 'Kommen Sie am Freitag um 10 Uhr?',
		yes: list(`
			Ja, bis Freitag | klaro, bis freitag! | Ja bis Freitag um 10 | Ja, bis morgen! | Passt, bis Freitag 👍 | Freitag passt | Freitag passt mir gut |
			Freitag um 10 passt | 10 Uhr passt | ja 10 uhr passt | Ja, Freitag geht | Hallo Frau Müller, ja ich komme | Ja, Herr Dr. Weber |
			Guten Morgen, ja das passt | Jo bis dann | Ja bis dahin, danke | Ja, wir sehen uns Freitag | Ja, ich bin am Freitag da | Ich komme am Freitag |
			jaaa freu mich | Ja 😂 | Oh ja gerne | klar komm ich | Na logo | Aber gerne doch | Jawoll | Ja danke für die Erinnerung | Ja wie besprochen |
			Ja, wie vereinbart | Ja alles klar, danke | Ja, es bleibt dabei | bleibt dabei | ja ich bin pünktlich da | Geht in Ordnung, bis Freitag |
			Natürlich, bis Freitag dann | okidoki | mega, ja
		`),
		no: list(`
			Nein, ich muss arbeiten | leider nein, muss arbeiten | schaffs leider nich 😕 | Nein, bin krank | Nein ich bin krank | Kann nicht, bin krank |
			Ich kann leider nicht, mein Kind ist krank | Nein, mein Sohn ist krank | Nein, im Urlaub | Nein bin im Urlaub | Ne bin arbeiten |
			Nein, habe schon was vor | Nee hab schon was vor | Nein da bin ich im Urlaub | Freitag passt nicht | Freitag passt mir leider nicht |
			Freitag kann ich nicht | Am Freitag kann ich leider nicht | Ich kann am Freitag nicht | kann Freitag nicht | Freitag geht nicht |
			Freitag geht leider nicht | Nein, mir ist was dazwischengekommen | nein, ist was dazwischen gekommen | Nein, muss absagen | Nein muss leider absagen |
			Nein danke, zu teuer | nee sorry muss arbeiten | Nein keine Zeit, sorry | Leider nein, bin verreist | Ich schaffe es am Freitag nicht | Nein Frau Müller |
			nö, kein Bock | Ich kann nicht, muss arbeiten | kann leider ned | geht nich sorry
		`),
		unclear: list(`
			Ja, bis Donnerstag | ja bis 11 | Freitag? | Freitag | Nein, Freitag | Nein, bis Freitag | Freitag passt? | Bin nicht krank | Nein, nicht krank |
			Ich muss nicht arbeiten | nein muss nicht arbeiten | muss arbeiten | mein Kind ist krank | Ja, bin krank | ok bin im Urlaub | nein, lieber Montag |
			Nein, geht Montag? | Nein, passt schon | Nein, das passt | nein kein Problem | Nein ich komme | Nein, bleibt dabei | Ich kann nicht absagen |
			kann nicht nicht kommen | nicht absagen | bitte nicht absagen | Montag passt | ja Montag | Ja, um 11 Uhr | 11 Uhr passt | ja nach 10 | ja vor 10 | ab 10 |
			ja ab 10 Uhr | Freitag ja, 10 nein | Freitag eher nicht | nicht Freitag | Ja ab Freitag | jeden Freitag | Ja wenn ich nicht arbeiten muss |
			Ja falls ich nicht krank bin | Oh nein | na ja | naja | Na dann | nicht schlimm | macht nichts | egal, Freitag
		`),
	},
	es: {
		question: '¿Vendrá el viernes a las 10?',
		yes: list(`
			dale, nos vemos el viernes | claro q si 😊 | Sí, nos vemos el viernes | Sí, el viernes a las 10 | Si, ahí estaré el viernes | Sí, hasta el viernes |
			El viernes está bien | sí, el viernes me viene bien | Claro, nos vemos mañana | si nos vemos manana | Sipi | obvio q si | claro que si, ahi nos vemos |
			Hola Ana, sí | Sí doctora, gracias | Sí, muchas gracias por avisar | si x favor | Sí, confirmo para el viernes | Por supuesto, ahí estaremos el viernes |
			va, gracias | Sale, nos vemos | Sí, gracias por recordarme | ok nos vemos el viernes | Sí, puntual | simon ahi estare | vale, hasta el viernes |
			Sí, perfecto, hasta entonces | A las 10 está bien | No faltaré | no me lo pierdo | síp 👍 | Sí señora, ahí estaré | Ahí estaré sin falta
		`),
		no: list(`
			no puedo, tengo curro | No, tengo que trabajar | No, estoy enfermo | No puedo, estoy enferma | no puedo, trabajo | No, mi hijo está enfermo |
			Lo siento, no puedo, tengo trabajo | No, estoy de vacaciones | No, estoy de viaje | No puedo, me surgió algo | No puedo el viernes | El viernes no puedo |
			el viernes no me viene bien | No puedo ir el viernes, lo siento | No, ya tengo planes | No, no tengo tiempo | no tengo tiempo | No podré ir el viernes |
			nel | No, tengo otra cita | No voy a poder ir | no gracias, muy caro | No, estoy ocupado | No podré, perdón | no doctora, lo siento |
			No, no me siento bien | va a ser que no
		`),
		unclear: list(`
			Sí, hasta el jueves | el jueves me viene bien | No, el viernes | no, hasta el viernes | no tengo que trabajar | No estoy enfermo | no estoy ocupado |
			no estoy de viaje | tengo que trabajar | estoy enfermo | sí, estoy enfermo | sí pero tengo que trabajar | no, mejor el lunes | No, ¿puede ser el lunes? |
			no hay de qué | no te preocupes | no pasa nada | no cancelen | no lo cancele por favor | no, déjelo así | No, sí voy | no, ahí estaré |
			si el viernes puedo | si no trabajo | si no tengo trabajo | el viernes no sé | viernes? | viernes | Sí a las 11 | a las 11 está bien | no a las 10 |
			sí antes de las 10 | después de las 10 sí | no, a las 10 está bien | no mames | no manches | ni modo | ya veré | a ver si puedo | claro... que no sé |
			sí, cómo no vas a cobrar
		`),
	},
	fr: {
		question: 'Viendrez-vous vendredi à 10 h ?',
		yes: list(`
			Oui à vendredi | avec plaisir, a vendredi | Oui, à vendredi 10h | oui vendredi 10h c'est parfait | Oui, à demain | oui a demain merci |
			Vendredi me convient | Vendredi c'est bon pour moi | vendredi 10h ça marche | oui jserai la | Ouip | ok à vendredi ! | Bonjour Docteur, oui |
			Bonjour Mme Martin, oui je serai là | Oui je serai là vendredi | oui merci pour le rappel, à vendredi | Oui comme convenu | C'est toujours bon | dacodac |
			Oui oui à vendredi | Je serai là à 10h | tkt je serai là | Mais oui avec plaisir | oui on se voit vendredi | Parfait, à vendredi |
			Ça me va pour vendredi | oki à vendredi | C'est noté, à vendredi | Oui pour vendredi
		`),
		no: list(`
			nan desole jpeux pas | Non je travaille | Non, je suis malade | Je ne peux pas, je suis malade | non désolé je bosse | Non, mon fils est malade |
			Je ne peux pas, je travaille | Non, je suis en vacances | Non j'ai un empêchement | Désolé je ne peux pas vendredi | Vendredi je ne peux pas |
			vendredi ça ne va pas | Non, je ne suis pas là vendredi | je ne serai pas là vendredi | je ne pourrai pas venir vendredi | Non, pas le temps |
			non trop cher | Non, j'ai autre chose | Non je dois annuler | non, j'ai déjà quelque chose de prévu | jpeux pas désolé | Vendredi ne me convient pas |
			Non docteur désolé | Non, je suis en déplacement
		`),
		unclear: list(`
			Oui à jeudi | jeudi me convient | Non, vendredi | non à vendredi | je suis malade | je travaille | Oui, je suis malade | Je ne suis pas malade |
			Non je ne suis pas malade | je suis pas malade | non je travaille pas | non je ne travaille pas | pas de vacances | Non plutôt lundi | non, lundi ? |
			Non c'est bon | non ça marche | non non je viens | Non ça me va | Non, gardez le rendez-vous | n'annulez pas | ne pas annuler | non pas de problème |
			non pas de souci | pas grave | Je ne manquerai pas | vendredi ? | vendredi | oui à 11h | 11h c'est parfait | oui après 10h | oui avant 10h |
			à partir de 10h | oui sauf vendredi | tous les vendredis | ah non | oh non | mais non je viens | oui si je ne travaille pas | vendredi peut-être |
			si vendredi | oui si vendredi
		`),
	},
	it: {
		question: 'Verrà venerdì alle 10?',
		yes: list(`
			ok a venerdi 😘 | Sì a venerdì | Sì, ci vediamo venerdì | Va bene, a venerdì alle 10 | Sì, a domani | Venerdì va bene | venerdì alle 10 va benissimo |
			Ok ci vediamo venerdì | perfetto a venerdi | si ci saro | Buongiorno dottoressa, sì confermo | Sì dottore, grazie | certo, a domani! |
			Confermo per venerdì | Sì, sarò lì | ci vediamo lì, sì | alle 10 va bene | sisi | si si ci sono | Ok perfetto a venerdì grazie | Sì come d'accordo |
			Sì grazie del promemoria
		`),
		no: list(`
			purtroppo nn posso | No, devo lavorare | Non posso, devo lavorare | No, sono malato | No, sono malata | non posso, sono al lavoro |
			No, mio figlio è malato | No, sono in vacanza | No, sono fuori città | Venerdì non posso | venerdì non riesco | Non posso venerdì |
			no, ho un altro impegno | No, ho già un impegno | Mi dispiace, non posso, lavoro | nn riesco | nn posso scusa | No, non ho tempo | non ho tempo |
			mi sa di no | no dottore mi dispiace | Venerdì non va bene | Non potrò venire venerdì | non ci sarò venerdì | No, troppo caro
		`),
		unclear: list(`
			Sì a giovedì | giovedì va bene | No, venerdì | no a venerdì | non sono malato | non devo lavorare | No non devo lavorare | sono malato | devo lavorare |
			Sì, devo lavorare | no, meglio lunedì | No, va bene | no va bene così | No ci sono | no vengo | non mancherò? | non cancellate | non annullare |
			no lasci così | venerdì? | venerdì | sì alle 11 | alle 11 va bene | sì dopo le 10 | prima delle 10 sì | sì se non lavoro | non vedo l'ora |
			no, non vedo l'ora | no problem? | non c'è di che | non importa | ah no | oddio no
		`),
	},
	nl: {
		question: 'Komt u vrijdag om 10 uur?',
		yes: list(`
			jazeker tot vrijdag | is goed joh | tuurlijk ben ik erbij 🎉 | Ja, tot vrijdag | ja tot morgen! | Prima, tot vrijdag 10 uur | Vrijdag is goed |
			Vrijdag om 10 uur is prima | 10 uur is goed | Vrijdag past | ja vrijdag komt goed uit | Oke tot dan | Ja dokter, dank u | Hoi Anna, ja ik kom |
			Yes tot vrijdag | jaa tot vrijdag | Ja hoor, ik ben er vrijdag | Joe | jaja tot dan | Ja bedankt voor de herinnering | zeker, tot vrijdag! |
			Ik ben erbij vrijdag | ja zoals afgesproken | Ja leuk, tot dan | Ja dat staat | super tot vrijdag
		`),
		no: list(`
			nee helaas, moet werken | Nee, ik moet werken | nee ik ben ziek | Kan niet, ben ziek | Nee, mijn kind is ziek | Nee ik ben op vakantie |
			ik sla over deze keer | Vrijdag kan ik niet | Vrijdag kan niet | vrijdag lukt niet | Vrijdag lukt me helaas niet | Ik kan vrijdag niet | Nee, geen tijd |
			geen tijd | Nee, er is iets tussengekomen | nee, druk | Helaas, ik kan niet, moet werken | Nee dokter helaas | Nee ik heb al plannen | nee, te duur |
			kan vrijdag helaas niet | Nee, ik moet afzeggen
		`),
		unclear: list(`
			Ja tot donderdag | donderdag is goed | Nee, vrijdag | nee tot vrijdag | ik ben ziek | moet werken | ja ik ben ziek | ben niet ziek | ik moet niet werken |
			nee ik moet niet werken | nee hoor ik kom | nee is goed | Nee prima zo | Nee, geen probleem | nee liever maandag | nee, kan maandag? | niet afzeggen |
			niet annuleren aub | vrijdag? | vrijdag | ja om 11 uur | 11 uur is goed | ja na 10 uur | ja voor 10 uur | vanaf 10 | niet vrijdag | elke vrijdag |
			ja als ik niet ziek ben | oh nee | ach nee | nee joh, ik kom gewoon | nou ja | maakt niet uit | geen stress
		`),
	},
	pt: {
		question: 'Você vem na sexta às 10?',
		yes: list(`
			pode contar cmg | Sim, até sexta | sim, nos vemos na sexta | Ok, até sexta às 10 | Sim, até amanhã | sexta está ótimo | Sexta às 10 está bom |
			pra mim sexta tá bom | ss | simm até sexta | Sim doutora, obrigada | Oi Ana, sim, estarei lá | Claro, até sexta! | Vou sim, até lá | confirmo para sexta |
			pois claro que sim | Sim, como combinado | Com certeza, estarei aí | estarei aí sim | to dentro | Fechou | tmj, confirmado | Sim, obrigada por lembrar |
			às 10 está ótimo | Sim, na sexta às 10 | blz, até sexta | sim senhora
		`),
		no: list(`
			nao vai dar, foi mal | infelizmente n consigo 😔 | Não, tenho que trabalhar | não posso, vou trabalhar | Não, estou doente | não posso, estou doente |
			Não, meu filho está doente | Não, estou viajando | sexta não posso | Sexta não dá | Não posso na sexta | Na sexta não consigo | n posso | n vou |
			Não, estou de férias | não, surgiu um imprevisto | Não posso, tenho outro compromisso | não tenho tempo | Não, já tenho compromisso |
			Não vou conseguir ir | Não doutora, desculpe | não, muito caro | não vai rolar | sexta não vai dar | Não poderei ir na sexta | foi mal, não posso
		`),
		unclear: list(`
			Sim, até quinta | quinta está ótimo | Não, sexta | não, até sexta | não tenho que trabalhar | não estou doente | não estou viajando | estou doente |
			tenho que trabalhar | sim, estou doente | não, melhor segunda | não, pode ser segunda? | não tem problema nenhum? | não cancele | não cancela por favor |
			Não, está bom | não, tá bom | não eu vou | não, vou sim | não falto | não perco por nada | sexta? | sexta | sim às 11 | às 11 está ótimo |
			sim depois das 10 | antes das 10 | se não tiver que trabalhar | sim se não estiver doente | toda sexta | não sexta | menos sexta | ah não | pois não |
			pois é | pois | não faz mal | imagina | de nada
		`),
	},
};
