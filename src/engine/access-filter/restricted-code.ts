import { findOwnerAccess, type Principal, seesAllScopes } from '../../core/access/access-filter.js'
import type { CodeFilter, CodeIndex } from '../../ports/code-index.js'
import type { PageCursor, Store } from '../../ports/store.js'
import type { CodeMemory } from '../code/code-memory.js'
import { forbidden } from './restricted-store.js'

const PAGE_SIZE = 500

/** Evidence requires access to all scopes of its owner. */
export function restrictCode(
  code: CodeIndex,
  { pageSources, sources }: Pick<Store, 'pageSources' | 'sources'>,
  { reach }: Principal,
): CodeIndex {
  const isOpen = (owner: string): boolean => {
    const into = findOwnerAccess(reach, owner)
    return into !== undefined && seesAllScopes(into)
  }
  const projects = async () => (await code.projects()).filter((source) => isOpen(source.owner))
  const isOpenSource = async (id: string): Promise<boolean> => (await sources([id])).some((source) => isOpen(source.owner))
  const openSources = async (): Promise<ReadonlySet<string>> => {
    const ids = new Set<string>()
    for (let after: PageCursor | null | undefined; after !== null; ) {
      const page = await pageSources({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
      for (const source of page.items) if (isOpen(source.owner)) ids.add(source.id)
      after = page.next
    }
    return ids
  }
  const poolOf = async (pool: CodeFilter): Promise<CodeFilter> => {
    // All sources of an owner are open, or none.
    if (pool.owner !== undefined) return isOpen(pool.owner) ? pool : { ...pool, sources: [] }
    const ids = await openSources()
    return { ...pool, sources: pool.sources === undefined ? [...ids] : pool.sources.filter((id) => ids.has(id)) }
  }
  const openRids = async (rids: readonly number[]): Promise<ReadonlySet<number>> =>
    new Set((await code.passages(rids)).filter(({ passage }) => isOpen(passage.owner)).map(({ rid }) => rid))
  return {
    ...code,
    projects,
    files: async (id) => ((await isOpenSource(id)) ? code.files(id) : new Map()),
    async tally(id) {
      if (await isOpenSource(id)) return code.tally(id)
      return { files: 0, passages: 0, embedded: 0, skipped: {} }
    },
    passages: async (rids) => (await code.passages(rids)).filter(({ passage }) => isOpen(passage.owner)),
    async find(id) {
      const found = await code.find(id)
      return found !== undefined && isOpen(found.passage.owner) ? found : undefined
    },
    vectors: async (id, path) => ((await isOpenSource(id)) ? code.vectors(id, path) : new Map()),
    hasSources: async (owner) => (owner === undefined || isOpen(owner)) && code.hasSources(owner),
    search: async (question) => code.search({ ...question, pool: await poolOf(question.pool) }),
    async links(rids, direction) {
      const links = await code.links([...(await openRids(rids))], direction)
      const ends = await openRids(links.flatMap(({ from, to }) => [from, to]))
      return links.filter(({ from, to }) => ends.has(from) && ends.has(to))
    },
  }
}

/** The same restriction for operations on whole projects. */
export function restrictProjects(code: CodeMemory, { reach, mayWrite }: Principal): CodeMemory {
  const isOpen = (owner: string): boolean => {
    const into = findOwnerAccess(reach, owner)
    return into !== undefined && seesAllScopes(into)
  }
  const refused = (owner: string): boolean => !mayWrite || !isOpen(owner)
  return {
    ...code,
    index: (request) => (refused(request.owner) ? Promise.reject(forbidden(`indexing for ${request.owner}`)) : code.index(request)),
    report: (project, owner) =>
      isOpen(owner) ? code.report(project, owner) : Promise.reject(forbidden(`reading what belongs to ${owner}`)),
    projects: async (owner) => (await code.projects(owner)).filter((source) => isOpen(source.owner)),
    remove: (project, request) =>
      refused(request.owner) ? Promise.reject(forbidden(`deleting projects of ${request.owner}`)) : code.remove(project, request),
  }
}
