import { isWhole, type Principal, reachInto } from '../../core/visibility.js'
import type { CodeIndex, CodePool } from '../../ports/code-index.js'
import type { CodeMemory } from '../code/code-memory.js'
import { forbidden } from './limited-store.js'

/** Code is seen by whoever sees all that its owner has. */
export function limitCode(code: CodeIndex, { reach }: Principal): CodeIndex {
  const isOpen = (owner: string): boolean => {
    const into = reachInto(reach, owner)
    return into !== undefined && isWhole(into)
  }
  const projects = async () => (await code.projects()).filter((source) => isOpen(source.owner))
  const isProject = async (id: string): Promise<boolean> => (await projects()).some((source) => source.id === id)
  const poolOf = async (pool: CodePool): Promise<CodePool> => {
    const ids = (await projects()).map((source) => source.id)
    return { ...pool, sources: pool.sources === undefined ? ids : pool.sources.filter((id) => ids.includes(id)) }
  }
  const openRids = async (rids: readonly number[]): Promise<ReadonlySet<number>> =>
    new Set((await code.passages(rids)).filter(({ passage }) => isOpen(passage.owner)).map(({ rid }) => rid))
  return {
    ...code,
    projects,
    files: async (id) => ((await isProject(id)) ? code.files(id) : new Map()),
    async tally(id) {
      if (await isProject(id)) return code.tally(id)
      return { files: 0, passages: 0, embedded: 0, skipped: {} }
    },
    passages: async (rids) => (await code.passages(rids)).filter(({ passage }) => isOpen(passage.owner)),
    async find(id) {
      const found = await code.find(id)
      return found !== undefined && isOpen(found.passage.owner) ? found : undefined
    },
    search: async (question) => code.search({ ...question, pool: await poolOf(question.pool) }),
    async links(rids, direction) {
      const links = await code.links([...(await openRids(rids))], direction)
      const ends = await openRids(links.flatMap(({ from, to }) => [from, to]))
      return links.filter(({ from, to }) => ends.has(from) && ends.has(to))
    },
  }
}

/** The same for what is done with projects as a whole. */
export function limitProjects(code: CodeMemory, { reach, mayWrite }: Principal): CodeMemory {
  const isOpen = (owner: string): boolean => {
    const into = reachInto(reach, owner)
    return into !== undefined && isWhole(into)
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
