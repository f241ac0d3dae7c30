import { useState } from 'preact/hooks'
import { Logo } from '../parts/icon.js'
import { NewKeyNotice } from '../parts/new-key.js'
import type { ApiError } from '../state/api.js'
import { signIn } from '../state/api.js'
import { refreshSession, session, signInMessage } from '../state/session.js'

export function SignIn() {
  const [key, setKey] = useState('')
  const [error, setError] = useState<string>()
  const needsKey = session.value?.needs_key === true
  const message = signInMessage.value
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    await signIn({ key }).then(
      async () => {
        signInMessage.value = undefined
        await refreshSession()
      },
      (failure: ApiError) => setError(failure.message),
    )
  }
  return (
    <div class="gate">
      <main id="main">
        <p class="brand">
          <Logo />
          mneme
        </p>
        <h1>{needsKey ? 'Sign in with a key' : 'Open the console from a terminal'}</h1>
        {message !== undefined && (
          <div class="banner" role="alert">
            <p>
              <b>{message.text}</b> {message.hint}
            </p>
          </div>
        )}
        <NewKeyNotice />
        {needsKey ? (
          <form class="stack" onSubmit={(event) => void submit(event)}>
            <div class="field">
              <label for="key">Key</label>
              <input
                id="key"
                class="input"
                type="password"
                autocomplete="current-password"
                required
                value={key}
                aria-invalid={error !== undefined}
                aria-describedby={error === undefined ? undefined : 'key-error'}
                onInput={(event) => setKey(event.currentTarget.value)}
              />
              {error !== undefined && (
                <small id="key-error" role="alert">
                  {error}
                </small>
              )}
            </div>
            <button type="submit" class="btn solid">
              Sign in
            </button>
            <p class="dim">You see what this key may see. It is kept by the server for this session, not by the browser.</p>
          </form>
        ) : (
          <>
            <p>This server asks for no key, so a link from this machine lets you in:</p>
            <pre class="pre">mneme console</pre>
            <button type="button" class="btn" onClick={() => void refreshSession()}>
              Try again
            </button>
          </>
        )}
      </main>
    </div>
  )
}
