import { z } from 'zod'
import { operation } from '../operation.js'
import { projectsText } from './plain-text.js'
import { ownerOr, userId } from './shapes.js'

export const listProjects = operation({
  name: 'list_projects',
  title: 'List projects',
  description: 'List the ids of indexed projects.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ user_id: userId }),
  output: z.object({ projects: z.array(z.string()), count: z.int() }),
  text: projectsText,
  async run({ context }, { user_id }) {
    const projects = (await context.services.code.projects(ownerOr(context, user_id))).map((source) => source.title)
    return { projects, count: projects.length }
  },
})
