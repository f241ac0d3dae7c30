/** One step of a conversation, reported by a client. */
export interface HookEvent {
  readonly kind: 'start' | 'prompt' | 'tool' | 'answer' | 'end'
  readonly client: string
  readonly conversation: string | undefined
  /** The working directory. */
  readonly folder: string | undefined
  readonly prompt?: string
  readonly answer?: string
  readonly tool?: { readonly name: string; readonly file?: string; readonly command?: string }
}

/** Owners whose facts a conversation reads and writes. */
export interface ConversationOwners {
  readonly person: string
  /** Undefined outside of a project. */
  readonly project: string | undefined
  /** True if the folder is not confirmed for the repository that it claims. */
  readonly unconfirmed: boolean
}

export const ownersOf = ({ person, project }: ConversationOwners): readonly string[] =>
  project === undefined ? [person] : [project, person]

/** The session of a conversation, independent of the client. */
export const sessionOf = (conversation: string): string => `conversation:${conversation.slice(0, 200)}`

export const actorOf = (client: string): string => `hook:${client}`

export const ACTOR_PREFIX = 'hook:'
