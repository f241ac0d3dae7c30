import { z } from 'zod'
import { operation } from '../operation.js'

export const deleteProject = operation({
  name: 'delete_project',
  title: 'Delete project',
  description: 'Forget the index of a project; its files on disk stay.',
  effect: 'destroy',
  idempotent: false,
  positionals: ['project_id'],
  input: z.strictObject({ project_id: z.string() }),
  output: z.object({ chunks_deleted: z.int() }),
  run: async ({ engine, actor }, { project_id }) => ({ chunks_deleted: await engine.code.remove(project_id, actor) }),
})
