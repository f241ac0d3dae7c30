import type { Contract, ServedOperation } from '../../contracts/contract.js'
import { ERRORS } from '../../errors.js'

type Json = Readonly<Record<string, unknown>>

/** OpenAPI 3.1 speaks the same JSON Schema as the operations do, so the schemas go in as they are. */
export function toOpenApi(contracts: readonly Contract[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const contract of contracts) {
    for (const operation of contract.operations) {
      const path = operation.route.path.replace(/:(\w+)/gu, '{$1}')
      paths[path] = { ...paths[path], [operation.route.method.toLowerCase()]: toPathItem(contract, operation) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'mneme', version, description: 'Every operation of every contract as one POST with a JSON body.' },
    tags: contracts.map(({ name, title }) => ({ name, description: title })),
    paths,
    components: { schemas: { Error: errorSchema } },
  }
}

const failureOf = (contract: Contract): Json =>
  contract.failure === undefined
    ? { $ref: '#/components/schemas/Error' }
    : { type: 'object', description: 'As the contract words its failures' }

function toPathItem(contract: Contract, operation: ServedOperation): Json {
  return {
    operationId: `${contract.name}_${operation.name}`,
    tags: [contract.name],
    summary: operation.title,
    description: operation.description,
    requestBody: { content: { 'application/json': { schema: operation.inputSchema } } },
    responses: {
      [operation.route.status]: { description: 'The answer', content: { 'application/json': { schema: operation.outputSchema } } },
      default: { description: 'A failure', content: { 'application/json': { schema: failureOf(contract) } } },
    },
  }
}

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        hint: { type: 'string', description: 'What to do next' },
      },
    },
  },
}
