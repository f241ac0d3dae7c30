import { signal } from '@preact/signals'
import type { DoneAnswer } from '../../src/contracts/console/shapes.js'
import { revision } from './answers.js'
import { type ApiError, call } from './api.js'
import { asOf } from './route.js'

interface Call {
  /** Named `contract/tool`. */
  readonly tool: string
  readonly input: object
}

interface Toast {
  readonly id: number
  readonly text: string
  readonly bad: boolean
  /** What undoes it. */
  readonly undo: DoneAnswer['undo']
  /** Another operation that undoes it, where commits alone do not. */
  readonly reverse: Call | undefined
  /** The element that undoing gives the focus back to. */
  readonly restore: (() => void) | undefined
}

export const toasts = signal<readonly Toast[]>([])
/** What rows show until the server has answered, by the id of the fact. */
export const patches = signal<ReadonlyMap<string, { readonly life?: string; readonly gone?: true; readonly text?: string }>>(new Map())

export const canUndo = ({ undo: commits, reverse }: Toast): boolean => commits.length > 0 || reverse !== undefined

const SHOWN_MS = 8000
let lastId = 0
/** The newest action that can be undone; `u` works after its toast has gone, too. */
let undoable: Toast | undefined

export function say(
  text: string,
  more: { readonly bad?: boolean; readonly undo?: DoneAnswer['undo']; readonly reverse?: Call; readonly restore?: () => void } = {},
): void {
  const toast: Toast = { id: ++lastId, text, bad: more.bad ?? false, undo: more.undo ?? [], reverse: more.reverse, restore: more.restore }
  if (canUndo(toast)) undoable = toast
  toasts.value = [...toasts.value.slice(-2), toast]
  expire(toast)
}

/** It stays for as long as it has the focus or the pointer. */
function expire(toast: Toast): void {
  window.setTimeout(() => {
    const element = document.querySelector(`[data-toast="${toast.id}"]`)
    if (element?.matches(':hover, :focus-within') === true) expire(toast)
    else dismiss(toast.id)
  }, SHOWN_MS)
}

export const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

interface Action extends Call {
  /** What the toast says. */
  readonly done: string | ((answer: DoneAnswer) => string)
  readonly patch?: { readonly ids: readonly string[]; readonly life?: string; readonly gone?: true; readonly text?: string }
  readonly restore?: () => void
}

/** Carries out an action: rows change at once, and change back where the server refuses. Answers undefined then. */
export async function act({ tool, input, done, patch, restore }: Action): Promise<DoneAnswer | undefined> {
  if (asOf.value !== null) {
    say('You are looking at the past: nothing can be changed there.', { bad: true })
    return undefined
  }
  if (patch !== undefined) {
    const { ids, ...shown } = patch
    patches.value = new Map([...patches.value, ...ids.map((id) => [id, shown] as const)])
  }
  try {
    const answer = await call<DoneAnswer>(tool, input)
    say(typeof done === 'string' ? done : done(answer), { undo: answer.undo, ...(restore === undefined ? {} : { restore }) })
    return answer
  } catch (failure) {
    const { message, hint } = failure as ApiError
    say(hint === undefined ? message : `${message} ${hint}`, { bad: true })
    return undefined
  } finally {
    patches.value = new Map([...patches.value].filter(([id]) => patch?.ids.includes(id) !== true))
    revision.value += 1
  }
}

/** Takes back the newest action, or that of a toast. */
export async function undo(toast: Toast | undefined = undoable): Promise<void> {
  if (toast === undefined) {
    say('There is nothing to undo.')
    return
  }
  if (toast === undoable) undoable = undefined
  dismiss(toast.id)
  await act({ ...(toast.reverse ?? { tool: 'console/undo', input: { commits: toast.undo } }), done: 'Undone.' })
  toast.restore?.()
}
