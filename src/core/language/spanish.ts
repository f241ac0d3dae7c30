/** Common words of Spanish and what they mean, most usual first. */
export const SPANISH: string = `
familia family; madre mother mom; padre father dad; mamá mom mum mother; papá dad father; hijo son child; hija daughter child
hermano brother sibling; hermana sister; abuelo grandfather grandpa; abuela grandmother grandma; nieto grandson grandchild
nieta granddaughter; tío uncle; tía aunt; primo cousin; sobrino nephew; sobrina niece; suegro father-in-law; suegra mother-in-law
cuñado brother-in-law; cuñada sister-in-law; esposo husband spouse; esposa wife spouse; marido husband; mujer woman wife
hombre man; niño child boy kid; niña girl child; bebé baby; chico boy guy; chica girl; novio boyfriend fiance groom
novia girlfriend fiancee bride; pareja partner couple; pariente relative; familiar relative family; gemelo twin; amigo friend
vecino neighbor neighbour; gente people; persona person; adulto adult; joven young; nombre name; apellido surname; edad age
boda wedding; divorcio divorce; casarse marry; casado married; soltero single; embarazo pregnancy; nacimiento birth; muerte death
niñera nanny babysitter; casa house home; hogar home; piso floor apartment flat; apartamento apartment flat
departamento department apartment; edificio building; habitación room bedroom; cuarto room fourth quarter; dormitorio bedroom
cocina kitchen cooking; baño bathroom bath; salón living lounge; sala room living; comedor dining; pasillo hallway corridor
sótano basement cellar; ático attic; garaje garage; patio yard patio; jardín garden yard; techo roof ceiling; tejado roof
suelo floor ground; pared wall; puerta door gate; ventana window; escalera stairs ladder; ascensor elevator lift
timbre doorbell bell; llave key wrench; cerradura lock; dirección address direction; alquiler rent rental; inquilino tenant
hipoteca mortgage; mudanza move moving; mudó move; barrio neighborhood neighbourhood; calle street; esquina corner; código code
mueble furniture; mesa table desk; silla chair; sofá sofa couch; cama bed; colchón mattress; almohada pillow; sábana sheet
manta blanket; armario closet wardrobe cupboard; estante shelf; cajón drawer; caja box cash; espejo mirror; lámpara lamp
luz light; luces light; alfombra carpet rug; cortina curtain; reloj clock watch; despertador alarm; cuadro painting picture chart
toalla towel; jabón soap; cepillo brush; papel paper; basura trash garbage rubbish; aspiradora vacuum; lavadora washer washing
nevera fridge refrigerator; refrigerador fridge refrigerator; congelador freezer; horno oven; calefacción heating; ventilador fan
ducha shower; grifo faucet tap; tubería pipe; fuga leak; enchufe plug outlet socket; interruptor switch; cable cable wire
herramienta tool; martillo hammer; tornillo screw; pintura paint painting; cuerda rope string; limpieza cleaning; limpio clean
sucio dirty; carrito cart basket; cesta basket; bolsa bag purse; mochila backpack; maleta suitcase luggage
equipaje luggage baggage; cartera wallet; comida food meal lunch; alimento food; desayuno breakfast; almuerzo lunch
almorzar lunch; cena dinner supper; postre dessert; plato dish plate; taza cup mug; vaso glass; copa glass cup; botella bottle
lata can tin; cuchara spoon; cuchillo knife; tenedor fork; receta recipe prescription; ingrediente ingredient
sabor flavor flavour taste; dulce sweet candy; salado salty; picante spicy hot; pan bread; harina flour; arroz rice
maíz corn maize; carne meat beef; pollo chicken; cerdo pork pig; ternera beef veal; jamón ham; pescado fish; camarón shrimp prawn
huevo egg; leche milk; queso cheese; mantequilla butter; yogur yogurt; crema cream; aceite oil; sal salt; pimienta pepper
azúcar sugar; miel honey; ajo garlic; cebolla onion; tomate tomato; patata potato; papa potato dad; zanahoria carrot
lechuga lettuce; ensalada salad; pepino cucumber; hongo mushroom fungus; frijol bean; judía bean; verdura vegetable
aceituna olive; aguacate avocado; fruta fruit; manzana apple; pera pear; plátano banana; naranja orange; limón lemon; uva grape
fresa strawberry; cereza cherry; coco coconut; nuez nut walnut; almendra almond; galleta cookie biscuit cracker; pastel cake pie
helado ice cream frozen; sopa soup; salsa sauce; bebida drink beverage; agua water; café coffee brown; té tea; jugo juice
zumo juice; cerveza beer; vino wine come; hielo ice; vegetariano vegetarian; alergia allergy; alérgico allergic
hambre hunger hungry; sed thirst thirsty; cocinar cook; hervir boil; freír fry; asar roast grill; horneado baked; cortar cut
corte cut; mezclar mix; calentar heat warm; calienta heat; congelar freeze; fresco fresh cool; probar try test taste
prueba test trial proof; restaurante restaurant; camarero waiter; propina tip; cuenta account bill; menú menu
reserva reservation booking reserve; reservar reserve book; ropa clothes clothing; vestido dress; camisa shirt; falda skirt
pantalón pants trousers; pantalones pants trousers; chaqueta jacket; abrigo coat; suéter sweater; traje suit; cinturón belt
zapato shoe; zapatilla sneaker slipper; bota boot; sombrero hat; guante glove; pijama pajamas; bolsillo pocket; botón button
tela fabric cloth; algodón cotton; cuero leather; tamaño size; moda fashion; joya jewel jewelry; anillo ring
pendiente pending earring slope; gafas glasses; lavar wash; lavado wash; plancha iron; coser sew; llevar carry wear take
mascota pet; perro dog; cachorro puppy; gato cat; pájaro bird; pez fish; caballo horse; vaca cow; oveja sheep; conejo rabbit
ratón mouse; tortuga turtle tortoise; serpiente snake; abeja bee; veterinario vet veterinarian; raza breed race; planta plant
árbol tree; flor flower; rosa rose pink; hierba grass herb; césped lawn grass; hoja leaf sheet; rama branch; raíz root
semilla seed; tierra soil earth land; regar water; riego watering irrigation; riega water; poda prune; bosque forest wood
madera wood; piedra stone; campo field country; cerca near fence; salud health; sano healthy; enfermo sick ill
enfermedad illness disease; médico doctor medical; doctora doctor; enfermero nurse; dentista dentist; psicólogo psychologist
terapia therapy; operación operation surgery; clínica clinic; farmacia pharmacy; consulta query consultation appointment
cita appointment quote date; paciente patient; medicina medicine; medicamento medication medicine; pastilla pill tablet
dosis dose; vacuna vaccine; inyección injection; tratamiento treatment; síntoma symptom; diagnóstico diagnosis diagnostic
dolor pain ache; duele hurt ache; doler hurt ache; fiebre fever; tos cough; gripe flu; resfriado cold; herida wound injury
lesión injury; roto broken; infección infection; cáncer cancer; presión pressure; sangre blood; corazón heart; peso weight peso
altura height; dieta diet; sueño sleep dream; dormir sleep; cansado tired; descansar rest; estrés stress; ansiedad anxiety
miedo fear afraid; emergencia emergency; ambulancia ambulance; cuidado care careful; curar cure heal; recuperar recover retrieve
recuperación recovery; fumar smoke; cuerpo body; cabeza head; cara face; pelo hair; cabello hair; ojo eye; oreja ear
oído ear hearing; nariz nose; boca mouth; diente tooth; lengua language tongue; garganta throat; cuello neck; hombro shoulder
brazo arm; muñeca wrist doll; mano hand; dedo finger toe; pecho chest breast; espalda back; estómago stomach; pierna leg
rodilla knee; pie foot; piel skin; hueso bone; voz voice; escuela school; colegio school; universidad university college
guardería daycare nursery; clase class lesson kind; aula classroom; alumno student pupil; estudiante student; estudiar study
estudio study; maestro teacher master; profesor teacher professor; enseñar teach show; enseñanza teaching; aprender learn
aprendizaje learning; lección lesson; curso course; materia subject matter; tarea task homework; ejercicio exercise
examen exam test; nota note grade; título title degree; grado degree grade; beca scholarship; cuaderno notebook; libro book
lápiz pencil; bolígrafo pen; regla rule ruler; biblioteca library; librería bookstore library; historia history story
matemáticas math mathematics; ciencia science; científico scientific scientist; idioma language; inglés english; español spanish
francés french; alemán german; portugués portuguese; gramática grammar; ortografía spelling; palabra word; frase sentence phrase
letra letter lyrics; lectura reading; leer read; escribir write; escrito write written; escritura writing; escritor writer
traducir translate; traducción translation; significado meaning; significar mean; pregunta question; preguntar ask
respuesta answer response reply; responder answer respond reply; nivel level; deporte sport; fútbol soccer football; tenis tennis
natación swimming; nadar swim; piscina pool; correr run; carrera race career degree; bicicleta bicycle bike; caminar walk
paseo walk stroll; escalada climbing; esquí ski; gimnasio gym; entrenar train; entrenamiento training workout
entrenador coach trainer; equipo team equipment; jugador player; jugar play; juega play; juego game play; juguete toy
partido match game party; pelota ball; gol goal; ganar win earn; perder lose miss; pierde lose; perdido lost; pérdida loss
campeón champion; premio prize award; ajedrez chess; carta letter card; pesca fishing; música music; músico musician
canción song; cantar sing; cantante singer; canto singing song; batería battery drums; tocar touch play; banda band
concierto concert; baile dance; disco disk record; cine cinema movie; película movie film; teatro theater; obra work play
serie series; televisión television tv; canal channel; noticia news; periódico newspaper; cuento story tale; autor author
arte art; dibujo drawing; dibujar draw; pintar paint; pintor painter; museo museum; fotografía photo photography
foto photo picture; cámara camera; favorito favorite favourite; vacaciones vacation holiday; feriado holiday
fiesta party holiday; navidad christmas; pascua easter; cumpleaños birthday; aniversario anniversary; celebrar celebrate
regalo gift present; invitar invite; invitado guest; invitación invitation; viaje trip travel journey; viajar travel
viajero traveler; turismo tourism; avión plane airplane; vuelo flight; aeropuerto airport; barco boat ship; puerto port harbor
tren train; estación station season; metro subway meter; autobús bus; billete ticket; boleto ticket; pasaporte passport
entrada ticket entrance input; frontera border; alojamiento accommodation lodging hosting; huésped guest; quedarse stay
playa beach; mar sea; isla island; costa coast; río river; lago lake; montaña mountain; cielo sky; país country; ciudad city town
pueblo town village people; centro center; plaza square; iglesia church; puente bridge; mapa map; ruta route path
camino way path road; carretera road highway; norte north; sur south; oeste west; izquierda left; derecha right
derecho law right straight; destino destination; salida exit departure output; llegada arrival; llegar arrive reach
retraso delay; tarde afternoon late; temprano early; acampar camp; tienda shop store tent; españa spain; méxico mexico
alemania germany; italia italy; europeo european; extranjero foreign foreigner abroad; mundo world; tiempo time weather
clima climate weather; lluvia rain; llover rain; llueve rain; nieve snow; nevar snow; sol sun; luna moon; estrella star
nube cloud; viento wind; tormenta storm; calor heat hot; caliente hot warm; frío cold; temperatura temperature; seco dry
incendio fire; fuego fire; aire air; primavera spring; verano summer; otoño autumn fall; invierno winter; dinero money
moneda coin currency; efectivo cash effective; tarjeta card; crédito credit; banco bank bench; cheque check
transferencia transfer; transferir transfer; depósito deposit; retirar withdraw remove; préstamo loan; prestar lend
pedir ask order request; pide ask order request; deuda debt; deber owe duty must; ahorro saving; ahorrar save
gasto expense spending; gastar spend; ingreso income deposit; sueldo salary wage; salario salary wage; nómina payroll
impuesto tax; iva vat; interés interest; inversión investment; invertir invest; acción action share stock; precio price
costo cost; costar cost; cuesta cost; valer cost worth; valor value; caro expensive; barato cheap; gratis free
descuento discount; oferta offer deal; cupón coupon; compra purchase shopping buy; comprar buy purchase; vender sell; venta sale
vendedor seller salesperson; tarifa rate fee; cuota fee quota installment; multa fine penalty; mercado market
supermercado supermarket; panadería bakery; recibo receipt bill; factura invoice bill; facturar bill invoice; pago payment
pagar pay; reembolso refund; devolver return refund; devuelve return; devolución return refund; devuelto returned
cambio change exchange; cambiar change; cliente customer client; marca brand mark; calidad quality; cantidad amount quantity
dólar dollar; seguro insurance safe sure; aseguradora insurer insurance; póliza policy; accidente accident
garantía warranty guarantee; reclamación claim complaint; queja complaint; robo theft robbery; robar steal; ladrón thief
policía police; abogado lawyer attorney; juez judge; ley law; juicio trial judgment; coche car; carro car cart; vehículo vehicle
moto motorcycle; camión truck; camioneta van pickup; rueda wheel; neumático tire tyre; freno brake; motor engine motor
matrícula plate license registration; licencia license licence; conducir drive; conductor driver; manejar drive handle
manejo handling driving; gasolina gas petrol; combustible fuel; aparcar park; aparcamiento parking; estacionar park
estacionamiento parking; taller workshop garage; mecánico mechanic; avería breakdown fault; reparar repair fix; reparación repair
arreglar fix repair; tráfico traffic; velocidad speed; eléctrico electric; electricidad electricity; electricista electrician
fontanero plumber; corriente current; peluquería hairdresser salon; fecha date; día day; semana week; mes month; año year
hora hour time; minuto minute; segundo second; momento moment; lunes monday; martes tuesday; miércoles wednesday; jueves thursday
viernes friday; sábado saturday; domingo sunday; enero january; febrero february; marzo march; abril april; mayo may; junio june
julio july; agosto august; septiembre september; octubre october; noviembre november; diciembre december; mañana tomorrow morning
noche night evening; hoy today; ayer yesterday; ahora now; pronto soon; luego later then; después after later; antes before
anterior previous; siguiente next following; próximo next; último last latest; pasado past last; futuro future; presente present
actual current; actualmente currently; siempre always; nunca never; jamás never; todavía still yet; aún still yet; ya already
diario daily diary; semanal weekly; mensual monthly; anual annual yearly; trimestre quarter; fin end; calendario calendar
horario schedule timetable; agenda agenda calendar; vez time; veces times; frecuencia frequency; menudo often; raro rare strange
duración duration; plazo deadline term; vencer expire due; vencimiento expiration due; período period; vida life; vivir live
cero zero; uno one; dos two; tres three; cuatro four; cinco five; seis six; siete seven; ocho eight; nueve nine; diez ten
once eleven; doce twelve; trece thirteen; catorce fourteen; quince fifteen; dieciséis sixteen; diecisiete seventeen
dieciocho eighteen; diecinueve nineteen; veinte twenty; treinta thirty; cuarenta forty; cincuenta fifty; sesenta sixty
setenta seventy; ochenta eighty; noventa ninety; cien hundred; ciento hundred; mil thousand; millón million; primero first
tercero third; quinto fifth; medio half middle; mitad half; doble double; par pair even; número number; suma sum; resta subtract
resto rest remainder; dividir divide split; promedio average; media average mean; porcentaje percentage; kilo kilogram
gramo gram; litro liter; color color colour; rojo red; azul blue; verde green; amarillo yellow; negro black; blanco white
gris gray grey; marrón brown; morado purple; violeta violet purple; rosado pink; oro gold; claro clear light; oscuro dark
grande large big; gran great large; pequeño small little; enorme huge; alto high tall; bajo low short; largo long; corto short
ancho wide width; estrecho narrow; fino fine thin; gordo fat; pesado heavy; ligero light lightweight; lleno full; vacío empty
abierto open; cerrado closed; nuevo new; viejo old; antiguo old ancient former; moderno modern; bueno good; bien well good
malo bad; mal bad badly; mejor better best; peor worse worst; bonito pretty nice; feo ugly; feliz happy; alegre cheerful happy
triste sad; enojado angry; preocupado worried; preocupar worry; nervioso nervous; sorpresa surprise; amable kind friendly
divertido fun funny; aburrido boring bored; serio serious; inteligente smart intelligent; listo ready smart; loco crazy
fuerte strong; fuerza force strength; débil weak; duro hard; rápido fast quick; lento slow; fácil easy; difícil difficult hard
sencillo simple; complicado complicated; complejo complex; posible possible; probable likely; necesario necessary
importante important; urgente urgent; útil useful; interesante interesting; especial special; común common; extraño strange
diferente different; diferencia difference; igual equal same; mismo same; parecido similar; único unique only; propio own
público public; privado private; secreto secret; personal personal staff; mayor greater older; menor smaller younger minor
principal main principal; básico basic; completo complete full; exacto exact; preciso precise; correcto correct right
falso false fake; cierto certain true; verdad truth true; verdadero true; disponible available; ocupado busy occupied; libre free
pobre poor; rico rich tasty; conocido known; peligroso dangerous; peligro danger; riesgo risk; seguridad security safety
automático automatic; suficiente enough sufficient; bastante enough quite; demasiado too much; mucho much many lot
poco little few; más more; menos less minus; casi almost; apenas barely hardly; solo only alone; solamente only
junto together next; además besides also; también also too; quizás maybe perhaps; aquí here; ahí there; allí there; lejos far
dentro inside; arriba up above; abajo down below; detrás behind; lado side; frente front forehead; fondo background bottom fund
línea line; punto point dot; forma form shape way; borde edge border; cuánto much many amount; cuántos many number
dónde where place; cuándo when date; quién who person; cómo how; cuál which; motivo reason motive; razón reason; causa cause
manera way manner; modo mode way; lugar place; sitio site place; cosa thing; alguien someone; nadie nobody; algo something
nada nothing; cada each every; cualquier any; otro other another; ambos both; varios several; mayoría majority most; parte part
tipo type kind; ejemplo example; tema topic theme subject; asunto subject matter issue; detalle detail; opinión opinion
consejo advice tip; ayuda help; ayudar help; problema problem; solución solution; resolver solve resolve; resuelve solve
resuelto solved; caso case; hecho fact done; situación situation; planificación planning; objetivo goal objective
meta goal target; resultado result outcome; éxito success; fallar fail; fallo failure bug; falló fail; falla failure fault
suerte luck; promesa promise; hábito habit; experiencia experience; recuerdo memory souvenir; recordar remember remind
recuerda remember remind; recordatorio reminder; olvidar forget; lista list; paso step pass; orden order; ordenar sort order
grupo group; reunión meeting; reunirse meet; reúne meet; encuentro meeting encounter; junta meeting board; trabajo work job
trabajar work; trabajador worker; empleo job employment; empleado employee; empleador employer; empresa company business
compañía company; negocio business; oficina office; jefe boss manager; gerente manager; director director manager
colega colleague; compañero colleague partner mate; socio partner member; miembro member; contrato contract
contratar hire contract; despedir fire dismiss; renuncia resignation; jubilación retirement pension; jubilado retired
puesto position post; cargo position charge; función function role; turno shift turn; permiso permission leave; baja leave sick
entrevista interview; candidato candidate; currículum resume cv; solicitud request application; aplicación application app
aplicar apply; aprobación approval; aprobar approve pass; aprueba approve; aprobado approved passed; rechazar reject refuse
acuerdo agreement; firma signature firm; firmar sign; documento document; documentación documentation; informe report
reporte report; informar inform report; información information; presupuesto budget quote; proveedor supplier provider vendor
entrega delivery; entregar deliver; envío shipping shipment; enviar send ship; pedido order; paquete package parcel
almacén warehouse store; inventario inventory; producto product; producción production; producir produce; servicio service
proyecto project; propuesta proposal; proponer propose; presentación presentation; conferencia conference lecture; llamada call
llamar call; teléfono phone telephone; móvil mobile phone; celular cell phone; mensaje message; correo mail email; carpeta folder
archivo file archive; archivar archive; impresora printer; imprimir print; impreso printed form; copia copy; copiar copy
borrador draft eraser; formulario form; tabla table board; gráfico chart graph; cálculo calculation; calcular calculate
contabilidad accounting; contador accountant counter; beneficio benefit profit; ganancia profit gain; aumento increase raise
reducir reduce; crecer grow; estrategia strategy; gestión management; administrador administrator admin; dirigir direct lead
responsable responsible owner; encargo order; decisión decision; decidir decide; elegir choose select; opción option
prioridad priority; requisito requirement; requiere require; cumplir fulfill meet; norma standard rule; política policy politics
proceso process; procedimiento procedure; ventas sales; publicidad advertising; anuncio ad announcement; campaña campaign
competencia competition competence; formación training; fábrica factory; máquina machine; ingeniero engineer
arquitectura architecture; gobierno government; guerra war; paz peace; fichero file; contraseña password; clave key password
base base basis; datos data; servidor server; red network; respaldo backup; restaurar restore; construir build
construcción construction build; compilar compile build; compilador compiler; desplegar deploy; despliegue deployment deploy
despliega deploy; lanzar launch release throw; lanzamiento release launch; publicar publish release; versión version
error error mistake; depurar debug; registro log record register; registrar register log record; alarma alarm; alerta alert
aviso notice warning; avisar notify warn; advertencia warning; notificación notification; usuario user; acceso access
permitir allow permit; método method; objeto object; ajuste setting adjustment; ajustar adjust; configurar configure set
configuración configuration settings; parámetro parameter; predeterminado default; defecto default defect
pantalla screen display; página page; búsqueda search; buscar search find look; busca search look; encontrar find; encuentra find
almacenamiento storage; almacenar store; guardar store save keep; memoria memory; caché cache; rendimiento performance
cifrado encryption encrypted; cifrar encrypt; certificado certificate; cola queue tail glue; petición request
incidencia incident issue; formato format; espacio space; computadora computer; ordenador computer; portátil laptop portable
teclado keyboard; tecla key; programa program; programador programmer developer; desarrollo development; desarrollar develop
desarrollador developer; sistema system; enlace link; navegador browser; navegar browse navigate; dominio domain
conexión connection; conectar connect; descargar download; subir upload rise climb; bajar lower download
cargar load charge upload; carga load charge; cargador charger; instalar install; actualizar update upgrade
actualización update upgrade; mantenimiento maintenance; mantener maintain keep; mantiene maintain keep; borrar delete erase
eliminar delete remove; quitar remove; añadir add; agregar add; insertar insert; editar edit; modificar modify change
reemplazar replace; sustituir replace substitute; mover move; mueve move; movimiento movement move; pegar paste stick hit
seleccionar select; selección selection; marcar mark dial; clic click; icono icon; fuente source font fountain; texto text
imagen image picture; vídeo video; sonido sound; ruido noise; cadena chain string; dependencia dependency; módulo module
componente component; interfaz interface; repositorio repository; rastrear track trace; rastreo tracking
seguimiento tracking followup; vigilar watch monitor; panel panel dashboard; informática computing; técnico technical technician
tecnología technology; algoritmo algorithm; modelo model; índice index; fila row; columna column; esquema schema scheme outline
migración migration; migrar migrate; sincronizar sync synchronize; ejecutar run execute; ejecución execution run; iniciar start
inicio start home beginning; sesión session; arrancar start boot; arranque boot startup; reiniciar restart reboot
apagar off shutdown; encender light on; encendido on ignition; activar activate enable; activo active asset; activado enabled
desactivar disable deactivate; habilitar enable; bloquear block lock; validar validate; verificar verify check
comprobar check verify; revisar review check; revisión review revision; autenticación authentication; autorización authorization
identificador identifier id; ataque attack; parche patch; proteger protect; protección protection; privacidad privacy
límite limit; umbral threshold; latencia latency; demora delay; esperar wait expect hope; intento attempt try
intentar try attempt; reintentar retry; caída fall outage crash; caer fall; colgar hang; entorno environment; estilo style
sangría indentation; comentario comment; etiqueta label tag; fusionar merge; conflicto conflict; funcionar work function
característica feature characteristic; funcionalidad feature functionality; uso use usage; usar use; utilizar use
soporte support; atención attention care; dispositivo device; aparato device appliance; suscripción subscription; perfil profile
región region; guía guide; tesis thesis; artículo article paper; experimento experiment; muestra sample show
mostrar show display; estadística statistics statistic; investigación research investigation; investigar research investigate
investigador researcher; laboratorio laboratory lab; hipótesis hypothesis; teoría theory; práctica practice; concepto concept
definición definition; definir define; evidencia evidence; medida measure measurement; medir measure; encuesta survey
cuestionario questionnaire; participante participant; participar participate; conjunto set; distribución distribution
tendencia trend tendency; tasa rate; probabilidad probability; fórmula formula; capítulo chapter; sección section
párrafo paragraph; resumen summary abstract; conclusión conclusion; concluye conclude; introducción introduction
referencia reference; citar cite quote; doctorado doctorate phd; maestría master; charlar chat talk; discutir discuss argue
evaluar evaluate assess; evaluación evaluation assessment; analizar analyze; comparar compare; descubrir discover
conocimiento knowledge; energía energy; plástico plastic; financiación funding; efecto effect; precisión precision accuracy
predicción prediction; entrenado trained; tener have; tiene have; tengo have; tuvo have; poder can power; puede can
pudo can could; podría could; hacer do make; hago do make; hizo do make; hicieron do make; decir say tell; dice say tell
dijo say; dicho said; ir go; voy go; vamos go; venir come; viene come; vengo come; ver see watch; visto seen see
vista view sight; mirar look watch; dar give; dio give; saber know; sé know; sabía know; conocer know meet; querer want love
quiere want love; poner put set; pongo put; puso put; salir leave exit; sale leave exit; entrar enter; volver return
vuelve return; vuelto returned; vuelta return lap turn; regresar return; traer bring; trajo bring; tomar take drink
coger take catch; dejar leave let; pasar pass happen spend; pasó happen; ocurrir happen occur; seguir follow continue
sigue follow continue; continuar continue; terminar finish end; acabar finish end; empezar start begin; empieza start begin
comenzar start begin; comienza start begin; parar stop; detener stop; pensar think; piensa think; creer believe think
creo believe; sentir feel; siente feel; sentimiento feeling; gustar like; gusto taste like; encanta love; amar love; amor love
odiar hate; preferir prefer; prefiere prefer; preferencia preference; desear wish desire; necesitar need; faltar lack miss
falta lack missing; hablar speak talk; habla speak talk; contar count tell; explicar explain; explicación explanation
describir describe; descripción description; entender understand; entiende understand; comprender understand; sugerir suggest
sugiere suggest; sugerencia suggestion; recomendar recommend; recomienda recommend; recomendación recommendation; crear create
creación creation; creado created; abrir open; abre open; cerrar close shut; cierra close; romper break; comer eat; beber drink
despertar wake; despierta wake; levantar raise lift; sentar sit; nació born; morir die; muerto dead; matar kill
recibir receive get; obtener obtain get; obtiene obtain get; conseguir get achieve; consigue get achieve; lograr achieve
aceptar accept; negar deny; evitar avoid; impedir prevent; prohibir forbid prohibit; confirmar confirm; confirmación confirmation
cancelar cancel; cancelación cancellation; posponer postpone; organizar organize; organización organization; preparar prepare
visitar visit; compartir share; unirse join; separar separate; recoger collect pick; recogida pickup collection; tirar throw pull
empujar push; cubrir cover; llenar fill; tapar cover; tapa lid cover; esconder hide; aparecer appear; parecer seem; servir serve
sirve serve; tratar treat try; repetir repeat; repite repeat; corregir correct; corrige correct; corrección correction
mejorar improve; mejora improvement; convertir convert; convierte convert; incluir include; contener contain; contiene contain
contenido content; pertenecer belong; depender depend; existir exist; oír hear; oye hear; escuchar listen hear; oler smell
olor smell; reír laugh; risa laughter; sonrisa smile; llorar cry; gritar shout; beso kiss; abrazar hug; agradecer thank
gracias thanks; perdón sorry pardon; pelear fight; lucha fight struggle; golpear hit; saltar jump; volar fly; apoyar support
sueña dream; atender attend serve; asistir attend; asistente assistant; adjuntar attach; adjunto attached attachment
anunciar announce; asignar assign; asignación assignment; cabe fit; colocar place put; comunicación communication
considerar consider; consumo consumption; conversación conversation; culpa fault blame; daño damage harm; dañado damaged
destruye destroy; duda doubt question; disfrutar enjoy; diseño design; diseñar design; diseñador designer
establecer establish set; exige demand; grabar record; grabación recording; interrupción interruption outage; limpiar clean
mordió bite; ofrecer offer; quedar remain meet stay; quemado burnt; realizar perform carry; reconocer recognize
relación relationship relation; respeto respect; sacar remove take; saca take; supone suppose; tardar late take; tarda take delay
traslado move transfer; afectado affected; apuntar note point; atrae attract; confianza trust confidence; cultura culture
distancia distance; educación education; esfuerzo effort; esperanza hope; estado state status; estructura structure; evento event
excepción exception; ventaja advantage; desventaja disadvantage; lector reader; oportunidad opportunity; origen origin source
pausa pause break; paciencia patience; pila battery stack pile; sentido sense direction; señal signal sign; silencio silence
unidad unit drive; especialmente especially; finalmente finally; generalmente generally usually; normalmente normally usually
recientemente recently; reciente recent; exactamente exactly; aproximadamente approximately about; inmediatamente immediately
realmente really; probablemente probably; inicial initial; final final end; máximo maximum; mínimo minimum; contacto contact
adolescente teenager; identidad identity; parque park; cuna crib cot; pañal diaper nappy
`
