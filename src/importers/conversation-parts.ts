import type { ConversationRecord, ConversationTurn, ImportRecord, RecordOrigin } from '../ports/importer.js'

/** Maximum text of a conversation, because it is held in memory; the rest is cut off. */
const MAX_CONVERSATION_CHARS = 40_000_000
const MAX_FILES = 200

/** Collects what is read of one conversation. */
export class ConversationParts {
  readonly #turns: ConversationTurn[] = []
  readonly #files = new Set<string>()
  readonly #commands: string[] = []
  #chars = 0
  title: string | undefined
  folder: string | undefined
  project: string | undefined
  startedAt: number | undefined
  key: string | undefined
  readonly #client: string
  readonly #from: RecordOrigin

  constructor(client: string, from: RecordOrigin) {
    this.#client = client
    this.#from = from
  }

  /** Adds a turn; an answer in several pieces is one turn. */
  add(turn: ConversationTurn, options: { readonly continues?: boolean } = {}): void {
    this.#chars += turn.text.length
    this.startedAt ??= turn.at
    if (this.#chars > MAX_CONVERSATION_CHARS) return
    const last = this.#turns.at(-1)
    if (options.continues === true && last?.author === turn.author)
      this.#turns[this.#turns.length - 1] = { ...last, text: `${last.text}\n${turn.text}` }
    else this.#turns.push(turn)
  }

  touches(file: string): void {
    if (this.#files.size < MAX_FILES) this.#files.add(file)
  }

  runs(command: string): void {
    if (this.#commands.length < MAX_FILES && /\bcommit\b/.test(command)) this.#commands.push(command.slice(0, 2000))
  }

  /** Drops the last turns of the user with everything after them. */
  rollBack(count: number): void {
    for (let i = 0; i < count && this.#turns.length > 0; i++) while (this.#turns.length > 0 && this.#turns.pop()?.author !== 'user');
  }

  clear(): void {
    this.#turns.length = 0
  }

  *records(): Generator<ImportRecord> {
    const from = this.#from
    if (this.#chars > MAX_CONVERSATION_CHARS)
      yield { kind: 'skipped', reason: 'the end of a very long conversation is left out', from, bad: true }
    if (this.#turns.length === 0)
      yield { kind: 'skipped', reason: 'a conversation has no messages of a person or an assistant', from, bad: false }
    else yield this.#record()
  }

  #record(): ConversationRecord {
    return {
      ...{
        kind: 'conversation',
        key: this.key ?? this.#from.file,
        client: this.#client,
        from: this.#from,
        title: this.title,
        folder: this.folder,
      },
      ...{
        project: this.project ?? this.folder,
        startedAt: this.startedAt,
        turns: this.#turns,
        files: [...this.#files],
        commands: this.#commands,
      },
    }
  }
}
