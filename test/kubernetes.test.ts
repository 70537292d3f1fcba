import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { type Chart, canRender, chartFolder, faultsOf, objectsIn, openChart, yaml } from './support/chart.ts'

/* The chart and the plain manifests: whether they fit each other, Kubernetes and the server. No cluster runs them here. */

const deploy = join(import.meta.dirname, '..', 'deploy')

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

const plain = await readFile(join(deploy, 'kubernetes.yaml'), 'utf8')
const items = objectsIn(plain) as readonly Item[]
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

const [defaults, schema] = await Promise.all([
  readFile(join(chartFolder, 'values.yaml'), 'utf8').then(yaml.parse),
  readFile(join(chartFolder, 'values.schema.json'), 'utf8').then(JSON.parse),
])
const acceptsValues = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(schema)

const affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }

/** Sets of values that together reach every branch of the templates. */
const sets: Readonly<Record<string, object>> = {
  'its default values': {},
  everything: {
    image: { repository: 'registry.example.com/skillrun', tag: '1.2.3' },
    imagePullSecrets: [{ name: 'registry' }],
    env: { LOG_LEVEL: 'info', SKILLRUN_ALLOW_PRIVATE: '10.1.0.0/16', PORT_OF_NOTHING: 10_000_000, IS_SET: true },
    config: { limits: { requests_per_minute: 12_000_000 }, models: {} },
    api: { replicas: 3, nodeSelector: { pool: 'api' }, tolerations: [{ key: 'api', operator: 'Exists' }], affinity },
    worker: { nodeSelector: { pool: 'work' }, tolerations: [{ key: 'work', operator: 'Exists' }], affinity },
    autoscaling: { enabled: true },
    backup: { enabled: true, to: 's3://bucket/backups?region=eu-central-1&endpoint=https://s3.example.com' },
    ingress: { enabled: true, tls: [{ secretName: 'skillrun-tls', hosts: ['skillrun.example.com'] }] },
    networkPolicy: { enabled: true, from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
    service: { type: 'LoadBalancer', port: 8080 },
  },
  'nothing but the servers': {
    migrations: { enabled: false },
    podDisruptionBudget: { enabled: false },
    sandbox: { seccompProfile: { type: 'RuntimeDefault', localhostProfile: null }, appArmorProfile: null },
    publicUrl: 'https://skillrun.example.com',
    existingSecret: 'another',
  },
  'an ingress without class, and nobody who may reach the pods': {
    ingress: { enabled: true, className: '', annotations: null, hosts: ['a.example.com', 'b.example.com'] },
    networkPolicy: { enabled: true },
    podDisruptionBudget: { maxUnavailable: '50%' },
  },
}

const kindsOf: Readonly<Record<string, readonly string[]>> = {
  'its default values': ['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service'],
  everything: [
    'ConfigMap',
    'CronJob',
    'Deployment',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Service',
  ],
  'nothing but the servers': ['Deployment', 'Deployment', 'Service'],
  'an ingress without class, and nobody who may reach the pods': [
    'Deployment',
    'Deployment',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Service',
  ],
}

test('its values are of its own schema, and a misspelled or mistyped one is refused', () => {
  expect(acceptsValues(defaults), JSON.stringify(acceptsValues.errors)).toBe(true)
  for (const values of [
    { autoscalling: { enabled: true } },
    { worker: { slot: 'flex=1' } },
    { api: { replicas: '2' } },
  ])
    expect(acceptsValues(values), JSON.stringify(values)).toBe(false)
})

test('Kubernetes has each field of the plain manifests, and a misspelled, missing or mistyped one is noticed', async () => {
  expect(await faultsOf(items)).toEqual([])
  const [api] = deployments
  const changed = (from: string, to: string) => JSON.parse(JSON.stringify(api).replace(from, to))
  expect(JSON.stringify(api)).toContain('"replicas":2')
  const faults = await Promise.all(
    [
      changed('"readinessProbe"', '"readinesProbe"'),
      changed('"containerPort"', '"port"'),
      changed('"replicas":2', '"replicas":"2"'),
      changed('"kind":"Deployment"', '"kind":"Deploiment"'),
    ].map(async (one) => (await faultsOf([one])).join()),
  )
  expect(faults).toEqual([
    expect.stringContaining('readinesProbe'),
    expect.stringContaining('port'),
    expect.stringContaining("'string' is not assignable to type 'number'"),
    expect.stringContaining('Deploiment'),
  ])
})

if (!canRender)
  console.log(
    'The chart is not rendered: that needs golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev.',
  )

describe.skipIf(!canRender)('rendered', { timeout: 120_000 }, () => {
  let chart: Chart
  beforeAll(async () => {
    chart = await openChart()
  }, 120_000)
  afterAll(() => chart[Symbol.asyncDispose]())

  test('the plain manifests are what it renders without the job of Helm', async () => {
    const text = await chart.render({ migrations: { enabled: false } })
    const [notes = '', ...objects] = text
      .replaceAll(/^# Source: .*\n| *app.kubernetes.io\/managed-by: Helm\n/gm, '')
      .split(/^(?=---$)/m)
    expect(notes).toContain('kubectl port-forward service/skillrun 8080:80')
    const [, about = ''] = plain.match(/^((?:#.*\n)+)/) ?? []
    expect(plain).toBe(about + objects.join(''))
  })

  test.each(Object.keys(sets))('Kubernetes has each field of what it renders with %s', async (name) => {
    const values = sets[name] ?? {}
    expect(acceptsValues(values), JSON.stringify(acceptsValues.errors)).toBe(true)
    const objects = objectsIn(await chart.render(values)) as readonly Item[]
    expect(await faultsOf(objects)).toEqual([])
    const named = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(named).size).toBe(named.length)
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual(kindsOf[name])
  })

  test('a number of millions stays one, and the configuration arrives as it was written', async () => {
    const objects = objectsIn(await chart.render(sets['everything'] ?? {}))
    const config = objects.find(({ kind }) => kind === 'ConfigMap') as unknown as { data: Record<string, string> }
    expect(JSON.parse(config.data['config.json'] ?? '')).toEqual({
      limits: { requests_per_minute: 12_000_000 },
      models: {},
    })
    const [container] = (objects.find(({ kind }) => kind === 'Deployment') as Item).spec.template.spec.containers
    expect(container.env).toContainEqual({ name: 'PORT_OF_NOTHING', value: '10000000' })
    expect(container.env).toContainEqual({ name: 'SKILLRUN_PUBLIC_URL', value: 'https://skillrun.example.com' })
  })

  test('backups without a place are refused with a sentence', async () => {
    await expect(chart.render({ backup: { enabled: true } })).rejects.toThrow('backup.to must be the s3:// address')
  })
})
