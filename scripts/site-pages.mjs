// The documents as pages of the site: links between them stay, links to other files of the repository become words.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { SECTIONS } from '../site/pages.mjs'

const LINK = /(!?)\[([^\]\n]*)\]\(([^)\s]+)\)/g

/** Every page by its path in the repository. */
export function pagePaths(root) {
  const named = SECTIONS.flatMap(([, paths]) => paths)
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true })
    .map((path) => `docs/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
  return [...new Set(['README.md', ...named, ...inDocs])].filter((path) => existsSync(join(root, path)))
}

export function gatherPages(root, target) {
  rmSync(target, { recursive: true, force: true })
  const paths = pagePaths(root)
  for (const path of paths) {
    const file = join(target, path.replace(/README\.md$/, 'index.md'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, withLinks(readFileSync(join(root, path), 'utf8'), path, new Set(paths)))
  }
  for (const images of ['charts', 'console']) cpSync(join(root, 'docs', images), join(target, 'docs', images), { recursive: true })
}

/** Code is left as it is. */
function withLinks(text, from, known) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(LINK, (whole, image, words, href) => toLink(whole, image, words, href, from, known)),
    )
    .join('')
}

function toLink(whole, image, words, href, from, known) {
  if (image === '!' || /^[a-z]+:|^#/i.test(href)) return whole
  const [path, anchor] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(from), path))
  if (target === 'docs/openapi.json') return words
  if (target !== 'bench/REPORT.md' && !known.has(target)) return words
  return `[${words}](${path.replace(/README\.md$/, 'index.md')}${anchor === undefined ? '' : `#${anchor}`})`
}
