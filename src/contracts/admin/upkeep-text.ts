import { counted, numberOf, type PlainText, paragraph } from '../plain-text.js'

export const compactText: PlainText = (answer) => {
  const [before, after] = [numberOf(answer.bytes_before), numberOf(answer.bytes_after)]
  const entries = numberOf(answer.journal_entries)
  return paragraph(
    after < before
      ? `${after.toLocaleString('en')} bytes, ${(before - after).toLocaleString('en')} fewer than before.`
      : `${after.toLocaleString('en')} bytes; there was nothing to reclaim.`,
    entries > 0 && `${counted(entries, 'journal entry', 'journal entries')} cleared by retention.`,
  )
}

export const reindexText: PlainText = (answer) =>
  `${counted(numberOf(answer.relinked), 'memory', 'memories')} relinked, ${counted(numberOf(answer.embedded), 'text')} embedded.`

export const mendText: PlainText = (answer) => {
  const repaired = ['facts', 'entities', 'relations', 'entries'].reduce((sum, kind) => sum + numberOf(answer[kind]), 0)
  return paragraph(
    `${counted(repaired, 'future-dated row')} repaired, ${counted(numberOf(answer.removed), 'dangling edge')} removed.`,
    answer.loss_accepted === true && 'The missing changes that doctor reported are accepted as lost.',
  )
}
