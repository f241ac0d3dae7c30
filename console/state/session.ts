import { signal } from '@preact/signals'
import { type ApiError, onSignedOut, readSession, type Session, signIn } from './api.js'

/** Undefined until it is known whether someone is signed in. */
export const session = signal<Session | undefined>(undefined)
/** What to say above the sign-in, such as that a key is no longer valid. */
export const signInMessage = signal<{ readonly text: string; readonly hint?: string } | undefined>(undefined)

/** A key that was just created: it is shown once, until the reader has copied it. */
export const newKey = signal<string | undefined>(undefined)

onSignedOut((error: ApiError) => {
  if (session.value?.signed_in !== true) return
  signInMessage.value = { text: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
  session.value = { ...session.value, signed_in: false }
  // Whether a key is needed may have changed with the session.
  void refreshSession()
})

/** Exchanges the code of a link, once, and finds out who is signed in. */
export async function begin(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code === undefined && session.value !== undefined) return
  if (code !== undefined) {
    signInMessage.value = undefined
    history.replaceState(null, '', location.pathname + location.search)
    await signIn({ code }).catch((failure: ApiError) => {
      signInMessage.value = { text: failure.message, ...(failure.hint === undefined ? {} : { hint: failure.hint }) }
    })
  }
  await refreshSession()
}

/** After the stream was refused: says that the session is over where it is, and leaves the page as it is where the server is away. */
export async function checkSession(): Promise<void> {
  const known = await readSession().catch(() => undefined)
  if (known === undefined || known.signed_in || session.value?.signed_in !== true) return
  signInMessage.value = { text: 'This session is over: the server was restarted, or the key is no longer valid.' }
  session.value = known
}

export async function refreshSession(): Promise<void> {
  session.value = await readSession().catch((failure: ApiError) => {
    signInMessage.value = { text: failure.message, ...(failure.hint === undefined ? {} : { hint: failure.hint }) }
    return { signed_in: false, needs_key: false, version: '' }
  })
}

export const mayWrite = (): boolean => session.value?.rights?.some((right) => right === 'write' || right === 'admin') === true
export const mayAdminister = (): boolean => session.value?.rights?.includes('admin') === true
