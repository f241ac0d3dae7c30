import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aFact, anEntity } from '../../../test/contract/samples.js'
import { secretForms } from '../../../test/secrets/forms.js'
import type { Fact } from '../facts/fact.js'
import type { Edge } from '../graph/edge.js'
import { maskChange, maskText } from './mask.js'
import { secretsIn } from './scan.js'

function masked(text: string): { readonly text: string; readonly kinds: readonly string[] } {
  const kinds: string[] = []
  return { text: maskText(text, kinds), kinds }
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

describe('secrets are recognised by their form', () => {
  it('knows more than sixty forms', () => expect(secretForms().length).toBeGreaterThan(100))

  it.each(secretForms())('$name', ({ text, secret }) => {
    const { text: out, kinds } = masked(text)
    expect(kinds).not.toEqual([])
    for (const line of linesOf(secret)) expect(out).not.toContain(line)
    for (const kind of kinds) expect(out).toContain(`[masked ${kind}]`)
  })

  it('in random samples, within other text, and once only', () => {
    for (let seed = 2; seed < 30; seed++) {
      for (const { name, text, secret } of secretForms(seed)) {
        const { text: out } = masked(`Some words before,\n${text}\nand others after.`)
        expect(linesOf(secret).filter((line) => out.includes(line)).length, `${name}: ${text}`).toBe(0)
        expect(masked(out)).toEqual({ text: out, kinds: [] })
        expect(out.split('\n')).toHaveLength(`Some words before,\n${text}\nand others after.`.split('\n').length)
      }
    }
  })

  it('says whose key it is rather than what it was called', () => {
    const forms = new Map(secretForms().map((form) => [form.name, form.text]))
    expect(masked(forms.get('ghp') ?? '').text).toBe('export GITHUB_TOKEN=[masked github token]')
    expect(masked(forms.get('env password') ?? '').text).toBe('DB_PASSWORD=[masked password]')
    expect(masked(forms.get('postgres') ?? '').text).toBe('postgres://ann:[masked password]@db.example.com:5432/shop')
  })
})

/** In front of a brace the linter takes it for a mistake. */
const SIGN = '$'

describe('a text without a secret stays unchanged', () => {
  it.each([
    'const token = await getToken(request)',
    'password: string',
    'password: z.string().min(8)',
    "const { password } = req.body; if (!password) throw new Error('password required')",
    'API_KEY=your-api-key-here',
    'api_key: "<your api key>"',
    `export TOKEN=${SIGN}{GITHUB_TOKEN}`,
    `token: ${SIGN}{{ secrets.GITHUB_TOKEN }}`,
    'password = process.env.DB_PASSWORD',
    'password=os.environ["DB_PASSWORD"]',
    'DB_PASSWORD=changeme',
    'DB_PASSWORD=password123',
    'secret: "xxxxxxxxxxxxxxxxxxxxxxxx"',
    'sk-ant-your-api-key-here-please',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'Authorization: Bearer <token>',
    'Authorization: Bearer YOUR_ACCESS_TOKEN_HERE',
    'postgres://user:password@localhost:5432/db',
    'postgres://postgres:postgres@localhost/test',
    `redis://user:${SIGN}{REDIS_PASSWORD}@cache:6379`,
    'http://localhost:7077/path@version',
    'see https://example.com:8080/a@b',
    'commit 94ec67c3f2a1b0d9e8c7b6a5f4e3d2c1b0a99887 fixed the token check',
    'id: 123e4567-e89b-12d3-a456-426614174000',
    '"integrity": "sha512-9m5K3v2Z8xQ1w4R7t6Y0uIpAsDfGhJkLzXcVbNmQwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOpAsDfGhJk=="',
    'background: #ff00aa; color: #1b2c3d4e',
    '<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">',
    'function a(b,c){var d=e.token,f=g.password;return d===f?h(d):i[f]}var j="k9",l=m.secret||n.o',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGxvbmdwdWJsaWNrZXlwYXJ0aGVyZQ ann@host',
    'the password is required and must be at least 12 characters long',
    'the token is a base64 string, the secret is kept in Vault',
    'return token = SyntaxKind.AmpersandAmpersandEqualsToken;',
    'class="sk-folding-cube-spinner-container"',
    'next_token = "eyJ2ZXJzaW9uIjoiMSJ9"',
    'primary_key: users_2024_id_v2',
    'password: "auth.form.password.label"',
    'max_tokens: 4096, tokenizer: "cl100k_base"',
    'echo $1$2$3',
    'They met at 1600 Pennsylvania Ave; the secret to good tea is 80 degrees.',
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    'a -----BEGIN CERTIFICATE-----',
    '{"password": "[masked password]"}',
  ])('%s', (text) => expect(masked(text)).toEqual({ text, kinds: [] }))

  it('keeps everything but the secret, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        let at = 0
        for (const { from, to } of secretsIn(text)) {
          expect(from).toBeGreaterThanOrEqual(at)
          expect(to).toBeGreaterThan(from)
          at = to
        }
        expect(at).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

describe('every field of what is stored', () => {
  const secret = secretForms().find(({ name }) => name === 'ghp')?.secret ?? ''

  it('masks values by their names', () => {
    const edge: Edge = {
      id: 'e',
      owner: 'o',
      from: 'a',
      fromKind: 'fact',
      to: 'b',
      toKind: 'fact',
      type: 't',
      weight: 1,
      confidence: 1,
      trust: null,
      scope: 'local',
      factId: null,
      createdAt: 1,
      validUntil: null,
      version: 1,
      properties: { password: 'quincejam9', list: [{ note: `use ${secret}` }], [secret]: true, count: 3 },
    }
    const kinds: string[] = []
    const change = maskChange({ op: 'edge.put', edge, reason: secret }, kinds)
    expect(change).toEqual({
      op: 'edge.put',
      edge: {
        ...edge,
        properties: {
          password: '[masked password]',
          list: [{ note: 'use [masked github token]' }],
          '[masked github token]': true,
          count: 3,
        },
      },
      reason: '[masked github token]',
    })
    expect(kinds).toEqual(['password', 'github token', 'github token', 'github token'])
  })

  it('masks facts, and composes the text of a statement again', () => {
    const statement = { subject: 'user:ann', valueType: 'string', assertedConfidence: 1 }
    const stored = aFact({
      id: 'f',
      text: 'said',
      title: secret,
      author: null,
      predicate: 'db:password',
      value: 'quincejam9',
      metadata: { token: secret },
    })
    const masked = (fact: Fact): unknown => maskChange({ op: 'fact.put', fact }, [])
    expect(masked(stored)).toMatchObject({
      fact: { text: 'said', title: '[masked github token]', value: '[masked password]', metadata: { token: '[masked github token]' } },
    })
    expect(masked({ ...stored, ...statement })).toMatchObject({ fact: { text: 'ann db:password [masked password]' } })
    // Its text was given: it is as it was where its value is.
    expect(masked({ ...stored, ...statement, value: 'Rome' })).toMatchObject({ fact: { text: 'said', value: 'Rome' } })
    expect(masked({ ...stored, predicate: null })).toMatchObject({ fact: { value: 'quincejam9' } })
    expect(masked({ ...stored, text: 'quincejam9', value: null })).toMatchObject({ fact: { text: 'quincejam9' } })
  })

  it('masks entities', () => {
    const entity = anEntity({ id: 'e', name: secret, description: null, aliases: [secret], uri: secret })
    expect(maskChange({ op: 'entity.put', entity }, [])).toMatchObject({
      entity: { name: '[masked github token]', description: null, aliases: ['[masked github token]'], uri: '[masked github token]' },
    })
  })

  it('gives the same change back where there is nothing to mask', () => {
    const change = { op: 'fact.delete', id: 'a', owner: 'o', reason: 'old' } as const
    expect(maskChange(change, [])).toBe(change)
  })
})
