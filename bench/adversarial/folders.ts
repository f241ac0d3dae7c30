import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MILLION = 1_000_000
const fill = (unit: string, length: number): string => unit.repeat(Math.floor(length / unit.length))

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const plain = { 'a.ts': 'export const a = 1\n', 'my-file-a.ts': 'export function step() {\n  return 1\n}\n' }
const many = (count: number, path: (i: number) => string, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [path(i), text]))

/** Folders that are expensive to index, by name; each is filled when it is measured. */
export const FOLDERS: Readonly<Record<string, (folder: string) => void>> = {
  'a header of a million blank lines': (folder) =>
    write(folder, { 'a.h': fill('\n', MILLION), 'b.h': fill(' ', MILLION), 'c.h': fill(' \n', MILLION) }),
  'Markdown of padded headings': (folder) =>
    write(folder, {
      'a.md': fill(`# a${' '.repeat(9_000)}b\n`, MILLION),
      'b.md': fill(`# ${'# '.repeat(4_000)}\n`, MILLION),
      'c.md': fill(`# ${'['.repeat(9_000)}\n`, MILLION),
      'd.md': fill('# a\n', MILLION),
      'e.md': fill('a\n===\n', MILLION),
      'f.md': fill('```\n', MILLION),
    }),
  'rules of stars': (folder) => {
    write(folder, { ...many(300, (i) => `${'a'.repeat(200)}${i}.ts`, 'x'), ...plain })
    write(folder, { '.gitignore': `${fill('*a', 200)}b\n${fill('**/', 300)}x\n${fill('[a-z]*', 240)}!\n`.repeat(10) })
  },
  'rules without end': (folder) =>
    write(folder, { ...plain, '.gitignore': fill('*a*b\n', 900_000), 'sub/.gitignore': fill('x\n', 2 * MILLION), 'sub/a.ts': 'x' }),
  '100,000 plain rules': (folder) =>
    write(folder, { ...many(500, (i) => `f${i}.ts`, 'x'), '.gitignore': Array.from({ length: 90_000 }, (_, i) => `name${i}`).join('\n') }),
  'rule files in each of 90 folders': (folder) => {
    for (let depth = 0; depth < 90; depth++)
      write(folder, { [`${'d/'.repeat(depth)}.gitignore`]: fill('*a*b*c\n', 1_000), [`${'d/'.repeat(depth)}a.ts`]: 'x' })
  },
  'pipes and devices': (folder) => {
    write(folder, plain)
    for (const name of ['.gitignore', '.memoryignore', '.git', 'b.ts']) execFileSync('mkfifo', [join(folder, name)])
    symlinkSync('/dev/zero', join(folder, 'c.ts'))
    write(folder, { 'sub/a.ts': 'x' })
    symlinkSync('/dev/zero', join(folder, 'sub', '.gitignore'))
  },
  '400 folders in each other': (folder) => write(folder, { ...plain, [`${'d/'.repeat(400)}a.ts`]: 'x' }),
  '10,000 empty folders': (folder) => {
    write(folder, plain)
    for (let i = 0; i < 10_000; i++) mkdirSync(join(folder, 'many', `d${i}`), { recursive: true })
  },
  '5,000 files in one folder': (folder) =>
    write(
      folder,
      many(5_000, (i) => `f${i}.txt`, 'some words'),
    ),
  'one line of a megabyte': (folder) =>
    write(folder, { 'a.ts': fill('a', MILLION), 'b.ts': `x = "${fill('\\', MILLION - 10)}"`, 'c.css': fill('a{', 900_000) }),
  'brackets without end': (folder) =>
    write(folder, {
      'a.ts': fill('(\n', 900_000),
      'b.py': fill('[', 9_000),
      'c.rs': fill('{\n', 900_000),
      'd.c': fill('*(\n', 900_000),
      'e.js': fill('`${\n', 900_000),
      'f.go': `package a\n${fill('func(', 9_000)}`,
    }),
  'imports with space': (folder) =>
    write(folder, {
      'a.py': `from x import (a${fill('\n', 900_000)}b)\n`,
      'b.rs': `use a::b${fill(' ', 4_900)}as c;\n`.repeat(100),
      'c.php': `<?php\nuse a\\{${fill('{', 4_900)};\n`.repeat(100),
      'd.ts': `import { a${fill('\n', 900_000)}as b } from 'x'\n`,
      'e.go': `package a\n\nfunc (${fill('[', 9_000)}) b() {}\n`,
    }),
  'comments without end': (folder) =>
    write(folder, {
      'a.ts': `${fill('// x\n', 900_000)}function a() {}\n`,
      'b.ts': `/**${fill(' ', 3_900)}x */\nfunction a() {}\n`.repeat(200),
      'c.ts': `/** ${fill('<param ', 3_900)} */\nfunction a() {}\n`.repeat(200),
      'd.ts': `function a()${fill('=', 990)}\n`.repeat(900),
    }),
  '20,000 definitions': (folder) =>
    write(folder, {
      'a.ts': fill('class A { b() {} }\n', 900_000),
      'b.py': fill('def a():\n  pass\n', 900_000),
      'c.css': fill('.a { b: c }\n', 900_000),
      'd.rs': fill('fn a() {}\n', 900_000),
    }),
  'names of regular expressions': (folder) =>
    write(folder, { '(a+)+$.ts': 'x', 'a{2,}.ts': 'x', '[a-z]*.ts': 'x', '**.ts': 'x', '-.ts': 'x' }),
}
