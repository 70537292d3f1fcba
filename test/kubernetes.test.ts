import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { readConfig } from '../packages/server/src/config.ts'

/* What the chart renders with its default values: whether its parts fit each other and the server. No cluster runs it here. */

const deploy = join(import.meta.dirname, '..', 'deploy')
/** The server's own. */
const { parseAllDocuments } = createRequire(new URL('../packages/server/package.json', import.meta.url))('yaml')

type Labels = Readonly<Record<string, string>>
interface Container {
  readonly name: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Item {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels?: Labels }
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly containers: readonly [Container]
        readonly securityContext: object
        readonly volumes: readonly { readonly name: string }[]
      }
    }
  }
}

const items: readonly Item[] = parseAllDocuments(await readFile(join(deploy, 'kubernetes.yaml'), 'utf8'))
  .map((one: { toJS(): Item | null }) => one.toJS())
  .filter((one: Item | null) => one !== null)
const deployments = items.filter(({ kind }) => kind === 'Deployment')
const podsOf = (selector: Labels) =>
  deployments.filter(({ spec }) =>
    Object.entries(selector).every(([label, value]) => spec.template.metadata.labels[label] === value),
  )

test('there are an API and workers, each with a disruption budget, and a service for the API', () => {
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['skillrun-api', 'skillrun-worker'])
  const budgets = items.filter(({ kind }) => kind === 'PodDisruptionBudget')
  expect(budgets.map(({ spec }) => podsOf(spec.selector.matchLabels ?? {}))).toEqual(deployments.map((one) => [one]))
  const services = items.filter(({ kind }) => kind === 'Service')
  expect(services.map(({ spec }) => podsOf(spec.selector))).toEqual([[deployments[0]]])
  const named = items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  expect(new Set(named).size).toBe(named.length)
})

describe.each(deployments.map((one) => [one.metadata.name, one] as const))('%s', (_, { spec }) => {
  const { spec: pod, metadata } = spec.template
  const [container] = pod.containers

  test('selects its own pods', () => {
    expect(podsOf(spec.selector.matchLabels ?? {}).map((one) => one.spec.template.metadata)).toEqual([metadata])
  })

  test('has a configuration that the server accepts, and is asked on the port where it then listens', () => {
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
    const config = readConfig(env, '/data')
    expect(config.role).toBe(container.name)
    const listens = config.role === 'worker' ? config.workerPort : config.port
    const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
      expect(ports.get(httpGet.port)).toBe(listens)
      expect(['/healthz', '/readyz']).toContain(httpGet.path)
    }
    expect(container.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  })

  test('runs without root on a read-only root, with places to write', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp'])
    const volumes = pod.volumes.map(({ name }) => name)
    for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
  })
})

test('the commands of its jobs are commands with these options', async () => {
  const templates = join(deploy, 'helm', 'skillrun', 'templates')
  const backup = await readFile(join(templates, 'backup.yaml'), 'utf8')
  const options = [...backup.matchAll(/--[a-z]+/g)].map(([option]) => option)
  expect(options).toEqual(['--keep', '--verify'])
  const { stdout: help } = await skillrun(['help', 'backup'], { folder: deploy })
  for (const option of options) expect(help).toContain(` ${option}`)
  expect(await readFile(join(templates, 'migrations.yaml'), 'utf8')).toContain('"migrations" "upgrade-database"')
  expect((await skillrun(['help', 'upgrade-database'], { folder: deploy })).code).toBe(0)
})

test('the chart sets no variable that the server does not read', async () => {
  const templates = join(deploy, 'helm', 'skillrun', 'templates')
  const texts = await Promise.all((await readdir(templates)).map((name) => readFile(join(templates, name), 'utf8')))
  const known = await readFile(join(deploy, '..', 'packages', 'server', 'src', 'config.ts'), 'utf8')
  const set = texts.flatMap((text) => [...text.matchAll(/name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, name = '']) => name))
  expect(set).toContain('SKILLRUN_ROLE')
  expect(set.filter((name) => !known.includes(`'${name}'`))).toEqual([])
})
