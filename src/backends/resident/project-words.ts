import { Slots } from './documents.js'
import type { WordUnit } from './word-search.js'
import { Words } from './words.js'

/** The words of one project's passages: a unit of its own, so that other projects count for nothing in its scores. */
export class ProjectWords {
  readonly slots = new Slots()
  readonly words = new Words(this.slots)

  put(rid: number, packed: Uint8Array): void {
    this.words.put({ slot: this.slots.claim(rid), session: null, packed })
  }

  drop(rid: number): void {
    const slot = this.slots.slotOf(rid)
    if (slot < 0) return
    this.words.remove(slot)
    this.slots.free(slot)
  }

  unitOf(accept: (rid: number) => boolean): WordUnit {
    return {
      words: this.words,
      passes: (slot) => this.slots.alive[slot] === 1 && accept(this.slots.ridAt(slot)),
      rowAt: (slot) => this.slots.ridAt(slot),
    }
  }
}
