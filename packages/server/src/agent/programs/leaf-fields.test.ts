import { expect, test } from 'vitest'
import { leafFieldsOf } from './leaf-fields.ts'

test('no two fields have the same variable name, even if their names differ only in punctuation', () => {
  const names = ['a_b_3', 'a b', 'a-b', 'a_b']
  const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
  const variables = (leafFieldsOf(schema) ?? []).map(({ name }) => name)
  expect(new Set(variables).size, variables.join(', ')).toBe(names.length)
})
