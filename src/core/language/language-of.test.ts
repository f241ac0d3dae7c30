import { expect, test } from 'vitest'
import { isOtherScript, readsAsEnglish } from './language-of.js'

test('the script of a text is that of most of its letters', () => {
  for (const text of ['歯医者の予約', '치과 예약', 'когда приём у врача', 'متى الموعد', 'बैठक कब है', 'Docker を再起動する手順'])
    expect(isOtherScript(text)).toBe(true)
  for (const text of ['when is the dentist', 'what does 会議 mean here', 'Größe der Küche', '42', '🙂', ''])
    expect(isOtherScript(text)).toBe(false)
})

test('a text with as many foreign as English words is not English', () => {
  expect(readsAsEnglish('the der')).toBe(false)
  expect(readsAsEnglish('the and der')).toBe(true)
})
