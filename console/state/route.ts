import { computed, signal } from '@preact/signals'

/** The view is the last part of the path, everything else is in the query: the address is the whole state of a page. */
export interface Route {
  readonly view: string
  readonly params: URLSearchParams
}

const FIRST_VIEW = 'overview'

function read(): Route {
  const view = location.pathname.split('/').pop() ?? ''
  return { view: view === '' ? FIRST_VIEW : view, params: new URLSearchParams(location.search) }
}

export const route = signal(read())
addEventListener('popstate', () => {
  route.value = read()
})

/** The instant that pages show, as ISO text; null is now. */
export const asOf = computed(() => route.value.params.get('at'))

type Params = Readonly<Record<string, string | readonly string[] | null | undefined>>

/** The address of a view. The instant that is looked at goes along. */
export function href(view: string, params: Params = {}): string {
  const query = new URLSearchParams()
  const at = params.at === undefined ? asOf.value : params.at
  for (const [name, value] of Object.entries({ ...params, at })) {
    for (const one of Array.isArray(value) ? value : [value]) if (typeof one === 'string' && one !== '') query.append(name, one)
  }
  const text = query.toString()
  return text === '' ? view : `${view}?${text}`
}

/** Choosing makes an entry of the history, typing replaces it. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  const before = route.value.view
  route.value = read()
  if (!replace && before !== route.value.view) {
    document.querySelector('.panel')?.scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
}

/** The same view with some parameters changed. */
export function change(params: Params, options: { readonly replace?: boolean } = {}): void {
  const { view, params: known } = route.value
  const all: Record<string, readonly string[]> = {}
  for (const name of known.keys()) all[name] = known.getAll(name)
  go(href(view, { ...all, ...params }), options)
}

/** Links to views are followed in place; others, and those with a key held, are the browser's. */
addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  const address = link?.getAttribute('href')
  if (link === null || address === null || address === undefined || link.hasAttribute('download')) return
  if (address.startsWith('#') || address.includes(':') || address.startsWith('/')) return
  event.preventDefault()
  go(address)
})
