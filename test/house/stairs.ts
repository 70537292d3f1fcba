import { posix } from 'node:path'

/** Source files by their path from the repository's root, with `/`. */
export type Sources = ReadonlyMap<string, string>

/** One room: where its files lie, what they may import below it, and why. */
interface Step {
  readonly room: string
  readonly files: RegExp
  readonly below: readonly string[]
  readonly because: string
}

/** The stairs. A room may import itself and what its line names; nothing else, and never upwards. */
const stairs: readonly Step[] = [
  {
    room: 'front door',
    files: /^src\/[^/]+\.(ts|mjs)$/,
    below: ['features', 'tools', 'agent', 'media', 'seam', 'brand', 'kit'],
    because: 'it hires everyone, so it alone names brands',
  },
  {
    room: 'features',
    files: /^src\/features\//,
    below: ['tools', 'agent', 'media', 'seam', 'kit'],
    because: 'what the product is knows how it thinks and what it uses, by its face',
  },
  {
    room: 'tools',
    files: /^src\/tools\//,
    below: ['agent', 'media', 'seam', 'kit'],
    because: 'a tool keeps the contract that agent/ writes down; the agent is given its tools and knows none',
  },
  {
    room: 'agent',
    files: /^src\/agent\//,
    below: ['media', 'seam', 'kit'],
    because: 'thinking works on words with places and reaches the world through seams',
  },
  {
    room: 'media',
    files: /^src\/media\//,
    below: ['seam', 'kit'],
    because: 'bytes become words the same way whoever asks',
  },
  {
    room: 'brand',
    files: /^src\/seams\/[^/]+\/[^/]+\//,
    below: ['seam', 'kit'],
    because: 'an adapter keeps the promise of its face, and may use the faces of others',
  },
  {
    room: 'seam',
    files: /^src\/seams\/[^/]+\/[^/]+\.ts$/,
    below: ['kit'],
    because: 'a face must not know who stands behind it',
  },
  { room: 'kit', files: /^src\/kit\//, below: [], because: 'small words mean the same everywhere' },
  {
    room: 'command line',
    files: /^cli\//,
    below: ['client', 'seam', 'kit'],
    because:
      'it speaks HTTP with the server, as every other client does, and waits as the typed client does; its doctor looks at the machine by the faces that the server uses',
  },
  {
    room: 'client',
    files: /^client\//,
    below: [],
    because: 'it is taken elsewhere, into Node and into pages, and must stand alone',
  },
]

/** Doors between side rooms, besides those of the hall. */
const doors: readonly { readonly from: string; readonly to: string; readonly because: string }[] = [
  { from: 'skills', to: 'files', because: 'a skill may carry files' },
  { from: 'skills', to: 'models', because: 'a language model, where there is one, writes the skill of a session' },
  { from: 'skills', to: 'chat', because: 'a skill may be made from what was said in a session' },
  ...['evaluations', 'files', 'keys', 'programs', 'skills', 'webhooks'].map((from) => ({
    from,
    to: 'audit',
    because: 'what is done is written down by the transaction that does it',
  })),
  { from: 'evaluations', to: 'skills', because: 'known answers and gates are of skills' },
  { from: 'evaluations', to: 'models', because: 'an evaluation names the model of its runs' },
  { from: 'programs', to: 'skills', because: 'programs are of skills' },
  { from: 'programs', to: 'evaluations', because: 'programs are compiled from known answers' },
  {
    from: 'agents',
    to: 'webhooks',
    because: 'an agent brings a callback URL, which is refused as that of an execution is',
  },
  { from: 'health', to: 'models', because: 'health says which engine answers' },
  { from: 'usage', to: 'pricing', because: 'usage rounds each cost as its record does' },
]

/** Everything in the house starts here, so every side room opens on it and it on every side room. */
const hall = 'executions'

const forbiddenNames = /(^|\/)(index\.ts$|types\.ts$|(utils?|lib|helpers?|common)(\/|\.ts$))/
const testFile = /\.test\.ts$|^test\//

/** What is wrong with the imports and names of `sources`, one sentence each; an empty list when all is well. */
export function judge(sources: Sources): readonly string[] {
  const house = [...sources].filter(([path]) => /^(src|cli|client)\//.test(path))
  if (house.length === 0) return ['there is no code to look at']
  const wrong: string[] = []
  for (const [path, text] of house) {
    if (forbiddenNames.test(path)) wrong.push(`${path} has a name that says nothing`)
    if (/^export \* from /m.test(text)) wrong.push(`${path} hands on all of another file: import that one instead`)
    if (stepOf(path) === undefined) wrong.push(`${path} lies in no room of the table`)
    for (const target of named([...importForms, ...jobForms], path, text)) {
      const why = refusal(path, target)
      if (why !== undefined) wrong.push(`${path} imports ${target}: ${why}`)
    }
  }
  return [...wrong, ...circles(house)]
}

const importForms = [
  /^(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,?\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})?\s*from\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
]

/** How a job is named for another process to import. */
const jobForms = [
  /\bnew URL\(\s*['"]([^'"]+\.m?[jt]s)['"]\s*,\s*import\.meta\.url\s*\)/g,
  /\bimport\.meta\.resolve\(\s*['"]([^'"]+)['"]\s*\)/g,
]

/** The files of ours that `text` imports, by static, dynamic and type imports. */
export function importsOf(path: string, text: string): readonly string[] {
  return named(importForms, path, text)
}

function named(forms: readonly RegExp[], path: string, text: string): readonly string[] {
  const names = forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''))
  const own = names.filter((name) => name.startsWith('.'))
  return [...new Set(own.map((name) => posix.join(posix.dirname(path), name)))]
}

