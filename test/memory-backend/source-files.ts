import type { Passage } from '../../src/core/facts/source.js'
import type { FileChange } from '../../src/core/journal/change.js'
import { conflict } from './commit.js'
import type { State } from './state.js'

type Files = ReadonlyMap<string, FileChange>

/** The files of a source after changes, whose passages are in the state; unchanged ones keep their row and vector. */
export function withChanges(state: State, sourceId: string, before: Files | undefined, changes: readonly FileChange[]): Files {
  const files = new Map(before)
  for (const file of changes) {
    const known = files.get(file.path)
    if (file.kept === true && known !== undefined) {
      files.set(file.path, { ...file, passages: known.passages, references: known.references })
      continue
    }
    const old = [...state.passages.values()].filter(({ passage }) => passage.sourceId === sourceId && passage.path === file.path)
    removePassages(state, (entry) => entry.sourceId === sourceId && entry.path === file.path)
    if (file.gone) {
      files.delete(file.path)
      continue
    }
    files.set(file.path, file)
    for (const passage of file.passages) {
      const place = old.findIndex((storedPassage) => saysTheSame(storedPassage.passage, passage))
      const [same] = place < 0 ? [] : old.splice(place, 1)
      const id = same?.passage.id ?? passage.id
      if (state.passages.has(id)) throw conflict(`Passage ${id}`)
      state.passages.set(id, { rid: same?.rid ?? ++state.lastRid, passage: { ...passage, id }, vector: same?.vector })
    }
  }
  return files
}

const saysTheSame = (a: Passage, b: Passage): boolean =>
  a.hash === b.hash && a.kind === b.kind && a.name === b.name && a.scopePath === b.scopePath && a.embedText === b.embedText

export function removePassages(state: State, which: (passage: { readonly sourceId: string; readonly path: string }) => boolean): void {
  for (const [id, { passage }] of state.passages) if (which(passage)) state.passages.delete(id)
}
