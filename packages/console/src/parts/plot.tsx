import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useSignal } from '../state.ts'
import { theme } from '../theme.ts'

/** One series: a value per x; null for missing ones. */
export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** A dashed line in the colour of the previous series. */
  readonly isDashed?: boolean
}

interface PlotProps {
  /** Seconds since 1970 if `isTime`, otherwise numbers; increasing. */
  readonly xs: readonly number[]
  readonly series: readonly Series[]
  /** Stacked bars, whose height is the sum. */
  readonly kind: 'bars' | 'lines'
  readonly format: (value: number) => string
  readonly isTime?: boolean
  /** Values are counts: the axis has integers only. */
  readonly isCount?: boolean
  /** Positions of vertical lines. */
  readonly marks?: readonly number[]
}

const heightPixels = 220
/** With more points, markers would hide the line. */
const pointsMax = 45
const wholeSteps = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1_000, 10_000, 100_000].map((by) => step * by))
  .toSorted((a, b) => a - b)
const colourNames = ['--same', '--made', '--good', '--warn', '--accent', '--bad', '--soft']

/** A visual chart only: its user must provide the figures as text, too. */
export function Plot(props: PlotProps) {
  const { xs, series, kind } = props
  const place = useRef<HTMLDivElement>(null)
  const scheme = useScheme()
  // Before the first paint, so that the chart moves nothing below it.
  useLayoutEffect(() => {
    const element = place.current
    if (!element || xs.length === 0) return
    const size = { width: element.clientWidth, height: heightPixels }
    const plot = new uPlot({ ...optionsOf(props), ...size }, dataOf(props), element)
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== plot.width)
        plot.setSize({ width: element.clientWidth, height: heightPixels })
    })
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
  }, [xs, series, kind, scheme])
  return <div ref={place} aria-hidden="true" />
}

/** A value that changes with the theme: a canvas does not redraw itself. */
function useScheme(): string {
  const chosen = useSignal(theme)
  const [isDark, setIsDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const change = () => setIsDark(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return `${chosen} ${isDark}`
}

/** uPlot's rows: x, then a row per series; stacked rows are behind each other, the tallest first. */
function dataOf({ xs, series, kind }: PlotProps): uPlot.AlignedData {
  if (kind === 'lines') return [[...xs], ...series.map((one) => [...one.values])]
  const stacked = series.map((_, index) =>
    // Skip bars of height zero: their outline would be a dash.
    xs.map((_, place) => series.slice(0, index + 1).reduce((sum, one) => sum + (one.values[place] ?? 0), 0) || null),
  )
  return [[...xs], ...stacked.toReversed()]
}

function optionsOf(props: PlotProps): Omit<uPlot.Options, 'width' | 'height'> {
  const { xs, kind, format, isTime = false, isCount = false, marks = [] } = props
  const colour = colours()
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const axis = {
    font,
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  const drawn = drawnSeries(props, colour)
  const dayTicks = [[daySeconds, '{D} {MMM}', null, null, null, null, null, null, 1]]
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { y: false, points: { show: kind === 'lines' } },
    scales: {
      x: { time: isTime, range: () => (isTime ? roomAround(xs) : [xs[0] ?? 0, xs.at(-1) ?? 1]) },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 64, ...(isTime ? { values: dayTicks } : { incrs: wholeSteps }) },
      { ...axis, size: 72, values: (_, ticks) => ticks.map(format), ...(isCount ? { incrs: wholeSteps } : {}) },
    ],
    series: [{ label: isTime ? 'Day' : 'Runs', ...(isTime ? { value: '{YYYY}-{MM}-{DD}' } : {}) }, ...drawn],
    hooks: { draw: [(plot) => drawMarks(plot, marks, colour('--line-strong'))] },
  }
}

function drawnSeries({ xs, series, kind, format }: PlotProps, colour: (name: string) => string): uPlot.Series[] {
  const points = { show: xs.length <= pointsMax, size: 6, fill: colour('--card') }
  let step = -1
  const list = series.map((one): uPlot.Series => {
    if (!one.isDashed) step += 1
    const stroke = colour(colourNames[Math.max(0, step) % colourNames.length] ?? '--soft')
    const value = (_: uPlot, __: number | null, ___: number, place: number | null) =>
      place === null ? '–' : shown(one.values[place], format)
    if (kind === 'bars') return { label: one.name, stroke, fill: stroke, value, points: { show: false }, paths: bars }
    return {
      label: one.name,
      stroke,
      width: 2,
      value,
      points,
      spanGaps: true,
      ...(one.isDashed ? { dash: [6, 4] } : {}),
    }
  })
  return kind === 'bars' ? list.toReversed() : list
}

export const shown = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value)

const bars = uPlot.paths.bars?.({ size: [0.7, 48] }) as uPlot.Series.PathBuilder

const daySeconds = 86_400

/** Half a day on both sides, so that the outer bars are complete. */
const roomAround = (xs: readonly number[]): [number, number] => [
  (xs[0] ?? 0) - daySeconds / 2,
  (xs.at(-1) ?? 0) + daySeconds / 2,
]

function drawMarks(plot: uPlot, marks: readonly number[], colour: string): void {
  const { left, top, width, height } = plot.bbox
  for (const mark of marks) {
    const x = plot.valToPos(mark, 'x', true)
    if (x < left || x > left + width) continue
    plot.ctx.save()
    plot.ctx.strokeStyle = colour
    plot.ctx.setLineDash([4, 4])
    plot.ctx.beginPath()
    plot.ctx.moveTo(x, top)
    plot.ctx.lineTo(x, top + height)
    plot.ctx.stroke()
    plot.ctx.restore()
  }
}

/** The colours of the theme as a canvas takes them: a browser resolves `light-dark()` in properties of elements only. */
function colours(): (name: string) => string {
  const probe = document.createElement('i')
  probe.hidden = true
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const names = [...new Set([...colourNames, '--card', '--line', '--line-strong'])]
  const resolved = new Map(
    names.map((name) => {
      probe.style.color = `var(${name})`
      return [name, style.color]
    }),
  )
  probe.remove()
  return (name) => resolved.get(name) ?? ''
}
