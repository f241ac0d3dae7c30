/** Less common words of French and what they mean, most usual first. */
export const FRENCH_RARER: string = `
patron boss owner pattern; gérant manager; cadre frame executive setting; secrétaire secretary; stagiaire intern trainee
ouvrier worker laborer; salarié employee; chômage unemployment; chômeur unemployed; embauche hiring; démission resignation
licenciement dismissal layoff; préavis notice; prime bonus premium; syndicat union; grève strike; ressource resource
recruter recruit hire; compétence skill competence; pause break pause; télétravail remote telework; bénévole volunteer
associé partner associate; actionnaire shareholder; usine factory plant; atelier workshop; chantier site construction
entrepôt warehouse; fabriquer make manufacture; bénéfice profit benefit; comptabilité accounting; enveloppe envelope; timbre stamp
tampon stamp buffer pad; crayon pencil; gomme eraser rubber; carnet notebook; numériser scan digitize; numérique digital
conférence conference lecture; discours speech; compromis compromise; coordonner coordinate; diriger lead direct run
déléguer delegate; rendement yield performance; efficace effective efficient; mission mission assignment; carrière career quarry
parcours path route background; diplôme diploma degree; brevet patent certificate; qualifié qualified; concours contest competition
relevé statement reading; relance reminder followup; impayé unpaid; acompte deposit advance; solde balance sale; décennie decade
siècle century; lendemain next day; veille eve day; douzaine dozen; tiers third; ordinaire ordinary; supérieur superior higher
mutuelle insurance mutual; cotisation contribution dues; allocation allowance benefit; don gift donation; démarche approach process
entretenir maintain; conception design; concevoir design conceive; conçu designed; ingénieur engineer; commerçant shopkeeper merchant
facteur postman factor; fonctionnaire official civil servant; mairie town hall; maire mayor; ministre minister
gouvernement government; président president chairman; élu elected; citoyen citizen; rassembler gather collect; assister attend assist
comité committee; locataire tenant; bail lease; caution deposit bail; cantine canteen cafeteria
distributeur dispenser distributor atm; clavier keyboard; pilote driver pilot; cliquer click; curseur cursor slider
glisser drag slide slip; onglet tab; raccourci shortcut; saisie input entry; case box cell square; cocher check tick
arrière back rear; plantage crash; dysfonctionnement malfunction; défaillance failure; boucle loop buckle; pile stack battery
tas heap pile; racine root; commentaire comment; extrait extract excerpt; terminal terminal; fil thread wire
synchroniser synchronize sync; seuil threshold; débit throughput flow rate; bande band strip tape; passerelle gateway footbridge
adaptateur adapter; brancher plug connect; débrancher unplug; fibre fiber; antenne antenna; téléverser upload; corbeille trash basket
hameçonnage phishing; faille flaw vulnerability; empreinte fingerprint footprint; témoin witness cookie; déconnecter disconnect logout
réinitialiser reset; réglage setting adjustment; personnaliser customize personalize; désinstaller uninstall; rétablir restore
bascule toggle switch; interrupteur switch; hébergement hosting accommodation; échelle scale ladder; journaliser log; métrique metric
tableur spreadsheet; diapositive slide; diaporama slideshow; vue view; indice clue index; rafraîchir refresh cool; débogage debugging
bouchon cork cap traffic; doublon duplicate; répartir distribute split; répartition distribution breakdown; équilibre balance
ventilateur fan; puce chip flea bullet; rallonge extension cord; multiprise power strip; écouteur earphone; capteur sensor
capture capture screenshot; encre ink; domotique automation home; inattendu unexpected; aperçu preview overview
obsolète obsolete deprecated; spécifique specific; livrable deliverable; avancement progress; réécrire rewrite; réutiliser reuse
ralentir slow; accélérer accelerate; fluide fluid smooth; gel gel frost freeze; répondeur voicemail; messagerie messaging mail
destinataire recipient; expéditeur sender; transmettre transmit forward; diffuser broadcast stream; pseudo nickname username
profil profile; os bone os; lèvre lip; front forehead front; cou neck; poitrine chest breast; coude elbow; poignet wrist
pouce thumb inch; ongle nail; hanche hip; cuisse thigh; talon heel; orteil toe; nerf nerve; articulation joint; poumon lung
foie liver; rein kidney; intestin intestine gut; artère artery; larme tear; sueur sweat; selle saddle stool; barbe beard
moustache mustache; cicatrice scar; guérir heal cure; guérison recovery healing; soulager relieve; symptôme symptom; rhume cold
asthme asthma; bactérie bacteria; épidémie epidemic; diabète diabetes; hypertension hypertension pressure; tumeur tumor; avc stroke
crise crisis attack; cardiaque cardiac heart; pouls pulse; respiration breathing; souffle breath blow; vertige dizziness vertigo
nausée nausea; crampe cramp; courbature soreness ache; entorse sprain; plâtre plaster cast; handicap disability handicap
aveugle blind; sourd deaf; gratter scratch scrape; ampoule bulb blister; saigner bleed; piqûre sting bite injection
piquant spicy prickly; mordre bite; pansement bandage dressing; désinfecter disinfect; seringue syringe; aiguille needle
comprimé tablet pill; pilule pill; sirop syrup; goutte drop; antibiotique antibiotic; vitamine vitamin; fer iron
complément supplement complement; généraliste general practitioner; spécialiste specialist; thérapie therapy; radiographie xray
radio radio xray; échographie ultrasound; irm mri; dépistage screening; prélèvement sample collection; consulter consult view
clinique clinic clinical; cabinet office practice; secours rescue aid help; sauver save rescue; anesthésie anesthesia
greffe transplant graft; accouchement birth childbirth delivery; allaitement breastfeeding; adolescent teenager; biberon bottle
couche layer diaper sleep; berceau cradle crib; dentaire dental; dentifrice toothpaste; lentille lens lentil; insomnie insomnia
ronfler snore; cauchemar nightmare; sieste nap; anxiété anxiety; trouble disorder; drogue drug; tabac tobacco; fumeur smoker
maigre thin lean; mince thin slim; musculation bodybuilding strength; souple flexible supple; sain healthy; serviette towel napkin
rasoir razor; peigne comb; maquiller makeup; parfum perfume scent flavor; espèce species; insecte insect; araignée spider; fourmi ant
abeille bee; guêpe wasp; mouche fly; moustique mosquito; papillon butterfly; tique tick; ver worm; escargot snail; limace slug
grenouille frog; serpent snake; tortue turtle tortoise; dauphin dolphin; baleine whale; requin shark; crevette shrimp prawn
huître oyster; moule mussel mold; coquille shell; truite trout; ours bear; loup wolf; renard fox; cerf deer stag; hérisson hedgehog
écureuil squirrel; singe monkey; vache cow; veau calf veal; mouton sheep mutton; chèvre goat; cochon pig; coq rooster; canard duck
oie goose; dinde turkey; perroquet parrot; plume feather pen; aile wing; queue tail queue line; patte paw leg; poil hair fur coat
nid nest; collier necklace collar; litière litter; aboyer bark; chiot puppy; chaton kitten; élevage breeding farming
élever raise breed; chasse hunting hunt; piège trap; sauvage wild; dresser train raise; nourrir feed; environ about approximately
écologique ecological green; réchauffement warming; recycler recycle; durable sustainable durable; renouvelable renewable
éolienne wind turbine; barrage dam; charbon coal; pétrole oil petroleum; sécheresse drought; inondation flood; incendie fire
volcan volcano; colline hill; vallée valley; grotte cave; roche rock; pierre stone; sable sand; boue mud; poussière dust
plateau plateau tray; prairie meadow; bord edge; cascade waterfall; chute fall; glacier glacier; sentier trail path; buisson bush
tondre mow; tondeuse mower; gazon lawn grass; herbe grass herb; désherber weed; semer sow; graine seed; bourgeon bud
engrais fertilizer; tailler prune cut; pelle shovel; râteau rake; brouette wheelbarrow; tuyau pipe hose
serre greenhouse tighten tight; tige stem; tronc trunk; écorce bark; bûche log; puceron aphid; rouille rust; moisissure mold
nuisible pest harmful; chêne oak; érable maple; sapin fir; pin pine; poirier pear; noyer walnut drown; vigne vine vineyard
mousse moss foam; trèfle clover; tournesol sunflower; lavande lavender; blé wheat; paille straw; agriculture agriculture farming
verger orchard; cultiver grow cultivate; culture culture crop; clôture fence; barrière barrier gate; puits well; cabane hut shed
abri shelter; banc bench; terrasse terrace patio; maçon mason bricklayer; menuisier carpenter joiner; carrelage tiles
carreau tile pane; vitre window pane; serrurier locksmith; souder weld solder; artisan craftsman; bricolage diy; brique brick
béton concrete; ciment cement; tuile tile; cheminée chimney fireplace; poêle stove pan; planche board plank; moquette carpet
tapis rug carpet mat; rideau curtain; store blind; isolation insulation; isoler insulate isolate; étanche waterproof; fuir leak flee
plomberie plumbing; baignoire bathtub; radiateur radiator heater; climatisation conditioning air; fusible fuse; courant current
éclairage lighting; grenier attic; sonnette doorbell; terrain land ground field; château castle; couture sewing; coudre sew
cousu sewn; épingle pin; ciseaux scissors; tissu fabric cloth; laine wool; coton cotton; cuir leather; repasser iron; plier fold bend
tacher stain; lessive laundry detergent; armoire wardrobe cabinet; coffre chest trunk safe; matelas mattress; drap sheet
couette duvet comforter; coussin cushion; vitrine window display; pinceau brush; peindre paint; bijou jewel jewelry; bague ring
marteau hammer; clou nail; tournevis screwdriver; écrou nut; perceuse drill; percer drill pierce; scie saw; hache axe chop minced
lime file lime; pince pliers clamp; mètre meter tape; corde rope string; ficelle string twine; cadenas padlock; ruban ribbon tape
scotch tape; graisse grease fat; acier steel; fonte cast iron; cuivre copper; plomb lead; ressort spring; pompe pump
manche handle sleeve; couvercle lid cover; seau bucket; balai broom; balayer sweep scan; éponge sponge; chiffon rag cloth
frotter rub scrub; rincer rinse; essuyer wipe; gant glove; masque mask; gilet vest; allumette match; briquet lighter; bocal jar
trousse kit case; balance scale balance; minuteur timer; jumelles binoculars twins; boussole compass; emballer wrap pack
serrer tighten squeeze; abîmer damage; dégât damage; lisse smooth; solide solid sturdy; mou soft; épais thick
épaisseur thickness thick; hauteur height; profondeur depth; creuser dig; trou hole; surface surface area; rond round; cercle circle
rayon radius ray shelf; pâtisserie pastry bakery; épicerie grocery; rôti roast; frire fry; frit fried; mijoter simmer; bout end boil
bouillon broth stock; bouilloire kettle; vapeur steam vapor; assaisonner season; piment chili pepper; éplucher peel; hacher chop mince
presser press squeeze; écraser crush mash; purée mash puree; pétrir knead; levure yeast; étaler spread; tartine toast; battre beat
mixeur blender; remuer stir move; plaque plate hob; décongeler thaw defrost; congeler freeze; surgelé frozen; confiture jam
gelée jelly frost; vinaigre vinegar; vinaigrette dressing; moutarde mustard; persil parsley; romarin rosemary; menthe mint
cannelle cinnamon; aubergine eggplant aubergine; courgette zucchini courgette; concombre cucumber; betterave beet beetroot
poireau leek; épinard spinach; asperge asparagus; courge squash; citrouille pumpkin; pois pea; soja soy; ananas pineapple; figue fig
prune plum; abricot apricot; framboise raspberry; myrtille blueberry; mûre blackberry ripe; grenade pomegranate grenade
noisette hazelnut; amande almond; cacahuète peanut; noyau pit core kernel; filet fillet net; crêpe pancake; tarte pie tart
biscuit cookie biscuit; bonbon candy sweet; baguette baguette stick; croûte crust; nouille noodle; yaourt yogurt
limonade lemonade soda; infusion infusion tea; cidre cider; amer bitter; acide acid sour; croustillant crispy; saveur flavor
avaler swallow; mâcher chew; périmé expired; pourri rotten; végétalien vegan; bio organic; pourboire tip; sportif athlete sporty
arbitre referee; victoire victory win; défaite defeat; adversaire opponent; classement ranking; gymnase gym; maillot jersey swimsuit
basket basketball sneaker; raquette racket; volant wheel shuttlecock; équitation riding horseback; saut jump; plongée diving
voile sail veil sailing; skier ski; piste track trail slope; patinoire rink; escalade climbing; balade walk stroll; arc bow arch
flèche arrow; forfait package pass plan; violoncelle cello; trompette trumpet; tambour drum; basse low bass; partition score partition
gamme scale range; accorder tune grant; rythme rhythm pace; parole word speech; scène stage scene; morceau piece track
sonore sound audio; silencieux silent quiet; bruyant noisy loud; fou crazy mad bishop; reine queen; roi king; pari bet; tirage draw
hasard chance random; tricher cheat; atout trump asset; poupée doll; cirque circus; magique magic magical; lecteur reader player
légende legend caption; poésie poetry; écrivain writer; éditer edit publish; personnage character; récit story narrative
libraire bookseller; actualité news; film film movie; réalisateur director; réaliser realize achieve make
réalisation achievement realization; acteur actor; scénario scenario script; émission show broadcast emission; émettre emit issue
flou blurry vague; galerie gallery; œuvre work; paysage landscape; enchère auction bid; croisière cruise
correspondance connection correspondence; quai platform dock; voie track lane way; métro subway metro; navette shuttle
covoiturage carpooling; conducteur driver; chauffeur driver; piéton pedestrian; trottoir sidewalk pavement; carrefour intersection
virage bend turn; panneau sign panel; péage toll; embouteillage traffic jam; déviation diversion; impasse dead end; banlieue suburb
camionnette van; remorque trailer; trottinette scooter; frein brake; phare headlight lighthouse; rétroviseur mirror
vidange oil change; carburant fuel; immatriculation registration; crevaison puncture; choc shock impact; renverser spill overturn
amende fine; contravention ticket fine; infraction offense; atterrissage landing; décoller takeoff peel; décollage takeoff
embarquement boarding; équipage crew; douane customs; ambassade embassy; auberge inn hostel; pension pension boarding
logement housing accommodation; asie asia; angleterre england; allemand german; suisse switzerland swiss; autriche austria
néerlandais dutch; grec greek; pologne poland; polonais polish; turquie turkey; japon japan; japonais japanese; inde india
arabe arabic arab; habitant resident inhabitant live; port port harbor; navire ship; marin sailor marine; capitaine captain
naviguer navigate sail browse; couler sink flow; noyade drowning; marée tide; vague wave vague; littoral coast; baie bay berry
cap cape course; flotter float; averse shower; pluvieux rainy; ensoleillé sunny; brume mist haze; verglas ice; grêle hail
éclair lightning; tonnerre thunder; canicule heatwave; tiède lukewarm; fondre melt; fondu melted; humide humid damp; ouragan hurricane
ciel sky; étoile star; lune moon; coucher sleep bed sunset; ombre shadow shade; briller shine; lumineux bright luminous
scientifique scientific scientist; chimie chemistry; biologique biological organic; génétique genetic genetics; adn dna
réactif reagent reactive; réagir react; concentrer concentrate focus; blouse coat blouse; constater note observe
démontrer demonstrate prove; prouver prove; preuve proof evidence; écart gap deviation; probable likely probable; inconnu unknown
puissant powerful; pair even peer; logique logic logical; raisonnement reasoning; raisonnable reasonable
électronique electronic electronics; mécanique mechanical mechanics; historique history historical; congrès congress conference
soutenance defense thesis; soutenu supported; bourse scholarship exchange grant; maîtrise mastery master; licence license bachelor
crèche nursery daycare; maternelle kindergarten; enseignant teacher; réviser revise review; juge judge; jugement judgment
tribunal court; coupable guilty; condamner condemn sentence; peine penalty sorrow; prison prison jail; tuer kill; cambriolage burglary
escroquerie scam fraud; arnaque scam; enquête investigation survey; commissariat police station; pompier firefighter fireman
litige dispute; juridique legal; norme standard norm; conforme compliant; obligation obligation bond; obliger force
contrainte constraint; annexe appendix annex; résilier terminate cancel; résiliation termination cancellation; rupture break breach
rompre break; testament will; succession succession inheritance; tuteur guardian tutor; célibataire single; fiançailles engagement
fiancé fiance engaged; veuf widower; veuve widow; attestation certificate; acte deed act; richesse wealth rich; pauvreté poverty
liquide liquid cash; chèque check cheque; guichet counter desk; découvert overdraft discovered; prélever withdraw sample
emprunt loan borrow; placement investment placement; action action share stock; portefeuille wallet portfolio; portemonnaie purse
devise currency motto; contribuable taxpayer; patrimoine heritage assets; immobilier property estate; gaspiller waste; payant paid
abordable affordable; rabais discount; posséder own possess; marchand merchant dealer; souscrire subscribe; faillite bankruptcy
sentiment feeling; joie joy; joyeux cheerful happy; bonheur happiness; malheureux unhappy unfortunate; malheureusement unfortunately
heureusement fortunately luckily; tristesse sadness sad; deuil mourning grief; colère anger; énerver annoy; ennui boredom trouble
ennuyer bore bother; effrayant scary; craindre fear; craint feared; souci worry concern; calme calm quiet; tranquille quiet calm
paix peace; détendu relaxed; détente relaxation; honte shame; gêner bother embarrass; timide shy; fier proud; fierté pride
jaloux jealous; jalousie jealousy jealous; dégoût disgust; déçu disappointed; déception disappointment; pardon forgiveness sorry
pardonner forgive; excuse excuse apology; amoureux love lover; embrasser kiss hug; câlin hug cuddle; passionnant exciting fascinating
espoir hope; courageux brave; lâcher release drop; méfiant suspicious wary; gentil kind nice; gentillesse kindness
aimable kind pleasant; méchant mean nasty; égoïste selfish; honnête honest; menteur liar lie; mentir lie; mensonge lie
tromper deceive cheat; fidèle faithful loyal; sage wise good; bête stupid beast; idiot idiot stupid; maladroit clumsy; doué gifted
paresseux lazy; bavard talkative; têtu stubborn; humeur mood; blague joke; rire laugh; ri laughed; marrant funny; amuser fun amuse
sympathique nice friendly; sympa nice friendly; solitaire solitary lonely; solitude loneliness solitude; chaleureux warm
prudent careful cautious; esprit mind spirit; âme soul; volonté will; volontaire volunteer voluntary; désirer desire want
tenter try tempt; tentative attempt; reconnaissant grateful; crier shout scream; accrocher hang hook; affecter affect assign; agir act
ajuster adjust; apercevoir notice; appuyer press support; asseoir sit; assis sitting seated; attacher attach tie; atteindre reach
atteint reached affected; attirer attract; attraper catch; attribuer assign attribute; baisser lower; bouger move; cesser stop cease
citer quote cite; coincé stuck; combat fight; combinaison combination suit; commis committed clerk; comporter include behave
conduisent drive; consacrer devote; contourner bypass; convient suit; convenu agreed; correspondre correspond match
croiser cross meet; crois believe; croient believe; débarrasser clear rid; débloquer unblock unlock; déverrouiller unlock
débrouiller manage; décaler shift; déchirer tear; découper cut; défaire undo; démonter dismantle; dépêcher hurry; déranger disturb
détruit destroyed; disparu disappeared missing; disparition disappearance; disposer available arrange; disposition provision layout
dispositif device; échapper escape; effectuer perform carry; éloigné remote distant; emménager move; empiler stack; enfermer lock
engagement commitment; enlèvement removal pickup; enterrer bury; entourer surround; entreprendre undertake
entrepreneur entrepreneur contractor; envisager consider; épouser marry; établir establish; établissement establishment
éternuer sneeze; exercer exercise practice; exploiter exploit operate; exploitation exploitation operation
exposé presentation exposed; fixer fix set; frapper knock hit; grandir grow; habituel usual; impliquer involve imply
intervenir intervene; interroger question query; interrompu interrupted; introduire introduce; inverse reverse opposite; jette throw
joindre join attach; justificatif proof document; lavage washing; libérer free release; lier link bind; lié linked related
manifestation demonstration event; manipuler handle manipulate; mêler mix; menace threat; mériter deserve; mouvement movement
omettre omit; paru published appeared; pendre hang; perturber disrupt; plu rained pleased; préciser specify precise
préoccupation concern; prévenu warned; prier pray; profiter enjoy benefit; progrès progress; prolonger extend; promettre promise
provenance origin; provoquer cause provoke; quitter leave quit; raccorder connect; raccrocher hang; racheter buy; rajouter add
ramasser pick collect; ramener bring; rassurer reassure; rater miss fail; rattraper catch; recommencer restart; reconnaître recognize
recouvrir cover; récupérer recover retrieve; récupération recovery; rédacteur writer editor; refait redone
réflexion thought reflection; refroidir cool; refuge shelter refuge; regrouper group; rejoindre join; rejoint joined
remettre deliver return; renforcer strengthen; renseigner inform; renseignement information; renvoyer return dismiss
repérer spot locate; repère landmark spot marker; reprendre resume; repris resumed; représenter represent; requis required
ressembler resemble; ressentir feel; restreint restricted; rouler roll drive; satisfait satisfied; sonde probe; souffler blow
soulever lift; souri smiled; subi undergone; suffit enough; suffisant sufficient enough; survivre survive; survécu survived
suspendu suspended; taper type hit; télécommande remote; tendu tense; tendance trend tendency; tousser cough; trempé soaked
uni united plain; valoir worth; vaut worth; varier vary; vécu lived; vieillir age; vieillesse old age; viser aim target
vivant alive living; viendra come; saura know; pourra can; devra must; faudra need; enverra send; boivent drink; reçoivent receive
puisse can; aille go; fasse make do; dites say tell; disent say; lisent read; connaissent know; apparu appeared; bat beat; dors sleep
sert serve; emploie use employ; adorer adore love; agréable pleasant; désagréable unpleasant; autrement otherwise; avantage advantage
inconvénient disadvantage drawback; bizarre strange weird; étrange strange; brun brown; bref brief; brut raw gross; célèbre famous
contraire opposite contrary; couramment fluently; défectueux defective faulty; désormais henceforth now; divers various
dommage pity damage; égal equal; également also equally; évident obvious; évidemment obviously; facultatif optional
féminin female feminine; masculin male masculine; fondamental fundamental; géant giant; génial great brilliant; illimité unlimited
illisible illegible; incapable unable; capable able capable; incertain uncertain; incertitude uncertainty
indépendant independent freelance; indispensable essential; inférieur lower inferior; injuste unfair; luxe luxury
magnifique magnificent beautiful; mineur minor miner; merveilleux wonderful; mignon cute; minuscule tiny lowercase
majuscule uppercase capital; mixte mixed; net clear net; nette clear net; nombreux many numerous; nul null zero
particulier particular private; pertinent relevant; plupart most; plutôt rather; ponctuel punctual; préalable prior
provisoire temporary provisional; roux red ginger; scolaire school; semblable similar; supplémentaire additional extra
technique technical technique; ultérieur later; universitaire university academic; valable valid; véritable real true
vif lively bright; aîné eldest elder; papi grandpa; gendre son-in-law; conjoint spouse; type type guy; surnom nickname
monsieur mister sir; madame madam mrs; mademoiselle miss; camarade comrade classmate; ennemi enemy; baptême baptism christening
dieu god; cimetière cemetery; réveillon eve; vœu wish; guerre war; armée army; arme weapon; peuple people; truc thing trick
astuce tip trick; sorte kind sort; ailleurs elsewhere; dedans inside; dessus above top; dessous below under; autour around
parmi among; malgré despite; sauf except; alors then so; grâce thanks grace; chacun each everyone; fond bottom background
milieu middle; zone area zone; secteur sector area; emplacement location slot; litre liter; tonne ton; quantité quantity amount
montant amount; pénurie shortage; fiche sheet card plug; sommaire summary contents; chronologie timeline; thème theme topic
motif reason pattern; enjeu stake issue; défi challenge; aventure adventure; trésor treasure; dressing closet wardrobe
penderie wardrobe closet; buanderie laundry; garderie daycare; nounou nanny; jupe skirt; chemisier blouse; costume suit costume
cravate tie; écharpe scarf; foulard scarf; bonnet cap hat; casquette cap; botte boot; lacet shoelace; semelle sole; pyjama pajamas
imperméable raincoat waterproof; blouson jacket; occasion opportunity occasion secondhand; pressing dry cleaner; violet purple violet
foncé dark; cour yard court; fumée smoke; sommet summit peak top; bassin pelvis pond basin; carton cardboard box; pêcher fish
pêcheur fisherman; brûler burn; promis promised; routeur router; formule formula; portail gate portal; voilier sailboat
éditeur publisher editor; édition edition publishing; gravité gravity severity; reprise recovery resumption; nettoie clean
liberté freedom liberty; candidat candidate applicant; pression pressure; commerce trade commerce shop; chargeur charger
compteur meter counter; éclairer light; composer compose dial; nouvelle news new; voyageur traveler; défendre defend forbid
différer defer differ; glissant slippery; réservoir tank reservoir; cuisinier cook chef; croissant croissant growing
librairie bookstore; découverte discovery; agriculteur farmer; gène gene bother embarrassment; brise breeze broken; râper grate
gonfler inflate swell; griller grill toast; situer locate; relier connect bind; exiger require demand; mener lead; peser weigh
souffrir suffer; souffert suffered; cueillir pick; acquérir acquire; acquis acquired; peint painted; vaincre defeat overcome; pu can
remis delivered returned; transmis transmitted; admettre admit; admis admitted; surpris surprised; surprendre surprise
surprise surprise; inclus included include; reconnu recognized; convaincre convince; fallu needed; tiendra hold; obtient get obtain
prévient warn; paraître seem appear; disparaître disappear; usé worn; déduire deduct deduce; étendre extend spread
prescrire prescribe; retenir retain remember; naître born; alcool alcohol; violon violin; musicien musician; sport sport
médaille medal; champion champion; stade stadium; journaliste journalist; américain american; chine china; chinois chinese
russe russian; portugais portuguese; capitale capital; climat climate; planète planet; univers universe; biologie biology
cellule cell; observer observe; probabilité probability; diviser divide; multiplier multiply; fréquence frequency; inventer invent
géographie geography; philosophie philosophy; mémoriser memorize; vocabulaire vocabulary; dictionnaire dictionary; verbe verb
prononcer pronounce; fraude fraud; victime victim; conflit conflict; propriété property; riche rich; investir invest
investissement investment; fiscal tax fiscal; capital capital; consommer consume; consommation consumption; nerveux nervous
regretter regret; respecter respect; passion passion; courage courage; hésiter hesitate; généreux generous; ignorer ignore
curieux curious; créatif creative; imaginer imagine; poli polite; sensible sensitive; accompagner accompany; accomplir accomplish
adapter adapt; aligner align; arranger arrange; assembler assemble; assigner assign; combiner combine; communiquer communicate
considérer consider; contacter contact; contribuer contribute; convertir convert; décorer decorate; détecter detect
distinguer distinguish; distribuer distribute; encourager encourage; équiper equip; examiner examine; explorer explore
exprimer express; générer generate; illustrer illustrate; indiquer indicate; informer inform; insérer insert; inspecter inspect
interpréter interpret; justifier justify; marchandise goods merchandise; masquer hide mask; occuper occupy; révéler reveal
sélectionner select; simplifier simplify; simuler simulate; supposer suppose; transformer transform; absolument absolutely
activité activity; actif active; anonyme anonymous; autonome autonomous; concret concrete; discret discreet; explicite explicit
fréquent frequent; identique identical; immédiatement immediately; incomplet incomplete; individuel individual; industrie industry
normal normal; officiel official; original original; origine origin; partiel partial; positif positive; négatif negative
précieux precious; prioritaire priority; relatif relative; robuste robust; similaire similar; temporaire temporary; violent violent
cérémonie ceremony; soldat soldier; catégorie category; kilomètre kilometer; inventaire inventory; registre register; contexte context
rit laugh; âne donkey; courbe curve; soie silk; étroit narrow; poncer sand; visser screw; inox stainless steel; gouttière gutter
tordu twisted bent; hausse increase rise; poignée handle handful; dispute argument dispute; fabrication manufacturing production
saisir enter seize grasp; lavabo sink washbasin; foule crowd; affiche display poster; taureau bull; aigle eagle; moquer mock
rafale gust; naufrage shipwreck; imprévu unexpected unforeseen; engager hire commit engage; classeur binder; secouer shake; hibou owl
haute high top; profonde deep; plate flat; trous hole; brève brief; fonds fund; agit act concern; folle crazy mad
éprouvette tube test; étalonner calibrate; solvant solvent; dissoudre dissolve; dissous dissolved; aimant magnet; pion pawn
échiquier chessboard; manette controller; boxe boxing; aviron rowing oar; alpinisme mountaineering; ancre anchor; bouée buoy
algue seaweed algae; moudre grind; moulu ground; bouillir boil; perçu perceived collected; vêtu dressed; accru increased; résous solve
sache know; veuille want; étang pond; ruisseau stream brook; haie hedge; indésirable unwanted spam; désordre mess disorder
falaise cliff; subvention grant subsidy; hypothèque mortgage; bilan balance assessment review; effectif workforce headcount effective
squelette skeleton; mâchoire jaw; démangeaison itching; plaie wound; pommade ointment; navet turnip; passoire colander sieve
fantôme ghost
`
