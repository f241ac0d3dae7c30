import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { type ApiError, call } from './api.js'

/** Grows with every action of this page: what is shown is read again. */
export const revision = signal(0)

export interface Answer<T> {
  /** Of the newest question that was answered: it stays while the next is on its way. */
  readonly value: T | undefined
  readonly error: ApiError | undefined
  readonly loading: boolean
  reload(): void
}

/** The answer of an operation for some input; undefined input asks nothing. */
export function useAnswer<T>(tool: string, input: object | undefined): Answer<T> {
  const key = input === undefined ? undefined : `${tool} ${JSON.stringify(input)}`
  const [state, setState] = useState<{ key?: string | undefined; value?: T | undefined; error?: ApiError | undefined }>({})
  const [again, setAgain] = useState(0)
  const changes = revision.value
  useEffect(() => {
    if (key === undefined || input === undefined) return undefined
    const stop = new AbortController()
    call<T>(tool, input, stop.signal).then(
      (value) => setState({ key, value }),
      (error: ApiError) => {
        if (!stop.signal.aborted) setState((known) => ({ key, value: known.key === key ? known.value : undefined, error }))
      },
    )
    return () => stop.abort()
  }, [key, again, changes])
  return {
    value: state.value,
    error: state.error,
    loading: key !== undefined && state.key !== key,
    reload: () => setAgain((count) => count + 1),
  }
}
