import { describe, expect, it } from 'vitest'
import { secretsIn } from './scan.js'

const found = (text: string): readonly string[] => secretsIn(text).map(({ from, to }) => text.slice(from, to))
/** Generated, so that the repository contains no key. */
const drawn = (length: number): string => 'q7Zt19LmPx02RrTy8Kd1'.repeat(Math.ceil(length / 20)).slice(0, length)
const hex = (length: number): string => '9a3f7c1e5b2d8046'.repeat(Math.ceil(length / 16)).slice(0, length)

describe('repair 2: a password that a sentence states is masked', () => {
  it.each([
    ['My wifi password is Blauwal-8842!', 'Blauwal-8842!'],
    ['the root password is Zx81kilo', 'Zx81kilo'],
    ['password: hunter2!X9', 'hunter2!X9'],
    ['The password for the portal is Tr0ub4dor&3', 'Tr0ub4dor&3'],
    ['login with user ann and password Blauwal8842!', 'Blauwal8842!'],
    ['user: ann, password: sunshine99, port: 5432', 'sunshine99'],
    ['password=Blauwal8842!', 'Blauwal8842!'],
    ['The password is "swordfish", without the quotes.', 'swordfish'],
    ['The password is now tulip-boat-window-candle.', 'tulip-boat-window-candle'],
    ['I changed my Netflix password to tulips99', 'tulips99'],
    ['the PIN is 4821', '4821'],
    ['Blauwal8842! is the password for the door', 'Blauwal8842!'],
    ['use Blauwal8842! as the wifi password', 'Blauwal8842!'],
    ['credentials: ann / Blauwal8842!', 'Blauwal8842!'],
    ['**Password:** `Blauwal8842!`', 'Blauwal8842!'],
    ['Password:\nBlauwal8842!', 'Blauwal8842!'],
    ['Das Passwort lautet Blauwal8842!', 'Blauwal8842!'],
    ['Das WLAN-Passwort ist jetzt Blauwal8842!', 'Blauwal8842!'],
    ['Ich habe das Passwort auf Blauwal88 geändert', 'Blauwal88'],
    ['Zugangsdaten: ann / Zx81kilo', 'Zx81kilo'],
    ['Le mot de passe du wifi est Blauwal8842!', 'Blauwal8842!'],
    ['Mot de passe : Tulipe77!', 'Tulipe77!'],
    ["J'ai changé le mot de passe en tulipe7788", 'tulipe7788'],
    ['La contraseña del router es Blauwal8842!', 'Blauwal8842!'],
    ['He cambiado la contraseña a gatito9931', 'gatito9931'],
    ['La clave del wifi es Blauwal8842', 'Blauwal8842'],
    ['La password nuova è gattino9931', 'gattino9931'],
    ['Ho cambiato la password in gattino9931', 'gattino9931'],
    ['A senha do wifi é Blauwal8842!', 'Blauwal8842!'],
    ['Mudei a senha para gatinho9931', 'gatinho9931'],
    ['Het wachtwoord is Blauwal8842!', 'Blauwal8842!'],
  ])('%s', (text, secret) => expect(found(text)).toEqual([secret]))

  it.each([
    ["The password's kestrel42", 'kestrel42'],
    ['My PayPal password? Kestrel!4471', 'Kestrel!4471'],
    ["the password hasn't changed, still K3strelNest", 'K3strelNest'],
    ['The password required for the portal is kestrel42', 'kestrel42'],
    ['Kestrel-73 — that is the password for the printer', 'Kestrel-73'],
    ['Das Passwort ist seit heute kestrel42', 'kestrel42'],
    ['Als Passwort bitte Kestrel-73 eingeben', 'Kestrel-73'],
    ['Le mot de passe admin (kestrel42) expire en mai', 'kestrel42'],
    ['La contraseña sigue siendo Kestrel-73', 'Kestrel-73'],
    ['Ho messo kestrel42 come password', 'kestrel42'],
    ['Mudei a senha por Kestrel-73', 'Kestrel-73'],
    ['Netflix password = kestrel42', 'kestrel42'],
    ['user ann pass "Kestrel!4471"', 'Kestrel!4471'],
    ['Try tulip#Rail9 if the old router password no longer works', 'tulip#Rail9'],
    ['You can reach the site with demo / p@perBoat22', 'p@perBoat22'],
    ['Mongo-Admin-PW: Kestrel-Nest-8', 'Kestrel-Nest-8'],
    ['Mon mot de passe PayPal ? Boule!Neige2', 'Boule!Neige2'],
    ['redis password snowdrop_44', 'snowdrop_44'],
    ["Use 'orchid-Lamp-93' to unlock the backup drive; that's its passphrase.", 'orchid-Lamp-93'],
    ["Heron!Lagoon7. That's the password for the NAS.", 'Heron!Lagoon7'],
    ['Lagoon!Heron7 unlocks the backup drive', 'Lagoon!Heron7'],
    ['Mit Lagune!Reiher7 kommst du ins VPN', 'Lagune!Reiher7'],
    ['Meld je aan met anna en Framboos7Taart!', 'Framboos7Taart!'],
    ['{"user": "ann", "password": "Blau wal 8842!"}', 'Blau wal 8842!'],
  ])('in other words: %s', (text, secret) => expect(found(text)).toEqual([secret]))

  it('the old and the new value of a change are masked', () =>
    expect(found('the password was changed from tulips99 to Zx81kilo').join(' ')).toContain('tulips99'))

  it.each([
    ['mysql -u root -pBlauwal8842! shop', 'Blauwal8842!'],
    ["mysqldump -h db -p'Blau wal88' shop", 'Blau wal88'],
    ['docker login -u a -p geheimwort', 'geheimwort'],
    ['redis-cli -h db -a kilowatt99 ping', 'kilowatt99'],
    ['htpasswd -b users.txt ann kilowatt99', 'kilowatt99'],
    ['net user ann kilowatt99 /add', 'kilowatt99'],
    ['smbclient //nas/share -U ann%kilowatt99', 'kilowatt99'],
    ["CREATE USER ann IDENTIFIED BY 'kilowatt99'", 'kilowatt99'],
    ['echo kilowatt99 | docker login -u ann --password-stdin', 'kilowatt99'],
    ['sudo -S apt update <<< kilowatt99', 'kilowatt99'],
    ['openssl enc -aes256 -k kilowatt99 -in a', 'kilowatt99'],
  ])('in a command line: %s', (text, secret) => expect(found(text)).toEqual([secret]))
})

