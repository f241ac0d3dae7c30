import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

// What dist/main.js was built from, and what goes out with it.
const entry = z.looseObject({ integrity: z.string().optional(), link: z.boolean().optional() })
const lockfile = z.object({ packages: z.record(z.string(), entry) })
const packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }))

describe('repair 18: the supply chain', () => {
  it('every entry of the lockfile has its hash', () => {
    const { packages } = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
    const bare = Object.entries(packages).filter(([path, one]) => path !== '' && one.link !== true && !one.integrity?.startsWith('sha512-'))
    expect(bare.map(([path]) => path)).toEqual([])
    expect(Object.keys(packages).length).toBeGreaterThan(100)
  })

  it('nothing is installed but what the lockfile names', () => {
    for (const script of ['install', 'start', 'build', 'test', 'bench'])
      expect(readFileSync(`scripts/${script}.mjs`, 'utf8')).not.toMatch(/\[\s*'(?:install|i|update|add)'/)
    expect(readFileSync('scripts/install.mjs', 'utf8')).toContain("npm(['ci'")
  })

  it('the licences of all that is inside go out with it', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { maxBuffer: 2 ** 26 })
    const paths = packed.parse(JSON.parse(stdout)).flatMap(({ files }) => files.map(({ path }) => path))
    for (const path of ['LICENSE', 'dist/THIRD-PARTY-NOTICES.txt', 'assets/gte-small/NOTICE.md', 'assets/static/NOTICE.md'])
      expect(paths).toContain(path)
    // No model without a word on where it comes from.
    const models = paths.filter((path) => /\.(?:onnx|semb|f32)$/.test(path)).map((path) => path.split('/').at(-2) ?? '')
    expect(models).toContain('gte-small')
    for (const model of models) expect(paths).toContain(`assets/${model}/NOTICE.md`)
    expect(paths.filter((path) => path.includes('.test.'))).toEqual([])
  })

  it('the notices hold a licence for each package in the bundle', () => {
    const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8')
    for (const name of ['hono', '@hono/node-server', '@modelcontextprotocol/server', 'zod', 'commander', 'assemblyscript'])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
    expect(notices).toContain('Permission is hereby granted')
    expect(notices).toContain('Apache License')
  })
})
