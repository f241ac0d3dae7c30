import { parseArgs } from 'node:util'

export interface BenchOptions {
  readonly sets: readonly string[] | null
  readonly split: 'a' | 'b' | null
  readonly ladder: boolean
  readonly oneOwner: boolean
  readonly calibrate: boolean
  readonly peers: boolean
  readonly inProcess: boolean
  readonly fresh: boolean
  readonly real: boolean
  readonly categories: boolean
  readonly save: string | null
  readonly against: string | null
  readonly entry: string | null
  readonly recipe: Readonly<Record<string, unknown>> | null
}

export const usage = `Usage: npm run bench:quality -- [options]
  --set a,b        only these sets (notes, notes-blind, locomo, long-whole, long-pieces, realmem, chat, hotpotqa, musique, 2wiki, cosqa, scifact)
  --split a|b      every second question: tune on a, check on b
  --ladder         what each part gives: every rung and every withheld field, with paired intervals
  --one-owner      all pools of a set under one owner
  --peers          mem0 and server-memory on the same questions
  --calibrate      scores with and without anything relevant stored
  --in-process     the engine in this process over stores that stay, for tuning; --fresh stores again
  --real           the shipped embedder in the server instead of the vector cache (for latency)
  --recipe JSON    overrides of the recall recipe
  --entry PATH     another build of the server than dist/main.js
  --save NAME      keep the outcomes under .cache/quality for a later comparison
  --against NAME   compare with kept outcomes
  --no-categories  totals only`

export function readOptions(argv: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      set: { type: 'string' },
      split: { type: 'string' },
      ladder: { type: 'boolean', default: false },
      'one-owner': { type: 'boolean', default: false },
      calibrate: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      'in-process': { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      real: { type: 'boolean', default: false },
      'no-categories': { type: 'boolean', default: false },
      save: { type: 'string' },
      against: { type: 'string' },
      recipe: { type: 'string' },
      entry: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (values.split !== undefined && values.split !== 'a' && values.split !== 'b') throw new Error('--split takes a or b')
  return {
    sets: values.set === undefined ? null : values.set.split(','),
    split: values.split ?? null,
    ladder: values.ladder,
    oneOwner: values['one-owner'],
    calibrate: values.calibrate,
    peers: values.peers,
    inProcess: values['in-process'],
    fresh: values.fresh,
    real: values.real,
    categories: !values['no-categories'],
    save: values.save ?? null,
    against: values.against ?? null,
    entry: values.entry ?? null,
    recipe: values.recipe === undefined ? null : JSON.parse(values.recipe),
  }
}
