import { z } from 'zod'
import { CHUNK_KINDS } from '../../core/code/chunks/outline.js'
import { qualifiedName } from '../../core/code/text.js'
import { searchCode } from '../../engine/code/search-code.js'
import { operation } from '../operation.js'
import { limitOf, nullToUndefined, ownerOr, query, round, userId } from './shapes.js'

const result = z
  .object({
    id: z.string(),
    project_id: z.string(),
    file_path: z.string(),
    content: z.string(),
    language: z.string(),
    start_line: z.int(),
    end_line: z.int(),
    chunk_type: z.string(),
    name: z.string().optional(),
    symbol: z.string().optional(),
    line: z.int().optional(),
    score: z.number(),
  })
  .meta({ wire: 'object' })

export const searchCodeOperation = operation({
  name: 'search_code',
  title: 'Search code',
  description: 'Find functions, classes and passages in indexed projects by purpose or by name.',
  effect: 'read',
  idempotent: true,
  positionals: ['query'],
  input: z.strictObject({
    query,
    project_id: z.string().nullish(),
    limit: limitOf(10, 50),
    language: z.string().nullish(),
    path: z.string().nullish().describe('Glob, e.g. src/**/*.ts'),
    chunk_type: z.enum(CHUNK_KINDS, { error: `must be one of ${CHUNK_KINDS.join(', ')}` }).nullish(),
    user_id: userId,
  }),
  output: z.object({ results: z.array(result), count: z.int(), notice: z.string().optional() }),
  async run({ context }, input) {
    const owner = ownerOr(context, input.user_id)
    const { results: found, degraded } = await searchCode(context, {
      owner,
      text: input.query,
      limit: input.limit,
      project: nullToUndefined(input.project_id),
      language: nullToUndefined(input.language),
      path: nullToUndefined(input.path),
      kind: nullToUndefined(input.chunk_type),
      signal: context.signal,
    })
    const names = new Map((await context.services.code.projects(owner)).map((source) => [source.id, source.title]))
    const results = found.map(({ passage, score, line }) => ({
      id: passage.id,
      project_id: names.get(passage.sourceId) ?? '',
      file_path: passage.path,
      content: passage.text,
      language: passage.language ?? 'text',
      start_line: passage.startLine,
      end_line: passage.endLine,
      chunk_type: passage.kind,
      ...(passage.name === null ? {} : { name: passage.name, symbol: qualifiedName(passage) }),
      line,
      score: round(score),
    }))
    return { results, count: results.length, ...(degraded === null ? {} : { notice: degraded }) }
  },
})
