import { z } from 'zod'
import { knownHint, shownNames } from '../errors/known-names.js'

/** One line per problem: the field, what was wrong and what is allowed. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const where = issue.path.map(String).join('.')
      if (issue.code === 'unrecognized_keys')
        return `Unknown argument${issue.keys.length > 1 ? 's' : ''}: ${shownNames(issue.keys)}${where ? ` (in ${where})` : ''}`
      if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) return mistyped(where, issue)
      const message = plainly(issue)
      if (where !== '' && message.endsWith(' is required')) return `Missing ${where}: ${message}`
      return where === '' || message.startsWith(`Invalid ${where}`) ? message : `Invalid ${where}: ${message}`
    })
    .join('\n')
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** Keeps messages of operations and replaces those of the schema library, which address programmers. */
function plainly(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid ')) return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    if (issue.minimum === 1 && issue.origin in UNITS) return 'must not be empty'
    return `must ${issue.origin in UNITS ? 'have' : 'be'} ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${UNITS[issue.origin] ?? ''}`
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big'))
    return `must ${issue.origin in UNITS ? 'have' : 'be'} ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`
  return issue.message
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function mistyped(where: string, issue: { readonly expected: string; readonly message: string }): string {
  const wanted = TYPE_NAMES[issue.expected] ?? issue.expected
  if (where === '') return `The arguments must be ${wanted}`
  return issue.message.endsWith('received undefined') ? `Missing ${where}: ${wanted} is required` : `Invalid ${where}: must be ${wanted}`
}

/** Lists the allowed arguments after an unknown one. `more` are arguments outside the schema. */
export function unknownKeysHint(schema: z.ZodType, error: z.ZodError, more: readonly string[] = []): { readonly hint?: string } {
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys')
  const known = unknown === undefined ? undefined : keysAt(schema, unknown.path)
  if (unknown === undefined || known === undefined) return {}
  return { hint: knownHint(unknown.keys, unknown.path.length === 0 ? [...known, ...more] : known) }
}

/** Keys allowed in the object at a path; undefined if they depend on other fields. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return keysAt(schema.unwrap(), path)
  if (schema instanceof z.ZodPipe) return keysAt(schema.in, path)
  const [step, ...rest] = path
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return undefined
  return step === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(step)], rest)
}
