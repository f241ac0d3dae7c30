import { printableJson } from './printable.js'

/** Levels in ascending order; `silent` logs nothing. */
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type LogLevel = (typeof LEVELS)[number]

type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** One JSON line per event. pino was rejected because its import costs 20 ms of a 300 ms start. */
export function createLog(level: LogLevel, write: (line: string) => void = (line) => void process.stderr.write(line)): Log {
  const least = LEVELS.indexOf(level)
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(name) < least) return
      const plain = Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? describeError(value) : value])
      const line = JSON.stringify({ time: new Date().toISOString(), level: name, message, ...Object.fromEntries(plain) })
      write(`${printableJson(line)}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function describeError(error: Error): LogFields {
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: error.cause instanceof Error ? describeError(error.cause) : String(error.cause) }),
  }
}
