import type { LabelIndex } from '../labels/labels.ts'
import { documentNames } from '../languages/document-names.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import { phraseOf } from '../layout/text.ts'
import { overlap } from '../score/likeness.ts'
import type { PageSigns } from './page-signs.ts'

/** The kind of a document with how sure that is, and the words that name it. */
export interface KindFound {
  readonly kind: string
  readonly confidence: number
  readonly cell: Cell | null
}

/** A title stands within so many lines from the top. */
const titleLines = 30
const alikeMin = 0.8

/** Labels of values that one kind of document has, by the English word for the kind. */
const labelsOfKind: Readonly<Record<string, RegExp>> = {
  invoice: /^c:(?:invoice_number|invoice_date|due_date|amount_due)$/,
  receipt: /^c:(?:receipt_number|cash|change|cashier)$/,
  'purchase order': /^c:(?:order_date|delivery_date|purchase_order_number)$/,
  'bank statement': /^c:(?:opening_balance|closing_balance|total_debits|total_credits|running_balance)$/,
}

/** Height and width of a receipt differ by more than this. */
const rollRatio = 0.5
const lettersLabelsMax = 4
const confidenceMin = 0.17

interface Kind {
  readonly name: string
  /** The words that name it, each as a list. */
  readonly phrases: readonly (readonly string[])[]
  /** The known kind that it is. */
  readonly known: string | undefined
}

function kindNamed(name: string): Kind {
  const own = phraseOf(name.replaceAll(/[_-]/g, ' '))
  const known = [...documentNames].find(([kind, words]) => kind === own || words.includes(own))
  const [kind, words = []] = known ?? []
  return { name, known: kind, phrases: [own, ...words].map((phrase) => phrase.split(' ')) }
}

/** The kinds that are distinguished if the caller names none. */
const usualKinds = [...documentNames.keys()].filter((kind) => kind !== 'order' && kind !== 'statement')

/** A function that finds the kind of a document by its first pages, among those of the caller. */
export function kindFinder(
  names: readonly string[],
): (pages: readonly PageLayout[], signs: readonly PageSigns[], labels: LabelIndex) => KindFound | null {
  const kinds = (names.length > 0 ? names : usualKinds).map(kindNamed)
  return (pages, signs, labels) => {
    const [first] = pages
    if (first === undefined) return null
    const found = kinds
      .map((kind) => sightingOf(kind, { pages, signs, labels }))
      .filter(({ confidence }) => confidence > 0)
      .toSorted((a, b) => b.confidence - a.confidence)
    const [best, next] = found
    if (best === undefined || best.confidence < confidenceMin) return null
    const margin = best.confidence - (next?.confidence ?? 0)
    return { ...best, confidence: Math.min(0.95, best.confidence * (margin < 0.1 ? 0.7 : 1)) }
  }
}

function sightingOf(
  { name, phrases, known }: Kind,
  of: { pages: readonly PageLayout[]; signs: readonly PageSigns[]; labels: LabelIndex },
): KindFound {
  const title = titleOf(phrases, of.pages[0] as PageLayout)
  const byLabels = labelsOfKind[known ?? '']
  let support = 0
  if (byLabels) {
    const targets = new Set(
      of.pages.flatMap(({ lines }) =>
        lines.flatMap(({ cells }) =>
          cells.flatMap((cell) =>
            (of.labels.get(cell) ?? []).flatMap((hit) =>
              hit.startsCell ? hit.targets.filter(({ weight }) => weight >= 0.9).map(({ target }) => target) : [],
            ),
          ),
        ),
      ),
    )
    support = Math.min(0.45, [...targets].filter((target) => byLabels.test(target)).length * 0.18)
    // One such label alone is on many kinds of documents.
    if (known === 'receipt' && support < 0.3) support = 0
  }
  const [sign] = of.signs
  if (known === 'receipt' && sign && sign.ratio < rollRatio) support += 0.25
  // Orders and bills may greet, too; a letter has no sums and hardly any labels.
  if (known === 'letter' && !of.signs.some(({ hasTotal, labels }) => hasTotal || labels > lettersLabelsMax)) {
    if (of.signs.some(({ greets }) => greets)) support += 0.5
    if (of.signs.some(({ closes }) => closes)) support += 0.1
  }
  return { kind: name, confidence: title.score + support, cell: title.cell }
}

/** How well the words near the top of a page name a kind: large words near the top that say nothing else. */
function titleOf(
  phrases: readonly (readonly string[])[],
  page: PageLayout,
): { readonly score: number; readonly cell: Cell | null } {
  let best: { score: number; cell: Cell | null } = { score: 0, cell: null }
  for (const [rank, line] of page.lines.slice(0, titleLines).entries())
    for (const cell of line.cells) {
      const words = phraseOf(cell.text).split(' ')
      const size = line.height / Math.max(page.wordHeight, 1e-9)
      const place = Math.min(0.25, Math.max(0, size - 1) * 0.35) + Math.max(0, 0.12 - rank * 0.006)
      for (const phrase of phrases) {
        const { recall, precision } = overlap(phrase, words)
        if (recall < alikeMin) continue
        const score = recall * (0.15 + 0.45 * precision) + place + Math.min(0.06, phrase.length * 0.02)
        if (score > best.score) best = { score, cell }
      }
    }
  return best
}
