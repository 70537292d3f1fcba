import { useMemo } from 'preact/hooks'
import { Plot, type Series, shown } from '../parts/plot.tsx'
import { TableHead } from '../parts/table.tsx'

interface ChartProps {
  readonly title: string
  /** `2026-11-21`, oldest first. */
  readonly days: readonly string[]
  readonly series: readonly Series[]
  readonly kind: 'bars' | 'lines'
  readonly format: (value: number) => string
  readonly isCount?: boolean
}

/** A chart over days, with its figures as a table. */
export function Chart({ title, days, series, kind, format, isCount = false }: ChartProps) {
  const seconds = useMemo(() => days.map((day) => Date.parse(day) / 1000), [days])
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      <Plot xs={seconds} series={series} kind={kind} format={format} isCount={isCount} isTime />
      <details>
        <summary class="small">Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too. */}
        <section class="wide tall" tabIndex={0} aria-label={`Table: ${title}`}>
          <table>
            <TableHead head={['Day', ...series.map(({ name }) => `${name}#`)]} />
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
