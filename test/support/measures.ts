import { posix } from 'node:path'
import type { Sources } from './architecture.ts'

/** The largest of its kind, by name and size. */
export interface Largest {
  readonly name: string
  readonly size: number
}

export interface Measures {
  /** The widest dependency object (`…Parts`) in features and the composition root, including inherited members. */
  readonly widestParts: Largest
  /** Parts of routes (`…RouteParts`) that bring a database of their own instead of using that of the request. */
  readonly unconfinedRoutes: readonly string[]
  /** Casts that the compiler does not check (`as unknown as`), tests included, and those of them without a comment above them. */
  readonly forcedCasts: readonly string[]
  readonly forcedCastsWithoutReason: readonly string[]
  /** Names that more than one file of one package exports. */
  readonly duplicateNames: readonly string[]
  /** The folder with the most source files directly in it, not counting tests. */
  readonly largestFolder: Largest
}

const isSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$/.test(path)

/** Structural measures of the packages' code. */
export function measure(sources: Sources): Measures {
  const own = new Map([...sources].filter(([path]) => isSource(path)))
  return {
    widestParts: largest(partsIn(own).map(({ name, size }) => ({ name, size }))),
    unconfinedRoutes: partsIn(own)
      .filter(({ name, members }) => /^\w*RouteParts in/.test(name) && members.has('db'))
      .map(({ name }) => name),
    forcedCasts: castsIn(sources).map(({ place }) => place),
    forcedCastsWithoutReason: castsIn(sources).flatMap(({ place, hasReason }) => (hasReason ? [] : [place])),
    duplicateNames: duplicatesIn(own),
    largestFolder: largest(
      [...Map.groupBy(own.keys(), (path) => posix.dirname(path))].map(([name, files]) => ({
        name,
        size: files.length,
      })),
    ),
  }
}

function castsIn(sources: Sources): readonly { readonly place: string; readonly hasReason: boolean }[] {
  return [...sources]
    .filter(([path]) => path.startsWith('packages/'))
    .flatMap(([path, text]) => {
      const lines = text.split('\n')
      return lines.flatMap((line, at) => {
        if (!/\bas\s+unknown\s+as\b/.test(line)) return []
        return [{ place: `${path}:${at + 1}`, hasReason: /^\s*(\/\/|\*)/.test(lines[at - 1] ?? '') }]
      })
    })
}

const largest = (all: readonly Largest[]): Largest =>
  all.reduce((most, one) => (one.size > most.size ? one : most), { name: '', size: 0 })

const declaration = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm

function duplicatesIn(sources: Sources): readonly string[] {
  const declared = [...sources].flatMap(([path, text]) =>
    [...text.matchAll(declaration)].map(([, name]) => `${path.split('/')[1]}: ${name}`),
  )
  return [...Map.groupBy(declared, (one) => one)].flatMap(([one, uses]) => (uses.length > 1 ? [one] : [])).toSorted()
}

/** The dependency objects in features and in the composition root, each with its number of members. */
function partsIn(sources: Sources): readonly (Largest & { readonly members: ReadonlySet<string> })[] {
  return [...sources]
    .filter(([path]) => /^packages\/server\/src\/(features\/|[^/]+$)/.test(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^(?:export )?(?:interface|type) (\w*Parts)\b/gm)].map(([, name = '']) => {
        const members = membersOf(sources, path, name)
        return { name: `${name} in ${path}`, size: members.size, members }
      }),
    )
}

/** The members of a type by its name in a file, including types that it extends or intersects. */
function membersOf(sources: Sources, path: string, name: string): ReadonlySet<string> {
  const text = sources.get(path) ?? ''
  const found = new RegExp(`^(?:export )?(interface|type) ${name}\\b(?: =)?`, 'm').exec(text)
  if (!found) {
    const from = importOf(text, name)
    const target = from && posix.join(posix.dirname(path), from.file)
    return target && sources.has(target) ? membersOf(sources, target, from.name) : new Set()
  }
  const rest = text.slice(found.index + found[0].length)
  // A type alias may go on after its first brace: `{ … } & Pick<…>`.
  const end = (found[1] === 'type' ? /\n(?=\n|\/\*\*|export |const |function |async )/ : /^}/m).exec(rest)
  return membersOfType(sources, path, rest.slice(0, end ? end.index + 1 : undefined))
}

/** The members of the text after a type's name: `extends A, Pick<B, 'b'> { readonly c: C }`, or `A & { readonly c: C }`. */
function membersOfType(sources: Sources, path: string, type: string): ReadonlySet<string> {
  const own = [...type.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = '']) => member)
  const head = type.replaceAll(/\{[\s\S]*?\n\}/g, '')
  const picked = [...head.matchAll(/\bPick<\s*\w+,([^>]+)>/g)].flatMap(([, keys = '']) =>
    [...keys.matchAll(/'(\w+)'/g)].map(([, key = '']) => key),
  )
  const others = head.replaceAll(/\bPick<[^>]+>/g, '').matchAll(/\b[A-Z]\w+\b/g)
  const inherited = [...others]
    .filter(([other]) => other !== 'Omit')
    .flatMap(([other]) => [...membersOf(sources, path, other)])
  const omitted = [...head.matchAll(/\bOmit<\s*\w+,([^>]+)>/g)].flatMap(([, keys = '']) =>
    [...keys.matchAll(/'(\w+)'/g)].map(([, key = '']) => key),
  )
  return new Set([...own, ...picked, ...inherited.filter((member) => !omitted.includes(member))])
}

const named = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/gm

/** The file that a name is imported from, and its name there. */
function importOf(text: string, name: string): { readonly file: string; readonly name: string } | undefined {
  for (const [, names = '', file = ''] of text.matchAll(named))
    for (const one of names.split(',')) {
      const [, there, here] = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(one) ?? []
      if (there !== undefined && (here ?? there) === name) return { file, name: there }
    }
  return undefined
}
