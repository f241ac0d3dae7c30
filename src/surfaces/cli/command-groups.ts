import type { Command } from 'commander'
import type { Contract } from '../../contracts/contract.js'
import type { Operation } from '../../contracts/operation.js'
import { knownHint } from '../../errors/known-names.js'
import { MemoryError } from '../../errors.js'
import { summaryOf } from './render.js'

const GROUPS: Readonly<Record<string, string>> = {
  keys: 'Keys for the HTTP server: create, list, revoke',
  peers: 'Nodes that exchange facts with this one: add, list, remove',
}

export type AddOperation = (
  parent: Command,
  name: string,
  contract: string,
  operation: Operation,
) => { command: Command; run: () => Promise<void> }

/** `keys create` is the command `create` of the group `keys`. */
export function addOperatorCommands(program: Command, contracts: readonly Contract[], addOperation: AddOperation): void {
  const groups = new Map<string, Command>()
  for (const { name, operations } of contracts.filter(({ audience }) => audience === 'operator')) {
    for (const operation of operations) {
      const [first = '', second] = operation.command?.split(' ') ?? [operation.name.replaceAll('_', '-')]
      if (second === undefined) {
        addOperation(program, first, name, operation)
        continue
      }
      const group = groups.get(first) ?? program.command(first).description(GROUPS[first] ?? first)
      groups.set(first, group)
      addOperation(group, second, name, operation)
    }
  }
}

interface CallOptions {
  readonly contractNames: readonly string[]
  /** Loaded contracts. */
  readonly contracts: readonly Contract[]
  readonly addOperation: AddOperation
  list(text: string): void | Promise<void>
}

/** `call` without a tool lists the tools; contracts that the command line does not name are not loaded. */
export function addCall(program: Command, { contractNames, contracts, list, addOperation }: CallOptions): void {
  const call = program.command('call').description('Call any tool: mneme call <contract> <tool>')
  addListing(call, 'contract', () => list(`${contractNames.join('\n')}\n`))
  for (const name of contractNames) {
    const contract = contracts.find((candidate) => candidate.name === name)
    const operations = contract?.operations ?? []
    const widest = Math.max(0, ...operations.map((operation) => operation.name.length))
    const group = call.command(name).description(contract?.title ?? `The ${name} contract`)
    addListing(group, 'tool', () =>
      list(operations.map((operation) => `${operation.name.padEnd(widest)}  ${summaryOf(operation.description)}\n`).join('')),
    )
    for (const operation of operations) addOperation(group, operation.name, name, operation)
  }
}

/** A group with an action reads a misspelt subcommand as an argument, so it is rejected here. */
function addListing(group: Command, what: string, list: () => void | Promise<void>): void {
  group.allowExcessArguments(true).action(() => {
    const word = group.args[0]
    if (word === undefined) return list()
    const known = group.commands.map((candidate) => candidate.name())
    throw new MemoryError('invalid_input', `There is no ${what} "${word}".`, { hint: knownHint(word, known) })
  })
}
