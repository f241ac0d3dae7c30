import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { temporaryFolder } from './program.js'

const MODEL = join('dist', 'models', 'gte-small')

/** A folder with the built program, in which the named packages are copies that may be damaged. */
export function copyOfProgram(...spoilt: readonly string[]): { readonly root: string; readonly program: string } {
  const root = temporaryFolder()
  for (const name of ['package.json', 'package-lock.json', 'assets']) symlinkSync(resolve(name), join(root, name))
  cpSync('dist', join(root, 'dist'), { recursive: true, filter: (source) => source !== MODEL })
  symlinkSync(resolve(MODEL), join(root, MODEL))
  const modules = join(root, 'node_modules')
  for (const name of packagesIn('node_modules')) {
    const place = join(modules, name)
    mkdirSync(dirname(place), { recursive: true })
    if (spoilt.includes(name)) cpSync(join('node_modules', name), place, { recursive: true })
    else symlinkSync(resolve('node_modules', name), place)
  }
  return { root, program: join(root, 'dist', 'main.js') }
}

export const removePackage = (root: string, name: string): void => rmSync(join(root, 'node_modules', name), { recursive: true })

function packagesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return []
    return name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => join(name, inner)) : [name]
  })
}

/** Files of a package with this ending. */
export function nativeParts(root: string, name: string, ending: string): readonly string[] {
  const folder = join(root, 'node_modules', name)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))
}
