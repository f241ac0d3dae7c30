import { useState } from 'preact/hooks'
import { isProject, lifeOfStatus, number, ownerName, STATUS_WORDS, sourceName } from '../state/words.js'

interface FacetValue {
  readonly value: string | null
  readonly count: number
  /** As people write it, where that differs from the value. */
  readonly label?: string
}

interface FacetProps {
  readonly title: string
  readonly values: readonly FacetValue[]
  readonly chosen: readonly (string | null)[]
  readonly onChoose: (value: string | null) => void
  readonly name: string
}

const SHOWN_VALUES = 6

export function facetLabel(name: string, value: string | null) {
  if (value === null) return 'not named'
  if (name === 'owner') return ownerName(value)
  if (name === 'source') return sourceName(value)
  if (name !== 'status') return value
  return (
    <>
      <span class={`mark ${lifeOfStatus(value)}`} />
      {STATUS_WORDS[value] ?? value}
    </>
  )
}

/** Counts of one facet: a list that is also a chart. */
export function Facet({ title, values, chosen, onChoose, name }: FacetProps) {
  const [all, setAll] = useState(false)
  const most = Math.max(1, ...values.map(({ count }) => count))
  const missing = chosen.filter((value) => !values.some((one) => one.value === value)).map((value) => ({ value, count: 0 }))
  const listed: readonly FacetValue[] = [...values, ...missing]
  const shown = all ? listed : listed.filter((one, at) => at < SHOWN_VALUES || chosen.includes(one.value))
  if (listed.length === 0) return null
  return (
    <section class="facet">
      <h3>
        <button type="button" class="facet-pill narrow-only" aria-expanded={all} onClick={() => setAll(!all)}>
          {title}
          {chosen.length > 0 && <span class="n">{chosen.length}</span>}
        </button>
        <span class="wide-only">{title}</span>
      </h3>
      <ul class={all ? 'open' : ''}>
        {shown.map(({ value, count, label }) => (
          <li key={value ?? ''}>
            <button type="button" style={{ '--v': count / most }} aria-pressed={chosen.includes(value)} onClick={() => onChoose(value)}>
              <span class="label" dir="auto" title={label ?? value ?? undefined}>
                {label ?? facetLabel(name, value)}
              </span>
              <span class="n">{number(count)}</span>
            </button>
          </li>
        ))}
        {listed.length > shown.length && (
          <li>
            <button type="button" class="rest" onClick={() => setAll(true)}>
              {listed.length - shown.length} more
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

interface Facets {
  readonly owner: readonly FacetValue[]
  readonly status: readonly FacetValue[]
  readonly kind: readonly FacetValue[]
  readonly source: readonly FacetValue[]
  readonly author: readonly FacetValue[]
}

/** In display order. Owners are divided into projects and people. */
export function facetLists(
  { owner, status, kind, source, author }: Facets,
  subjects: readonly FacetValue[] = [],
): readonly { readonly title: string; readonly name: string; readonly values: readonly FacetValue[] }[] {
  return [
    { title: 'Project', name: 'owner', values: owner.filter((one) => one.value !== null && isProject(one.value)) },
    { title: 'Status', name: 'status', values: status },
    { title: 'Kind', name: 'kind', values: kind },
    { title: 'Client', name: 'source', values: source },
    { title: 'Author', name: 'author', values: author },
    { title: 'Entity', name: 'subject', values: subjects },
    { title: 'Owner', name: 'owner', values: owner.filter((one) => one.value === null || !isProject(one.value)) },
  ]
}
