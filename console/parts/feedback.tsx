import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../state/answers.js'
import type { ApiError } from '../state/api.js'
import { Icon } from './icon.js'

/** True once something has taken a while: what is quick shows nothing. */
function useSlow(loading: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!loading) {
      setSlow(false)
      return undefined
    }
    const timer = setTimeout(() => setSlow(true), 150)
    return () => clearTimeout(timer)
  }, [loading])
  return slow && loading
}

/** Lines in the shape of what is on its way. */
function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="busy stack" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="skel" style={{ '--v': 0.9 - (at % 3) * 0.2 }} />
      ))}
    </div>
  )
}

export function Refusal({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  return (
    <div class="banner bad block" role="alert">
      <Icon name="warn" />
      <p>
        <b>{error.message}</b> {error.hint}
      </p>
      {onRetry !== undefined && (
        <button type="button" class="btn" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What an answer shows: its value for as long as there is one, otherwise what became of it. */
export function Loaded<T>({
  answer,
  lines = 6,
  children,
}: {
  readonly answer: Answer<T>
  readonly lines?: number
  readonly children: (value: T) => ComponentChildren
}) {
  const slow = useSlow(answer.loading && answer.value === undefined)
  return (
    <>
      {answer.error !== undefined && <Refusal error={answer.error} onRetry={answer.reload} />}
      {answer.value === undefined ? slow && <Skeleton lines={lines} /> : children(answer.value)}
    </>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
