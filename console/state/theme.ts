import { signal } from '@preact/signals'

const THEME_KEY = 'mneme-theme'
const kept = (): string | null => {
  try {
    return localStorage.getItem(THEME_KEY)
  } catch {
    return null
  }
}

/** `light` or `dark` where someone has chosen; the system's otherwise. Grows with each change, so that charts are drawn again. */
export const themeChanges = signal(0)

const system = matchMedia('(prefers-color-scheme: dark)')
system.addEventListener('change', () => {
  themeChanges.value += 1
})

export function startTheme(): void {
  const chosen = new URLSearchParams(location.search).get('theme') ?? kept()
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}

export function switchTheme(): void {
  const { dataset } = document.documentElement
  const dark = dataset.theme === undefined ? system.matches : dataset.theme === 'dark'
  dataset.theme = dark ? 'light' : 'dark'
  try {
    localStorage.setItem(THEME_KEY, dataset.theme)
  } catch {
    // A browser that keeps nothing shows the choice until the page is closed.
  }
  themeChanges.value += 1
}
