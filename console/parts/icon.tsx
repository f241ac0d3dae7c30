/** Strokes on a grid of 16. */
const PATHS = {
  overview: 'M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5',
  browse: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  ask: 'M2.5 3.5h11v7h-6L4.5 13v-2.5h-2zM6.7 6a1.4 1.4 0 1 1 1.9 1.3c-.4.2-.6.4-.6.8M8 9h.01',
  told: 'M2.5 3.5h11v7h-6L4.5 13v-2.5h-2zM5.5 7l1.7 1.7L10.5 5.5',
  review: 'M2.5 9 4.5 3.5h7l2 5.5v3.5h-11zM2.5 9H6l.8 1.5h2.4L10 9h3.5',
  activity: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  entities:
    'M2.2 11.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M6.2 4a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M10.2 11.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M4.9 9.9 7.1 5.6M8.9 5.6l2.2 4.3M5.8 11.5h4.4',
  time: 'M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M8 5v3.2l2 1.3',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  jobs: 'M6 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0M8 2v2M8 12v2M2 8h2M12 8h2M3.8 3.8l1.4 1.4M10.8 10.8l1.4 1.4M12.2 3.8l-1.4 1.4M5.2 10.8l-1.4 1.4',
  import: 'M8 2.5v7M5 6.7l3 3 3-3M2.5 11v2.5h11V11',
  settings:
    'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M8.5 4.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0M4.1 11.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  search: 'M2.8 7a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0-8.4 0M10.2 10.2l3.3 3.3',
  edit: 'm3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2z',
  supersede: 'M3 5.5h9L9.5 3M13 10.5H4L6.5 13',
  end: 'M3 8h8M12.5 4.5v7',
  restore: 'M4 4.5v3.5h3.5M4.3 8a4.3 4.3 0 1 1 1.4 3.2',
  delete: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  copy: 'M5.5 5.5h7.5v7.5H5.5zM10.5 5.5V3H3v7.5h2.5',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3.5 8.5 3 3 6-7',
  minus: 'M4 8h8',
  warn: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2h.01',
  tag: 'M2.5 8.2V3h5.2l5.8 5.8-5.2 5.2zM5.2 5.7h.01',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7.5-4.5z',
  plus: 'M8 3v10M3 8h10',
  key: 'M2.5 10.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M6.8 8.8 13 2.6M10.5 5.1l2 2',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

export function Logo() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path d="M2 14V9a3.5 3.5 0 0 1 7 0v5M9 9a3.5 3.5 0 0 1 7 0v2" />
      <circle cx="16" cy="14.2" r="1" fill="currentColor" stroke="none" />
    </svg>
  )
}

export function HalfDisc() {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11" fill="currentColor" />
    </svg>
  )
}
