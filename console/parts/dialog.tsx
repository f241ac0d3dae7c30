import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A dialog that gives the focus back to what opened it. */
export function Dialog({
  title,
  class: name = '',
  onClose,
  children,
}: {
  readonly title: string
  readonly class?: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    const dialog = ref.current
    if (dialog !== null && !dialog.open) dialog.showModal()
    return () => {
      if (dialog?.open === true) dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      class={`dialog ${name}`}
      aria-label={title}
      ref={ref}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }
      }}
    >
      {children}
    </dialog>
  )
}

/** Only deletion asks first: nothing else is past undoing. */
export function ConfirmDelete({
  count,
  onDelete,
  onClose,
}: {
  readonly count: number
  readonly onDelete: (reason: string) => void
  readonly onClose: () => void
}) {
  const reason = useRef<HTMLInputElement>(null)
  const what = count === 1 ? 'this fact' : `${count} facts`
  const submit = (event: Event): void => {
    event.preventDefault()
    onDelete(reason.current?.value ?? '')
  }
  return (
    <Dialog title={`Delete ${what}`} onClose={onClose}>
      <form onSubmit={submit}>
        <header>
          <h2>Delete {what} for good?</h2>
        </header>
        <div class="stack">
          <p>{count === 1 ? 'Its text is overwritten and cannot be restored.' : 'Their text is overwritten and cannot be restored.'}</p>
          <div class="field">
            <label for="delete-reason">Reason</label>
            <input id="delete-reason" class="input" ref={reason} maxLength={2000} autocomplete="off" />
            <small>Kept in the journal, without what the fact said.</small>
          </div>
        </div>
        <footer>
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn danger solid">
            Delete {count}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
