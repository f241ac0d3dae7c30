import { describe, expect, test } from 'vitest'
import { isSecretOf, secretName } from './assignments.js'
import { secretsIn } from './scan.js'

const found = (text: string): readonly string[] => secretsIn(text).map(({ from, to }) => text.slice(from, to))

describe('the password of an address', () => {
  test.each([
    ['postgres://ann:s3cr3t-9x@db.example/app', 's3cr3t-9x'],
    ['redis://:hunt7er2x@cache:6379', 'hunt7er2x'],
    ['amqp://ann:a1b@host', 'a1b'],
    ['https://ann:pa/ss7word@host/path', 'pa/ss7word'],
    ['https://ann:t0p@s3cret@host', 't0p@s3cret'],
    ['see (mysql://root:Zk9vQx@db) and more', 'Zk9vQx'],
    ['a://b:Qw3rtz/x@h c://d:Zk9vQx/y@h', 'Qw3rtz/x Zk9vQx/y'],
    ['a://b:Qw3rtz/x@h,c://d@e', 'Qw3rtz/x'],
    [`ftp://ann:${'k9'.repeat(30)}/z@host`, `${'k9'.repeat(30)}/z`],
  ])('%s', (text, password) => {
    expect(found(text).join(' ')).toBe(password)
  })

  test.each([
    'http://localhost:7077/mcp',
    'http://host:8080/a@b',
    'http://host:80/:9@b',
    'https://example.org/a:b@c',
    'postgres://ann@db/app',
    'postgres://ann:ab@db',
    'postgres://ann:a9@db',
    'postgres://ann:password@db',
    'postgres://ann:ann@db',
    'postgres://ann:{{PASSWORD}}@db',
    'postgres://user:your-password@db',
    'postgres://ann:xxxxxx@db',
    'a://b:c and d@e',
    'http://host:port/path',
    'proxy://a:http://b@c',
  ])('is not found in: %s', (text) => {
    expect(found(text)).toEqual([])
  })

  test('an address whose path is the key', () => {
    const key = 'T02AB3CD4/B05EF6GH7/k9Vx2mQ7pL4sR8tW1yZ3nB6c'
    expect(found(`https://hooks.slack.com/services/${key} posts there`)).toEqual([key])
    expect(found('https://hooks.slack.com/services/T02AB3CD4/B05EF6G')).toEqual(['T02AB3CD4/B05EF6G'])
    for (const none of [
      'https://hooks.slack.com/services/T02AB3CD4/B05EF6',
      'https://hooks.slack.com/services/XXXXXXXXX/XXXXXXXXX/XXXXXXX',
    ])
      expect(found(none)).toEqual([])
  })
})

describe('names of secrets', () => {
  test.each([
    ['DB_PASSWORD', 'password'],
    ['password2', 'password'],
    ['clientSecret', 'secret'],
    ['STRIPE_API_KEY', 'api key'],
    ['signing-key', 'key'],
    ['access_token', 'token'],
    ['api_key_prod', 'api key'],
    ['DB_PASS', 'password'],
    ['root_pw', 'password'],
    ['GITHUB_PAT', 'token'],
    [`${'x'.repeat(72)}password`, 'password'],
  ])('%s is a %s', (name, kind) => {
    expect(secretName(name)).toBe(kind)
  })

  test.each(['next_page_token', 'monkey', 'compass', 'format', 'tokens_used', 'author', '123', '', `${'x'.repeat(73)}password`])(
    'is not found in: %s',
    (name) => {
      expect(secretName(name)).toBeUndefined()
    },
  )
})

