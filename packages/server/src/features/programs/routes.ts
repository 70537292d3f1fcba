import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { type Caller, type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { recordAction } from '../audit/audit.ts'
import { agentCosts, paidFor } from '../executions/executions.ts'
import { loadSkill, pinnedVersion } from '../skills/skills.ts'
import { skillSchema } from './compile.ts'
import { knownAnswers, knownAnswersMax, promptOf } from './known-answers.ts'
import { schemaHash, skillsHash } from './program.ts'
import { listShadowIds } from './program-runs.ts'
import { startCompiling } from './programs.ts'
import { deleteProgram, findProgram, findSource, listPrograms, type Program } from './store.ts'
import { compileRequest, listQuery, programRecord, recordOf } from './wire.ts'

export interface ProgramRouteParts {
  readonly clock: Clock
  readonly queue: Pick<Queue, 'add'>
}

const ofSkill = z.object({ id: z.string() })
const ofProgram = z.object({ id: z.string(), pid: z.string() })
const tag = 'programs'

/** Compiles, lists, reads and deletes programs of skills. */
export const programRoutes = (parts: ProgramRouteParts): Route[] => [
  compileRoute(parts),
  listRoute(),
  getRoute(),
  deleteRoute(parts),
]

function compileRoute(parts: ProgramRouteParts): Route {
  const { clock, queue } = parts
  return route({
    method: 'post',
    path: '/v1/skills/{id}/programs',
    operation: 'compileProgram',
    tag,
    scope: 'skills:write',
    summary: 'Compile a program of a skill from its cases and test it',
    params: ofSkill,
    body: compileRequest,
    reply: {
      status: 201,
      description: 'The program, with status compiling until its gate has decided',
      schema: programRecord,
    },
    failures: [404],
    async handle({ db, caller, params, body }) {
      const { workspaceId } = caller
      const skill = await loadSkill({ db }, { workspaceId, id: params.id })
      const from = { executionIds: lowered(body?.execution_ids), caseIds: lowered(body?.case_ids) }
      const wanted = (from.executionIds?.length ?? 0) + (from.caseIds?.length ?? 0)
      if (wanted > knownAnswersMax)
        throw invalid(['body'], `Give at most ${knownAnswersMax} ids in total`, {
          type: 'array_too_long',
          ctx: { max_length: knownAnswersMax },
        })
      const known = await knownAnswers(db, { workspaceId, version: skill, from, withAllCases: false })
      if (known.length < wanted)
        throw new Fault(
          'missing',
          'unknown_known_answer',
          `${wanted - known.length} of the ${wanted} given ids are neither completed executions of this workspace nor cases of this skill. Cases whose inputs are files of the bundle cannot be used`,
        )
      if (known.length === 0)
        throw invalid(
          ['body', 'case_ids'],
          'This skill has no cases to compile from; add some with POST /v1/skills/{id}/cases, or give execution_ids',
        )
      const skills = [pinnedVersion(skill, workspaceId)]
      const schema = known[0]?.schema ?? skillSchema(skills)
      if (known.some((one) => schemaHash(one.schema ?? skillSchema(skills)) !== schemaHash(schema)))
        throw invalid(['body'], 'The cases are of several schemas; name those of one')
      const owner = {
        id: skill.id,
        ownerId: skill.workspaceId,
        name: skill.name,
        skillVersion: skill.skillVersion,
      }
      const skillsSha256 = skillsHash(skills, promptOf(known))
      const program = await db.transaction(async (tx) => {
        const started = await startCompiling(
          { tx, clock, queue },
          { workspaceId, owner, skills, skillsSha256, schema, from },
        )
        await recordAction(tx, { ...audited(caller, started), action: 'program.create', now: clock.now() })
        return started
      })
      return { json: recordOf(program, { source: null, shadowMicros: 0 }) }
    },
  })
}

/** An empty list is as good as none. */
const lowered = (ids: readonly string[] | null | undefined): readonly string[] | null =>
  ids?.length ? [...new Set(ids.map((one) => one.toLowerCase()))] : null

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/skills/{id}/programs',
    operation: 'listPrograms',
    tag,
    scope: 'read',
    summary: 'List the programs of all versions of a skill, newest first',
    params: ofSkill,
    query: listQuery,
    reply: { status: 200, description: 'The programs', schema: z.array(programRecord) },
    failures: [404],
    async handle({ db, caller, params, query }) {
      const { workspaceId } = caller
      const skill = await loadSkill({ db }, { workspaceId, id: params.id })
      const of = { workspaceId, ownerId: skill.workspaceId, skillName: skill.name, limit: query.limit }
      const programs = await listPrograms(db, of)
      return { json: await Promise.all(programs.map((one) => present(db, one, one.source))) }
    },
  })
}

function getRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/skills/{id}/programs/{pid}',
    operation: 'getProgram',
    tag,
    scope: 'read',
    summary: 'Get a program with its source, gate report and statistics',
    params: ofProgram,
    reply: { status: 200, description: 'The program', schema: programRecord },
    failures: [404],
    async handle({ db, caller, params }) {
      const program = await loadProgram(db, { workspaceId: caller.workspaceId, ...params })
      return { json: await present(db, program, await findSource(db, program)) }
    },
  })
}

function deleteRoute({ clock }: ProgramRouteParts): Route {
  return route({
    method: 'delete',
    path: '/v1/skills/{id}/programs/{pid}',
    operation: 'deleteProgram',
    tag,
    scope: 'skills:write',
    summary: 'Delete a program; executions that it served keep its hash',
    params: ofProgram,
    reply: { status: 200, description: 'The deleted program', schema: programRecord },
    failures: [404],
    async handle({ db, caller, params }) {
      const program = await loadProgram(db, { workspaceId: caller.workspaceId, ...params })
      const source = await findSource(db, program)
      const deleted = await db.transaction(async (tx) => {
        const now = clock.now()
        const gone = await deleteProgram(tx, { workspaceId: caller.workspaceId, id: program.id, now })
        if (gone) await recordAction(tx, { ...audited(caller, gone), action: 'program.delete', now })
        return gone
      })
      if (!deleted) throw unknownProgram()
      return { json: await present(db, deleted, source) }
    },
  })
}

const audited = ({ workspaceId, keyId }: Caller, { id, skillName, skillId }: Program) => ({
  workspaceId,
  keyId,
  subjectId: id,
  detail: { skill: skillName, skill_id: skillId },
})

/** The cost of the skill's runs, until shadows and fallbacks provide the cost of an agent run. */
async function present(db: Db, program: Program, source: string | null) {
  const { workspaceId, id: programId } = program
  const shadowMicros = await paidFor(db, { workspaceId, ids: await listShadowIds(db, { workspaceId, programId }) })
  if (program.agentRuns > 0) return recordOf(program, { source, shadowMicros })
  const { runs, micros } = await agentCosts(db, program)
  return recordOf({ ...program, agentRuns: runs, agentMicros: micros }, { source, shadowMicros })
}

/** A program of this skill, whichever version the request names. */
async function loadProgram(db: Db, of: { workspaceId: string; id: string; pid: string }): Promise<Program> {
  const { workspaceId } = of
  const skill = await loadSkill({ db }, { workspaceId, id: of.id })
  const pid = of.pid.toLowerCase()
  const program = isId(pid) ? await findProgram(db, { workspaceId, id: pid }) : undefined
  if (program?.ownerId !== skill.workspaceId || program.skillName !== skill.name) throw unknownProgram()
  return program
}

const unknownProgram = (): Fault => new Fault('missing', 'unknown_program', 'This skill has no program with this id')
