/** Less common words of German and what they mean, most usual first. */
export const GERMAN_RARER: string = `
bewerber applicant candidate; stelle position job; stellt put place; überstunde overtime; krankmeldung sick leave; kantine canteen cafeteria
dienstreise trip business; tagesordnung agenda; teilzeit part time; vollzeit full time; probezeit probation trial
zeugnis certificate report reference; arbeitslos unemployed; gewerkschaft union; streik strike; vorstand board
lehre teaching apprenticeship; azubi apprentice trainee; praktikant intern; vorgesetzte supervisor boss manager
stellvertreter deputy substitute; vertreter representative deputy; vertretung substitute representation; nachfolger successor
zusammenarbeit collaboration cooperation; akte file record; archiv archive; umschlag envelope; briefmarke stamp; stempel stamp
klebeband tape; kugelschreiber pen; radiergummi eraser; lineal ruler; schere scissors; kleber glue adhesive; heft notebook booklet
notizbuch notebook; visitenkarte card business; werbung advertising ad; marke brand; zielgruppe audience target; konkurrenz competition
verhandlung negotiation hearing; verhandeln negotiate; vorgabe requirement specification; kennzahl metric kpi; meilenstein milestone
aufwand effort; schätzen estimate appreciate; geschätzt estimate; engpass bottleneck; auslastung utilization load; priorität priority
rückstand backlog arrears; übergabe handover; standort location site; filiale branch store; gesellschaft society company
selbständig independent freelance; freiberufler freelancer; honorar fee; spesen expenses; mahnung reminder overdue
inventur inventory stocktaking; zoll customs duty; ankündigung announcement; angekündigt announce; abgesprochen agree
zusage commitment acceptance; zugesagt accept promise; organisieren organize; spende donation; gespendet donate; förderung funding support
stipendium scholarship; zuschuss subsidy grant; elternzeit parental leave; ruhestand retirement; karriere career; zuverlässig reliable
zuverlässigkeit reliability; sorgfältig careful; effizient efficient; überarbeiten revise rework; überarbeitung revision
belastung load strain; betreuung supervision care; hausmeister janitor caretaker; kellner waiter; bäcker baker; metzger butcher
tischler carpenter; schneider tailor; bauer farmer; landwirt farmer; gärtner gardener; feuerwehr firefighters fire department
polizist policeman police; verkäufer seller salesman; notar notary; richter judge; schriftsteller writer author; künstler artist
schauspieler actor; sänger singer; musiker musician; pfleger nurse caregiver; übersetzer translator; informatik computer science
mechaniker mechanic; optiker optician; bürgermeister mayor; zeiger pointer hand; zeichenkette string; ganzzahl integer
vererbung inheritance; objekt object; ausdruck expression printout; anweisung instruction statement; rekursion recursion; ausnahme exception
knoten node knot; kante edge; stapel stack pile; leck leak; faden thread; prozess process trial; grafikkarte gpu graphics card
netzteil power supply adapter; lüfter fan; gehäuse case housing; steckdose outlet socket; stecker plug connector; ladegerät charger
kopfhörer headphones; lautsprecher speaker; mikrofon microphone; weiterleiten forward redirect; weitergeleitet forward redirect
funk radio wireless; drahtlos wireless; bandbreite bandwidth; latenz latency; durchsatz throughput; lastverteilung load balancing
verteilen distribute; verteilung distribution; behälter container; betriebssystem os operating system; system system; treiber driver
fehlersuche debugging troubleshooting; protokollieren log; protokollierung logging; aufzeichnung recording; zeitstempel timestamp
prüfsumme checksum; widerrufen revoke; angriff attack; angegriffen attack; schadsoftware malware; oberfläche surface interface
schaltfläche button; symbol icon symbol; lesezeichen bookmark; zwischenablage clipboard; hervorheben highlight; markieren mark highlight
ausblenden hide; vergrößern enlarge zoom; auflösung resolution; angezeigt display show; darstellen represent display
darstellung representation display; zeichnen draw; gezeichnet draw; beschleunigen accelerate; optimieren optimize; vereinfachen simplify
umbau rebuild refactoring; umgebaut rebuild convert; aufteilen split divide; aufgeteilt split divide; zusammenfassen summarize
zusammengefasst summarize; einbinden include integrate; eingebunden include integrate; eingebettet embed; aufruf call invocation
aufgerufen call open; rückruf callback recall; auslöser trigger; auslösen trigger; ausgelöst trigger; schwellenwert threshold
kennung identifier id; bezeichnung name designation; namensraum namespace; platzhalter placeholder; abgleich sync comparison
abgleichen compare sync; abgeglichen compare sync; synchronisieren sync synchronize; umleiten redirect; abonnieren subscribe
abmelden logout unsubscribe; abgemeldet logout unsubscribe; anmelden login register; eingeloggt login; zurücksetzen reset
zurückgesetzt reset; lizenz license; urheberrecht copyright; künstlich artificial; modell model; genauigkeit accuracy precision
trefferquote recall; ähnlichkeit similarity; rang rank; verschlüsselt encrypted; entschlüsseln decrypt; eindeutig unique unambiguous
beliebig any arbitrary; zufall chance random; zufällig random; komprimieren compress; entpacken unpack extract; kodierung encoding
umwandeln convert; umgewandelt convert; umwandlung conversion; umrechnen convert; dateisystem filesystem; pfad path; wurzel root
unterordner subfolder; papierkorb trash bin; fußzeile footer; kopfzeile header; absatz paragraph heel; anführungszeichen quote
klammer bracket clip; strich line dash; bindestrich hyphen; unterstrich underscore; schrägstrich slash; buchstabe letter
wörterbuch dictionary; aussprache pronunciation; rand margin edge; hintergrund background; inhaltsverzeichnis contents; stichwort keyword
etikett label tag; einheit unit; abdeckung coverage; modul module; laufzeit runtime; zeitzone timezone; dienstleister provider contractor
rückfall fallback relapse; umgehen bypass avoid; einschränkung limitation restriction; einschränken restrict limit
eingeschränkt restricted limited; obergrenze limit maximum; kompatibel compatible; zustimmen agree consent; zugestimmt agree consent
verarbeiten process; verarbeitung processing; abgefragt query; begriff term concept; umfang scope extent; entwerfen design; entworfen design
gestalten design; konzept concept; komponente component; rahmen frame framework; struktur structure; flach flat shallow; tief deep low
tiefe depth deep; verwerfen discard; verworfen discard; nachverfolgen track trace; verfolgen track pursue; spur trace track
automatisch automatic; automatisieren automate; manuell manual; abschalten shutdown off; abgeschaltet shutdown off; herunterfahren shutdown
heruntergefahren shutdown; hochfahren boot start; hängen hang stuck; eingefroren freeze; überlastet overloaded; reaktion reaction response
eingespielt apply install; umsteigen switch change; einführen introduce; ausdrucken print; ausgedruckt print; tinte ink; gehirn brain
lunge lung; leber liver; niere kidney; darm intestine bowel gut; blase bladder bubble; galle bile gallbladder; schilddrüse thyroid
muskel muscle; sehne tendon; band tape ribbon ligament; gelenk joint; knochen bone; wirbelsäule spine; becken pelvis basin; hüfte hip
oberschenkel thigh; knöchel ankle; zeh toe; finger finger; daumen thumb; nagel nail; ellbogen elbow; handgelenk wrist; brust chest breast
zunge tongue; bart beard; narbe scar; puls pulse; atem breath; atmen breathe; nerv nerve; zelle cell; gewebe tissue; schädel skull
entzündung inflammation infection; infektion infection; angesteckt infected; schnupfen cold sniffles; bauchschmerzen stomachache
migräne migraine; übelkeit nausea; schwindel dizziness; erbrechen vomit; durchfall diarrhea; verstopfung constipation; ausschlag rash
schwellung swelling; wunde wound; bluten bleed blossom; verstaucht sprain; gebrochen broken break; bruch fracture break; gips plaster cast
verband bandage association; pflaster plaster bandage; salbe ointment; tropfen drops drip; spritze syringe injection; impfstoff vaccine
geimpft vaccinate; impfpass vaccination record; antibiotikum antibiotic; schmerzmittel painkiller; dosis dose; einnehmen take
eingenommen take; einnahme intake revenue; verschreiben prescribe; verschrieben prescribe; eisen iron; mangel deficiency lack
unverträglichkeit intolerance; heuschnupfen hay fever pollen; krebs cancer crab; schlaganfall stroke; herzinfarkt infarction heart attack
bluthochdruck hypertension; lungenentzündung pneumonia; zecke tick; mandel tonsil almond; karies cavity caries; füllung filling
zahnspange braces; krone crown; brücke bridge; betäubung anesthesia; narkose anesthesia; chirurg surgeon; röntgen xray x-ray
ultraschall ultrasound; befund findings result; vorsorge checkup prevention; heilen heal cure; geheilt heal cure; erholen recover rest
rollstuhl wheelchair; hörgerät hearing aid; linse lens lentil; augenarzt ophthalmologist eye doctor; hautarzt dermatologist
frauenarzt gynecologist; orthopäde orthopedist; facharzt specialist; retten rescue save; gerettet rescue save; gift poison
sonnenbrand sunburn; muskelkater soreness muscle sore; krampf cramp; bandscheibe disc spinal; schwitzen sweat; gefroren freeze frozen
schnarchen snore; geweint cry; einschlafen sleep asleep; eingeschlafen asleep; aufwachen wake; aufgewacht wake; erschöpft exhausted
sucht search addiction; süchtig addicted; betrunken drunk; droge drug; geraucht smoke; windel diaper; kinderwagen stroller
sinn sense meaning; geruch smell; riechen smell; blick view look; waage scale; wiegen weigh; gewogen weigh; wiegt weigh
zunehmen gain increase; zugenommen gain increase; abgenommen lose weight; eiweiß protein; kohlenhydrat carbohydrate; kalorie calorie
fett fat grease; dünn thin; übergewicht overweight; insekt insect; mücke mosquito; wespe wasp; ameise ant; käfer beetle bug
schmetterling butterfly; spinne spider; schnecke snail slug; wurm worm; frosch frog; schildkröte turtle tortoise; hai shark; wal whale
thunfisch tuna; ente duck; gans goose; huhn chicken hen; hahn rooster tap; küken chick; taube pigeon dove; eule owl; papagei parrot
feder feather spring; flüge flight; flügel wing; stall stable barn; ziege goat; schwein pig pork; rind cattle beef; reh deer
hirsch deer stag; wild wild game; fuchs fox; bär bear; igel hedgehog; eichhörnchen squirrel; ratte rat; meerschweinchen guinea pig
fledermaus bat; affe monkey ape; löwe lion; kater tomcat hangover; welpe puppy; leine leash rope; halsband collar; schwanz tail
fell fur coat; tierheim shelter animal; züchter breeder; gefüttert feed; beißen bite; gebissen bite; gestochen sting; stich sting stitch
angeln fishing; bienenstock beehive hive; tal valley; hügel hill; höhle cave; wüste desert; wiese meadow; weide willow pasture
ufer shore bank; bach stream brook; teich pond; brunnen well fountain; vulkan volcano; erdbeben earthquake; überschwemmung flood
hochwasser flood; staub dust; himmel sky heaven; mond moon; landschaft landscape; sonnenaufgang sunrise; sonnenuntergang sunset
schatten shadow shade; klima climate; nachhaltig sustainable; abfall waste; kompost compost; strauch shrub bush; hecke hedge; ast branch
stamm trunk tribe; knospe bud; blüte blossom bloom; blühen bloom flower; samen seeds; säen sow; gesät sow; steckling cutting; unkraut weed
schädling pest; schimmel mold; dünger fertilizer; düngen fertilize; gedüngt fertilize; gießen water pour; gegossen water pour
gießkanne watering can; bewässerung irrigation; schlauch hose tube; rasenmäher lawnmower; mähen mow; gemäht mow; beet bed
gewächshaus greenhouse; umtopfen repot; umgetopft repot; gepflanzt plant; geerntet harvest; eiche oak; birke birch; tanne fir; fichte spruce
kastanie chestnut; birne pear bulb; pflaume plum; pfirsich peach; traube grape; himbeere raspberry; heidelbeere blueberry
johannisbeere currant; beere berry; walnuss walnut; haselnuss hazelnut; rose rose; tulpe tulip; lavendel lavender; brennnessel nettle
weizen wheat; hafer oats; mais corn; getreide grain cereal; kräuter herbs; petersilie parsley; schnittlauch chives; basilikum basil
rosmarin rosemary; minze mint; gurke cucumber pickle; kohl cabbage; blumenkohl cauliflower; spinat spinach; erbse pea; möhre carrot
spargel asparagus; kürbis pumpkin squash; ingwer ginger; zimt cinnamon; senf mustard; essig vinegar; butter butter; quark curd quark
hefe yeast; backpulver baking powder; teig dough batter; sauerteig sourdough; brötchen roll bun; keks cookie biscuit; plätzchen cookie
pfannkuchen pancake; waffel waffle; knödel dumpling; auflauf casserole; eintopf stew; brühe broth; braten roast fry; gebraten fry roast
schinken ham; speck bacon; hackfleisch mince minced; rindfleisch beef; marmelade jam; nachtisch dessert; vorspeise starter appetizer
zutat ingredient; esslöffel tablespoon; teelöffel teaspoon; gramm gram; schüssel bowl; schale bowl peel; pfanne pan; deckel lid; rühren stir
gerührt stir; kneten knead; schälen peel; geschält peel; gehackt chop hack; würzen season spice; grillen grill barbecue; gegrillt grill
auftauen thaw defrost; aufgetaut thaw defrost; haltbar durable shelf; haltbarkeit shelf life expiry; verdorben spoiled; roh raw
reif ripe mature; flüssig liquid fluid; gabel fork; besteck cutlery; kanne pot jug; becher mug cup; dose can tin; herd stove cooker
wasserkocher kettle; gefrierschrank freezer; brett board; schwamm sponge; spüle sink; gespült rinse wash; kneipe pub bar; trinkgeld tip
speisekarte menu; bedienung operation service waiter; bedienen operate serve; glutenfrei gluten; bio organic; vorrat supply stock
zettel note slip; zange pliers; säge saw; bohrer drill; bohren drill; gebohrt drill; schraubenzieher screwdriver
schraubenschlüssel wrench spanner; dübel anchor dowel; geschliffen sand grind; schleifpapier sandpaper; pinsel brush; bürste brush
lack varnish lacquer; lackieren paint varnish; zement cement; beton concrete; ziegel brick tile; fliese tile; tapete wallpaper
dämmung insulation; dichtung seal gasket; dicht tight dense; rohr pipe tube; abfluss drain; wasserhahn faucet tap; ventil valve; pumpe pump
heizkörper radiator; kamin fireplace chimney; geschaltet switch; glühbirne bulb; taschenlampe flashlight torch; kerze candle; draht wire
kette chain; seil rope; schnur string cord; nadel needle; nähen sew; genäht sew; nähmaschine sewing machine; stricken knit; gestrickt knit
häkeln crochet; gehäkelt crochet; garn yarn; reißverschluss zipper; leder leather; seide silk; baumwolle cotton; gummi rubber
folie foil slide; stahl steel; kupfer copper; blei lead; silber silver; keramik ceramics pottery; kohle coal carbon; kleben glue stick
geklebt glue stick; löten solder; gelötet solder; schweißen weld; geschweißt weld; gebogen bend; basteln craft tinker
gebastelt craft tinker; baustelle construction site; fundament foundation; mauer wall; balken beam bar; zaun fence; tor gate goal
stockwerk floor storey; erdgeschoss ground floor; vorhang curtain; griff handle grip; haken hook; klingel doorbell bell; briefkasten mailbox
sessel armchair; matratze mattress; kissen pillow cushion; bettwäsche bedding; badewanne bathtub; waschbecken sink; eimer bucket
staubsauger vacuum; gewischt wipe mop; bügeln iron; trockner dryer; getrocknet dry; fleck stain spot; waschmittel detergent
montieren mount assemble; zusammengebaut assemble; abgebaut dismantle reduce; abgerissen demolish; sanierung renovation
gestrichen paint delete; verlegen lay relocate misplace; befestigen attach fasten; angebracht attach mount; abgedichtet seal
drehen turn rotate; gedreht turn rotate; geschoben push; rost rust; wasserdicht waterproof; glatt smooth slippery; weich soft; hart hard
spitze tip top lace; rund round; ecke corner; gerade straight; durchsichtig transparent; bunt colorful; läufer runner; joggen jog
klettern climb; geklettert climb; halle hall; segeln sail; tauchen dive; geritten ride; werfen throw; geworfen throw; wirft throw
gefangen catch; springen jump; gesprungen jump; geschossen shoot; schlagen beat hit; geschlagen beat hit; schläger racket bat
schlitten sled; wanderung hike; gewandert hike; wanderweg trail; torwart goalkeeper; trainer coach trainer; zuschauer spectator audience
meisterschaft championship; turnier tournament; pokal cup trophy; medaille medal; liga league; gegner opponent; niederlage defeat
ausdauer endurance; strecke route distance; runde round lap; geschwommen swim; gerannt run; getanzt dance; hantel dumbbell
gleichgewicht balance; freibad pool; sattel saddle; lenker handlebar; radtour bike tour; wettkampf competition; kampf fight; gekämpft fight
geige violin; flöte flute; blockflöte recorder; trompete trumpet; schlagzeug drums; orgel organ; saite string; takt beat bar; tonart key
akkord chord; chor choir; orchester orchestra; auftritt performance gig; aufgetreten perform occur; bühne stage; aufführung performance
oper opera; theater theater; vorstellung performance idea; publikum audience; eintrittskarte ticket; ausstellung exhibition
ausstellen exhibit issue; gemälde painting; werk work plant; gedicht poem; roman novel; märchen fairy tale; zeitschrift magazine
verlag publisher; vorgelesen read aloud; figur figure character; lustig funny; rätsel puzzle riddle; könig king; eröffnung opening
spielplatz playground; mitgliedschaft membership; münze coin; fotografieren photograph; objektiv lens objective; belichtung exposure
stativ tripod; blitz flash lightning; schnitt cut edit; sender station channel; platte plate record; üben practice; geübt practice
gestimmt tune vote; messe fair mass; flohmarkt flea market; silvester new year eve; taufe baptism; verlobung engagement; verlobt engaged
ehe marriage; jubiläum anniversary; zelt tent; wohnwagen caravan; wohnmobil camper; reiseführer guidebook guide; visum visa; anreise arrival
abreise departure; einsteigen board enter; abflug departure; landung landing; sitz seat sit; gang corridor gear; gleis platform track
bahnsteig platform; fahrplan timetable; fahrkarte ticket; straßenbahn tram; haltestelle stop; boot boat; hafen harbor port
satellit satellite; motorrad motorcycle; roller scooter; lastwagen truck; anhänge attachment appendix; anhänger trailer pendant
kofferraum trunk; lenkrad steering wheel; kupplung clutch; getriebe gearbox transmission; scheibe disc slice pane; tanken refuel
getankt refuel; ölwechsel oil change; panne breakdown; abgeschleppt tow; kilometerstand mileage; ampel traffic light
kreuzung intersection crossing; radweg bike path; kurve curve bend; ausfahrt exit; einfahrt driveway entrance; strafzettel ticket fine
bußgeld fine; angehalten stop; vermietet rent let; mieter tenant; unterkunft accommodation; pension pension guesthouse
jugendherberge hostel; sehenswürdigkeit sight attraction; turm tower; rathaus town hall; bezirk district; kreis circle district; staat state
hauptstadt capital; gemeinde community municipality; einwohner inhabitant population; bevölkerung population; besuchen visit
besucher visitor; besichtigung tour viewing; aussicht view prospect; postkarte postcard; sonnencreme sunscreen; sonnenbrille sunglasses
osten east; westen west; griechenland greece; türkei turkey; polen poland; dänemark denmark; schweden sweden; norwegen norway
russland russia; münchen munich; köln cologne; wien vienna; rom rome; ostsee baltic; mittelmeer mediterranean; alpen alps
italienisch italian; russisch russian; chemie chemistry; biologie biology; wirtschaft economy; teilchen particle; ladung charge load
spannung voltage tension; widerstand resistance; schaltung circuit; schaltplan schematic circuit; kondensator capacitor
abweichung deviation; standardabweichung deviation standard; mittelwert mean average; häufigkeit frequency; frequenz frequency; welle wave
wellenlänge wavelength; strahlung radiation; masse mass; dichte density; volumen volume; schwerkraft gravity; hitze heat
lösungsmittel solvent; säure acid; konzentration concentration; verdünnen dilute; verdünnung dilution; mischung mixture blend
reagenzglas tube test; mikroskop microscope; kühlung cooling; abzug fume hood deduction; handschuh glove; kultur culture; bakterie bacteria
antikörper antibody; gefärbt stain dye; stoffwechsel metabolism; wirkstoff ingredient agent; niederschlag precipitation rainfall
rein pure clean; kalibrieren calibrate; kalibrierung calibration; nachweis proof detection; nachgewiesen prove detect; hypothese hypothesis
erkennt recognize detect; erkenntnis insight finding; zusammenhang connection context; verhältnis ratio relationship
anteil share proportion; gleichung equation; formen shape form; formel formula; zähler counter numerator; rechteck rectangle; winkel angle
kugel ball sphere; durchmesser diameter; achse axis axle; abgezogen subtract deduct; vorhergesagt predict; befragung survey interview
fragebogen questionnaire; gutachten report review; gutachter reviewer expert; fachzeitschrift journal; zitat quote citation
zitieren cite quote; literaturverzeichnis bibliography references; abbildung figure illustration; doktorarbeit dissertation thesis
doktorand doctoral student; masterarbeit thesis master; klausur exam; schriftlich written; stundenplan timetable schedule
nachhilfe tutoring; grundschule primary elementary; klug smart clever; beigebracht teach; erfindung invention; gesetzlich legal statutory
klage lawsuit complaint; zeuge witness; aussage statement testimony; urteil judgment verdict; einspruch objection appeal
widerspruch objection contradiction; widersprochen contradict object; gefängnis prison jail; dieb thief; diebstahl theft; betrug fraud
eingebrochen burglary; vollmacht authorization; testament will; erbe heir inheritance; geerbt inherit; vermögen assets wealth
eigentum property ownership; besitz possession own property; grundstück plot property; immobilie property; makler broker agent
kaution deposit; nebenkosten utilities costs; hypothek mortgage; darlehen loan; rate installment rate; insolvenz insolvency bankruptcy
haftung liability; währung currency; brieftasche wallet; rücklage reserve; aktie stock share; börse stock exchange; anlegen invest create
angelegt invest create; investieren invest; bilanz balance; guthaben credit balance; kontostand balance; kontoauszug statement bank
dauerauftrag standing order; lastschrift debit direct; abgebucht debit; abheben withdraw; abgehoben withdraw; einzahlen deposit
eingezahlt deposit; auszahlung payout; geldautomat atm; mehrwertsteuer vat tax; finanzamt tax office; bescheid notice decision
absetzen deduct; abschreibung depreciation; brutto gross; netto net; kindergeld benefit child; selbstbeteiligung deductible
entschädigung compensation; rückzahlung repayment refund; zurückgezahlt repay; zurückgegeben return; anzahlung deposit; fällig due
tarif tariff rate; nachlass discount estate; ermäßigung discount; ausverkauft sold; wahl choice election; partei party
politik politics policy; pflicht duty obligation; verpflichtung obligation; anspruch claim entitlement; verbieten forbid
urkunde certificate deed; bescheinigung certificate; reich rich empire; gewitter thunderstorm; donner thunder; nebel fog; sonnig sunny
feucht damp humid; nass wet; kühl cool; regenbogen rainbow; geschneit snow; geregnet rain; flut flood tide; strömung current
sinken sink decrease; segel sail; wütend angry; ärger anger trouble; geärgert annoy; nervös nervous; enttäuscht disappointed
enttäuschung disappointment; hoffnung hope; dankbar grateful; nett nice; ehrlich honest; lüge lie; gelogen lie; geduld patience
neugierig curious; vorsichtig careful cautious; ordentlich tidy proper; ordnung order; aufmerksamkeit attention; abgelenkt distracted
persönlichkeit personality; laune mood; stimmung mood; ernst serious; ruhig calm quiet; beruhigen calm; entspannen relax; gestresst stressed
lust desire mood; verliebt love; freundschaft friendship; freundin girlfriend friend; streiten argue quarrel; gestritten argue quarrel
unsicher insecure uncertain; hübsch pretty; zwilling twin; schwager brother law; schwiegervater father law; enkelin granddaughter
stammbaum genealogy family tree; pate godfather; jugend youth; kindheit childhood; geschlecht gender sex; weiblich female; männlich male
friedhof cemetery; grab grave; abhängen depend; ablegen file drop; abgelegt file drop; abschicken send; abgeschickt send; abgeschnitten cut
abstellen park stop; abwesenheit absence; angebaut grow cultivate; anbau extension cultivation; angeben specify state
angegeben specify state; angabe statement specification; anwenden apply; angewendet apply; anschauen watch look; angeschaut watch look
angesehen look watch; anstrengend exhausting strenuous; geantwortet answer reply; beantworten answer; auffallen notice; aufgefallen notice
aufgeben quit give; aufgegeben quit; aufgehoben keep lift cancel; aufladen charge; aufgeladen charge; aufgelöst dissolve resolve
aufnehmen record include; aufgeschoben postpone; aufgeschrieben note write; ausgebaut expand remove; ausgebildet trained
ausfüllen fill complete; ausgefüllt fill complete; ausleihen borrow lend; ausgeliehen borrow lend; ausmachen agree; ausgemacht agree
ausreichen suffice; ausschließen exclude; ausgeschlossen exclude; aussehen look appearance; ausgesucht choose pick; ausgezogen move undress
beachten observe note; beauftragen commission; bedarf need demand; beeinflussen influence; eindruck impression; befinden located
begründen justify; begründung justification reason; beitreten join; beigetreten join; beleg receipt evidence; beleuchtung lighting
benachrichtigen notify; berücksichtigen consider; beschaffen procure; beschluss resolution decision; beschweren complain; besorgen get
beteiligen participate; betreiben operate; betreiber operator; beurteilen judge assess; bewiesen prove; bewohner resident
bewusst aware conscious; bezogen refer; gebunden bind tie; gebeten ask request; brennen burn; gebrannt burn; durchführen perform conduct
durchgeführt perform conduct; geeignet suitable; einbauen install; eingebaut install; eingefallen occur; einhalten comply keep
eingehalten comply keep; geeinigt agree; einsetzen use deploy; eingesetzt use deploy; einsatz use deployment; eingesteckt plug
eingeteilt divide; eingetreten enter occur; einzelheit detail; einziehen move; eingezogen move; entnommen withdraw; entsprechen correspond
entstehen arise originate; entstanden arise; erfahren learn experience; erforderlich required; erfüllen fulfill; ergänzen add complete
ergeben result; erleben experience; erlebnis experience; ermitteln determine investigate; erschienen appear publish; erwähnen mention
erworben acquire; festgehalten hold record; feststellen notice determine; festgestellt notice determine; geflossen flow; füllen fill
gefüllt fill; gefolgt follow; gelten apply valid; gilt apply valid; gelingen succeed; gelungen succeed; gelohnt worth; lohnen worth
genießen enjoy; gereinigt clean; sorgen ensure worry; gesessen sit; graben dig; gegraben dig; heizen heat; herausfinden discover
herausgefunden discover; herstellen produce manufacture; hergestellt produce manufacture; herstellung production; klappen work fold
geklappt work; geklaut steal; gekürzt shorten; gelacht laugh; gelegen lie located; leiden suffer; gelitten suffer; mitbringen bring
mitnehmen take; mitgenommen take; mitteilen inform; mitgeteilt inform; nachdenken think; nachgesehen check; notieren note; öffnung opening
pflegen maintain care; gepflegt maintain care; reduzieren reduce; gerissen tear; gerufen call; geschaut look watch; scheitern fail
gescheitert fail; geschmiert lubricate; setzen set sit; gesetzt set sit; stattfinden happen; stattgefunden happen; gesteckt put
gestoßen push; stoppen stop; gestoppt stop; tauschen swap exchange; getauscht swap exchange; getrennt separate; trennung separation
getreten step kick; traf meet; trank drink; überblick overview; überleben survive; übersehen overlook; überspringen skip; übersprungen skip
überschreiten exceed; überschritten exceed; überschreiben overwrite; übertragen transfer transmit; übertragung transmission transfer
überzeugen convince; übrig remaining left; umschalten switch toggle; umgeschaltet switch toggle; unterhalten entertain talk
unterscheiden distinguish; verabredung date appointment; verbrannt burnt; verbreiten spread; vergangen past; vergangenheit past
verlängern extend renew; verlängerung extension renewal; verleihen lend award; verletzen injure hurt; verpacken pack; verpackung packaging
versammlung meeting assembly; versehentlich accidentally; versorgen supply; verständnis understanding; versucht try; vertreten represent
verursachen cause; verwechseln confuse; vorgelegt submit present; vorgesehen planned intended; wecken wake; geweckt wake; weggefahren leave
weggelassen omit; wegwerfen discard throw; weitergegeben pass; wiedergabe playback; zerlegen disassemble; zubereitung preparation
zugreifen access; zugegriffen access; zuhören listen; zugehört listen; zulassen allow; zugelassen allowed approved
zulassung approval registration; abnahme decrease acceptance; zuordnen assign; zugeordnet assign; zuordnung assignment mapping
zurückkommen return; zurückgekommen return; rücktritt resignation; zurückgezogen withdraw; zurückgerufen recall callback; rückkehr return
rückgang decline; zusammengestellt compile; zuschauen watch; zugeschaut watch; zugeschickt send; zugestellt deliver; gezwungen forced
gebadet bathe; gemischt mix; gepackt pack; geregelt regulate; gestürzt fall; geträumt dream; gewusst know; gekannt know; lüften ventilate
lüftung ventilation; allein alone; allgemein general; angenehm pleasant; anwesenheit presence attendance; außen outside; außerhalb outside
innen inside; innerhalb within inside; bequem comfortable; berühmt famous; ehemalig former; einzeln individual single; elektrisch electric
empfindlich sensitive; fähig capable; gelegenheit opportunity occasion; gemütlich cozy; ungewöhnlich unusual; vierteljährlich quarterly
ausgezeichnet excellent; toll great; hilfreich helpful; hinten back behind; vorn front; leidenschaft passion; mittel means medium
nötig necessary; offiziell official; passend suitable matching; vorübergehend temporary; vorläufig preliminary provisional
schädlich harmful; schwach weak; sichtbar visible; typ type guy; üblich usual common; unabhängig independent; unbekannt unknown
unmöglich impossible; unterwegs way road; ursprünglich original; ursprung origin; vertraulich confidential; wertvoll valuable
wissenschaftlich scientific; vierzig forty; sechzig sixty; siebzig seventy; achtzig eighty; neunzig ninety; milliarde billion
jahrhundert century; jahrzehnt decade; jahrestag anniversary; jahreszeit season; vormittag morning; feierabend evening work
stichtag deadline date; gegenstand object item; lage situation position; situation situation; inhaber owner holder
herausforderung challenge; schwierigkeit difficulty; risiko risk; krise crisis; lücke gap; loch hole; fassung version; gebiet area field
bereich area range; sorte variety kind; auszeichnung award; ruf call reputation; nachfrage demand inquiry; tätigkeit activity
aktivität activity; socke sock; rock skirt rock; schal scarf; mütze cap hat; ohrring earring; halskette necklace; armband bracelet
ehering wedding ring; handtasche handbag purse; beutel bag; tüte bag; sack sack bag; schachtel box; zahnpasta toothpaste
haarschnitt haircut; taschentuch tissue handkerchief; schmutz dirt; geräusch noise sound; haupt main; gesamt total overall; sonder special
mindest minimum; dienstplan roster schedule; notruf emergency call; rauchmelder smoke detector; zählerstand meter reading
anrufbeantworter voicemail; rückfrage query question; helligkeit brightness; ein in; schul school; miet rent rental; heiz heat heating
brems brake; impf vaccinate vaccination; fahr drive; lauf run; spar save savings; park park; tank tank; start start; pack pack; strick knit
bohr drill; mess measure; schwimm swim; tanz dance; bestell order; programmier program code; weihnacht christmas; oster easter; code code
tour tour; ring ring; gold gold; abrechnung statement settlement; produktion production; schirm umbrella screen; stand state stand
zehe clove toe; hof yard farm; lehrgang course; wasch wash; koch cook chef; back bake; wohn live living; wander hike; kletter climb
renn race run; gefrier freeze; warte wait; lade charge load; prüf check verify test; such search; leih lend borrow rental; kauf buy purchase
schalt switch; rück return back; ess eat dining; lese read; schreib write; trink drink; reit ride; bade bathe bath; spül dish; steck plug
erd earth; wochenend weekend; farb color; grenz border limit; straf penalty; hilf help; kontroll control; süd south; nord north; west west
ost east; vorder front; hinter behind rear; selbst self; fern remote far; einzel single individual; doppel double; not emergency need
neben side beside; spazieren walk; spaziergang walk; jahrgang year vintage; studiengang program degree; übergang transition
nachbarschaft neighborhood; partnerschaft partnership; ortschaft village; gemeinschaft community; kundschaft customers
regelung regulation rule; talent talent gift; leisten afford perform; leiste strip bar; blutet bleed; lohnt worth; zugemacht close
zugegeben admit; zentrum center; station station; job job; training training; album album; club club; party party; studio studio
agentur agency; region region; zone zone; sensor sensor; route route; kanal channel canal; antenne antenna; drohne drone; roboter robot
klimaanlage conditioning air; fernbedienung remote control; zubehör accessories; wlan wifi; netzwerk network; kita daycare
krippe nursery crib; inspektion inspection; tüv inspection; laptop laptop; grafik graphics; ticket ticket; eingepackt pack; einpacken pack
eingegangen received; eingehen enter; eingeworfen insert; eingeschickt send; eingepflanzt plant; kirsch cherry; flüssigkeit liquid fluid
tonne bin ton; abwasser sewage wastewater; abstand distance gap; kreuz cross; schwiegersohn son law; schwiegertochter daughter law
partie game match; müllabfuhr garbage collection; studie study; löst solve trigger; übernimmt adopt take; vertritt represent; lautet named
lagerhalle warehouse; pizza pizza; gas gas; gebrauch use; umdrehung rotation; zentrifuge centrifuge; leistet afford perform; hielt hold keep
ließ let leave; rief call; schlief sleep; starb die; stirbt die; blieb stay; bricht break; brach break; flog fly; gewann win; hing hang
lud load invite; lädt load invite; las read; lieh lend borrow; schlug beat hit; sang sing; saß sit; sprang jump; stieg rise; trug wear carry
vergaß forget; verließ leave; warf throw; wuchs grow; bekam get receive; entschied decide; unterschrieb sign; beschloss decide
verstand understand; entstand arise; kannte know; nannte name call; rannte run; verstorben deceased died
`
