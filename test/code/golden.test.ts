import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readTranscript, replay, type Transcript, writeTranscript } from '../wire/transcript.js'
import { openHttp, openStdio } from '../wire/wire.js'
import { removeTemporaryFolders, temporaryFolder } from './workbench.js'

// The five code tools as seen by a client. UPDATE_GOLDEN=1 writes the current responses; read the difference before committing.
const FILE = 'test/golden/memory-code/tools.jsonl'
const update = process.env.UPDATE_GOLDEN === '1'
if (update && process.env.CI) throw new Error('Golden files are pins: they are not rewritten in CI.')

afterAll(removeTemporaryFolders)

const transcriptSchema = z.custom<Transcript>((value) => typeof value === 'object' && value !== null && 'turns' in value)

/** Folders have other names on every machine. */
const renamed = (transcript: Transcript, from: string, to: string): Transcript =>
  transcriptSchema.parse(JSON.parse(JSON.stringify(transcript).replaceAll(from, to)))

function makeWorld(): string {
  const folder = temporaryFolder('world')
  const files = {
    'demo/src/session.ts':
      'export interface Session {\n  readonly user: string\n}\n\n/** Ends a session and forgets its token. */\nexport function endSession(session: Session): void {\n  revokeToken(session.user)\n}\n',
    'demo/src/token.ts':
      'const tokens = new Map<string, string>()\n\nexport function revokeToken(user: string): boolean {\n  return tokens.delete(user)\n}\n',
    'demo/tool.py': 'def rotate_keys(days):\n    """Make new signing keys every few days."""\n    return days\n',
    'demo/.memoryignore': 'secret/\n',
    'demo/secret/key.py': 'KEY = 1\n',
    'second/demo/main.go': 'package main\n\nfunc main() {}\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe('the code tools', () => {
  it.each([
    ['stdio', async (args: readonly string[]) => openStdio(args)],
    // A server reads only below its roots.
    ['http', async (args: readonly string[]) => openHttp([...args, '--ingest-roots', '/'])],
  ] as const)('are answered as printed over %s', async (transport, open) => {
    const folder = makeWorld()
    const pinned = readTranscript(FILE)
    const wire = await open(['--data-dir', temporaryFolder('data'), ...pinned.server])
    try {
      const turns = await replay(wire, renamed(pinned, '<folder>', folder))
      // The suffix of a second project of one name comes from its path.
      const answered = renamed({ ...pinned, turns }, folder, '<folder>')
      const named = JSON.stringify(answered).replaceAll(/demo-[0-9a-f]{4}/gu, 'demo-<hash>')
      // How many vectors are pending depends on the machine.
      const settled = transcriptSchema.parse(JSON.parse(named.replaceAll(/,\\*"vectors_pending\\*":\d+/gu, '')))
      if (update && transport === 'stdio') writeTranscript(FILE, settled)
      const expected = update ? readTranscript(FILE) : pinned
      for (const [index, { request, response }] of settled.turns.entries()) {
        expect(response, `line ${index + 2} of ${FILE}: ${JSON.stringify(request).slice(0, 300)}`).toEqual(expected.turns[index]?.response)
      }
    } finally {
      await wire.close()
    }
  })
})
