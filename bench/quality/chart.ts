export interface ChartSeries {
  readonly name: string
  /** One value per group, in per cent; null where not measured. */
  readonly values: readonly (number | null)[]
}

export interface Chart {
  readonly title: string
  readonly groups: readonly string[]
  readonly series: readonly ChartSeries[]
}

const palette = ['#9aa5b1', '#6b8fb5', '#3f7cac', '#1f5f8b', '#0f4c5c', '#e36414', '#9a031e', '#5f0f40']

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Grouped bars as a plain SVG that is legible on a light and on a dark page. */
export function drawChart(chart: Chart): string {
  const bar = 18
  const gap = 26
  const left = 46
  const top = 64
  const height = 240
  const groupWidth = chart.series.length * bar + gap
  const width = Math.max(left + chart.groups.length * groupWidth + 20, 560)
  const y = (value: number) => top + height - (value / 100) * height
  const text = (x: number, at: number, size: number, anchor: string, content: string) =>
    `<text x="${x}" y="${at}" font-size="${size}" text-anchor="${anchor}">${escapeText(content)}</text>`
  const lines = [0, 20, 40, 60, 80, 100].map(
    (value) =>
      `<line x1="${left}" x2="${width - 16}" y1="${y(value)}" y2="${y(value)}" stroke="#8884"/>` +
      text(left - 6, y(value) + 4, 11, 'end', String(value)),
  )
  const bars = chart.groups.flatMap((group, groupAt) => {
    const start = left + gap / 2 + groupAt * groupWidth
    const label = text(start + (groupWidth - gap) / 2, top + height + 18, 12, 'middle', group)
    const drawn = chart.series.map((series, at) => {
      const value = series.values[groupAt]
      if (value === null || value === undefined) return ''
      const x = start + at * bar
      const rect = `<rect x="${x}" y="${y(value)}" width="${bar - 3}" height="${top + height - y(value)}" fill="${palette[at % palette.length]}"/>`
      return rect + text(x + (bar - 3) / 2, y(value) - 3, 9, 'middle', String(Math.round(value)))
    })
    return [...drawn, label]
  })
  let legendX = left
  const legend = chart.series.map((series, at) => {
    const item = `<rect x="${legendX}" y="36" width="10" height="10" fill="${palette[at % palette.length]}"/>${text(legendX + 14, 45, 11, 'start', series.name)}`
    legendX += 26 + series.name.length * 6.5
    return item
  })
  const total = Math.max(width, legendX + 10)
  const size = `viewBox="0 0 ${total} ${top + height + 30}" width="${total}" height="${top + height + 30}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" role="img">`
  const style = '<style>text{fill:#333}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>'
  const title = `<title>${escapeText(chart.title)}</title>${text(left, 22, 14, 'start', chart.title)}`
  return `${[head, style, title, ...lines, ...bars, ...legend, '</svg>'].join('\n')}\n`
}
