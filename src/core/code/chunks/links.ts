import { isWithinProject, moduleFit } from './modules.js'
import type { Definition } from './outline.js'

/** Where to look for a used name; empty strings if unknown. */
export interface UseHint {
  /** A module specifier as written. */
  readonly module: string
  /** The type or module that contains it, or `UNKNOWN_TYPE` for a member of a receiver of unknown type. */
  readonly within: string
}

export const UNKNOWN_TYPE = '?'

/** As stored in the `module` of a reference. */
export const writeHint = ({ module, within }: UseHint): string | null =>
  within !== '' ? `${module}\t${within}` : module === '' ? null : module

export function readHint(stored: string): UseHint {
  const [module = '', within = ''] = stored.split('\t')
  return { module, within }
}

/** The scope of a definition, as the `module` of its reference: `Type`, `name::` for a module, `name()` for a local. */
export function memberScope(def: Definition, parent: Definition | undefined): string {
  const last = def.scope.at(-1) ?? ''
  if (parent?.name !== last) return last
  return parent.kind === 'function' ? `${last}()` : parent.kind === 'module' ? `${last}::` : last
}

const holderOf = (scope: string): string => scope.replace(/::$/, '')
const isLocal = (scope: string): boolean => scope.endsWith('()')
/** Reachable without naming an object or type first. */
const isFree = (scope: string): boolean => scope === '' || scope.endsWith('::')

/** A name and the passage that defines or uses it. */
interface NamedPlace {
  readonly rid: number
  readonly name: string
  readonly path: string
  readonly language: string | null
}

export interface DefinedName extends NamedPlace {
  readonly scope: string
}

export interface NameUse extends NamedPlace, UseHint {
  readonly kind: 'calls' | 'imports' | 'inherits'
}

/** A name that a file re-exports or renames; `*` is every name of a module. */
export interface PassedName extends Omit<NamedPlace, 'rid'> {
  readonly module: string
  readonly original: string
}

interface ProjectNames {
  definitions(name: string): readonly DefinedName[]
  /** Re-exports of this name and of `*`. */
  passed(name: string): readonly PassedName[]
  /** Names of the types that a file mentions. */
  mentions(path: string): ReadonlySet<string>
}

interface PossibleDefinition {
  readonly rid: number
  readonly weight: number
}

/** A name defined by more passages of a project than this is too ambiguous to resolve. */
const MAX_MEANINGS = 4
/** Factor for a link that rests on a name alone. */
const NAME_ONLY_FACTOR = 0.5
const UNTYPED_FACTOR = 0.3
const MAX_CHAIN = 4

const FAMILIES: Readonly<Record<string, string>> = { typescript: 'javascript', tsx: 'javascript', cpp: 'c' }
const familyOf = ({ language }: Pick<NamedPlace, 'language'>): string => FAMILIES[language ?? ''] ?? language ?? ''

/** Languages in which a bare name of another file is reachable without importing it. */
const OPEN_LANGUAGES = new Set(['c', 'bash'])
/** Languages in which a bare name may also be a member inherited by the enclosing type. */
const OWN_MEMBERS = new Set(['java', 'csharp', 'ruby', 'php', 'c'])

/**
 * Definitions that a use may refer to, within its family of languages: by module or type if the code states them, otherwise those of its
 * own file, otherwise all, if they are few. Types are not inferred, so this is a best effort.
 */
export function resolveUse(use: NameUse, names: ProjectNames): readonly PossibleDefinition[] {
  for (const nameUse of meantBy(use, names)) {
    const found = lookUp(nameUse, names)
    if (found.length > 0) return found
  }
  // A name from a module outside the project is not defined in it, and `default` may be any file.
  if (!isWithinProject(use.module) || use.name === 'default') return []
  return few(
    othersOf(use, names).filter((name) => (use.within === '' ? isFree(name.scope) : holderOf(name.scope) === use.within)),
    NAME_ONLY_FACTOR,
  )
}

const othersOf = (use: NameUse, names: ProjectNames): readonly DefinedName[] =>
  names.definitions(use.name).filter((definition) => definition.rid !== use.rid && familyOf(definition) === familyOf(use))

