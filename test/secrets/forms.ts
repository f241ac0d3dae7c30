import { createHash } from 'node:crypto'

/** What a secret of one form looks like in a text. */
export interface SecretForm {
  readonly name: string
  /** The part that must not be left over. */
  readonly secret: string
  readonly text: string
}

const DIGITS = '0123456789'
const HEX = '0123456789abcdef'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64 = `${ALNUM}+/`

/** The same every time, and drawn while the tests run: the repository contains no key, not even an invented one. */
function createDraws(seed: number): (alphabet: string, length: number) => string {
  let draws = 0
  return (alphabet, length) => {
    draws++
    let out = ''
    for (let block = 0; out.length < length; block++) {
      for (const byte of createHash('sha256').update(`${seed} ${draws} ${block}`).digest()) {
        if (byte < 256 - (256 % alphabet.length) && out.length < length) out += alphabet[byte % alphabet.length]
      }
    }
    return out
  }
}

/** Armour in two halves, which scanners of repositories would take for a key. */
const armoured = (what: string, body: string, lineEnd = '\n'): string =>
  ['-----BEGIN ', what, '-----', lineEnd, body, lineEnd, '-----END ', what, '-----', lineEnd].join('')

export function secretForms(seed = 1): readonly SecretForm[] {
  const draw = createDraws(seed)
  const an = (length: number): string => draw(ALNUM, length)
  const hx = (length: number): string => draw(HEX, length)
  const w = (length: number): string => `${an(length - 2)}${draw('_-', 1)}${an(1)}`
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  const web = (text: string): string => Buffer.from(text).toString('base64url')
  /** As people choose them. */
  const chosen = `${draw('ABCDEFGH', 1)}r${draw(DIGITS, 1)}ub${draw(DIGITS, 1)}dor&${draw(DIGITS, 1)}x`
  const plain = `${draw('abcdefghijklmnop', 9)}${draw('23456789', 1)}`
  const form = (name: string, secret: string, text: (secret: string) => string): SecretForm => ({ name, secret, text: text(secret) })
  return [
    form('aws id', draw(BASE32, 16), (s) => `key AKIA${s} here`),
    form('aws secret', draw(BASE64, 40), (s) => `aws_secret_access_key = ${s}`),
    form('aws secret camel', draw(BASE64, 40), (s) => `{"SecretAccessKey": "${s}"}`),
    form('ghp', `ghp_${an(36)}`, (s) => `export GITHUB_TOKEN=${s}`),
    form('gh pat', `github_pat_${an(22)}_${an(59)}`, (s) => `the token ${s}.`),
    form('glpat', `glpat-${w(20)}`, (s) => `glab auth login -t ${s}`),
    form('slack', `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 13)}-${an(24)}`, (s) => `"${s}"`),
    form('slack hook', `T${draw(BASE32, 8)}/B${draw(BASE32, 8)}/${an(24)}`, (s) => `curl https://hooks.slack.com/services/${s}`),
    form('discord hook', `${draw(DIGITS, 18)}/${w(68)}`, (s) => `https://discord.com/api/webhooks/${s}`),
    form('stripe', `sk_live_${an(24)}`, (s) => `stripe.api_key = "${s}"`),
    form('stripe rk', `rk_live_${an(24)}`, (s) => `${s}`),
    form('whsec', `whsec_${an(32)}`, (s) => `endpoint secret ${s}`),
    form('openai old', `sk-${an(48)}`, (s) => `OPENAI_API_KEY=${s}`),
    form('openai proj', `sk-proj-${w(100)}`, (s) => `use ${s} please`),
    form('anthropic', `sk-ant-api03-${w(93)}AA`, (s) => `ANTHROPIC_API_KEY: ${s}`),
    form('google', `AIza${w(35)}`, (s) => `?key=${s}`),
    form('ya29', `ya29.${w(60)}`, (s) => `token ${s}`),
    form('gocspx', `GOCSPX-${w(28)}`, (s) => `"client_secret":"${s}"`),
    form('npm', `npm_${an(36)}`, (s) => `//registry.npmjs.org/:_authToken=${s}`),
    form('pypi', `pypi-AgEIcHlwaS5vcmc${w(100)}`, (s) => `password = ${s}`),
    form('twilio', `SK${hx(32)}`, (s) => `TWILIO ${s}`),
    form('twilio auth token', hx(32), (s) => `TWILIO_AUTH_TOKEN=${s}`),
    form('sendgrid', `SG.${w(22)}.${w(43)}`, (s) => `SENDGRID ${s}`),
    form('mailgun', `key-${hx(32)}`, (s) => `api:${s}`),
    form('mailchimp', `${hx(32)}-us12`, (s) => `${s}`),
    form('telegram', `${draw('123456789', 10)}:AA${w(33)}`, (s) => `https://api.telegram.org/bot${s}/getMe`),
    form('telegram2', `${draw('123456789', 10)}:AA${w(33)}`, (s) => `bot token: ${s}`),
    form('discord bot', `M${an(23)}.${an(6)}.${w(27)}`, (s) => `client.login('${s}')`),
    form('digitalocean', `dop_v1_${hx(64)}`, (s) => `${s}`),
    form('hf', `hf_${an(34)}`, (s) => `login(token="${s}")`),
    form('shopify', `shpat_${hx(32)}`, (s) => `X-Shopify-Access-Token: ${s}`),
    form('square', `sq0atp-${w(22)}`, (s) => `${s}`),
    form('heroku', `${hx(8)}-${hx(4)}-4${hx(3)}-a${hx(3)}-${hx(12)}`, (s) => `HEROKU_API_KEY=${s}`),
    form('cloudflare', w(40), (s) => `CLOUDFLARE_API_TOKEN="${s}"`),
    form('databricks', `dapi${hx(32)}`, (s) => `${s}`),
    form(
      'azure storage',
      `${draw(BASE64, 86)}==`,
      (s) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s};EndpointSuffix=core.windows.net`,
    ),
    form(
      'azure sas',
      encodeURIComponent(`${draw(BASE64, 43)}=`),
      (s) => `https://shop.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=${s}`,
    ),
    form('azure client', `${an(3)}8Q~${an(34)}`, (s) => `secret is ${s} ok`),
    form(
      'azure sb',
      `${draw(BASE64, 43)}=`,
      (s) => `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`,
    ),
    form('gcp sa', draw(BASE64, 64), (s) => `{"type":"service_account","private_key":"${armoured('PRIVATE KEY', s, '\\n')}"}`),
    form('rsa', `${draw(BASE64, 64)}\n${draw(BASE64, 64)}`, (s) => armoured('RSA PRIVATE KEY', s)),
    form('openssh', draw(BASE64, 70), (s) => armoured('OPENSSH PRIVATE KEY', s)),
    form('pgp', draw(BASE64, 64), (s) => armoured('PGP PRIVATE KEY BLOCK', s)),
    form('jwt', `${web('{"alg":"HS256","typ":"JWT"}')}.${web('{"sub":"1234567890","name":"Ann"}')}.${w(43)}`, (s) => `cookie ${s};`),
    form('bearer', w(40), (s) => `-H "Authorization: Bearer ${s}"`),
    form('basic', encoded(`ann:${chosen}`), (s) => `Authorization: Basic ${s}`),
    form('postgres', plain, (s) => `postgres://ann:${s}@db.example.com:5432/shop`),
    form('mysql', chosen, (s) => `mysql://root:${s}@10.0.0.1/shop`),
    form('mongo', plain, (s) => `mongodb+srv://ann:${s}@c.mongodb.net/`),
    form('redis', plain, (s) => `redis://:${s}@cache:6379/0`),
    form('amqp', plain, (s) => `amqp://ann:${s}@mq/`),
    form('https url', plain, (s) => `https://ann:${s}@git.example.com/x.git`),
    form('jdbc', plain, (s) => `jdbc:postgresql://db/shop?user=ann&password=${s}`),
    form('mssql', chosen, (s) => `Server=db;User Id=ann;Password=${s};`),
    form('odbc', plain, (s) => `Driver={x};Uid=ann;Pwd=${s};`),
    form('env password', plain, (s) => `DB_PASSWORD=${s}`),
    form('json password', chosen, (s) => `{"password": "${s}"}`),
    form('yaml password', chosen, (s) => `db:\n  password: ${s}\n`),
    form('code password', `${plain}-J`, (s) => `const password = '${s}'`),
    form('xml', plain, (s) => `<password>${s}</password>`),
    form('prose', chosen, (s) => `The admin password is ${s}, do not share.`),
    form('netrc', plain, (s) => `machine api.example.com login ann password ${s}`),
    form('curl -u', plain, (s) => `curl -u ann:${s} https://x`),
    form('flag', plain, (s) => `deploy --password ${s}`),
    form('vault', `hvs.${w(90)}`, (s) => `VAULT ${s}`),
    form('tf cloud', `${an(14)}.atlasv1.${w(67)}`, (s) => `token = "${s}"`),
    form('linear', `lin_api_${an(40)}`, (s) => `${s}`),
    form('notion', `ntn_${an(46)}`, (s) => `${s}`),
    form('figma', `figd_${w(40)}`, (s) => `${s}`),
    form('airtable', `pat${an(14)}.${hx(64)}`, (s) => `${s}`),
    form('atlassian', `ATATT3xFfGF0${w(170)}=1A2B3C4D`, (s) => `${s}`),
    form('grafana', `glsa_${an(32)}_${hx(8)}`, (s) => `${s}`),
    form('newrelic', `NRAK-${draw(BASE32, 27)}`, (s) => `${s}`),
    form('postman', `PMAK-${hx(24)}-${hx(34)}`, (s) => `${s}`),
    form('sentry', `sntrys_${encoded('{"iat":1,"url":"https://x"}').replaceAll('=', '')}_${an(43)}`, (s) => `${s}`),
    form('supabase', `sbp_${hx(40)}`, (s) => `${s}`),
    form('tailscale', `tskey-auth-${an(17)}-${an(32)}`, (s) => `${s}`),
    form('groq', `gsk_${an(52)}`, (s) => `${s}`),
    form('replicate', `r8_${an(37)}`, (s) => `${s}`),
    form('docker', `dckr_pat_${w(27)}`, (s) => `${s}`),
    form('docker auth', encoded(`ann:${chosen}`), (s) => `{"auths":{"x":{"auth":"${s}"}}}`),
    form('rubygems', `rubygems_${hx(48)}`, (s) => `${s}`),
    form('age', `AGE-SECRET-KEY-1${draw('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`, (s) => `${s}`),
    form('alibaba', `LTAI5t${an(18)}`, (s) => `${s}`),
    form('shadow', `$6$${an(16)}$${draw(`${ALNUM}./`, 86)}`, (s) => `ann:${s}:19000:0:99999`),
    form('htpasswd', `$apr1$${an(8)}$${draw(`${ALNUM}./`, 22)}`, (s) => `ann:${s}`),
    form('bcrypt', `$2b$12$${draw(`${ALNUM}./`, 53)}`, (s) => `${s}`),
    form('wireguard', `${draw(BASE64, 42)}0=`, (s) => `[Interface]\nPrivateKey = ${s}`),
    form('otp', draw(BASE32, 16), (s) => `otpauth://totp/x?secret=${s}&issuer=x`),
    form('eth', hx(64), (s) => `PRIVATE_KEY=0x${s}`),
    form('django', draw(`${ALNUM}!@#$%^&*(-_=+)`, 50), (s) => `SECRET_KEY = 'django-insecure-${s}'`),
    form('datadog', hx(32), (s) => `DD_API_KEY=${s}`),
    form('x-api-key', an(32), (s) => `curl -H 'X-Api-Key: ${s}'`),
    form('query', an(32), (s) => `https://api.x.com/v1?api_key=${s}&q=1`),
    form('k8s', encoded('Tr0ub4dor&3xx'), (s) => `kind: Secret\ndata:\n  password: ${s}`),
    form('escaped', plain, (s) => `"{\\"password\\": \\"${s}\\"}"`),
    form('python env', an(40), (s) => `os.environ["API_TOKEN"] = "${s}"`),
    form('php', plain, (s) => `'password' => '${s}',`),
    form('go', an(32), (s) => `apiKey := "${s}"`),
    form('facebook', `EAA${an(120)}`, (s) => `${s}`),
    form('planetscale', `pscale_tkn_${w(43)}`, (s) => `${s}`),
    form('crates', `cio${an(32)}`, (s) => `${s}`),
  ]
}
