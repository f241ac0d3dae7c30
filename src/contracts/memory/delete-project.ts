import { z } from 'zod'
import { operation } from '../operation.js'
import { ownerOr, userId } from './shapes.js'

export const deleteProject = operation({
  name: 'delete_project',
  title: 'Delete project',
  description: 'Delete the index of a project; its files on disk stay.',
  effect: 'destroy',
  right: 'admin',
  idempotent: false,
  positionals: ['project_id'],
  input: z.strictObject({ project_id: z.string(), user_id: userId }),
  output: z.object({ chunks_deleted: z.int() }),
  run: async ({ context, actor }, { project_id, user_id }) => ({
    chunks_deleted: await context.services.code.remove(project_id, { owner: ownerOr(context, user_id), actor, store: context.store }),
  }),
})
