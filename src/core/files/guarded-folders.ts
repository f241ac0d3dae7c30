import { isCredentialFolder } from './credential-files.js'

/** They and all that lies below them belong to the system. */
const WHOLE_TREES = [
  ...['/etc', '/proc', '/sys', '/dev', '/boot', '/run', '/private/etc', '/system', '/var/lib', '/var/log', '/var/run', '/var/spool'],
  ...['/var/cache', '/var/backups', '/usr/lib', '/usr/bin', '/usr/sbin', '/usr/share', '/bin', '/sbin', '/lib', '/lib64'],
  ...['c:/windows', 'c:/program files', 'c:/program files (x86)', 'c:/programdata', 'c:/$recycle.bin', 'c:/system volume information'],
]
/** Below these people have projects; as a whole they are everything of everyone. */
const WHOLE_ONLY = [
  ...['/', '/home', '/users', '/root', '/usr', '/usr/local', '/var', '/opt', '/srv', '/mnt', '/media', '/library', '/private'],
  ...['/private/var', '/volumes', '/applications', '/tmp', '/private/tmp', '/var/tmp', 'c:/', 'c:/users'],
]
/** Parts of those trees where programs put working files of people. */
const OPEN = ['/dev/shm/', '/run/user/', '/var/lib/jenkins/', '/usr/share/nginx/html']

/** Why a folder is not indexed unless someone allows it: undefined for an ordinary one. `path` is a real path, links resolved. */
export function guardOf(path: string, home: string): string | undefined {
  const folder = comparable(path)
  const own = comparable(home)
  if (folder === own) return 'a whole home folder'
  // A home may lie anywhere, so what is below it counts as the person's own.
  const inHome = own !== '' && own !== '/' && folder.startsWith(`${own}/`)
  if (own.startsWith(`${folder === '/' ? '' : folder}/`)) return 'a folder that holds whole home folders'
  if (folder.split('/').some(isCredentialFolder)) return 'a folder where programs keep credentials'
  if (WHOLE_ONLY.includes(anyDrive(folder))) return 'a system folder as a whole'
  if (isWholeHome(folder)) return 'a whole home folder'
  if (inHome || OPEN.some((open) => `${folder}/`.startsWith(open) && `${folder}/` !== open)) return undefined
  return WHOLE_TREES.some((tree) => `${anyDrive(folder)}/`.startsWith(`${tree}/`)) ? 'a system folder' : undefined
}

/** Windows and macOS do not tell cases apart, and on Linux no project is lost by it. */
const comparable = (path: string): string => {
  const slashes = path.replaceAll('\\', '/').toLowerCase()
  return slashes.length > 1 && slashes.endsWith('/') && slashes !== 'c:/' ? slashes.slice(0, -1) : slashes
}

/** A system may be on another drive than C. */
const anyDrive = (folder: string): string => (folder[1] === ':' ? `c${folder.slice(1)}` : folder)

const HOMES = ['/home/', '/users/', 'c:/users/']

/** Somebody's, whether or not it is the one who asks. */
const isWholeHome = (folder: string): boolean =>
  HOMES.some((homes) => anyDrive(folder).startsWith(homes) && !anyDrive(folder).slice(homes.length).includes('/'))
