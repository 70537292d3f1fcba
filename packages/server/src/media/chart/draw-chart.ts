import type { Job } from '@skillrun/core/job.ts'

/** Figures to draw. Each series has a value for each label; null where there is none. */
export interface Chart {
  readonly type: 'bar' | 'line' | 'pie'
  readonly title: string
  readonly labels: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
  readonly unit: string
}

export interface DrawnChart {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Draws a chart as PNG in the workshop. */
export const drawChartJob: Job<Chart, DrawnChart> = {
  name: 'draw-chart',
  module: new URL('./draw-chart.job.ts', import.meta.url),
}
