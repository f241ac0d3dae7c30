import { isPlaceholder, isReference } from './likeness.js'
import type { SecretSpan } from './token-forms.js'

/** Programs whose flag takes a password without a space, then those whose flag takes it as the next argument. */
const COMMAND =
  /(?<![\w.-])(?:(?<glued>(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?|7z) )|(?<p>(?:docker|podman|buildah|helm registry|az|az acr|oc) login |(?:mongo(?:sh|dump|restore)?|rdesktop|cqlsh) )|(?<capital>(?:sqlcmd|bcp|zip|unzip|ipmitool|mosquitto_pub|mosquitto_sub) )|(?<w>ldap(?:search|modify|add|delete|whoami) )|(?<a>redis-cli )|(?<user>net use ))/g
const FLAGS = { glued: '-p', user: '/user:', p: '-p', capital: '-P', w: '-w', a: '-a' } as const
/** Passwords at a fixed place of a command or statement. */
const PLACES = [
  /\bidentified by (?:password )?(["'])(?<value>[^"'\n]{4,128})\1/giu,
  /\bhtpasswd -\w{0,8}b\w{0,8} \S{1,200} \S{1,100} (?<value>\S{4,128})/gu,
  /\bnet user (?!\/)\S{1,100} (?<value>[^\s/*]\S{3,127})/giu,
  /\bnet use (?:[A-Z]: )?\\\\\S{1,200} (?<value>[^\s/*]\S{3,127})/giu,
  /\bsmb(?:client|map|get)\b[^\n]{0,200}? -U ?[^\s%]{1,100}%(?<value>\S{4,128})/gu,
  /\becho (?:-n )?(["']?)(?<value>[^"'\s|]{4,128})\1 ?\| ?[^\n|]{0,60}(?:-stdin\b|sudo -S\b|passwd\b)/gu,
  /\bsudo -S\b[^\n<]{0,80}<<< ?(["']?)(?<value>[^"'\s]{4,128})/gu,
  /\bopenssl \w+ [^\n]{0,120}?-(?:k |pass(?:in|out)? pass:)(?<value>\S{4,128})/gu,
]
const MAX_COMMAND_CHARS = 300
const MIN_PASSWORD_CHARS = 4

/** Passwords in command lines, such as `mysql -u root -pX shop` and `docker login -u ann -p X`. */
export function commandSecretsIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  COMMAND.lastIndex = 0
  for (let match = COMMAND.exec(text); match !== null; ) {
    const { groups = {}, index } = match
    const next = COMMAND.exec(text)
    const from = index + match[0].length
    // Each character is read for one command only.
    const limit = Math.min(text.length, next?.index ?? text.length, from + MAX_COMMAND_CHARS)
    const [name, flag] = Object.entries(FLAGS).find(([group]) => groups[group] !== undefined) ?? []
    const span = flag === undefined ? undefined : passwordAfter(text, from, limit, { flag, glued: name === 'glued' })
    if (span !== undefined) spans.push(span)
    match = next
  }
  const all = [...spans, ...PLACES.flatMap((place) => [...text.matchAll(place)].flatMap((match) => findValue(match)))]
  const ordered = all.sort((a, b) => a.from - b.from)
  return ordered.filter(({ from }, index) => index === 0 || from >= (ordered[index - 1]?.to ?? 0))
}

function findValue({ 0: match, index, groups = {} }: RegExpMatchArray): readonly SecretSpan[] {
  const { value = '' } = groups
  if (isReference(value) || isPlaceholder(value)) return []
  const from = (index ?? 0) + match.lastIndexOf(value)
  return [{ from, to: from + value.length, kind: 'password' }]
}

function passwordAfter(
  text: string,
  from: number,
  limit: number,
  { flag, glued }: { readonly flag: string; readonly glued: boolean },
): SecretSpan | undefined {
  let wanted = false
  for (let at = from; at < limit; ) {
    if (text[at] === ' ' || text[at] === '\t') {
      at++
      continue
    }
    const end = endOfArgument(text, at, limit)
    const argument = text.slice(at, end)
    if (/^[\n|;&<>]/u.test(argument)) return undefined
    if (wanted) return toSpan(text, at, end)
    if (argument === flag && !glued) wanted = true
    else if (flag === '/user:' && argument.startsWith(flag)) wanted = true
    else if (argument.startsWith(flag) && argument.length > flag.length) return toSpan(text, at + flag.length, end)
    at = Math.max(end, at + 1)
  }
  return undefined
}

/** End of an argument: the next blank outside quotation marks. */
function endOfArgument(text: string, from: number, limit: number): number {
  let quote = ''
  let at = from
  for (; at < limit; at++) {
    const character = text[at] ?? ' '
    if (character === '\n') break
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character <= ' ' || character === '`') break
  }
  return at
}

function toSpan(text: string, begin: number, end: number): SecretSpan | undefined {
  const quote = text[begin]
  const quoted = (quote === '"' || quote === "'") && text[end - 1] === quote && end - begin > 1
  const [from, to] = quoted ? [begin + 1, end - 1] : [begin, end]
  const value = text.slice(from, to)
  const isFlag = value.startsWith('-') || value.startsWith('=')
  if (value.length < MIN_PASSWORD_CHARS || isFlag || isReference(value) || isPlaceholder(value)) return undefined
  return { from, to, kind: 'password' }
}
