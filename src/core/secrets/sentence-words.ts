/** Words of the sentences that state a secret, in English, German, French, Spanish, Italian, Portuguese and Dutch. */

const list = (text: string): readonly string[] => text.trim().split(/\s+/)
const setOf = (text: string): ReadonlySet<string> => new Set(list(text))

/** Nouns for a password. A prefix may be joined to them: `WLAN-Passwort`, `Masterpasswort`. */
const PASSWORD_NOUNS = [
  'passwords?|pass[ -]?words?|passwd|passphrases?|pass[ -]phrases?|passcodes?|pass[ -]codes?',
  'codes? (?:du |de )?wi-?fi|wi-?fi[ -]code|wlan-?code|código (?:del |do )?wi-?fi|codice (?:del )?wi-?fi',
  'passwort|passwörter|kennwort|kennwörter|zugangscode|geheimzahl|codewort',
  'mots? de passe|phrases? (?:secrète|de passe)|code secret|codes? d.accès',
  'contrase(?:ñ|n\u0303?)as?|palabra de paso|código de acceso|frase (?:de paso|de contraseña|secreta)',
  'parola d.ordine|parola d.accesso|codice d.accesso|codice segreto|frase segreta|parola segreta',
  'senhas?|palavras?[ -]passe|código de acesso|frase[ -](?:passe|senha)',
  'wachtwoord|wachtwoorden|wachtwoordzin|toegangscode|wachtzin',
].join('|')

/** Short names, which are password nouns only as whole words. */
const SHORT_NOUNS = 'pw|pwd|pass|psw|mdp|clave|pin|pin[ -]?code|pincode|puk'

/** Nouns for a key or token that say that it is secret. */
const KEY_NOUNS = [
  '(?:secret access|secret|private|api|access|encryption|signing|master|license|licence|deploy|service|account|auth|pre-?shared|recovery|wpa2?|wifi|wlan|webhook|app)[ -]?keys?',
  '(?:access|api|auth|bearer|refresh|bot|personal access|deploy|service|session|security)[ -]?tokens?|bearer',
  '(?:client|app|api|shared|webhook|consumer|signing)[ -]?secrets?|[a-z]\\w*_(?:key|token|secret)',
  '(?:api|zugangs|zugriffs|lizenz|verschlüsselungs|wlan|signatur|haupt)-?(?:schlüssel|token)|(?:geheime[rn]?|private[rn]?) schlüssel|(?:api|zugangs|zugriffs)-?schlüssels',
  'clés? (?:d.)?(?:api|accès|secrète|privée|wifi|wpa)|clés? (?:secrète|privée) d.api|clé de (?:chiffrement|licence|signature)|jeton (?:d.accès|d.api|api|secret)',
  'claves? (?:de )?(?:la )?(?:api|acceso|cifrado|licencia|secreta|privada)|token (?:de )?(?:acceso|api)',
  'chiav[ei] (?:di )?(?:api|accesso|cifratura|licenza|segreta|privata)|token (?:di )?(?:accesso|api)',
  'chaves? (?:de |da )?(?:api|acesso|criptografia|licença|secreta|privada)|token (?:de )?(?:acesso)',
  '(?:api|toegangs|licentie)-?sleutel|(?:geheime|private|privé) sleutel',
].join('|')

/** Nouns for a name and a password together. */
const LOGIN_NOUNS = [
  'credentials?|creds|logins?|log[ -]?in (?:details|data|info)|login[ -]?daten',
  'zugangsdaten|anmeldedaten|identifiants?|credenciales|credenziali|credenciais|inloggegevens|toegangsgegevens',
  '(?:datos|dados) de (?:acceso|acesso)|dati (?:di|d.)\\s?accesso',
].join('|')

/** One expression for all nouns; its groups tell which kind was found. */
export const SECRET_NOUNS = new RegExp(
  `(?<key>(?<![\\p{L}\\d])(?:${KEY_NOUNS}))(?![\\p{L}\\d])|(?<password>${PASSWORD_NOUNS}|(?:(?<![\\p{L}\\d_-])(?:${SHORT_NOUNS})|(?<=\\p{L}-)(?:pwd?|pin))(?!-\\p{L}))(?![\\p{L}\\d])|(?<login>(?<![\\p{L}\\d_-])(?:${LOGIN_NOUNS}))(?![\\p{L}\\d_])`,
  'giu',
)

