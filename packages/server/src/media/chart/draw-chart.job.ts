import sharp from 'sharp'
import { chartSize, chartSvg } from './chart-svg.ts'
import type { Chart, DrawnChart } from './draw-chart.ts'

export default async function drawChart(chart: Chart): Promise<DrawnChart> {
  const bytes = await sharp(Buffer.from(chartSvg(chart)))
    .png()
    .toBuffer()
  return { bytes: new Uint8Array(bytes), ...chartSize }
}
