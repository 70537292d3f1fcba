import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf } from '../extract/testing/extracted.ts'

const pairs = '☒☐ ☑☐ ■□ ●○'.split(' ').map((pair) => [...pair])
const glyphs = [...pairs, ['(•)', '( )'], ['[x]', '[ ]'], ['[X]', '[  ]'], ['[x]', '[_]']]
const words = ['Asthma', 'Diabetes', 'Epilepsy', 'Express', 'Pickup', 'Fussball', 'Turnen', 'Leather']
const row = fc.record({
  glyph: fc.constantFrom(...glyphs),
  options: fc.uniqueArray(fc.constantFrom(...words), { minLength: 2, maxLength: 4 }),
  ticked: fc.nat({ max: 3 }),
  label: fc.constantFrom('', 'Conditions: ', 'Please choose: '),
  isInFront: fc.boolean(),
})

test('no option of a row gets the box of another, in front or behind', () => {
  fc.assert(
    fc.property(row, ({ glyph: [full = '', empty = ''], options, ticked, label, isInFront }) => {
      const chosen = ticked % options.length
      const boxed = options.map((word, at) => {
        const box = at === chosen ? full : empty
        return isInFront ? `${box} ${word}` : `${word} ${box}`
      })
      const type = ['boolean', 'null']
      const properties = {
        ...Object.fromEntries(options.map((word) => [word.toLowerCase(), { type }])),
        choice: { enum: [...options, null] },
      }
      const answer = fieldsOf(`${label}${boxed.join(' ')}\n`, { type: 'object', properties })
      for (const [at, word] of options.entries())
        expect([at === chosen, null], `${word} in ${label}${boxed.join(' ')}`).toContain(answer[word.toLowerCase()])
      expect([options[chosen], null], label + boxed.join(' ')).toContain(answer.choice)
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('a row that does not show on which side the boxes are gives nothing', () => {
  const properties = { asthma: { type: ['boolean', 'null'] }, diabetes: { type: ['boolean', 'null'] } }
  expect(fieldsOf('Asthma ☒ Diabetes ☐ Other\n', { type: 'object', properties })).toEqual({
    asthma: null,
    diabetes: null,
  })
})

test.each(['☒ ☐', '☑ ☐', '■ □', '● ○', '[X] [_]'])('after a label, the first option has its own box: %s', (pair) => {
  const [full, empty] = pair.split(' ')
  const properties = { asthma: { type: ['boolean', 'null'] }, sex: { enum: ['Male', 'Female', null] } }
  const text = `Conditions: ${full} Asthma ${empty} Diabetes\nSex: ${empty} Male ${full} Female\n`
  expect(fieldsOf(text, { type: 'object', properties }).asthma).not.toBe(false)
  expect(fieldsOf(text, { type: 'object', properties }).sex).toBe('Female')
})
