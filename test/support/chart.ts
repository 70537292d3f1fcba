import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/* The Helm chart: what it renders, and whether that is what Kubernetes accepts. */

const root = resolve(import.meta.dirname, '..', '..')
const run = promisify(execFile)
/** The server's own. */
export const yaml = createRequire(new URL('../../packages/server/package.json', import.meta.url))('yaml')

export const chartFolder = join(root, 'deploy', 'helm', 'skillrun')
const sources = '/usr/share/gocode'
/** Go with sprig, as Debian packages them (golang-go, golang-github-masterminds-sprig-dev, golang-k8s-sigs-yaml-dev). */
export const canRender =
  process.env['REQUIRE_HELM'] === '1' ||
  spawnSync('go', ['list', 'github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'], { env: goEnv() }).status === 0

function goEnv() {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, GO111MODULE: 'off', GOPATH: sources, GOFLAGS: '' }
}

export interface Chart extends AsyncDisposable {
  /** The text of all objects with these values. An error of a template is thrown. */
  render(values: object): Promise<string>
}

/** A chart can be rendered by Go's templates and sprig, which Helm consists of. */
export async function openChart(): Promise<Chart> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-chart-'))
  const renderer = join(folder, 'render')
  await run('go', ['build', '-o', renderer, join(import.meta.dirname, 'render-chart.go')], { env: goEnv() })
  return {
    async render(values) {
      const path = join(folder, 'values.yaml')
      await writeFile(path, yaml.stringify(values))
      return (await run(renderer, [chartFolder, 'skillrun', path])).stdout
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
}

/** The objects of a YAML text, without the notes of a chart. */
export const objectsIn = (text: string): readonly KubernetesObject[] =>
  yaml
    .parseAllDocuments(text.replace(/^---\n# Source: NOTES\.txt\n[\s\S]*?(?=^---$)/m, ''))
    .map((one: { toJS(): KubernetesObject | null }) => one.toJS())
    .filter((one: KubernetesObject | null) => one !== null)

/** What the types of Kubernetes' API refuse in these objects: unknown and missing fields, and values of another type. */
export async function faultsOf(objects: readonly KubernetesObject[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-objects-'))
  try {
    const types = join(root, 'node_modules', 'kubernetes-types')
    const typeOf = ({ apiVersion, kind }: KubernetesObject) => {
      const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
      return `import(${JSON.stringify(join(types, group.replace('.k8s.io', ''), `${version}.d.ts`))}).${kind}`
    }
    const lines = objects.map((one, at) => `export const o${at}: ${typeOf(one)} = ${JSON.stringify(one, null, 1)}`)
    await writeFile(join(folder, 'objects.ts'), `${lines.join('\n')}\n`)
    const options = { strict: true, noEmit: true, skipLibCheck: true, module: 'preserve', types: [] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['objects.ts'] }))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
      (error) => error,
    )
    return stdout.split('\n').filter((line: string) => line.includes('error TS'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
