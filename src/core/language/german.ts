/** Common words of German and what they mean, most usual first. */
export const GERMAN: string = `
mutter mother mom; mama mom mother; vater father dad; papa dad father; eltern parents; kind child kid; kinder children kids
sohn son; söhne son; tochter daughter; bruder brother; brüder brother; schwester sister; oma grandma grandmother
opa grandpa grandfather; großmutter grandmother; großvater grandfather; großeltern grandparents; enkel grandson grandchild
onkel uncle; tante aunt; neffe nephew; nichte niece; schwiegermutter mother law; ehemann husband; ehefrau wife; frau woman wife
mann husband man; männer men; verwandte relatives; familie family; junge boy; mädchen girl; freund friend boyfriend
nachbar neighbor; gast guest; gäste guest; hochzeit wedding; hochzeitstag anniversary; scheidung divorce; geburt birth
geburtstag birthday; beerdigung funeral; person person; mensch person human; leute people; erwachsene adult; name name
nachname surname; vorname name; alter age; alt old; jahr year; haus house home; häuser house; zuhause home; daheim home
wohnung apartment flat; zimmer room; raum room space; küche kitchen; bad bathroom bath; badezimmer bathroom; schlafzimmer bedroom
wohnzimmer living room; arbeitszimmer office study; keller basement cellar; dachboden attic; dach roof; garage garage
balkon balcony; terrasse terrace patio; flur hallway corridor; treppe stairs; tür door; fenster window; wand wall
boden floor ground; decke ceiling blanket; etage floor; aufzug elevator lift; eingang entrance; ausgang exit
heizung heating heater; ofen oven stove; kühlschrank fridge refrigerator; spülmaschine dishwasher; waschmaschine washer washing
mikrowelle microwave; tisch table; stuhl chair; stühle chair; sofa sofa couch; bett bed; schrank cabinet closet wardrobe
regal shelf; schublade drawer; lampe lamp; licht light; spiegel mirror; teppich carpet rug; möbel furniture; schreibtisch desk
uhr clock watch; bild picture image; schlüssel key; schloss lock castle; strom electricity power; wasser water; müll trash garbage
mülleimer bin trash; miete rent; vermieter landlord; umzug move; umgezogen move; adresse address; straße street road
postleitzahl zip postcode; werkzeug tool; schraube screw; leiter ladder leader; farbe color paint; seife soap; handtuch towel
zahnbürste toothbrush; dusche shower; toilette toilet bathroom; wäsche laundry; essen eat food; isst eat; gegessen eat
trinken drink; getrunken drink; getränk drink beverage; frühstück breakfast; mittagessen lunch; abendessen dinner; mahlzeit meal
gericht dish court; rezept recipe prescription; kochen cook boil; gekocht cook; backen bake; gebacken bake; schneiden cut
geschnitten cut; mischen mix; brot bread; käse cheese; milch milk; joghurt yogurt; ei egg; eier egg; fleisch meat; wurst sausage
fisch fish; lachs salmon; gemüse vegetable; kartoffel potato; tomate tomato; zwiebel onion; knoblauch garlic; karotte carrot
pilz mushroom; salat salad lettuce; bohne bean; reis rice; nudel noodle pasta; mehl flour; zucker sugar; salz salt; pfeffer pepper
öl oil; soße sauce; suppe soup; kuchen cake; torte cake; schokolade chocolate; eis ice cream; honig honey; nuss nut
erdnuss peanut; obst fruit; frucht fruit; früchte fruit; apfel apple; äpfel apple; banane banana; zitrone lemon
erdbeere strawberry; kaffee coffee; tee tea; saft juice; bier beer; wein wine; flasche bottle; glas glass; gläser glass; tasse cup
teller plate; topf pot; löffel spoon; messer knife; geschirr dishes; hunger hunger hungry; hungrig hungry; lecker tasty delicious
geschmack taste flavor; schmecken taste; süß sweet; sauer sour; scharf spicy sharp; frisch fresh; gewürz spice; diät diet
ernährung nutrition diet; lebensmittel food grocery; restaurant restaurant; bäckerei bakery; kleidung clothes clothing
kleid dress; hemd shirt; hose pants trousers; jacke jacket; mantel coat; pullover sweater; schuh shoe; stiefel boot; hut hat
anzug suit; brille glasses; schmuck jewelry; tasche bag pocket; rucksack backpack; koffer suitcase; regenschirm umbrella
größe size; knopf button; stoff fabric material; tragen wear carry; trägt wear carry; getragen wear carry; anziehen dress wear
angezogen dress; passen fit; passt fit; mode fashion; tier animal pet; hund dog; katze cat; vogel bird; vögel bird
kaninchen rabbit; maus mouse; mäuse mouse; pferd horse; kuh cow; schlange snake queue line; biene bee; tierarzt vet veterinarian
futter feed food; füttern feed; garten garden yard; blume flower; pflanze plant; baum tree; bäume tree; gras grass; rasen lawn
blatt leaf sheet; blätter leaf leaves; erde soil earth; ernte harvest; wald forest woods; feld field; berg mountain; see lake sea
fluss river; meer sea ocean; strand beach; sonne sun; stern star; welt world; natur nature; umwelt environment; holz wood
stein stone; feuer fire; luft air; küste coast; gesundheit health; gesund healthy; krank sick ill; krankheit disease illness
krankenhaus hospital; klinik clinic hospital; arzt doctor; ärzte doctor; ärztin doctor; hausarzt doctor physician
zahnarzt dentist; kinderarzt pediatrician; krankenschwester nurse; pflege care nursing; praxis practice; apotheke pharmacy
medikament medication medicine drug; medizin medicine; tablette tablet pill; impfung vaccination; impfen vaccinate; schmerz pain
weh hurt pain; kopfschmerzen headache; erkältung cold; grippe flu; fieber fever; allergie allergy; allergisch allergic
verletzung injury; verletzt injured hurt; operation surgery operation; untersuchung examination checkup
untersuchen examine investigate; behandlung treatment; behandeln treat handle; diagnose diagnosis; therapie therapy
überweisung transfer referral; blut blood; schwanger pregnant; schwangerschaft pregnancy; müde tired; notfall emergency
krankenwagen ambulance; krankenkasse insurance health; gewicht weight; abnehmen lose weight; rauchen smoke; angst fear anxiety
körper body; kopf head; haar hair; gesicht face; auge eye; ohr ear; nase nose; mund mouth; zahn tooth; zähne teeth tooth
hals neck throat; schulter shoulder; arm arm poor; hand hand; hände hand; bauch belly stomach; rücken back; bein leg; knie knee
fuß foot; füße feet foot; haut skin; herz heart; tod death; tot dead; sterben die; gestorben die; leben live life; gelebt live
geboren born; schlaf sleep; schläft sleep; geschlafen sleep; traum dream; wecker alarm clock; aufstehen rise wake
aufgestanden rise wake; schule school; kindergarten kindergarten preschool; schüler student pupil; lehrer teacher
klasse class grade; unterricht lesson class; stunde hour lesson; hausaufgabe homework; aufgabe task assignment; prüfung exam test
note grade note; abschluss degree graduation; fach subject compartment; mathe math maths; mathematik mathematics math
physik physics; geschichte history story; kunst art; deutsch german; englisch english; französisch french; spanisch spanish
niederländisch dutch; sprache language; wort word; satz sentence set; buch book; bücher book; seite page side; stift pen pencil
papier paper; bibliothek library; lernen learn study; gelernt learn; unterrichten teach; übung exercise practice
kurs course class; universität university; uni university; hochschule college university; student student; studium study degree
studieren study; professor professor; vorlesung lecture; semester semester term; abschlussarbeit thesis
dissertation dissertation thesis; forschung research; forscher researcher; wissenschaft science; wissenschaftler scientist
artikel article item; veröffentlichung publication; veröffentlichen publish release; versuch experiment attempt try
experiment experiment; probe sample rehearsal; stichprobe sample; messung measurement; messen measure; gemessen measure
ergebnis result; statistik statistics; durchschnitt average mean; wahrscheinlichkeit probability; theorie theory; methode method
verfahren procedure method; auswertung evaluation analysis; auswerten evaluate analyze; analyse analysis; daten data
datensatz dataset record; diagramm diagram chart; tabelle table spreadsheet; zahl number; quelle source; kapitel chapter
abschnitt section; einleitung introduction; zusammenfassung summary abstract; anhang attachment appendix; umfrage survey poll
teilnehmer participant; labor lab laboratory; vortrag talk presentation; konferenz conference; thema topic theme; frage question
antwort answer response; beispiel example; beweis proof evidence; wissen know knowledge; weiß know white; wusste know
ausbildung training education; bildung education; praktikum internship; sport sport sports; fußball soccer football
schwimmen swim; schwimmbad pool; laufen run walk; läuft run; lief run; gelaufen run; rennen run race; fängt begin start
wandern hike; rad bike wheel; fahrrad bike bicycle; radfahren cycling; tanzen dance; spiel game match play; gespielt play
spieler player; spielzeug toy; karte card map ticket; mannschaft team; verein club; trainieren train; wettbewerb competition
sieg win victory; gewonnen win; gewinn profit win; verlieren lose; verlor lose; platz place seat; plätze place seat
fitnessstudio gym; musik music; lied song; singen sing; klavier piano; gitarre guitar; konzert concert; laut loud volume
leise quiet silent; ton sound tone; hören hear listen; gehört hear belong; stimme voice vote; film movie film; kino cinema movie
stück piece play; serie series show; fernseher television tv; zeitung newspaper; autor author; malen paint draw; zeichnung drawing
foto photo; kamera camera; freizeit leisure spare; sammeln collect; sammlung collection; lesen read; liest read; gelesen read
urlaub vacation holiday leave; ferien vacation holiday; feiertag holiday; weihnachten christmas; ostern easter
fest party festival; feier party celebration; feiern celebrate; geschenk gift present; schenken give gift; einladung invitation
einladen invite; eingeladen invite; reise trip travel journey; ausflug trip excursion; fahrt trip ride; fahren drive go
fährt drive go; gefahren drive go; flug flight; geflogen fly; flugzeug plane airplane; flughafen airport; bahnhof station
bahn train railway; zug train; schiff ship; abfahrt departure; ankunft arrival; ankommen arrive; angekommen arrive
verspätung delay; verspätet late delayed; verpassen miss; gepäck luggage baggage; pass passport pass; ausweis id card
grenze border limit; gebucht book; buchung booking reservation; reservieren reserve; reservierung reservation
übernachten stay overnight; aufenthalt stay; ausland abroad; land country land; länder country; stadt city town; dorf village
ort place location; weg way path; führung tour leadership; richtung direction; nähe near proximity; entfernung distance
deutschland germany; österreich austria; schweiz switzerland; frankreich france; italien italy; spanien spain
niederlande netherlands; europa europe; packen pack; besuch visit; treffen meet meeting; trifft meet; getroffen meet
abholen pick collect; abgeholt pick collect; wetter weather; regen rain; regnen rain; schnee snow; sturm storm; wolke cloud
temperatur temperature; grad degree; heiß hot; kalt cold; trocken dry; vorhersage forecast prediction; geld money; bargeld cash
bank bank bench; konto account; sparen save; schuld guilt debt; zins interest; rente pension; steuer tax
steuererklärung tax return; gehalt salary; lohn wage pay; einkommen income; ausgabe expense output; ausgaben expenses spending
ausgegeben spend; umsatz revenue sales; kosten cost; gekostet cost; preis price prize; teuer expensive; billig cheap
günstig cheap affordable; kostenlos free; gebühr fee charge; beitrag contribution fee; betrag amount; summe sum total
rabatt discount; gutschein voucher coupon; angebot offer quote; zahlen pay numbers; bezahlen pay; zahlung payment
überwiesen transfer; rechnung invoice bill; quittung receipt; kaufen buy purchase; gekauft buy; verkaufen sell; verkauf sale
einkaufen shop shopping; eingekauft shop buy; einkauf shopping purchase; laden shop store load; geschäft business shop store
supermarkt supermarket; markt market; ware goods product; warenkorb cart basket; korb basket; rückgabe return; erstattung refund
garantie warranty guarantee; versicherung insurance; versichern insure assure; haftpflicht liability; schaden damage
vertrag contract agreement; kündigen cancel terminate quit; gekündigt cancel terminate; kündigung cancellation termination
abonnement subscription; abo subscription; mitglied member; wert value worth; leihen lend borrow; geliehen borrow lend
haushalt household budget; auto car; wagen car; fahrzeug vehicle; motor engine motor; reifen tire tyre; kennzeichen plate license
führerschein license driver; fahrer driver; werkstatt garage workshop; reparatur repair; reparieren repair fix; unfall accident
stau jam traffic; verkehr traffic; autobahn highway motorway; parken park; parkplatz parking lot; tankstelle gas petrol station
benzin gas petrol; batterie battery; akku battery; strafe penalty fine; schild sign; zeit time; datum date
termin appointment date; tag day; täglich daily; woche week; wöchentlich weekly; monat month; monatlich monthly
jährlich yearly annual; sekunde second; montag monday; dienstag tuesday; mittwoch wednesday; donnerstag thursday; freitag friday
samstag saturday; sonntag sunday; wochenende weekend; januar january; februar february; märz march; april april; mai may
juni june; juli july; august august; september september; oktober october; november november; dezember december; frühling spring
sommer summer; herbst autumn fall; winter winter; morgen morning tomorrow; mittag noon; nachmittag afternoon; abend evening
nacht night; mitternacht midnight; heute today; gestern yesterday; jetzt now; sofort immediately; bald soon; später later
früher earlier formerly; früh early; spät late; kürzlich recently; zuletzt last recently; letzte last; nächste next
vorherig previous; vorher before; danach after; immer always; nie never; oft often frequency; häufig frequent often
selten rare rarely; manchmal sometimes; regelmäßig regular regularly; einmal once; dauer duration; dauern last take
gedauert last take; anfang beginning start; anfangen begin start; angefangen begin start; beginn start beginning
beginnen begin start; begann begin start; begonnen begin start; ende end; aufhören stop quit; aufgehört stop quit
schluss end conclusion; frist deadline period; zeitraum period; zeitplan schedule; zeitpunkt time moment; zukunft future
kalender calendar; pünktlich punctual time; pause break pause; wann when time date; wo place where location; woher origin source
warum why reason; wer who person; wieviel amount number; grund reason ground; gründe reason; ursache cause reason; zweck purpose
eins one; zwei two; drei three; vier four; fünf five; sechs six; sieben seven; acht eight; neun nine; zehn ten; elf eleven
zwölf twelve; fünfzehn fifteen; zwanzig twenty; dreißig thirty; fünfzig fifty; hundert hundred; tausend thousand; erste first
zweite second; dritte third; hälfte half; halb half; viertel quarter; doppelt double; paar pair couple; prozent percent
anzahl number count; nummer number; menge amount quantity; viel much many; mehr more; wenig little few; weniger less fewer
mindestens least minimum; genug enough; einige some several; mehrere several; ungefähr about approximately
etwa about approximately; genau exact exactly; zählen count; rechnen calculate; berechnen calculate compute; rot red; blau blue
grün green; gelb yellow; schwarz black; grau gray grey; braun brown; lila purple; rosa pink; hell light bright; dunkel dark
groß big large tall; größte biggest largest; klein small little; lang long; kurz short; hoch high tall; höher higher; höhe height
niedrig low; breit wide; eng narrow tight; weit far wide; nah near close; dick thick fat; schwer heavy difficult
leicht easy light; schwierig difficult hard; einfach simple easy; kompliziert complicated; schnell fast quick; schneller faster
langsam slow; neu new; neuigkeit news; jung young; älter older; gut good well; besser better; beste best; schlecht bad poor
schlimm bad; schlechter worse; schön beautiful nice; freundlich friendly; liebe love; geliebt love; gern like gladly
lieber prefer rather; mag like; mögen like; glücklich happy; glück luck happiness; traurig sad; ruhe quiet rest; langweilig boring
interessant interesting; interesse interest; spannend exciting; gemeinsam together common; zusammen together; stark strong
voll full; leer empty; offen open; geschlossen closed; sauber clean; schmutzig dirty; kaputt broken; ganz whole entire
fertig ready finished done; bereit ready; richtig right correct; falsch wrong false; wahr true; wirklich really actual
möglich possible; möglichkeit possibility option; wahrscheinlich probably likely; sicher safe secure sure; gefährlich dangerous
gefahr danger; wichtig important; notwendig necessary; nützlich useful; praktisch practical; frei free; beschäftigt busy
verschieden different; unterschied difference; anders different; ähnlich similar; gleich same equal
besonders special particularly; bekannt known famous; beliebt popular; persönlich personal; privat private; öffentlich public
geheim secret; technisch technical; verboten forbidden; erlaubt allowed permitted; ungültig invalid; vorhanden available existing
verfügbar available; vollständig complete; endgültig final; aktuell current; veraltet outdated obsolete; dringend urgent
klar clear; links left; oben top above; unten bottom below; mitte middle center; überall everywhere; zurück back; wieder again
schon already; sache thing matter; art kind type; form shape form; muster pattern; teil part; linie line; reihe row series
punkt point dot; zustand state condition; bedingung condition; arbeit work job; gearbeitet work; arbeitgeber employer
mitarbeiter employee staff; arbeitsplatz workplace job; beruf profession job occupation; bewerbung application; bewerben apply
vorstellungsgespräch interview; lebenslauf resume cv; einstellen hire set configure; eingestellt hire set
einstellung setting attitude; einstellungen settings preferences; beförderung promotion; chef boss manager
geschäftsführer ceo director; kollege colleague coworker; abteilung department; gruppe group team; firma company
unternehmen company enterprise; betrieb operation business; büro office; lager warehouse storage; kunde customer client
kundin customer client; lieferant supplier vendor; lieferung delivery; liefern deliver; geliefert deliver; versand shipping
geschickt send skillful; bestellung order; auftrag order job; besprechung meeting; sitzung session meeting
protokoll minutes protocol log; gespräch conversation talk; vereinbarung agreement; vereinbaren agree arrange
entscheidung decision; entscheiden decide; genehmigung approval permit; genehmigen approve; freigabe approval release
freigeben approve release; ablehnen reject decline; abgelehnt reject decline; antrag application request; beantragen apply request
formular form; unterlagen documents; dokument document; ordner folder; brief letter; post mail post; paket package parcel
nachricht message news; benachrichtigung notification; bericht report; planung planning; plan plan; geplant plan; ziel goal target
projekt project; verantwortlich responsible owner; verantwortung responsibility; zuständig responsible; ansprechpartner contact
kontakt contact; ersatz replacement; ersetzen replace; vertrieb sales distribution; anzeige ad display; personal staff personnel
personalabteilung hr; buchhaltung accounting; quartal quarter; schicht shift layer; arbeitszeit hours working; dienst service duty
bereitschaft standby oncall; unterschrift signature; unterschreiben sign; anwalt lawyer attorney; gesetz law; recht law right
rechte rights permissions; regel rule; richtlinie policy guideline; amt office; hersteller manufacturer; produkt product
qualität quality; leistung performance service; beschwerde complaint; rückmeldung feedback; bewertung rating review
bewerten rate evaluate; zufrieden satisfied; erfolg success; erfolgreich successful; fortschritt progress
vorteil advantage benefit; nachteil disadvantage; vorschlag suggestion proposal; vorschlagen suggest propose
vorgeschlagen suggest propose; idee idea; meinung opinion; erfahrung experience; fähigkeit skill ability; strategie strategy
maßnahme measure action; umsetzung implementation; umsetzen implement; umgesetzt implement; voraussetzung requirement prerequisite
anforderung requirement; absage cancellation rejection; absagen cancel; abgesagt cancel; verschieben postpone move
verschoben postpone move; veranstaltung event; schulung training; handbuch manual; anleitung instructions guide; hinweis hint note
notiz note; liste list; übersicht overview; verzeichnis directory index; rechner computer; handy phone cellphone mobile
telefon phone telephone; anruf call; angerufen call phone; tastatur keyboard; taste key button; bildschirm screen monitor display
drucker printer; gedruckt print; kabel cable; gerät device; festplatte disk drive; speicher memory storage
arbeitsspeicher memory ram; speicherplatz storage space disk; speichern store save; gespeichert store save; datei file
dateiname filename; datenbank database; datenschutz privacy; netz network net; verbindung connection; verbinden connect
verbunden connect; leitung line management; webseite website page; suche search; gesucht search; suchmaschine search engine
treffer hit match; klicken click; menü menu; auswahl selection choice; auswählen select choose; wählen choose select dial
gewählt choose; eingabe input entry; eingeben enter; hochladen upload; herunterladen download; geladen load; installieren install
eingerichtet setup configure; konfiguration configuration; konfigurieren configure; aktualisieren update refresh
ausführung execution; ausführen run execute; ausgeführt run execute; auslieferung deployment delivery
bereitstellen deploy provide; bereitgestellt deploy; bereitstellung deployment; ausrollen deploy rollout; bauen build
gebaut build; bau construction building; gebäude building; übersetzen translate compile; übersetzung translation; getestet test
prüfen check verify; geprüft check verify; überprüfen check review; fehler error bug mistake; meldung message report
melden report; gemeldet report; beheben fix; behoben fix; lösung solution; lösen solve; gelöst solve; problem problem issue
störung outage disruption; ausfall outage failure; ausgefallen fail outage; absturz crash; abgestürzt crash; warnung warning alert
warnen warn; alarm alarm alert; überwachung monitoring; sicherung backup fuse; sicherungskopie backup
wiederherstellen restore recover; wiederherstellung recovery restore; sicherheit security safety; sicherheitslücke vulnerability
verschlüsselung encryption; verschlüsseln encrypt; zertifikat certificate; passwort password; benutzer user; nutzer user
benutzername username; anmeldung login registration; angemeldet login; registrieren register; zugang access; zugriff access
zugangsdaten credentials login; berechtigung permission; rolle role; verwaltung administration management; verwalten manage
zweig branch; quellcode source code; programm program; programmieren program code; programmiersprache programming language
entwickler developer; entwickeln develop; entwicklung development; anwendung application app; funktion function feature
funktionieren work function; schnittstelle interface api; spalte column; zeile line row; zeichen character sign
schrift font writing; rechtschreibung spelling; formatierung formatting; einrückung indentation; leerzeichen space
kommentar comment; überschrift heading title; titel title; vorlage template; entwurf draft design; bearbeiten edit process
bearbeitung editing processing; kopieren copy; einfügen insert paste; eingefügt insert; löschen delete; gelöscht delete
entfernen remove; hinzufügen add; hinzugefügt add; ändern change; geändert change; verändern change; umbenennen rename
zusammenführen merge; konflikt conflict; warteschlange queue; anfrage request inquiry; abfrage query; rückgängig undo
standard default standard; wartung maintenance; geschwindigkeit speed; zeitüberschreitung timeout; verzögerung delay latency
neustart restart reboot; starten start launch; gestartet start; abbrechen cancel abort; abgebrochen cancel abort
wiederholen repeat retry; wiederholung repetition retry; umgebung environment; abhängigkeit dependency; abhängig dependent
erweiterung extension; erweitern extend; befehl command; skript script; zwischenspeicher cache; erinnerung reminder memory
gedächtnis memory; schlüsselwort keyword; verlauf history; verknüpfung link shortcut; verweis reference link; ereignis event
ablauf process expiry; ablaufen expire; abgelaufen expired; vorgang process operation; vorgehen procedure approach; schritt step
stufe level step; grenzwert limit threshold; reihenfolge order sequence; sortieren sort; filtern filter; zuweisen assign
eintrag entry; eintragen enter register; schalter switch; aktivieren enable activate; deaktivieren disable; sperren lock block
gesperrt locked blocked; unterstützen support; verfügbarkeit availability; kapazität capacity; bezahlung payment
bestand stock inventory; kundendienst support service; vorfall incident; eigenschaft property; anpassen adjust customize
angepasst adjust customize; anpassung adjustment; umstellung migration switch; wechsel change switch; vergleich comparison
vergleichen compare; verglichen compare; bedeutung meaning; bedeuten mean; machen do make; gemacht do make; tun do; getan do
gehen go walk; ging go; gegangen go; kommen come; kam come; gekommen come; geben give; gibt give; gab give; gegeben give
nehmen take; nimmt take; nahm take; genommen take; bringen bring; brachte bring; gebracht bring; holen get fetch; geholt get
bekommen get receive; erhalten receive get; erhält receive; sehen see; sieht see; sah see; gesehen see; schauen look watch
zeigen show; gezeigt show; finden find; fand find; gefunden find; sagen say; gesagt say; sprechen speak talk; spricht speak
sprach speak; gesprochen speak; reden talk; erzählen tell; fragen ask; gefragt ask; bitten ask request; rufen call
schreiben write; schrieb write; geschrieben write; aufschreiben note write; denken think; dachte think; gedacht think
glauben believe; verstehen understand; kennen know; kennengelernt meet; kennenlernen meet; erinnern remember remind
merken remember notice; gemerkt remember notice; vergessen forget; vergisst forget; erklären explain; erklärung explanation
beschreiben describe; beschrieben describe; beschreibung description; nennen name call; genannt name call; heißen named called
heißt named means; fühlen feel; gefühl feeling; hoffen hope; wünschen wish; wunsch wish; freuen enjoy glad; freude joy
lachen laugh; heiraten marry; geheiratet marry; verheiratet married; geschieden divorced; trennen separate
streit argument dispute; kümmern care; helfen help; hilft help; half help; geholfen help; hilfe help; warten wait maintain
gewartet wait; bleiben stay remain; geblieben stay; wohnen live reside; gewohnt live used; sitzen sit; liegen lie located
lag lie located; legen put lay; gelegt put; stellen put place; gestellt put; halten hold keep stop; hält hold keep
gehalten hold keep; behalten keep; aufbewahren keep store; aufbewahrung storage retention; lassen let leave; lässt let leave
gelassen let leave; verlassen leave; öffnen open; geöffnet open; schließen close; drücken press push; gedrückt press
druck pressure print; ziehen pull move; zog pull move; gezogen pull move; fällt fall; gefallen like fall; gefällt like
fall case fall; fälle case; steigen rise climb; gestiegen rise; erhöhen increase raise; senken lower reduce; wachsen grow
wächst grow; gewachsen grow; wachstum growth; brechen break; zerbrochen broken break; beschädigt damaged; benutzen use
verwenden use; nutzen use benefit; genutzt use; nutzung use usage; brauchen need; gebraucht need used; benötigen need require
probieren try taste; ausprobieren try; schaffen manage create; geschafft manage; erstellen create; erzeugen generate create
gründen found establish; gegründet found; gründung founding; entdecken discover; passieren happen; geschehen happen
vorkommen occur; verschwinden disappear; verschwunden disappear missing; fehlen miss lack; folgen follow
folge consequence episode; führen lead; geführt lead; leiten lead manage; teilen share divide; geteilt share divide
teilnehmen participate attend; besitzen own; besitzer owner; eigentümer owner; eigen own; bestehen exist pass
bestanden pass exist; durchgefallen fail; fehlgeschlagen failed; fehlschlagen fail; erreichen reach achieve; verbessern improve
verbesserung improvement; korrigieren correct fix; korrektur correction; putzen clean; geputzt clean; reinigen clean
reinigung cleaning; aufräumen tidy clean; aufgeräumt tidy; waschen wash; wäscht wash; gewaschen wash; schicken send; senden send
gesendet send; empfangen receive; empfänger recipient receiver; empfang reception; absender sender; stehlen steal
gestohlen steal stolen; einbruch burglary; schützen protect; geschützt protect; schutz protection; verhindern prevent
vermeiden avoid; verbot ban prohibition; erlauben allow; erlaubnis permission; versprechen promise; versprochen promise
vertrauen trust; bestätigen confirm; bestätigung confirmation; empfehlen recommend; empfiehlt recommend; empfohlen recommend
empfehlung recommendation; rat advice council; beraten advise consult; berater consultant advisor; beratung consulting advice
überlegen consider think; bevorzugen prefer; vorliebe preference; vorbereiten prepare; vorbereitung preparation
erledigen complete handle; erledigt done completed; beenden finish end; abschließen complete lock finish
abgeschlossen complete finished; unterbrechen interrupt; unterbrochen interrupt; steuern control; kontrolle control check
kontrollieren check control; bewegen move; bewegung movement exercise; betreffen concern affect; betrifft concern affect
betroffen affected; einfluss influence; wirkung effect; auswirkung impact effect; beziehung relationship; verhalten behavior
handeln act trade; handlung action plot; abstimmen vote coordinate; anbieten offer; anbieter provider vendor
annehmen accept assume; angenommen accept assume; annahme assumption acceptance; enthalten contain include
enthält contain include; inhalt content; erwarten expect; erwartung expectation; überraschen surprise; beobachten observe
bemerken notice; erkennen recognize detect; erkannt recognize detect; stören disturb; entschuldigen apologize
entschuldigung apology excuse; kritik criticism; diskutieren discuss; diskussion discussion; besprechen discuss
besprochen discuss; klären clarify; festlegen define set; festgelegt define set; bestimmen determine; ausschalten off switch
ausgeschaltet disable off; einschalten on switch; eingeschaltet enable on; umziehen move; aufgewachsen grow
verbrauch consumption usage; verbrauchen consume; verbringen spend; verbracht spend; verdienen earn deserve; ausgeben spend
vermissen miss; verlust loss; verstecken hide; versteckt hidden; weggeworfen discard throw; brand fire; anschließen connect
angeschlossen connect; anschluss connection; aufbauen build assemble; aufgebaut build assemble; aufbau structure setup
renovieren renovate; renovierung renovation; streichen paint delete; handwerker craftsman tradesman; klempner plumber
elektriker electrician; friseur hairdresser barber; physiotherapie physiotherapy; ingenieur engineer; architekt architect
gewohnheit habit; angewohnheit habit; alltag everyday; spaß fun; herkunft origin; heimat home hometown; wohnort residence city
geburtsort birthplace; metall metal; kunststoff plastic; plastik plastic; kiste box crate; karton cardboard box; maschine machine
technik technology; energie energy; kraft force power; anlage system plant; fläche area surface; polizei police; baby baby
partner partner; test test; text text; team team; version version; server server; lieblings favorite; kollegin colleague coworker
ball ball; gymnasium highschool school; schach chess; gehören belong; erhielt receive; null zero null; hase rabbit; stehen stand
verstanden understand; entschieden decide; träumen dream; fliegen fly; sorge worry concern; zerstört destroy
umtausch exchange return; vegetarier vegetarian; vegetarisch vegetarian; durst thirst thirsty; bremse brake; hotel hotel; bus bus
museum museum; budget budget; computer computer; software software; minute minute; warm warm; wind wind; patient patient
studentin student; kasse checkout register; kredit credit loan; geschwister siblings; husten cough; magen stomach; kirche church
insel island; angestellte employee; unterschrieben sign; umtauschen exchange return; hähnchen chicken; sahne cream; wolle wool
rasse breed; tennis tennis; ski ski; hobby hobby; süden south; norden north; schein bill note; würfel cube dice
rechenzentrum datacenter; überwachen monitor; mitgebracht bring; kennwort password; geklärt clarify resolve
behörde authority agency; vorschrift regulation rule; tabulator tab; schleife loop; variable variable; quelltext source code
zugewiesen assign; anfordern request; ebene level layer; aufgenommen record include; aufnahme recording intake
beschlossen decide agree; vergeben assign forgive; betreut supervise care; eingeführt introduce; einführung introduction rollout
ausgetauscht replace swap; austauschen replace swap; austausch exchange; übernommen adopt take; übernehmen adopt take
nachgefragt ask; abgegeben submit; abgabe submission deadline; abgeben submit; eingereicht submit; einreichen submit
vorgestellt introduce present; vorstellen introduce present; gelandet land; umgeschrieben rewrite; betreuer supervisor advisor
orange orange; email email; mail mail email; internet internet; gebremst brake; gültig valid; einrichten setup configure
hochgeladen upload; heruntergeladen download; eingegeben enter; ausgewählt select choose; umbenannt rename; zusammengeführt merge
freigegeben approve release; teilgenommen participate attend; gespart save; gefeiert celebrate; gereist travel
geschenkt give gift; gezahlt pay; gemietet rent; geparkt park; gewechselt change switch; umgestellt switch migrate
wiederhergestellt restore recover; ausgerollt deploy; gewünscht wish; eingetragen enter register; entlassen dismiss fire
gesungen sing; gemalt paint draw; gesammelt collect
`
