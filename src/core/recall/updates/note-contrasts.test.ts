import { describe, expect, test } from 'vitest'
import { findContrasts } from './note-contrasts.js'
import { readWords } from './note-words.js'

const contrasts = (question: string, older: string, newer: string) =>
  findContrasts({ question: readWords(question), older: readWords(older), newer: readWords(newer) })

const asksForOne = (question: string, older: string, newer: string): boolean => {
  const { askedOlder, askedNewer } = contrasts(question, older, newer)
  return askedOlder || askedNewer
}
const siblings = (question: string, older: string, newer: string): boolean => {
  const { name, label, code, subject } = contrasts(question, older, newer)
  return name || label || code || subject
}

describe('the question means one of two', () => {
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
    expect([asksForOne(question, older, newer), asksForOne(question, newer, older)]).toEqual([true, true])
  })

  test.each([
    ['What dose does Marta take?', 'Marta takes 75 micrograms', 'Pharmacy order for Marta: 88 micrograms'],
    ['Which clone do I use?', 'Use clone 7 for experiments', 'Clone 11 is the one for experiments'],
    ['What did I decide on the hotel?', 'I decided on Hotel Krone', 'Hotel Adler it is'],
    ['A note on plans', 'A plan for Mondays', 'Plans for Mondays'],
    ['Go version of core', 'core builds with Go 1.22', 'core: go.mod says 1.24 now'],
    ['how many requests may a merchant send to our API', 'Public API rate limit: 100 per merchant', 'Gateway: merchant rate limit 250'],
    ['', 'Kiln 1 fires at noon', 'Kiln 2 fires at noon'],
    ['how much is the rent, 1310?', 'The rent is 1310', 'The rent is 1,310 as of May'],
    ['status of the train 12', 'Train 12 and train 14 leave at 8', 'Train 12 now leaves at 9'],
  ])('not in %j', (question, older, newer) => {
    expect(asksForOne(question, older, newer)).toBe(false)
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
    ['Version 4.1 requires Java 17', 'Version 4.2 requires Java 21'],
    ['Gym A is open until 22:00', 'Gym B is open until 20:00'],
  ])('%s, %s', (older, newer) => {
    expect(siblings('what is new', older, newer)).toBe(true)
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
    ['Backups go to bucket-eu-1', 'Backups go to bucket-eu-7'],
    ['Nils works as a junior developer', 'Nils works as a senior developer'],
    ['My manager is Tom Baker', 'My manager is Sara Baker'],
    ['Train 12 and train 14 leave at 8', 'Train 12 leaves at 9'],
  ])('not %s, %s', (older, newer) => {
    expect(siblings('what is new', older, newer)).toBe(false)
  })

  test('unless the question asks which one it is, or what the word is about that differs', () => {
    const rooms = ['The meeting is in room 3', 'The meeting is in room 7'] as const
    expect(siblings('when is the meeting', ...rooms)).toBe(true)
    expect(siblings('in which room is the meeting', ...rooms)).toBe(false)
    expect(siblings('what room is the meeting in', ...rooms)).toBe(false)
    const doors = ['The blue door sticks', 'The green door sticks'] as const
    expect(siblings('which colour has the door that sticks', ...doors)).toBe(false)
    expect(siblings('tell me what sticks', ...doors)).toBe(true)
    const passports = ["Marta's passport expires in May", "Jonas's passport expires in June"] as const
    expect(siblings('when does the passport expire', ...passports)).toBe(true)
  })

  test('reads only the beginning of long notes', () => {
    const long = `Locker 100 ${'belongs to Ana '.repeat(20_000)}`
    expect(siblings('x '.repeat(50_000), long, 'Locker 104 belongs to Ben')).toBe(true)
  })
})
