// docs/http-api.md: the OpenAPI description as a page.
const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
const typeOf = (schema = {}) => (schema.type === 'array' ? `list of ${typeOf(schema.items)}` : [schema.type ?? 'any'].flat().join(' or '))

export function httpApiPage({ paths, tags }) {
  const page = [
    '# HTTP API',
    '',
    'Generated from [openapi.json](openapi.json) by `npm run docs references`. Do not edit it by hand. A running server describes itself at `/v1/openapi.json`.',
    '',
    'Requests and answers are JSON. Once a key exists, send `Authorization: Bearer <key>` ([keys.md](keys.md)). A failure has `error.code`, `error.message`, `error.hint` and `detail`; 429 and 503 may have `Retry-After`. [reference.md](reference.md) describes each argument.',
    '',
  ]
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  for (const { name, description } of tags) {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    if (own.length === 0) continue
    page.push(`## ${description}`, '')
    for (const { path, method, operation } of own) page.push(...section(path, method, operation))
  }
  return `${page.join('\n').trimEnd()}\n`
}

function section(path, method, { summary, parameters = [], requestBody, responses }) {
  const body = requestBody?.content['application/json'].schema ?? {}
  const fields = Object.entries(body.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'body',
    required: body.required?.includes(name),
    schema,
  }))
  const all = [...parameters, ...fields]
  const statuses = Object.keys(responses).filter((status) => status !== 'default')
  const lines = [`### ${method.toUpperCase()} ${path}`, '', `${summary}. Answers ${statuses.join(', ')}.`, '']
  if (all.length === 0) return lines
  lines.push('| name | in | type | |', '|---|---|---|---|')
  for (const one of all)
    lines.push(
      `| \`${one.name}\` | ${one.in} | ${typeOf(one.schema)} | ${one.required ? 'required' : ''} ${cell(one.schema?.description)} |`.replaceAll(
        / +\|/g,
        ' |',
      ),
    )
  return [...lines, '']
}
