import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { drawChartJob } from '../../media/chart/draw-chart.ts'
import { imageTerms, mediaOf } from '../images.ts'

const label = z.string().max(100)
const figure = z.number().min(-1e15).max(1e15)

/** A chart as a PNG artifact. */
export const vizChart = tool({
  name: 'viz.chart',
  toolset: 'viz',
  description:
    'Draw a chart and save it as a PNG artifact: bars or lines of one or more series, or a pie of one series. Each series must have exactly one value per label; null leaves a gap. Returns the id, width and height; to include the artifact in your answer, write {"id": "img_…"}. Example: {"type": "bar", "title": "Revenue", "labels": ["Jan", "Feb"], "series": [{"name": "2026", "values": [120, 135]}], "unit": "EUR"}.',
  answers: '{ id: string; filename: string; width: number; height: number }',
  input: z
    .object({
      type: z.enum(['bar', 'line', 'pie']),
      title: z.string().max(200).default(''),
      labels: z.array(label).min(1).max(100).describe('Category of each value, such as months or products'),
      series: z
        .array(z.object({ name: label.default(''), values: z.array(figure.nullable()).min(1).max(100) }))
        .min(1)
        .max(8),
      unit: z.string().max(20).default('').describe('Unit shown on the value axis, such as EUR or %'),
    })
    .refine(({ labels, series }) => series.every(({ values }) => values.length === labels.length), {
      message: 'each series must have as many values as there are labels',
    })
    .refine(
      ({ type, series }) =>
        type !== 'pie' || (series.length === 1 && (series[0]?.values ?? []).every((value) => (value ?? 0) >= 0)),
      {
        message: 'a pie chart must have exactly one series, without negative values',
      },
    ),
  async run(chart, context, signal) {
    const media = mediaOf(context)
    const drawn = await context.processPool.run(drawChartJob, chart, imageTerms(signal))
    const filename = 'chart.png'
    const id = await media.keep({ kind: 'img', filename, contentType: 'image/png', bytes: drawn.bytes })
    return { id, filename, width: drawn.width, height: drawn.height }
  },
})
