import { describe, expect, it } from 'vitest'
import { brokenModule, isBrokenModule } from './broken-module.js'

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

describe('a package that cannot be loaded', () => {
  it.each([
    [
      failure('ERR_MODULE_NOT_FOUND', "Cannot find package 'better-sqlite3' imported from /m/dist/bundle/chunk.js"),
      'The package better-sqlite3 is not installed, or not whole',
      'npm ci',
    ],
    [
      failure('ERR_MODULE_NOT_FOUND', "Cannot find package '@huggingface/tokenizers' imported from /m/dist/models/onnx-worker.js"),
      'The package @huggingface/tokenizers is not installed, or not whole',
      'npm ci',
    ],
    [
      failure(
        'ERR_DLOPEN_FAILED',
        "The module '/m/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127.",
      ),
      'The package better-sqlite3 was compiled for another version of Node',
      'npm rebuild better-sqlite3',
    ],
    [
      new Error('Could not locate the bindings file. Tried:\n → /m/node_modules/better-sqlite3/build/better_sqlite3.node'),
      'The package better-sqlite3 has not been compiled',
      'npm rebuild better-sqlite3',
    ],
    [
      failure('MODULE_NOT_FOUND', "Cannot find module '../bin/napi-v6/linux/x64/onnxruntime_binding.node'"),
      'The package onnxruntime-node is not installed, or not whole',
      'npm ci',
    ],
  ])('%s', (cause, message, command) => {
    const error = brokenModule(cause, '/m')
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(message) })
    expect(error?.hint).toContain(`Run \`${command}\` in /m`)
    expect(error?.hint?.includes('do without this package')).toBe(message.includes('better-sqlite3'))
    expect(error?.message).not.toContain('\n')
  })

  it('is distinguished from every other failure', () => {
    for (const other of [new Error('better-sqlite3'), failure('ENOENT', 'no such file'), 'better_sqlite3', null])
      expect(isBrokenModule(other)).toBe(false)
  })
})
