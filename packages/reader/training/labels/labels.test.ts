import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { valueKinds } from '../../src/score/value-kinds.ts'
import { labelFiles } from './files.ts'

const folder = new URL('./', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.txt'))

test('the vectors are trained on every file of the folder', () => {
  expect(labelFiles.map((name) => `${name}.txt`).toSorted()).toEqual(files.toSorted())
})

test.each(files)('each line of %s has a kind of value, names of a field, and labels in seven languages', (file) => {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    const [head = '', ...labels] = line.split('|').map((part) => part.trim())
    const [kind = '', names = ''] = head.split(': ')
    expect(valueKinds, line).toContain(kind)
    expect(labels, line).toHaveLength(7)
    expect(names, line).toMatch(/^[\p{Ll}\p{N}_]+(?:, [\p{Ll}\p{N}_]+)*$/u)
    for (const ofLanguage of labels) expect(ofLanguage, line).not.toMatch(/^$|;\s*;|;$/)
  }
})
