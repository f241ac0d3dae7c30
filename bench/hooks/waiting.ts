import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callWhenReady, connect } from '../latency/client.js'
import { queryAt } from '../latency/corpus.js'
import { loadStore } from '../latency/load.js'
import { type Summary, summarise, timed } from '../latency/samples.js'
import { commandFor } from '../latency/subject.js'

export interface Waiting {
  readonly facts: number
  /** Delay of a prompt in ms, with a running server and with a process per hook. */
  readonly promptByServer: Summary
  readonly promptByProcess: Summary
  /** From the start of the process to the brief at the start of a conversation. */
  readonly startByProcess: Summary
}

const FOLDER = '/nonexistent/project'

/** The same hooks both ways, over a store with this number of facts. */
export async function measureWaiting(
  main: string,
  facts: number,
  calls: { readonly server: number; readonly process: number },
): Promise<Waiting> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-bench-waiting-'))
  const command = commandFor(main, { dataDir, embedder: 'local' })
  await loadStore(main, dataDir, { count: facts, env: command.env, vectors: true })
  const promptOf = (i: number) => ({ session_id: `c${i}`, cwd: FOLDER, prompt: queryAt(i) })
  const connection = await connect(command)
  await callWhenReady(connection, 'search', { query: 'warm' })
  const promptByServer = await timed(calls.server, (i) =>
    connection.call('hook', { client: 'claude-code', event: 'UserPromptSubmit', payload: promptOf(i) }),
  )
  await connection.close()
  const byProcess = (event: string, count: number) =>
    timed(count, (i) =>
      hook([main, 'hook', 'claude-code', event, '--data-dir', dataDir], { ...promptOf(1000 + i), session_id: `${event}${i}` }),
    )
  const promptByProcess = await byProcess('UserPromptSubmit', calls.process)
  const startByProcess = await byProcess('SessionStart', calls.process)
  rmSync(dataDir, { recursive: true, force: true })
  return {
    facts,
    promptByServer: summarise(promptByServer),
    promptByProcess: summarise(promptByProcess),
    startByProcess: summarise(startByProcess),
  }
}

function hook(args: readonly string[], payload: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('error', reject)
    child.on('close', () => resolve())
    child.stdin.end(JSON.stringify(payload))
  })
}
