import type { Job } from '@skillrun/core/job.ts'

/** The data of a chart. Each series has one value per label; null for a missing one. */
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

/** Draws a chart as PNG in the process pool. */
export const drawChartJob: Job<Chart, DrawnChart> = {
  name: 'draw-chart',
  module: new URL('./draw-chart.job.ts', import.meta.url),
}
