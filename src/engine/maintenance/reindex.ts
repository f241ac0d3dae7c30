import type { Context } from '../context.js'

type Progress = (done: number, total: number) => void

interface ReindexOptions {
  readonly links: boolean
  readonly vectors: boolean
  readonly progress: { readonly terms: Progress; readonly links: Progress; readonly vectors: Progress }
}

/** Rebuilds terms and links, vectors, or both. Returns how many facts were linked and embedded. */
export async function reindexStore(
  { maintenance, embedding, signal }: Context,
  { links, vectors, progress }: ReindexOptions,
): Promise<{ readonly linked: number; readonly embedded: number }> {
  if (links) await maintenance.reterm(progress.terms, signal)
  const linked = links ? await maintenance.relink(progress.links, signal) : 0
  return { linked, embedded: vectors ? await embedding.rebuild(progress.vectors, signal) : 0 }
}
