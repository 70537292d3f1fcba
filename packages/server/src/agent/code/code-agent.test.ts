import type { Json } from '@skillrun/core/json.ts'
import { describe, expect, test } from 'vitest'
import { createScriptedModel, type ScriptedTurn } from '../../adapters/models/scripted/scripted.ts'
import { jsonIn } from '../schema/json-in.ts'
import { type CodeEntry, type CodeRun, messagesOf, type ProgramRan, programIn, writePrograms } from './code-agent.ts'

const written = (source: string) => ({ text: `\`\`\`ts\n${source}\n\`\`\`` })
const program = (n: number) => `export default async () => ${n}`
const ran = (source: string, outcome: ProgramRan['outcome']): ProgramRan => ({
  source,
  console: [],
  hostCalls: 0,
  ms: 1,
  outcome,
})

const judge = async (value: Json) => (Number(value) > 1 ? [] : [{ pointer: '', message: 'is too small' }])

/** A run whose programs return the number at their end, and fail when it is zero. */
function runOf(turns: readonly ScriptedTurn[], transcript: CodeEntry[] = [], hasSchema = false) {
  const model = createScriptedModel(turns)
  const executed: [string, number][] = []
  const run: CodeRun = {
    model,
    opening: {
      system: 'system',
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'question' }] }],
      tools: [],
      schema: null,
      outputTokensMax: 100,
      wallMs: 1_000,
    },
    transcript,
    contextTokens: 10_000,
    turnsMax: 4,
    signal: new AbortController().signal,
    append: async (entry) => {
      transcript.push(entry)
    },
    execute: async (source, turn) => {
      executed.push([source.trim(), turn])
      const value = Number(source.trim().split(' ').at(-1))
      const error = { code: 'program_error', message: 'zero', line: 1 }
      return ran(source, value === 0 ? { error } : { value })
    },
    hasSchema,
    judge,
    judgeText: async (text) => {
      const answer = jsonIn(text)
      return answer === undefined ? { found: false } : { found: true, answer, problems: await judge(answer) }
    },
  }
  return { run, model, executed, transcript }
}

describe('the code agent', () => {
  test('ends with the value of the first valid program, and returns its source', async () => {
    const { run, executed } = runOf([written(program(0)), written(program(1)), written(program(2))])
    expect(await writePrograms(run)).toMatchObject({ ended: 'answered', answer: 2, source: `${program(2)}\n` })
    expect(executed.map(([, turn]) => turn)).toEqual([1, 2, 3])
  })

  test('a model that answers in prose three times in a row is not asked again', async () => {
    const { run, model } = runOf([{ text: 'Two.' }, { text: 'It is 2.' }, { text: '{"two":2}' }, written(program(2))])
    expect(await writePrograms(run)).toEqual({
      ended: 'no-program',
      last: expect.stringContaining('contains no program'),
    })
    expect(model.requests).toHaveLength(3)
    const second = runOf([{ text: 'Two.' }, { text: 'It is 2.' }, written(program(2))])
    expect(await writePrograms(second.run)).toMatchObject({ ended: 'answered' })
  })

  test('accepts JSON that matches the schema as the answer, also without a program, and nothing else', async () => {
    const direct = runOf([{ text: 'Here it is:\n```json\n2\n```' }], [], true)
    expect(await writePrograms(direct.run)).toEqual({ ended: 'answered', answer: 2, source: null })
    const cut = runOf([{ text: '2', finish: 'length' }, { text: '1' }, { text: 'It is 2.' }], [], true)
    expect(await writePrograms(cut.run)).toMatchObject({ ended: 'no-program' })
    const free = runOf([{ text: '2' }, { text: '2' }, { text: '2' }])
    expect(await writePrograms(free.run)).toMatchObject({ ended: 'no-program' })
    // A program next to JSON is what the model was asked for.
    const both = runOf([{ text: `\`\`\`json\n5\n\`\`\`\n${written(program(2)).text}` }], [], true)
    expect(await writePrograms(both.run)).toMatchObject({ answer: 2, source: expect.stringContaining('2') })
  })

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'goes on from a transcript of %i entries without saying or running anything of it again',
    async (length) => {
      const whole = runOf([written(program(0)), written(program(1)), written(program(2))])
      const expected = await writePrograms(whole.run)
      const kept = whole.transcript.slice(0, length)
      const turns = kept.filter((entry) => entry.role === 'assistant').length
      const programs = kept.filter((entry) => entry.role === 'program').length
      const again = runOf([written(program(0)), written(program(1)), written(program(2))].slice(turns), kept)
      expect(await writePrograms(again.run)).toEqual(expected)
      expect(again.executed).toEqual(whole.executed.slice(programs))
      expect(again.model.requests).toHaveLength(3 - turns)
    },
  )

  test("gives up with the last value and the validator's messages when none is valid", async () => {
    const { run } = runOf([1, 1, 1, 1].map((n) => written(program(n))))
    expect(await writePrograms(run)).toMatchObject({
      ended: 'violated',
      answer: 1,
      problems: [{ message: 'is too small' }],
    })
  })

  test('gives up after its turns with the last failure', async () => {
    const { run } = runOf([0, 0, 0, 0, 0].map((n) => written(program(n))))
    expect(await writePrograms(run)).toEqual({ ended: 'out-of-turns', last: 'zero' })
  })

  test('keeps the invalid value of its last turn, and records no correction that nobody reads', async () => {
    const { run, transcript } = runOf([0, 0, 0, 1].map((n) => written(program(n))))
    expect(await writePrograms(run)).toMatchObject({ ended: 'violated', answer: 1 })
    expect(transcript.at(-1)).toMatchObject({ role: 'program' })
  })

  test('ends when the model refuses', async () => {
    const { run } = runOf([{ text: 'no', finish: 'refusal' }])
    expect(await writePrograms(run)).toEqual({ ended: 'refused', answer: 'no' })
  })

  test('keeps the last turns when the context is full', async () => {
    const { run, model } = runOf([
      ...[0, 0, 0].map((n) => written(`// ${'x'.repeat(12_000)}\n${program(n)}`)),
      written(program(2)),
    ])
    await writePrograms(run)
    expect(model.requests.map((request) => request.messages.length)).toEqual([1, 3, 5, 5])
  })
})

