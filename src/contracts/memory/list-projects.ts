import { z } from 'zod'
import { operation } from '../operation.js'

export const listProjects = operation({
  name: 'list_projects',
  title: 'List projects',
  description: 'Ids of the indexed projects.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({ projects: z.array(z.string()), count: z.int() }),
  async run({ engine }) {
    const projects = (await engine.code.projects()).map((source) => source.title)
    return { projects, count: projects.length }
  },
})
