import { readFileSync } from 'node:fs'

interface PreparedFiles {
  readonly manifest: URL
  readonly texts: URL
}

/** Texts fixed at build time; printing them needs no command line parser. */
export function answerAtOnce(argv: readonly string[], { manifest, texts }: PreparedFiles): string | undefined {
  const [first = '', ...rest] = argv
  if (first === '-V' || first === '--version') return `${String(read(manifest).version ?? '0.0.0')}\n`
  if (rest.some((word) => word.startsWith('-')) && rest.some((word) => word !== '--help' && word !== '-h')) return undefined
  const words = argv.filter((word) => word !== '--help' && word !== '-h')
  const wantsHelp = words.length < argv.length || first === 'help' || argv.length === 0
  const key = wantsHelp ? ['help', ...words.filter((word, at) => at > 0 || word !== 'help')].join(' ') : words.join(' ')
  if (!wantsHelp && first !== 'completion') return undefined
  const text = read(texts)[key]
  return typeof text === 'string' ? text : undefined
}

function read(file: URL): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // Without prepared texts, the program creates them.
    return {}
  }
}
