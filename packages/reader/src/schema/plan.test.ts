import type { JsonSchema } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { type Plan, planSchema } from './plan.ts'

const text = { type: 'string' }
const namesOf = (schema: JsonSchema): unknown => {
  const plan = planSchema(schema)
  return plan.type === 'object' ? plan.properties.map(({ name, required }) => [name, required]) : plan.type
}

test('the parts of an allOf combine, including references and nested parts', () => {
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

test('a schema that is its own allOf terminates', () => {
  expect(namesOf({ type: 'object', properties: { a: text }, allOf: [{ $ref: '#' }] })).toEqual([['a', false]])
})

test('a recursive schema stays empty at the recursion: by reference to the root, to a part, through a list and through another schema', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: {
      total: { type: 'number' },
      child: { $ref: '#' },
      children: { type: 'array', items: { $ref: '#' } },
      first: { $ref: '#/$defs/first' },
    },
    $defs: {
      first: { type: 'object', properties: { name: text, second: { allOf: [{ $ref: '#/$defs/second' }] } } },
      second: { type: 'object', properties: { name: text, first: { $ref: '#/$defs/first' } } },
    },
  }
  const shapeOf = (plan: Plan): unknown =>
    plan.type === 'object'
      ? Object.fromEntries(plan.properties.map(({ name, plan: inner }) => [name, shapeOf(inner)]))
      : plan.type === 'array'
        ? [shapeOf(plan.item)]
        : plan.type
  expect(shapeOf(planSchema(tree))).toEqual({
    total: 'leaf',
    child: {},
    children: [{}],
    first: { name: 'leaf', second: { name: 'leaf', first: {} } },
  })
})