describe('a statement about passwords that contains none stays untouched', () => {
  it.each([
    'the password is rotated monthly',
    'password: see the vault',
    'my password manager is 1Password',
    'My password manager is KeePass2',
    'The password for db01 is in the vault',
    'The password must be at least 12 characters',
    'Passwords are hashed with argon2id',
    'The password is stored in vault/prod/db01',
    'The password expires on 2024-05-01',
    'The password length is 16',
    'the password reset ticket is OPS-4821',
    'I lost my PIN in 2023',
    'ask bob@example.com for the password',
    'We moved the password check to auth2.ts in v2.3.1',
    'Das Passwort wird alle 90 Tage geändert',
    'Das Passwort ist falsch!',
    'Passwort: siehe Tresor',
    'Mon gestionnaire de mots de passe est KeePass2',
    'Il a oublié son mot de passe en 2024',
    'La contraseña caduca en 90 días',
    'La password scade tra 90 giorni',
    'A senha expira em 90 dias',
    'Het wachtwoord verloopt over 90 dagen',
    'password: hash256,',
    'function scrypt(password: KDFInput, salt: KDFInput, opts: Options): Uint8Array {',
    'docker run -p 8080:80 app',
    'net user ann /delete',
    'echo $PASSWORD | docker login -u ann --password-stdin',
    'echo hello | grep stdin',
    'mysql -u root -p shop',
    'mysql -u root -p$PASSWORD shop',
    'The password is [masked password], do not share it.',
    'The login page password box had a bug in Safari17',
    'Change the default password before going live, says CIS-1.2',
    'The default password is on page-12 of the manual',
    'The password reset is OPS-4821',
    'Password rotation was moved from JIRA-881 to OPS-42',
    'Password policy was changed from Policy-v1 to Policy-v2',
    'The VPN is OpenVPN-Access2 on the old firewall',
    'Das Portal ist Nextcloud-Hub8',
    'The account is ACME-Corp2 since May',
    'password: "at least 12 chars!"',
    'Ctrl+Shift+T2 opens the last tab',
    'Use argon2 as the password hash',
    'const password = hash2',
    'export const argon2idAsync = (password, salt, opts)',
    'The password is required since Build-2041',
    'pass-through options, the `--port=80` is a program option',
  ])('%s', (text) => expect(found(text)).toEqual([]))
})

describe('repair 31: a key that is named in plain words is masked', () => {
  it.each([
    [`Secret access key: ${drawn(40)}`, drawn(40)],
    [`secret key: ${drawn(40)}`, drawn(40)],
    [`secret key:\n${drawn(40)}`, drawn(40)],
    [`private key: ${hex(80)}`, hex(80)],
    [`api key ${hex(40)}`, hex(40)],
    [`API key: ${drawn(20)}`, drawn(20)],
    [`aws_secret_access_key ${drawn(40)}`, drawn(40)],
    [`the AWS key with secret ${drawn(30)}/${drawn(9)}`, `${drawn(30)}/${drawn(9)}`],
    [
      'seed phrase: otter lamp river stone maple cloud tiger bread violin candle forest moon',
      'otter lamp river stone maple cloud tiger bread violin candle forest moon',
    ],
    [`Der API-Schlüssel lautet ${drawn(20)}`, drawn(20)],
    [`La clé API est ${drawn(20)}`, drawn(20)],
    [`La clave de API es ${drawn(20)}`, drawn(20)],
    [`La chiave API è ${drawn(20)}`, drawn(20)],
    [`A chave de API é ${drawn(20)}`, drawn(20)],
  ])('%s', (text, secret) => expect(found(text)).toEqual([secret]))

  it.each(['the api key is in the environment', 'The API key is stored in AWS_SECRET_KEY', 'the private key is in ~/.ssh/id_rsa2'])(
    'leaves other text unchanged: %s',
    (text) => expect(found(text)).toEqual([]),
  )
})
