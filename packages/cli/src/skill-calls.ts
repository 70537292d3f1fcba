import type { JsonObject } from '@skillrun/core/json.ts'
import type { CaseRecord, Client, EvaluationRecord, ProgramRecord, SkillRecord } from './client-calls.ts'
import { bytesOf, type Http } from './http.ts'
import { list, queryText, record } from './reply.ts'

type SkillCalls = Pick<
  Client,
  'createSkill' | 'updateSkill' | 'skill' | 'lookupSkill' | 'skills' | 'skillVersions' | 'skillZip' | 'deleteSkill'
>

/** The routes of skills. */
export function skillCalls(http: Http): SkillCalls {
  const { connection } = http
  const { url } = connection
  const path = (id: string) => `/v1/skills/${encodeURIComponent(id)}`
  const call = (method: 'GET' | 'POST' | 'DELETE', at: string, signal: AbortSignal, json?: JsonObject) =>
    http.sendJson({ method, path: at, ...(json === undefined ? {} : { json }) }, signal)
  const one = async (reply: Promise<unknown>) => skillOf(await reply, url)
  const many = async (reply: Promise<unknown>) => list(await reply, url).map((each) => skillOf(each, url))
  return {
    createSkill: (json, signal) => one(call('POST', '/v1/skills/create', signal, json)),
    updateSkill: (id, json, signal) => one(call('POST', `${path(id)}/update`, signal, json)),
    skill: (id, signal) => one(call('GET', path(id), signal)),
    lookupSkill: (json, signal) => one(call('POST', '/v1/skills/lookup', signal, json)),
    skills: (query, signal) => many(call('GET', `/v1/skills${queryText(query)}`, signal)),
    skillVersions: (id, signal) => many(call('GET', `${path(id)}/versions`, signal)),
    deleteSkill: (id, signal) => one(call('DELETE', path(id), signal)),
    skillZip: async (id, signal) => {
      const { download_url } = record(await call('GET', `${path(id)}/download`, signal), ['download_url'], url)
      const signed = new URL(String(download_url))
      // The path and its signature count: the server may know itself by another host than we do.
      const reply = await http.send({ method: 'GET', path: signed.pathname + signed.search }, signal)
      return bytesOf(reply, connection, signal)
    },
  }
}

type EvaluationCalls = Pick<Client, 'addCases' | 'cases' | 'deleteCase' | 'evaluate' | 'evaluation'>

/** The routes of known answers and evaluations. */
export function evaluationCalls(http: Http): EvaluationCalls {
  const { url } = http.connection
  const path = (id: string, rest: string) => `/v1/skills/${encodeURIComponent(id)}/${rest}`
  const caseOf = (value: unknown) => record(value, ['id', 'source'], url) as CaseRecord
  const evaluationOf = (value: unknown) => record(value, ['id', 'status'], url) as EvaluationRecord
  return {
    addCases: async (id, cases, signal) =>
      list(
        await http.sendJson({ method: 'POST', path: path(id, 'cases'), json: { cases: [...cases] } }, signal),
        url,
      ).map(caseOf),
    cases: async (id, signal) =>
      list(await http.sendJson({ method: 'GET', path: path(id, 'cases') }, signal), url).map(caseOf),
    deleteCase: async ({ id, caseId }, signal) =>
      caseOf(await http.sendJson({ method: 'DELETE', path: path(id, `cases/${encodeURIComponent(caseId)}`) }, signal)),
    evaluate: async (id, json, signal) =>
      evaluationOf(await http.sendJson({ method: 'POST', path: path(id, 'evaluate'), json }, signal)),
    evaluation: async ({ id, evaluationId }, signal) =>
      evaluationOf(
        await http.sendJson(
          { method: 'GET', path: path(id, `evaluations/${encodeURIComponent(evaluationId)}`) },
          signal,
        ),
      ),
  }
}

type ProgramCalls = Pick<Client, 'programs' | 'program' | 'compileProgram' | 'deleteProgram'>

/** The routes of programs. */
export function programCalls(http: Http): ProgramCalls {
  const { url } = http.connection
  const path = (id: string, programId = '') =>
    `/v1/skills/${encodeURIComponent(id)}/programs${programId && `/${encodeURIComponent(programId)}`}`
  const programOf = (value: unknown) => record(value, ['id', 'status', 'origin'], url) as unknown as ProgramRecord
  return {
    programs: async (id, signal) =>
      list(await http.sendJson({ method: 'GET', path: path(id) }, signal), url).map(programOf),
    program: async ({ id, programId }, signal) =>
      programOf(await http.sendJson({ method: 'GET', path: path(id, programId) }, signal)),
    compileProgram: async (id, json, signal) =>
      programOf(await http.sendJson({ method: 'POST', path: path(id), json }, signal)),
    deleteProgram: async ({ id, programId }, signal) =>
      programOf(await http.sendJson({ method: 'DELETE', path: path(id, programId) }, signal)),
  }
}

const skillOf = (value: unknown, url: string): SkillRecord =>
  record(value, ['id', 'name', 'description', 'skill_version', 'created_at'], url) as SkillRecord
