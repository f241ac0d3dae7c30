import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
}

const FOLDERS = ['docs', 'packages', 'examples'] as const

/** Every page that a reader is led to: those of the repository, the documents, and the adapters. */
export function pagePaths(): readonly string[] {
  const here = ['README.md', 'DESIGN.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
  return [...here, ...FOLDERS.flatMap(markdownIn)]
}

function markdownIn(folder: string): readonly string[] {
  return walk(folder).filter((path) => path.endsWith('.md'))
}

function walk(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : walk(path)
    return [path]
  })
}

export const read = (path: string): string => readFileSync(path, 'utf8')

export const blocksOf = (page: string): readonly Block[] =>
  [...read(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ page, language, text }))

/** Headings as links name them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '')
  return new Set(
    [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}
