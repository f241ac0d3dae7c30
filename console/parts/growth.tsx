import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { themeChanges } from '../state/theme.js'
import { plural } from '../state/words.js'

export interface Day {
  readonly at: string
  readonly learned: number
  readonly ended: number
}

const CHART_HEIGHT_PX = 132

/** The colour of a class as a canvas needs it: resolved for the theme in force. */
function colourOf(name: string): string {
  const probe = document.createElement('i')
  probe.className = name
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Bars per day: learned above the axis, ended below. */
export function Growth({ days }: { readonly days: readonly Day[] }) {
  const host = useRef<HTMLDivElement>(null)
  const theme = themeChanges.value
  useEffect(() => {
    const box = host.current
    if (box === null) return undefined
    const bars = uPlot.paths.bars?.({ size: [0.82, 24], align: 0 })
    const series = (name: string, label: string): uPlot.Series => ({
      label,
      fill: colourOf(name),
      stroke: colourOf(name),
      width: 0,
      points: { show: false },
      ...(bars === undefined ? {} : { paths: bars }),
    })
    const faint = colourOf('faint')
    const font = `11px ${getComputedStyle(document.body).fontFamily}`
    const plot = new uPlot(
      {
        width: Math.max(240, box.clientWidth),
        height: CHART_HEIGHT_PX,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 4, 0, 0],
        scales: {
          // Half a day on both sides, so that the first and the last bar are whole.
          x: { range: (_plot, from, to) => [from - DAY_SECONDS / 2, to + DAY_SECONDS / 2] },
          y: { range: (_plot, low, high) => [Math.min(0, low) * 1.1, Math.max(4, high) * 1.05] },
        },
        axes: [
          {
            ...{ stroke: faint, font, grid: { show: false }, ticks: { show: false }, size: 22, align: 1 as const },
            splits: (_plot, _axis, from, to) => axisDays(from, to),
            values: (_plot, days) => days.map((day) => axisLabel(day, days)),
          },
          {
            ...{ stroke: faint, font, size: 30, gap: 4, ticks: { show: false } },
            grid: { show: true, stroke: colourOf('line-colour'), width: 1 },
            splits: (plot) => gridValues(plot),
          },
        ],
        series: [{}, series('d1', 'learned'), series('d5', 'ended')],
      },
      [
        days.map(({ at }) => new Date(at).getTime() / 1000),
        days.map(({ learned }) => learned),
        days.map(({ ended }) => (ended === 0 ? 0 : -ended)),
      ],
      box,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(240, box.clientWidth), height: CHART_HEIGHT_PX }))
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, theme])
  const learned = days.reduce((sum, day) => sum + day.learned, 0)
  const ended = days.reduce((sum, day) => sum + day.ended, 0)
  return (
    <div ref={host} class="growth" role="img" aria-label={`${plural(learned, 'fact')} learned and ${ended} ended in ${days.length} days`} />
  )
}

/** Zero, and two lines at round numbers. */
function gridValues(plot: uPlot): number[] {
  const high = plot.scales.y?.max ?? 1
  const digits = 10 ** Math.floor(Math.log10(high / 2))
  const step = Math.max(1, ([5, 2, 1].find((factor) => factor * digits * 2 <= high) ?? 1) * digits)
  return [0, step, 2 * step]
}

const DAY_SECONDS = 86_400
/** With fewer days, each week is marked instead of each month. */
const MIN_MONTHS_DAYS = 75

/** Where months begin, or every seventh day of a short time. */
function axisDays(from: number, to: number): number[] {
  const found: number[] = []
  const isShort = to - from < MIN_MONTHS_DAYS * DAY_SECONDS
  const day = new Date(from * 1000)
  day.setHours(0, 0, 0, 0)
  for (day.setDate(day.getDate() + 1); day.getTime() / 1000 < to; day.setDate(day.getDate() + (isShort ? 7 : 1)))
    if (isShort || day.getDate() === 1) found.push(day.getTime() / 1000)
  return found
}

function axisLabel(day: number, days: readonly number[]): string {
  const isMonth = days.every((one) => new Date(one * 1000).getDate() === 1)
  return new Date(day * 1000).toLocaleDateString('en-GB', isMonth ? { month: 'long' } : { day: 'numeric', month: 'short' })
}
