/** Common words of Portuguese and what they mean, most usual first. */
export const PORTUGUESE: string = `
família family; mãe mother mom; pai father dad; filho son child; filha daughter child; irmão brother sibling; irmã sister
avô grandfather grandpa; avó grandmother grandma; neto grandson grandchild; neta granddaughter; tio uncle; tia aunt; primo cousin
sobrinho nephew; sobrinha niece; sogro father-in-law; sogra mother-in-law; cunhado brother-in-law; cunhada sister-in-law
marido husband; esposa wife; mulher woman wife; homem man; criança child kid; menino boy; menina girl; bebê baby
namorado boyfriend; namorada girlfriend; parceiro partner; casal couple; amigo friend; vizinho neighbor neighbour
pessoa person people; gente people; jovem young; nome name; sobrenome surname; apelido nickname surname; idade age
casamento wedding marriage; casado married; grávida pregnant; nascimento birth; morte death; casa house home
apartamento apartment flat; prédio building; quarto room bedroom fourth; cozinha kitchen; banheiro bathroom toilet
sala room living; garagem garage; jardim garden; chão floor ground; andar floor walk; parede wall; porta door port; janela window
escada stairs ladder; elevador elevator lift; chave key wrench; fechadura lock; endereço address; aluguel rent
mudança move change; mudar change move; bairro neighborhood neighbourhood; rua street; móvel furniture mobile; mesa table desk
cadeira chair; sofá sofa couch; cama bed; armário closet cupboard wardrobe; prateleira shelf; caixa box cashier
lâmpada bulb lamp; luz light; relógio clock watch; quadro picture board; toalha towel; papel paper; lixo trash garbage rubbish
geladeira fridge refrigerator; forno oven; fogão stove; fogo fire; aquecimento heating; chuveiro shower; banho bath shower
cabo cable; ferramenta tool; pintura painting; limpeza cleaning; limpar clean; sujo dirty; carrinho cart basket stroller
saco bag sack; bolsa bag purse scholarship; mochila backpack; mala suitcase; bagagem luggage baggage; carteira wallet license
comida food; almoço lunch; jantar dinner; prato dish plate; copo glass cup; garrafa bottle; receita recipe prescription revenue
sabor flavor flavour taste; doce sweet candy; pão bread; farinha flour; arroz rice; feijão bean; carne meat beef; frango chicken
porco pork pig; peixe fish; ovo egg; leite milk; queijo cheese; manteiga butter; sal salt; açúcar sugar; alho garlic
cebola onion; tomate tomato; batata potato; salada salad; cogumelo mushroom; legume vegetable; azeitona olive; fruta fruit
maçã apple; laranja orange; limão lemon lime; bolo cake; bebida drink beverage; beber drink; água water; café coffee; chá tea
suco juice; cerveja beer; vinho wine; vegetariano vegetarian; alergia allergy; fome hunger hungry; sede thirst headquarters
cozinhar cook; assar bake roast; assado roast baked; cortar cut; misturar mix; congelar freeze; restaurante restaurant
conta account bill; reserva reservation booking; reservar reserve book; roupa clothes clothing; vestido dress; camisa shirt
calça pants trousers; casaco coat; sapato shoe; tênis sneaker tennis; chapéu hat; botão button; tamanho size; óculos glasses
lavar wash; usar use wear; uso use; animais animal pets; estimação pet; cachorro dog; cão dog; gato cat; pássaro bird
cavalo horse; veterinário vet veterinarian; raça breed race; planta plant; árvore tree; flor flower; ramo branch
terra soil earth land; madeira wood; saúde health; doente sick ill; doença illness disease; médico doctor medical
enfermeiro nurse; dentista dentist; farmácia pharmacy; consulta appointment query consultation; paciente patient
remédio medicine; medicamento medication medicine; vacina vaccine; exame exam test; tratamento treatment; sintoma symptom
diagnóstico diagnosis; dor pain ache; doer hurt ache; febre fever; quebrado broken; pressão pressure; sangue blood; coração heart
peso weight; sono sleep; sonho dream; dormir sleep; cansado tired; descansar rest; medo fear afraid; emergência emergency
cuidado care careful; recuperar recover retrieve; recuperação recovery; fumar smoke; corpo body; cabeça head; cabelo hair
olho eye; boca mouth; dente tooth teeth; língua language tongue; mão hand; dedo finger toe; costas back; estômago stomach
perna leg; pé foot; pele skin; escola school; universidade university college; faculdade college faculty
aula class lesson lecture; aluno student pupil; estudante student; estudar study; professor teacher professor; ensinar teach
ensino teaching; aprender learn; curso course; matéria subject matter; tarefa task homework; exercício exercise
prova test exam proof; nota note grade; título title; livro book; biblioteca library; história history story; ciência science
idioma language; inglês english; português portuguese; espanhol spanish; ortografia spelling; palavra word; frase sentence phrase
letra letter lyrics; leitura reading; ler read; escrever write; escrito write written; traduzir translate; tradução translation
significado meaning; pergunta question; perguntar ask; resposta answer response reply; responder answer respond reply
nível level; esporte sport; futebol soccer football; nadar swim; piscina pool; correr run; bicicleta bicycle bike; caminhar walk
academia gym academy; treinar train; treino training workout; treinamento training; equipe team; time team; jogador player
jogar play; jogo game match; brinquedo toy; bola ball; ganhar win earn; perder lose miss; prêmio prize award; música music song
músico musician; cantar sing; guitarra guitar; bateria battery drums; dança dance; cinema cinema movie; filme movie film
teatro theater; televisão television tv; notícia news; jornal newspaper; revista magazine; autor author; arte art; desenhar draw
pintar paint; foto photo picture; favorito favorite favourite; férias vacation holiday; feriado holiday; festa party
natal christmas; aniversário birthday anniversary; presente present gift; convidado guest; viagem trip travel journey
viajar travel; avião plane airplane; voo flight; aeroporto airport; porto port harbor; trem train; comboio train
estação station season; ônibus bus; bilhete ticket note; entrada entrance input; passaporte passport; visto visa seen
praia beach; mar sea; montanha mountain; país country; cidade city town; centro center; mapa map; caminho way path
estrada road highway; esquerda left; direita right; direito law right; destino destination; saída exit output departure
chegada arrival; chegar arrive; atraso delay; atrasado late delayed; tarde afternoon late; cedo early; brasil brazil; mundo world
tempo time weather; clima climate weather; chuva rain; neve snow; sol sun; nuvem cloud; calor heat; quente hot warm; frio cold
temperatura temperature; previsão forecast; ar air; primavera spring; verão summer; outono autumn fall; inverno winter
dinheiro money; moeda coin currency; cartão card; crédito credit; banco bank bench; transferência transfer; depósito deposit
empréstimo loan; pedir ask order request; dívida debt; dever owe duty must; economizar save; gasto expense spending; gastar spend
salário salary wage; imposto tax; investimento investment; preço price; custo cost; valor value amount; caro expensive
barato cheap; grátis free; desconto discount; oferta offer deal; promoção sale promotion; compra purchase shopping buy
comprar buy purchase; vender sell; venda sale; vendedor seller salesperson; taxa rate fee tax; multa fine penalty; mercado market
supermercado supermarket; loja shop store; recibo receipt; fatura invoice bill; pagamento payment; pagar pay; pago paid pay
reembolso refund; devolver return; troca exchange; cliente customer client; marca brand mark; qualidade quality
quantidade amount quantity; seguro insurance safe sure; acidente accident; garantia warranty guarantee
reclamação complaint claim; roubo theft robbery; polícia police; advogado lawyer attorney; lei law; carro car; veículo vehicle
pneu tire tyre; motor engine motor; dirigir drive direct; motorista driver; gasolina gas petrol; combustível fuel
estacionar park; consertar repair fix; trânsito traffic; velocidade speed; eletricidade electricity; data date; dia day
semana week; mês month; ano year; hora hour time; minuto minute; segundo second; momento moment; segunda monday second
terça tuesday; quarta wednesday fourth; quinta thursday fifth; sexta friday sixth; sábado saturday; domingo sunday
janeiro january; fevereiro february; março march; abril april; maio may; junho june; julho july; agosto august
setembro september; outubro october; novembro november; dezembro december; manhã morning; amanhã tomorrow; noite night evening
hoje today; ontem yesterday; agora now; logo soon; depois after later; antes before; anterior previous; seguinte next following
próximo next near; último last latest; passado past last; futuro future; atual current; sempre always; nunca never
ainda still yet; já already; diário daily diary; semanal weekly; mensal monthly; anual annual yearly; fim end
calendário calendar; horário schedule time; agenda agenda calendar; vez time; prazo deadline term; vencimento due expiration
validade validity expiry; vida life; viver live; dois two; três three; quatro four; cinco five; seis six; sete seven; oito eight
nove nine; dez ten; onze eleven; doze twelve; quinze fifteen; vinte twenty; trinta thirty; quarenta forty; cinquenta fifty
sessenta sixty; setenta seventy; oitenta eighty; noventa ninety; cem hundred; cento hundred; mil thousand; milhões million
primeiro first; metade half; número number; média average mean; porcentagem percentage; cor color colour; vermelho red; azul blue
verde green; amarelo yellow; preto black; branco white; cinza gray grey; marrom brown; rosa pink rose; claro clear light
escuro dark; grande large big great; pequeno small little; alto high tall; baixo low short; curto short; fino thin fine
pesado heavy; leve light; cheio full; aberto open; fechado closed; novo new; velho old; antigo old ancient former; bom good
boa good; bem well; mal badly bad; ruim bad; melhor better best; pior worse worst; bonito pretty beautiful; feliz happy
triste sad; preocupado worried; sério serious; inteligente smart intelligent; pronto ready; forte strong; duro hard
rápido fast quick; lento slow; fácil easy; difícil difficult hard; simples simple; complexo complex; possível possible
necessário necessary; necessidade need; importante important; urgente urgent; útil useful; especial special; comum common
diferente different; igual equal same; mesmo same; único unique only; público public; privado private; pessoal personal staff
maior greater larger; menor smaller; principal main principal; completo complete full; correto correct; certo right certain
errado wrong; verdade truth true; verdadeiro true; disponível available; ocupado busy; livre free; perigo danger; risco risk
segurança security safety; bastante enough quite; muito much many very; pouco little few; mais more; menos less minus
quase almost; apenas only just; só only alone; junto together; também also too; talvez maybe perhaps; aqui here; longe far
perto near; dentro inside; cima above up; frente front; atrás behind ago; lado side; linha line; ponto point dot
forma form shape way; quanto much amount; quantos many number; onde where place; quando when date; quem who person; como how
qual which; quais which; motivo reason; modo mode way; lugar place; local place local; coisa thing; alguém someone
ninguém nobody; qualquer any; outro other another; vários several; parte part; tipo type kind; exemplo example; tema topic theme
assunto subject matter; detalhe detail; ideia idea; opinião opinion; conselho advice council; ajuda help; ajudar help
problema problem; solução solution; resolver solve resolve; caso case; plano plan; planejar plan; objetivo goal objective
resultado result outcome; falha failure fault; falhar fail; hábito habit; lembrar remember remind; lembrete reminder
esquecer forget; anotação note; lista list; ordem order; ordenar sort order; grupo group; trabalho work job; trabalhar work
emprego job employment; funcionário employee; empresa company business; negócio business deal; escritório office
chefe boss manager; gerente manager; diretor director; colega colleague; membro member; contrato contract; contratar hire
função function role; licença license leave; entrevista interview; pedido order request; solicitação request application
aplicativo app application; aprovação approval; aprovar approve; acordo agreement; assinatura signature subscription
documento document; relatório report; informação information; orçamento budget quote; fornecedor supplier vendor
fornecer supply provide; entrega delivery; entregar deliver; envio shipping shipment; enviar send; pacote package
estoque stock inventory; produto product; produção production; serviço service; projeto project; proposta proposal
propor propose; apresentação presentation; reunião meeting; encontro meeting encounter; ligação call connection
ligar call connect on; desligar off shutdown; chamada call; telefone phone telephone; celular cell phone mobile; mensagem message
carta letter; pasta folder; arquivo file archive; ficheiro file; impressora printer; cópia copy; rascunho draft; formulário form
modelo model template; tabela table; gráfico chart graph; cálculo calculation; contabilidade accounting; lucro profit
aumento increase raise; reduzir reduce; crescer grow; estratégia strategy; administrador administrator admin
responsável responsible owner; decidir decide; escolher choose; opção option; prioridade priority; exigir require demand
regra rule; política policy politics; processo process; procedimento procedure; departamento department; vendas sales
máquina machine; engenheiro engineer; senha password; dados data; servidor server; rede network; restaurar restore; teste test
construir build; construção construction build; implantar deploy; lançar launch release; lançamento release launch
publicar publish; versão version; erro error mistake; registro log record register; registrar register log record; alarme alarm
alerta alert; aviso notice warning; avisar notify warn; notificação notification; usuário user; utilizador user; acesso access
permissão permission; permitir allow permit; ajuste setting adjustment; configuração configuration settings
configurações settings configuration; configurar configure; padrão default standard pattern; tela screen; ecrã screen
página page; busca search; buscar search fetch; procurar search look; pesquisa research search survey; pesquisar search research
encontrar find meet; achar find think; armazenamento storage; guardar store keep save; salvar save; memória memory
desempenho performance; criptografia encryption; certificado certificate; fila queue row; requisição request
chamado ticket called; formato format; formatação formatting; espaço space; computador computer; notebook laptop
teclado keyboard; tecla key; programa program; desenvolvimento development; desenvolver develop; sistema system
navegador browser; site site website; conectar connect; baixar download; carregar load charge upload; carga load charge
carregador charger; instalar install; atualizar update; manutenção maintenance; manter maintain keep; apagar delete erase
excluir delete exclude; remover remove; adicionar add; editar edit; substituir replace; mover move; marcar mark schedule
fonte source font; texto text; imagem image picture; vídeo video; som sound; dependência dependency; repositório repository
código code; monitoramento monitoring; painel panel dashboard; tecnologia technology; campo field; migração migration
executar run execute; iniciar start; início start beginning; sessão session; reiniciar restart reboot; ativo active asset
bloquear block lock; validar validate; verificar verify check; revisão review revision; autenticação authentication
ataque attack; proteção protection; limite limit; esperar wait expect hope; tentar try attempt; queda fall outage drop
cair fall crash; caiu fall crash; travar lock freeze; ambiente environment; comentário comment; conflito conflict
recurso resource feature; funcionar work function; suporte support; dispositivo device; perfil profile; região region; disco disk
latência latency; tese thesis; artigo article paper; experimento experiment; experiência experience experiment; amostra sample
mostrar show; estatística statistics; laboratório laboratory lab; definir define set; medida measure; resumo summary abstract
conclusão conclusion; referência reference; palestra lecture talk; conferência conference; discutir discuss
avaliar evaluate assess; analisar analyze; comparar compare; descobrir discover; conhecimento knowledge; energia energy
efeito effect; método method; ter have; tem have; tenho have; teve have; tinha have; poder can power; pode can; posso can
fazer do make; faz do make ago; faço do make; fez do make; fiz do make; feito done made; dizer say tell; diz say; disse say
falar speak talk; ir go; vou go; vir come; vem come; veio come; ver see watch; vê see; viu see; olhar look; assistir watch attend
dar give; dá give; deu give; saber know; sei know; conhecer know meet; querer want; quer want; quis want; pôr put
colocar put place; sair leave exit; saiu leave exit; entrar enter; voltar return; trazer bring; trouxe bring; levar take carry
tomar take drink; pegar take catch; deixar leave let; passar pass spend; acontecer happen; seguir follow; continuar continue
terminar finish end; acabar finish end; começar start begin; parar stop; pensar think; acreditar believe; sentir feel
gostar like; gosto taste like; amar love; preferir prefer; precisar need; faltar lack miss; falta lack missing; contar count tell
explicar explain; descrever describe; entender understand; sugerir suggest; recomendar recommend; criar create raise; abrir open
fechar close shut; quebrar break; comer eat; acordar wake; levantar lift raise; sentar sit; nascer born; morrer die
receber receive get; obter obtain get; conseguir get achieve; aceitar accept; evitar avoid; confirmar confirm; cancelar cancel
adiar postpone; organizar organize; organização organization; preparar prepare; visitar visit; compartilhar share
aparecer appear; parecer seem; servir serve; repetir repeat; corrigir correct fix; correção correction fix; melhorar improve
piorar worsen; incluir include; conter contain; conteúdo content; ouvir hear listen; cheiro smell; obrigado thanks
desculpa sorry apology; apoiar support; anexar attach; cabe fit; comunicação communication; considerar consider; controle control
conversar talk chat; conversa conversation talk; dano damage; dúvida doubt question; gravar record; morar live reside
oferecer offer; ficar stay become; realizar perform carry; relação relationship relation; respeito respect; tirar remove take
supor suppose; demorar delay take; alcançar reach; confiar trust; esperança hope; estado state status; evento event
oportunidade opportunity; geralmente usually generally; normalmente normally usually; recente recent; finalmente finally
final final end; máximo maximum; mínimo minimum; parque park; telemóvel mobile phone; autocarro bus; estadia stay
encriptar encrypt
`
