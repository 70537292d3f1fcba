import { expect, test } from 'vitest'
import { memoryBlobs } from '../packages/server/src/adapters/blobs/memory/memory.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { createScriptedModel } from '../packages/server/src/adapters/models/scripted/scripted.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import { ledgerOf, openAcceptingService, pricedModels, pricedUsage as usage } from './support/accepting.ts'
import { dyingAtEach } from './support/dying.ts'
import { opened } from './support/opened.ts'

const accepting = await opened(openAcceptingService())

const stated = { holder: 'Jo Quill', colour: 'blue', rent: 703 }
type Field = keyof typeof stated
const schemaOf = (...fields: readonly Field[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map((name) => [name, { type: [name === 'rent' ? 'number' : 'string', 'null'] }]),
  ),
  required: fields,
})

/** 1,000 tokens of input and 100 of output, and reading a document. */
const [modelMicros, readMicros] = [3_200, 1_000]

/** A model that answers the fields it is asked, and the blobs of the workers, which outlive them. */
const blobs = memoryBlobs()
function partsOf(db: Db): { parts: EngineParts; asked: () => readonly string[][] } {
  const asked: string[][] = []
  const model = createScriptedModel(({ schema }) => {
    const fields = Object.keys((schema as { properties: object }).properties) as Field[]
    asked.push(fields)
    return { usage, text: JSON.stringify(Object.fromEntries(fields.map((name) => [name, stated[name]]))) }
  }, 'mine/one')
  const own = accepting.partsOf(db, { models: pricedModels(model) })
  return {
    asked: () => asked,
    parts: {
      ...own,
      storage: { ...own.storage, blobs },
      tools: { ...own.tools, priceOf: (name) => (name === 'document.read' ? readMicros : 0) },
    },
  }
}

/** Texts that are not short, so that they are stored as files and parsed in a child. */
const fileOf = (text: string) => ({
  type: 'file_url',
  file_url: { url: `data:;base64,${Buffer.from(`\ufeff${text}`, 'utf16le').toString('base64')}` },
})
const inputsOf = (name: string, note: string) => ({
  card: fileOf(`holder: Jo Quill\ncolour: blue\nrent: 703\nThis is ${name}.`),
  note: fileOf(note),
})

interface Round {
  readonly what: string
  /** Whether it dies after each statement: without what it did beside the database before the next. */
  readonly after: boolean
  readonly fields: readonly Field[]
  readonly modes: object
  readonly calls: readonly (readonly Field[])[]
}
const rounds: readonly Round[] = [
  {
    what: 'a field was added',
    after: false,
    fields: ['holder', 'colour', 'rent'],
    modes: { '/holder': 'kept', '/rent': 'kept', '/colour': 'agent' },
    calls: [['colour']],
  },
  {
    what: 'nothing is asked',
    after: true,
    fields: ['holder', 'rent'],
    modes: { '/holder': 'kept', '/rent': 'kept' },
    calls: [],
  },
]

test.concurrent.each(rounds)(
  'a process that dies at any statement of a delta in which $what (after it: $after) changes nothing of its end, asks nothing twice and bills once',
  async ({ what, fields, modes, calls, after }) => {
    const { service, accept } = accepting
    const { db } = service.database
    const read = async (id: string, what = '') => (await service.call('GET', `/v1/agent/executions/${id}${what}`)).json
    const deaths = await dyingAtEach(
      db,
      async (mortal, at) => {
        const prompt = `Read the card: ${what} ${at}`
        // Without digits, which might be the value of something, and a sentence that is no name: alone on a page, a short line may be one.
        const letters = [...String(at)].map((digit) => 'qwertzuiop'[Number(digit)]).join('')
        const noteOf = (text: string) =>
          `the ${letters} was ${text} when ${what}, and since then nobody has asked for it or said where it might be`
        const base = await accept({
          inputs: inputsOf(prompt, noteOf('put away')),
          config: { json_schema: schemaOf('holder', 'rent'), prompt },
        })
        await base.run(partsOf(db).parts, 0)
        const before = await read(base.id)
        expect(before).toMatchObject({ status: 'completed', response: { holder: 'Jo Quill', rent: 703 } })

        const delta = await accept({
          inputs: inputsOf(prompt, noteOf('thrown away')),
          config: { json_schema: schemaOf(...fields), prompt, base_execution: base.id },
        })
        const check = async () => {
          const recorded: { name: string; kind: string }[] = await read(delta.id, '/steps')
          const again = partsOf(db)
          await delta.run(again.parts, 1)

          const record = await read(delta.id)
          expect(record, `statement ${at}: ${JSON.stringify(record.error)}`).toMatchObject({
            status: 'completed',
            response: Object.fromEntries(fields.map((name) => [name, stated[name]])),
            execution_modes: modes,
            base_execution: base.id,
          })
          const steps: { name: string; kind: string; seq: number }[] = await read(delta.id, '/steps')
          expect(steps.map(({ name }) => name).sort()).toEqual(
            ['delta.compare', 'document.read', 'document.read', ...calls.map(() => 'mine/one')].sort(),
          )
          // A step that was recorded is not done again.
          expect(steps.slice(0, recorded.length)).toEqual(recorded)
          const answered = recorded.filter(({ kind }) => kind === 'model').length
          expect(again.asked()).toEqual(calls.slice(answered))
          expect(await ledgerOf(db, delta.id)).toEqual({
            settled: 2 * readMicros + calls.length * modelMicros,
            open: 0,
          })
          // The base is as it was, and was not charged again.
          expect(await read(base.id)).toEqual(before)
          expect(await ledgerOf(db, base.id)).toEqual({ settled: 2 * readMicros + modelMicros, open: 0 })
        }
        return { work: () => delta.run(partsOf(mortal).parts, 0), check }
      },
      { after },
    )
    expect(deaths).toBeGreaterThan(5)
  },
  300_000,
)
