import { useState } from 'preact/hooks'
import { say } from '../state/actions.js'
import { revision, useAnswer } from '../state/answers.js'
import { type ApiError, call, signIn } from '../state/api.js'
import { newKey, refreshSession, session } from '../state/session.js'
import { dateAndTime, shown } from '../state/words.js'
import { Loaded } from './feedback.js'

interface KeyList {
  readonly keys: readonly {
    readonly id: string
    readonly owner: string
    readonly entity: string
    readonly scopes: readonly string[]
    readonly gardens: Readonly<Record<string, string>>
    readonly rights: readonly string[]
    readonly created_at: string
    readonly revoked_at: string | null
  }[]
}

const RIGHTS = ['read', 'write', 'admin', 'federated'] as const
const COLUMNS = ['Key', 'Owner', 'Speaks as', 'Rights', 'Scopes', 'Gardens', 'Made']

export function Keys() {
  const answer = useAnswer<KeyList>('admin/keys_list', {})
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
          <p class="dim">
            {keys.length === 0
              ? 'Once there is a key, every program needs one; this page goes on with the new one. Without the right admin, it can manage no further keys.'
              : 'Every program needs one of these keys, and so does this page.'}
          </p>
          {keys.length > 0 && (
            <div class="scroll" tabIndex={0} role="group" aria-label="Keys">
              <table class="table">
                <thead>
                  <tr>
                    {COLUMNS.map((title) => (
                      <th key={title} scope="col">
                        {title}
                      </th>
                    ))}
                    <th scope="col">
                      <span class="sr">Revoke</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {keys.map(({ id, owner, entity, rights, scopes, gardens, created_at: made, revoked_at: revoked }) => (
                    <tr key={id}>
                      <th scope="row" class="mono">
                        {id}
                      </th>
                      <td dir="auto">{owner === '*' ? 'everyone' : owner}</td>
                      <td dir="auto">{entity}</td>
                      <td>{shown(rights)}</td>
                      <td>{shown(scopes)}</td>
                      <td>{shown(Object.entries(gardens).map(([garden, role]) => `${garden} (${role})`))}</td>
                      <td>{dateAndTime(made)}</td>
                      <td class="r">
                        {revoked === null ? (
                          <button type="button" class="btn quiet danger" aria-label={`Revoke ${id}`} onClick={() => revoke(id)}>
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
          <NewKey />
        </>
      )}
    </Loaded>
  )
}

function NewKey() {
  const [owner, setOwner] = useState('')
  const [rights, setRights] = useState<readonly string[]>(['read', 'write'])
  const create = async (event: Event): Promise<void> => {
    event.preventDefault()
    await call<{ readonly key: string }>('admin/keys_create', { owner: owner.trim(), right: rights }).then(
      async ({ key }) => {
        newKey.value = key
        setOwner('')
        // With the first key the session of this page ends: it goes on with the new one.
        if (session.value?.local === true) await signIn({ key }).then(refreshSession)
      },
      (failure: ApiError) => say(`${failure.message} ${failure.hint ?? ''}`, { bad: true }),
    )
    revision.value += 1
  }
  const toggle = (right: string): void => setRights(rights.includes(right) ? rights.filter((one) => one !== right) : [...rights, right])
  return (
    <form class="stack block" onSubmit={(event) => void create(event)}>
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
        <small>Whose memory it opens; * is everyone.</small>
      </div>
      <fieldset class="flow">
        <legend class="sr">Rights</legend>
        {RIGHTS.map((right) => (
          <label key={right} class="check">
            <input type="checkbox" checked={rights.includes(right)} onChange={() => toggle(right)} />
            {right}
          </label>
        ))}
      </fieldset>
      <div>
        <button type="submit" class="btn" disabled={rights.length === 0}>
          Create
        </button>
      </div>
    </form>
  )
}
