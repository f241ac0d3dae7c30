/** Common words of French and what they mean, most usual first. */
export const FRENCH: string = `
famille family; mère mother mom; père father dad; maman mom mum mother; papa dad father; enfant child kid; enfance childhood
fils son; fille daughter girl; garçon boy waiter; frère brother; sœur sister; soeur sister; bébé baby; oncle uncle; tante aunt
neveu nephew; nièce niece; grand-mère grandmother grandma; grand-père grandfather grandpa; mamie grandma grandmother
beau-père father-in-law stepfather; belle-mère mother-in-law stepmother; beau-frère brother-in-law; belle-sœur sister-in-law
mari husband; femme wife woman; homme man; époux husband spouse; épouse wife spouse; copain boyfriend friend
copine girlfriend friend; ami friend; amitié friendship; voisin neighbor neighbour; jumeau twin; mariage wedding marriage
marier marry; marié married groom; naissance birth; né born; anniversaire birthday anniversary; gens people
personne person nobody; monde world people; dame lady; nom name; prénom name first; appeler call name; appelle call name; âge age
âgé old elderly; vieux old; vieil old; jeune young; jeunesse youth; maison house home; appartement apartment flat
immeuble building; bâtiment building; étage floor story; pièce room part coin; chambre bedroom room; salon living lounge
séjour stay living; cuisine kitchen cooking; cuisiner cook; bain bath; douche shower; toilettes toilet bathroom
bureau office desk; cave cellar basement; couloir hallway corridor; escalier stairs staircase; porte door; fenêtre window
mur wall; toit roof; plafond ceiling; sol floor ground soil; entrée entrance entry starter; sortie exit release outing
jardin garden yard; jardiner garden; pelouse lawn; fleur flower; arbre tree; plante plant; planter plant crash; meuble furniture
lit bed read; oreiller pillow; couverture blanket cover coverage; placard cupboard closet; tiroir drawer; étagère shelf
table table; chaise chair; fauteuil armchair; canapé couch sofa; lampe lamp; lumière light; miroir mirror; horloge clock
réveil alarm waking; tableau table board painting; four oven; réfrigérateur refrigerator fridge; frigo fridge refrigerator
congélateur freezer; lave-vaisselle dishwasher; vaisselle dishes; linge laundry; aspirateur vacuum; poubelle trash bin garbage
déchet waste; ménage household cleaning; nettoyer clean; nettoyage cleaning cleanup; ranger tidy store; rangement storage tidying
sale dirty; propre clean own; clé key; clef key; serrure lock; robinet tap faucet; évier sink; chauffer heat; chaudière boiler
prise outlet socket plug; électricité electricity; électricien electrician; électrique electric; plombier plumber; peintre painter
peinture paint painting; travaux works construction renovation; outil tool; vis screw live; colle glue; coller paste stick glue
réparer repair fix; réparation repair; loyer rent; louer rent; location rental; propriétaire owner landlord; déménager move
déménagement move moving; adresse address; rue street; quartier neighborhood district; ville city town; village village
campagne countryside campaign; nourriture food; alimentation food diet power; manger eat; repas meal; déjeuner lunch; dîner dinner
petit-déjeuner breakfast; goûter snack taste; goût taste; plat dish flat; recette recipe acceptance; cuire cook bake
cuit cooked baked; cuisson cooking; frites fries; mélanger mix; mélange mix mixture; couper cut; tranche slice; verser pour pay
faim hunger hungry; soif thirst thirsty; boire drink; bois wood drink; boit drink; bu drink; boisson drink beverage; eau water
vin wine; bière beer; jus juice; café coffee; thé tea; lait milk; chocolat chocolate; pain bread; boulangerie bakery
boulanger baker; beurre butter; miel honey; fromage cheese; crème cream; œuf egg; oeuf egg; viande meat; bœuf beef; boeuf beef
porc pork; poulet chicken; agneau lamb; jambon ham; saucisse sausage; boucher butcher; poisson fish; saumon salmon; thon tuna
légume vegetable; pomme apple; patate potato; carotte carrot; tomate tomato; oignon onion; ail garlic; salade salad lettuce
haricot bean; chou cabbage; champignon mushroom; poire pear; pêche peach fishing; cerise cherry; fraise strawberry; raisin grape
citron lemon; banane banana; noix nut walnut; riz rice; pâtes pasta; pâte dough batter paste; farine flour; sucre sugar
sucré sweet; sel salt; salé salty savory; poivre pepper; huile oil; épice spice; soupe soup; gâteau cake; glace ice cream mirror
dessert dessert; levain sourdough; assiette plate; bol bowl; verre glass; tasse cup mug; bouteille bottle; couteau knife
fourchette fork; cuillère spoon; casserole saucepan pot; végétarien vegetarian; régime diet regime; allergie allergy
allergique allergic; restaurant restaurant; serveur server waiter; addition bill addition; réserver book reserve
réservation reservation booking; cru raw believed; frais fresh cool costs; fraîche fresh cool; délicieux delicious
vêtement clothes clothing; habiller dress; robe dress; pantalon pants trousers; chemise shirt folder; pull sweater jumper
manteau coat; veste jacket; chaussure shoe; chaussette sock; chapeau hat; ceinture belt; poche pocket; bouton button
taille size waist; lunettes glasses; montre watch show; sac bag; valise suitcase; parapluie umbrella; porter wear carry
tricoter knit; chien dog; chat cat chat; animal animal pet; oiseau bird; cheval horse; lapin rabbit; souris mouse
vétérinaire vet veterinarian; laisse leash leave; promener walk; race breed race; potager vegetable garden; arroser water
arrosage watering; récolter harvest collect; compost compost; terre earth soil land; feuille leaf sheet; branche branch
rose rose pink; ferme farm firm; champ field; forêt forest; santé health; malade sick ill; maladie disease illness
médecin doctor physician; docteur doctor; infirmier nurse; hôpital hospital; urgence emergency urgency; dentiste dentist
pharmacie pharmacy; médicament medicine medication drug; ordonnance prescription; vaccin vaccine; vacciner vaccinate
rendez-vous appointment meeting; rendez appointment return; opération operation surgery; chirurgien surgeon
kinésithérapeute physiotherapist; psychologue psychologist; pédiatre pediatrician; douleur pain ache; mal pain bad badly
blessure injury wound; blessé injured hurt; blesser hurt injure; fièvre fever; toux cough; grippe flu; tension tension pressure
sang blood; analyse analysis; soigner treat care; soin care treatment; traitement treatment processing
traiter treat process handle; diagnostic diagnosis diagnostic; enceinte pregnant speaker; grossesse pregnancy; cassé broken
casser break; fatigue fatigue tiredness; fatigué tired; sommeil sleep; dormir sleep; dort sleep; rêve dream; rêver dream
groupe group; corps body; tête head; visage face; œil eye; oeil eye; yeux eye; oreille ear; nez nose; bouche mouth; dent tooth
langue language tongue; cheveu hair; gorge throat; épaule shoulder; bras arm; main hand; doigt finger; dos back
ventre belly stomach; estomac stomach; jambe leg; genou knee; cheville ankle; pied foot; peau skin; cœur heart; coeur heart
cerveau brain; coiffeur hairdresser barber; coupe cut cup haircut; savon soap; brosse brush; école school; collège school middle
lycée school high; élève student pupil; étudiant student; étudier study; étude study; professeur teacher professor; prof teacher
enseigner teach; enseignement teaching education; maître master teacher; cours course class lesson; classe class; leçon lesson
devoir homework must duty; exercice exercise; examen exam; note note grade; université university; cahier notebook; stylo pen
papier paper; règle rule ruler; livre book pound; lecture reading; lire read; lis read; lu read; lisible readable; écrire write
écrit write written; écriture writing; calcul calculation computation; calculer calculate compute; compter count
compte account count; mathématiques mathematics math; histoire history story; physique physics physical; apprendre learn
appris learned; apprentissage learning apprenticeship; connaître know; connaît know; connu known; connaissance knowledge
savoir know knowledge; sais know; sait know; su know; rentrée return school; bibliothèque library
inscription registration enrollment; inscrire register enroll; inscrit registered; jouer play; jeu game set; joueur player
jouet toy; équipe team; match match game; gagner win earn; perdre lose; perd lose; perdu lost; perte loss; foot football soccer
natation swimming; nager swim; piscine pool; courir run; court short run; couru run; course race running errand
vélo bike bicycle cycling; randonnée hike hiking; grimper climb; danse dance; danser dance; entraînement training workout
entraîner train coach; ballon ball balloon; balle ball bullet; but goal; échecs chess; échec failure; bateau boat ship
salle room hall; musique music; chanson song; chant singing song; chanter sing; chanteur singer; concert concert; guitare guitar
batterie battery drums; disque disk record; écouter listen; bruit noise; voix voice; cinéma cinema movie; théâtre theater
spectacle show; série series; télévision television tv; télé tv television; photo photo picture; appareil device camera
musée museum; exposition exhibition exposure; artiste artist; dessin drawing; dessiner draw; loisir leisure hobby; roman novel
auteur author; journal newspaper journal log; revue review journal magazine; abonnement subscription; abonner subscribe
fête party holiday celebration; fêter celebrate; noël christmas; pâques easter; vacances vacation holiday
congé leave vacation holiday; cadeau gift present; offrir offer give; offert offered given free; inviter invite
invité guest invited; hôte host guest; bougie candle; carte card map menu; félicitations congratulations
souvenir memory souvenir remember; souviens remember; rappeler remind recall callback; rappel reminder recall
enterrement funeral burial; mort death dead; mourir die; meurt die; décès death; décédé deceased died; église church
voyage trip travel journey; voyager travel; touriste tourist; tourisme tourism; partir leave go; pars leave go
part share leave part; parti left party gone; départ departure start; arriver arrive happen; retour return back feedback
retourner return; revenir return; revient return; train train; gare station; avion plane airplane; aéroport airport
vol flight theft; voler fly steal; billet ticket; voiture car; auto car auto; camion truck lorry; moto motorcycle motorbike
hôtel hotel; tente tent; camping camping campsite; passeport passport; frontière border; bagage luggage baggage; visite visit tour
visiter visit; plage beach; mer sea; île island; lac lake; rivière river; fleuve river; montagne mountain; pays country
étranger foreign foreigner abroad; nord north; sud south; ouest west; gauche left; droit right law straight; chemin path way
route road route; autoroute highway motorway; pont bridge; feu fire light; place place seat square; lieu place location
endroit place spot; itinéraire route itinerary; trajet trip commute route; siège seat headquarters; allemagne germany
français french; anglais english; espagne spain; espagnol spanish; italie italy; italien italian; londres london
temps time weather; météo weather forecast; soleil sun; pluie rain; pleuvoir rain; pleut rain; neige snow; neiger snow; vent wind
orage storm thunderstorm; tempête storm; nuage cloud; brouillard fog; chaleur heat; chaud hot warm; froid cold; humidité humidity
sec dry; sèche dry; sécher dry; mouillé wet; température temperature; degré degree; argent money silver
monnaie change currency coin; espèces cash; banque bank; bancaire bank; payer pay; paie pay payroll; paiement payment
gratuit free; coûter cost; coût cost; cher expensive dear; chère expensive dear; prix price prize; tarif rate price tariff
réduction discount reduction; remise discount delivery; achat purchase; acheter buy purchase; achète buy; acheteur buyer
vendre sell; vend sell; vendu sold; vente sale; vendeur seller salesman; magasin store shop; boutique shop store; marché market
supermarché supermarket; caisse register checkout cash; panier cart basket; courses shopping groceries errands; liste list
reçu receipt received; ticket ticket receipt; facture invoice bill; facturer bill invoice charge; facturation billing invoicing
rembourser refund reimburse repay; remboursement refund reimbursement; échanger exchange swap; garantie warranty guarantee
garantir guarantee; marque brand mark; qualité quality; article article item paper; produit product produce; choix choice
choisir choose select; livrer deliver; livraison delivery; colis parcel package; paquet package packet; envoi shipment sending
envoyer send; envoie send; expédier ship send; poste post position mail; courrier mail letter; lettre letter; salaire salary wage
revenu income revenue; dépense expense spending; dépenser spend; épargne savings; économie economy saving; économiser save
prêt loan ready; prêter lend; emprunter borrow; dette debt; crédit credit; intérêt interest; impôt tax; taxe tax; tva vat
virement transfer; retrait withdrawal; déposer deposit drop; dépôt deposit repository depot; pauvre poor
héritage inheritance legacy; retraite retirement pension; retraité retired retiree; assurance insurance; assurer insure ensure
sinistre claim damage; contrat contract; police policy police font; déclaration declaration statement; déclarer declare report
responsabilité liability responsibility; responsable responsible manager; policier police officer; permis permit license
conduire drive; conduit drive lead; conduite driving behavior; moteur engine motor; pneu tire tyre; roue wheel
essence gasoline petrol fuel; recharge charging refill; recharger recharge reload charge; stationnement parking; garer park
garé parked; panne breakdown outage failure; révision review revision service; contrôle control check inspection
contrôler control check; mécanicien mechanic; casque helmet headset headphones; vitesse speed gear; rapide fast quick
rapidement quickly fast; lent slow; lentement slowly; circulation traffic circulation; remplir fill; plein full; vide empty
jour day date; journée day; semaine week; mois month; an year; année year; lundi monday; mardi tuesday; mercredi wednesday
jeudi thursday; vendredi friday; samedi saturday; dimanche sunday; week-end weekend; janvier january; février february; mars march
avril april; mai may; juin june; juillet july; août august; septembre september; octobre october; novembre november
décembre december; printemps spring; été summer; automne autumn fall; hiver winter; saison season; matin morning; midi noon
après-midi afternoon; soir evening night; soirée evening party; nuit night; minuit midnight; aujourd today; aujourd'hui today
hui today; hier yesterday; demain tomorrow; heure hour time; minute minute; seconde second; instant moment; maintenant now
bientôt soon; tôt early; tard late; retard delay late; retarder delay; avance advance ahead; avancer advance progress
dernier last latest; dernière last latest; prochain next; suivant next following; précédent previous; ancien old former
récent recent; récemment recently; actuel current; actuellement currently; passé past; passer pass spend; futur future
avenir future; toujours always still; jamais never ever; souvent often; parfois sometimes; déjà already; encore still again yet
ensuite then next; puis then; enfin finally; finalement finally; avant before; après after; pendant during; depuis since
longtemps long; début start beginning; débuter start begin; commencer start begin; fin end fine thin; finir finish end
terminer finish end complete; quotidien daily; hebdomadaire weekly; mensuel monthly; annuel annual yearly; trimestre quarter
calendrier calendar schedule; agenda calendar diary agenda; horaire schedule timetable; durée duration length; durer last
période period; délai deadline delay; échéance deadline due; fois time times; zéro zero; deux two; trois three; quatre four
cinq five; sept seven; huit eight; neuf nine new; neuve new; dix ten; douze twelve; quinze fifteen; vingt twenty; trente thirty
quarante forty; cinquante fifty; soixante sixty; cent hundred; mille thousand; million million; milliard billion; premier first
première first; deuxième second; troisième third; moitié half; demi half; quart quarter; nombre number; numéro number
chiffre digit figure number; pourcentage percentage; somme sum; moyen average means medium; combien many much; plusieurs several
beaucoup many much lot; peu few little; trop too; assez enough; plus more; moins less minus; presque almost; entier whole integer
seul alone only single; seulement only; uniquement only; ensemble together set; unique unique single; quelque some
couleur color colour; rouge red; bleu blue; vert green; jaune yellow; noir black; blanc white; gris gray grey; marron brown
clair clear light; sombre dark; grand big large tall; gros big fat; énorme huge; petit small little; haut high top; bas low bottom
longueur length; large wide large; profond deep; lourd heavy; léger light slight; légère light slight; poids weight
mesure measure measurement; mesurer measure; carré square; dur hard; doux soft gentle sweet; douce soft gentle sweet
fort strong loud; force strength force; faible weak low; bon good; bonne good; bien well good; mieux better; meilleur best better
mauvais bad wrong; pire worse worst; beau beautiful handsome; belle beautiful; beauté beauty; joli pretty nice; nouveau new
nouvel new; nouveauté novelty feature new; moderne modern; simple simple easy; simplement simply; facile easy; facilement easily
difficile difficult hard; difficulté difficulty; compliqué complicated; complexe complex; vrai true real; vraiment really
vérité truth; faux false wrong; fausse false wrong; juste fair just right; correct correct; exact exact correct; précis precise
sûr sure safe; certain certain some; nécessaire necessary; utile useful; inutile useless; important important
importance importance; essentiel essential; principal main principal; spécial special; général general; commun common shared
habitude habit; drôle funny; intéressant interesting; heureux happy; content happy glad; triste sad; fâché angry; peur fear afraid
inquiet worried; sérieux serious; intelligent smart intelligent; patient patient; patience patience; occupé busy
libre free available; disponible available; disponibilité availability; indisponible unavailable; privé private; public public
publique public; personnel personal staff; ouvert open; fermé closed; même same; autre other another; différent different
différence difference; interne internal; externe external; extérieur outside exterior; intérieur inside interior
dangereux dangerous; danger danger; grave serious severe; parfait perfect; complet complete full; complète complete full; loin far
proche close near; près near; côté side; centre center; coin corner; devant front; derrière behind; dehors outside
partout everywhere; ici here; travail work job; travailler work; emploi job employment; employé employee; employeur employer
employer use employ; métier job profession trade; profession profession; entreprise company business; société company society
collègue colleague coworker; chef boss chief; directeur director manager; direction direction management; gérer manage handle
gère manage handle; gestion management; stage internship; avocat lawyer avocado; comptable accountant; réunion meeting
entretien interview maintenance; candidature application; recrutement recruitment hiring; licencier fire dismiss
client customer client; fournisseur supplier provider vendor; fournir provide supply; partenaire partner
concurrence competition concurrency; commande order command; commander order; commercial commercial sales
affaire deal business matter; offre offer; devis quote estimate; négocier negotiate; accord agreement deal; signer sign
approbation approval; approuver approve; valider validate approve; validation validation approval; autoriser authorize allow
autorisation authorization permission; refuser refuse reject decline; refus refusal rejection; accepter accept; rejeter reject
rejet rejection; demande request demand application; demander ask request; rapport report relationship; présentation presentation
présenter present introduce; objectif goal objective; cible target; projet project; planifier plan schedule
planification planning scheduling; planning schedule; plan plan map; tâche task; étape step stage; priorité priority
urgent urgent; décision decision; décider decide; stratégie strategy; service service department; département department
formation training; former train form; formateur trainer; équipement equipment; matériel hardware equipment material
imprimante printer; imprimer print; impression printing impression; téléphone phone telephone; téléphoner phone call
portable mobile laptop portable; appel call; courriel email; mail email mail; répondre answer reply respond; répond answer reply
réponse answer response reply; signaler report signal; dossier folder file record; formulaire form; archiver archive
classer sort file rank; organiser organize; organisation organization; confidentiel confidential
confidentialité privacy confidentiality; loi law; légal legal; procès trial; plainte complaint; réclamation complaint claim
besoin need; exigence requirement; politique policy politics political; règlement regulation settlement payment; état state status
stock stock inventory; croissance growth; augmentation increase raise; augmenter increase raise; diminuer decrease reduce
baisse decrease drop; réduire reduce; prévision forecast; prévoir plan expect forecast; prévu planned scheduled
reporter postpone defer; annuler cancel undo; annulation cancellation; confirmer confirm; renouveler renew; renouvellement renewal
expirer expire; expiration expiration expiry; logiciel software; ordinateur computer; informatique computing computer it
programmer program schedule; programmation programming; développer develop; développement development; application application app
appli app application; fichier file; répertoire directory; mot word; passe pass password; identifiant identifier username id
identifier identify; identité identity; utilisateur user; utiliser use; utilisation use usage; usage use usage
administrateur administrator admin; accès access; accéder access; connexion connection login; connecter connect login; jeton token
base base database; données data; requête query request; enregistrer save record register; enregistrement record recording
sauvegarder save backup; sauvegarde backup save; restaurer restore; restauration restoration restore; stocker store save
stockage storage; mémoire memory thesis; cache cache hidden; cacher hide; caché hidden; réseau network; héberger host
domaine domain; site site website; internet internet; lien link; écran screen; afficher display show; barre bar; touche key touch
recherche search research; rechercher search; chercher search look; trouver find; filtre filter; filtrer filter; trier sort
tester test; essai test trial; essayer try; essaie try; échouer fail; réussir succeed pass; réussi successful passed
réussite success; succès success; compiler compile build; compilation build compilation; construire build; construit build built
construction construction build; déployer deploy; déploiement deployment deploy rollout; publier publish release
publication publication release; version version; mettre put set; met put; mis put; mise put setup update
actualiser update refresh; installer install; installation installation setup; configurer configure
configuration configuration setup; paramètre parameter setting; régler set adjust pay; préférence preference; préférer prefer
préfère prefer; préféré favorite preferred; défaut default defect flaw; activer enable activate; activé enabled
désactiver disable deactivate; allumer light; allumé lit; éteindre off extinguish; éteint off; démarrer start boot
démarrage startup boot start; redémarrer restart reboot; arrêter stop; arrêt stop shutdown; lancer launch start throw
lancement launch; exécuter run execute; exécution execution run runtime; tourner turn run shoot; fonctionner work function
fonctionnement operation functioning; fonctionnalité feature functionality; fonction function; fonctionnel functional
dépendance dependency; dépendre depend; dépend depend; erreur error mistake; faute fault mistake error; problème problem issue
avertissement warning; avertir warn notify; alerte alert alarm; alerter alert; alarme alarm; notifier notify; tracer trace
surveiller monitor watch; surveillance monitoring surveillance; astreinte oncall duty; garde guard care custody; garder keep guard
corriger fix correct; correction correction fix; résoudre solve resolve; résolu solved resolved; déboguer debug
contournement workaround; raison reason; fuite leak; bloquer block; blocage block blocking; verrouiller lock; verrou lock
permettre allow permit; permet allow; interdire forbid ban; interdit forbidden prohibited; interdiction ban prohibition
sécurité security safety; sécuriser secure; chiffrer encrypt; chiffrement encryption; chiffré encrypted; certificat certificate
authentification authentication; authentifier authenticate; pare-feu firewall; attaque attack; pirater hack
vulnérabilité vulnerability; risque risk; protéger protect; protège protect; fusionner merge; fusion merge fusion
étiquette label tag; relire review reread; relecture review proofreading; vérifier check verify; vérification verification check
conteneur container; nœud node; noeud node; processeur processor cpu; processus process; file queue line; attendre wait expect
attend wait; charge load charge; charger load charge; chargement loading load; télécharger download; téléchargement download
importer import matter; exporter export; copier copy; supprimer delete remove; suppression deletion removal
effacer erase delete clear; ajouter add; ajout addition; modifier modify change edit; modification change modification
changer change; changement change; remplacer replace; remplacement replacement; déplacer move; déplacement move travel trip
créer create; création creation; format format; formater format; formatage formatting; orthographe spelling; grammaire grammar
virgule comma; point point period; espace space; ligne line row; colonne column; caractère character; chaîne string chain channel
texte text; phrase sentence; paragraphe paragraph; titre title; traduction translation; traduire translate; style style
valeur value; objet object; méthode method; schéma schema diagram; modèle model template pattern; migrer migrate; latence latency
optimiser optimize; limite limit; limiter limit; dépasser exceed overtake; capacité capacity ability; intégration integration
intégrer integrate; environnement environment; composant component; navigateur browser; intelligence intelligence; réel real
tablette tablet; soutien support; support support medium; aide help; aider help; conseil advice council tip
conseiller advise advisor; fermeture closing; conserver keep retain; maintenance maintenance; maintenir maintain
thèse thesis dissertation; doctorat doctorate phd; chercheur researcher; laboratoire lab laboratory
expérience experiment experience; échantillon sample; résultat result; statistique statistic statistics; hypothèse hypothesis
théorie theory; analyser analyze; sondage survey poll; participant participant; sujet subject topic; chapitre chapter
résumé summary abstract; résumer summarize; conclure conclude; citation quote citation; source source; référence reference
brouillon draft; rédiger write draft; rédaction writing; séminaire seminar; soumettre submit; soumis submitted
soumission submission; financement funding financing; graphique chart graph graphic; protocole protocol
précision precision accuracy; fiable reliable; fiabilité reliability; taux rate; découvrir discover; énergie energy
genre kind gender; exemple example; aller go; vais go; vas go; va go; vont go; allé gone; ira go; irai go; venir come; viens come
viennent come; venu come; faire make do; fais make do; fait make do; font make do; fera make do; pouvoir can power; peux can
peut can; peuvent can; pouvait could; pourrait could; vouloir want; veux want; veut want; veulent want; voulu wanted
voudrais want; dois must owe; doit must owe; doivent must; falloir need must; faut need must; fallait needed; dire say tell
dis say tell; dit say tell; parler speak talk; discuter discuss; raconter tell; expliquer explain; explication explanation
décrire describe; promesse promise; voir see; vois see; voit see; voient see; vu seen saw; verra see; revoir review goodbye
regarder watch look; montrer show; remarquer notice; remarque remark note; entendre hear; entend hear; entendu heard
sentir feel smell; sens sense meaning feel; senti felt; toucher touch; penser think; pensée thought; croire believe
réfléchir think reflect; idée idea; avis opinion; comprendre understand; comprend understand include; compris understood included
oublier forget; espérer hope; espère hope; souhaiter wish; envie desire want; aimer love like; amour love; détester hate
plaire please like; plaît please like; plaisir pleasure; sourire smile; pleurer cry; prendre take; prennent take; pris taken
donner give; recevoir receive get; reçois receive; obtenir get obtain; obtenu obtained; rendre return render
rendu returned rendered; apporter bring; emmener take bring; laisser leave let; rester stay remain; reste rest stay remainder
habiter live; vivre live; vit live; vie life; exister exist; entrer enter; sortir exit leave; sort leave fate
monter climb assemble mount; montage assembly mounting editing; descendre descend; tomber fall; tombe fall grave
marcher walk work; marche walk step; lever raise lift; lève raise; réveiller wake; reposer rest; repos rest; ouvrir open
ouvre open; ouverture opening; fermer close shut; pousser push grow; tirer pull shoot draw; tenir hold keep; tiens hold; tenu held
contenir contain; contient contain; contenu content; jeter throw discard; poser put ask lay; placer place; suivre follow
suit follow; suivi tracking followed; rencontrer meet encounter; rencontre meeting encounter; retrouver find meet
manquer miss lack; manque lack miss; éviter avoid; empêcher prevent; continuer continue; répéter repeat; répète repeat
répétition repetition rehearsal; servir serve; laver wash; brûlure burn; améliorer improve; amélioration improvement
partager share split; traverse cross; voyez see; voleur thief; remercier thank; merci thanks; désolé sorry; bonjour hello
bonsoir evening; salut hi hello; accueil home reception welcome; bienvenue welcome; choisi chosen; proposer propose suggest offer
proposition proposal; suggérer suggest; suggère suggest; recommander recommend; recommandation recommendation
obligatoire mandatory required; interruption interruption outage; critique critical criticism review; plaindre complain
plaint complain; doute doubt; comparer compare; comparaison comparison; évaluer evaluate assess; évaluation evaluation assessment
définir define set; définition definition; déterminer determine; signifier mean; concerner concern; appartenir belong
appartient belong; inclure include; exclure exclude; exclu excluded; comportement behavior; devenir become; devient become
sembler seem; apparaître appear; produire produce; causer cause; déclencher trigger; effet effect; appliquer apply
pratiquer practice; préparer prepare; préparation preparation; participer participate; présent present; absent absent missing
absence absence; transporter transport; transférer transfer; transfère transfer; couvrir cover; couvert covered cutlery
élevé high raised; appuie press; tour tower turn tour; enlever remove; enlève remove; retirer withdraw remove
joint attached joint; noter note; nommer name appoint; vite quickly fast; peut-être maybe perhaps; automatiquement automatically
automatique automatic; manuel manual; généralement usually generally; active active; probablement probably; pourquoi why
comment how; quand when; où where; qui who; quel which what; quelle which what; chose thing; rien nothing; façon way manner
manière way manner; fonctionne work; cas case; niveau level; partie part game; détail detail; forme form shape
matière material subject; boîte box can; suite suite following continuation; ordre order; rôle role; chance luck chance
aléatoire random; événement event; évènement event; relation relationship relation; confiance trust confidence
publicité advertising ad; annonce announcement ad; annoncer announce; image image picture; vidéo video; gras bold fat
italique italic; sonnerie ringtone ring; voisinage neighborhood; ascenseur elevator lift; gaz gas; solaire solar
poussette stroller pram; allergène allergen; régulière regular; gaucher left-handed
`