/** Words and signs between a noun and its value: `the password is X`, `password: X`. */
export const COPULAS = setOf(`
  is was are were be been being became becomes remains stays reads equals called reading being isn't isn’t wasn't wasn’t that's that’s
  c'est c’est it's it’s das-ist
  ist war sind lautet lautete lauten heißt heisst hieß bleibt sei wäre wird dient gilt
  est était etait sera reste sont devient vaut vale
  es era será sera son sigue continúa permanece queda sería
  è e' e’ era sarà resta rimane diventa sono
  é foi será fica ficou continua permanece segue são
  was wordt blijft luidt zijn werd
`)
export const ASSIGNMENT_SIGNS = setOf(': = -> => → ➜ – — - := == | :-')

/** Copulas of languages in which an adjective or a name follows the noun: `la password nuova è X`. */
export const ROMANCE_COPULAS = setOf(
  "est était etait c'est c’est sera es era será è e' e’ sarà é foi reste fica ficou sigue continúa continua permanece resta rimane queda son sont sono são",
)

/** Words after which a value follows when a password is changed or used. */
export const PREPOSITIONS = setOf(`
  to into as from with using use via try enter type
  auf zu in von mit als durch nimm nimmst nehmt nehmen verwende verwendest verwenden benutze benutzt benutzen nutze nutzt nutzen
  en pour avec par à de utilise utilises utilisez utilisons saisis saisissez prends prenez tape tapez mets mettez
  a por con en usa usas use usamos introduce pon ponemos
  con da di per su usa usi usiamo inserisci metti scrivi
  para com por use usa usamos digite coloque
  naar van met door gebruik gebruiken neem typ
`)

/** Parts of a compound such as `API key fingerprint`, whose value is no key. */
export const NO_KEY_PARTS =
  /^(?:hash|fingerprint|checksum|ids?|names?|commits?|tickets?|rotations?|versions?|labels?|prefix|holders?|owners?|empreinte|huella|impronta|fingerabdruck|vingerafdruk)$/iu

/** Verbs of use before a password: `we use X for the shared password`. */
export const USES = setOf(
  'use uses used using type types enter enters try nutze nutzen nutzt benutze benutzen verwende verwenden nimm utilise utilisez usa usamos gebruik gebruiken',
)

/** Auxiliary verbs before a password: `I have X as the password`. */
export const AUXILIARIES = setOf(
  "have has had i've we've habe hab haben hat hast hatte ai as a j'ai avons ont avait he hemos han ho ha abbiamo hanno tenho temos tem heb heeft hebben had",
)

/** Pronouns between the verb and its object: `als Passwort nimmst du X`. */
export const PRONOUNS = setOf('you we they i du ihr sie wir ich man tu vous nous on je usted nosotros voi noi você nós je jij u wij we')

/** Stems of verbs that change or set a password. */
export const CHANGES =
  /^(?:chang|set$|sets$|setting|reset|updat|rotat|switch|replac|renew|geänder|änder|setz|gesetz|gestellt|stell|zurückgesetz|aktualisier|erneuer|changé|changer|change|modifi|remplac|réinitialis|défini|cambi|actualiz|restablec|reemplaz|pus[oe]|puest|aggiorn|impost|reimpost|sostitui|alter|mud[aeoá]|troc|troqu|atualiz|redefin|defin|gewijzig|wijzig|verander|ingesteld|vervang|remis|mis$|mett|put$|pus|pong|mess[oiae]$|colo[cq]|asign|assegn|atribu|attribu|vergeben|gewählt|wähl|chose|choose|pick|elegi|scelt|escolh|koos|gekozen|generat|generier)/iu

/** Words that may come between the copula and the value. */
export const FILLERS_BEFORE_VALUE = setOf(`
  now still again currently simply just always temporarily actually really btw anyway today only set to the following this one as be changed
  jetzt nun übrigens bitte seit heute gestern wohl auch weiterhin noch aktuell derzeit wieder einfach immer momentan ab sofort neu das folgende folgendes nämlich auf geändert
  maintenant d'ailleurs aujourd'hui aussi toujours actuellement encore désormais simplement le suivant la suivante
  ahora hoy también todavía actualmente siempre sigue continúa permanece siendo la siguiente simplemente
  ora adesso oggi anche ormai ancora sempre attualmente semplicemente la seguente il seguente
  agora hoje também ainda atualmente sempre sendo simplesmente a seguinte
  everywhere überall partout dappertutto ovunque overal
  nu trouwens vanaf vandaag ook nog steeds altijd momenteel gewoon weer het volgende
`)

