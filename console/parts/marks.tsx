import { ago, clientName, initials, LIFECYCLE_WORDS, utc } from '../state/words.js'

/** A status as a shape; its word is said to those who do not see it. */
export function Mark({ life }: { readonly life: string }) {
  return (
    <span class={`mark ${life}`}>
      <span class="sr">{LIFECYCLE_WORDS[life] ?? life}</span>
    </span>
  )
}

export function State({ life }: { readonly life: string }) {
  return (
    <span class={`state ${life}`}>
      <span class={`mark ${life}`} />
      {LIFECYCLE_WORDS[life] ?? life}
    </span>
  )
}

export function When({ at, class: name = 'row-when', text }: { readonly at: string; readonly class?: string; readonly text?: string }) {
  return (
    <time class={name} dateTime={at} title={utc(at)}>
      {text ?? ago(at)}
    </time>
  )
}

export function Who({ source }: { readonly source: string }) {
  return (
    <span class="who" aria-hidden="true">
      {initials(clientName(source))}
    </span>
  )
}

export const said = (author: string | null, source: string): string =>
  author === null ? clientName(source) : `${author} via ${clientName(source)}`

/** Relevance in distinguishable steps. */
export function Meter({ value, label }: { readonly value: number; readonly label: string }) {
  return (
    <span class={`meter${value < 0.35 ? ' low' : ''}`}>
      <i style={{ '--v': value }} aria-hidden="true" />
      {label}
    </span>
  )
}
