import { expect, test } from 'vitest'
import type { JsonSchema } from '../../kit/json.ts'
import { planSchema } from './plan.ts'

const text = { type: 'string' }
const namesOf = (schema: JsonSchema): unknown => {
  const plan = planSchema(schema)
  return plan.type === 'object' ? plan.properties.map(({ name, required }) => [name, required]) : plan.type
}

test('the parts of an allOf add up, references and parts within parts among them', () => {
  const schema = {
    type: 'object',
    properties: { own: text },
    required: ['own'],
    allOf: [
      { properties: { first: text }, required: ['first'] },
      { $ref: '#/$defs/second' },
      { allOf: [{ properties: { third: text } }] },
      { allOf: [{ properties: { fourth: text } }] },
    ],
    $defs: { second: { properties: { second: text }, required: ['second'] } },
  }
  expect(namesOf(schema)).toEqual([
    ['own', true],
    ['first', true],
    ['second', true],
    ['third', false],
    ['fourth', false],
  ])
})

test('a schema that is its own allOf has an end', () => {
  expect(namesOf({ type: 'object', properties: { a: text }, allOf: [{ $ref: '#' }] })).toEqual([['a', false]])
})
