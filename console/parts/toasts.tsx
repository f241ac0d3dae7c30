import { canUndo, dismiss, toasts, undo } from '../state/actions.js'
import { Icon } from './icon.js'

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class="toast" data-toast={toast.id}>
          <span>{toast.text}</span>
          {canUndo(toast) ? (
            <button type="button" class="btn" onClick={() => void undo(toast)}>
              Undo <kbd>u</kbd>
            </button>
          ) : (
            <button type="button" class="btn" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
