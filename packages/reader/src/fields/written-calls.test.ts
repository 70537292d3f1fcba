import { expect, test } from 'vitest'
import { writtenCalls } from './written-calls.ts'

test('calls with JSON arguments are parsed, one or several, with or without parentheses', () => {
  const terms = { terms: ['a } b', 'c"'], deep: { x: 1 } }
  const text = JSON.stringify(terms)
  expect(writtenCalls(`document.redact(${text})`)).toEqual([{ name: 'document.redact', input: terms }])
  expect(writtenCalls(`  document.redact ${text}\nimage.codes({})`)).toEqual([
    { name: 'document.redact', input: terms },
    { name: 'image.codes', input: {} },
  ])
  expect(writtenCalls('```\nimage.codes({"input":\n "file"})\n```')).toEqual([
    { name: 'image.codes', input: { input: 'file' } },
  ])
})

test('any other text makes it an instruction for a model', () => {
  for (const text of [
    '',
    'document.redact',
    'document.redact()',
    'Please document.redact({})',
    'document.redact({}) and translate the rest',
    'document.redact({"a": 1)',
    'document.redact({"a": 1}',
    'redact({})',
    'document.redact([1])',
    `document.redact(${'{'.repeat(50_000)}`,
  ])
    expect(writtenCalls(text)).toBeUndefined()
})
