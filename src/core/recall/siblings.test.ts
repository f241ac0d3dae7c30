import { describe, expect, test } from 'vitest'
import { areSiblings, asksForOlder } from './siblings.js'

describe('the question means the older', () => {
  test.each([
    ['red pump', 'The red pump was replaced in May', 'The blue pump was replaced in June'],
    ['backup server A', 'Backup of server A runs at 02:00', 'Backup of server B runs at 03:00'],
    ['when is the ward round on C3', 'Ward round on station C3 is at 7:30', 'Ward round on station C4 is at 8:15'],
    ['kiln 1 temperature', 'Kiln 1 fires at 1,060 degrees', 'Kiln 2 fires at 1,240 degrees'],
    ['how much warfarin does Mr. Haddad get', 'In bed 4, Mr. Haddad gets 5 mg of warfarin', 'In bed 7, Mrs. Lund gets 2 mg of warfarin'],
    ['how much for haddad', 'In bed 4, Mr. Haddad gets 5 mg of warfarin', 'In bed 7, Mrs. Lund gets 2 mg of warfarin'],
    ['what about Haddad', 'Haddad gets 5 mg of warfarin', 'Lund gets 2 mg of warfarin'],
    ['when is the maths exam', 'The maths exam is on May 12', 'The biology exam is on May 20'],
    ['release 2.14.3', 'Release 2.14.3 broke the login', 'Release 2.14.30 broke the search'],
  ])('%s', (question, older, newer) => {
    expect(asksForOlder({ question, older, newer }, false)).toBe(true)
    expect(asksForOlder({ question, older, newer }, true)).toBe(true)
    expect(asksForOlder({ question, older: newer, newer: older }, false)).toBe(false)
  })

  test.each([
    ['What dose does Marta take?', 'Marta takes 75 micrograms', 'Pharmacy order for Marta: 88 micrograms'],
    ['Which clone do I use?', 'Use clone 7 for experiments', 'Clone 11 is the one for experiments'],
    ['What did I decide on the hotel?', 'I decided on Hotel Krone', 'Hotel Adler it is'],
    ['A note on plans', 'A plan for Mondays', 'Plans for Mondays'],
    ['Go version of core', 'core builds with Go 1.22', 'core: go.mod says 1.24 now'],
    ['how many requests may a merchant send to our API', 'Public API rate limit: 100 per merchant', 'Gateway: merchant rate limit 250'],
    ['', 'Kiln 1 fires at noon', 'Kiln 2 fires at noon'],
  ])('not in %j', (question, older, newer) => {
    expect(asksForOlder({ question, older, newer }, false)).toBe(false)
  })

  test('unless a change is told of someone else whom both name', () => {
    const older = 'Café Fennel (Gwen Aldous): 12 kg every two weeks'
    const newer = 'From June on Gwen Aldous raised the order to 18 kg'
    const question = 'how much does Café Fennel get'
    expect([true, false].map((changed) => asksForOlder({ question, older, newer }, changed))).toEqual([false, true])
    expect(asksForOlder({ question: 'how much does Gwen at Café Fennel get', older, newer }, true)).toBe(false)
    expect(asksForOlder({ question: 'what does Fennel of Gwen Aldous get', older, newer }, true)).toBe(true)
  })
})

describe('two of a kind', () => {
  test.each([
    ['Invoice 117 was sent on Monday', 'Invoice 118 was sent on Tuesday'],
    ['Locker 100 belongs to Ana', 'Locker 104 belongs to Ben'],
    ['Server A runs Debian', 'Server B runs Alpine'],
    ['db-prod-02 has 64 GB of RAM', 'db-prod-03 has 128 GB of RAM'],
    ["Marta's passport expires in 2027", "Jonas's passport expires in 2029"],
    ['Marta’s passport expires in 2027', 'Jonas’s passport expires in 2029'],
    ['The red pump leaks', 'The blue pump leaks'],
  ])('%s, %s', (older, newer) => {
    expect(areSiblings({ question: 'what is new', older, newer })).toBe(true)
  })

  test.each([
    ['Node 18 in the image', 'Node 22 in the image'],
    ['Invoices are payable within 30 days', 'Payment deadline on invoices is 14 days'],
    ['Memory limit 256Mi', 'Memory limit 512Mi'],
    ['Marta takes levothyroxine 75 micrograms', 'Marta: levothyroxine 88 micrograms'],
    ['Room 12 is booked', 'Room 12 is free'],
    ['We have at least one order', 'That means one order'],
    ['The pump, red, leaks', 'The pump, blue, leaks'],
    ['C3 and D1 are open', 'C3 and C5 are open'],
    ['C3 and C4 are open', 'C3 is open'],
  ])('not %s, %s', (older, newer) => {
    expect(areSiblings({ question: 'what is new', older, newer })).toBe(false)
  })

  test('unless the question asks which one it is, or what the word is about that differs', () => {
    const rooms = { older: 'The meeting is in room 3', newer: 'The meeting is in room 7' }
    expect(areSiblings({ question: 'when is the meeting', ...rooms })).toBe(true)
    expect(areSiblings({ question: 'in which room is the meeting', ...rooms })).toBe(false)
    expect(areSiblings({ question: 'what room is the meeting in', ...rooms })).toBe(false)
    const walls = { older: 'The hall has blue walls', newer: 'The hall has green walls' }
    expect(areSiblings({ question: 'what colour are the walls', ...walls })).toBe(false)
    expect(areSiblings({ question: 'tell me about the hall', ...walls })).toBe(true)
    const passports = { older: "Marta's passport expires in May", newer: "Jonas's passport expires in June" }
    expect(areSiblings({ question: 'when does the passport expire', ...passports })).toBe(true)
  })

  test('is told of long notes by their beginning, in little time', () => {
    const long = `Locker 100 ${'belongs to Ana '.repeat(20_000)}`
    expect(areSiblings({ question: 'x '.repeat(50_000), older: long, newer: 'Locker 104 belongs to Ben' })).toBe(true)
  })
})
