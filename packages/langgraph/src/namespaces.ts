import { type Documents, type MemoryClient, openDocuments } from 'mneme/client'

export type Namespace = readonly string[]

export interface StoreOptions {
  /** The owner of the store; `langgraph` by default. */
  readonly owner?: string
  /** False keeps all namespaces in that owner, as a key that is limited to one owner requires. True by default. */
  readonly ownerPerNamespace?: boolean
}

/** Where the items of each namespace are. */
export interface Namespaces {
  /** For reads and deletions of one namespace. */
  at(namespace: Namespace): Documents
  /** For writes: remembers that the namespace exists. */
  create(namespace: Namespace): Promise<Documents>
  /** The stores of all namespaces that begin with the prefix. */
  below(prefix: Namespace): Promise<readonly Documents[]>
}

export const hasPrefix = (namespace: Namespace, prefix: Namespace): boolean => prefix.every((label, index) => namespace[index] === label)

const encode = (label: string): string => label.replaceAll('%', '%25').replaceAll('/', '%2F')

/** Each namespace is an owner, so a search in one namespace ranks and reads nothing of another. */
export function openNamespaces(memory: MemoryClient, { owner = 'langgraph', ownerPerNamespace = true }: StoreOptions): Namespaces {
  const base = openDocuments(memory, { owner })
  if (!ownerPerNamespace) return { at: () => base, create: async () => base, below: async () => [base] }
  const known = new Set<string>()
  const at = (namespace: Namespace): Documents => openDocuments(memory, { owner: [owner, ...namespace.map(encode)].join('/') })
  return {
    at,
    async create(namespace) {
      const name = JSON.stringify(namespace)
      if (!known.has(name)) {
        if ((await base.get(name)) === undefined) await base.put(name, { namespace })
        known.add(name)
      }
      return at(namespace)
    },
    async below(prefix) {
      const found: Documents[] = []
      for await (const { value } of base.list()) {
        const namespace = namespaceIn(value)
        if (namespace !== undefined && hasPrefix(namespace, prefix)) found.push(at(namespace))
      }
      return found
    },
  }
}

function namespaceIn(value: unknown): Namespace | undefined {
  const namespace: unknown = typeof value === 'object' && value !== null && 'namespace' in value ? value.namespace : undefined
  return Array.isArray(namespace) && namespace.every((label) => typeof label === 'string') ? namespace : undefined
}
