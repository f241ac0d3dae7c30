import {
  ANY_OWNER,
  excludeGardens,
  findOwnerAccess,
  isAllowed,
  LOCAL_PRINCIPAL,
  type Principal,
  type Right,
} from '../core/access/access-filter.js'
import { MemoryError } from '../errors.js'
import { isRecord } from './wire-schema.js'

/** Arguments that name the owner of a call. */
const OWNER_ARGUMENTS = ['user_id', 'owner_id'] as const

/** The owner named by a call, if any. */
export function ownerNamed(args: unknown): string | undefined {
  if (!isRecord(args)) return undefined
  return OWNER_ARGUMENTS.map((name) => args[name]).find((value) => typeof value === 'string')
}

const refused = (reason: string, message: string): MemoryError =>
  new MemoryError('forbidden', message, { reason, hint: 'Use a key that does, or ask the administrator who issued this one.' })

/** The properties of an operation that are checked before it runs. */
interface GuardedCall {
  readonly name: string
  readonly right?: Right
  readonly plain?: boolean
  readonly effect?: string
  modeOf?(input: unknown): { readonly effect: string }
}

/** A read-only mode requires only the read right, even if other modes of its operation write. */
const rightFor = ({ right, effect, modeOf }: GuardedCall, input: unknown): Right | undefined =>
  right === 'write' && effect === 'write' && modeOf?.(input).effect === 'read' ? 'read' : right

/** Returns the principal restricted to what the operation may show; throws if it may not call the operation. */
export function authorise(principal: Principal, operation: GuardedCall, input: unknown): Principal {
  if (principal.proof === 'none') return principal
  const right = rightFor(operation, input)
  if (right !== undefined && !isAllowed(principal, right))
    throw refused('missing_right', `${operation.name} needs the right "${right}", which this key does not have.`)
  const owner = ownerNamed(input)
  if (owner !== undefined && findOwnerAccess(principal.reach, owner) === undefined)
    throw refused('foreign_owner', `This key does not reach what belongs to ${owner}.`)
  if (operation.plain !== true) return principal
  const plain = excludeGardens(principal)
  if (plain === undefined) throw refused('missing_scopes', `${operation.name} knows no scopes: it needs a key that reads all of them.`)
  return plain
}

/** A local process in contracts without gardens. */
export const LOCAL_WITHOUT_GARDENS: Principal = {
  ...LOCAL_PRINCIPAL,
  reach: { owners: [{ owner: ANY_OWNER, scopes: 'all', gardens: [], federated: true }] },
}

/** True if a contract without gardens would return facts from gardens. */
export const showsGardens = (
  { proof, reach }: Principal,
  operation: { readonly plain?: boolean; modeOf(input: unknown): { readonly effect: string } },
  input: unknown,
): boolean => proof === 'none' && reach === 'everything' && operation.plain === true && operation.modeOf(input).effect === 'read'
