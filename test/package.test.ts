import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

// Packages from which dist/main.js is built, and what is published with it.
const entry = z.looseObject({ integrity: z.string().optional(), link: z.boolean().optional() })
const lockfile = z.object({ packages: z.record(z.string(), entry) })
const tarball = z.object({ files: z.array(z.object({ path: z.string() })) })
// Since npm 12, keyed by package name.
const packed = z.union([z.array(tarball), z.record(z.string(), tarball).transform((byName) => Object.values(byName))])

/** Fields required by the schema of the MCP registry (2025-12-11). */
const described = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string(),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          default: z.string().optional(),
          format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
          isRequired: z.boolean(),
        }),
      ),
    }),
  ),
})

describe('what is published', () => {
  const own = z
    .looseObject({ name: z.string(), version: z.string(), mcpName: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))

  it('is described for the registry of MCP servers as it is', () => {
    const { name, version, packages } = described.parse(JSON.parse(readFileSync('server.json', 'utf8')))
    expect([name, version]).toEqual([own.mcpName, own.version])
    expect(packages.map((entry) => [entry.identifier, entry.version])).toEqual([[own.name, own.version]])
    const reference = readFileSync('docs/reference.md', 'utf8')
    for (const { name: variable } of packages.flatMap(({ environmentVariables }) => environmentVariables))
      expect(reference).toContain(`\`${variable}\``)
  })

  it('runs in an image without privileges, with a volume and a health check', () => {
    const recipe = readFileSync('Dockerfile', 'utf8')
    for (const line of [/^USER node$/m, /^VOLUME \/data$/m, /^HEALTHCHECK .*\n.*\/healthz/m]) expect(recipe).toMatch(line)
  })
})

describe('the supply chain', () => {
  it('every entry of the lockfile has its hash', () => {
    const { packages } = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
    const bare = Object.entries(packages).filter(
      ([path, entry]) => path !== '' && entry.link !== true && !entry.integrity?.startsWith('sha512-'),
    )
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
    for (const file of ['tree-sitter-c.wasm', 'web-tree-sitter.mjs', 'web-tree-sitter.wasm'])
      expect(paths).toContain(`dist/parsers/${file}`)
    // Every model has a note on its origin.
    const models = paths.filter((path) => /\.(?:onnx|semb|f32)$/.test(path)).map((path) => path.split('/').at(-2) ?? '')
    expect(models).toContain('gte-small')
    for (const model of models) expect(paths).toContain(`assets/${model}/NOTICE.md`)
    expect(paths.filter((path) => path.includes('.test.'))).toEqual([])
  })

  it('the notices hold a licence for each package in the bundle', () => {
    const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8')
    const copied = ['assemblyscript', 'tree-sitter-c', 'web-tree-sitter']
    for (const name of ['hono', '@hono/node-server', '@modelcontextprotocol/server', 'zod', 'commander', ...copied])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
    expect(notices).toContain('Permission is hereby granted')
    expect(notices).toContain('Apache License')
  })
})
