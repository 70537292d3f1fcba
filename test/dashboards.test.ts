import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'

const deploy = join(import.meta.dirname, '..', 'deploy')
const dashboard = JSON.parse(await readFile(join(deploy, 'grafana-dashboard.json'), 'utf8'))
/** The server's own. */
const { parse } = createRequire(new URL('../packages/server/package.json', import.meta.url))('yaml')
const alerts = parse(await readFile(join(deploy, 'prometheus-alerts.yaml'), 'utf8'))

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly description: string }
}
const rules: readonly Rule[] = alerts.groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
const panels: readonly { title: string; targets: readonly { expr: string; legendFormat: string }[] }[] =
  dashboard.panels

const expressions: readonly (readonly [string, string, readonly string[]])[] = [
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => [title, expr, labelsNamed(legendFormat, /\{\{(\w+)\}\}/g)] as const),
  ),
  ...rules.map(
    ({ alert, expr, annotations }) => [alert, expr, labelsNamed(annotations.summary, /\$labels\.(\w+)/g)] as const,
  ),
]

function labelsNamed(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, label = '']) => label)
}

/** Labels that Prometheus adds to every metric. */
const added = ['job', 'instance']

/** The labels of each time series in /metrics. */
let series: ReadonlyMap<string, ReadonlySet<string>>

const receiver = await opened(openReceiver())
const service = await opened(openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' } }))
beforeAll(async () => {
  const json = await service.execute({
    inputs: { mail: 'Total: EUR 12.50' },
    config: {
      prompt: 'Extract the total',
      json_schema: { type: 'object', properties: { total: { type: 'number' } } },
    },
    callback_url: receiver.url('/ended'),
  })
  expect(json).toMatchObject({ status: 'completed' })
  const metrics = async () => (await service.call('GET', '/metrics')).json as string
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^skillrun_callback_tries_total\{/m), {
    timeout: 60_000,
  })
  const found = new Map<string, Set<string>>()
  const note = (name: string, labels: readonly string[]) => {
    const known = found.get(name) ?? new Set()
    found.set(name, known)
    for (const label of labels) known.add(label)
  }
  for (const line of (await metrics()).split('\n')) {
    const declared = /^# TYPE (\w+) (\w+)$/.exec(line)
    if (declared) {
      const suffixes = declared[2] === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      for (const suffix of suffixes) note(`${declared[1]}${suffix}`, [])
    }
    const [, name, labels = ''] = /^(skillrun_\w+)(?:\{(.*)\})? /.exec(line) ?? []
    if (name)
      note(
        name,
        [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
      )
  }
  series = found
})

test('the dashboard and the alerts show something', () => {
  expect(panels.length).toBeGreaterThan(10)
  expect(rules.length).toBeGreaterThan(8)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})

describe('every metric and label exists in /metrics', () => {
  test.each(expressions)('%s: %s', (_where, expr, shown) => {
    const selectors = [...expr.matchAll(/\b(skillrun_\w+)(?:\{([^}]*)\})?/g)]
    expect(selectors.length).toBeGreaterThan(0)
    for (const [, name = '', matchers = ''] of selectors) {
      expect([...series.keys()]).toContain(name)
      const known = [...added, ...(series.get(name) ?? [])]
      // A metric that this service has not counted yet shows no labels.
      if (series.get(name)?.size === 0) continue
      const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(/,\s*/) ?? []
      const matched = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
      for (const label of [...grouped, ...matched, ...shown]) expect(known).toContain(label)
      // What a legend shows must have survived the grouping.
      if (/\b(sum|max|min)\b/.test(expr)) for (const label of shown) expect(grouped).toContain(label)
    }
  })
})

test('docs/guides/operations.md names every metric of ours, and no other', async () => {
  const guide = await readFile(join(deploy, '..', 'docs', 'guides', 'operations.md'), 'utf8')
  const named = new Set([...guide.matchAll(/`(skillrun_(?!nodejs_|process_)[a-z_]+)/g)].map(([, name = '']) => name))
  const { json } = await service.call('GET', '/metrics')
  const ours = [...(json as string).matchAll(/^# TYPE (skillrun_(?!nodejs_|process_)\w+)/gm)].map(
    ([, name = '']) => name,
  )
  expect([...named].sort()).toEqual(ours.sort())
})

test('an alert on callbacks counts as failed what the server does', async () => {
  const metrics = (await service.call('GET', '/metrics')).json as string
  const [, outcome] = /^skillrun_callback_tries_total\{outcome="([^"]*)"/m.exec(metrics) ?? []
  expect(rules.find(({ alert }) => alert === 'SkillrunCallbacksFail')?.expr).toContain(`outcome!="${outcome}"`)
})

const canAsk = process.env['REQUIRE_PROMETHEUS'] === '1' || spawnSync('promtool', ['--version']).status === 0
if (!canAsk) console.log('Prometheus does not check rules: there is no promtool here (apt-get install prometheus).')

describe.skipIf(!canAsk)('in Prometheus', () => {
  const promtool = (...args: readonly string[]) => promisify(execFile)('promtool', args, { cwd: deploy })

  test('each alert fires when its promise is broken, and not before', async () => {
    const { stdout } = await promtool('test', 'rules', 'prometheus-alerts.test.yaml')
    expect(stdout).toContain('SUCCESS')
  })

  test('each expression of an alert or a panel is one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-expressions-'))
    try {
      const asRules = expressions.map(([, expr], at) => ({
        record: `panel:${at}`,
        expr: expr.replaceAll(/\$__\w+/g, '5m'),
      }))
      await writeFile(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'panels', rules: asRules }] }))
      const { stdout } = await promtool('check', 'rules', join(folder, 'rules.yaml'))
      expect(stdout).toContain(`SUCCESS: ${expressions.length} rules found`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
