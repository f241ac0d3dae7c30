import type { FactAnswer } from '../../src/contracts/console/fact.js'
import { href } from '../state/route.js'
import { ago, clientName, dateAndTime, isProject, ownerName, plural } from '../state/words.js'
import { Mark, When, Who } from './marks.js'

/** File and line of an import, with its format. */
function placeOf(imported: unknown): string | undefined {
  if (typeof imported !== 'object' || imported === null) return undefined
  const { from, file, line } = Object.fromEntries(Object.entries(imported))
  return `${String(file ?? '')}${typeof line === 'number' ? `:${line}` : ''} (${String(from ?? '')})`
}

const SHOWN_ELSEWHERE = new Set(['imported', 'tags', 'feedback'])
const MAX_KEYS = 50
const MAX_VALUE_CHARS = 300

/** What else is kept with a fact, as far as it can be read. */
function Metadata({ metadata }: { readonly metadata: FactAnswer['fact']['metadata'] }) {
  const entries = Object.entries(metadata).filter(([name]) => !SHOWN_ELSEWHERE.has(name))
  if (entries.length === 0) return null
  const written = (value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}...` : text
  }
  return (
    <details class="block">
      <summary>Metadata, {plural(entries.length, 'key')}</summary>
      <dl class="kv block">
        {entries.slice(0, MAX_KEYS).map(([name, value]) => [
          <dt key={name} class="wrapped" dir="auto">
            {name.slice(0, MAX_VALUE_CHARS)}
          </dt>,
          <dd key={`${name}=`} class="wrapped" dir="auto">
            {written(value)}
          </dd>,
        ])}
      </dl>
      {entries.length > MAX_KEYS && <p class="faint">The first {MAX_KEYS} are shown; an export has all of them.</p>}
    </details>
  )
}

export function Provenance({ page }: { readonly page: FactAnswer }) {
  const { fact, last_told: told } = page
  const { right, wrong } = fact.feedback
  const imported = placeOf(fact.metadata.imported)
  return (
    <aside aria-label="Where it comes from">
      <h2>Where it comes from</h2>
      <dl class="kv block">
        <dt>Author</dt>
        <dd>{fact.author ?? 'not named'}</dd>
        <dt>Client</dt>
        <dd class="flow">
          <Who source={fact.source} />
          {clientName(fact.source)}
        </dd>
        <dt>Owner</dt>
        <dd>
          <a class="link" href={href('browse', { owner: fact.owner })}>
            {isProject(fact.owner) ? 'project ' : ''}
            {ownerName(fact.owner)}
          </a>
        </dd>
        {fact.subject !== null && (
          <>
            <dt>States</dt>
            <dd dir="auto">
              {fact.subject} {fact.predicate}
            </dd>
          </>
        )}
        <dt>Reason</dt>
        <dd dir="auto">{fact.reason ?? 'none given'}</dd>
        {imported !== undefined && (
          <>
            <dt>Imported</dt>
            <dd class="wrapped" dir="auto">
              {imported}
            </dd>
          </>
        )}
        <dt>Recorded</dt>
        <dd>
          <When class="" at={fact.recorded_at} text={dateAndTime(fact.recorded_at)} />
        </dd>
        <dt>Last told</dt>
        <dd>
          {told === null ? (
            'not in this log'
          ) : (
            <a class="link" href={href('told', { fact: fact.id })}>
              {ago(told.at)} to {clientName(told.client)}
            </a>
          )}
        </dd>
        <dt>Marked</dt>
        <dd>
          {right} right, {wrong} wrong
        </dd>
      </dl>
      <Metadata metadata={fact.metadata} />
      {page.entities.length > 0 && (
        <div class="block">
          <h2>Entities</h2>
          <p class="flow">
            {page.entities.slice(0, 20).map((entity) => (
              <a key={entity.id} class="chip" dir="auto" href={href('entity', { id: entity.id })}>
                {entity.name}
              </a>
            ))}
          </p>
        </div>
      )}
      {page.session.length > 1 && (
        <div class="block">
          <h2>Same session</h2>
          <ol class="queue">
            {page.session.map((one) => (
              <li key={one.id}>
                <a href={href('fact', { id: one.id })} aria-current={one.id === fact.id ? 'true' : undefined}>
                  <Mark life={one.life} />
                  <span class="one" dir="auto">
                    {one.id === fact.id ? 'This fact' : one.text}
                  </span>
                </a>
              </li>
            ))}
          </ol>
        </div>
      )}
    </aside>
  )
}
