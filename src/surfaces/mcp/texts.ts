import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/contract.js'
import { knownHint } from '../../errors/known-names.js'

/** Capabilities beyond tools; empty lists are not announced. */
export const offeredBy = (contracts: readonly Contract[]) => ({
  ...(contracts.some(({ resources }) => resources.length > 0) ? { resources: {} } : {}),
  ...(contracts.some(({ prompts }) => prompts.length > 0) ? { prompts: {} } : {}),
})

/** Resources and prompts of the contracts, which are available before the memory is open. */
export function serveTexts(server: Server, contracts: readonly Contract[]): void {
  const offered = offeredBy(contracts)
  const resources = contracts.flatMap((contract) => contract.resources)
  const prompts = contracts.flatMap((contract) => contract.prompts)
  if (offered.resources !== undefined) {
    server.setRequestHandler('resources/list', () => ({
      resources: resources.map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
    }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      const found = resources.find((resource) => resource.uri === uri)
      if (found === undefined)
        throw unknown(
          'resource',
          uri,
          resources.map((resource) => resource.uri),
        )
      return { contents: [{ uri, mimeType: found.mimeType, text: found.text() }] }
    })
  }
  if (offered.prompts !== undefined) {
    server.setRequestHandler('prompts/list', () => ({
      prompts: prompts.map(({ name, title, description, arguments: wanted }) => ({ name, title, description, arguments: [...wanted] })),
    }))
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
      const found = prompts.find((prompt) => prompt.name === name)
      if (found === undefined)
        throw unknown(
          'prompt',
          name,
          prompts.map((prompt) => prompt.name),
        )
      const missing = found.arguments.find((one) => one.required && (given[one.name] ?? '') === '')
      if (missing !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing argument of ${name}: ${missing.name}`)
      return {
        description: found.description,
        messages: found.render(given).map(({ role, text }) => ({ role, content: { type: 'text' as const, text } })),
      }
    })
  }
}

const unknown = (what: string, name: string, known: readonly string[]): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what} ${name}. ${knownHint(name, known)}`)
