import { ALNUM, CAPITALS, endOfRun, HEX, isIn, LOWERCASE, PADDED, WORD } from './characters.js'
import { isFilled, isRandom } from './likeness.js'

/** A key format with a known prefix. */
interface TokenForm {
  readonly kind: string
  readonly prefix: string
  /** The parts after the prefix, separated by dots. */
  readonly parts: readonly Part[]
  /** True if the body must also look random. */
  readonly drawn: boolean
}

interface Part {
  readonly set: number
  readonly least: number
  readonly most: number
}

const part = (set: number, least: number, most = Number.POSITIVE_INFINITY): Part => ({ set, least, most })

const form = (kind: string, prefixes: string, ...parts: readonly Part[]): readonly TokenForm[] =>
  prefixes.split(' ').map((prefix) => ({ kind, prefix, parts, drawn: false }))

/** Prefixes that ordinary words share. */
const drawn = (kind: string, prefixes: string, ...parts: readonly Part[]): readonly TokenForm[] =>
  form(kind, prefixes, ...parts).map((tokenForm) => ({ ...tokenForm, drawn: true }))

const FORMS: readonly TokenForm[] = [
  form('github token', 'ghp_ gho_ ghu_ ghs_ ghr_', part(ALNUM, 30, 255)),
  form('github token', 'github_pat_', part(WORD, 22, 255)),
  form('gitlab token', 'glpat- glptt- gldt- glrt- glcbt- glft- glimt- glagent- gloas- glsoat- GR1348941', part(WORD, 20, 255)),
  form('mneme key', 'mneme_', part(WORD, 64, 64)),
  form('bitbucket token', 'ATBB ATCTT3', part(PADDED, 24, 400)),
  form('atlassian token', 'ATATT3', part(PADDED, 50, 400)),
  form('aws access key', 'AKIA ASIA ABIA ACCA', part(CAPITALS, 16, 16)),
  form('aws bedrock key', 'ABSK bedrock-api-key-', part(PADDED, 100, 400)),
  form('google api key', 'AIza', part(WORD, 33, 39)),
  form('google oauth token', 'ya29.', part(WORD, 20)),
  form('google oauth token', '1//0', part(WORD, 30)),
  form('google client secret', 'GOCSPX-', part(WORD, 20, 60)),
  form('slack token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xapp- xwfp-', part(WORD, 10)),
  form('stripe key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_', part(ALNUM, 16)),
  form('webhook secret', 'whsec_', part(PADDED, 24)),
  form('anthropic key', 'sk-ant-', part(WORD, 20)),
  form('openrouter key', 'sk-or-v1-', part(HEX, 32)),
  form('openai key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', part(WORD, 20)),
  drawn('openai key', 'sk-', part(WORD, 20)),
  form('npm token', 'npm_', part(ALNUM, 36, 40)),
  form('pypi token', 'pypi-', part(WORD, 40)),
  form('rubygems key', 'rubygems_', part(HEX, 40, 64)),
  drawn('crates token', 'cio', part(ALNUM, 32, 32)),
  drawn('nuget key', 'oy2', part(LOWERCASE, 43, 43)),
  form('docker token', 'dckr_pat_ dckr_oat_', part(WORD, 20)),
  form('twilio key', 'SK AC', part(HEX, 32, 32)),
  form('sendgrid key', 'SG.', part(WORD, 16, 64), part(WORD, 16, 64)),
  form('mailgun key', 'key- pubkey-', part(HEX, 32, 32)),
  form('brevo key', 'xkeysib- xsmtpsib-', part(WORD, 60)),
  drawn('resend key', 're_', part(WORD, 20, 64)),
  form('discord token', 'mfa.', part(WORD, 80)),
  form('digitalocean token', 'dop_v1_ doo_v1_ dor_v1_', part(HEX, 64, 64)),
  form('hugging face token', 'hf_ api_org_', part(ALNUM, 30, 40)),
  form('shopify token', 'shpat_ shpca_ shppa_ shpss_ shptka_', part(HEX, 32, 40)),
  form('square token', 'sq0atp- sq0csp- sq0idp-', part(WORD, 22, 64)),
  drawn('square token', 'EAAA', part(WORD, 56, 64)),
  drawn('facebook token', 'EAA', part(ALNUM, 80)),
  form('heroku key', 'HRKU-', part(WORD, 36)),
  form('cloudflare key', 'v1.0-', part(WORD, 140)),
  form('databricks token', 'dapi dkea dose', part(HEX, 32, 32)),
  form('vault token', 'hvs. hvb. hvr.', part(WORD, 24)),
  drawn('vault token', 's.', part(ALNUM, 24, 24)),
  form('pulumi token', 'pul-', part(HEX, 40, 40)),
  form('doppler token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', part(WORD, 1), part(ALNUM, 40, 44)),
  form('doppler token', 'dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.', part(ALNUM, 40, 44)),
  form('linear key', 'lin_api_ lin_oauth_', part(ALNUM, 32)),
  form('notion token', 'ntn_', part(ALNUM, 40, 60)),
  drawn('notion token', 'secret_', part(ALNUM, 43, 43)),
  form('figma token', 'figd_ figo_ figor_', part(WORD, 20)),
  drawn('airtable token', 'pat', part(ALNUM, 14, 14), part(HEX, 64, 64)),
  form('dropbox token', 'sl.', part(WORD, 60)),
  form('dropbox token', 'sl.u.', part(WORD, 60)),
  form('dynatrace token', 'dt0c01. dt0s01. dt0s16.', part(CAPITALS, 24, 24), part(CAPITALS, 64, 64)),
  form('easypost key', 'EZAK EZTK', part(ALNUM, 54, 54)),
  form('grafana token', 'glsa_', part(WORD, 32, 64)),
  form('grafana token', 'glc_', part(PADDED, 32)),
  form('netlify token', 'nfp_ nfc_ nfo_', part(WORD, 36)),
  form('new relic key', 'NRAK- NRAA- NRRA- NRSP- NRIQ- NRII-', part(WORD, 27, 60)),
  form('planetscale token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', part(WORD, 32)),
  form('postman key', 'PMAK-', part(WORD, 50)),
  form('prefect token', 'pnu_ pnb_', part(ALNUM, 36, 36)),
  form('sentry token', 'sntrys_ sntryu_ sntrya_', part(PADDED, 40)),
  form('sonar token', 'sqp_ squ_ sqa_', part(HEX, 40, 40)),
  form('supabase key', 'sbp_', part(HEX, 40, 40)),
  form('supabase key', 'sb_secret_', part(WORD, 20)),
  form('tailscale key', 'tskey-', part(WORD, 20)),
  form('perplexity key', 'pplx-', part(ALNUM, 40)),
  form('groq key', 'gsk_', part(ALNUM, 40)),
  form('xai key', 'xai-', part(ALNUM, 60)),
  form('replicate token', 'r8_', part(ALNUM, 37, 40)),
  form('langsmith key', 'lsv2_pt_ lsv2_sk_', part(WORD, 32)),
  form('elevenlabs key', 'sk_', part(HEX, 48, 48)),
  form('mapbox token', 'sk.eyJ', part(WORD, 20), part(WORD, 16)),
  form('age key', 'AGE-SECRET-KEY-1', part(CAPITALS, 50, 60)),
  form('alibaba key', 'LTAI', part(ALNUM, 12, 30)),
  drawn('tencent key', 'AKID', part(ALNUM, 32, 48)),
  drawn('yandex key', 'AQVN', part(WORD, 35, 50)),
  drawn('artifactory key', 'AKCp', part(ALNUM, 60, 80)),
  form('contentful token', 'CFPAT-', part(WORD, 40)),
  form('adafruit key', 'aio_', part(ALNUM, 28, 28)),
  form('duffel token', 'duffel_live_ duffel_test_', part(WORD, 40)),
  form('flutterwave key', 'FLWSECK- FLWSECK_TEST-', part(WORD, 20)),
  form('razorpay key', 'rzp_live_ rzp_test_', part(ALNUM, 14, 24)),
  form('plaid token', 'access-sandbox- access-development- access-production-', part(WORD, 36, 36)),
  form('pubnub key', 'sec-c-', part(WORD, 40)),
  form('fly token', 'fo1_ fm1_ fm2_', part(PADDED, 40)),
  form('render key', 'rnd_', part(ALNUM, 28, 40)),
  form('vercel token', 'vcp_ vci_ vca_ vcr_ vck_', part(ALNUM, 40)),
  form('infracost key', 'ico-', part(ALNUM, 32, 32)),
  form('typeform token', 'tfp_', part(WORD, 40)),
  form('readme key', 'rdme_', part(ALNUM, 60)),
  form('shippo token', 'shippo_live_ shippo_test_', part(HEX, 40, 40)),
  form('1password token', 'ops_eyJ', part(PADDED, 100)),
  form('clojars token', 'CLOJARS_', part(ALNUM, 60, 60)),
  form('scaleway key', 'SCW', part(CAPITALS, 17, 17)),
  form('frame.io token', 'fio-u-', part(WORD, 60)),
  form('segment token', 'sgp_', part(ALNUM, 60)),
  form('aiven token', 'AVNS_', part(WORD, 16)),
].flat()