/** The use itself, and the use it leads to if its module re-exports the name. */
function* meantBy(use: NameUse, names: ProjectNames): Generator<NameUse> {
  let uses: readonly NameUse[] = [use]
  for (let depth = 0; depth < MAX_CHAIN && uses.length > 0; depth++) {
    yield* uses
    uses = uses.flatMap((nameUse) =>
      nameUse.module === '' || nameUse.within !== ''
        ? []
        : names
            .passed(nameUse.name)
            .filter((passed) => familyOf(passed) === familyOf(use) && moduleFit(nameUse.module, nameUse.name, passed, nameUse.path) > 0)
            .map((passed) => ({
              ...nameUse,
              name: passed.original === '*' ? nameUse.name : passed.original,
              path: passed.path,
              module: passed.module,
            })),
    )
  }
}

function lookUp(use: NameUse, names: ProjectNames): readonly PossibleDefinition[] {
  const others = othersOf(use, names)
  if (others.length === 0) return []
  if (use.within === UNKNOWN_TYPE) return ofMentioned(use, others, names)
  if (use.module !== '') {
    const there = best(others, (name) => moduleFit(use.module, use.within || use.name, name, use.path))
    return shared(use.within === '' ? freeFirst(there) : within(use, there))
  }
  if (use.within === '') return bare(use, others)
  const members = few(hereFirst(use, within(use, others)))
  // A type without such a member may inherit it.
  return members.length > 0 ? members : ofMentioned(use, others, names)
}

/** Members of any type that the file mentions. */
function ofMentioned(use: NameUse, others: readonly DefinedName[], names: ProjectNames): readonly PossibleDefinition[] {
  const members = others.filter((name) => !isFree(name.scope) && !isLocal(name.scope))
  if (members.length === 0) return []
  const mentioned = names.mentions(use.path)
  return shared(
    members.filter((member) => member.path === use.path || mentioned.has(member.scope)),
    UNTYPED_FACTOR,
  )
}

function bare(use: NameUse, others: readonly DefinedName[]): readonly PossibleDefinition[] {
  const family = familyOf(use)
  const here = use.kind === 'imports' ? [] : freeFirst(others.filter((name) => name.path === use.path))
  if (here.length > 0) return shared(here)
  const reachable = others.filter((name) => isFree(name.scope) || (OWN_MEMBERS.has(family) && !isLocal(name.scope)))
  // A Go package is a folder, and a bare name never leaves it.
  if (family === 'go') return few(reachable.filter((name) => folderOf(name.path) === folderOf(use.path)))
  return few(reachable, OPEN_LANGUAGES.has(family) ? 1 : NAME_ONLY_FACTOR)
}

/** Members of the type or module, or the definitions of the file that is the module. */
function within(use: NameUse, places: readonly DefinedName[]): readonly DefinedName[] {
  const members = places.filter((place) => holderOf(place.scope) === use.within)
  return members.length > 0 ? members : places.filter((place) => isFree(place.scope) && moduleFit(use.within, '', place, use.path) > 0)
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

function freeFirst(places: readonly DefinedName[]): readonly DefinedName[] {
  const free = places.filter((place) => isFree(place.scope))
  return free.length > 0 ? free : places
}

function hereFirst(use: NameUse, places: readonly DefinedName[]): readonly DefinedName[] {
  const here = places.filter((place) => place.path === use.path)
  return here.length > 0 ? here : places
}

function best<T>(places: readonly T[], fit: (entry: T) => number): readonly T[] {
  const fits = places.map(fit)
  const max = Math.max(...fits)
  return max <= 0 ? [] : places.filter((_, index) => fits[index] === max)
}

function few(places: readonly DefinedName[], certainty = 1): readonly PossibleDefinition[] {
  return places.length > MAX_MEANINGS ? [] : shared(places, certainty)
}

function shared(places: readonly NamedPlace[], certainty = 1): readonly PossibleDefinition[] {
  const rids = [...new Set(places.map((place) => place.rid))]
  return rids.length > MAX_MEANINGS ? [] : rids.map((rid) => ({ rid, weight: certainty / rids.length }))
}
