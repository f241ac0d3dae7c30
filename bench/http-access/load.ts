import { Agent, request } from 'node:http'

export interface Sample {
  readonly perSecond: number
  readonly errors: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly healthP99: number
}

export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? 0
}

interface LoadOptions {
  readonly key: string
  readonly connections: number
  readonly seconds: number
}

/** Connections that repeat requests without pause: four recalls per assert. */
export async function load(url: string, { key, connections, seconds }: LoadOptions): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  const health: number[] = []
  let errors = 0
  let sent = 0
  const ask = (method: string, path: string, body?: object): Promise<number> =>
    new Promise((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        Authorization: `Bearer ${key}`,
        ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      }
      const call = request(url + path, { method, agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      call.on('error', () => resolve(0)).end(text)
    })
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const number = sent++
      const since = performance.now()
      const status =
        number % 5 === 4
          ? await ask('POST', '/v1/facts', {
              entity: `user:n${number}`,
              relation: 'memory:note',
              value: { type: 'text', v: `note ${number} of the pier` },
              scope: 'company',
            })
          : await ask('POST', '/v1/recall', { query: `harbour and pier ${number % 97}`, token_budget: 500 })
      times.push(performance.now() - since)
      if (status !== 200 && status !== 201) errors++
    }
  }
  const watch = async (): Promise<void> => {
    while (performance.now() < until) {
      const since = performance.now()
      const response = await fetch(`${url}/healthz`)
      await response.arrayBuffer()
      health.push(performance.now() - since)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await Promise.all([...Array.from({ length: connections }, work), watch()])
  agent.destroy()
  return {
    perSecond: times.length / seconds,
    errors,
    ...{ p50: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99), healthP99: percentile(health, 99) },
  }
}
