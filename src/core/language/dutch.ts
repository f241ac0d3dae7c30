/** Common words of Dutch and what they mean, most usual first. */
export const DUTCH: string = `
moeder mother mom; mama mom mother; vader father dad; papa dad father; ouders parents; kind child kid; kinderen children kids
zoon son; dochter daughter; broer brother; zus sister; oma grandma grandmother; opa grandpa grandfather; oom uncle; tante aunt
neef nephew cousin; nicht niece cousin; schoonmoeder mother law; man husband man; vrouw wife woman; familie family; gezin family
jongen boy; meisje girl; vriend friend boyfriend; buur neighbor; gast guest; bruiloft wedding; trouwen marry; getrouwd married
scheiding divorce; gescheiden divorced; geboorte birth; geboren born; verjaardag birthday; persoon person; mens person human
mensen people; naam name; achternaam surname; leeftijd age; oud old; huis house home; thuis home; woning home apartment
appartement apartment flat; kamer room; keuken kitchen; badkamer bathroom; slaapkamer bedroom; woonkamer living room; dak roof
balkon balcony; gang hallway corridor; trap stairs; deur door; raam window; muur wall; vloer floor; verdieping floor
lift elevator lift; ingang entrance; verwarming heating; koelkast fridge refrigerator; wasmachine washer washing; tafel table
stoel chair; bank bank sofa couch; kast cabinet closet; licht light; spiegel mirror; meubel furniture; bureau desk; sleutel key
slot lock; stroom electricity power; afval trash waste; huur rent; huren rent; gehuurd rent; verhuizen move; adres address
straat street; postcode zip postcode; gereedschap tool; douche shower; bad bath; doos box; eten eat food; eet eat; gegeten eat
drinken drink; gedronken drink; ontbijt breakfast; avondeten dinner; maaltijd meal; recept recipe prescription; koken cook boil
kookt cook; gekookt cook; brood bread; boter butter; kaas cheese; melk milk; ei egg; eieren egg; vlees meat; kip chicken; vis fish
groente vegetable; aardappel potato; tomaat tomato; ui onion; wortel carrot root; rijst rice; bloem flower flour; suiker sugar
zout salt; olie oil; taart cake pie; koek cookie biscuit; chocolade chocolate; ijs ice cream; noot nut note; appel apple
koffie coffee; thee tea; bier beer; wijn wine; fles bottle; glas glass; kop cup head; bord plate board; vegetarisch vegetarian
honger hungry hunger; lekker tasty delicious; smaak taste flavor; vers fresh; boodschappen groceries shopping
boodschap message errand; kleding clothes clothing; jurk dress; overhemd shirt; broek pants trousers; jas coat jacket
trui sweater; schoen shoe; bril glasses; tas bag; koffer suitcase; maat size buddy; knop button; stof fabric dust
dragen wear carry; draagt wear carry; gedragen wear behave; passen fit; dier animal pet; hond dog; kat cat; vogel bird
konijn rabbit; muis mouse; paard horse; dierenarts vet veterinarian; tuin garden yard; boom tree; gras grass; grond ground soil
bos forest woods; berg mountain; meer more lake; rivier river; zee sea; strand beach; zon sun; natuur nature; hout wood
steen stone; gezondheid health; gezond healthy; ziek sick ill; ziekte disease illness; ziekenhuis hospital; arts doctor
dokter doctor; huisarts doctor physician; tandarts dentist; zorg care; patiënt patient; apotheek pharmacy
medicijn medicine medication; vaccinatie vaccination; pijn pain; hoofdpijn headache; verkouden cold; griep flu; koorts fever
allergie allergy; allergisch allergic; bloed blood; operatie surgery operation; onderzoek research examination
behandeling treatment; behandelen treat; zwanger pregnant; moe tired; gewicht weight; roken smoke; lichaam body; hoofd head
oog eye; ogen eye; oor ear; schouder shoulder; arm arm poor; hand hand; buik belly stomach; rug back; been leg; knie knee
voeten feet foot; huid skin; hart heart; dood death dead; sterven die; overleden died deceased; leven life live; slaap sleep
slapen sleep; geslapen sleep; droom dream; wekker alarm clock; basisschool primary elementary school; leerling student pupil
leraar teacher; docent teacher lecturer; klas class grade; les lesson class; huiswerk homework; opdracht assignment task
taak task; examen exam; toets test key; cijfer grade digit; diploma diploma degree; vak subject; wiskunde math maths
geschiedenis history; kunst art; nederlands dutch; engels english; duits german; taal language; talen language; boek book
pagina page; papier paper; bibliotheek library; leren learn teach; leert learn; geleerd learn; oefenen practice; cursus course
universiteit university; studie study; studeren study; hoogleraar professor; college lecture; scriptie thesis
proefschrift dissertation thesis; onderzoeker researcher; wetenschap science; artikel article paper; proef experiment trial
steekproef sample; meting measurement; meten measure; resultaat result; uitkomst outcome result; statistiek statistics
gemiddelde average mean; kans chance probability; methode method; analyse analysis; gegevens data; grafiek graph chart
tabel table; getal number; bron source; hoofdstuk chapter; samenvatting summary abstract; conclusie conclusion
bijlage attachment appendix; deelnemer participant; onderwerp topic subject; vraag question; vragen ask questions; vroeg ask early
gevraagd ask; antwoord answer; voorbeeld example; bewijs proof evidence; kennis knowledge; opleiding training education
stage internship; sport sport sports; voetbal soccer football; zwemmen swim; zwembad pool; lopen walk run; loopt walk run
liep walk run; gelopen walk run; hardlopen run running; wandelen walk hike; fiets bike bicycle; fietsen cycle bike; spel game
spelen play; gespeeld play; kaart card map ticket; doel goal target; wedstrijd match game; winnen win; gewonnen win
winst profit win; verliezen lose; verlies loss; sportschool gym; muziek music; lied song; gitaar guitar; geluid sound noise
horen hear; gehoord hear; luisteren listen; film movie film; televisie television tv; schrijver writer author; getekend draw sign
foto photo; lezen read; leest read; gelezen read; vakantie vacation holiday; kerst christmas; pasen easter
feest party celebration; vieren celebrate; cadeau gift present; uitnodiging invitation; uitnodigen invite; uitgenodigd invite
reis trip journey; reizen travel; rijden drive ride; gereden drive; vlucht flight; vliegen fly; gevlogen fly
vliegtuig plane airplane; vliegveld airport; trein train; vertrek departure; aankomst arrival; vertraging delay; paspoort passport
grens border limit; geboekt book; boeking booking; reserveren reserve; land country land; stad city town; plaats place location
plek place spot; weg way road; richting direction; afstand distance; duitsland germany; nederland netherlands; belgië belgium
frankrijk france; bezoek visit; bezocht visit; ontmoeten meet; ophalen pick collect fetch; weer weather again; regen rain
sneeuw snow; temperatuur temperature; koud cold; verwachting forecast expectation; geld money; rekening account bill; sparen save
lenen borrow lend; schuld debt guilt; rente interest; belasting tax load; belastingaangifte tax return; salaris salary
uitgegeven spend; omzet revenue turnover; kosten cost; prijs price prize; duur expensive duration; goedkoop cheap; gratis free
bedrag amount; totaal total; korting discount; aanbieding offer sale; aanbod offer supply; offerte quote; betalen pay
betaald paid pay; betaling payment; overmaken transfer; overgemaakt transfer; factuur invoice bill; kopen buy; kocht buy
gekocht buy; verkopen sell; verkoop sale sales; winkel shop store; winkelwagen cart basket; supermarkt supermarket; retour return
terugbetaling refund; garantie warranty guarantee; verzekering insurance; schade damage; overeenkomst agreement contract
opzeggen cancel terminate; opgezegd cancel; abonnement subscription; lid member; waarde value worth; auto car
motor engine motorcycle; rijbewijs license driver; reparatie repair; repareren repair fix; ongeluk accident; parkeren park
parkeerplaats parking lot; batterij battery; politie police; tijd time; datum date; afspraak appointment agreement; dag day
dagelijks daily; wekelijks weekly; maand month; maandelijks monthly; jaar year; jaarlijks yearly annual; uur hour; minuut minute
maandag monday; dinsdag tuesday; woensdag wednesday; donderdag thursday; vrijdag friday; zaterdag saturday; zondag sunday
januari january; februari february; maart march; mei may; juni june; juli july; augustus august; oktober october; lente spring
zomer summer; herfst autumn fall; ochtend morning; morgen tomorrow morning; middag afternoon noon; avond evening; nacht night
vandaag today; gisteren yesterday; nu now; direct immediately direct; binnenkort soon; eerder earlier; laat late let
onlangs recently; laatst last recently; volgende next; vorige previous last; altijd always; nooit never; vaak often frequency
soms sometimes; meestal usually mostly; regelmatig regular; begin beginning start; beginnen begin start; einde end; stoppen stop
gestopt stop; termijn deadline period; toekomst future; agenda calendar agenda; pauze break; wanneer when time date
waar where place location; waarom why reason; wie who person; hoeveel amount number; reden reason; oorzaak cause; één one
twee two; drie three; vier four; vijf five; zes six; zeven seven; acht eight; negen nine; tien ten; twintig twenty; vijftig fifty
honderd hundred; duizend thousand; eerste first; tweede second; derde third; helft half; dubbel double; paar pair couple few
procent percent; aantal number count; nummer number; hoeveelheid amount quantity; veel much many; weinig little few; genoeg enough
ongeveer about approximately; precies exactly exact; berekenen calculate; rood red; blauw blue; groen green; geel yellow
zwart black; wit white; grijs gray grey; oranje orange; kleur color; donker dark; groot big large; grote big large
grootste biggest largest; klein small little; lang long tall; kort short; hoog high; dichtbij near close; zwaar heavy
moeilijk difficult hard; makkelijk easy; eenvoudig simple easy; ingewikkeld complicated; snel fast quick; langzaam slow; nieuw new
nieuws news; jong young; ouder older parent; goed good well; beter better; beste best; slecht bad; mooi beautiful nice
leuk nice fun; vriendelijk friendly; favoriet favorite; lievelings favorite; graag like gladly; liever prefer rather
houden keep love hold; houdt keep love hold; blij happy glad; gelukkig happy fortunately; boos angry; interessant interesting
samen together; alleen alone only; sterk strong; recht straight right law; vol full; leeg empty; gesloten closed; schoon clean
kapot broken; klaar ready finished; juist correct right; goedgekeurd approved; fout error wrong mistake; verkeerd wrong
echt real really; mogelijk possible; mogelijkheid possibility option; waarschijnlijk probably likely; zeker certain sure
veilig safe secure; gevaarlijk dangerous; belangrijkste main important; nodig necessary need; handig handy useful; vrij free
druk busy pressure; verschillend different; verschil difference; anders different otherwise; hetzelfde same; bekend known famous
privé private; geheim secret; geldig valid; beschikbaar available; volledig complete full; huidig current; verouderd outdated
dringend urgent; duidelijk clear; links left links; boven above top; buiten outside; terug back; delen share part; gedeeld share
staat state status; werk work job; gewerkt work; werkgever employer; werknemer employee; medewerker employee staff; baan job
sollicitatie application job; solliciteren apply; sollicitatiegesprek interview; cv resume cv; ontslag dismissal resignation
baas boss; leidinggevende manager supervisor; collega colleague coworker; afdeling department; groep group
bedrijf company business; kantoor office; magazijn warehouse; klant customer client; leverancier supplier vendor
levering delivery; leveren deliver; geleverd deliver; verzending shipping; bestelling order; vergadering meeting
overleg meeting consultation; notulen minutes; gesprek conversation talk; beslissing decision; beslissen decide; besloten decide
goedkeuring approval; goedkeuren approve; toestemming permission consent; afwijzen reject; aanvraag application request
aanvragen apply request; aangevraagd apply request; brief letter; pakket package parcel; bericht message
melding notification report; melden report; gemeld report; rapport report; planning schedule planning; gepland plan
verantwoordelijk responsible owner; verantwoordelijkheid responsibility; vervangen replace; boekhouding accounting
dienst service shift; verlof leave; handtekening signature; advocaat lawyer attorney; wet law; regel rule line; beleid policy
kwaliteit quality; klacht complaint; beoordeling review rating; tevreden satisfied; succes success; voortgang progress
voordeel advantage benefit; voorstel proposal suggestion; voorstellen propose introduce; voorgesteld propose; idee idea
mening opinion; ervaring experience; eis requirement; eisen requirement demand; uitstellen postpone; uitgesteld postpone
verplaatsen move; handleiding manual guide; notitie note; lijst list; overzicht overview; telefoon phone telephone
bellen call phone; belt call; gebeld call; scherm screen; afdrukken print; kabel cable; apparaat device; schijf disk
geheugen memory; opslag storage; opslaan store save; opgeslagen store save; bestand file; map folder; server server
netwerk network; verbinding connection; verbinden connect; verbonden connect; zoeken search; gezocht search
zoekmachine search engine; zoekopdracht search query; klikken click; geklikt click; keuze choice; kiezen choose; gekozen choose
invoer input; invoeren enter; ingevoerd enter; uitvoeren run execute; uitgevoerd run execute; laden load; installeren install
geïnstalleerd install; instelling setting; instellingen settings; instellen set configure; ingesteld set configure
bijwerken update; bijgewerkt update; versie version; uitbrengen release; uitgebracht release; bouwen build; gebouwd build
gebouw building; vertalen translate; vertaling translation; testen test; getest test; controleren check; gecontroleerd check
foutmelding error message; oplossen solve fix; opgelost solve fix; oplossing solution; probleem problem issue
storing outage failure; vastgelopen crash stuck; waarschuwing warning alert; alarm alarm alert; logboek log; reservekopie backup
herstellen restore recover repair; herstel recovery; veiligheid safety security; beveiliging security; beveiligd secure protected
versleuteling encryption; versleutelen encrypt; certificaat certificate; wachtwoord password; gebruiker user
gebruikersnaam username; aangemeld login; inloggen login; ingelogd login; toegang access; rechten permissions rights; rol role
beheerder administrator admin; beheer management administration; beheren manage; tak branch; programma program
programmeren program code; programmeertaal programming language; ontwikkelaar developer; ontwikkelen develop
ontwikkeling development; toepassing application; functie function feature; veld field; teken character sign; lettertype font
opmaak formatting layout; inspringing indentation; spatie space; titel title; tekst text; sjabloon template; ontwerp design draft
bewerken edit; kopiëren copy; gekopieerd copy; kopie copy; verwijderen delete remove; wissen delete erase; toevoegen add
toegevoegd add; veranderen change; wijzigen change modify; gewijzigd change; samenvoegen merge; samengevoegd merge
verzoek request; standaard default standard; onderhoud maintenance; snelheid speed; herstarten restart; opnieuw again
starten start; gestart start; annuleren cancel; geannuleerd cancel; herhalen repeat; omgeving environment; afhankelijk dependent
afhankelijkheid dependency; uitbreiding extension; herinnering reminder memory; trefwoord keyword; koppeling link integration
gebeurtenis event; verlopen expired; proces process; stap step; volgorde order sequence; sorteren sort; toegewezen assign
schakelaar switch; inschakelen enable; ingeschakeld enable; uitschakelen disable; uitgeschakeld disable; geblokkeerd blocked
ondersteuning support; voorraad stock inventory; eigenschap property; aanpassen adjust change; aangepast adjust custom
vergelijken compare; vergeleken compare; vergelijking comparison; betekenis meaning; betekenen mean; doen do; doet do; gedaan do
maken make; maakt make; gemaakt make; aanmaken create; aangemaakt create; gaan go; gaat go; ging go; gegaan go; komen come
komt come; kwam come; gekomen come; geven give; geeft give; gaf give; gegeven give; nemen take; neemt take; genomen take
brengen bring; bracht bring; gebracht bring; halen get fetch; gehaald get fetch; krijgen get receive; kreeg get receive
gekregen get receive; ontvangen receive; ontvanger recipient; zien see; ziet see; gezien see; kijken look watch
gekeken look watch; bekijken view watch; laten let leave; vinden find think; vindt find think; vond find; gevonden find
zeggen say; zegt say; gezegd say; spreken speak; spreekt speak; gesproken speak; vertellen tell; noemen name call
genoemd name call; heten named called; schrijven write; schreef write; geschreven write; denken think; dacht think; gedacht think
weten know; weet know; wist know; kennen know; kent know; begrijpen understand; begrepen understand; onthouden remember
herinneren remember remind; vergeten forget; uitleggen explain; uitgelegd explain; uitleg explanation; beschrijven describe
beschreven describe; beschrijving description; helpen help; helpt help; geholpen help; hulp help; wachten wait; gewacht wait
blijven stay remain; blijft stay remain; gebleven stay; wonen live reside; woont live reside; zitten sit; liggen lie located
ligt lie located; zetten put set; gezet put set; bewaren keep store; bewaard keep store; geopend open; sluiten close
verhogen increase raise; verlagen reduce lower; groei growth; gebroken broken; gebruiken use; proberen try; geprobeerd try
lukken succeed; gelukt succeed; mislukt failed; gebeuren happen; verdwenen disappear missing; ontbreken missing lack; gemist miss
volgen follow; deelnemen participate attend; eigenaar owner; eigen own; bestaan exist; geslaagd pass; bereiken reach achieve
verbeteren improve; verbetering improvement; opruimen tidy clean; opgeruimd tidy; wassen wash; gewassen wash; sturen send
stuurt send; gestuurd send; gestolen stolen steal; beschermen protect; bescherming protection; voorkomen prevent occur
verboden forbidden; toegestaan allowed; vertrouwen trust; bevestigen confirm; bevestiging confirmation; aanbevelen recommend
aanbevolen recommend; aanraden recommend; advies advice; voorkeur preference; voorbereiden prepare; voorbereiding preparation
afronden finish complete; afgerond finish; beweging movement exercise; draaien turn run; aangeboden offer; accepteren accept
bevatten contain include; inhoud content; verwachten expect; bespreken discuss; besproken discuss; verdienen earn deserve
verbruik consumption usage; aansluiten connect; aangesloten connect; verbouwing renovation; kapper hairdresser barber
ingenieur engineer; gewoonte habit; verhaal story; energie energy; ruimte space room; gestorven die; verbieden forbid ban
wachtrij queue; mappen folder; broncode source code; schoonmaken clean; schoongemaakt clean; haren hair; belangrijk important
huisdier pet; team team; test test; plan plan; week week; water water; school school; hotel hotel; kaartje ticket card
boeken book; inleveren submit; ingeleverd submit; opgehaald pick collect; begon begin start; verhalen story; plant plant; bed bed
website website; database database; contract contract; code code; opstaan rise wake; kwartaal quarter; laatste last
tussenpersoon broker agent; limiet limit; opmerking comment remark; gevoel feeling; herkend recognize; openen open
ondertekend sign; verloren lose; stemmen vote; april april; september september; november november; december december
winter winter; elf eleven; twaalf twelve; dertig thirty; bruin brown; paars purple; roze pink; budget budget; begroting budget
uitrollen deploy rollout; uitgerold deploy; incident incident; spelling spelling; bewaking monitoring; mail mail email
reactie response reaction; gedownload download; geüpload upload; gereserveerd reserve; gerepareerd repair fix; aangekomen arrive
geregistreerd register; gevierd celebrate; gesorteerd sort; vertrokken leave depart
`
