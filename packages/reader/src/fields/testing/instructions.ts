import { readFileSync } from 'node:fs'

const parts = readFileSync(new URL('instructions.txt', import.meta.url), 'utf8').split(/^## /m)

function listOf(title: string): readonly string[] {
  const part = parts.find((one) => one.startsWith(`${title}\n`))
  if (part === undefined) throw new Error(`instructions.txt has no part "${title}"`)
  const [, ...lines] = part.trimEnd().split('\n')
  return lines.map((line) => line.replaceAll('\\n', '\n'))
}

/** Instructions that need a language model: transformations, judgements, counts, choices, actions, questions, conversation. */
export const needingModel = {
  en: listOf('needs a model, English'),
  de: listOf('needs a model, German'),
  fr: listOf('needs a model, French'),
  es: listOf('needs a model, Spanish'),
  it: listOf('needs a model, Italian'),
}

/** Instructions that only ask for what a schema asks for, or for text and tables. */
export const carriedOut = {
  withSchema: listOf('reading, with a schema'),
  /** With a schema of the parties, the bank account and the currency, too. */
  withInvoice: listOf('reading, with the schema of an invoice'),
  withChoices: listOf('reading, with a schema of choices'),
  withoutSchema: listOf('reading, without a schema'),
}

/**
 * Instructions that ask for more than the total, a number and a date of an invoice: rules could follow some of them if
 * the schema had a field for it.
 */
export const needingField = listOf('needs a field that the schema lacks')

/** Instructions that ask for nothing. */
export const smallTalk = listOf('greetings')
