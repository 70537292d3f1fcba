import { expect, test } from 'vitest'
import { refuseOtherWork } from './needs-model.ts'

test('a refusal names what it could not account for and what answers it, and does not claim that no model is configured', () => {
  const skills = [{ name: 'poems', instructions: 'Write a poem', metadata: {} }]
  const refuse = () => refuseOtherWork({ texts: [], skills, schema: null, inputs: [] })
  expect(refuse).toThrow(/^The embedded engine, which this request leads to, .*"Write" in the skill "poems"/)
  expect(refuse).toThrow('Choose a model that leads to a language model; if this server has none, set the key')
})
