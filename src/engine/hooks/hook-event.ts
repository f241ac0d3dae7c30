/** One step of a conversation, as a hook of a client tells it. */
export interface HookEvent {
  readonly kind: 'start' | 'prompt' | 'tool' | 'answer' | 'end'
  readonly client: string
  readonly conversation: string | undefined
  /** The folder that the person works in. */
  readonly folder: string | undefined
  readonly prompt?: string
  readonly answer?: string
  readonly tool?: { readonly name: string; readonly file?: string; readonly command?: string }
}

/** Whose facts a conversation may see and make. */
export interface ConversationOwners {
  readonly person: string
  /** None outside of any project. */
  readonly project: string | undefined
  /** True if the folder is not confirmed for the repository that it claims. */
  readonly unconfirmed: boolean
}

export const ownersOf = ({ person, project }: ConversationOwners): readonly string[] =>
  project === undefined ? [person] : [project, person]

/** Facts of one conversation are neighbours. The same conversation has the same name, whichever hooks tell of it. */
export const sessionOf = (conversation: string): string => `conversation:${conversation.slice(0, 200)}`

export const actorOf = (client: string): string => `hook:${client}`

export const ACTOR_PREFIX = 'hook:'
