import { useEffect, useRef, useState } from 'preact/hooks'
import type { BrowseAnswer } from '../../src/contracts/console/browse.js'
import { listen } from './live.js'

/** New facts wait behind a button, unless the list is at its top, unselected and without focus. */
export function useNews(page: BrowseAnswer, reload: () => void, busy: boolean): number {
  const [count, setCount] = useState(0)
  const seen = useRef(new Set<string>())
  const first = page.facts[0]?.id
  useEffect(() => {
    seen.current.clear()
    setCount(0)
  }, [first])
  useEffect(
    () =>
      listen((changes) => {
        const created = changes.filter((one) => one.kind === 'fact' && one.created === true)
        if (created.length === 0) return
        for (const one of created) seen.current.add(one.target)
        const top = (document.querySelector('.panel')?.scrollTop ?? 0) < 40
        const inList = document.activeElement?.closest('.list') !== null && document.activeElement?.closest('.list') !== undefined
        if (top && !busy && !inList) reload()
        else setCount(seen.current.size)
      }),
    [busy, reload],
  )
  return count
}
