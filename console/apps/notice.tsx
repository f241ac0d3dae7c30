import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export interface Notice {
  readonly text: string
  readonly bad?: boolean
  readonly undo?: () => Promise<void>
}

/** What the last action did, with a way back. */
export function NoticeLine({ notice }: { readonly notice: Notice | undefined }) {
  return (
    <div role="status" class="app-notice">
      {notice !== undefined && (
        <p class={notice.bad === true ? 'bad' : ''}>
          {notice.text}{' '}
          {notice.undo !== undefined && (
            <button type="button" class="btn quiet" onClick={() => void notice.undo?.()}>
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  )
}

/** Runs actions one after the other and says what became of each. */
export function useActions(): {
  readonly notice: Notice | undefined
  readonly busy: boolean
  run(action: () => Promise<Notice | undefined>): Promise<void>
} {
  const [notice, setNotice] = useState<Notice>()
  const [busy, setBusy] = useState(false)
  return {
    notice,
    busy,
    async run(action) {
      setBusy(true)
      await action().then(setNotice, (failure: Error) => setNotice({ text: failure.message, bad: true }))
      setBusy(false)
    },
  }
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      {children}
    </div>
  )
}
