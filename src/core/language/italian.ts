/** Common words of Italian and what they mean, most usual first. */
export const ITALIAN: string = `
famiglia family; madre mother mom; padre father dad; mamma mom mum mother; papà dad father; genitore parent
bambino child baby kid; figlio son child; figlia daughter; fratello brother; sorella sister; zio uncle; zia aunt; cugino cousin
nipote nephew niece grandchild; nonno grandfather grandpa; nonna grandmother grandma; marito husband; moglie wife
compagno partner companion; fidanzato boyfriend fiance; fidanzata girlfriend fiancee; amico friend; vicino neighbor near neighbour
ragazzo boy boyfriend; ragazza girl girlfriend; uomo man; donna woman; persona person; gente people; nome name; chiamare call name
chiama call name; età age; matrimonio wedding marriage; sposato married; nato born; compleanno birthday; casa house home
appartamento apartment flat; piano floor plan piano; stanza room; camera room bedroom; cucina kitchen cooking; cucinare cook
bagno bathroom bath; doccia shower; ufficio office; scala stairs ladder scale; porta door port; finestra window; muro wall
tetto roof; pavimento floor; ingresso entrance entry; uscita exit; giardino garden yard; fiore flower; albero tree; pianta plant
mobile furniture mobile; letto bed read; tavolo table; sedia chair; divano couch sofa; luce light; orologio clock watch
forno oven; frigorifero refrigerator fridge; lavatrice washer; lavastoviglie dishwasher; spazzatura trash garbage
rifiuto waste refusal; pulire clean; sporco dirty; ordinare order tidy; chiave key; rubinetto tap faucet; riscaldamento heating
presa outlet socket; elettricità electricity; elettricista electrician; strumento tool instrument; riparare repair fix
riparazione repair; affitto rent; affittare rent; proprietario owner landlord; trasloco move moving; traslocare move
indirizzo address; via street way away; strada road street; città city town; paese country village; cibo food; mangiare eat
colazione breakfast; pranzo lunch; cena dinner; piatto dish plate flat; ricetta recipe prescription; cuocere cook bake
cotto cooked; tagliare cut; fame hunger hungry; sete thirst thirsty; bere drink; bevanda drink beverage; acqua water; vino wine
birra beer; caffè coffee; tè tea; latte milk; pane bread; burro butter; formaggio cheese; uovo egg; uova egg; carne meat
maiale pork pig; pollo chicken; pesce fish; verdura vegetable; patata potato; carota carrot; pomodoro tomato; insalata salad
frutta fruit; mela apple; riso rice laughter; pasta pasta dough; farina flour; zucchero sugar; sale salt; olio oil
dolce sweet dessert; gelato ice cream; bicchiere glass; bottiglia bottle; vegetariano vegetarian; allergia allergy
allergico allergic; ristorante restaurant; conto account bill; prenotare book reserve; prenotazione reservation booking
fresco fresh cool; vestito dress suit clothes; vestire dress; pantaloni pants trousers; camicia shirt; cappotto coat
giacca jacket; scarpa shoe; cappello hat; taglia size; occhiali glasses; borsa bag purse scholarship; valigia suitcase
portare carry bring wear; pelle skin leather; cane dog; gatto cat; animale animal pet; cavallo horse; passeggiare walk
terra earth soil land; ramo branch; salute health; malato sick ill; malattia disease illness; medico doctor physician
dottore doctor; infermiere nurse; ospedale hospital; emergenza emergency; dentista dentist; farmacia pharmacy
farmaco drug medicine; medicina medicine; vaccino vaccine; appuntamento appointment date; operazione operation
fisioterapista physiotherapist; pediatra pediatrician; dolore pain; male bad pain; febbre fever; tosse cough; sangue blood
cura care treatment cure; incinta pregnant; rotto broken; rompere break; stanco tired; sonno sleep; dormire sleep; dorme sleep
corpo body; testa head; faccia face; occhio eye; occhi eye; bocca mouth; dente tooth; lingua language tongue; capelli hair
collo neck; gola throat; mano hand; dito finger; schiena back; stomaco stomach; gamba leg; ginocchio knee; piede foot; cuore heart
parrucchiere hairdresser; scuola school; studente student; studiare study; studio study office; studia study; insegnante teacher
professore professor teacher; corso course; classe class; lezione lesson lecture; compito task homework; esame exam
voto grade vote; università university; penna pen; carta paper card; libro book; lettura reading; leggere read; legge law read
scrivere write; scrive write; scritto written; scrittura writing; contare count; matematica mathematics math; storia history story
imparare learn; apprendimento learning; conoscere know; conosce know; conoscenza knowledge; sapere know; so know; sa know
biblioteca library; sport sport; giocare play; gioco game; squadra team; partita match game; vincere win; perdere lose; perso lost
calcio football soccer kick; nuoto swimming; nuotare swim; piscina pool; correre run; corsa race running; bicicletta bicycle bike
bici bike; ballo dance; ballare dance; palestra gym; allenamento training workout; palla ball; musica music; cantare sing
cantante singer; concerto concert; chitarra guitar; pianoforte piano; batteria battery drums; ascoltare listen; rumore noise
voce voice entry; film film movie; cinema cinema movie; televisione television tv; fotografia photograph photography; foto photo
museo museum; mostra exhibition show; disegno drawing design; disegnare draw; autore author; scrittore writer; giornale newspaper
abbonamento subscription; tempo time weather; libero free; festa party holiday; natale christmas; pasqua easter
vacanza vacation holiday; ferie vacation holiday leave; regalo gift present; invitare invite; invito invitation; ospite guest host
ricordo memory souvenir; ricordare remember remind; morte death; morire die; chiesa church; viaggio trip travel journey
viaggiare travel; partire leave depart; partenza departure; arrivare arrive; arrivo arrival; ritorno return; tornare return
treno train; stazione station; aereo plane airplane; aeroporto airport; volo flight; volare fly; biglietto ticket; autobus bus
macchina car machine; auto car; automobile car; camion truck lorry; albergo hotel; passaporto passport; bagaglio luggage baggage
guida guide driving; visita visit; visitare visit; spiaggia beach; mare sea; montagna mountain; nord north; sud south
sinistra left; destra right; diritto right law; autostrada highway motorway; posto place seat; luogo place; percorso path route
italia italy; italiano italian; francia france; francese french; germania germany; tedesco german; inghilterra england
inglese english; spagna spain; spagnolo spanish; giappone japan; europa europe; sole sun; pioggia rain; piovere rain; piove rain
neve snow; caldo hot warm heat; freddo cold; temperatura temperature; soldi money; denaro money; contanti cash; banca bank
pagare pay; paga pay; pagamento payment; gratis free; costare cost; costo cost; caro expensive dear; prezzo price; sconto discount
offerta offer; acquisto purchase; acquistare purchase buy; comprare buy; vendere sell; vendita sale; venditore seller
negozio store shop; mercato market; supermercato supermarket; cassa checkout register; carrello cart; cestino basket trash
spesa shopping expense groceries; lista list; elenco list; ricevuta receipt; fattura invoice bill; fatturazione billing
rimborso refund reimbursement; rimborsare refund; cambio change exchange; garanzia warranty guarantee; marca brand
qualità quality; prodotto product; scelta choice; scegliere choose; consegna delivery; consegnare deliver; pacco parcel package
pacchetto package; spedire ship send; spedizione shipping shipment; posta mail post; lettera letter; stipendio salary wage
risparmio savings; risparmiare save; prestito loan; debito debt; credito credit; interesse interest; tassa tax fee
deposito deposit repository; guadagnare earn; pensione pension retirement; assicurazione insurance; assicurare insure ensure
polizza policy; danno damage give; incidente accident incident; incendio fire; fuoco fire; polizia police; patente license driving
guidare drive; motore engine motor; benzina gasoline petrol; ricarica charging refill; parcheggio parking; parcheggiare park
guasto failure breakdown; velocità speed; veloce fast quick; lento slow; traffico traffic; pieno full; vuoto empty; data date
giorno day; giornata day; settimana week; mese month; anno year; lunedì monday; martedì tuesday; mercoledì wednesday
giovedì thursday; venerdì friday; sabato saturday; domenica sunday; gennaio january; febbraio february; marzo march; aprile april
maggio may; giugno june; luglio july; agosto august; settembre september; ottobre october; novembre november; dicembre december
primavera spring; estate summer; autunno autumn fall; inverno winter; stagione season; mattina morning; pomeriggio afternoon
sera evening; notte night; oggi today; ieri yesterday; domani tomorrow; ora hour now time; minuto minute; momento moment
adesso now; presto early soon; tardi late; ritardo delay late; ultimo last latest; prossimo next; precedente previous; vecchio old
recente recent; attuale current; passato past; futuro future; sempre always; mai never ever; spesso often; volta time; già already
ancora still again yet; poi then; prima before first; durante during; inizio start beginning; iniziare start begin
cominciare start begin; fine end; finire finish end; terminare finish end; quotidiano daily newspaper; mensile monthly
annuale annual yearly; calendario calendar; orario schedule timetable; durata duration; durare last; periodo period
scadenza deadline expiry; scadere expire; due two; tre three; quattro four; cinque five; sette seven; otto eight; nove nine
dieci ten; venti twenty; trenta thirty; quaranta forty; cinquanta fifty; cento hundred; mille thousand; milione million
primo first; secondo second; mezzo half means; quarto quarter fourth; numero number; percentuale percentage; somma sum
totale total; media average mean; quanto many much; molto very much many; poco few little; troppo too; abbastanza enough; più more
meno less minus; quasi almost; circa about around; intero whole integer; ogni each every; nessuno none nobody; solo alone only
insieme together set; colore color colour; rosso red; blu blue; verde green; giallo yellow; nero black; bianco white
chiaro clear light; grande big large; piccolo small little; alto high tall; basso low short; lungo long; pesante heavy
leggero light; peso weight; misura measure size; misurare measure; forte strong loud; buono good; bene well good; meglio better
migliore best better; cattivo bad; bello beautiful nice; brutto ugly bad; nuovo new; giovane young; semplice simple; facile easy
difficile difficult hard; difficoltà difficulty; vero true real; falso false; giusto right correct fair; sbagliato wrong
sbagliare mistake wrong; sicuro sure safe secure; certo certain sure; possibile possible; impossibile impossible
necessario necessary; utile useful; importante important; principale main; speciale special; comune common municipality
normale normal; divertente fun funny; interessante interesting; felice happy; contento happy glad; paura fear afraid
preoccupare worry; disponibile available; disponibilità availability; privato private; pubblico public; personale personal staff
aperto open; chiuso closed; stesso same; uguale equal same; altro other another; diverso different; differenza difference
interno internal inside; esterno external outside; locale local; pericoloso dangerous; perfetto perfect; completo complete full
lontano far; centro center; sopra above; sotto below under; davanti front; dietro behind; fuori outside; dentro inside; qui here
là there; preferito favorite preferred; preferire prefer; lavoro work job; lavorare work; impiego job employment
impiegato employee clerk; dipendente employee dependent; azienda company business; società company society
collega colleague coworker; capo boss head chief; direttore director manager; responsabile responsible manager
gestire manage handle; gestione management; avvocato lawyer; riunione meeting; incontro meeting encounter; incontrare meet
conferenza conference; colloquio interview; candidatura application; cliente customer client; fornitore supplier vendor provider
fornire provide supply; ordine order; preventivo quote estimate; accordo agreement; contratto contract; firma signature
firmare sign; approvazione approval; approvare approve; autorizzare authorize; autorizzazione authorization permission
rifiutare refuse reject; accettare accept; richiesta request; richiedere request require; richiesto requested required
chiedere ask; chiesto asked; domanda question application; relazione report relationship; rapporto report relationship ratio
presentazione presentation; presentare present introduce; bilancio budget balance; obiettivo goal objective; progetto project
progettare design plan; pianificazione planning; attività activity task; fase phase step; passo step; priorità priority
urgente urgent; decisione decision; decidere decide; deciso decided; servizio service; formazione training; stampante printer
stampare print; stampa print press; telefono phone telephone; telefonare phone call; cellulare mobile phone; messaggio message
rispondere answer reply; risposta answer response; segnalare report; segnalazione report; documento document
documentazione documentation; archivio archive; organizzare organize; organizzazione organization; legale legal
processo process trial; bisogno need; requisito requirement; politica policy politics; regola rule; regolamento regulation
stato state status; magazzino warehouse; crescere grow; aumento increase raise; aumentare increase; ridurre reduce
previsto planned expected; rimandare postpone; annullare cancel undo; annullamento cancellation; confermare confirm
conferma confirmation; rinnovare renew; rinnovo renewal; licenza license; permesso permission permit; programma program
programmare program schedule; programmazione programming; sviluppatore developer; sviluppo development; sviluppare develop
applicazione application app; codice code; cartella folder; parola word password; utente user; usare use; uso use; utilizzare use
utilizzo use usage; amministratore administrator admin; accesso access login; accedere access login; connessione connection
collegare connect link; collegamento link connection; segreto secret; dato data given; dati data; salvare save
registrare record register; registro log register; registrazione recording registration; ripristinare restore
ripristino restore recovery; archiviazione storage; conservare keep store; memoria memory; rete network; sito site; pagina page
schermo screen; visualizzare display view; scheda tab card; pulsante button; tasto key button; tastiera keyboard
ricerca search research; cercare search look; cerca search; trovare find; trova find; filtro filter; prova test proof trial
provare try test; fallire fail; riuscire succeed; successo success happened; costruire build; costruzione construction build
distribuire deploy distribute; pubblicare publish release; pubblicazione publication; rilascio release; rilasciare release
versione version; aggiornare update; aggiornamento update; installare install; installazione installation; configurare configure
configurazione configuration; impostazione setting; impostare set; parametro parameter; opzione option; attivare enable activate
attivo active; abilitare enable; acceso lit; spegnere off; spento off; avviare start launch; avvio startup start
riavviare restart; riavvio restart reboot; fermare stop; interrompere interrupt stop; eseguire run execute
esecuzione execution run; funzionare work function; funzione function; funzionalità feature; libreria library bookstore
dipendenza dependency; errore error mistake; problema problem issue; avviso notice warning; avvisare warn notify; allarme alarm
notifica notification; monitoraggio monitoring; correggere fix correct; corretto correct fixed; correzione fix correction
risolvere solve resolve; risolto solved resolved; soluzione solution; causa cause; motivo reason; ragione reason
perdita loss leak; bloccare block lock; blocco block lock; vietato forbidden; permettere allow; consentire allow
sicurezza security safety; cifrare encrypt; cifratura encryption; certificato certificate; autenticazione authentication
vulnerabilità vulnerability; rischio risk; proteggere protect; protezione protection; unire merge join; verificare check verify
verifica verification check; controllare check control; controllo check control; coda queue tail; attesa wait waiting
aspettare wait; attendere wait; carico load; caricare load upload charge; caricamento loading upload; scaricare download
importare import; esportare export; copiare copy; copia copy; eliminare delete remove; cancellare delete cancel; rimuovere remove
aggiungere add; aggiunto added; modificare modify edit change; modifica change edit; cambiare change; cambiamento change
sostituire replace; rinominare rename; spostare move; creare create; formato format; formattazione formatting; formattare format
ortografia spelling; punto point period; spazio space; linea line; colonna column; testo text; frase sentence; titolo title
traduzione translation; stile style; valore value; metodo method; tabella table; campo field; tipo type kind; schema schema
modello model template; latenza latency; prestazione performance; limite limit; capacità capacity ability; ambiente environment
produzione production; interfaccia interface; digitale digital; aiuto help; aiutare help; assistenza support assistance
supporto support; consiglio advice tip; consigliare recommend advise; manutenzione maintenance; mantenere keep maintain
tesi thesis; articolo article paper; ricercatore researcher; laboratorio lab laboratory; esperimento experiment
esperienza experience; campione sample champion; risultato result; statistica statistics statistic; analisi analysis
argomento topic subject; tema theme topic; capitolo chapter; fonte source; riferimento reference; grafico chart graph; tasso rate
esempio example; andare go; vado go; vai go; va go; vanno go; andato gone; venire come; vengo come; viene come; venuto come
fare make do; faccio make do; fa make do; fanno make do; fatto done made fact; potere can power; posso can; può can; volere want
voglio want; vuoi want; vuole want; vorrei want; dovere must duty; devo must; deve must; dire say tell; dico say; dice say
detto said; parlare speak talk; parla speak talk; spiegare explain; descrivere describe; vedere see; vede see; visto seen
guardare look watch; mostrare show; sentire hear feel; sente hear feel; pensare think; credere believe; capire understand
capito understood; dimenticare forget; amore love; piacere like pleasure; piace like; prendere take; preso taken; dare give
dà give; ricevere receive; ottenere get obtain; portato brought; lasciare leave let; restare stay remain; rimanere stay remain
abitare live; vivere live; vita life; entrare enter; uscire exit leave; esce exit leave; salire climb; scendere descend
sveglia alarm awake; aprire open; chiudere close shut; tenere hold keep; tiene hold keep; contenere contain; contiene contain
mettere put; messo put; seguire follow; evitare avoid; continuare continue; ripetere repeat; servire serve need; lavare wash
migliorare improve; miglioramento improvement; condividere share; condiviso shared; inviare send; mandare send; invio sending send
grazie thanks; proporre propose suggest; confrontare compare; confronto comparison; valutare evaluate assess; definire define
significare mean; includere include; diventare become; causare cause; effetto effect; applicare apply; preparare prepare
partecipare participate attend; trasferire transfer; togliere remove; inserire insert enter; allegare attach; forse maybe perhaps
subito immediately; automatico automatic; manuale manual; solito usual; perché why because; quando when; dove where; chi who
quale which; cosa thing what; qualcosa something; qualcuno someone; modo way; caso case chance; livello level; parte part
dettaglio detail; forma form shape; scatola box; evento event; gruppo group; immagine image picture; notizia news; mondo world
macchia stain spot
`
