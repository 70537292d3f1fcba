import { z } from 'zod'
import { shownInPlaceOf } from './schemas.ts'
import { invalid } from './validation.ts'

/** A field of a request that is not in its schema. */
export interface IgnoredField {
  readonly path: readonly (string | number)[]
  /** The most similar known field, as a dotted path: `config.prompt`. */
  readonly nearest: string | undefined
}

/** The sentence about an ignored field, without a final period. */
export const ignoredSentence = ({ path, nearest }: IgnoredField): string =>
  `The server ignored the unknown field ${JSON.stringify(path.join('.'))}${nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`}`

/** Parameters without a meaning here that every request of a dialect may have: Anthropic's clients send `beta=true`, Azure's `api-version`. */
const meaningless: ReadonlySet<unknown> = new Set(['beta', 'api-version'])

/** Throws a ValidationFailure for a query parameter that is not in the schema. */
export function refuseUnknownQuery(schema: z.ZodType, sent: unknown): void {
  const unknown = ignoredFields(schema, sent).find(({ path }) => !meaningless.has(path[0]))
  if (unknown === undefined) return
  const name = String(unknown.path[0])
  const hint = unknown.nearest === undefined ? '' : `; did you mean ${JSON.stringify(unknown.nearest)}?`
  throw invalid(['query', name], `Unknown parameter: ${JSON.stringify(name)}${hint}`, { type: 'unknown_parameter' })
}

/** The value of `X-Ignored-Fields`: `query.statuss;nearest=query.status, body.note`. Undefined when nothing was ignored. */
export function ignoredHeader(
  parts: readonly { readonly part: 'query' | 'body'; readonly schema: z.ZodType | undefined; readonly sent: unknown }[],
): string | undefined {
  const named = parts.flatMap(({ part, schema, sent }) =>
    (schema ? ignoredFields(schema, sent) : []).map(({ path, nearest }) => {
      const place = [part, ...path].map(encoded).join('.')
      return nearest === undefined ? place : `${place};nearest=${part}.${encoded(nearest)}`
    }),
  )
  let header = ''
  for (const one of named) {
    const longer = header === '' ? one : `${header}, ${one}`
    if (longer.length > headerCharactersMax) break
    header = longer
  }
  return header === '' ? undefined : header
}

/** A truncated name may end in half a surrogate pair. */
const encoded = (step: string | number): string => encodeURIComponent(String(step).toWellFormed())

/** Clients accept about 16 KiB of headers in total. */
const headerCharactersMax = 4_000

/** Limits: names examined in one body, and ignored fields reported for it. */
const namesMax = 2_000
const ignoredMax = 20
const nameCharactersMax = 60

/**
 * The fields of a value that its schema ignores, at every level. Null fields are skipped, and so are objects that accept any
 * name.
 */
export function ignoredFields(schema: z.ZodType, value: unknown): readonly IgnoredField[] {
  const found: (string | number)[][] = []
  let names = 0
  const visit = (given: z.core.$ZodType, at: unknown, path: (string | number)[]): void => {
    if (typeof at !== 'object' || at === null || found.length >= ignoredMax || names > namesMax) return
    const plain = unwrapped(given)
    if (plain instanceof z.ZodArray && Array.isArray(at))
      at.forEach((item: unknown, index) => {
        visit(plain.element, item, [...path, index])
      })
    else if (plain instanceof z.ZodDiscriminatedUnion) {
      const { discriminator } = plain.def
      const type = (at as Record<string, unknown>)[discriminator]
      const option = plain.options.find((one) => namesOf(one, discriminator).includes(type))
      if (option) visit(option, at, path)
    } else if (plain instanceof z.ZodUnion) {
      const same = plain.options.filter((one) => unwrapped(one) instanceof z.ZodArray === Array.isArray(at))
      const option = same.length === 1 ? same[0] : same.find((one) => z.safeParse(one, at).success)
      if (option) visit(option, at, path)
    } else if (plain instanceof z.ZodObject && !Array.isArray(at)) {
      const isLoose = plain.def.catchall !== undefined
      for (const name in at) {
        names += 1
        if (names > namesMax || found.length >= ignoredMax) return
        const inner = (at as Record<string, unknown>)[name]
        if (inner === null || inner === undefined) continue
        const known = Object.hasOwn(plain.shape, name) ? plain.shape[name] : undefined
        if (known) visit(known, inner, [...path, name])
        else if (!isLoose) found.push([...path, name])
      }
    }
  }
  visit(schema, value, [])
  if (found.length === 0) return []
  const known = knownPaths(schema)
  return found.map((path) => ({ path: path.map(shortened), nearest: nearestOf(path, known) }))
}

const shortened = (step: string | number): string | number =>
  typeof step === 'string' && step.length > nameCharactersMax ? `${step.slice(0, nameCharactersMax)}…` : step

/** The schema without optional, nullable and preprocessing wrappers; for one that reads its value by itself, the documented one. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let at = schema
  for (;;) {
    const documented = shownInPlaceOf(at)
    if (documented) at = documented
    else if (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap()
    else if (at instanceof z.ZodPipe) at = at.def.out
    else return at
  }
}

/** The values of the discriminator that choose this option of a union. */
function namesOf(option: z.core.$ZodType, discriminator: string): readonly unknown[] {
  const plain = unwrapped(option)
  const type = plain instanceof z.ZodObject ? plain.shape[discriminator] : undefined
  if (type instanceof z.ZodEnum) return type.options
  return type instanceof z.ZodLiteral ? [...type.values] : []
}

/** The paths of all fields in a schema; fields of array items appear under the array. */
function knownPaths(schema: z.ZodType): readonly (readonly string[])[] {
  const paths: string[][] = []
  const visit = (given: z.core.$ZodType, path: string[]): void => {
    const plain = unwrapped(given)
    if (plain instanceof z.ZodArray) visit(plain.element, path)
    if (!(plain instanceof z.ZodObject)) return
    for (const [name, inner] of Object.entries(plain.shape)) {
      paths.push([...path, name])
      visit(inner, [...path, name])
    }
  }
  visit(schema, [])
  return paths
}

/** The known field with the most similar name; between equal ones, the one next to the ignored field. */
function nearestOf(path: readonly (string | number)[], known: readonly (readonly string[])[]): string | undefined {
  const name = plainName(String(path.at(-1)))
  const above = path.slice(0, -1).filter((step) => typeof step === 'string')
  let best: { path: readonly string[]; cost: number } | undefined
  for (const one of known) {
    const likeness = distance(name, plainName(one.at(-1) ?? ''))
    const isBeside = one.length === above.length + 1 && above.every((step, index) => one[index] === step)
    const cost = likeness + (isBeside ? 0 : 0.1)
    if (likeness <= likenessMax && (best === undefined || cost < best.cost)) best = { path: one, cost }
  }
  return best?.path.join('.')
}

/** Normalises names: `jsonSchema` and `json-schema` become `jsonschema`. */
const plainName = (name: string): string =>
  name
    .slice(0, nameCharactersMax)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Names that differ in a larger share of their letters are not similar. */
const likenessMax = 0.4

/** Distance of two names from 0 to 1: the share of letters to edit, at most 0.3 when one is the start or end of the other. */
function distance(one: string, other: string): number {
  const longer = Math.max(one.length, other.length)
  if (longer === 0) return 0
  const shorter = Math.min(one.length, other.length)
  const isPart =
    shorter >= 4 && (one.endsWith(other) || other.endsWith(one) || one.startsWith(other) || other.startsWith(one))
  const edits = editsBetween(one, other) / longer
  return isPart ? Math.min(edits, 0.3) : edits
}

function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++)
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[other.length] ?? 0
}
