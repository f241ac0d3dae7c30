import { useState } from 'preact/hooks'
import type { SettingsAnswer } from '../../src/contracts/console/settings.js'
import { Loaded } from '../parts/feedback.js'
import { Gardens } from '../parts/gardens.js'
import { Keys } from '../parts/keys-table.js'
import { act } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { href, route } from '../state/route.js'
import { countOrText, shown, spacedWords } from '../state/words.js'

const PARTS = ['settings', 'health', 'keys', 'gardens'] as const

export function Settings() {
  const part = route.value.params.get('part') ?? 'settings'
  return (
    <>
      <h1>Settings</h1>
      <nav class="tabs block" aria-label="Settings">
        {PARTS.map((name) => (
          <a
            key={name}
            href={href('settings', { part: name === 'settings' ? null : name })}
            aria-current={part === name ? 'true' : undefined}
          >
            {`${name[0]?.toUpperCase()}${name.slice(1)}`}
          </a>
        ))}
      </nav>
      <div class="block">{part === 'health' ? <Health /> : part === 'keys' ? <Keys /> : part === 'gardens' ? <Gardens /> : <Values />}</div>
    </>
  )
}

function Values() {
  const answer = useAnswer<SettingsAnswer>('console/settings', {})
  const [only, setOnly] = useState(false)
  return (
    <Loaded answer={answer} lines={12}>
      {({ settings }) => (
        <>
          <p class="dim">
            Values in force, and where each comes from: a flag, a variable, the file <code>config.json</code> in the data directory, or the
            default.
          </p>
          <label class="check">
            <input type="checkbox" checked={only} onChange={() => setOnly(!only)} />
            only what was set
          </label>
          <div class="scroll" tabIndex={0} role="group" aria-label="Settings">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Setting</th>
                  <th scope="col">Value</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {settings
                  .filter(({ origin }) => !only || origin !== 'default')
                  .map(({ key, value, origin }) => (
                    <tr key={key}>
                      <th scope="row" class="mono">
                        {key}
                      </th>
                      <td class="wrapped">{shown(value)}</td>
                      <td class={origin === 'default' ? 'faint' : ''}>{origin}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Loaded>
  )
}

interface Report {
  readonly healthy: boolean
  readonly findings: readonly { readonly severity?: string; readonly what?: string; readonly remedy?: string }[]
  readonly store: Readonly<Record<string, unknown>>
}

function Health() {
  const answer = useAnswer<Report>('admin/doctor', {})
  return (
    <Loaded answer={answer}>
      {({ healthy, findings, store }) => (
        <>
          <p class="health">
            <span class={`mark ${healthy ? 'current' : 'contested'}`} aria-hidden="true" />{' '}
            {healthy ? 'The store is whole.' : 'The store needs attention.'}
          </p>
          {findings.map(({ what, remedy, severity }) => (
            <div key={what} class={`banner block${severity === 'error' ? ' bad' : ''}`} role={severity === 'error' ? 'alert' : 'status'}>
              <p>
                <b>{what}</b> {remedy}
              </p>
            </div>
          ))}
          <dl class="kv block">
            {Object.entries(store).map(([name, value]) => [
              <dt key={name}>{spacedWords(name)}</dt>,
              <dd key={`${name}=`} class="wrapped">
                {countOrText(value)}
              </dd>,
            ])}
          </dl>
          <div class="flow block">
            <button type="button" class="btn" onClick={answer.reload}>
              Examine again
            </button>
            <button type="button" class="btn" onClick={() => void act({ tool: 'admin/mend', input: {}, done: 'Mended.' })}>
              Mend
            </button>
            <button type="button" class="btn" onClick={() => void act({ tool: 'admin/compact', input: {}, done: 'Compacted.' })}>
              Compact
            </button>
          </div>
        </>
      )}
    </Loaded>
  )
}
