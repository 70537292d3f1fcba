import type { JsonSchema } from '@skillrun/core/json.ts'
import { wrongRates } from '@skillrun/reader/score/risk.ts'
import type { CandidateKind } from './candidates.ts'
import type { LeafField } from './leaf-fields.ts'
import type { Rule, Verdict } from './learn-field.ts'

/** How a program finds a field. */
export type FieldPlan = Readonly<{ field: LeafField; verdicts: readonly Verdict[]; isOptional: boolean }> &
  (
    | { readonly by: 'extract' }
    | { readonly by: Rule['by']; readonly rule: Rule; readonly kind: CandidateKind; readonly isSeconded: boolean }
  )

type FoundPlan = Extract<FieldPlan, { kind: CandidateKind }>

interface Writing {
  readonly plans: readonly FieldPlan[]
  readonly schema: JsonSchema
  /** The text of `candidates.ts`. */
  readonly library: string
  readonly examples: number
}

const columnsMax = 118

/** The source of a program: its main function, then the library that it uses. */
export function writeProgram({ plans, schema, library, examples }: Writing): string {
  const found = plans.filter((plan): plan is FoundPlan => plan.by !== 'extract')
  const extracted = plans.filter(({ by }) => by === 'extract')
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  const asksReadings = extracted.length > 0 || found.some(({ by, isSeconded }) => by === 'points' && !isSeconded)
  const asksScores = found.some(({ isSeconded }) => isSeconded)
  const body = [
    'const lines: DocumentLine[] = await document.lines({})',
    ...(asksReadings || asksScores ? [`const schema = ${JSON.stringify(schema)}`] : []),
    ...(asksReadings
      ? [
          "// The embedded engine's own answer, computed when it is first needed.",
          'let answer',
          'const readings = async () => {',
          '  answer ??= (await document.extract({ schema })).answer',
          '  return answer',
          '}',
        ]
      : []),
    ...kinds.map((kind) => `const ${listNameOf(kind)} = candidatesOf(lines, ${quoted(kind)})`),
    ...found.flatMap((plan) => ['', tallyComment(plan), ...rule(plan)]),
    ...(extracted.length === 0 ? [] : ['', ...extracted.map(tallyComment), 'const extracted = await readings()']),
    ...closing(plans),
  ]
  return [
    `// Learned from ${examples} cases. The comment of each field counts its right, wrong and missing values on cases that it was not`,
    '// learned from. Marks describe the surroundings of a value: the words before it, the words above it, and its position.',
    '',
    'export default async function run({ document, io }) {',
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
    library.replace(/^export /gm, ''),
  ].join('\n')
}

const quoted = (text: string): string =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replace(/[\n\r\u2028\u2029]/g, ' ')}'`

const listNameOf = (kind: CandidateKind): string =>
  ({
    date: 'dates',
    'date, day first': 'datesDayFirst',
    'date, month first': 'datesMonthFirst',
    amount: 'amounts',
    text: 'texts',
  })[kind]

function tallyComment({ field, verdicts }: FieldPlan): string {
  const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length
  return `// ${field.pointer.replace(/[\n\r\u2028\u2029]/g, ' ')}: right ${count('right')}, wrong ${count('wrong')}, missing ${count('none')}`
}

function rule({ field, rule: by, kind, isSeconded }: FoundPlan): string[] {
  const name = field.name
  if (by.by === 'marks')
    return wrapped(`const ${name} = firstMarked(${listNameOf(kind)}, [`, by.marks.map(quoted), '])')
  const points = Object.entries(by.points).map(([mark, value]) => `${quoted(mark)}: ${value}`)
  const list = listNameOf(kind)
  return [
    ...wrapped(`const ${name}_points = {`, points, '}'),
    ...(isSeconded
      ? [`const ${name} = mostPoints(${list}, ${name}_points, 0)`]
      : [
          `const ${name} =`,
          `  mostPoints(${list}, ${name}_points, ${by.lead}) ??`,
          `  confirmed(mostPoints(${list}, ${name}_points, 0), (await readings())${accessOf(field)})`,
        ]),
  ]
}

/** A property access expression for a field. */
const accessOf = ({ path }: LeafField): string => path.map((step) => `?.[${quoted(step)}]`).join('')

/** A list between `open` and `close`, one item per line if it is long. */
function wrapped(open: string, items: readonly string[], close: string): string[] {
  const one = `${open}${items.join(', ')}${close}`
  if (one.length <= columnsMax) return [one]
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + item.length + 2 <= columnsMax) lines[lines.length - 1] = `${last} ${item},`
    else lines.push(`  ${item},`)
  }
  return [open, ...lines, close]
}

function closing(plans: readonly FieldPlan[]): string[] {
  const found = plans.filter((plan): plan is FoundPlan => plan.by !== 'extract')
  const cites = found.map(({ field }) => `${quoted(field.pointer)}: placeOf(lines, ${field.name}),`)
  const needed = found.filter(({ isOptional }) => !isOptional)
  const tests = needed.map(({ field }) => `...(${field.name} ? [] : [${quoted(field.pointer)}]),`)
  const seconded = found.filter(({ isSeconded }) => isSeconded)
  const seconds = seconded.map(({ field: { name, pointer, path } }) => {
    const second = `likeliest(scored, ${quoted(pointer)}, [${path.map(quoted).join(', ')}])`
    return `...(${name} && ${name}.value !== ${second} ? [${quoted(pointer)}] : []),`
  })
  return [
    ...(needed.length === 0
      ? []
      : [
          '',
          '// Without a sure value for each of these fields, the program leaves the answer to an agent.',
          ...listed('unsure', tests),
          'if (unsure.length > 0) await io.decline({ fields: unsure })',
        ]),
    ...(seconded.length === 0
      ? []
      : [
          "// A second opinion: what the reader's calibrated score does not find likeliest too is a guess.",
          `const scored = await document.extract({ schema, max_wrong_rate: ${wrongRates.default} })`,
          ...listed('guessed', seconds),
          'if (guessed.length > 0) await io.guess({ fields: guessed })',
        ]),
    ...(found.length === 0 ? [] : ['await io.cite({', ...cites.map((cite) => `  ${cite}`), '})']),
    ...literal('return ', treeOf(plans)),
  ]
}

const listed = (name: string, items: readonly string[]): string[] => [
  `const ${name} = [`,
  ...items.map((item) => `  ${item}`),
  ']',
]

type Tree = { readonly [name: string]: Tree | string }

/** The answer as nested objects of expressions. */
function treeOf(plans: readonly FieldPlan[]): Tree {
  const root: Record<string, unknown> = {}
  for (const plan of plans) {
    const { path } = plan.field
    let at = root
    for (const step of path.slice(0, -1)) {
      at[step] ??= {}
      at = at[step] as Record<string, unknown>
    }
    const expression =
      plan.by === 'extract' ? `extracted${accessOf(plan.field)} ?? null` : `${plan.field.name}?.value ?? null`
    at[path.at(-1) ?? ''] = expression
  }
  return root as Tree
}

function literal(open: string, tree: Tree): string[] {
  const rows = Object.entries(tree).flatMap(([name, below]) => {
    const key = `${/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : `[${quoted(name)}]`}: `
    if (typeof below === 'string') return [`${key}${below},`]
    const lines = literal(key, below)
    return lines.with(-1, `${lines.at(-1)},`)
  })
  return [`${open}{`, ...rows.map((row) => `  ${row}`), '}']
}
