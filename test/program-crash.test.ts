import { expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import { readerVersion } from '../packages/reader/src/media/packed-document.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { createScriptedModel } from '../packages/server/src/adapters/models/scripted/scripted.ts'
import { hashOf } from '../packages/server/src/core/json-hash.ts'
import type { ExecutionRequest } from '../packages/server/src/features/executions/execution-request.ts'
import type { Guard } from '../packages/server/src/features/programs/guard.ts'
import { schemaHash, shapeOf, skillsHash } from '../packages/server/src/features/programs/program.ts'
import { insertProgram } from '../packages/server/src/features/programs/store.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import {
  type Accepted,
  ledgerOf,
  openAcceptingService,
  pricedModels,
  pricedUsage as usage,
} from './support/accepting.ts'
import { dyingAtEach } from './support/dying.ts'
import { opened } from './support/opened.ts'

const accepting = await opened(openAcceptingService())

const source = `export default async function run(tools: any, inputs: any) {
  const { pages } = await tools.document.read({ input: 'note', pages: [1] })
  const about = pages[0].lines.map((line: any) => line.text).join('\\n')
  const [first, second] = await Promise.all(['a', 'b'].map((question) => tools.model.ask({ question, about, type: 'boolean' })))
  return { number: Number(/No (\\d+)/.exec(about)?.[1]), good: first.answer && second.answer }
}`
const schema = {
  type: 'object',
  properties: { number: { type: 'number' }, good: { type: 'boolean' } },
  required: ['number', 'good'],
}

/** The price of a run of a program, beside its two questions. */
const programMicros = 1_000

function partsOf(db: Db): { parts: EngineParts; asked: () => number } {
  const model = createScriptedModel(() => ({ usage, text: '{"answer": true}' }), 'mine/one')
  const shadow = { share: 0, wrongRateMax: 0.05 }
  const own = accepting.partsOf(db, { models: pricedModels(model) })
  return {
    asked: () => model.requests.length,
    parts: {
      ...own,
      programs: { ...own.programs, shadow },
      tools: { ...own.tools, priceOf: (name) => (name === 'program' ? programMicros : 0) },
    },
  }
}

const accept = (skill: string, n: number): Promise<Accepted> =>
  accepting.accept({
    inputs: { note: { type: 'text', text: `No ${n}\nAll is well.` } },
    config: { json_schema: schema, execution_mode: 'program', skills: [{ skill_id: skill }] },
    model: 'svc-agent-2:fast',
  })

/** A ready program for the requests of `accept`. */
async function readyProgram(skill: string): Promise<string> {
  const { db } = accepting.service.database
  const { id, workspaceId } = await accept(skill, 0)
  const [row] = await db.query<{ request: ExecutionRequest }>('select request from executions where id = $1', [id])
  const request = row?.request as ExecutionRequest
  const skills = request.skills ?? []
  const program = await insertProgram(db, {
    id: newId(new Date()),
    workspaceId,
    skillId: skill,
    ownerId: workspaceId,
    skillName: 'notes',
    skillVersion: '1',
    skills,
    skillsSha256: skillsHash(skills, request.prompt),
    schema: request.schema,
    schemaSha256: schemaHash(request.schema),
    status: 'ready',
    origin: 'agent',
    executionId: null,
    writtenBy: 'mine/small',
    asked: { executionIds: null, caseIds: null },
    source,
    sha256: 'of the source',
    compileMicros: 0,
    agentRuns: 0,
    agentMicros: 0,
    createdAt: new Date(),
  })
  const shape = hashOf(shapeOf([{ name: 'note', mediaType: 'text/plain' }], {}))
  const familiar = { words: [], shareMin: 0, seen: [], unseenMax: 1 }
  const guard: Guard = { reader: readerVersion, familiar, grounded: [] }
  await db.query('update programs set shape_sha256 = $2, guard = $3 where id = $1', [
    program.id,
    shape,
    JSON.stringify(guard),
  ])
  return program.id
}

/** Ledger entries for program runs of an execution. */
const runsOf = (id: string) =>
  accepting.service.database.db.query('select micros::integer from program_runs where execution_id = $1', [id])

test('a process that dies at any statement of a program’s run asks no recorded question again and books the run once', async () => {
  const { service } = accepting
  const { db } = service.database
  const made = { name: 'notes', description: 'Reads notes', prompt: 'Read the note' }
  const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
  const programId = await readyProgram(skill.id)
  const deaths = await dyingAtEach(db, async (mortal, at) => {
    const execution = await accept(skill.id, at)
    const { id } = execution
    const check = async () => {
      const { json: steps } = await service.call('GET', `/v1/agent/executions/${id}/steps`)
      const questions = steps.filter((step: { name: string }) => step.name === 'model.ask').length
      const again = partsOf(db)
      await execution.run(again.parts, 1)

      const { json: record } = await service.call('GET', `/v1/agent/executions/${id}`)
      expect(record, `statement ${at}`).toMatchObject({
        status: 'completed',
        execution_mode: 'program',
        program: { id: programId },
        response: { number: at, good: true },
        // One input read, two questions, the program.
        usage: { steps: 4, standard_cost_dollars: 0.0074 },
      })
      expect(again.asked()).toBe(2 - questions)
      expect(await ledgerOf(db, id), `statement ${at}`).toEqual({ open: 0, settled: 7_400 })
      expect(await runsOf(id)).toEqual([{ micros: 7_400 }])
    }
    return { work: () => execution.run(partsOf(mortal).parts, 0), check }
  })
  expect(deaths).toBeGreaterThan(7)
})
