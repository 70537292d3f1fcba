import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { type Asked, distil, distilledFiles } from './distil.ts'

const schema = { type: 'object', properties: { total: { type: 'number' } } }
const nothing = { inherited: [], standing: [] }
let count = 0
const asked = (config: JsonObject, inputs: JsonObject = { note: 'x' }, response: Json = { total: 1 }): Asked => ({
  id: `e${count++}`,
  inputs,
  config,
  response,
})

describe('a session becomes', () => {
  test('the prompt and the schema of its last execution', () => {
    const distilled = distil([asked({ prompt: 'Read the total', json_schema: schema })], nothing)
    expect(distilled).toMatchObject({ subject: 'Read the total', instructions: 'Read the total', schema })
  })

  test('the last prompt first, and each other one with the same schema once', () => {
    const prompts = ['Read it', 'Gross, not net', 'read  IT', 'Give the total\nwith tax']
    const all = prompts.map((prompt) => asked({ prompt, json_schema: schema }))
    const other = asked({ prompt: 'Who signed?', json_schema: { type: 'object', properties: { name: {} } } })
    const distilled = distil([other, ...all], nothing)
    expect(distilled?.instructions).toBe(
      'Give the total\nwith tax\n\n## Asked before in the same session\n\n- read  IT\n- Gross, not net',
    )
    expect(distilled?.cases).toEqual(all)
  })

  test('the system messages of its chat, once each, first', () => {
    const standing = ['You read receipts.', 'You read receipts.', 'Be short.']
    const distilled = distil([asked({ prompt: 'Totals?' })], { inherited: [], standing })
    expect(distilled).toMatchObject({ subject: 'Totals?', instructions: 'You read receipts.\n\nBe short.\n\nTotals?' })
  })

  test('a description from the system message when nobody said more', () => {
    const distilled = distil([asked({ json_schema: schema })], {
      inherited: [],
      standing: ['Read the totals of slips.'],
    })
    expect(distilled).toMatchObject({ subject: 'Read the totals of slips.' })
  })

  test('the instructions of its skills, and their schema if it had none', () => {
    const inherited = [{ name: 'receipts', instructions: 'Look at the foot.', schema, isAboutExtraction: true }]
    const distilled = distil([asked({ skills: [] })], { inherited, standing: [] })
    expect(distilled).toMatchObject({ subject: 'receipts', schema })
    expect(distilled?.instructions).toContain('## receipts\n\nLook at the foot.')
    expect(distilled?.isAboutExtraction).toBe(true)
    const worked = distil([asked({ prompt: 'Sort the slips' })], { inherited, standing: [] })
    expect(worked?.isAboutExtraction).toBe(false)
  })

  test('the words of its schema when nothing was said', () => {
    expect(distil([asked({ json_schema: { ...schema, title: 'Receipt' } })], nothing)?.instructions).toBe(
      'Read the inputs for a Receipt and give `total`.',
    )
  })

  test('an earlier prompt when its last execution has none', () => {
    expect(distil([asked({ prompt: 'Earlier' }), asked({})], nothing)?.subject).toBe('Earlier')
  })

  test('nothing when nothing was asked', () => {
    expect(distil([asked({})], nothing)).toBeUndefined()
    expect(distil([asked({ prompt: '  ' })], { inherited: [], standing: ['You are kind.'] })).toBeUndefined()
  })
})

describe('its files', () => {
  const called = { name: 'n', description: 'd', isPublic: false }
  const pathsOf = (distilled: ReturnType<typeof distil>, more = {}) =>
    distilled && distilledFiles(distilled, { ...called, ...more }).map(({ path }) => path)

  test('contain the cases, unless the skill is public', () => {
    const distilled = distil([asked({ prompt: 'a', json_schema: schema })], nothing)
    expect(pathsOf(distilled)).toEqual(['SKILL.md', 'schema.json', 'evals/evals.json'])
    expect(pathsOf(distilled, { isPublic: true })).toEqual(['SKILL.md', 'schema.json'])
  })

  test('omit cases without inputs and those that are too large', () => {
    const large = { photo: `data:image/png;base64,${'A'.repeat(100_000)}` }
    const distilled = distil([asked({ prompt: 'a' }, {}), asked({ prompt: 'a' }, large)], nothing)
    expect(pathsOf(distilled)).toEqual(['SKILL.md'])
  })
})
