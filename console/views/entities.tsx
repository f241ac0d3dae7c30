import { useEffect, useState } from 'preact/hooks'
import type { EntitiesAnswer } from '../../src/contracts/console/entities.js'
import type { EntityAnswer } from '../../src/contracts/console/entity.js'
import type { MergeEntitiesAnswer } from '../../src/contracts/console/merge-entities.js'
import { Dialog } from '../parts/dialog.js'
import { FactRow } from '../parts/fact-row.js'
import { Loaded } from '../parts/feedback.js'
import { Graph } from '../parts/graph.js'
import { Icon } from '../parts/icon.js'
import { say } from '../state/actions.js'
import { revision, useAnswer } from '../state/answers.js'
import { type ApiError, call } from '../state/api.js'
import { asOf, change, href, route } from '../state/route.js'
import { mayWrite } from '../state/session.js'
import { useSubject } from '../state/subject.js'
import { number, ownerName, plural } from '../state/words.js'

export function Entities() {
  const { params } = route.value
  const shown = params.get('q') ?? ''
  const [text, setText] = useState(shown)
  useEffect(() => {
    if (text.trim() === shown) return undefined
    const timer = setTimeout(() => change({ q: text.trim() }, { replace: true }), 160)
    return () => clearTimeout(timer)
  }, [text, shown])
  const answer = useAnswer<EntitiesAnswer>('console/entities', { q: shown, limit: 200 })
  return (
    <>
      <h1 class="sr">Entities</h1>
      <label class="find">
        <span class="sr">Search entities</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Search all entities"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          autocomplete="off"
        />
        <kbd class="hint">/</kbd>
      </label>
      <Loaded answer={answer}>
        {({ entities }) =>
          entities.length === 0 ? (
            <div class="empty">
              <h2>{shown === '' ? 'No entity is known yet.' : `No entity is called "${shown}".`}</h2>
              <p>Entities appear when something is stored about them by name.</p>
            </div>
          ) : (
            <ul class="list block">
              {entities.map((entity) => (
                <li key={entity.id} class="row entity">
                  <a class="row-text said one" dir="auto" href={href('entity', { id: entity.id })} data-row={entity.id}>
                    {entity.name}
                  </a>
                  <span class="row-meta">
                    <span>{entity.type}</span>
                    <span>{ownerName(entity.owner)}</span>
                    {entity.aliases.length > 0 && <span dir="auto">also {entity.aliases.slice(0, 3).join(', ')}</span>}
                  </span>
                  <span class="row-when">{plural(entity.relations, 'relation')}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

const PAGE_SIZE = 60
const MAX_ENTITIES = 200

export function EntityView() {
  const { params } = route.value
  const id = params.get('id') ?? ''
  const nodes = Math.min(MAX_ENTITIES, Number(params.get('nodes') ?? PAGE_SIZE) || PAGE_SIZE)
  const answer = useAnswer<EntityAnswer>('console/entity', { id, nodes, ...(asOf.value === null ? {} : { as_of: asOf.value }) })
  if (answer.error?.code === 'gone')
    return (
      <div class="empty">
        <h1>This entity is not there.</h1>
        <p>It was deleted, or merged into another.</p>
        <a class="btn" href={href('entities')}>
          All entities
        </a>
      </div>
    )
  return <Loaded answer={answer}>{(page) => <Page page={page} shown={nodes} />}</Loaded>
}

function Page({ page, shown }: { readonly page: EntityAnswer; readonly shown: number }) {
  const { entity } = page
  useSubject(entity.name)
  const [merging, setMerging] = useState(false)
  const relations = relationsOf(page)
  return (
    <>
      <div class="between">
        <div>
          <h1 class="said" dir="auto">
            {entity.name}
          </h1>
          <p class="dim">
            {entity.type}, {plural(page.fact_count, 'fact')}, {ownerName(entity.owner)}
          </p>
        </div>
        {mayWrite() && asOf.value === null && (
          <button type="button" class="btn" onClick={() => setMerging(true)}>
            Merge with another
          </button>
        )}
      </div>
      {entity.description !== null && (
        <p class="said block" dir="auto">
          {entity.description}
        </p>
      )}
      {entity.aliases.length > 0 && (
        <div class="flow block">
          <span class="faint">Also called</span>
          {entity.aliases.map((alias) => (
            <span key={alias} class="chip" dir="auto">
              {alias}
            </span>
          ))}
        </div>
      )}
      {page.nodes.length > 1 ? (
        <div class="cols block neighbourhood">
          <section aria-labelledby="g-h">
            <div class="head">
              <h2 id="g-h">Neighbourhood</h2>
              <span class="faint">
                {page.nodes.length - 1} of {page.nodes.length - 1 + page.more}
              </span>
              {page.more > 0 && shown < MAX_ENTITIES && (
                <button
                  type="button"
                  class="btn quiet push"
                  onClick={() => change({ nodes: String(Math.min(MAX_ENTITIES, shown + PAGE_SIZE)) }, { replace: true })}
                >
                  <Icon name="plus" />
                  Show {Math.min(page.more, PAGE_SIZE, MAX_ENTITIES - shown)} more
                </button>
              )}
            </div>
            <Graph self={entity.id} nodes={page.nodes} edges={page.edges} />
          </section>
          <section aria-labelledby="l-h">
            <div class="head">
              <h2 id="l-h">As a list</h2>
            </div>
            <div class="scroll" tabIndex={0} role="group" aria-label="Relations">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Relation</th>
                    <th scope="col">To</th>
                    <th scope="col" class="r">
                      Relations
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {relations.map(({ type, node }) => (
                    <tr key={`${type} ${node.id}`}>
                      <td class="dim">{RELATIONS[type] ?? type.toLowerCase().replaceAll('_', ' ')}</td>
                      <th scope="row">
                        <a class="said one" dir="auto" href={href(node.kind === 'fact' ? 'fact' : 'entity', { id: node.id })}>
                          {node.label}
                        </a>
                      </th>
                      <td class="r">{number(node.degree)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        </div>
      ) : (
        <p class="dim block">Nothing is related to it yet.</p>
      )}
      <section class="block" aria-labelledby="f-h">
        <header>
          <h2 id="f-h">Facts about it</h2>
          <a class="link small push" href={href('browse', { name: entity.name.toLowerCase() })}>
            All {number(page.fact_count)}
          </a>
        </header>
        <ul class="list">
          {page.facts.map((fact) => (
            <FactRow key={fact.id} fact={fact} />
          ))}
        </ul>
      </section>
      {merging && <MergeDialog page={page} onClose={() => setMerging(false)} />}
    </>
  )
}

/** Relations that follow from texts. */
const RELATIONS: Readonly<Record<string, string>> = { MENTIONS_ENTITY: 'mentioned in', SIMILAR_TO: 'similar to' }

function relationsOf({ entity, nodes, edges }: EntityAnswer) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return edges
    .filter(({ from, to }) => from === entity.id || to === entity.id)
    .flatMap(({ from, to, type }) => {
      const node = byId.get(from === entity.id ? to : from)
      return node === undefined ? [] : [{ type, node }]
    })
    .sort((a, b) => Number(a.node.kind === 'fact') - Number(b.node.kind === 'fact') || b.node.degree - a.node.degree)
}

function MergeDialog({ page, onClose }: { readonly page: EntityAnswer; readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const found = useAnswer<EntitiesAnswer>('console/entities', text.trim() === '' ? undefined : { q: text.trim(), limit: 8 })
  const others = (found.value?.entities ?? []).filter(({ id, owner }) => id !== page.entity.id && owner === page.entity.owner)
  const merge = (id: string): void => {
    onClose()
    void call<MergeEntitiesAnswer>('console/merge_entities', { keep: page.entity.id, drop: id })
      .then(
        ({ before }) => say(`Merged ${before.dropped.name}.`, { reverse: { tool: 'console/separate_entities', input: { before } } }),
        ({ message, hint }: ApiError) => say(`${message} ${hint ?? ''}`, { bad: true }),
      )
      .finally(() => (revision.value += 1))
  }
  return (
    <Dialog title="Merge with another entity" onClose={onClose}>
      <header>
        <h2>
          Merge another entity into <span dir="auto">{page.entity.name}</span>
        </h2>
      </header>
      <div class="stack">
        <p>Its names and relations move here, and it is no entity of its own any more. Facts stay as they are. It can be undone.</p>
        <div class="field">
          <label for="merge-entity">Name of the other</label>
          <input
            id="merge-entity"
            class="input"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            autocomplete="off"
            autofocus
          />
        </div>
        <ul class="queue">
          {others.map((entity) => (
            <li key={entity.id} class="between">
              <span dir="auto">
                {entity.name} <span class="faint">{entity.type}</span>
              </span>
              <button type="button" class="btn" onClick={() => merge(entity.id)}>
                Merge
              </button>
            </li>
          ))}
        </ul>
      </div>
      <footer>
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}
