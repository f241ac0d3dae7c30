import { writeFileSync } from 'node:fs'
import { hasData, measureInjection } from './injection.js'

if (!hasData()) {
  process.stderr.write('There is no evaluation data here; see MNEME_EVALDATA.\n')
  process.exit(0)
}
for (const set of ['notes-dev', 'realmem-dev'] as const)
  for (const embedder of ['none', 'local'] as const) {
    const rows = await measureInjection(set, embedder)
    writeFileSync(`/tmp/clients/rows-${set}-${embedder}.json`, JSON.stringify(rows))
    process.stdout.write(`${set} ${embedder} ${rows.length}\n`)
  }
