import type { ControlRecord } from '../../core/access/control-record.js'
import { projectOwner } from '../../core/hooks/project.js'
import { MemoryError } from '../../errors.js'
import type { ResolvedProject } from '../../ports/project-resolver.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'

const RECORD_KIND = 'settings'
const RECORD_NAME = 'project-folders'
const MAX_FOLDERS = 500
/** Facts searched for their folder in a store without a record of folders. */
const MAX_EXAMINED_FACTS = 500

interface ProjectMemory {
  readonly owner: string
  /** True if the folder claims a repository whose memory other folders use, and was not confirmed. */
  readonly unconfirmed: boolean
}

/**
 * The owner of the facts of a folder. The first folder of a repository gets its memory; others get their own until they are confirmed.
 * `claims` records the first folder.
 */
export async function projectMemoryOf(
  env: Environment,
  { root, remote }: ResolvedProject,
  { claims }: { readonly claims: boolean },
): Promise<ProjectMemory> {
  if (remote === undefined) return { owner: projectOwner(root), unconfirmed: false }
  const owner = projectOwner(remote)
  const record = await stored(env, owner)
  if (record !== undefined)
    return foldersIn(record).includes(root) ? { owner, unconfirmed: false } : { owner: projectOwner(root), unconfirmed: true }
  if (!(await isFirstFolder(env, owner, root))) return { owner: projectOwner(root), unconfirmed: true }
  if (claims) await addFolder(env, owner, root, 'hook:first-folder')
  return { owner, unconfirmed: false }
}

/** Lets a folder share the memory of the repository that it claims. */
export async function confirmFolder(
  env: Environment,
  folder: string,
  actor: string,
): Promise<{ readonly owner: string; readonly root: string }> {
  const project = await env.projects.projectOf(folder)
  if (project?.remote === undefined)
    throw new MemoryError('invalid_input', `${folder} is not a clone of a repository with a remote.`, {
      hint: 'Only folders that claim a remote need a confirmation. Name the folder of the clone.',
    })
  const owner = projectOwner(project.remote)
  await addFolder(env, owner, project.root, actor)
  return { owner, root: project.root }
}

/** True if no other folder has used the memory of the repository: there is none, or it was captured in this folder. */
async function isFirstFolder(env: Environment, owner: string, root: string): Promise<boolean> {
  const facts = await env.store.listFacts({ owner, limit: MAX_EXAMINED_FACTS, offset: 0 })
  const isHere = (folder: unknown): boolean => typeof folder === 'string' && (folder === root || folder.startsWith(`${root}/`))
  return facts.length === 0 || facts.some(({ metadata }) => isHere(metadata.folder))
}

const stored = async (env: Environment, owner: string): Promise<ControlRecord | undefined> =>
  (await env.store.arrangements({ kind: RECORD_KIND, owner, name: RECORD_NAME }))[0]

const foldersIn = ({ data }: ControlRecord): readonly string[] =>
  Array.isArray(data.folders) ? data.folders.filter((folder) => typeof folder === 'string') : []

const addFolder = (env: Environment, owner: string, root: string, actor: string): Promise<void> =>
  retryOnConflict(async () => {
    const record = await stored(env, owner)
    const folders = record === undefined ? [] : foldersIn(record)
    if (folders.includes(root)) return
    const id = record?.id ?? env.ids.mint()
    await env.store.commit({ actor, owners: [owner] }, (now) => [
      {
        op: 'arrangement.put',
        arrangement: {
          ...{ kind: RECORD_KIND, id, owner, name: RECORD_NAME, data: { folders: [...folders, root].slice(-MAX_FOLDERS) } },
          ...{ createdAt: record?.createdAt ?? now, updatedAt: now, version: (record?.version ?? 0) + 1 },
        },
      },
    ])
  })
