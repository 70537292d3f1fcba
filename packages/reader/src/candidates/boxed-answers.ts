import { agreement, wordingsOf } from '../labels/like-labels.ts'
import { meantWords } from '../languages/form-words.ts'
import { isDenial, isNo, isYes } from '../languages/yes-and-no.ts'
import type { Candidate, Field, Sheet } from '../layout/sheet.ts'
import { fold } from '../layout/text.ts'
import { nameOfField } from '../score/label-likeness.ts'
import { cosine, vectorOf } from '../score/label-vectors.ts'
import { overlap } from '../score/likeness.ts'
import { readChoices } from '../values/parsed-values.ts'
import { type BoxedOption, type BoxedQuestion, questionsOf } from './boxed-questions.ts'

/** How much a text is like the name, title or description of a field, 0 to 1: by its words, by what they mean, and by their vectors. */
function likenessTo(field: Field): (text: string) => number {
  const wordings = wordingsOf(field)
  const vector = vectorOf.inNames(nameOfField(field))
  return (text) => {
    const meant = meantWords(text)
    if (meant.length === 0) return 0
    const plain = meant.map(({ word }) => word)
    const byWords = wordings.map(({ words, weight }) => {
      const { recall, precision } = overlap(
        words.map(({ word }) => word),
        plain,
      )
      return weight * Math.max(agreement(meant, words), recall === 1 ? 0.5 + 0.5 * precision : 0)
    })
    return Math.max(0, ...byWords, cosine(vectorOf.inLabels(text), vector) * 0.95)
  }
}

/** What a question or an option says of a field. One question answers one field. */
interface Answer {
  readonly field: Field
  readonly value: string | number | boolean
  /** 0 to 1. */
  readonly likeness: number
  readonly option: BoxedOption
  readonly question: BoxedQuestion
  readonly source: BoxedQuestion | BoxedOption
}

/** A question must be at least this much like a field, and this much more than any other question is, and than it is like any other field. */
const likenessMin = 0.5
const leadMin = 0.1
/** The same for the words of an option, which say less than a question. */
const ofOptionMin = 0.6

/** The score of a candidate whose question is at least this much like the field, and of any other. */
const alike = 0.8
const scores = { alike: 0.95, other: 0.85 }

/**
 * The answers that the boxes of a form give to fields for yes or no and for a choice: the ticked answer of the question that is most like the
 * field, the option that is, ticked or not, or the ticked one of options that are the choices of the field.
 */
export function boxedCandidates({ pages }: Pick<Sheet, 'pages'>, fields: readonly Field[]): Candidate[] {
  const asked = fields.filter(({ plan }) => plan.meaning.kind === 'boolean' || plan.choices.length > 0)
  const questions = asked.length === 0 ? [] : pages.flatMap(questionsOf)
  if (questions.length === 0) return []
  const bySource = new Map<Answer['source'], Answer[]>()
  const answers = asked.map((field) => {
    const like = likenessTo(field)
    const of = field.plan.choices.length > 0 ? choiceIn : answersIn
    const own = questions
      .flatMap((question) => of(field, question, like))
      // Those that are less alike can neither be given nor cast doubt on one that is.
      .filter(({ likeness }) => likeness > likenessMin - leadMin)
      .toSorted((left, right) => right.likeness - left.likeness)
    for (const answer of own) bySource.set(answer.source, [...(bySource.get(answer.source) ?? []), answer])
    return own
  })
  return answers.flatMap(([first, second]) => {
    if (first === undefined || first.likeness < (first.source === first.option ? ofOptionMin : likenessMin)) return []
    const ofOthers = (bySource.get(first.source) ?? []).filter(({ field }) => field !== first.field)
    const rivals = [...(second ? [second] : []), ...ofOthers]
    return rivals.every(({ likeness }) => likeness <= first.likeness - leadMin) ? [candidateOf(first)] : []
  })
}

function candidateOf({ field, value, likeness, option, question }: Answer): Candidate {
  const { words } = option
  const printed = words.map(({ word }) => word.text).join(' ')
  return {
    field,
    reading: { start: 0, end: printed.length, value, printed, fit: 1, derived: true },
    words,
    page: question.page,
    label: question.labelWords,
    relation: 'right',
    score: likeness >= alike ? scores.alike : scores.other,
  }
}

/** What a question says of a field for yes or no: its ticked answer, or each of its options. */
function answersIn(field: Field, question: BoxedQuestion, like: (text: string) => number): Answer[] {
  const { options, label } = question
  const isDenied = (text: string): boolean => isDenial(text) !== isDenial(field.plan.meaning.path)
  const said = options.filter(({ text }) => isYes(text) || isNo(text))
  if (said.length > 0) {
    const [option, ...others] = said.filter(({ isTicked }) => isTicked)
    if (option === undefined || others.length > 0 || isDenied(label)) return []
    return [{ field, value: isYes(option.text), likeness: like(label), option, question, source: question }]
  }
  return options.flatMap((option): Answer[] => {
    if (!question.isSided) return []
    const isOpposite = isDenied(option.text)
    // An empty box beside a denial does not say yes.
    if (isOpposite && !option.isTicked) return []
    const likeness = Math.max(like(option.text), label === '' ? 0 : like(`${label} ${option.text}`) * withLabel)
    return [{ field, value: option.isTicked && !isOpposite, likeness, option, question, source: option }]
  })
}

/** The label before an option may be of the whole row. */
const withLabel = 0.95

/** The choice of a field that the only ticked option of a question is. */
function choiceIn(field: Field, question: BoxedQuestion, like: (text: string) => number): Answer[] {
  const { options, label } = question
  const [option, ...others] = options.filter(({ isTicked }) => isTicked)
  if (option === undefined || others.length > 0 || options.length < 2) return []
  const chosen = options.map((one) => choiceFor(field, one))
  const own = chosen[options.indexOf(option)]
  const found = chosen.flatMap((choice) => choice?.value ?? [])
  // Two options for one choice are not the choices of the field.
  if (own === undefined || new Set(found).size < found.length) return []
  if (!question.isSided && (found.length < 2 || readChoices(label, field.plan.choices).length > 0)) return []
  const byOptions = found.length < 2 ? 0 : 0.5 + found.length / options.length / 2
  return [
    {
      field,
      value: own.value,
      likeness: Math.max(like(label), byOptions) * own.fit,
      option,
      question,
      source: question,
    },
  ]
}

/** An option means the choice that is this much like it, and this much more than any other. */
const choiceMin = 0.6
const choiceLeadMin = 0.2
const initialFit = 0.8

function choiceFor({ plan }: Field, { text }: BoxedOption): { value: string | number; fit: number } | undefined {
  const [exact] = readChoices(text, plan.choices)
  if (exact !== undefined && typeof exact.value !== 'boolean') return { value: exact.value, fit: exact.fit }
  const named = plan.choices.filter((choice) => typeof choice === 'string')
  // `M ☐  F ☒`
  const initial = /^\p{L}$/u.test(text) ? named.filter((one) => fold(one).startsWith(fold(text))) : []
  if (initial.length === 1 && initial[0] !== undefined) return { value: initial[0], fit: initialFit }
  const words = meantWords(text)
  const [first, second] = named
    .map((value) => ({ value, fit: agreement(words, meantWords(value.replaceAll('_', ' '))) }))
    .toSorted((left, right) => right.fit - left.fit)
  return first && first.fit >= choiceMin && first.fit - (second?.fit ?? 0) >= choiceLeadMin ? first : undefined
}