describe('a value assigned to the name of a secret', () => {
  test.each([
    ['password=Zk9vQx', 'Zk9vQx'],
    ['password: "Zk9vQx!"', 'Zk9vQx!'],
    ['PASSWORD := Zk9!vQx7p', 'Zk9!vQx7p'],
    ["db_password => 'Zk9vQx7p'", 'Zk9vQx7p'],
    ['the password is Zk9!vQx7p', 'Zk9!vQx7p'],
    ['changed the password to Zk9!vQx7p', 'Zk9!vQx7p'],
    ['setPassword("Zk9!vQx7p")', 'Zk9!vQx7p'],
    ["setPassword('Zk9!vQx7p')", 'Zk9!vQx7p'],
    ['<password>Zk9vQx7p</password>', 'Zk9vQx7p'],
    ['if (password != "Zk9vQx7p")', 'Zk9vQx7p'],
    ['if (password !== "Zk9vQx7p")', 'Zk9vQx7p'],
    ['Server=db;Password=tulip7;Port=1', 'tulip7'],
    ['https://x.example/a?password=tulip7&next=1', 'tulip7'],
    ['https://x.example/a?u=1&password=tulip7', 'tulip7'],
    ['https://x.example/a?secret=JBSWYKTPEHPKQWEX', 'JBSWYKTPEHPKQWEX'],
    ['{"client_secret": "q8Zk2vXw9LmP4rT7sB1n"}', 'q8Zk2vXw9LmP4rT7sB1n'],
    ['API_KEY=q8Zk2vXw9LmP4rT7sB1nQ6yH', 'q8Zk2vXw9LmP4rT7sB1nQ6yH'],
    ['Authorization: Bearer q8Zk2vXw9LmP4rT7sB1nQ6yH', 'q8Zk2vXw9LmP4rT7sB1nQ6yH'],
    ['Authorization: token q8Zk2vXw9LmP4rT7sB1nQ6yH', 'q8Zk2vXw9LmP4rT7sB1nQ6yH'],
    ['authorization: ApiKey q8Zk2vXw9LmP4rT7sB1nQ6yH', 'q8Zk2vXw9LmP4rT7sB1nQ6yH'],
    ['password=Zk9vQx7p. Then go on', 'Zk9vQx7p'],
    ['password Zk9!vQx7p', 'Zk9!vQx7p'],
    ['password !Zk9!vQx7p', '!Zk9!vQx7p'],
    ['password=Zk9vQx7p user=ann', 'Zk9vQx7p'],
    ['"{\\"password\\": \\"Zk9vQx7p\\"}"', 'Zk9vQx7p'],
    ["password = b'Zk9vQx7p'", 'Zk9vQx7p'],
    ['a?u=1;password=tulip7', 'tulip7'],
    ['Server=db; Password=tulip7', 'tulip7'],
    ['Server=db;Password="tulip&7x"', 'tulip&7x'],
    ['x.example/a?api_key=tulip7', 'tulip7'],
    ['x.example/a?secret=tulip7', 'tulip7'],
    ['x.example/a?u=1&secret=tulip7', 'tulip7'],
    ['u=1;secret=tulip7', 'tulip7'],
    ['u=1; secret=tulip7', 'tulip7'],
    ['password = b"Zk9vQx7p"', 'Zk9vQx7p'],
    ['password=\\"Zk9vQx7p"', 'Zk9vQx7p'],
    ['password=Zk9vQx7p:user=ann', 'Zk9vQx7p'],
    ['password = :Zk9!vQx7p', ':Zk9!vQx7p'],
    ['API_KEY=q8Zk2vXw9LmP4rT7sB1nQ6yH==', 'q8Zk2vXw9LmP4rT7sB1nQ6yH=='],
    [`AWS_SESSION_TOKEN=${'q8Zk2vXw9LmP4rT7sB1nQ6yH'.repeat(40)} next`, 'q8Zk2vXw9LmP4rT7sB1nQ6yH'.repeat(40)],
    [`AWS_SESSION_TOKEN="${'q8Zk2vXw9LmP4rT7sB1nQ6yH'.repeat(40)}"`, 'q8Zk2vXw9LmP4rT7sB1nQ6yH'.repeat(40)],
  ])('%s', (text, secret) => {
    expect(found(text)).toEqual([secret])
  })

  test.each([
    'password=abcd',
    'password = your_password',
    'password is required',
    'the password must be changed',
    'password=config.database.password',
    'password: string',
    'password("label")',
    'api_key = load_key()',
    'token: next',
    'a?secret=SHORTSEEDAB',
    'secret santa = office party',
    'password={{PASSWORD}}',
    'tokens = 15000',
    'password=Zk9.vQx',
    'x=tulip7; y=secrets',
    'token=tulip7',
    'secret=tulip7',
    'u=1 secret=tulip7',
    'x.example/a?token=tulip7',
    'setPassword("tulip7")',
    'setPassword(Zk9!vQx7p)',
    'password -"Zk9!vQx7p"',
    'password >Zk9vQx7p',
    '(password)Zk9vQx7p',
    '(password)is Zk9!vQx7p',
    'password =tulip7',
    'password==tulip7',
    'password:tulip7',
    'password= tulip7',
  ])('is not found in: %s', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('a value with its name', () => {
  test.each([
    ['password', 'Zk9v.Qx7p', 'password'],
    ['password', ' tulip7 ', 'password'],
    ['password', 'tuli7', undefined],
    ['api_key', 'tulip7', undefined],
    ['colour', 'q8Zk2vXw9LmP4rT7sB1nQ6yH', undefined],
  ])('%s: %s', (name, value, kind) => {
    expect(isSecretOf(name, value)).toBe(kind)
  })
})
