import { describe, expect, test } from 'vitest'
import checkBundle from './check-bundle.job.ts'
import { descriptionFromInstructions, nameFromInstructions, promptFiles } from './skill-text.ts'

describe('a name out of instructions', () => {
  test.each([
    ['Extract the invoice number and the total.', 'extract-invoice-number-total'],
    ['Please give me all the line items of this receipt\n\nand more', 'give-line-items-receipt'],
    ['Größe und Gewicht lesen', 'grosse-und-gewicht-lesen'],
    ['日本語', 'skill'],
    ['', 'skill'],
  ])('%j is %s', (text, name) => {
    expect(nameFromInstructions(text)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(nameFromInstructions(text)).toBe(name)
  })
})

describe('a description out of instructions', () => {
  test.each([
    ['Read receipts. Then stop.', 'Read receipts.'],
    ['# Title\n\nMore', 'Title'],
    ['Read v1.2 files\nand go on', 'Read v1.2 files and go on'],
    ['', 'A skill without words'],
  ])('%j is %j', (text, description) => expect(descriptionFromInstructions(text)).toBe(description))

  test('is short', () => expect(descriptionFromInstructions('word '.repeat(500)).length).toBeLessThanOrEqual(300))
})

test('whatever a skill is called, its SKILL.md is read back as it was written', async () => {
  for (const text of [
    'a: b # c',
    '---',
    '"',
    "'",
    '- x',
    '!!js x',
    '&a',
    '*a',
    '{',
    'yes',
    '12',
    'null',
    'two\nlines',
    '名前',
    '@x',
    '% y',
  ]) {
    const called = { name: text, description: `${text} `.trim(), prompt: `${text}\n---\n${text}`, schema: null }
    const { facts } = await checkBundle({ files: promptFiles(called) })
    expect(facts).toMatchObject({ name: text, description: called.description, instructions: called.prompt })
  }
})
