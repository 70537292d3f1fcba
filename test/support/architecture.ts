import { posix } from 'node:path'

/** Source files by their path from the repository's root, with `/`. */
export type Sources = ReadonlyMap<string, string>

/** A layer: its files, the layers it may import, and why. Layers may import themselves. */
interface Layer {
  readonly name: string
  readonly files: RegExp
  readonly imports: readonly string[]
  readonly because: string
}

const layers: readonly Layer[] = [
  { name: 'core', files: /^packages\/core\/src\//, imports: [], because: 'every package uses it' },
  {
    name: 'reader',
    files: /^packages\/reader\/src\//,
    imports: ['core'],
    because: 'it reads documents without a database, HTTP or a process pool',
  },
  {
    name: 'client',
    files: /^packages\/client\/src\//,
    imports: [],
    because: 'it is published alone, for Node and for browsers',
  },
  {
    name: 'cli',
    files: /^packages\/cli\//,
    imports: ['client', 'core', 'limits', 'adapter interface'],
    because: 'it speaks HTTP with the server, like every other client; doctor looks at the machine as the server does',
  },
  {
    name: 'limits',
    files: /^packages\/server\/src\/core\/limits\.ts$/,
    imports: [],
    because: 'it holds numbers alone',
  },
  {
    name: 'server core',
    files: /^packages\/server\/src\/core\//,
    imports: ['core'],
    because: 'every server file uses it',
  },
  {
    name: 'adapter interface',
    files: /^packages\/server\/src\/adapters\/[^/]+\/[^/]+\.ts$/,
    imports: ['core', 'server core', 'limits', 'reader'],
    because: 'an interface does not know its implementations',
  },
  {
    name: 'adapter implementation',
    files: /^packages\/server\/src\/adapters\/[^/]+\/[^/]+\//,
    imports: ['core', 'server core', 'limits', 'reader', 'adapter interface'],
    because: 'an implementation knows interfaces, and no other implementation',
  },
  {
    name: 'media',
    files: /^packages\/server\/src\/media\//,
    imports: ['core', 'server core', 'limits', 'reader', 'adapter interface'],
    because: 'it edits and draws media for tools',
  },
  {
    name: 'agent',
    files: /^packages\/server\/src\/agent\//,
    imports: ['core', 'server core', 'limits', 'reader', 'adapter interface', 'media'],
    because: 'the loop is given its tools and knows none',
  },
  {
    name: 'tools',
    files: /^packages\/server\/src\/tools\//,
    imports: ['core', 'server core', 'limits', 'reader', 'adapter interface', 'media', 'agent'],
    because: 'a tool implements the contract in agent/tool.ts',
  },
  {
    name: 'features',
    files: /^packages\/server\/src\/features\//,
    imports: ['core', 'server core', 'limits', 'reader', 'adapter interface', 'media', 'agent', 'tools'],
    because: 'features use adapters through their interfaces',
  },
  {
    name: 'composition root',
    files: /^packages\/server\/src\/[^/]+\.(ts|mjs)$/,
    imports: [
      'core',
      'server core',
      'limits',
      'reader',
      'adapter interface',
      'adapter implementation',
      'media',
      'agent',
      'tools',
      'features',
    ],
    because: 'it alone chooses implementations',
  },
]

/** The features in order: each may import earlier ones. docs/decisions/0018-order-of-features.md says why. */
const features = [
  ...[
    'idempotency',
    'audit',
    'pricing',
    'models',
    'keys',
    'users',
    'usage',
    'webhooks',
    'agents',
    'processes',
    'files',
    'inputs',
  ],
  ...[
    'skills',
    'artifacts',
    'feedback',
    'executions',
    'saved-filters',
    'cheapest-path',
    'estimates',
    'predictions',
    'evaluations',
    'improvements',
    'batches',
  ],
  ...['programs', 'reviews', 'approvals', 'capsules', 'runs', 'replays'],
  ...['chat', 'dialects', 'openai', 'anthropic', 'mcp', 'skill-making'],
  ...['retention', 'health', 'console', 'backups'],
]

const featureFile = /^packages\/server\/src\/features\/([^/]+)\/(.+)$/

const forbiddenNames = /(^|\/)(index\.ts$|types\.ts$|(utils?|lib|helpers?|common)(\/|\.ts$))/
const testFile = /\.test\.tsx?$|^test\//
const ourFiles = /^packages\/(core|reader\/src|client\/src|cli|server)\//

/** Violations in the imports and names of `sources`, one sentence each; empty when there are none. */
export function findViolations(sources: Sources): readonly string[] {
  const ours = [...sources].filter(([path]) => ourFiles.test(path))
  if (ours.length === 0) return ['there is no code to look at']
  const wrong: string[] = []
  for (const [path, text] of ours) {
    if (forbiddenNames.test(path)) wrong.push(`${path} has a name that says nothing`)
    if (/^export \* from /m.test(text)) wrong.push(`${path} re-exports all of another file: import that file instead`)
    if (layerOf(path) === undefined) wrong.push(`${path} is in no layer`)
    const [, feature] = featureFile.exec(path) ?? []
    if (feature !== undefined && !features.includes(feature))
      wrong.push(`${path} is in a feature that has no place in the order of features`)
    for (const target of named([...importForms, ...urlForms], path, text)) {
      const why = refusal(path, target)
      if (why !== undefined) wrong.push(`${path} imports ${target}: ${why}`)
    }
  }
  return [...wrong, ...findCycles(ours)]
}

const importForms = [
  /^(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,?\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})?\s*from\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
]

