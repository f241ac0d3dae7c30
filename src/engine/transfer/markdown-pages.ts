import type { Fact } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { type PageContent, renderPage } from '../../core/transfer/markdown-page.js'
import { ownerFolder, PageNames } from '../../core/transfer/page-names.js'
import type { MarkdownFile } from '../../ports/markdown-folder.js'
import type { Environment } from '../environment.js'
import { type ExportSelection, selectedEntities, selectedFacts } from './export-selection.js'

const PAGE_SIZE = 500
/** Limit of facts per file; a busy month has several files. */
const MAX_PAGE_FACTS = 2000

/**
 * The selected memory as Markdown files: one per entity with its facts, and one per owner and month for other facts. The output is
 * deterministic, so unchanged files need no rewrite.
 */
export async function* markdownFiles(env: Environment, selection: ExportSelection): AsyncGenerator<MarkdownFile> {
  const owners = selection.owner === undefined ? await env.graph.owners() : [selection.owner]
  for (const owner of [...owners].sort()) yield* ownerFiles(env, owner, { ...selection, owner })
}

async function* ownerFiles(env: Environment, owner: string, selection: ExportSelection): AsyncGenerator<MarkdownFile> {
  const folder = ownerFolder(owner)
  const names = new PageNames()
  const entities = new Map<string, Entity>()
  for await (const entity of selectedEntities(env, selection)) {
    names.add(entity.id, entity.name)
    entities.set(entity.id, entity)
  }
  const edges = await edgesByStart(env, owner)
  const nameOf = (id: string): { readonly name: string; readonly page: string } | undefined => {
    const name = entities.get(id)?.name
    return name === undefined ? undefined : { name, page: names.of(id) }
  }
  const byName = new Map([...entities.values()].map((entity) => [entity.name, entity.id]))
  const about = new Map<string, Fact[]>()
  let loose: Fact[] = []
  let month = ''
  let part = 1
  const months: string[] = []
  const close = function* (): Generator<MarkdownFile> {
    if (loose.length === 0) return
    const name = part === 1 ? month : `${month}-${part}`
    months.push(name)
    yield file(`${folder}/memories-${name}.md`, {
      kind: 'memories',
      owner,
      title: `Memories of ${name}`,
      facts: loose,
      edges: edgesOf(loose),
    })
    loose = []
  }
  const edgesOf = (facts: readonly Fact[]): readonly Edge[] => facts.flatMap(({ id }) => edges.get(id) ?? [])
  for await (const fact of selectedFacts(env, selection)) {
    const entity = fact.subject === null ? undefined : byName.get(fact.subject)
    if (entity !== undefined) {
      const known = about.get(entity)
      if (known === undefined) about.set(entity, [fact])
      else known.push(fact)
      continue
    }
    const own = new Date(fact.recordedAt / 1000).toISOString().slice(0, 7)
    if (own !== month || loose.length >= MAX_PAGE_FACTS) {
      yield* close()
      part = own === month ? part + 1 : 1
      month = own
    }
    loose.push(fact)
  }
  yield* close()
  for (const entity of entities.values()) {
    const facts = about.get(entity.id) ?? []
    const own = [...(edges.get(entity.id) ?? []), ...edgesOf(facts)]
    yield file(`${folder}/${names.of(entity.id)}.md`, { kind: 'entity', owner, title: entity.name, entity, facts, edges: own })
  }
  yield file(`${folder}/index.md`, {
    kind: 'index',
    owner,
    title: owner,
    facts: [],
    edges: [],
    pages: [
      ...[...entities.keys()].flatMap((id) => nameOf(id) ?? []),
      ...months.map((name) => ({ name: `Memories of ${name}`, page: `memories-${name}` })),
    ],
  })

  function file(path: string, content: PageContent): MarkdownFile {
    return { path, text: renderPage(content, nameOf) }
  }
}

/** Relations by their start node. */
async function edgesByStart(env: Environment, owner: string): Promise<ReadonlyMap<string, readonly Edge[]>> {
  const found = new Map<string, Edge[]>()
  for (let after: Awaited<ReturnType<typeof env.store.pageEdges>>['next'] | undefined; after !== null; ) {
    const page = await env.store.pageEdges({ owner, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
    for (const edge of page.items) {
      if (edge.properties.auto_linked === true) continue
      const known = found.get(edge.from)
      if (known === undefined) found.set(edge.from, [edge])
      else known.push(edge)
    }
    after = page.next
  }
  return found
}
