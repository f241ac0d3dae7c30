/** The host of an MCP App, reached over `postMessage` (extension `io.modelcontextprotocol/ui`, revision 2026-01-26). */
export interface Host {
  /** Calls a tool of the server that the page belongs to. */
  call<T>(tool: string, args: object): Promise<T>
}

interface Listeners {
  /** Arguments of the call that the page was opened for. */
  readonly onInput?: (args: Readonly<Record<string, unknown>>) => void
  /** What it answered. */
  readonly onResult: (answer: unknown) => void
  /** It did not answer. */
  readonly onFailure: (message: string) => void
}

const PROTOCOL = '2026-01-26'

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: string | number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message?: string }
}

interface PendingCall {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void
  readonly reject: (error: Error) => void
}

/** Announces the page to its host and reports its height. */
export function connectHost({ onInput, onResult, onFailure }: Listeners): Host {
  const pending = new Map<string | number, PendingCall>()
  let lastId = 0
  const post = (message: object): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const notify = (method: string, params: object = {}): void => post({ method, params })
  const request = (method: string, params: object): Promise<Readonly<Record<string, unknown>>> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      pending.set(id, { resolve, reject })
      post({ id, method, params })
    })

  const hear = (method: string, params: Readonly<Record<string, unknown>>): void => {
    if (method === 'ui/notifications/tool-input') onInput?.(recordOf(params.arguments))
    if (method === 'ui/notifications/tool-result') take(params)
    if (method === 'ui/notifications/tool-cancelled') onFailure('The call was cancelled.')
    if (method === 'ui/notifications/host-context-changed') applyContext(params)
  }
  const take = (result: Readonly<Record<string, unknown>>): void => {
    if (result.isError === true) onFailure(textOf(result))
    else onResult(answerOf(result))
  }

  window.addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    if (source !== window.parent || typeof data !== 'object' || data === null || data.jsonrpc !== '2.0') return
    const { id, method, params = {}, result, error } = data
    if (method !== undefined && id === undefined) hear(method, params)
    else if (method !== undefined)
      post(REQUESTS.has(method) ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } })
    else if (id !== undefined) {
      const waiting = pending.get(id)
      pending.delete(id)
      if (error !== undefined) waiting?.reject(new Error(error.message ?? 'The host refused.'))
      else waiting?.resolve(result ?? {})
    }
  })

  request('ui/initialize', { protocolVersion: PROTOCOL, appInfo: { name: 'mneme', version: '1' }, appCapabilities: {} }).then(
    ({ hostContext }) => {
      applyContext(recordOf(hostContext))
      notify('ui/notifications/initialized')
      new ResizeObserver(() =>
        notify('ui/notifications/size-changed', { height: Math.ceil(document.documentElement.scrollHeight) }),
      ).observe(document.body)
    },
    (failure: Error) => onFailure(failure.message),
  )

  return {
    async call<T>(name: string, args: object): Promise<T> {
      const result = await request('tools/call', { name, arguments: args })
      if (result.isError === true) throw new Error(textOf(result))
      return answerOf(result) as T
    },
  }
}

const REQUESTS = new Set(['ping', 'ui/resource-teardown'])

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

function applyContext({ theme }: Readonly<Record<string, unknown>>): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}

const textOf = ({ content }: Readonly<Record<string, unknown>>): string =>
  (Array.isArray(content) ? content : []).flatMap((part) => (typeof part?.text === 'string' ? [part.text] : [])).join('\n')

/** Hosts may leave out the structured form; the text is the same as JSON. */
function answerOf(result: Readonly<Record<string, unknown>>): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent
  try {
    return JSON.parse(textOf(result))
  } catch {
    return {}
  }
}
