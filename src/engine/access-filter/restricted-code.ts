import { type AccessFilter, findOwnerAccess, type Principal, seesAllScopes } from '../../core/access/access-filter.js'
import type { CodeFilter, CodeIndex } from '../../ports/code-index.js'
import type { PageCursor, Store } from '../../ports/store.js'
import type { CodeMemory } from '../code/code-memory.js'
import { forbidden } from './restricted-store.js'

const PAGE_SIZE = 500

/** Code and other evidence has no scopes, so it requires access to all scopes of its owner. */
function readsCodeOf(reach: AccessFilter, owner: string): boolean {
  const access = findOwnerAccess(reach, owner)
  return access !== undefined && seesAllScopes(access)
}

/** The code index limited to owners that the principal may read. */
export function restrictCode(
  code: CodeIndex,
  { pageSources, sources }: Pick<Store, 'pageSources' | 'sources'>,
  { reach }: Principal,
): CodeIndex {
  const isReadable = (owner: string): boolean => readsCodeOf(reach, owner)
  const projects = async () => (await code.projects()).filter((source) => isReadable(source.owner))
  const isReadableSource = async (id: string): Promise<boolean> => (await sources([id])).some((source) => isReadable(source.owner))
  const readableSources = async (): Promise<ReadonlySet<string>> => {
    const ids = new Set<string>()
    for (let after: PageCursor | null | undefined; after !== null; ) {
      const page = await pageSources({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
      for (const source of page.items) if (isReadable(source.owner)) ids.add(source.id)
      after = page.next
    }
    return ids
  }
  const readableFilter = async (pool: CodeFilter): Promise<CodeFilter> => {
    // All sources of an owner are open, or none.
    if (pool.owner !== undefined) return isReadable(pool.owner) ? pool : { ...pool, sources: [] }
    const ids = await readableSources()
    return { ...pool, sources: pool.sources === undefined ? [...ids] : pool.sources.filter((id) => ids.has(id)) }
  }
  const readableRids = async (rids: readonly number[]): Promise<ReadonlySet<number>> =>
    new Set((await code.passages(rids)).filter(({ passage }) => isReadable(passage.owner)).map(({ rid }) => rid))
  return {
    ...code,
    projects,
    files: async (id) => ((await isReadableSource(id)) ? code.files(id) : new Map()),
    async tally(id) {
      if (await isReadableSource(id)) return code.tally(id)
      return { files: 0, passages: 0, embedded: 0, skipped: {} }
    },
    passages: async (rids) => (await code.passages(rids)).filter(({ passage }) => isReadable(passage.owner)),
    async find(id) {
      const found = await code.find(id)
      return found !== undefined && isReadable(found.passage.owner) ? found : undefined
    },
    vectors: async (id, path) => ((await isReadableSource(id)) ? code.vectors(id, path) : new Map()),
    hasSources: async (owner) => (owner === undefined || isReadable(owner)) && code.hasSources(owner),
    search: async (query) => code.search({ ...query, pool: await readableFilter(query.pool) }),
    async links(rids, direction) {
      const links = await code.links([...(await readableRids(rids))], direction)
      const ends = await readableRids(links.flatMap(({ from, to }) => [from, to]))
      return links.filter(({ from, to }) => ends.has(from) && ends.has(to))
    },
  }
}

/** The same restriction for operations on whole projects. */
export function restrictProjects(code: CodeMemory, { reach, mayWrite }: Principal): CodeMemory {
  const isReadable = (owner: string): boolean => readsCodeOf(reach, owner)
  const refused = (owner: string): boolean => !mayWrite || !isReadable(owner)
  return {
    ...code,
    index: (request) => (refused(request.owner) ? Promise.reject(forbidden(`indexing for ${request.owner}`)) : code.index(request)),
    report: (project, owner) =>
      isReadable(owner) ? code.report(project, owner) : Promise.reject(forbidden(`reading what belongs to ${owner}`)),
    projects: async (owner) => (await code.projects(owner)).filter((source) => isReadable(source.owner)),
    remove: (project, request) =>
      refused(request.owner) ? Promise.reject(forbidden(`deleting projects of ${request.owner}`)) : code.remove(project, request),
  }
}
