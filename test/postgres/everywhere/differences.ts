/** Tests with other results on a server, with the reason. An entry without a test applies to the whole file. */
export interface Difference {
  readonly file: string
  readonly test?: RegExp
  readonly reason: string
}

const FILE = 'concerns the file itself: its folder, log, locks or bytes'
const NUMBERS = 'changes are numbered for each owner on a server, and named by owner and number'
const LEASES = 'leases use the clock of the database, which no test can set'
const COPY = 'the copy before everything is erased is the task of the server (pg_dump)'

export const DIFFERENCES: readonly Difference[] = [
  { file: 'test/facts/lifecycle.test.ts', test: /that an older program has stored/, reason: FILE },
  { file: 'test/secrets/stored.test.ts', test: /of the memory contract|of the graph contract|of code, with/, reason: FILE },
  {
    file: 'test/facts/sql-statements.test.ts',
    reason: 'counts the statements sent to SQLite; test/postgres/statements.test.ts counts those of a server',
  },
  { file: 'test/facts/supersede.test.ts', test: /both happen in one commit/, reason: NUMBERS },
  { file: 'test/history/reset.test.ts', reason: COPY },
  {
    file: 'test/history/idempotency.test.ts',
    test: /reset_all_memory/,
    reason: 'an entry about all owners is in the journal of no single owner',
  },
  { file: 'test/facts/clocks.test.ts', test: /a lease taken in 2099/, reason: LEASES },
  { file: 'test/graph/jobs.test.ts', test: /is never done by two processes at once/, reason: LEASES },
  { file: 'test/graph/transfer.test.ts', test: /exported, imported and restored/, reason: NUMBERS },
  { file: 'test/graph/transfer.test.ts', test: /existing relations without an end/, reason: FILE },
  {
    file: 'test/graph/import-batches.test.ts',
    test: /while others write/,
    reason: 'the file reports writes of other processes; on a server other owners write concurrently',
  },
  { file: 'test/graph/transfer-sources.test.ts', test: /can be undone unless/, reason: NUMBERS },
  { file: 'test/graph/jobs.test.ts', test: /takes back one change by its number/, reason: NUMBERS },
  { file: 'test/graph/golden.test.ts', test: /nodes\.jsonl/, reason: NUMBERS },
  { file: 'test/graph/golden.test.ts', test: /system\.jsonl/, reason: 'names the store' },
  { file: 'test/code/killed.test.ts', reason: FILE },
  { file: 'test/stigmem/embedding.test.ts', reason: FILE },
  {
    file: 'test/substrate/client.test.ts',
    test: /does the same from the shell/,
    reason: 'the MCP client starts its server without the settings of a test run, so on a file',
  },
  { file: 'test/substrate/seed-examples.test.ts', reason: 'its clock counts reads, and leases of a server read it once more' },
  { file: 'test/wire/store-files.test.ts', reason: FILE },
  { file: 'test/wire/read-only.test.ts', reason: FILE },
  { file: 'test/wire/failing-disk.test.ts', reason: FILE },
  {
    file: 'test/wire/shared-process.test.ts',
    test: /is started by the first command|is not used if the socket is|replaces the socket of a process/,
    reason: 'the name of the socket contains a digest of the database',
  },
  { file: 'test/wire/own-process.test.ts', reason: 'places sockets of its own under the name that a file has' },
  { file: 'test/wire/thin-starts.test.ts', reason: 'the run preloads the client of the database into every program' },
  { file: 'test/wire/commands.test.ts', test: /restore forgotten memories with their relations/, reason: FILE },
  {
    file: 'test/wire/commands.test.ts',
    test: /forget asks at a terminal/,
    reason: 'the terminal starts the program without the settings of a test run, so on a file',
  },
  { file: 'test/wire/request-path.test.ts', reason: 'lists the files of a request, those of SQLite among them' },
  { file: 'test/wire/broken-embedder.test.ts', test: /better-sqlite3/, reason: FILE },
  { file: 'test/wire/cli.test.ts', test: /backup to a file|nowhere/, reason: FILE },
  { file: 'test/wire/golden.test.ts', test: /memory-21/, reason: COPY },
  { file: 'test/wire/model-failure.test.ts', test: /keeps a copy/, reason: COPY },
  {
    file: 'test/wire/plain-text.test.ts',
    test: /says what indexing left out/,
    reason: 'no process holds a lease for all vectors, so no job is listed',
  },
]

/** Why a test is skipped on a server; undefined if it runs. */
export const reasonOf = (file: string, name: string): string | undefined =>
  DIFFERENCES.find((difference) => file.endsWith(difference.file) && (difference.test === undefined || difference.test.test(name)))?.reason
