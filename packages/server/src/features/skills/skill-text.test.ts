import { describe, expect, test } from 'vitest'
import checkBundle from './check-bundle.job.ts'
import { descriptionFromInstructions, nameFromInstructions, promptFiles, revisedSkillText } from './skill-text.ts'

describe('a name from instructions', () => {
  test.each([
    ['Extract the invoice number and the total.', 'extract-invoice-number-total'],
    ['Please give me all the line items of this receipt\n\nand more', 'give-line-items-receipt'],
    ['Größe und Gewicht lesen', 'grosse-und-gewicht-lesen'],
    ['日本語', 'skill'],
    ['', 'skill'],
  ])('for %j is %s', (text, name) => {
    expect(nameFromInstructions(text)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(nameFromInstructions(text)).toBe(name)
  })
})

describe('a description from instructions', () => {
  test.each([
    ['Read receipts. Then stop.', 'Read receipts.'],
    ['# Title\n\nMore', 'Title'],
    ['Read v1.2 files\nand go on', 'Read v1.2 files and go on'],
    ['', 'A skill without a description'],
  ])('for %j is %j', (text, description) => expect(descriptionFromInstructions(text)).toBe(description))

  test('is short', () => expect(descriptionFromInstructions('word '.repeat(500)).length).toBeLessThanOrEqual(300))
})

test('the SKILL.md of any skill is read back as written', async () => {
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

describe('a revised SKILL.md', () => {
  const head = '---\r\nname: a   # comment\r\ndescription: old\r\n'
  const tail = '---\r\n\r\n  First  \r\n\r\n---\r\n\r\n'
  const read = async (text: string) => (await checkBundle({ files: [{ path: 'SKILL.md', text }] })).facts

  test('keeps its instructions byte for byte when only the description changes', async () => {
    const text = `\ufeff${head}${tail}`
    const revised = revisedSkillText(text, { description: 'new: "d" # x', prompt: null })
    expect(revised.endsWith(tail)).toBe(true)
    expect(await read(revised)).toMatchObject({
      name: 'a',
      description: 'new: "d" # x',
      instructions: 'First  \n\n---',
    })
  })

  test('keeps its front matter byte for byte when only the instructions change, also with a byte order mark', async () => {
    const front = `name:   "a"\ndescription: >-\n  ${'long words '.repeat(20)}\n  and more\nmetadata: {a:  1}\n`
    const revised = revisedSkillText(`\ufeff---\n${front}---\nOld`, { description: null, prompt: 'New' })
    expect(revised).toBe(`---\n${front}---\n\nNew\n`)
    expect(await read(revised)).toMatchObject({ name: 'a', instructions: 'New' })
  })

  test('keeps everything that referred to the old description', async () => {
    const text = '---\ndescription: &same a skill\nname: *same\n---\nDo it'
    const revised = revisedSkillText(text, { description: 'new', prompt: null })
    expect(await read(revised)).toMatchObject({ name: 'a skill', description: 'new', instructions: 'Do it' })
  })
})
