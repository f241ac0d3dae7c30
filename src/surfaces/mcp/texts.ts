import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import type { Contract, Resource } from '../../contracts/contract.js'
import { knownHint } from '../../errors/known-names.js'
import { VIEW_CONTENT_META, type ViewServer, viewsOf } from './views.js'

/** Capabilities beyond tools; empty lists are not announced. */
export const offeredBy = (contracts: readonly Contract[]) => ({
  ...(contracts.some(({ resources }) => resources.length > 0) ? { resources: {} } : {}),
  ...(contracts.some(({ prompts }) => prompts.length > 0) ? { prompts: {} } : {}),
})

/** Resources and prompts of the contracts, which are available before the memory is open. */
export function serveTexts(server: ViewServer, contracts: readonly Contract[]): void {
  const offered = offeredBy(contracts)
  const resources = contracts.flatMap((contract) => contract.resources)
  const views = viewsOf(contracts)
  const prompts = contracts.flatMap((contract) => contract.prompts)
  if (offered.resources !== undefined || views.length > 0) {
    const shownTo = (context: ServerContext): readonly Resource[] => {
      const shown = [...resources, ...(server.showsViews(context) ? views : [])]
      if (shown.length === 0) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
      return shown
    }
    server.setRequestHandler('resources/list', (_, context) => ({
      resources: shownTo(context).map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
    }))
    server.setRequestHandler('resources/templates/list', (_, context) => {
      shownTo(context)
      return { resourceTemplates: [] }
    })
    server.setRequestHandler('resources/read', ({ params: { uri } }, context) => {
      const view = views.find((resource) => resource.uri === uri)
      // Hosts read a page without having said that they show it, for instance after a reconnect.
      if (view !== undefined) return { contents: [{ uri, mimeType: view.mimeType, text: view.text(), _meta: VIEW_CONTENT_META }] }
      const found = shownTo(context).find((resource) => resource.uri === uri)
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
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: values = {} } }) => {
      const found = prompts.find((prompt) => prompt.name === name)
      if (found === undefined)
        throw unknown(
          'prompt',
          name,
          prompts.map((prompt) => prompt.name),
        )
      const missing = found.arguments.find((argument) => argument.required && (values[argument.name] ?? '') === '')
      if (missing !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing argument of ${name}: ${missing.name}`)
      return {
        description: found.description,
        messages: found.render(values).map(({ role, text }) => ({ role, content: { type: 'text' as const, text } })),
      }
    })
  }
}

const unknown = (what: string, name: string, known: readonly string[]): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what} ${name}. ${knownHint(name, known)}`)
