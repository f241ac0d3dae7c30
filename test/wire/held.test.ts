import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { PROGRAM, removeTemporaryFolders, startProgram, temporaryFolder } from './program.js'

afterAll(removeTemporaryFolders)

/** The program, with a signal that holds its event loop for ever. */
function holdable(folder: string): string {
  const file = join(folder, 'holdable.mjs')
  writeFileSync(
    file,
    `process.on('SIGUSR2', () => {
      process.stderr.write('held\\n')
      for (;;);
    })
    await import(${JSON.stringify(pathToFileURL(PROGRAM).href)})`,
  )
  return file
}

describe.skipIf(process.platform === 'win32')('repair 11: a signal ends the process whatever holds its event loop', () => {
  it.each([
    ['mneme mcp', ['mcp']],
    ['mneme serve', ['serve', '--port', '0']],
  ])('%s', async (_, command) => {
    const folder = temporaryFolder()
    const program = startProgram([...command, '--data-dir', folder, '--embedder', 'hash', '--log-level', 'debug'], {
      program: holdable(folder),
    })
    await program.sawError('The watchdog listens for signals')
    program.child.kill('SIGUSR2')
    await program.sawError('held')
    program.child.kill('SIGTERM')
    expect(await program.ended()).toMatchObject({ code: null, signal: 'SIGKILL' })
  })
})
