import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { readTranscript, replay, writeTranscript } from './transcript.js'
import { openHttp, openStdio } from './wire.js'

// Conversations with dist/main.js. UPDATE_GOLDEN=1 writes the current responses; read the difference before committing.
const FOLDER = 'test/golden/memory'
const update = process.env.UPDATE_GOLDEN === '1'
if (update && process.env.CI) throw new Error('Golden files are pins: they are not rewritten in CI.')

afterAll(removeTemporaryFolders)

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

it('finds the transcripts', () => {
  expect(files).toEqual(expect.arrayContaining(['memory-21.jsonl', 'memory-live.jsonl', 'not-ready.jsonl', 'refusals.jsonl']))
})

describe.each(files)('%s', (file) => {
  it.each([
    ['stdio', async (args: readonly string[]) => openStdio(args)],
    ['http', openHttp],
  ] as const)('is answered as printed over %s', async (transport, open) => {
    const path = join(FOLDER, file)
    const transcript = readTranscript(path)
    const wire = await open(['--data-dir', temporaryFolder(), ...transcript.server])
    try {
      const turns = await replay(wire, transcript)
      if (update && transport === 'stdio') writeTranscript(path, { ...transcript, turns })
      const expected = update ? readTranscript(path) : transcript
      for (const [index, { request, response }] of turns.entries()) {
        expect(response, `line ${index + 2} of ${path}: ${JSON.stringify(request).slice(0, 300)}`).toEqual(expected.turns[index]?.response)
      }
    } finally {
      await wire.close()
    }
  })
})
