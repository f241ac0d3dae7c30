import { useEffect, useState } from 'preact/hooks'
import type { AskAnswer } from '../../src/contracts/console/ask.js'
import { Results, Verdict } from '../parts/ask-results.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { WhyNot } from '../parts/why-not.js'
import { say } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { focusedRow, useKeys } from '../state/keys.js'
import { asOf, change, href, route } from '../state/route.js'
import { dayOf, ownerName } from '../state/words.js'

export function Ask() {
  const { params } = route.value
  const question = params.get('q') ?? ''
  const mode = params.get('effort') ?? 'best'
  const owner = params.get('owner')
  const code = params.get('code') === 'on'
  const input = (effort: string): object | undefined =>
    question === ''
      ? undefined
      : { question, effort, code, limit: 10, ...(owner === null ? {} : { owner }), ...(asOf.value === null ? {} : { as_of: asOf.value }) }
  const fast = useAnswer<AskAnswer>('console/ask', mode === 'best' ? undefined : input('fast'))
  const best = useAnswer<AskAnswer>('console/ask', mode === 'fast' ? undefined : input('best'))
  const [why, setWhy] = useState<string | undefined>(params.get('why') ?? undefined)
  const main = mode === 'fast' ? fast : best
  useKeys({
    c: () => void copyCall(),
    w: () => setWhy(focusedRow() ?? why),
    Escape: () => setWhy(undefined),
  })
  const copyCall = async (): Promise<void> => {
    const given = {
      query: question,
      ...(owner === null ? {} : { user_id: owner }),
      ...(code ? { include_code: true } : {}),
      ...(asOf.value === null ? {} : { as_of: asOf.value }),
      explain: true,
      effort: mode === 'fast' ? 'fast' : 'best',
    }
    const text = `mneme call memory recall --json '${JSON.stringify(given).replaceAll("'", "'\\''")}'`
    await navigator.clipboard.writeText(text).then(
      () => say('Copied.'),
      () => say(text),
    )
  }
  return (
    <>
      <h1 class="sr">Ask</h1>
      <div class="lookfor">
        <Question question={question} />
        {question !== '' && (
          <>
            <div class="between">
              <div class="flow">
                <div class="seg" role="group" aria-label="Effort">
                  {[
                    ['fast', 'Fast'],
                    ['best', 'Best'],
                    ['both', 'Side by side'],
                  ].map(([name = '', label]) => (
                    <button key={name} type="button" aria-pressed={mode === name} onClick={() => change({ effort: name })}>
                      {label}
                    </button>
                  ))}
                </div>
                <button type="button" class="chip" aria-pressed={code} onClick={() => change({ code: code ? null : 'on' })}>
                  code <b>{code ? 'on' : 'off'}</b>
                </button>
                <OwnerChip owner={owner} owners={main.value?.owners ?? []} />
                <a class="chip" href={href('time')}>
                  as of <b>{asOf.value === null ? 'now' : dayOf(asOf.value)}</b>
                </a>
              </div>
              <button type="button" class="btn quiet wide-only" onClick={() => void copyCall()}>
                <Icon name="copy" />
                Copy as mneme call <kbd>c</kbd>
              </button>
            </div>
            <Verdict answers={mode === 'both' ? [fast, best] : [main]} />
          </>
        )}
      </div>
      {question === '' ? (
        <div class="empty">
          <h2>Ask as your agent would.</h2>
          <p>Every result shows what made its score: meaning, words, links and the reranker. Pick any fact to see why it was not told.</p>
        </div>
      ) : (
        <div class={`ask block${mode === 'both' ? '' : ' one-way'}`}>
          {mode !== 'best' && (
            <section aria-labelledby="c-fast">
              <div class="head">
                <h2 id="c-fast">Fast</h2>
                <span class="faint">without the reranker</span>
              </div>
              <Loaded answer={fast}>
                {(answer) => <Results answer={answer} other={mode === 'both' ? best.value : undefined} name="best" onWhy={setWhy} />}
              </Loaded>
            </section>
          )}
          {mode !== 'fast' && (
            <section aria-labelledby="c-best">
              <div class="head">
                <h2 id="c-best">Best</h2>
                <span class="faint">
                  {best.value?.reranking === 'used' ? 'the first 30 read again' : `reranker ${best.value?.reranking ?? ''}`}
                </span>
              </div>
              <Loaded answer={best}>
                {(answer) => <Results answer={answer} other={mode === 'both' ? fast.value : undefined} name="fast" onWhy={setWhy} />}
              </Loaded>
            </section>
          )}
          <WhyNot question={question} owner={owner} effort={mode === 'fast' ? 'fast' : 'best'} fact={why} onPick={setWhy} />
        </div>
      )}
    </>
  )
}

function Question({ question }: { readonly question: string }) {
  const [text, setText] = useState(question)
  useEffect(() => setText(question), [question])
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') change({ q: text.trim() })
      }}
    >
      <label class="find big">
        <span class="sr">Question</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Which port does the api use?"
          value={text}
          autofocus={question === ''}
          onInput={(event) => setText(event.currentTarget.value)}
          autocomplete="off"
        />
        <kbd class="hint">Enter</kbd>
      </label>
    </form>
  )
}

function OwnerChip({ owner, owners }: { readonly owner: string | null; readonly owners: readonly string[] }) {
  return (
    <label class="chip">
      owner
      <select
        class="bare"
        value={owner ?? ''}
        onChange={(event) => change({ owner: event.currentTarget.value === '' ? null : event.currentTarget.value })}
      >
        <option value="">everyone</option>
        {[...new Set([...(owner === null ? [] : [owner]), ...owners])].map((one) => (
          <option key={one} value={one}>
            {ownerName(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
