import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fetchTool, registryAddress, run } from '../../scripts/fetched-tools.mjs'
import { removeTemporaryFolders, temporaryFolder } from '../wire/program.js'

const FILE = 'docs/openapi.json'
const schema = z.record(z.string(), z.unknown())
const content = z.object({ 'application/json': z.object({ schema }) })
const operation = z.object({
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
})
const description = z
  .object({
    servers: z.array(z.object({ url: z.string() })).min(1),
    paths: z.record(z.string(), z.record(z.string(), operation)),
  })
  .parse(JSON.parse(readFileSync(FILE, 'utf8')))

const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, given]) => ({ name: `${method} ${path}`, ...given })),
)
const TYPED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'properties', 'additionalProperties', 'items']

/** A program of a user of the generated types. */
const PROGRAM = `
import type { paths } from './api.js'
type Answer<Path extends keyof paths, Method extends 'get' | 'post'> = paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': infer Result } } }
} ? Result : never
declare const recalled: Answer<'/v1/memory/recall', 'post'>
export const content: string | undefined = recalled.results[0]?.content
declare const facts: Answer<'/v1/facts', 'get'>
export const total: number = facts.total
`

afterAll(removeTemporaryFolders)

describe('repair 9: the OpenAPI document', () => {
  it('types every result: no operation answers any object', () => {
    const untyped = operations.flatMap(({ name, responses }) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const given = answer.content?.['application/json'].schema
        if (!status.startsWith('2')) return []
        const isTyped = given === undefined ? status === '204' : TYPED.some((key) => key in given)
        return isTyped ? [] : [`${name} ${status}`]
      }),
    )
    expect(operations.length).toBeGreaterThan(50)
    expect(untyped).toEqual([])
  })

  it('requires a body where an argument is required', () => {
    const wrong = operations.filter(({ requestBody }) => {
      const { required = [] } = requestBody?.content['application/json'].schema ?? {}
      return requestBody !== undefined && requestBody.required !== (Array.isArray(required) && required.length > 0)
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('is valid, and its generated TypeScript compiles', async ({ skip }) => {
    skip((await registryAddress()) === undefined, 'the package registry cannot be reached')
    const folder = temporaryFolder()
    // The generator validates the document first.
    const generator = await fetchTool('openapi-typescript@7', 'openapi-typescript', 'bin/cli.js')
    await run(process.execPath, [generator, FILE, '--output', join(folder, 'api.d.ts')])
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    const compiler = 'node_modules/typescript/bin/tsc'
    const strict = ['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--module', 'nodenext', '--target', 'es2022']
    await run(process.execPath, [resolve(compiler), ...strict, 'program.ts'], { cwd: folder })
  })
})
