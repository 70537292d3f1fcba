import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** One row of figures, a value for each day; null where there is none. */
export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** Drawn as a broken line in the colour of the series before it. */
  readonly isBroken?: boolean
}

interface ChartProps {
  readonly title: string
  /** `2026-11-21`, oldest first. */
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** Bars stand on each other, and their height is the sum. */
  readonly kind: 'bars' | 'lines'
  readonly format: (value: number) => string
}

const heightPixels = 220
const colourNames = ['--same', '--made', '--good', '--warn', '--accent', '--bad', '--soft']

/** A chart over days, and its figures as a table for whoever wants to read them. */
export function Chart(props: ChartProps) {
  const { title, days, series, kind, format } = props
  const place = useRef<HTMLDivElement>(null)
  const scheme = useScheme()
  useEffect(() => {
    const element = place.current
    if (!element || days.length === 0) return
    const plot = new uPlot(
      { ...optionsOf(props), width: element.clientWidth, height: heightPixels },
      dataOf(props),
      element,
    )
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== plot.width)
        plot.setSize({ width: element.clientWidth, height: heightPixels })
    })
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
  }, [days, series, kind, scheme])
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      <div ref={place} aria-hidden="true" />
      <details>
        <summary class="small">The figures</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too. */}
        <section class="wide tall" tabIndex={0} aria-label={`Figures of ${title}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {series.map((one) => (
                  <th key={one.name} scope="col">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  {series.map((one) => (
                    <td key={one.name} class="number">
                      {shown(one.values[index], format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

const shown = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value)

/** Draws anew when light turns dark: a canvas does not by itself. */
function useScheme(): boolean {
  const [isDark, setIsDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const change = () => setIsDark(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return isDark
}

/** uPlot's rows: seconds, then a row for each series; stacked rows lie behind each other, the tallest first. */
function dataOf({ days, series, kind }: ChartProps): uPlot.AlignedData {
  const seconds = days.map((day) => Date.parse(day) / 1000)
  if (kind === 'lines') return [seconds, ...series.map((one) => [...one.values])]
  const stacked = series.map((_, index) =>
    days.map((_, day) => series.slice(0, index + 1).reduce((sum, one) => sum + (one.values[day] ?? 0), 0)),
  )
  return [seconds, ...stacked.toReversed()]
}

function optionsOf({ days, series, kind, format }: ChartProps): Omit<uPlot.Options, 'width' | 'height'> {
  const colour = coloursOf()
  const ink = colour('--soft')
  const line = colour('--line')
  let step = -1
  const colours = series.map((one) => {
    if (!one.isBroken) step += 1
    return colour(colourNames[Math.max(0, step) % colourNames.length] ?? '--soft')
  })
  const drawn = series.map((one, index): uPlot.Series => {
    const stroke = colours[index] ?? ink
    const value = (_: uPlot, __: number | null, ___: number, day: number | null) =>
      day === null ? '–' : shown(one.values[day], format)
    if (kind === 'bars') return { label: one.name, stroke, fill: stroke, value, points: { show: false }, paths: bars }
    return { label: one.name, stroke, width: 2, value, spanGaps: true, ...(one.isBroken ? { dash: [6, 4] } : {}) }
  })
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { y: false, points: { show: kind === 'lines' } },
    scales: {
      x: { time: true, range: () => rangeOf(days) },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: [[86_400, '{D} {MMM}', null, null, null, null, null, null, 1]],
        space: 64,
      },
      { ...axis, size: 72, values: (_, ticks) => ticks.map(format) },
    ],
    series: [{ value: '{YYYY}-{MM}-{DD}' }, ...(kind === 'bars' ? drawn.toReversed() : drawn)],
  }
}

const bars = uPlot.paths.bars?.({ size: [0.7, 48] }) as uPlot.Series.PathBuilder

const daySeconds = 86_400

/** Half a day of room on both sides, so that the outer bars are whole. */
function rangeOf(days: readonly string[]): [number, number] {
  const first = Date.parse(days[0] ?? '') / 1000
  const last = Date.parse(days.at(-1) ?? '') / 1000
  return [first - daySeconds / 2, last + daySeconds / 2]
}

function coloursOf(): (name: string) => string {
  const style = getComputedStyle(document.documentElement)
  return (name) => style.getPropertyValue(name).trim()
}
