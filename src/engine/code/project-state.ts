import { sha256 } from '../../core/encoding/hash.js'
import { canonicalJson, isJsonObject, type JsonObject, textsIn } from '../../core/encoding/json.js'
import type { ScanPatterns } from '../../core/evidence/scan-scope.js'
import type { Instant } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { StoragePorts } from '../../ports/backend.js'
import type { FoundProject } from '../../ports/project-files.js'

export type IndexStatus = 'pending' | 'indexing' | 'completed' | 'failed'

/** Project data other than its files; stored in the metadata of the source. */
export interface ProjectState {
  readonly status: IndexStatus
  readonly watch: boolean
  readonly startedAt: Instant | null
  readonly completedAt: Instant | null
  readonly error: string | null
  /** Files skipped before reading, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Files with masked secrets, and the kinds. */
  readonly masked: Readonly<Record<string, readonly string[]>>
  /** True if it was indexed without masking. */
  readonly open: boolean
}

/** Version of the index format. A new version rebuilds indexes with the next pass, because unchanged files would not be read otherwise. */
export const INDEX_FORM = '3'

/** True if the index was built in another format or with another masking setting. */
export function isOfOtherForm(source: Source, maskSecrets: boolean): boolean {
  const { status, open } = stateOf(source)
  return formOf(source) !== INDEX_FORM || (status === 'completed' && open === maskSecrets)
}

export const formOf = (source: Source): string => (typeof source.metadata.form === 'string' ? source.metadata.form : '')

const STATUSES: readonly IndexStatus[] = ['pending', 'indexing', 'completed', 'failed']

export function stateOf(source: Source): ProjectState {
  const { watch, startedAt, completedAt, error, skipped, masked, open } = source.metadata
  const counts = isJsonObject(skipped) ? Object.entries(skipped) : []
  const files = isJsonObject(masked) ? Object.entries(masked) : []
  return {
    status: STATUSES.find((status) => status === source.metadata.index) ?? 'pending',
    watch: watch === true,
    startedAt: typeof startedAt === 'number' ? startedAt : null,
    completedAt: typeof completedAt === 'number' ? completedAt : null,
    error: typeof error === 'string' ? error : null,
    skipped: Object.fromEntries(counts.flatMap(([reason, n]) => (typeof n === 'number' ? [[reason, n]] : []))),
    masked: Object.fromEntries(
      files.map(([path, kinds]) => [path, Array.isArray(kinds) ? kinds.filter((kind) => typeof kind === 'string') : []]),
    ),
    open: open === true,
  }
}

export function withState(source: Source, state: ProjectState): Source {
  const { status, ...rest } = state
  const metadata: JsonObject = { ...source.metadata, ...rest, index: status, skipped: { ...state.skipped }, masked: { ...state.masked } }
  return { ...source, metadata }
}

/** The file patterns requested for a project; undefined without any. */
export function patternsOf({ metadata }: Source): ScanPatterns | undefined {
  const { patterns } = metadata
  if (!isJsonObject(patterns)) return undefined
  return { include: textsIn(patterns.include), exclude: textsIn(patterns.exclude), force: patterns.force === true }
}

const withPatterns = (source: Source, { include, exclude, force }: ScanPatterns): Source => ({
  ...source,
  metadata: { ...source.metadata, patterns: { include, exclude, force } },
})

export const projectMissing = (id: string): MemoryError =>
  new MemoryError('not_found', `Project not found: ${id}`, { hint: 'list_projects names what is indexed; index_project adds a folder.' })

/** Projects of one owner; of all owners without one. */
export async function projectsOf(ports: StoragePorts, owner: string | undefined): Promise<readonly Source[]> {
  const projects = await ports.code.projects()
  return owner === undefined ? projects : projects.filter((project) => project.owner === owner)
}

/** Finds a project by name. A project of another owner does not exist for the caller. */
export async function requireProject(ports: StoragePorts, name: string, owner: string | undefined): Promise<Source> {
  const source = (await projectsOf(ports, owner)).find((candidate) => candidate.title === name)
  if (source === undefined) throw projectMissing(name)
  return source
}

export async function projectById(ports: StoragePorts, id: string): Promise<Source | undefined> {
  return (await ports.code.projects()).find((source) => source.id === id)
}

/** Sets the state of a project; retries after concurrent changes and skips the commit if nothing changes. */
export const reviseProject = (
  ports: StoragePorts,
  id: string,
  actor: string,
  change: (state: ProjectState) => ProjectState,
): Promise<void> => reviseSource(ports, id, actor, (source) => withState(source, change(stateOf(source))))

/** Sets the file patterns in the same way. */
export const setPatterns = (ports: StoragePorts, id: string, actor: string, patterns: ScanPatterns): Promise<void> =>
  reviseSource(ports, id, actor, (source) => withPatterns(source, patterns))

async function reviseSource(ports: StoragePorts, id: string, actor: string, change: (source: Source) => Source): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const source = await projectById(ports, id)
    if (source === undefined) return
    const revised = change(source)
    if (canonicalJson(revised.metadata) === canonicalJson(withState(source, stateOf(source)).metadata)) return
    try {
      await ports.store.commit({ actor, owners: [source.owner] }, (now) => [
        { op: 'source.put', source: { ...revised, updatedAt: now, version: source.version + 1 } },
      ])
      return
    } catch (error) {
      if (toMemoryError(error).code !== 'conflict' || attempt >= 5) throw error
    }
  }
}

/**
 * Returns the owner's project of a folder and registers a new one as pending. If another folder has the name, the new project gets a
 * suffix.
 */
export async function registerProject(
  ports: StoragePorts,
  newId: string,
  owner: string,
  found: FoundProject,
  actor: string,
): Promise<Source> {
  for (let attempt = 0; ; attempt++) {
    const known = await projectsOf(ports, owner)
    const same = known.find((source) => source.origin === found.path)
    if (same !== undefined) return same
    const title = freeName(found, new Set(known.map((source) => source.title)))
    let made: Source | undefined
    try {
      await ports.store.commit({ actor, owners: [owner] }, (now) => {
        const state: ProjectState = {
          status: 'pending',
          watch: false,
          startedAt: null,
          completedAt: null,
          error: null,
          skipped: {},
          masked: {},
          open: false,
        }
        made = withState(
          {
            id: newId,
            owner,
            kind: 'repo',
            title,
            origin: found.path,
            fingerprint: '',
            status: 'active',
            metadata: { git: found.git, form: INDEX_FORM },
            createdAt: now,
            updatedAt: now,
            version: 1,
          },
          state,
        )
        return [{ op: 'source.put', source: made, reason: 'project registered' }]
      })
    } catch (error) {
      // Another process registered the name or the folder concurrently.
      if (!(error instanceof MemoryError) || error.code !== 'conflict' || attempt >= 3) throw error
    }
    if (made !== undefined && (await projectById(ports, made.id)) !== undefined) return made
  }
}

function freeName(found: FoundProject, taken: ReadonlySet<string>): string {
  // Names are displayed on one line.
  const name = found.name.replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, '_')
  const hash = sha256(found.path)
  for (let length = 0; ; length += length === 0 ? 4 : 1) {
    const candidate = length === 0 ? name : `${name}-${hash.slice(0, length)}`
    if (!taken.has(candidate)) return candidate
  }
}
