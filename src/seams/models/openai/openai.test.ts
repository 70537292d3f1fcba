import { expect, test } from 'vitest'
import { keepsTheModelsPromises, trialKey } from '../trials/conformance.ts'
import { chatWire, responsesWire } from '../trials/wires.ts'
import { isStrict, openOpenAi } from './openai.ts'

const settings = { name: 'openai', model: 'mock-1', apiKey: trialKey }

keepsTheModelsPromises({
  wire: responsesWire,
  open: (url) => openOpenAi({ ...settings, baseUrl: `${url}/v1`, interface: 'responses' }),
})
keepsTheModelsPromises({
  wire: chatWire,
  open: (url) => openOpenAi({ ...settings, baseUrl: `${url}/v1`, interface: 'chat' }),
})

test('a schema counts as strict only when every object in it is closed and complete', () => {
  const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  expect(isStrict(closed)).toBe(true)
  expect(isStrict({ ...closed, properties: { a: { type: 'array', items: closed } } })).toBe(true)
  expect(isStrict({ ...closed, required: [] })).toBe(false)
  expect(isStrict({ ...closed, additionalProperties: true })).toBe(false)
  expect(isStrict({ ...closed, properties: { a: { type: 'object' } } })).toBe(false)
  expect(isStrict({ ...closed, $defs: { b: { ...closed, required: [] } } })).toBe(false)
})
