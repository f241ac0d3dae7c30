import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

const context = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) })

/** A memory with two clones of one project and a project of its own, as folders. */
export interface Desk {
  readonly world: World
  readonly widget: string
  readonly widgetClone: string
  readonly other: string
  /** Another folder that claims a remote. */
  clone(name: string, remote: string | undefined): string
  /** Sends a hook and answers the text for the model, if any. */
  hook(event: string, payload: Readonly<Record<string, unknown>>, client?: string): Promise<string | undefined>
  texts(): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openDesk(flags: Readonly<Record<string, unknown>> = {}): Promise<Desk> {
  // Words decide here; how long an answer may take is not what is tried.
  const world = await openWorld({ embedder: 'none', hookRecallMs: 60_000, ...flags })
  const folder = mkdtempSync(join(tmpdir(), 'mneme-desk-'))
  const clone = (name: string, remote: string | undefined): string => {
    const path = join(folder, name)
    mkdirSync(join(path, '.git'), { recursive: true })
    writeFileSync(join(path, '.git', 'config'), remote === undefined ? '' : `[remote "origin"]\n\turl = ${remote}\n`)
    return path
  }
  const widget = clone('widget', 'git@github.com:Acme/Widget.git')
  const widgetClone = clone('again', 'https://user:pw@github.com/acme/widget')
  for (const path of [widget, widgetClone]) await world.call('admin/project_confirm', { folder: path })
  return {
    world,
    clone,
    widget,
    widgetClone,
    other: clone('other', undefined),
    async hook(event, payload, client = 'claude-code') {
      const answer = await world.call('hooks/hook', { client, event, payload })
      return context.safeParse(answer).data?.hookSpecificOutput.additionalContext
    },
    async texts() {
      const facts = await world.backend.store.listFacts({ limit: 1000, offset: 0, oldestFirst: true })
      return facts.map(({ text }) => text)
    },
    async close() {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
