import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { drawChartJob } from '../../media/chart/draw-chart.ts'
import { mediaOf, pictureTerms } from '../pictures.ts'

const label = z.string().max(100)
const figure = z.number().min(-1e15).max(1e15)

/** A chart of figures. */
export const vizChart = tool({
  name: 'viz.chart',
  toolset: 'viz',
  description:
    'Draws figures as a chart and keeps it as PNG: bars or lines of one or several series over labels, or a pie of one series. Answers its id; refer to it in your answer as {"id": "img_…"}.',
  answers: '{ id: string; filename: string; width: number; height: number }',
  input: z
    .object({
      type: z.enum(['bar', 'line', 'pie']),
      title: z.string().max(200).default(''),
      labels: z.array(label).min(1).max(100).describe('What each figure of a series is of: months, products'),
      series: z
        .array(z.object({ name: label.default(''), values: z.array(figure.nullable()).min(1).max(100) }))
        .min(1)
        .max(8),
      unit: z.string().max(20).default('').describe('Behind the figures of the axis: EUR, %'),
    })
    .refine(({ labels, series }) => series.every(({ values }) => values.length === labels.length), {
      message: 'Each series should have as many values as there are labels',
    })
    .refine(
      ({ type, series }) =>
        type !== 'pie' || (series.length === 1 && (series[0]?.values ?? []).every((value) => (value ?? 0) >= 0)),
      {
        message: 'A pie has one series, of figures that are not negative',
      },
    ),
  async run(chart, context, signal) {
    const media = mediaOf(context)
    const drawn = await context.workshop.run(drawChartJob, chart, pictureTerms(signal))
    const filename = 'chart.png'
    const id = await media.keep({ kind: 'img', filename, contentType: 'image/png', bytes: drawn.bytes })
    return { id, filename, width: drawn.width, height: drawn.height }
  },
})