/** Forms indexed by their first two characters. */
const BY_BEGINNING: (TokenForm[] | undefined)[] = Array.from({ length: 128 * 128 })
for (const tokenForm of FORMS) {
  const key = tokenForm.prefix.charCodeAt(0) * 128 + tokenForm.prefix.charCodeAt(1)
  const list = BY_BEGINNING[key]
  if (list === undefined) BY_BEGINNING[key] = [tokenForm]
  else list.push(tokenForm)
}
for (const list of BY_BEGINNING) list?.sort((a, b) => b.prefix.length - a.prefix.length)

export interface SecretSpan {
  readonly from: number
  readonly to: number
  readonly kind: string
}

/** The key that starts at `at`, the start of a word. */
export function tokenAt(text: string, start: number): SecretSpan | undefined {
  const candidates = BY_BEGINNING[text.charCodeAt(start) * 128 + text.charCodeAt(start + 1)]
  if (candidates === undefined) return undefined
  for (const tokenForm of candidates) {
    if (!text.startsWith(tokenForm.prefix, start)) continue
    const from = start + tokenForm.prefix.length
    const to = endOfParts(text, from, tokenForm.parts)
    if (to === undefined) continue
    const body = text.slice(from, to)
    if (tokenForm.drawn ? isRandom(body) : !isFilled(body)) return { from: start, to, kind: tokenForm.kind }
  }
  return undefined
}

function endOfParts(text: string, from: number, parts: readonly Part[]): number | undefined {
  let at = from
  for (const [index, { set, least, most }] of parts.entries()) {
    if (index > 0 && text[at++] !== '.') return undefined
    const end = endOfRun(text, at, set)
    if (end - at < least || end - at > most) return undefined
    at = end
  }
  // A longer word is not this key.
  return isIn(text.charCodeAt(at), WORD) ? undefined : at
}
