import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

interface Script {
  buildModel(options: { readonly output: string; readonly cache: string; readonly log: (line: string) => void }): Promise<string>
}

const { buildModel }: Script = await import(new URL('../../scripts/build-model.mjs', import.meta.url).href)

it('converts once, then uses the cache, then what is there, and repairs what is damaged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const lines: string[] = []
  const options = { output: join(folder, 'out'), cache: join(folder, 'cache'), log: (line: string): void => void lines.push(line) }
  expect(await buildModel(options)).toBe('converted')
  expect(lines.join('\n')).toContain('converting gte-small')
  expect(await buildModel(options)).toBe('present')
  rmSync(options.output, { recursive: true })
  expect(await buildModel(options)).toBe('cached')
  writeFileSync(join(options.output, 'model.onnx'), 'half a model')
  writeFileSync(join(options.cache, 'model.onnx'), 'half a model')
  expect(await buildModel(options)).toBe('converted')
  expect(readdirSync(options.output).sort()).toEqual(['model.onnx', 'tokenizer.json', 'tokenizer_config.json'])
  expect(existsSync(options.cache)).toBe(true)
})
