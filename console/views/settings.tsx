import { useState } from 'preact/hooks'
import type { SettingsAnswer } from '../../src/contracts/console/settings.js'
import { Loaded } from '../parts/feedback.js'
import { act, say } from '../state/actions.js'
import { revision, useAnswer } from '../state/answers.js'
import { type ApiError, call } from '../state/api.js'
import { href, route } from '../state/route.js'
import { dateAndTime } from '../state/words.js'

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

const shown = (value: unknown): string =>
  value === null || value === undefined || value === '' ? 'not set' : Array.isArray(value) ? value.join(', ') || 'none' : String(value)

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
              <dt key={name}>{name.replaceAll('_', ' ')}</dt>,
              <dd key={`${name}=`}>{shown(value)}</dd>,
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

interface KeyList {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

function Keys() {
  const answer = useAnswer<KeyList>('admin/keys_list', {})
  const [owner, setOwner] = useState('')
  const [made, setMade] = useState<string>()
  const create = async (event: Event): Promise<void> => {
    event.preventDefault()
    await call<Readonly<Record<string, unknown>>>('admin/keys_create', { owner: owner.trim() }).then(
      (key) => {
        setMade(String(key.key ?? key.secret ?? key.raw_key ?? ''))
        setOwner('')
      },
      (failure: ApiError) => say(`${failure.message} ${failure.hint ?? ''}`, { bad: true }),
    )
    revision.value += 1
  }
  const revoke = (id: string): void =>
    void call('admin/keys_revoke', { id }).then(
      () => {
        say('Revoked.')
        revision.value += 1
      },
      (failure: ApiError) => say(failure.message, { bad: true }),
    )
  return (
    <Loaded answer={answer}>
      {({ keys }) => (
        <>
          <p class="dim">Once there is a key, everyone needs one, this page too.</p>
          {keys.length > 0 && (
            <div class="scroll" tabIndex={0} role="group" aria-label="Keys">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Key</th>
                    <th scope="col">Owner</th>
                    <th scope="col">Rights</th>
                    <th scope="col">Made</th>
                    <th scope="col">
                      <span class="sr">Revoke</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {keys.map((key) => (
                    <tr key={String(key.id)}>
                      <th scope="row" class="mono">
                        {String(key.name ?? key.id)}
                      </th>
                      <td>{shown(key.owner)}</td>
                      <td>{shown(key.rights ?? key.permissions)}</td>
                      <td>{typeof key.created_at === 'string' ? dateAndTime(key.created_at) : ''}</td>
                      <td class="r">
                        {key.revoked_at === undefined || key.revoked_at === null ? (
                          <button type="button" class="btn quiet danger" onClick={() => revoke(String(key.id))}>
                            Revoke
                          </button>
                        ) : (
                          <span class="faint">revoked</span>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {made !== undefined && (
            <div class="banner info block" role="status">
              <p>
                <b>Copy this key now; it is not shown again.</b> <code class="wrapped">{made}</code>
              </p>
            </div>
          )}
          <form class="flow block" onSubmit={(event) => void create(event)}>
            <div class="field">
              <label for="key-owner">Owner of a new key</label>
              <input
                id="key-owner"
                class="input"
                value={owner}
                required
                onInput={(event) => setOwner(event.currentTarget.value)}
                autocomplete="off"
              />
            </div>
            <button type="submit" class="btn">
              Create
            </button>
          </form>
        </>
      )}
    </Loaded>
  )
}

interface GardenList {
  readonly gardens: readonly {
    readonly slug: string
    readonly name: string
    readonly scope: string
    readonly quarantine: boolean
    readonly members: readonly unknown[]
  }[]
}

function Gardens() {
  const answer = useAnswer<GardenList>('access/list_gardens', {})
  return (
    <Loaded answer={answer}>
      {({ gardens }) =>
        gardens.length === 0 ? (
          <div class="empty">
            <h2>There is no garden.</h2>
            <p>A garden is a members-only partition of facts. A key with an entity creates one through the access contract.</p>
          </div>
        ) : (
          <div class="scroll" tabIndex={0} role="group" aria-label="Gardens">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Garden</th>
                  <th scope="col">Scope</th>
                  <th scope="col">Holds back</th>
                  <th scope="col" class="r">
                    Members
                  </th>
                </tr>
              </thead>
              <tbody>
                {gardens.map(({ slug, name, scope, quarantine, members }) => (
                  <tr key={slug}>
                    <th scope="row" dir="auto">
                      {name}
                    </th>
                    <td>{scope}</td>
                    <td>{quarantine ? 'yes' : 'no'}</td>
                    <td class="r">{members.length}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Loaded>
  )
}
