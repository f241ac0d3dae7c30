// Licences of the packages whose code is in dist, which must be distributed with it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i
/** Compiled into the vector kernel, or copied as a file, so esbuild does not list them. */
const COMPILED_IN = ['node_modules/assemblyscript', 'node_modules/tree-sitter-c', 'node_modules/web-tree-sitter']

/** Writes dist/THIRD-PARTY-NOTICES.txt from esbuild's metafile. */
export function writeNotices(metafile) {
  const folders = new Set(COMPILED_IN)
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
    }
  const notices = [...folders].sort().map(notice)
  const head = 'This program contains code of the packages below, each under its own licence.\n'
  writeFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), [head, ...notices].join(`\n${'-'.repeat(80)}\n\n`))
}

function notice(folder) {
  const path = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const files = readdirSync(path).filter((file) => LICENCE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim())
  if (texts.length === 0) texts.push(...licenceInReadme(path))
  if (texts.length === 0)
    throw new Error(`${name} ${version} (${license}) ships no licence: its text must be had before its code may be bundled.`)
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}

/** Some packages have the licence in their README. */
function licenceInReadme(path) {
  const [file] = readdirSync(path).filter((name) => /^readme/i.test(name))
  const chapter =
    file === undefined ? null : /^#+\s*licen[cs]e\b[^\n]*\n([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(readFileSync(join(path, file), 'utf8'))
  return chapter !== null && /copyright/i.test(chapter[1]) ? [chapter[1].trim()] : []
}
