import { isCredentialFolder } from './credential-files.js'

/** System folders, including everything below them. */
const WHOLE_TREES = [
  ...['/etc', '/proc', '/sys', '/dev', '/boot', '/run', '/private/etc', '/system', '/var/lib', '/var/log', '/var/run', '/var/spool'],
  ...['/var/cache', '/var/backups', '/usr/lib', '/usr/bin', '/usr/sbin', '/usr/share', '/bin', '/sbin', '/lib', '/lib64'],
  ...['c:/windows', 'c:/program files', 'c:/program files (x86)', 'c:/programdata', 'c:/$recycle.bin', 'c:/system volume information'],
]
/** Folders with projects below them; as a whole they contain the data of all users. */
const WHOLE_ONLY = [
  ...['/', '/home', '/users', '/root', '/usr', '/usr/local', '/var', '/opt', '/srv', '/mnt', '/media', '/library', '/private'],
  ...['/private/var', '/volumes', '/applications', '/tmp', '/private/tmp', '/var/tmp', 'c:/', 'c:/users'],
]
/** Working folders of users inside those trees. */
const OPEN_FOLDERS = ['/dev/shm/', '/run/user/', '/var/lib/jenkins/', '/usr/share/nginx/html']

/** Why a folder is not indexed unless allowed explicitly; undefined for an ordinary one. `path` is a real path with links resolved. */
export function guardOf(path: string, home: string): string | undefined {
  const folder = comparable(path)
  const own = comparable(home)
  if (folder === own) return 'a whole home folder'
  // A home directory may be anywhere; everything below it belongs to the user.
  const inHome = own !== '' && own !== '/' && folder.startsWith(`${own}/`)
  if (own.startsWith(`${folder === '/' ? '' : folder}/`)) return 'a folder that contains whole home folders'
  if (folder.split('/').some(isCredentialFolder)) return 'a folder where programs keep credentials'
  if (WHOLE_ONLY.includes(anyDrive(folder))) return 'a system folder as a whole'
  if (isWholeHome(folder)) return 'a whole home folder'
  if (inHome || OPEN_FOLDERS.some((open) => `${folder}/`.startsWith(open) && `${folder}/` !== open)) return undefined
  return WHOLE_TREES.some((tree) => `${anyDrive(folder)}/`.startsWith(`${tree}/`)) ? 'a system folder' : undefined
}

/** Windows and macOS ignore case; on Linux the comparison excludes no project in practice. */
const comparable = (path: string): string => {
  const slashes = path.replaceAll('\\', '/').toLowerCase()
  return slashes.length > 1 && slashes.endsWith('/') && slashes !== 'c:/' ? slashes.slice(0, -1) : slashes
}

/** The system may be on a drive other than C. */
const anyDrive = (folder: string): string => (folder[1] === ':' ? `c${folder.slice(1)}` : folder)

const HOMES = ['/home/', '/users/', 'c:/users/']

/** A home directory of any user. */
const isWholeHome = (folder: string): boolean =>
  HOMES.some((homes) => anyDrive(folder).startsWith(homes) && !anyDrive(folder).slice(homes.length).includes('/'))