describe('a turn of the code agent', () => {
  test.each([
    ['a block', '```ts\nexport default 1\n```', 'export default 1\n'],
    ['words around a block', 'See:\n```typescript\nexport default 1\n```\nDone.', 'export default 1\n'],
    ['the last of two blocks', '```ts\nexport default 1\n```\n```js\nexport default 2\n```', 'export default 2\n'],
    [
      'a block beside one that is not a program',
      '```ts\nexport default 1\n```\n```json\n{}\n```',
      'export default 1\n',
    ],
    ['a block that was not closed', '```ts\nexport default 1\n', 'export default 1\n'],
    ['a program without a block', 'export default 1', 'export default 1'],
    ['no program', 'The answer is 4.', undefined],
    ['a block without a default export', '```ts\nconst a = 1\n```', undefined],
  ])('is parsed: %s', (_what, text, source) => {
    expect(programIn(text)).toBe(source)
  })

  test('that only inspects gets all its output back, up to the context limit, and is no failure', () => {
    const error = { code: 'program_nothing', message: 'it returned nothing', line: null }
    const looked: CodeEntry[] = [{ role: 'program', ran: { ...ran('look', { error }), console: ['x'.repeat(30_000)] } }]
    const shown = (lookMax?: number) => JSON.stringify(messagesOf(looked, lookMax))
    expect(shown()).toContain('x'.repeat(30_000))
    expect(shown()).toContain('It returned nothing, so there is no answer yet')
    expect(shown()).not.toMatch(/failed|corrected/)
    expect(shown(8_000)).toContain('… (22000 more characters)')
  })

  test('is answered with its result, long outputs by their beginning', () => {
    const error = { code: 'program_error', message: 'bad', line: 2 }
    const failing: CodeEntry[] = [
      { role: 'program', ran: { ...ran('one\n  two()\n', { error }), console: ['x'.repeat(10_000)] } },
    ]
    const [message] = messagesOf(failing)
    const [part] = message?.role === 'user' ? message.parts : []
    const text = part?.kind === 'text' ? part.text : ''
    expect(text).toContain('It failed in line 2: bad\n2 | two()')
    expect(text).toContain('… (4000 more characters)')
    expect(text.length).toBeLessThan(7_000)
  })
})
