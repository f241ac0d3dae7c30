/** Less common words of Spanish and what they mean, most usual first. */
export const SPANISH_RARER: string = `
plantilla template staff; becario intern trainee; secretario secretary; sindicato union; huelga strike; despido dismissal layoff
desempleo unemployment; autónomo freelance self-employed; sucursal branch; sede headquarters seat; jornada day workday
grapadora stapler; tinta ink; pizarra whiteboard blackboard; escritorio desk desktop; papelera bin wastebasket
desempeño performance; bonificación bonus discount; negociar negotiate; acordar agree; liderazgo leadership; líder leader
equilibrio balance; consultor consultant; asesor advisor consultant; capacitación training; cronograma schedule timeline
hito milestone; reto challenge; desafío challenge; destinatario recipient; buzón mailbox inbox; mensajero courier messenger
etapa stage phase; fase phase; alcance scope reach; ámbito scope field; encargado manager charge; oficio trade craft
fabricante manufacturer; fabricar manufacture make; importación import; exportar export; importar import matter; aduana customs
embalar pack; empaquetar pack; envase container packaging; suministro supply; votar vote; votación vote voting
elección choice election; voluntario volunteer; donación donation; donar donate; fundación foundation; discurso speech; feria fair
ensayo essay rehearsal trial; redactar write draft; editorial publisher editorial; prensa press; periodista journalist
portada cover; titular headline holder; revista magazine; folleto brochure leaflet; cartel poster sign; ausencia absence
ausente absent; asistencia attendance assistance; rutina routine; ascenso promotion rise; cartero postman mailman
plantear raise pose; bucle loop; hilo thread; matriz matrix array; arreglo fix arrangement array; entero integer whole
herencia inheritance heritage; heredar inherit; clonar clone; depuración debugging; volcar dump; cortafuegos firewall
enrutador router; antena antenna; inalámbrico wireless; pestaña tab eyelash; deslizar slide swipe; arrastrar drag
soltar release drop; suelta release; suelto loose; desplazar scroll shift; barra bar slash; casilla box checkbox
desplegable dropdown; complemento plugin complement; tablero board dashboard; atajo shortcut; comando command; guion script hyphen
marco frame framework; nodo node; contenedor container; anfitrión host; consultar consult query; pulsar press; escáner scanner
impresión print impression; altavoz speaker; auricular headphone earphone; micrófono microphone; mando remote control
controlador driver controller; controlar control; adaptador adapter; procesador processor; resolución resolution
brillo brightness shine; contraste contrast; recortar crop trim; captura capture screenshot; incrustar embed; anexo attachment annex
comprimir compress; cifra encrypt figure; lote batch lot; estafa scam fraud; fraude fraud; huella fingerprint footprint trace
caducar expire; caducidad expiry; renovar renew; renovación renewal; renueva renew; desinstalar uninstall; deshacer undo
deshecho undone; anular cancel void; omitir skip omit; ignorar ignore; renombrar rename; enlazar link; vincular link
reenviar forward resend; accesibilidad accessibility; experto expert; principiante beginner; foro forum; seguidor follower
publicación post publication; suscribir subscribe; boletín newsletter bulletin; inteligencia intelligence; aleatorio random
similitud similarity; coincidir match coincide; coincidencia match coincidence; patrón pattern employer; expresión expression
cobertura coverage; fiable reliable; fiabilidad reliability; estable stable; estabilidad stability; sobrecarga overload overhead
apagón blackout; reposo rest sleep; suspender suspend fail; detectar detect; tableta tablet; pulsera bracelet; cursor cursor
terminal terminal; robot robot; regresión regression; cirugía surgery; cirujano surgeon; psiquiatra psychiatrist
fisioterapeuta physiotherapist; parto childbirth delivery; aborto abortion miscarriage; biberón bottle; chupete pacifier
anticonceptivo contraceptive; urgencias emergency; jeringa syringe; aguja needle; termómetro thermometer; mascarilla mask
jarabe syrup; pomada ointment; gotas drops; antibiótico antibiotic; analgésico painkiller analgesic; anestesia anesthesia
vitamina vitamin; hierro iron; calcio calcium; proteína protein; radiografía x-ray radiograph; ecografía ultrasound
análisis analysis test; orina urine; infarto heart attack; asma asthma; neumonía pneumonia; migraña migraine; mareo dizziness
vómito vomit; diarrea diarrhea; estreñimiento constipation; acidez acidity heartburn; picor itch; picadura bite sting
ampolla blister; quemar burn; cicatriz scar; hinchazón swelling; fractura fracture; esguince sprain; torcer twist; tuerce twist
desmayo faint; insomnio insomnia; roncar snore; estornudo sneeze; contagioso contagious; cuarentena quarantine; rabia rabies rage
donante donor; alta discharge high; recaída relapse; crónico chronic; agudo acute sharp; grave serious severe; leve mild slight
veneno poison venom; intoxicación poisoning; droga drug; adicción addiction; borracho drunk; ciego blind; sordo deaf
discapacidad disability; cerebro brain; ceja eyebrow; mejilla cheek; labio lip; muela molar tooth; barba beard; bigote mustache
codo elbow; puño fist; pulgar thumb; uña nail; palma palm; costilla rib; cintura waist; cadera hip; vientre belly; barriga belly
muslo thigh; tobillo ankle; talón heel; pulmón lung; hígado liver; riñón kidney; intestino intestine gut; músculo muscle
tendón tendon; articulación joint; nervio nerve; vena vein; pulso pulse; latido heartbeat; respirar breathe; respiración breathing
sudor sweat; lágrima tear; arruga wrinkle; grano grain pimple; calvo bald; rubio blond; moreno brown dark; delgado thin slim
adelgazar slim lose weight; engordar fatten weight; ayuno fasting; maquillaje makeup; champú shampoo; peine comb; afeitar shave
lentilla lens; lentes glasses lens; audífono headphones; masaje massage; bienestar wellbeing wellness; ánimo mood spirit
duelo grief duel; entierro burial; enterrar bury; entierra bury; cementerio cemetery; fallecer die; fallecido deceased
viudo widower; adopción adoption; infancia childhood; juventud youth; vejez age old; anciano elderly; bisabuelo great-grandfather
padrino godfather; madrina godmother; padrastro stepfather; madrastra stepmother; yerno son-in-law; nuera daughter-in-law
matrimonio marriage; compromiso commitment engagement; comprometido engaged committed; tutor tutor guardian; padres parents
señor mister sir; señora lady mrs; desconocido unknown stranger; ciudadano citizen; dueño owner; propietario owner; mareado dizzy
meditar meditate; vendaje bandage; caballero gentleman knight; mental mental; ganado cattle livestock; toro bull; ternero calf
cabra goat; gallo rooster; gallina hen; pavo turkey; pato duck; paloma pigeon dove; águila eagle; búho owl; gaviota seagull
loro parrot; ala wing; pico beak peak; nido nest; jaula cage; pata paw leg; cuerno horn; lobo wolf; zorro fox; oso bear; ciervo deer
ardilla squirrel; erizo hedgehog; topo mole; murciélago bat; mono monkey; león lion; elefante elephant; ballena whale
delfín dolphin; tiburón shark; pulpo octopus; caracol snail; gusano worm; araña spider; mosca fly; hormiga ant; avispa wasp
mariposa butterfly; cucaracha cockroach; pulga flea; garrapata tick; insecto insect; plaga pest plague; rana frog
cocodrilo crocodile; mamífero mammal; ave bird; especie species; salvaje wild; silvestre wild; acuario aquarium
pecera fishbowl aquarium; gatito kitten; correa leash strap; collar necklace collar; criar raise breed; ladrar bark; morder bite
muerde bite; arañar scratch; picar sting itch chop; animal animal; gorrión sparrow; mejillón mussel; aves bird; osos bear
peces fish; alas wing; cría offspring breeding; huerto orchard garden; invernadero greenhouse; maceta pot; arbusto shrub bush
tronco trunk; corteza bark crust; brote sprout outbreak; polen pollen; espina thorn; ramo bouquet; abono fertilizer pass
estiércol manure; maleza weeds; sembrar sow plant; siembra sow sowing; cosecha harvest; cultivo crop cultivation
cultivar grow cultivate; florecer bloom; floración flowering; marchitar wither; maduro ripe mature; regadera watering can
manguera hose; rastrillo rake; pala shovel spade; azada hoe; carretilla wheelbarrow; cortacésped lawnmower; tijeras scissors
hacha axe; leña firewood; roble oak; pino pine; olivo olive; palmera palm; vid vine; viña vineyard; viñedo vineyard
girasol sunflower; romero rosemary; tomillo thyme; albahaca basil; perejil parsley; menta mint; cilantro coriander cilantro
trigo wheat; prado meadow; granja farm; granjero farmer; agricultor farmer; agricultura agriculture; gallinero henhouse
colmena beehive; colina hill; valle valley; sierra saw range; cueva cave; desierto desert; arroyo stream; charco puddle
estanque pond; orilla shore bank; arena sand; barro mud clay; polvo dust powder; roca rock; peña rock; arcilla clay; volcán volcano
terremoto earthquake; sendero trail path; senderismo hiking; naturaleza nature; paisaje landscape; ambiente environment atmosphere
contaminación pollution; reciclaje recycling; residuo waste residue; sostenible sustainable; sequía drought; inundación flood
tallo stem; clavel carnation; cascada waterfall; grava gravel; monte mountain mount; niebla fog; escarcha frost; helada frost
granizo hail; trueno thunder; rayo lightning ray; relámpago lightning; huracán hurricane; brisa breeze; nublado cloudy
soleado sunny; húmedo humid wet; mojado wet; mojar wet; llovizna drizzle; arcoíris rainbow; sombra shade shadow
amanecer dawn sunrise; anochecer dusk nightfall; atardecer sunset; madrugada dawn early; mediodía noon; medianoche midnight
paraguas umbrella; impermeable raincoat waterproof; océano ocean; ola wave; marea tide; marino marine sea; marinero sailor
muelle dock pier spring; bahía bay; faro lighthouse headlight; vela candle sail; velero sailboat; bote boat; remo oar rowing
remar row; cubierta deck cover; tripulación crew; capitán captain; hundir sink; flotar float; salvavidas lifeguard lifejacket
bucear dive; buceo diving; ahogar drown; crucero cruise; pescador fisherman; caña rod cane; salmón salmon; atún tuna; bacalao cod
trucha trout; marisco seafood; gamba prawn shrimp; ventoso windy; olas wave; taladro drill; destornillador screwdriver
alicates pliers; lima file lime; lijar sand; clavo nail; clavar nail; tuerca nut; bisagra hinge; candado padlock; mango handle mango
ladrillo brick; hormigón concrete; azulejo tile; viga beam; muro wall; valla fence; terraza terrace; chimenea chimney fireplace
estufa stove heater; caldera boiler; persiana blind shutter; cristal glass crystal; vidrio glass; acero steel; aluminio aluminum
plata silver; tubo tube pipe; alambre wire; soldar weld solder; suelda weld; soldadura welding; pegamento glue; cinta tape ribbon
brocha brush; pincel paintbrush; aislamiento insulation isolation; aislar isolate insulate; gotera leak; grieta crack; agujero hole
hueco gap hollow; oxidado rusty; tablón plank board; albañil bricklayer mason; cerrajero locksmith; jardinero gardener
sastre tailor; costura sewing seam; alfiler pin; cremallera zipper; tejer knit weave; tejido fabric tissue; ganchillo crochet
lana wool; seda silk; bordado embroidery; cerámica ceramics pottery; escultura sculpture; talla size carving; cartón cardboard
goma rubber gum eraser; tinte dye; teñir dye; artesanía craft handicraft; bricolaje diy; manualidad craft; montaje assembly
montar assemble ride; desmontar dismantle; grúa crane; excavar dig excavate; cavar dig; pozo well; bomba pump bomb; bombilla bulb
linterna flashlight lantern; fusible fuse; cableado wiring; compás compass beat; brújula compass; báscula scale; cubo bucket cube
bandeja tray; tarro jar; frasco jar flask; tapón plug cap; rollo roll; trapo rag cloth; esponja sponge; escoba broom; fregona mop
fregar scrub wash; friega scrub; fregadero sink; lavabo sink washbasin; bañera bathtub; inodoro toilet; desagüe drain
atasco jam clog; atascado stuck; lejía bleach; lavavajillas dishwasher; secadora dryer; secar dry; tender hang spread
pinza clip tweezers peg; percha hanger; mancha stain; barrer sweep; enjuagar rinse; metal metal; soldador welder; encaje lace
cincel chisel; fundir melt; cobre copper; vivienda housing home; cabaña cabin; castillo castle; torre tower; despensa pantry
portal doorway portal; cojín cushion; edredón duvet comforter; funda cover case; mantel tablecloth; servilleta napkin
sillón armchair; taburete stool; cómoda dresser; jarrón vase; mechero lighter; cerilla match; ceniza ash; humo smoke; chispa spark
casero homemade landlord; arrendamiento lease; reforma renovation reform; decorar decorate; cochecito stroller; columpio swing
globo balloon globe; chalet villa; cocinero cook chef; olla pot; sartén pan skillet; cazuela casserole; tetera teapot kettle
cafetera coffeemaker; tostadora toaster; microondas microwave; parrilla grill; barbacoa barbecue; asado roast barbecue
cucharada tablespoon; cucharadita teaspoon; rallar grate; pelar peel; picado chopped minced; trozo piece; rebanada slice
porción portion; molde mold tin; masa dough mass; levadura yeast; batir beat whisk; remover stir remove; revolver stir
revuelto scrambled; frito fried; cocido cooked stew; cocer boil cook; cuece boil cook; hierve boil; crudo raw; tostada toast
rellenar fill stuff; especia spice; canela cinnamon; jengibre ginger; pimentón paprika; mostaza mustard; vinagre vinegar
mayonesa mayonnaise; caldo broth; lenteja lentil; garbanzo chickpea; guisante pea; soja soy; tortilla omelette tortilla
empanada pie pasty; bocadillo sandwich; merienda snack; aperitivo appetizer; filete steak fillet; salchicha sausage
albóndiga meatball; hamburguesa hamburger; pechuga breast; conserva preserve canned; mermelada jam; nata cream; yema yolk
cáscara shell peel; bizcocho cake sponge; tarta cake pie; caramelo candy caramel; palomitas popcorn; cacahuete peanut
castaña chestnut; higo fig; ciruela plum; melocotón peach; durazno peach; piña pineapple; sandía watermelon; frambuesa raspberry
arándano blueberry cranberry; mandarina tangerine mandarin; calabaza pumpkin squash; calabacín zucchini courgette
berenjena eggplant aubergine; brócoli broccoli; col cabbage; espinaca spinach; apio celery; espárrago asparagus; champiñón mushroom
refresco soda refreshment; batido milkshake smoothie; bodega winery cellar; amargo bitter; ácido acid sour; sabroso tasty
delicioso delicious; crujiente crunchy crispy; masticar chew; tragar swallow; caloría calorie; grasa fat grease; sobras leftovers
carnicería butcher; pastelería bakery pastry; cafetería cafe cafeteria; pasta pasta; bombón chocolate; podrido rotten; chicle gum
tinto red; pasteles cake; nueces nut; batidora blender mixer; granada pomegranate grenade; manteca lard butter; champán champagne
baloncesto basketball; voleibol volleyball; béisbol baseball; balón ball; raqueta racket; portero goalkeeper doorman; portería goal
defensa defense defender; defender defend; árbitro referee; cancha court; pista track court clue; estadio stadium
aficionado fan amateur; afición hobby; torneo tournament; liga league; trofeo trophy; empate tie draw; derrota defeat
victoria victory; ganador winner; competir compete; concurso contest competition; marcador scoreboard bookmark
puntuación score punctuation; anotar score note; tiro shot throw; atleta athlete; maratón marathon; corredor runner corridor
pesas weights; flexión pushup bending; estiramiento stretching; estirar stretch; calentamiento warmup warming
resistencia resistance endurance; ciclismo cycling; ciclista cyclist; casco helmet; patinaje skating; patinete scooter
gimnasia gymnastics; bañador swimsuit; chaleco vest; calcetín sock; medias stockings half; sudadera sweatshirt; cronómetro stopwatch
agotado exhausted; caza hunting; blusa blouse; bufanda scarf; pañuelo handkerchief scarf; gorro cap beanie; corbata tie
sujetador bra; calzoncillos underpants; manga sleeve; delantal apron; tacón heel; cordón lace cord; viste dress saw
disfraz costume disguise; máscara mask; bolso handbag purse; diamante diamond; suela sole; patín skate; guitarra guitar
violín violin; flauta flute; trompeta trumpet; tambor drum; órgano organ; coro choir chorus; orquesta orchestra; melodía melody
ritmo rhythm; acorde chord; escala scale; partitura score sheet; afinar tune; bailar dance; bailarín dancer; estreno premiere
actuación performance acting; actuar act perform; actriz actress; escenario stage scenario; escena scene
espectador spectator viewer; espectáculo show; circo circus; mago magician wizard; magia magic; truco trick; broma joke prank
chiste joke; novela novel; poema poem; poesía poetry; fantasma ghost; héroe hero; personaje character; trama plot
argumento plot argument; biografía biography; diccionario dictionary; ejemplar copy specimen; colección collection
exposición exhibition exposure; exponer expose exhibit; expuesto exposed; galería gallery; enfoque focus approach; enfocar focus
borroso blurry; rompecabezas puzzle; adivinar guess; dado given die dice; reina queen; rey king; princesa princess; apuesta bet
apostar bet; lotería lottery; sorteo raffle draw; videojuego videogame; partida game departure; enemigo enemy; tesoro treasure
pasatiempo hobby pastime; ocio leisure; diversión fun; entretenimiento entertainment; campamento camp; retrato portrait
comedia comedy; alfil bishop; hechizo spell; actor actor; leyenda legend; pasajero passenger; asiento seat; despegue takeoff
aterrizaje landing; embarque boarding; embarcar board; facturación billing check-in; trayecto route journey; recorrido route tour
recorrer travel tour; visado visa; embajada embassy; pensión pension guesthouse; turista tourist; peatón pedestrian
acera sidewalk pavement; semáforo traffic light; rotonda roundabout; cruce crossing intersection; cruzar cross; túnel tunnel
autopista highway motorway; peaje toll; carril lane; curva curve bend; desvío detour; desviar divert; avenida avenue; andén platform
vía track way; vagón carriage wagon; tranvía tram; parada stop; transbordo transfer; ferrocarril railway; furgoneta van
volante steering wheel; maletero trunk boot; escape exhaust escape; pinchazo puncture; repuesto spare; recambio spare refill
kilómetro kilometer; kilometraje mileage; choque crash collision shock; chocar crash collide; adelantar overtake advance
girar turn rotate; giro turn transfer; recto straight; marcha gear march; transporte transport; francia france; inglaterra england
londres london; grecia greece; suiza switzerland; rusia russia; japonés japanese; chino chinese; italiano italian; árabe arabic arab
estadounidense american; británico british; catedral cathedral; ruina ruin; alcalde mayor; ayuntamiento council hall
capital capital; afueras outskirts; autovía highway; autocar coach; repostar refuel; cuadra block; químico chemical chemist
físico physical physicist; geografía geography; célula cell; núcleo nucleus core; reacción reaction; reactivo reagent
disolver dissolve; disuelto dissolved; sólido solid; líquido liquid; vapor steam vapor; oxígeno oxygen; carbón coal
elemento element; compuesto compound composed; onda wave; longitud length longitude; ángulo angle; gravedad gravity severity
densidad density; volumen volume; superficie surface; área area; radio radio radius; círculo circle; cuadrado square; eje axis axle
ecuación equation; multiplicar multiply; división division; potencia power; potente powerful; demostración proof demonstration
demostrar prove demonstrate; demuestra prove show; sesgo bias; margen margin; estimar estimate; estimación estimate
medición measurement; observar observe; fenómeno phenomenon; descubrimiento discovery; descubierto discovered; invento invention
inventar invent; planeta planet; bibliografía bibliography; asignatura subject; licenciatura degree; graduado graduate
calificación grade rating; sobresaliente outstanding; inscripción registration enrollment; inscribir register enroll
inscrito registered enrolled; secundaria secondary; vocal vowel; acento accent; verbo verb; oración sentence prayer; coma comma coma
mayúscula uppercase capital; pronunciar pronounce; deberes homework duties; campus campus; licenciado graduate; raíces root
lápices pencil; carbono carbon; tribunal court; juzgado court; testigo witness; demanda lawsuit demand; demandar sue
acusado accused defendant; culpable guilty; inocente innocent; sentencia sentence ruling; cárcel prison jail; prisión prison
delito crime; crimen crime; amenaza threat; víctima victim; detenido stopped arrested; sospecha suspicion
reglamento regulations rules; cláusula clause; vigente current valid; recurso resource appeal; castigo punishment; justo fair just
trámite procedure paperwork; ministerio ministry; ministro minister; presidente president; general general; nacionalidad nationality
cajero cashier atm; bono bond voucher; rentable profitable; comisión commission fee; saldo balance; rebaja discount sale
economía economy economics; financiero financial; finanzas finance finances; contribuyente taxpayer; hacienda treasury estate
declaración declaration statement; deducir deduct deduce; bruto gross; neto net; contable accountant accounting; auditoría audit
importe amount; céntimo cent; desperdicio waste; riqueza wealth; lujo luxury; ganga bargain; adquirir acquire
ferretería hardware store; papelería stationery; lavandería laundry; comerciante merchant trader; comercio trade commerce
comercial commercial sales; consumidor consumer; siniestro claim accident; asegurar ensure insure; cobro collection charge
cobrar charge collect; bandera flag; pistola pistol gun; notario notary; escaparate window display; monto amount; libra pound
recargo surcharge; jueces judge; precios price; soldado soldier; alegría joy happiness; tristeza sadness; felicidad happiness
enojo anger; enfado anger; celos jealousy; orgullo pride; orgulloso proud; vergüenza shame embarrassment; arrepentirse regret
arrepiente regret; soledad loneliness; cariño affection; pasión passion; emoción emotion; emocionado excited moved
curiosidad curiosity; curioso curious; sorprender surprise; susto fright scare; asustar scare; pánico panic; temor fear; temer fear
valiente brave; atreverse dare; tímido shy; simpático nice friendly; educado polite; obedecer obey; tranquilo calm quiet
tranquilidad calm; calma calm; inquieto restless; desesperado desperate; decepción disappointment; molesto annoying annoyed
molestar bother disturb; molestia nuisance discomfort; pereza laziness; perezoso lazy; honesto honest; mentira lie; miente lie
engañar deceive cheat; generoso generous; sabio wise; hábil skillful; habilidad skill ability; genio genius temper
creatividad creativity; imaginar imagine; soñar dream; agradable pleasant nice; desagradable unpleasant; encantador charming
encantado delighted; maravilloso wonderful; genial great brilliant; increíble incredible; lástima pity; agradecido grateful
amistad friendship; carácter character temper; conducta behavior conduct; comportamiento behavior; comportarse behave
actitud attitude; costumbre custom habit; mente mind; conciencia conscience awareness; consciente aware conscious; voluntad will
propósito purpose; motivación motivation; motivar motivate; fe faith; dios god; milagro miracle; cruz cross; sonreír smile
ríe laugh; besar kiss; saludo greeting; saludar greet; despedida farewell goodbye; felicitar congratulate
felicitación congratulations; disculpa apology; disculpar excuse apologize; perdonar forgive; confiar trust; admirar admire
enamorarse love fall; vago lazy vague; envidia envy; humor humor mood; abandonar abandon leave; abuso abuse; acercar approach
acertar guess hit; acierta guess hit; aclarar clarify rinse; acompañar accompany; aconsejar advise; acostar bed; acuesta bed
acostumbrar accustom; acumular accumulate; adaptar adapt; admitir admit; advertir warn; advierte warn; afilar sharpen
agarrar grab hold; agrupar group; aguantar endure hold; alargar lengthen; alcanzar reach; alejar away distance; alivio relief
alimentar feed; alinear align; ampliar enlarge expand; ampliación extension expansion; andar walk; anduvo walk; animar encourage
aplazar postpone; aportar contribute; apreciar appreciate; apretar press tighten; aprieta press tighten; aprovechar use advantage
arriesgar risk; arruinar ruin; asumir assume; atar tie; atacar attack; atrapar catch trap; averiguar find out; avanzar advance
avance advance progress; bañar bathe; callar silent; clasificar classify sort; combinar combine; compositor composer; conduzco drive
condujo drive; confundir confuse; confuso confused confusing; conozco know; consistir consist; contestar answer
contribuir contribute; convencer convince; convenir suit; conviene suit; crecimiento growth; cuelga hang
cumplido fulfilled compliment; dañar damage; debatir debate; debido due; dedicar dedicate; denuncia report complaint; derramar spill
desaparecer disappear; desaparecido missing disappeared; descartar discard; desconectar disconnect; descrito described
despejado clear; despidió fire; despide fire; destacar highlight; determinar determine; detiene stop; digo say; disminuir decrease
disponer arrange; dispuesto willing; distinguir distinguish; distinto different; distraer distract; divierte amuse; doblar fold bend
dominar dominate master; duerme sleep; durmió sleep; durar last; echar throw pour; educar educate; elaborar elaborate prepare
elige choose; emprendedor entrepreneur; encajar fit; enciende light; enfrentar face; enfriar cool; envolver wrap; envuelto wrapped
equivocarse mistake; equivocado wrong; escapar escape; escoger choose; especificar specify; explotar explode exploit
estropear spoil break; estropeado broken; exceso excess; excluir exclude; excusa excuse; exigente demanding; explorar explore
expresar express; extender extend; extiende extend; extraer extract; extrañar miss strange; facilitar facilitate; fijar fix set
fijo fixed; flujo flow; fracaso failure; generar generate; haga do make; hará do make; iluminar illuminate; iluminación lighting
implicar involve imply; incremento increase; indicar indicate; influir influence; influencia influence; instrucción instruction
intercambio exchange; interrumpir interrupt; introducir introduce enter; invierte invest; juntar join gather; leyó read; leído read
mandar send order; mantuvo maintain keep; mencionar mention; merecer deserve; mérito merit; meter put; muere die; murió die
mudar move; nacer born; niega deny; notar notice; obligatorio mandatory; obtuvo obtain; ocupar occupy; ocultar hide; oculto hidden
operar operate; opinar think; partir leave split; pegajoso sticky; permanecer remain; permanente permanent; pesar weigh
pidió ask order; predecir predict; prevenir prevent; previsto planned; previsión forecast; produjo produce; prometer promise
promover promote; propuso propose; pondrá put; quejarse complain; quiso want; reaccionar react; recargar recharge reload
reclamar claim complain; reclutar recruit; recopilar compile collect; redujo reduce; reducción reduction; reflejar reflect
reforzar reinforce; refuerzo reinforcement; relajado relaxed; relato story; remedio remedy; reparto distribution cast; repaso review
representar represent; reproductor player; rescate rescue ransom; resistir resist; reunir gather; revelar reveal develop
salvar save rescue; satisfacer satisfy; satisfecho satisfied; sentó sit; señalar point indicate; sepa know; supo know; saldrá leave
salga leave; simplificar simplify; situar locate; sobrevivir survive; sostener hold sustain; sostiene hold; subrayar underline
suceder happen; suceso event; sufrir suffer; sujetar hold; sumar add; superar overcome exceed; supuesto supposed; tendrá have
tenía have; tenido had; teclear type; tradujo translate; traído brought; traigo bring; transmitir transmit; trazar trace plot
ubicar locate; ubicación location; unir join unite; unión union; valoración rating assessment; variar vary; vendrá come; venido come
vinieron come; irse leave; iba go; fui go; vaya go; cayó fall; creyó believe; pospuesto postponed; cubierto covered cutlery
suscrito subscribed; prescrito prescribed; despierto awake; dormido asleep; imprevisto unforeseen; haciendo doing
contribuye contribute; despedido fired dismissed; borró delete; apagó off shutdown; contaba count tell; haz do make; supe know
anda walk go; quepa fit; ido gone; rota broken; oyó hear; leyendo reading; durmiendo sleeping; pidiendo asking; sintió feel
muriendo dying; viendo seeing; vi see; vio see; hice do make; pude could; puse put; tuve have; vine come; dije say; di give
sabré know; diré say tell; dirá say tell; vieron see; hiciste do make; dijeron say; tuvieron have; pusieron put; dando giving
yendo going; actúa act perform; anima encourage cheer; genera generate; monta assemble ride; pulse press; funde melt
confiesa confess; dispone available have; suave soft smooth; blando soft; frágil fragile; espeso thick; grueso thick; profundo deep
profundidad depth; plano flat plan; redondo round; brillante bright shiny; dorado golden; amplio wide spacious; cómodo comfortable
comodidad comfort; incómodo uncomfortable; acogedor cozy; apretado tight; ajustado adjusted tight; gigante giant; mediano medium
breve brief; rápidamente quickly; lentamente slowly; temporal temporary storm; inmediato immediate; posterior later rear
habitual usual; típico typical; particular particular private; local local premises; famoso famous; fama fame; notable remarkable
usado used; gastado spent worn; perfecto perfect; inútil useless; valioso valuable; precioso precious beautiful; hermoso beautiful
bello beautiful; guapo handsome; lindo cute pretty; sensible sensitive; evidente obvious; imposible impossible; esencial essential
imprescindible essential; adecuado suitable appropriate; apropiado appropriate; eficaz effective; capaz capable able
capacidad capacity ability; incapaz unable; válido valid; contrario opposite contrary; variedad variety; relativo relative
vivo alive live; positivo positive; real real royal; realidad reality; zurdo left-handed; infantil childish children
desorden mess disorder; callado quiet; complejidad complexity; dificultad difficulty; facilidad ease; normal normal; social social
extra extra; ordenado tidy; genérico generic; intenso intense; capaces capable; felices happy; azules blue; mala bad
preciosa precious beautiful; acto act; actividad activity; apariencia appearance; aventura adventure; capa layer coat
categoría category; comienzo beginning; comparación comparison; comunidad community; condición condition; consecuencia consequence
cuestión question issue; docena dozen; década decade; siglo century; época epoch time; rato while; instante instant
anteayer yesterday before; anoche night yesterday; mientras while; entonces then; enseguida immediately; adelante forward ahead
atrás back behind; alrededor around; encima top above; debajo under below; fuera outside out; excepto except; incluso even
ninguno none; alguno some; todo all everything; despacio slowly; deprisa quickly; prisa hurry rush; completamente completely
totalmente totally; estancia stay; impacto impact; malentendido misunderstanding; misterio mystery; montón pile heap
necesidad need necessity; ocasión occasion; pensamiento thought; pieza piece part; placer pleasure; población population
postura posture stance; posición position; posibilidad possibility; precaución caution precaution; principio beginning principle
prototipo prototype; rango range rank; rasgo trait feature; rol role; saludable healthy; secuencia sequence; siesta nap
símbolo symbol; sociedad society; tonelada ton; tono tone; zona zone area; centímetro centimeter; milla mile; tercio third
signo sign; libertad freedom; derechos rights; género gender genre; placa plate board; trampa trap cheat; guardia guard
pulgada inch; noveno ninth; toda all; roles role; voces voice; papeles paper; géneros gender genre; enfrente opposite front
socia partner
`
