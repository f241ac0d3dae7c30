import { CLIENT_CAPABILITIES_META_KEY, Server, type ServerCapabilities, type ServerContext } from '@modelcontextprotocol/server'
import type { Contract, Resource } from '../../contracts/contract.js'
import type { Operation } from '../../contracts/operation.js'

const EXTENSION = 'io.modelcontextprotocol/ui'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** True if capabilities name MCP Apps with the type of these pages, or without any type. */
function namesViews(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined
  const extension = isObject(extensions) ? extensions[EXTENSION] : undefined
  if (!isObject(extension)) return false
  const types = extension.mimeTypes
  return !Array.isArray(types) || types.some((type) => typeof type === 'string' && type.startsWith('text/html'))
}

/** A server whose capabilities depend on the client: only hosts with MCP Apps are offered the pages. */
export class ViewServer extends Server {
  /** Pages are the only resources. */
  hasPagesOnly = false

  override getCapabilities(): ServerCapabilities {
    const all = super.getCapabilities()
    if (!this.hasPagesOnly || namesViews(this.getClientCapabilities())) return all
    const { resources: _, ...others } = all
    return others
  }

  /** True if the client of this request shows pages: capabilities come with the handshake or with each request. */
  showsViews(context: ServerContext): boolean {
    const { envelope } = context.mcpReq
    return namesViews((isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined) ?? this.getClientCapabilities())
  }
}

export const viewsOf = (contracts: readonly Contract[]): readonly Resource[] => contracts.flatMap(({ views }) => views)

/** Metadata of the page of a tool in a listing. */
export const viewMeta = ({ view }: Operation): Readonly<Record<string, unknown>> =>
  view === undefined
    ? {}
    : { _meta: { ui: { resourceUri: view.uri, ...(view.forPages === true ? { visibility: ['app'] } : {}) }, 'ui/resourceUri': view.uri } }

/** Pages load nothing: they need no other origin. */
export const VIEW_CONTENT_META = { ui: { prefersBorder: true, csp: {} } } as const
