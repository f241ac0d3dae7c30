/** A name and the passage that defines or uses it. */
export interface NamedPlace {
  readonly rid: number
  readonly name: string
  readonly path: string
}

export interface NameUse extends NamedPlace {
  readonly kind: 'calls' | 'imports' | 'inherits' | 'references'
}

/** A name that more passages of a project define says nothing about which one is meant. */
export const MOST_MEANINGS = 4

/**
 * Which definitions a use may mean: those of its own file, else those of the modules its file imports the name from,
 * else all, if they are few. Only names are compared, so it is a best effort.
 */
export function resolveUse(
  use: NameUse,
  definitions: readonly NamedPlace[],
  modules: readonly string[],
): readonly { readonly rid: number; readonly weight: number }[] {
  const others = definitions.filter((one) => one.rid !== use.rid && one.name === use.name)
  const here = use.kind === 'imports' ? [] : others.filter((one) => one.path === use.path)
  if (here.length > 0) return shared(here)
  const imported = others.filter((one) => modules.some((module) => isModule(module, one.path, use.path)))
  if (imported.length > 0) return shared(imported)
  // What comes from a module that is not in the project is not defined in it either.
  if (modules.length > 0 && modules.every((module) => !isLocal(module))) return []
  return others.length <= MOST_MEANINGS ? shared(others) : []
}

function shared(places: readonly NamedPlace[]): readonly { readonly rid: number; readonly weight: number }[] {
  const rids = [...new Set(places.map((one) => one.rid))]
  return rids.length > MOST_MEANINGS ? [] : rids.map((rid) => ({ rid, weight: 1 / rids.length }))
}

const isLocal = (module: string): boolean => /^[./~#]|^@\/|^crate\b|^self\b|^super\b|\.|::/.test(module)

const ROOT_FILES = new Set(['index', 'mod', 'lib', 'main', '__init__'])

/** The last step of a module's name is a file, or the folder of a file that stands for its folder. */
function isModule(module: string, path: string, from: string): boolean {
  if (/^\.{1,2}\//.test(module)) {
    const target = resolvePath(from, module)
    return [stemOf(target), target].some(
      (wanted) => stemOf(path) === wanted || [...ROOT_FILES].some((root) => stemOf(path) === `${wanted}/${root}`),
    )
  }
  const last = module
    .replace(/\.(?:h|hh|hpp|js|ts|rb|php)$/, '')
    .split(/[^\w-]+/)
    .filter((step) => step !== '')
    .at(-1)
  if (last === undefined) return false
  const steps = stemOf(path).split('/')
  const file = steps.at(-1) ?? ''
  return file === last || (ROOT_FILES.has(file) && steps.at(-2) === last)
}

const stemOf = (path: string): string => path.replace(/(?:\.d)?\.\w+$/, '')

function resolvePath(from: string, module: string): string {
  const steps = from.split('/').slice(0, -1)
  for (const step of module.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}