/** How a job names its module, and a process its entry point. */
const urlForms = [
  /\bnew URL\(\s*['"]([^'"]+\.m?[jt]s)['"]\s*,\s*import\.meta\.url\s*\)/g,
  /\bimport\.meta\.resolve\(\s*['"]([^'"]+)['"]\s*\)/g,
]

/** Our own files that `text` imports, by static, dynamic and type imports. */
export function importsOf(path: string, text: string): readonly string[] {
  return named(importForms, path, text)
}

function named(forms: readonly RegExp[], path: string, text: string): readonly string[] {
  const names = forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''))
  return [...new Set(names.flatMap((name) => fileOf(path, name)))]
}

/** The file that an import specifier in `path` resolves to; empty for other packages. */
function fileOf(path: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [posix.join(posix.dirname(path), name)]
  const [, pkg, rest] = /^@skillrun\/([a-z]+)\/(.+)$/.exec(name) ?? []
  return pkg === undefined || rest === 'package.json' ? [] : [`packages/${pkg}/src/${rest}`]
}

const layerOf = (path: string): Layer | undefined => layers.find((layer) => layer.files.test(path))

/** Why `path` may not import `target`, or undefined when it may. */
function refusal(path: string, target: string): string | undefined {
  const from = layerOf(path)
  if (from === undefined) return undefined
  const isTest = testFile.test(path)
  if (isTest && target.startsWith('test/support/')) return undefined
  const to = layerOf(target)
  if (to === undefined) return 'it is in no layer'
  if (testFile.test(target)) return 'only tests import tests'
  if (from === to) return refusalWithin(path, target)
  const allowed = isTest
    ? [...from.imports, 'adapter implementation', 'adapter interface', 'server core']
    : from.imports
  if (allowed.includes(to.name)) return undefined
  return `${from.name} may not import ${to.name} (${from.because})`
}

/** Why two files of one layer may not import each other. */
function refusalWithin(path: string, target: string): string | undefined {
  const implementation = /^packages\/server\/src\/adapters\/[^/]+\/[^/]+\//
  const implementationOf = (file: string): string | undefined => implementation.exec(file)?.[0]
  if (
    implementationOf(path) !== undefined &&
    implementationOf(path) !== implementationOf(target) &&
    !testFile.test(path)
  )
    return 'one implementation may not know another'
  const [, from] = featureFile.exec(path) ?? []
  const [, to, file] = featureFile.exec(target) ?? []
  if (from === undefined || to === undefined || from === to) return undefined
  if (features.indexOf(to) > features.indexOf(from)) return `the feature ${from} comes before ${to}`
  if (!testFile.test(path) && file !== `${to}.ts`)
    return `features import only the file named after the feature, ${to}/${to}.ts`
  return undefined
}

/** Each import cycle once, as a path; type imports count. */
function findCycles(sources: readonly (readonly [string, string])[]): readonly string[] {
  const known = new Map(sources)
  const found: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (path: string): void => {
    const start = way.indexOf(path)
    if (start !== -1) found.push(`import cycle: ${[...way.slice(start), path].join(' → ')}`)
    const text = known.get(path)
    if (start !== -1 || done.has(path) || text === undefined) return
    way.push(path)
    for (const target of importsOf(path, text)) visit(target)
    way.pop()
    done.add(path)
  }
  for (const [path] of sources) visit(path)
  return found
}
