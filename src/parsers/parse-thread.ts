import { Worker } from 'node:worker_threads'
import type { ParsedFile } from '../ports/code-parser.js'
import type { ParseReply, ParseRequest, ParseSettings } from './parse-messages.js'

export interface ParseThread {
  readonly alive: boolean
  /** One call at a time. Null if the thread died; it must then be replaced. */
  parse(request: ParseRequest): Promise<readonly ParsedFile[] | null>
  end(): Promise<void>
}

/** The thread keeps the process alive only while it works. */
export function openParseThread(workerUrl: URL, settings: ParseSettings): ParseThread {
  const worker = new Worker(workerUrl, { workerData: settings })
  let answer: ((parsed: readonly ParsedFile[] | null) => void) | null = null
  let dead = false
  const settle = (parsed: readonly ParsedFile[] | null) => {
    worker.unref()
    answer?.(parsed)
    answer = null
  }
  worker.unref()
  worker.on('message', ({ parsed }: ParseReply) => settle(parsed))
  worker.on('error', () => settle(null))
  worker.on('exit', () => {
    dead = true
    settle(null)
  })
  return {
    get alive() {
      return !dead
    },
    parse({ files, byLines }) {
      if (dead) return Promise.resolve(null)
      const request: ParseRequest = { files, byLines }
      worker.ref()
      return new Promise((resolve) => {
        answer = resolve
        worker.postMessage(request)
      })
    },
    async end() {
      await worker.terminate()
    },
  }
}
