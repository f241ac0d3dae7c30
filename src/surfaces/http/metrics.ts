import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics in Prometheus format. */
export interface Metrics {
  /** Records a request and its duration. */
  answered(request: { readonly method: string; readonly door: RouteGroup; readonly status: number; readonly ms: number }): void
  /** Called when the metrics are read. */
  watch(figures: () => Figures): void
  read(): Promise<{ readonly type: string; readonly text: string }>
}

/** The group of a route. Paths would be unbounded as labels. */
export type RouteGroup = 'rest' | 'mcp' | 'open'

export interface Figures {
  readonly sessions: number
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const DURATION_BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(version: string): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  let figures: () => Figures = () => ({ sessions: 0 })
  const requests = new Counter({
    name: 'mneme_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['method', 'door', 'status'] as const,
    registers: [register],
  })
  const seconds = new Histogram({
    name: 'mneme_http_request_seconds',
    help: 'How long requests took',
    labelNames: ['door'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [register],
  })
  const refused = new Counter({
    name: 'mneme_http_refused_total',
    help: 'Requests that were not let in: without a valid key, beyond its rights, or too many',
    labelNames: ['status'] as const,
    registers: [register],
  })
  new Gauge({
    name: 'mneme_mcp_sessions',
    help: 'Open sessions of MCP clients',
    registers: [register],
    collect() {
      this.set(figures().sessions)
    },
  })
  new Gauge({ name: 'mneme_info', help: 'The version that runs', labelNames: ['version'] as const, registers: [register] }).set(
    { version },
    1,
  )
  return {
    answered({ method, door, status, ms }) {
      requests.inc({ method: METHODS.includes(method) ? method : 'other', door, status: String(status) })
      seconds.observe({ door }, ms / 1000)
      if (status === 401 || status === 403 || status === 429) refused.inc({ status: String(status) })
    },
    watch(readFigures) {
      figures = readFigures
    },
    read: async () => ({ type: register.contentType, text: await register.metrics() }),
  }
}
