import { sha256 } from '../encoding/hash.js'

/** Prefix of the owners of project facts. */
const PREFIX = 'project:'
const MAX_REMOTE_CHARS = 200
/** Hosts with case-insensitive repository names. */
const CASELESS_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'dev.azure.com', 'ssh.dev.azure.com'])

/** The canonical name of a repository, independent of protocol, user, port, case of the host and suffix; undefined for a folder. */
export function normalRemote(address: string): string | undefined {
  const text = address.trim().replace(/^git\+/, '')
  const url = /^[a-z][a-z+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]+\]|[^/:]+)(?::\d+)?\/+(.+)$/i.exec(text)
  const short = url === null ? /^(?:[^/@\s]+@)?([^/:\s]{2,}):(?!\/\/)\/*(.+)$/.exec(text) : null
  const [, host, path] = url ?? short ?? []
  if (host === undefined || path === undefined || /^file:/i.test(text)) return undefined
  const plain = path
    .split(/[?#]/)[0]
    ?.replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '')
  return plain === undefined || plain === ''
    ? undefined
    : `${host.toLowerCase()}/${CASELESS_HOSTS.has(host.toLowerCase()) ? plain.toLowerCase() : plain}`
}

/** The owner of the facts of a project. */
export const projectOwner = (name: string): string =>
  `${PREFIX}${name.length > MAX_REMOTE_CHARS ? `${name.slice(0, MAX_REMOTE_CHARS / 2)}#${sha256(name)}` : name}`

/** The remote in a Git configuration: origin, otherwise the first. */
export function remoteIn(config: string): string | undefined {
  let section = ''
  const remotes = new Map<string, string>()
  for (const raw of config.split('\n')) {
    const line = raw.trim()
    if (line.startsWith('[')) section = /^\[remote "(.+)"\]/.exec(line)?.[1] ?? ''
    const url = section === '' ? undefined : /^url\s*=\s*(\S+)/.exec(line)?.[1]
    if (url !== undefined && !remotes.has(section)) remotes.set(section, url)
  }
  return remotes.get('origin') ?? [...remotes.values()][0]
}
