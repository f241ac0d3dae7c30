import type { Contract, ServedOperation } from '../../contracts/contract.js'
import type { Route } from '../../contracts/operation.js'
import { propertiesOf } from '../../contracts/text-input.js'
import { ERRORS } from '../../errors.js'

type Json = Readonly<Record<string, unknown>>

/** `:id` and `:id{.+}` in OpenAPI syntax. */
const PARAMETER = /:(\w+)(?:\{[^}]*\})?/gu

/** OpenAPI 3.1 uses the same JSON Schema as the operations, so their schemas are included unchanged. */
export function toOpenApi(contracts: readonly Contract[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const contract of contracts) {
    for (const operation of contract.operations) {
      for (const [index, route] of operation.routes.entries()) {
        const path = route.path.replace(PARAMETER, '{$1}')
        paths[path] = { ...paths[path], [route.method.toLowerCase()]: toPathItem(contract, operation, route, index) }
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'mneme',
      version,
      description: 'Every operation of every contract. Those without a route of their own are one POST with a JSON body.',
    },
    servers: [{ url: '/', description: 'The server that answers this document' }],
    tags: contracts.map(({ name, title }) => ({ name, description: title })),
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key of `mneme keys create`, or a token of the issuer' } },
      schemas: { Error: errorSchema },
    },
  }
}

const failureOf = (contract: Contract): Json =>
  contract.failure === undefined
    ? { $ref: '#/components/schemas/Error' }
    : { type: 'object', description: 'As the contract words its failures' }

const namesInPath = ({ path }: Route): readonly string[] => [...path.matchAll(PARAMETER)].map(([, name]) => name ?? '')

function toPathItem(contract: Contract, operation: ServedOperation, route: Route, index: number): Json {
  const inPath = namesInPath(route)
  const parameters = parametersOf(operation, route, inPath)
  const answered = (status: number) => ({
    description: 'The answer',
    ...(status === 204 ? {} : { content: { 'application/json': { schema: answerSchemaOf(operation, route) } } }),
  })
  return {
    operationId: `${contract.name}_${operation.name}${index === 0 ? '' : `_${index + 1}`}`,
    tags: [contract.name],
    summary: operation.title,
    description: operation.description,
    ...(route.open === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.method === 'GET' || route.method === 'DELETE'
      ? {}
      : {
          requestBody: {
            required: isRequired(operation, inPath),
            content: { 'application/json': { schema: without(operation.schemas.input, inPath) } },
          },
        }),
    responses: {
      ...Object.fromEntries([route.status, ...(route.otherStatuses ?? [])].map((status) => [status, answered(status)])),
      default: { description: 'A failure', content: { 'application/json': { schema: failureOf(contract) } } },
    },
  }
}

/** Path parameters, and all other arguments if there is no body. */
function parametersOf({ schemas: { input } }: ServedOperation, { method }: Route, inPath: readonly string[]): readonly Json[] {
  const required = Array.isArray(input.required) ? input.required : []
  return Object.entries(propertiesOf(input)).flatMap(([name, schema]) => {
    if (inPath.includes(name)) return [{ name, in: 'path', required: true, schema }]
    return method === 'GET' || method === 'DELETE' ? [{ name, in: 'query', required: required.includes(name), schema }] : []
  })
}

/** The schema of a response. One with definitions is replaced by its listed form, because references are relative to the document. */
function answerSchemaOf({ schemas }: ServedOperation, { bodyOf }: Route): Json {
  if (bodyOf !== undefined) return {}
  const { $schema: _, ...exact } = schemas.exact().output
  const text = JSON.stringify(exact, (key, value: unknown) => (key === 'additionalProperties' && value === false ? undefined : value))
  return text.includes('"$ref"') ? schemas.output : JSON.parse(text)
}

/** A body may be omitted if it has no required members. */
const isRequired = ({ schemas: { input } }: ServedOperation, inPath: readonly string[]): boolean =>
  Array.isArray(input.required) && input.required.some((name) => !inPath.includes(String(name)))

/** The input without path parameters. */
function without(schema: Json, names: readonly string[]): Json {
  if (names.length === 0) return schema
  const properties = Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name)))
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => !names.includes(String(name))) : []
  return { ...schema, properties, required }
}

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'detail'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: `Stable. One of ${Object.keys(ERRORS).join(', ')}, or what the contract names more closely` },
        message: { type: 'string' },
        hint: { type: 'string', description: 'What to do next' },
      },
    },
    detail: { type: 'string', description: 'The message once more' },
  },
}