function stepOf(path: string): Step | undefined {
  return stairs.find((step) => step.files.test(path))
}

/** Why `path` may not import `target`, or undefined when it may. */
function refusal(path: string, target: string): string | undefined {
  const from = stepOf(path)
  if (from === undefined) return undefined
  const isTest = testFile.test(path)
  if (isTest && target.startsWith('test/house/')) return undefined
  const to = stepOf(target)
  if (to === undefined) return 'it lies in no room of the table'
  if (testFile.test(target)) return 'only tests import tests'
  if (from.room === to.room) return from.room === 'brand' || !isTest ? refusalWithin(path, target) : undefined
  const below = isTest ? [...from.below, 'brand'] : from.below
  if (below.includes(to.room)) return undefined
  return `${from.room} may not import ${to.room} (${from.because})`
}

/** Why two files of one room may not meet. */
function refusalWithin(path: string, target: string): string | undefined {
  const brand = /^src\/seams\/[^/]+\/[^/]+\//
  const brandOf = (file: string): string | undefined => brand.exec(file)?.[0]
  if (brandOf(path) !== undefined && brandOf(path) !== brandOf(target) && !testFile.test(path)) {
    return 'one adapter may not know another (each stands alone behind its face)'
  }
  const feature = /^src\/features\/([^/]+)\/(.+)$/
  const [, from] = feature.exec(path) ?? []
  const [, to, file] = feature.exec(target) ?? []
  if (from === undefined || to === undefined || from === to) return undefined
  if (file !== `${to}.ts`) return `features meet only through the file named after the feature, ${to}/${to}.ts`
  if (from === hall || to === hall || doors.some((door) => door.from === from && door.to === to)) return undefined
  return `side rooms do not open on each other; ${from} → ${to} would be a new door, which needs a reason in the table`
}

const typeImport = /^(?:import|export) type [^'"]*['"][^'"]+['"]/gm

/** Each circle of imports once, as the way around it. Imports of types are gone when the code runs and go round freely. */
function circles(house: readonly (readonly [string, string])[]): readonly string[] {
  const known = new Map(house)
  const found: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (path: string): void => {
    const start = way.indexOf(path)
    if (start !== -1) found.push(`imports go round in a circle: ${[...way.slice(start), path].join(' → ')}`)
    const text = known.get(path)
    if (start !== -1 || done.has(path) || text === undefined) return
    way.push(path)
    for (const target of importsOf(path, text.replace(typeImport, ''))) visit(target)
    way.pop()
    done.add(path)
  }
  for (const [path] of house) visit(path)
  return found
}
