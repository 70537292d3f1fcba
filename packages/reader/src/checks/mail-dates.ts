import { pointerSteps } from '@skillrun/core/json.ts'
import type { EvidenceCandidate } from '../evidence/evidence.ts'
import type { Finding } from '../extract/assemble.ts'
import type { NamedDocument } from '../extract/extraction.ts'
import { type Line, lineText } from '../layout/layout.ts'
import type { Sheet } from '../layout/sheet.ts'
import { namePhrase } from '../layout/text.ts'
import { mailType } from '../media/mail/looks-like-mail.ts'

/** What is found, mutable, and why places stay empty. */
interface Found {
  readonly single: Map<string, Finding>
  readonly notes: Map<string, string>
  readonly candidates: Map<string, readonly EvidenceCandidate[]>
}

/** Words of fields that the date of an email answers. */
const mailWords = new Set(
  (
    'date day time datum tag zeit fecha dia hora data giorno ora dag tijd jour heure at on of the am du de del di da ' +
    'sent received mail email e message letter gesendet empfangen nachricht brief envoye recu courriel lettre enviado recibido correo mensaje carta ' +
    'inviato ricevuto messaggio lettera verzonden ontvangen bericht recebido mensagem'
  ).split(' '),
)
const note = 'This is the date of the email.'
/** Nothing says that what an email is about has its date. */
const mailDateConfidence = 0.5

const headerAbove = /^(?:From|To|Cc):/
const headerBelow = /^Subject:/

/** True for the line of a date among the headers of an email. */
function isMailDate({ page: { lines }, index }: Line): boolean {
  const [above, own, below] = [index - 1, index, index + 1].map((at) => (lines[at] ? lineText(lines[at]) : ''))
  return /^Date:/.test(own ?? '') && (headerAbove.test(above ?? '') || headerBelow.test(below ?? ''))
}

const isAt = ([, top, , height]: readonly number[], { cells }: Line): boolean =>
  cells.some(({ words }) =>
    words.some(({ word: { box } }) => Math.abs(box[1] + box[3] / 2 - ((top ?? 0) + (height ?? 0) / 2)) < box[3] / 2),
  )

/**
 * Doubts values of other fields than those of the email itself that are the date of its headers. One that `mayLeave` leaves out becomes a candidate;
 * any other stays, with a note. Modifies `found`, and returns the pointers.
 */
export function doubtMailDates(
  found: Found,
  { sheet, documents }: { readonly sheet: Sheet; readonly documents: readonly NamedDocument[] },
  mayLeave: (pointer: string) => boolean,
): readonly string[] {
  const dated = sheet.pages
    .filter((page) => documents[page.document]?.document.mediaType === mailType)
    .flatMap((page) => page.lines.filter(isMailDate))
  return [...found.single].flatMap(([pointer, finding]) => {
    const words = namePhrase(pointerSteps(pointer).at(-1) ?? '').split(' ')
    const { input, page, bbox, confidence } = finding.evidence
    const isOfMail = dated.some(
      (line) =>
        documents[line.page.document]?.input === input && line.page.page.index === page && bbox && isAt(bbox, line),
    )
    if (!isOfMail || typeof finding.value !== 'string' || words.every((word) => mailWords.has(word))) return []
    const evidence = { ...finding.evidence, confidence: Math.min(confidence, mailDateConfidence) }
    if (mayLeave(pointer)) {
      found.single.delete(pointer)
      found.notes.set(pointer, note)
      found.candidates.set(pointer, [{ ...evidence, value: finding.value }])
    } else found.single.set(pointer, { ...finding, evidence: { ...evidence, note } })
    return [pointer]
  })
}
