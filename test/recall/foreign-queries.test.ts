import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { openWorld, type World } from '../graph/world.js'

const answer = z.object({ results: z.array(z.object({ content: z.string() })), read_as: z.string().optional() })

const KEY = 'The spare key hangs behind the door of the garage.'
const INVOICE = 'Invoices are paid on the last Friday of the month.'
const NOTES = [
  KEY,
  INVOICE,
  'Nora is allergic to eggs and sesame.',
  'The dentist moved our appointment to Thursday.',
  'Backups run every night and are kept for six weeks.',
  'Never deploy the shop on a Friday.',
  'The printer on the second floor needs toner of another brand.',
  'Ben prefers window seats on trains.',
  'The cat sleeps in the laundry basket.',
  'Der Rasen wird nur samstags gemäht.',
]

let world: World
beforeAll(async () => {
  world = await openWorld({ embedder: 'local' })
  for (const content of NOTES) await world.call('memory/store_memory', { content })
})
afterAll(() => world.close())

const first = async (query: string): Promise<string | undefined> =>
  answer.parse(await world.call('memory/recall', { query })).results[0]?.content

test.each([
  ['Wo ist der zweite Schlüssel?', KEY],
  ['Où est la clé du garage ?', KEY],
  ['¿Dónde está la llave del garaje?', KEY],
  ["Dov'è la chiave del garage?", KEY],
  ['Onde fica a chave da garagem?', KEY],
  ['Waar is de sleutel van de garage?', KEY],
  ['Wann werden die Rechnungen bezahlt?', INVOICE],
  ['Quand les factures sont-elles payées ?', INVOICE],
  ['¿Cuándo se pagan las facturas?', INVOICE],
])('%s is answered by a note in English', async (question, note) => {
  expect(await first(question)).toBe(note)
})

test('a note in the language of the question is found by its own words', async () => {
  expect(await first('Wann wird der Rasen gemäht?')).toBe('Der Rasen wird nur samstags gemäht.')
})

test('explains how a query in another language was read', async () => {
  const read = async (query: string, explain: boolean) => answer.parse(await world.call('memory/recall', { query, explain })).read_as
  expect(await read('Wann werden die Rechnungen bezahlt?', true)).toBe('when invoice pay')
  expect(await read('Wann werden die Rechnungen bezahlt?', false)).toBeUndefined()
  expect(await read('When are invoices paid?', true)).toBeUndefined()
})

test.each([
  ['Wann ist der Streik?', 'when strike'],
  ['Quand est la grève ?', 'when strike'],
  ['¿Cuándo es la huelga?', 'when strike'],
])('%s is read by the list of rarer words', async (query, read) => {
  expect(answer.parse(await world.call('memory/recall', { query, explain: true })).read_as).toBe(read)
})

test('code is found by what its names mean', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-project-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'lock.ts'), 'export function checkPassword(given: string): boolean {\n  return given.length > 8\n}\n')
  writeFileSync(join(folder, 'rows.ts'), 'export function deleteRow(table: string, row: number): void {\n  drop(table, row)\n}\n')
  await world.call('memory/index_project', { path: folder })
  const found = async (query: string) => JSON.stringify(await world.call('memory/search_code', { query, limit: 1 }))
  await expect.poll(() => found('Wo wird das Passwort geprüft?'), EVENTUALLY).toContain('checkPassword')
  expect(await found('¿Dónde se borra una fila de la tabla?')).toContain('deleteRow')
})
