import type { CodeReference } from '../../journal/change.js'
import type { CodeChunk } from './chunks.js'
import { UNKNOWN_TYPE, type UseHint, writeHint } from './links.js'
import type { Definition, FileOutline, OutlineReference } from './outline.js'

/** A name bound by an import. */
interface Binding {
  readonly module: string
  readonly name: string
  readonly whole: boolean
}

interface FileNames {
  readonly outline: FileOutline
  readonly language: string
  readonly imported: ReadonlyMap<string, Binding>
  /** Definitions of the file that can have members. */
  readonly holders: ReadonlySet<string>
}

/** Words that refer to the enclosing object or type. */
const SELF_RECEIVERS = new Set(['this', 'self', 'cls', 'Self', 'static'])

/**
 * The names of a file with the chunk that contains each, once per chunk. A use is stored under the name of its module, with a hint where to
 * find it: aliases and receivers are only known here. Uses of a chunk's own names are omitted.
 */
export function chunkReferences(
  file: { readonly path: string; readonly language: string },
  outline: FileOutline,
  chunks: readonly CodeChunk[],
): readonly CodeReference[] {
  const found = new Map<string, CodeReference>()
  const add = (ordinal: number, kind: CodeReference['kind'], name: string, module: string | null): void => {
    const key = `${ordinal}\n${kind}\n${name}\n${module ?? ''}`
    if (!found.has(key)) found.set(key, { ordinal, kind, name, module })
  }
  for (const { ordinal, members } of chunks) for (const { name, scope } of members) add(ordinal, 'defines', name, scope)
  const names: FileNames = { outline, language: file.language, imported: bindingsOf(outline), holders: holdersOf(outline.definitions) }
  const itself = `./${file.path.split('/').at(-1) ?? ''}`
  const passesOn = /(?:^|\/)__init__\.pyi?$/.test(file.path)
  for (const reference of outline.references) {
    const chunk = chunkAt(chunks, reference.line)
    if (chunk === undefined) continue
    const { kind, name, module, as } = reference
    if (kind === 'exports') {
      add(chunk.ordinal, 'references', as ?? name, writeHint({ module: module ?? itself, within: name }))
    } else if (kind === 'imports') {
      add(chunk.ordinal, 'imports', name, module)
      // A package re-exports the imports of its own file.
      if (passesOn && as !== undefined && module !== null) add(chunk.ordinal, 'references', as, writeHint({ module, within: name }))
    } else {
      const use = useOf(reference, names)
      const own = use.module === '' && (chunk.names.includes(use.name) || chunk.members.some((member) => member.name === use.name))
      if (!own || (use.within !== '' && !isOwn(reference))) add(chunk.ordinal, kind, use.name, writeHint(use))
    }
  }
  return [...found.values()]
}

const isOwn = ({ on }: OutlineReference): boolean => on !== undefined && SELF_RECEIVERS.has(on.replace(/::$/, ''))

function bindingsOf({ references }: FileOutline): ReadonlyMap<string, Binding> {
  const bound = new Map<string, Binding>()
  for (const { kind, name, module, as, whole } of references) {
    if (kind === 'imports' && as !== undefined && module !== null) bound.set(as, { module, name, whole: whole === true })
  }
  return bound
}

const holdersOf = (definitions: readonly Definition[]): ReadonlySet<string> =>
  new Set(definitions.filter((def) => def.kind !== 'function').map((def) => def.name))

/** The name that a use refers to, and where to find it. */
function useOf(reference: OutlineReference, names: FileNames): UseHint & { readonly name: string } {
  const { name, on } = reference
  if (on === undefined) return bareUse(name, names)
  if (isOwn(reference)) return { name, module: '', within: enclosingType(names.outline.definitions, reference.within) ?? UNKNOWN_TYPE }
  const owner = on.replace(/::$/, '')
  const bound = names.imported.get(owner)
  if (bound !== undefined) return { name, ...memberOf(bound, names.language) }
  const [head = '', ...rest] = owner.split('::')
  const type = owner.split(/\.|->|::/).at(-1) ?? ''
  if (rest.length > 0) return { name, module: [names.imported.get(head)?.module ?? head, ...rest].join('::'), within: type }
  const isType = on !== owner || names.holders.has(on) || (/^\p{Lu}/u.test(type) && !on.includes('->'))
  if (!isType) return { name, module: '', within: UNKNOWN_TYPE }
  return { name, module: owner === type ? '' : owner, within: type }
}

function bareUse(name: string, { imported, language }: FileNames): UseHint & { readonly name: string } {
  const bound = imported.get(name)
  if (bound === undefined) return { name, module: '', within: '' }
  // A call of a module calls its default export.
  const calledModule = bound.whole && (language === 'javascript' || language === 'typescript' || language === 'tsx')
  return { name: calledModule ? 'default' : bound.name, module: bound.module, within: '' }
}

/** In Python, an imported name may be a module or a member of one. */
function memberOf({ module, name, whole }: Binding, language: string): UseHint {
  if (whole || name === 'default') return { module, within: '' }
  return { module: language === 'python' ? `${module}${module.endsWith('.') ? '' : '.'}${name}` : module, within: name }
}

function enclosingType(definitions: readonly Definition[], from: number): string | null {
  for (let index = from; index >= 0; index = definitions[index]?.parent ?? -1) {
    const def = definitions[index]
    if (def === undefined) return null
    if (def.kind !== 'function' && def.kind !== 'module') return def.name
    const outer = definitions[def.parent]
    if (def.scope.length > (outer === undefined ? 0 : outer.scope.length + 1)) return def.scope.at(-1) ?? null
  }
  return null
}

function chunkAt(chunks: readonly CodeChunk[], line: number): CodeChunk | undefined {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chunks[middle]?.endLine ?? 0) < line) low = middle + 1
    else high = middle
  }
  return chunks[low]
}
