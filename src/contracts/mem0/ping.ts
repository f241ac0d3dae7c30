import { z } from 'zod'
import { operation } from '../operation.js'
import { routes } from './routes.js'

export const ping = operation({
  name: 'ping',
  title: 'Ping',
  description: 'Whether the key is valid.',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: routes(['GET', '/v1/ping/']),
  input: z.object({}),
  output: z.object({ status: z.string(), org_id: z.string(), project_id: z.string() }),
  run: async () => ({ status: 'ok', org_id: 'mneme', project_id: 'mneme' }),
})
