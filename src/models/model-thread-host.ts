import { MessageChannel, Worker } from 'node:worker_threads'
import { shippedWorkerFile } from './shipped.js'

/** The worker module and setup of a model. */
export interface ThreadFiles {
  readonly workerFile: string
  readonly setup: object
}

/** Receives the events of a model. */
export interface Listener<Reply> {
  reply(reply: Reply): void
  failed(failure: Error): void
  /** The last event. */
  ended(code: number): void
}

/** The thread in which a model runs. */
export interface ModelThreadHost {
  post(request: unknown): void
  /** Keeps the process alive. */
  hold(): void
  letGo(): void
  /** Ends the thread; false if that would affect other models. */
  end(): boolean
}

export type TakePlace = <Reply>(files: ThreadFiles, listener: Listener<Reply>) => ModelThreadHost

/** A thread of its own, which ends with the model. */
export const ownThread: TakePlace = ({ workerFile, setup }, listener) => {
  const worker = startWorker(workerFile, setup)
  worker.on('message', (reply) => listener.reply(reply))
  worker.on('error', (failure) => listener.failed(failure))
  worker.on('exit', (code) => listener.ended(code))
  return {
    post: (request) => worker.postMessage(request),
    hold: () => worker.ref(),
    letGo: () => worker.unref(),
    end() {
      void worker.terminate()
      return true
    },
  }
}

/** The message that starts a model on a shared thread. */
export interface SeatRequest extends ThreadFiles {
  readonly port: MessagePort
}

type MessagePort = MessageChannel['port1']

interface CommonThread {
  readonly worker: Worker
  readonly listeners: Set<Pick<Listener<never>, 'failed' | 'ended'>>
}

let common: CommonThread | undefined

/**
 * The thread shared by all models whose runtime supports only one thread per process: the runtime of packages keeps process-wide state and
 * cannot be loaded again once its last thread has ended. So this thread stays until the process ends; models come and go.
 */
export const commonThread: TakePlace = (files, listener) => {
  common ??= startCommon()
  const { worker, listeners } = common
  const { port1, port2 } = new MessageChannel()
  let over = false
  const finish = (code: number) => {
    if (over) return
    over = true
    listeners.delete(others)
    port1.close()
    listener.ended(code)
  }
  const others = { failed: listener.failed, ended: finish }
  listeners.add(others)
  port1.on('message', (reply) => listener.reply(reply))
  port1.on('close', () => finish(0))
  port1.unref()
  const request: SeatRequest = { ...files, port: port2 }
  worker.postMessage(request, [port2])
  return {
    post: (request) => port1.postMessage(request),
    hold: () => port1.ref(),
    letGo: () => port1.unref(),
    end: () => false,
  }
}

function startCommon(): CommonThread {
  const worker = startWorker(shippedWorkerFile('many-models-worker'), { common: true })
  const started: CommonThread = { worker, listeners: new Set() }
  worker.unref()
  worker.on('error', (failure) => {
    for (const listener of [...started.listeners]) listener.failed(failure)
  })
  worker.on('exit', (code) => {
    if (common === started) common = undefined
    for (const listener of [...started.listeners]) listener.ended(code)
  })
  return started
}

// No inherited flags: loaders of test runners and debuggers do not belong in this thread.
const startWorker = (file: string, setup: object): Worker => new Worker(file, { workerData: setup, execArgv: [] })
