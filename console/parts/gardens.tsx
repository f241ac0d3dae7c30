import { useState } from 'preact/hooks'
import { say } from '../state/actions.js'
import { revision, useAnswer } from '../state/answers.js'
import { type ApiError, call } from '../state/api.js'
import { Loaded } from './feedback.js'

interface GardenList {
  readonly gardens: readonly {
    readonly slug: string
    readonly name: string
    readonly scope: string
    readonly quarantine: boolean
    readonly members: readonly unknown[]
  }[]
}

interface MemberList {
  readonly members: readonly { readonly entity_uri: string; readonly role: string }[]
}

const SCOPES = ['local', 'team', 'company', 'public'] as const
const ROLES = ['reader', 'writer', 'quarantine:moderator', 'admin'] as const

/** Calls an operation on gardens; says what was done, or why not. */
async function change(tool: string, input: object, done: string): Promise<boolean> {
  const did = await call(`access/${tool}`, input).then(
    () => true,
    (failure: ApiError) => {
      say(`${failure.message} ${failure.hint ?? ''}`, { bad: true })
      return false
    },
  )
  if (did) say(done)
  revision.value += 1
  return did
}

export function Gardens() {
  const answer = useAnswer<GardenList>('access/list_gardens', {})
  const [open, setOpen] = useState<string>()
  return (
    <Loaded answer={answer}>
      {({ gardens }) => (
        <>
          <p class="dim">A garden is a members-only partition of facts.</p>
          {gardens.length === 0 ? (
            <p class="dim block">There is no garden yet.</p>
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
                    <th scope="col">
                      <span class="sr">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {gardens.map(({ slug, name, scope, quarantine, members }) => (
                    <tr key={slug}>
                      <th scope="row" dir="auto">
                        {name} <span class="faint mono">{slug}</span>
                      </th>
                      <td>{scope}</td>
                      <td>{quarantine ? 'yes' : 'no'}</td>
                      <td class="r">{members.length}</td>
                      <td class="r">
                        <button
                          type="button"
                          class="btn quiet"
                          aria-expanded={open === slug}
                          aria-label={`Members of ${name}`}
                          onClick={() => setOpen(open === slug ? undefined : slug)}
                        >
                          Members
                        </button>
                        <button
                          type="button"
                          class="btn quiet danger"
                          aria-label={`Close ${name}`}
                          onClick={() => void change('delete_garden', { slug }, 'Closed. Its facts stay, for administrators only.')}
                        >
                          Close
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {open !== undefined && gardens.some(({ slug }) => slug === open) && <Members slug={open} />}
          <NewGarden />
        </>
      )}
    </Loaded>
  )
}

function Members({ slug }: { readonly slug: string }) {
  const answer = useAnswer<MemberList>('access/list_garden_members', { slug })
  const [entity, setEntity] = useState('')
  const [role, setRole] = useState('reader')
  const set = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (await change('set_garden_member', { slug, entity: entity.trim(), role }, 'Set.')) setEntity('')
  }
  return (
    <section class="block" aria-label={`Members of ${slug}`}>
      <Loaded answer={answer} lines={2}>
        {({ members }) => (
          <ul class="list">
            {members.map(({ entity_uri: uri, role: has }) => (
              <li key={uri} class="between">
                <span dir="auto">{uri}</span>
                <span class="flow">
                  <span class="faint">{has}</span>
                  <button
                    type="button"
                    class="btn quiet danger"
                    aria-label={`Remove ${uri}`}
                    onClick={() => void change('remove_garden_member', { slug, entity: uri }, 'Removed.')}
                  >
                    Remove
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <form class="flow block" onSubmit={(event) => void set(event)}>
        <div class="field">
          <label for="member">Member, as a URI such as user:ann</label>
          <input
            id="member"
            class="input"
            value={entity}
            required
            autocomplete="off"
            onInput={(event) => setEntity(event.currentTarget.value)}
          />
        </div>
        <label class="chip">
          role
          <select class="bare" value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {ROLES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="btn">
          Set
        </button>
      </form>
    </section>
  )
}

function NewGarden() {
  const [name, setName] = useState('')
  const [scope, setScope] = useState('company')
  const [quarantine, setQuarantine] = useState(false)
  const slug = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 63)
  const create = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (await change('create_garden', { slug, name: name.trim(), scope, quarantine }, 'Created.')) setName('')
  }
  return (
    <form class="flow block" onSubmit={(event) => void create(event)}>
      <div class="field">
        <label for="garden-name">Name of a new garden</label>
        <input
          id="garden-name"
          class="input"
          value={name}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <label class="chip">
        scope
        <select class="bare" value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
          {SCOPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={quarantine} onChange={() => setQuarantine(!quarantine)} />
        holds facts back until a moderator decides
      </label>
      <button type="submit" class="btn" disabled={slug === ''}>
        Create
      </button>
    </form>
  )
}
