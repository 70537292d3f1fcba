import fc from 'fast-check'
import { expect, test } from 'vitest'
import { skillLine, skillLineBytesMax, skillsText } from './enabled-skill.ts'

test('a skill takes one line of at most 300 bytes of the prompt, whatever its name and description contain', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(text, text, (name, description) => {
      const line = skillLine({ name, description })
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(skillLineBytesMax)
      expect(line.isWellFormed() || !(name + description).isWellFormed()).toBe(true)
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(line).not.toContain('<')
    }),
    { numRuns: 50 },
  )
})

test('a line has no byte more than 300, however long the description is', () => {
  for (let length = 250; length < 350; length += 1) {
    const line = skillLine({ name: 'invoices', description: 'x'.repeat(length) })
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(skillLineBytesMax)
  }
})

test('a short description is complete, and without skills there is no text', () => {
  expect(skillLine({ name: 'invoices', description: 'Reads invoices.\nAll of them.' })).toBe(
    '- invoices: Reads invoices. All of them.\n',
  )
  expect(skillsText([], { readTool: 'skills_read' })).toBe('')
})
