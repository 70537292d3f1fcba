// Draws docs/images/dashboard.png: the panels of deploy/grafana-dashboard.json, from their own queries, which Prometheus answers after some
// minutes of work. It is not a picture of Grafana, which draws them otherwise.
// Needs Chromium and Prometheus (Debian's packages of these names).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { withConsole } from '../bench/console-to-look-at.ts'

const workMs = 150_000
const stepSeconds = 3
const picture = new URL('../docs/images/dashboard.png', import.meta.url)
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  await readFile(new URL('../deploy/grafana-dashboard.json', import.meta.url), 'utf8'),
)

interface Panel {
  readonly title: string
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
  readonly fieldConfig: { readonly defaults: { readonly unit: string } }
}

/** A line of a panel: Unix time in seconds and value. */
interface Series {
  readonly name: string
  readonly points: readonly (readonly [time: number, value: number])[]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Executions in all tiers, more of them towards the middle; some fail, some call back where nobody answers. */
async function work(url: string, key: string): Promise<void> {
  const end = Date.now() + workMs
  const tiers = ['priority', 'standard', 'flex']
  for (let n = 0; Date.now() < end; n += 1) {
    const isBad = n % 9 === 0
    const response = await fetch(`${url}/v1/agent/execute`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        inputs: { mail: isBad ? 'Good morning' : `Invoice ${n}\nDate: 3 March 2026\nTotal: EUR ${n}.50` },
        config: {
          service_tier: tiers[n % tiers.length],
          json_schema: { type: 'object', properties: { total: { type: 'number' } } },
        },
        ...(n % 5 === 0 && { callback_url: 'https://nobody.invalid/ended' }),
      }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    const rest = Math.max(0, end - Date.now()) / workMs
    await wait(150 + 600 * Math.abs(rest - 0.5))
  }
}

async function seriesOf(
  { targets }: Panel,
  { port, from, to }: { port: number; from: number; to: number },
): Promise<Series[]> {
  const all = targets.map(async ({ expr, legendFormat }) => {
    const query = expr.replaceAll('$job', '.+').replaceAll('$__rate_interval', '30s')
    const asked = new URLSearchParams({ query, start: `${from}`, end: `${to}`, step: `${stepSeconds}` })
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query_range?${asked}`)
    if (!response.ok) throw new Error(`${query}: ${await response.text()}`)
    const { data } = (await response.json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] }
    }
    return data.result.map(
      ({ metric, values }): Series => ({
        name: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
        points: values
          .map(([time, value]) => [time, Number(value)] as const)
          .filter(([, value]) => Number.isFinite(value)),
      }),
    )
  })
  return (await Promise.all(all)).flat().filter(({ points }) => points.length > 0)
}

const colours = [
  '#5794f2',
  '#73bf69',
  '#ff9830',
  '#f2495c',
  '#b877d9',
  '#e0b400',
  '#37872d',
  '#8ab8ff',
  '#c0504d',
  '#888',
]
const [chartWidth, chartHeight] = [600, 150]

function pageOf(
  panels: readonly { readonly panel: Panel; readonly series: readonly Series[] }[],
  time: { readonly from: number; readonly to: number },
): string {
  const parts = panels.map(({ panel, series }) => {
    const { x, y, w, h } = panel.gridPos
    const place = `grid-column:${x + 1}/span ${w};grid-row:${y + 1}/span ${h}`
    const legend = series
      .slice(0, colours.length)
      .map(({ name }, at) => `<span style="color:${colours[at]}">●</span> ${escaped(name)}`)
      .join('&ensp;')
    const { unit } = panel.fieldConfig.defaults
    return `<section style="${place}"><h2>${escaped(panel.title)}</h2>${chartOf(series, { ...time, unit })}<p>${legend || 'no data'}</p></section>`
  })
  return `<style>body{margin:0;padding:12px;background:#f4f5f5;font:12px sans-serif;display:grid;grid-template-columns:repeat(24,1fr);grid-auto-rows:26px;gap:6px}
    section{background:#fff;border:1px solid #ddd;padding:8px;overflow:hidden;display:flex;flex-direction:column}h2{font-size:13px;margin:0 0 4px}p{margin:2px 0}svg{width:100%;flex:1;min-height:0}</style>${parts.join('')}`
}

function chartOf(series: readonly Series[], { from, to, unit }: { from: number; to: number; unit: string }): string {
  const top = Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value)), 0) || 1
  const lines = series.slice(0, colours.length).map(({ points }, at) => {
    const path = points
      .map(([time, value]) => [((time - from) / (to - from)) * chartWidth, chartHeight * (1 - value / top / 1.1)])
      .map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${colours[at]}" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`
  })
  const edges = [top, top / 2].map((value) => {
    const y = (chartHeight * (1 - value / top / 1.1)).toFixed(1)
    return `<line x2="${chartWidth}" y1="${y}" y2="${y}" stroke="#ddd"/><text y="${Number(y) - 2}" font-size="10" fill="#666">${shown(value, unit)}</text>`
  })
  return `<svg viewBox="0 0 ${chartWidth} ${chartHeight}" preserveAspectRatio="none">${edges.join('')}${lines.join('')}</svg>`
}

/** A value in its unit, by Grafana's names of units. */
function shown(value: number, unit: string): string {
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
  if (unit === 's') return value < 1 ? `${short.format(value * 1000)} ms` : `${short.format(value)} s`
  if (unit === 'bytes') return `${short.format(value / 2 ** 20)} MiB`
  if (unit === 'percentunit') return `${short.format(value * 100)} %`
  if (unit === 'currencyUSD') return `$${short.format(value)}`
  return unit === 'reqps' ? `${short.format(value)}/s` : short.format(value)
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

await withConsole(async ({ url, key, browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-prometheus-'))
  const port = await freePort()
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      {
        job_name: 'skillrun',
        authorization: { credentials: key },
        static_configs: [{ targets: [new URL(url).host] }],
      },
    ],
  }
  // YAML contains JSON.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  try {
    await once(prometheus, 'spawn')
    const from = Date.now() / 1000
    await work(url, key)
    const to = Date.now() / 1000
    const panels = await Promise.all(
      dashboard.panels.map(async (panel) => ({ panel, series: await seriesOf(panel, { port, from, to }) })),
    )
    for (const { panel, series } of panels) if (series.length === 0) console.log(`no data: ${panel.title}`)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.setContent(pageOf(panels, { from, to }))
    const bytes = await page.screenshot({ fullPage: true })
    await writeFile(picture, await sharp(bytes).png({ palette: true, colours: 128, effort: 10 }).toBuffer())
  } finally {
    if (prometheus.kill()) await once(prometheus, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
})
