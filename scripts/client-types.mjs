// Converts the JSON schemas that operations use to TypeScript types.
const NAME = /^[A-Za-z_$][\w$]*$/
const SIMPLE = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }

/** A schema as a type on one line. */
export function toType(schema, root = schema) {
  if (schema === true || schema === undefined) return 'unknown'
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/$defs/', '')
    const target = root.$defs?.[name]
    // A recursive schema becomes JSON of any depth.
    return target === undefined || JSON.stringify(target).includes(schema.$ref) ? 'unknown' : toType(target, root)
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return union(options.map((option) => toType(option, root)))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => toType({ ...schema, type }, root)))
  if (schema.type === 'array') return `readonly (${toType(schema.items, root)})[]`
  if (schema.type === 'object' || schema.properties !== undefined) return toObject(schema, root)
  return SIMPLE[schema.type] ?? 'unknown'
}

const union = (types) => {
  const known = [...new Set(types)]
  return known.includes('unknown') ? 'unknown' : known.join(' | ')
}

function toObject({ properties = {}, required = [], additionalProperties }, root) {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `readonly ${NAME.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${toType(schema, root)}${required.includes(name) ? '' : ' | undefined'}`,
  )
  const others =
    additionalProperties === undefined || additionalProperties === false
      ? []
      : [`readonly [key: string]: ${members.length === 0 ? toType(additionalProperties, root) : 'unknown'}`]
  const all = [...members, ...others]
  return all.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${all.join('; ')} }`
}
