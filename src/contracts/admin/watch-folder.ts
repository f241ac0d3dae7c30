import { mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { normalRemote, projectOwner } from '../../core/hooks/project.js'
import { type FolderSync, type FolderSyncOptions, followFolder } from '../../engine/transfer/folder-sync.js'
import { MemoryError } from '../../errors.js'
import type { Call } from '../operation.js'
import type { ImportInput } from './import.js'

interface FollowedFolder {
  readonly files: number
  readonly written: number
  readonly removed: number
  readonly added: number
  readonly revised: number
  readonly ended: number
  readonly conflicts: number
  readonly refused: number
}

/** Follows a folder until the call is interrupted, and sums up what was exchanged. */
export async function followWith(call: Call, folder: string, options: FolderSyncOptions): Promise<FollowedFolder> {
  await mkdir(folder, { recursive: true })
  const total = { files: 0, written: 0, removed: 0, added: 0, revised: 0, ended: 0, conflicts: 0, refused: 0 }
  let comparisons = 0
  for await (const sync of followFolder(call.context, folder, options)) {
    for (const count of ['added', 'revised', 'ended', 'conflicts', 'written', 'removed'] as const) total[count] += sync[count]
    total.refused += sync.refused.length
    total.files = sync.files
    call.progress(++comparisons, null, describe(sync))
  }
  return total
}

function describe(sync: FolderSync): string {
  const [refused] = sync.refused
  return [
    `${sync.files} pages, ${sync.written + sync.removed} changed`,
    `${sync.added} memories added, ${sync.revised} edited, ${sync.ended} ended`,
    ...(sync.conflicts === 0 ? [] : [`${sync.conflicts} conflicts for review`]),
    ...(refused === undefined ? [] : [`${sync.refused.length} edits refused (${refused.page}: ${refused.problem})`]),
    ...(sync.unread === 0 ? [] : [`${sync.unread} other files`]),
  ].join('; ')
}

/** Keeps a folder and the memory in step in both directions. */
export async function watchFolder(call: Call, input: ImportInput) {
  const paths = [...(input.file === undefined ? [] : [input.file]), ...input.paths]
  const [path] = paths
  if (path === undefined || paths.length > 1)
    throw new MemoryError('invalid_input', 'One folder is needed to watch.', { hint: 'For example: mneme import --watch notes.' })
  if (input.dry_run || input.all || input.from !== undefined || input.since !== undefined)
    throw new MemoryError('invalid_input', 'A watched folder takes no --dry-run, --all, --from or --since.', {
      hint: '`mneme import <folder> --dry-run` shows what a folder would become.',
    })
  const { project, owner } = input
  const selection = { owner: owner ?? (project === undefined ? undefined : projectOwner(normalRemote(project) ?? project)) }
  const { files: _files, ...watched } = await followWith(call, resolve(call.cwd ?? '', path), {
    selection,
    author: input.author ?? userName(),
  })
  return { facts: watched.added, entities: 0, edges: 0, skipped: 0, revised: watched.revised, watched: { folder: path, ...watched } }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'folder'
  }
}
