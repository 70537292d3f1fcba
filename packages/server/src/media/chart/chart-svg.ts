import { escapeXml } from '../escape-xml.ts'
import type { Chart } from './draw-chart.ts'

export const chartSize = { width: 960, height: 540 } as const
const { width, height } = chartSize
/** Space around the plot: title above, labels below, numbers on the left. */
const margin = { top: 64, right: 28, bottom: 76, left: 84 } as const
const plot = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom } as const
/** A palette for colour-blind readers (Okabe and Ito, 2008), with grey instead of black. */
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#6b7280'] as const
const ticksWanted = 6
const spanMin = 1e-9
/** More labels than this are thinned out: only every second, third … is shown. */
const labelsMax = 16

const rounded = (value: number): number => Math.round(value * 100) / 100
const short = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, letters - 1)}…` : text

/** The chart as SVG of `chartSize`. */
export function chartSvg(chart: Chart): string {
  const title = `<text x="${width / 2}" y="36" text-anchor="middle" font-size="22" font-weight="bold">${escapeXml(short(chart.title, 70))}</text>`
  const body = chart.type === 'pie' ? pie(chart) : axes(chart)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="14" fill="#111827"><rect width="${width}" height="${height}" fill="#ffffff"/>${title}${body}${legend(chart)}</svg>`
}

/**
 * Limits and step of an axis that includes zero and all values. Steps are 1, 2 or 5 times a power of ten ("Nice numbers for
 * graph labels", Heckbert 1990).
 */
export function axisOf(values: readonly number[]): {
  readonly low: number
  readonly high: number
  readonly step: number
} {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  // A smaller range counts as a single value.
  const span = high - low > spanMin ? high - low : 1
  const rough = span / ticksWanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((nice) => nice * power >= rough) ?? 10) * power
  return { low: Math.floor(low / step) * step, high: Math.max(Math.ceil(high / step) * step, low + step), step }
}

function axes(chart: Chart): string {
  const all = chart.series.flatMap(({ values }) => values.filter((value) => value !== null))
  const { low, high, step } = axisOf(all)
  const y = (value: number): number => rounded(margin.top + plot.height * (1 - (value - low) / (high - low)))
  const decimals = Math.max(0, Math.min(10, -Math.floor(Math.log10(step))))
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step)
  const format = new Intl.NumberFormat('en', {
    maximumFractionDigits: decimals,
    notation: Math.max(Math.abs(low), Math.abs(high)) >= 1e6 ? 'compact' : 'standard',
  })
  const unit = `<text x="${margin.left - 8}" y="${margin.top - 16}" text-anchor="end" fill="#6b7280">${escapeXml(chart.unit)}</text>`
  const grid = ticks.map((tick) => {
    const shown = format.format(tick)
    return `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}" stroke="${Math.abs(tick) < step / 2 ? '#6b7280' : '#e5e7eb'}"/><text x="${margin.left - 8}" y="${y(tick) + 5}" text-anchor="end">${escapeXml(shown)}</text>`
  })
  const band = plot.width / chart.labels.length
  const centre = (index: number): number => rounded(margin.left + band * (index + 0.5))
  const every = Math.ceil(chart.labels.length / labelsMax)
  const letters = Math.max(4, Math.floor((band * every) / 8))
  const below = chart.labels.map((label, index) =>
    index % every === 0
      ? `<text x="${centre(index)}" y="${height - margin.bottom + 20}" text-anchor="middle">${escapeXml(short(label, letters))}</text>`
      : '',
  )
  const drawn = chart.type === 'bar' ? bars(chart, { y, band }) : lines(chart, { y, centre })
  return [unit, ...grid, ...below, drawn].join('')
}

function bars({ series }: Chart, { y, band }: { y: (value: number) => number; band: number }): string {
  const thickness = (band * 0.8) / series.length
  return series
    .flatMap(({ values }, which) =>
      values.map((value, index) => {
        if (value === null) return ''
        const x = rounded(margin.left + band * index + band * 0.1 + thickness * which)
        const top = Math.min(y(value), y(0))
        return `<rect x="${x}" y="${top}" width="${rounded(thickness * 0.94)}" height="${rounded(Math.abs(y(value) - y(0)))}" fill="${colours[which]}"/>`
      }),
    )
    .join('')
}

function lines({ series }: Chart, at: { y: (value: number) => number; centre: (index: number) => number }): string {
  return series
    .map(({ values }, which) => {
      // A missing value interrupts the line.
      const path = values
        .map((value, index) => {
          if (value === null) return ''
          const isFirst = index === 0 || values[index - 1] === null
          return `${isFirst ? 'M' : 'L'}${at.centre(index)} ${at.y(value)}`
        })
        .join('')
      const dots = values.map((value, index) =>
        value === null ? '' : `<circle cx="${at.centre(index)}" cy="${at.y(value)}" r="3.5" fill="${colours[which]}"/>`,
      )
      return `<path d="${path}" fill="none" stroke="${colours[which]}" stroke-width="2.5"/>${dots.join('')}`
    })
    .join('')
}

function pie({ labels, series }: Chart): string {
  const values = (series[0]?.values ?? []).map((value) => value ?? 0)
  const whole = values.reduce((sum, value) => sum + value, 0) || 1
  const radius = plot.height / 2
  const middle = { x: width * 0.34, y: margin.top + radius + 10 }
  let turned = -Math.PI / 2
  const slices = values.map((value, index) => {
    const angle = (value / whole) * 2 * Math.PI
    const from = { x: middle.x + radius * Math.cos(turned), y: middle.y + radius * Math.sin(turned) }
    turned += angle
    const to = { x: middle.x + radius * Math.cos(turned), y: middle.y + radius * Math.sin(turned) }
    const fill = colours[index % colours.length]
    if (angle >= 2 * Math.PI - 1e-9) return `<circle cx="${middle.x}" cy="${middle.y}" r="${radius}" fill="${fill}"/>`
    const arc = `A${radius} ${radius} 0 ${angle > Math.PI ? 1 : 0} 1 ${rounded(to.x)} ${rounded(to.y)}`
    return `<path d="M${middle.x} ${middle.y}L${rounded(from.x)} ${rounded(from.y)}${arc}Z" fill="${fill}" stroke="#ffffff"/>`
  })
  const key = labels.slice(0, 18).map((label, index) => {
    const part = Math.round(((values[index] ?? 0) / whole) * 1000) / 10
    const y = margin.top + 14 + index * 23
    return `<rect x="${width * 0.62}" y="${y - 12}" width="14" height="14" fill="${colours[index % colours.length]}"/><text x="${width * 0.62 + 22}" y="${y}">${escapeXml(short(label, 28))} (${part} %)</text>`
  })
  return [...slices, ...key].join('')
}

function legend({ type, series }: Chart): string {
  if (type === 'pie' || series.every(({ name }) => name === '')) return ''
  const wide = plot.width / series.length
  return series
    .map(({ name }, which) => {
      const x = rounded(margin.left + wide * which)
      const y = height - 22
      return `<rect x="${x}" y="${y - 12}" width="14" height="14" fill="${colours[which]}"/><text x="${x + 22}" y="${y}">${escapeXml(short(name, Math.floor(wide / 9)))}</text>`
    })
    .join('')
}
