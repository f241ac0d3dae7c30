import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

const MAX_CHARS = 60

/** What the page is about, in a few words: the last part of its path, and the title of the window. */
export const subject = signal<string | undefined>(undefined)

export function useSubject(text: string): void {
  useEffect(() => {
    const [line = ''] = text.split('\n')
    subject.value = line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).trimEnd()}…` : line
    return () => {
      subject.value = undefined
    }
  }, [text])
}
