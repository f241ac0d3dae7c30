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
        padding: [4, 0, 0, 0],
        scales: { y: { range: (_plot, low, high) => [Math.min(0, low) * 1.1, Math.max(4, high) * 1.05] } },
        axes: [
          { stroke: faint, font, grid: { show: false }, ticks: { show: false }, size: 22, values: (_plot, ticks) => ticks.map(monthLabel) },
          { show: false, grid: { show: true, stroke: colourOf('line-colour'), width: 1 }, splits: (plot) => splits(plot) },
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

/** Two lines of the grid, and zero. */
function splits(plot: uPlot): number[] {
  const high = plot.scales.y?.max ?? 1
  return [0, Math.round(high * 0.4), Math.round(high * 0.8)]
}

const monthLabel = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
