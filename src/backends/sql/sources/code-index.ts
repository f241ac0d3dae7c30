import type { CodeIndex } from '../../../ports/code-index.js'
import type { Connection } from '../plan/plan.js'
import { passageVectors } from '../vectors/vectors.js'
import { incomingLinks, outgoingLinks } from './code-links.js'
import { codeFiles, codePassage, codePassages, codeProjects, codeTally } from './code-reads.js'

export function createCodeIndex(
  connection: Connection,
  resident: Pick<CodeIndex, 'search' | 'hasSources'> & { catchUp(): Promise<void> },
): CodeIndex {
  return {
    projects: () => connection.read(codeProjects),
    files: (sourceId) => connection.read(() => codeFiles(sourceId)),
    tally: (sourceId) => connection.read(() => codeTally(sourceId)),
    passages: (rids) => connection.read(() => codePassages(rids)),
    find: (id) => connection.read(() => codePassage(id)),
    vectors: (sourceId, path) => connection.read(() => passageVectors(sourceId, path)),
    search: (question) => resident.search(question),
    hasSources: (owner) => resident.hasSources(owner),
    links: (rids, direction) => connection.read(() => (direction === 'outgoing' ? outgoingLinks(rids) : incomingLinks(rids))),
    warm: () => resident.catchUp(),
  }
}
