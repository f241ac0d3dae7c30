/** Figures for whoever watches the server, in the form that Prometheus reads. */
export interface Metrics {
  read(): Promise<{ readonly type: string; readonly text: string }>
}
