import type { FactAnswer } from '../../src/contracts/console/fact.js'
import { clientName, percent } from '../state/words.js'
import { Diff } from './diff.js'
import { FactRow } from './fact-row.js'
import { When } from './marks.js'

export function Versions({ page }: { readonly page: FactAnswer }) {
  if (page.versions.length === 0) return null
  return (
    <section class="block">
      <header>
        <h2>Versions</h2>
      </header>
      <ul class="list">
        {page.versions.map((entry) => {
          const changed = entry.before !== null && entry.text !== null && entry.before !== entry.text
          return (
            <li
              key={`${entry.seq} ${entry.commit}`}
              class={`change ${entry.created === true ? 'add' : entry.to !== undefined ? 'cut' : 'alt'}`}
            >
              <span class="sign" aria-hidden="true">
                {entry.version ?? '·'}
              </span>
              <p class="said" dir="auto">
                {changed ? (
                  <Diff before={entry.before ?? ''} after={entry.text ?? ''} />
                ) : entry.created === true ? (
                  entry.text
                ) : (
                  <span class="dim">{wordsFor(entry)}</span>
                )}
                {entry.reason !== undefined && <span class="faint small"> {entry.reason}</span>}
              </p>
              <span class="row-when">
                <When class="" at={entry.at} />, {clientName(entry.actor)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const wordsFor = ({ from, to, text }: FactAnswer['versions'][number]): string =>
  from !== undefined && to !== undefined
    ? `${from} became ${to}`
    : text === null
      ? 'its contents are no longer kept'
      : 'other fields changed'

export function Links({ page }: { readonly page: FactAnswer }) {
  const rows = [
    ...page.replaces.map((fact) => ({ fact, word: 'replaced by this' })),
    ...(page.replaced_by === null ? [] : [{ fact: page.replaced_by, word: 'replaces this' }]),
    ...page.derived_from.map((fact) => ({ fact, word: 'this was concluded from it' })),
    ...page.links.map(({ fact, type, direction }) => ({
      fact,
      word: `${type.toLowerCase().replaceAll('_', ' ')}${direction === 'in' ? ' this' : ''}`,
    })),
    ...page.similar.slice(0, 6).map(({ fact, weight }) => ({ fact, word: `near duplicate, ${percent(weight)}` })),
  ]
  const seen = new Set<string>()
  const once = rows.filter(({ fact }) => !seen.has(fact.id) && seen.add(fact.id))
  if (once.length === 0) return null
  return (
    <section class="block">
      <header>
        <h2>Links</h2>
        <span class="faint">{once.length}</span>
      </header>
      <ul class="list">
        {once.map(({ fact, word }) => (
          <FactRow
            key={fact.id}
            fact={fact}
            line={false}
            meta={
              <>
                <span>{word}</span>
                <span>{clientName(fact.source)}</span>
              </>
            }
          />
        ))}
      </ul>
    </section>
  )
}
