import { expect, test } from 'vitest'
import type { ExecutionRequest } from '../execution-request.ts'
import { requestOf, storedRequest } from './stored-request.ts'

const request: ExecutionRequest = {
  inputs: [
    { name: 'mail', modality: 'text', source: { kind: 'text', text: 'Invoice No 17, in words that stand once' } },
    { name: 'note', modality: 'text', source: { kind: 'text', text: 'read as it came' } },
    { name: 'page', modality: 'file', source: { kind: 'url', url: 'https://example.com/' } },
  ],
  values: {
    before: 1,
    mail: 'Invoice No 17, in words that stand once',
    note: 'another value',
    page: null,
    __proto__x: {},
  },
  prompt: '',
  schema: null,
  pageIndices: null,
  grounded: false,
  caching: true,
  programAsked: false,
  timeoutSeconds: null,
  maxSteps: null,
  metadata: {},
}

test('a text that is both a document and a value is stored once, and restored in both places in the original order', () => {
  const text = JSON.stringify(storedRequest(request))
  expect(text.split('in words that stand once')).toHaveLength(2)
  expect(JSON.stringify(requestOf(JSON.parse(text)))).toBe(JSON.stringify(request))
})

test('a request without such a text, and an older row, are unchanged', () => {
  const plain = { ...request, values: { a: 1 } }
  expect(storedRequest(plain)).toBe(plain)
  expect(requestOf(request)).toEqual(request)
})