/** Words that may follow a noun without making it part of a compound such as `password policy`. */
export const AFTER_NOUN = setOf(`
  after before until during since because unless when while last first
  for of on to at in from that which i we you he she they it my our your the a an and or with by here there below above now again today since
  has have had will would should must can could used needed again i've we've
  für von vom zu zum zur auf am an im in beim bei der die das des dem den und oder mit ab seit jetzt neu hier lautet dort heute aktuell dazu dafür wurde wird hat
  voor van op bij het de een en of met nu hier daar dat die wat
  pour du de des sur dans au aux pendant depuis y del al para por desde en el la
  em della dello dei degli delle per dal dalla nel nella sul sulla do da dos das na nos nas ao
`)

/** What comes before a password that follows its noun directly: `user ann and password X`. */
export const BEFORE_BARE_NOUN = setOf('has have hat tiene ha tem heeft and with und mit et avec y con e com en met plus + & , / using use')

/** Nouns for the name of an account, before the password: `user ann pass X`. */
export const USER_NOUNS = setOf(
  'user username login account name benutzer benutzername nutzer konto utilisateur identifiant compte usuario cuenta utente usuário utilizador conta gebruiker gebruikersnaam',
)

/** Pronouns that repeat a value: `X, that is the password`. */
export const DEMONSTRATIVES = setOf(
  "that this that's that’s das dies c'est c’est ça esa esta ese eso questa quella questo essa isso dat dit — – -",
)

/** Words that follow a value at the end of its clause. */
export const AFTER_VALUE = setOf(`
  please thanks everywhere anymore any only instead
  bitte danke an ein anmelden einloggen eingeben verwenden benutzen nutzen sein überall nur
  svp merci partout gracias siempre grazie dappertutto ovunque obrigado sempre overal alsjeblieft inloggen invullen
  works work opens unlocks worked funktioniert öffnet geht fonctionne ouvre marche funciona abre funziona apre werkt opent
`)

/** Articles and possessives between `with` and the noun. */
export const DETERMINERS = setOf(`
  the a my our your his her their its this that new old shared same
  der die das dem den ein einem mein meinem meine unser unserem dein neue neuen
  le la l' un mon ma notre ton votre son el mi su nuestra tu una il lo mia nostra tua
  o a os as minha nossa sua uma nova het de een mijn ons onze je
`)

/** Nouns of which a password is a part, such as the manager that keeps it. */
export const BEFORE_COMPOUND = setOf(
  'gestionnaire gestor gestore gerenciador administrador generador générateur generatore gerador politique política',
)

/** Names with digits that follow such sentences and are no secrets: algorithms, products, machines. */
export const KNOWN_NAMES =
  /^(?:u?int|float|big(?:ui|i)nt|sha|md|aes|rsa|argon|base|utf|oauth|bcrypt|scrypt|yescrypt|pbkdf|ed|curve|secp|x|iso|ipv|http|tls|ssl|wpa|wep|win|windows|office|rfc|nist|ldap|saml|hmac|hs|rs|es|ps|db|app|web|srv|host|server|node|prod|dev|stage|keepass|mysql|postgres|postgresql|python|java|vault|room|raum|zimmer|salle|level|tier|step|phase|version|sprint|kw|ticket|user|nutzer|chapter|kapitel|seite|page|option|field|feld|line|zeile|section|abschnitt|route|plan|team|gen|ps|bit|slot)[-_]?\d{1,5}(?:id|array|[a-z])?$/iu

export const WORDS_FOR = setOf('for für pour para per voor')
export const WORDS_AS = setOf('as als comme como come')
/** Nouns with other meanings: their value requires a sign or a copula. */
export const VERBS = setOf('pass pin clave')
/** French nouns, after which `son` is a possessive. */
export const FRENCH = /mot|clé|identifiant|mdp|phrase|jeton/u
