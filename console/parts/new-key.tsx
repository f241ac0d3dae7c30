import { say } from '../state/actions.js'
import { newKey } from '../state/session.js'

/** The key that was just created, until it is dismissed. */
export function NewKeyNotice() {
  const key = newKey.value
  if (key === undefined) return null
  const copy = (): void =>
    void navigator.clipboard.writeText(key).then(
      () => say('Key copied.'),
      () => say('The browser does not allow copying here: select the key.', { bad: true }),
    )
  return (
    <div class="banner info" role="status">
      <p>
        <b>Copy this key now; it is not shown again.</b> <code class="wrapped">{key}</code>
      </p>
      <button type="button" class="btn" onClick={copy}>
        Copy
      </button>
      <button type="button" class="btn" onClick={() => (newKey.value = undefined)}>
        Done
      </button>
    </div>
  )
}
