import { diffWords } from '../state/word-diff.js'

/** What changed between two texts, in one text. */
export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      {diffWords(before, after).map(({ text, side }, at) => {
        if (side === 'before') return <del key={at}>{text}</del>
        return side === 'after' ? <ins key={at}>{text}</ins> : text
      })}
    </>
  )
}

/** One of two texts, with what the other does not have marked. */
export function OneSide({ before, after, side }: { readonly before: string; readonly after: string; readonly side: 'before' | 'after' }) {
  return (
    <>
      {diffWords(before, after).map((stretch, at) => {
        if (stretch.side === 'both') return stretch.text
        if (stretch.side !== side) return null
        return side === 'before' ? <del key={at}>{stretch.text}</del> : <ins key={at}>{stretch.text}</ins>
      })}
    </>
  )
}
