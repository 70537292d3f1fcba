import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../packages/core/src/clock.ts'
import type { JsonObject } from '../packages/core/src/json.ts'
import { openApiOf } from '../packages/server/src/adapters/http/openapi.ts'
import { makeRateLimit, ownCounts } from '../packages/server/src/adapters/http/rate.ts'
import { type Route, route } from '../packages/server/src/adapters/http/route.ts'
import { serveHttp } from '../packages/server/src/adapters/http/serve.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { send } from './support/send.ts'
import { openTestService } from './support/service.ts'
import { type Slot, slotsOf } from './support/slots.ts'

/** What an id or name in a slot identifies. `plain`: nothing that is looked up. */
type Kind =
  | 'execution'
  | 'file'
  | 'md5'
  | 'key'
  | 'user'
  | 'agent'
  | 'agent id'
  | 'agent prompt'
  | 'session'
  | 'workspace'
  | 'request id'
  | 'skill'
  | 'skill name'
  | 'case'
  | 'program'
  | 'evaluation'
  | 'improvement'
  | 'saved filter'
  | 'batch'
  | 'artifact'
  | 'artifact name'
  | 'review'
  | 'response'
  | 'response item'
  | 'plain'

/**
 * What each slot takes, by the first matching rule: `operation path slot`. The slots of a new route must be added here.
 * Nothing is plain by default, and a name is plain only where the operation gives it to something new.
 */
const rules: readonly (readonly [RegExp, Kind])[] = [
  [/^\S+ \/v1\/agent\/executions\/\{id\}\S* path\.id$/, 'execution'],
  [/^diffExecutions \S+ path\.other$/, 'execution'],
  [/^forkExecution \S+ body\.config\.model$/, 'plain'],
  [/^importCapsule \S+ body\.(payload|payloadType|signatures\.\[\]\.(keyid|sig))$/, 'plain'],
  [/^\S+ \/v1\/agent\/batches\/\{id\}\S* path\.id$/, 'batch'],
  [/ query\.batch_id$| body\.filter\.batch_id$/, 'batch'],
  [/^(createBatch|estimateBackfill) \S+ body\.agent$/, 'agent'],
  [/^createBatch \S+ body\.zip_file_id$/, 'file'],
  [/^(createBatch|estimateBackfill) \S+ body\.(name|items\.\[\]\.(url|client_id|file_name))$/, 'plain'],
  [/^\S+ \/v1\/reviews\/\{execution_id\}\S* path\.execution_id$/, 'review'],
  [/^assignReview \S+ body\.key_id$/, 'key'],
  [/^(listReviews \S+ query|claimNextReview \S+ body)\.skill_id$/, 'skill'],
  [/^(getReviewStatistics \S+ query|changeReviewSetting \S+ body)\.skill_name$/, 'plain'],
  [/^(approve|reject)Execution \S+ body\.comment$/, 'plain'],
  [/^\S+ \/v1\/public\/approvals\/\S* path\.id$/, 'execution'],
  [/ \S+\.require_approval\.tools\.\[\]$/, 'plain'],
  [/^reviewExecution \S+ body\.(comment|changes\.\[\]\.(path|input))$/, 'plain'],
  [/^\S+ \/(v1\/(public\/|openai\/)?|anthropic\/v1\/)files\/\S* path\.id$/, 'file'],
  [/^\S+ \/v1\/(public\/)?skills\/\S* path\.id$/, 'skill'],
  [/^resumeExecutions \S+ body\.ids\.\[\]$/, 'execution'],
  [/^resumeExecutions \S+ body\.filter\.client_id$/, 'request id'],
  [/^resumeExecutions \S+ body\.filter\.name$/, 'agent'],
  [/^resumeExecutions \S+ body\.filter\.session_id$/, 'session'],
  [/^getAgent \S+ path\.id$/, 'agent id'],
  [/^listFeedback \S+ path\.id$/, 'execution'],
  [/ path\.md5$/, 'md5'],
  [/ path\.case_id$/, 'case'],
  [/ path\.pid$/, 'program'],
  [/ path\.evaluation_id$/, 'evaluation'],
  [/ path\.improvement_id$/, 'improvement'],
  [/ path\.filter_id$/, 'saved filter'],
  [/^(create|replace)SavedFilter \S+ body\./, 'plain'],
  [/^revokeKey \S+ path\.id$/, 'key'],
  [
    /^(executeOn|generateFrom|proposeSchemaFrom)\w+ \S+ body\.(id|url|image|images\.\[\]|domain|config\.gql_stmt)$/,
    'plain',
  ],
  [/^executeOn\w+ \S+ body\.name$/, 'agent'],
  [/^(hasHubDomain|getDomainSchema|getHubSchema|getDataset|getFineTuningJob) /, 'plain'],
  [/^getPrediction \S+ path\.id$/, 'execution'],
  [/^\S+ \/v1\/users\/\{id\}\S* path\.id$/, 'user'],
  [/(Keys?|Users?|resetPassword) \S+ (query|body)\.workspace$/, 'workspace'],
  [/^(addUser|changeUser|resetPassword|signIn|changePassword) \S+ body\.(email|name|(\w+_)?password)$/, 'plain'],
  [/ \S+\.file_id$/, 'file'],
  [/(query|metadata|body)\.(session_id|sessionId|chat_id)$/, 'session'],
  [/ \S+\.(execution_id|execution_ids\.\[\]|agent_execution_id|request_id)$/, 'execution'],
  [/ \S+\.(base_execution|base_executions\.\[\])$/, 'execution'],
  [/ \S+\.case_ids\.\[\]$/, 'case'],
  [/^(executeAgent|rerunExecution) \S+ body\.id$/, 'request id'],
  [/^listExecutions \S+ query\.client_id$/, 'request id'],
  [/^(listExecutions \S+ query|resumeExecutions \S+ body\.filter)\.q$/, 'execution'],
  [
    /^(executeAgent|rerunExecution|estimateExecution|listExecutions|lookupAgent(ByQuery)?) \S+ (body|query)\.name$/,
    'agent',
  ],
  [/^lookupAgent(ByQuery)? \S+ (body|query)\.id$/, 'agent id'],
  [/^lookupAgent(ByQuery)? \S+ (body|query)\.prompt$/, 'agent prompt'],
  [/^lookupSkill \S+ body\.id$/, 'skill'],
  [/^lookupSkill \S+ body\.name$/, 'skill name'],
  [/ \S+\.skill_id$/, 'skill'],
  [/ \S+\.skill_name$/, 'skill name'],
  [/^listAudit \S+ query\.key_id$/, 'key'],
  [/^listAudit \S+ query\.subject_id$/, 'file'],
  // A cursor contains an id that only marks a position among the caller's own rows.
  [/^list(Batches|BatchItems) \S+ query\.cursor$/, 'plain'],
  [/^(list(Executions|Reviews) \S+ query|resumeExecutions \S+ body\.filter)\.cursor$/, 'plain'],
  [/^estimateExecution \S+ body\.id$/, 'plain'],
  [/^(getArtifact|listArtifacts) \S+ query\.execution_id$/, 'execution'],
  [/^getArtifact \S+ query\.object_id$/, 'artifact'],
  [/^getArtifact \S+ query\.filename$/, 'artifact name'],
  [/ path\.n$/, 'plain'],
  [/^(drawInputPage|readInputPage) \S+ query\.input$/, 'plain'],
  [/^getOpenAiModel \S+ path\.id$/, 'plain'],
  [/^\S+ \/v1\/openai\/responses\/\{id\}\S* path\.id$/, 'response'],
  [/^\S+ \/(v1\/openai|anthropic\/v1)\/skills\/\{id\}\S* path\.id$/, 'skill'],
  [/^\S+ \/(v1\/openai|anthropic\/v1)\/skills\/\S* (path\.version|query\.page|body\.default_version)$/, 'plain'],
  [/^listAnthropic(Skills|Files) \S+ query\.(page|after_id)$/, 'plain'],
  [/^createMessage \S+ body\.container\.skills\.\[\]\.skill_id$/, 'skill'],
  [
    /^(createMessage|countMessageTokens) \S+ (?!.*file_id$)body\.(messages\.\[\]|tools|system|stop_sequences|tool_choice|metadata)\S*$/,
    'plain',
  ],
  [/^createResponse \S+ body\.previous_response_id$/, 'response'],
  [/^createResponse \S+ body\.input\.\[\]\.id$/, 'response item'],
  [
    /^createResponse \S+ body\.(input|instructions|text\.format\.\S+|tools\.\[\]\.\S+|metadata\.\S+|safety_identifier|prompt_cache_key)$/,
    'plain',
  ],
  [/^createResponse \S+ body\.input\.\[\]\.\S+$/, 'plain'],
  [/^createEmbedding \S+ body\.input(\.\[\])?$/, 'plain'],
  [/^createChatCompletion(Short)? \S+ body\.(safety_identifier|prompt_cache_key)$/, 'plain'],
  [/ query\.(after|group_by|workspace|expires|signature)$/, 'plain'],
  [
    /^(presignUpload|createKey|createAgent|createSkill|updateSkill) \S+ body\.(filename|name|description|prompt)$/,
    'plain',
  ],
  [/ \S+\.(model|writer_model|callback_url|notes|skill_version|version)$/, 'plain'],
  [/ body\.(cases\.\[\]|config)\.(prompt|tool_names\.\[\])$/, 'plain'],
  [/ body\.toolsets\.\[\]$/, 'plain'],
  [/ body\.(config\.)?skills\.\[\]\.(name|description|source\.data)$/, 'plain'],
  [/ \S*\.(text|data|format|file_data|refusal|(image|video|audio|file)_url\.url)$/, 'plain'],
  [/ body\.messages\.\[\]\.(content|tool_calls\.\[\]\.\S+|tool_call_id|name)$/, 'plain'],
  [/ body\.(stop|stop\.\[\]|user|tools\.\[\]\.\S+|tool_choice\.\S+|response_format\.\S+)$/, 'plain'],
]

/** Slots for which own and unknown ids get the same answer, with the reason. */
const sameForTheOwner: readonly (readonly [RegExp, string])[] = [
  [
    /^createBatch \S+ body\.zip_file_id/,
    'it takes the place of items; test/batches.test.ts asks for one of another workspace',
  ],
  [
    /^createBatch \S+ body\.base_executions/,
    'it takes the place of items; test/backfill.test.ts asks for one of another workspace',
  ],
  [
    /^estimateBackfill \S+ body\.(agent|config\.skills\.\[\]\.skill_(id|name)|config\.base_execution)/,
    'an estimate without executions reads nothing else; the ids of executions are tested as a slot of their own',
  ],
  [
    /^createResponse \S+ body\.input\.\[\]\.(id|output\.\[\]\.file_id)/,
    'the id of a message is a label, and a result needs its call; test/openai-responses.test.ts has those of another workspace',
  ],
  [
    /^create(OpenAi|Anthropic)SkillVersion /,
    'it takes a form; test/dialect-skills.test.ts has those of another workspace',
  ],
  [/^executeOn\w+ \S+ body\.file_id$/, 'the same as in generateFrom…, where no agent is needed'],
  [
    /^(generateFrom|executeOn)\w+ \S+ body\.config\.skills/,
    'without an input it is refused before; executeAgent resolves the same',
  ],
  [/ (body|query)\.workspace$/, 'naming a workspace reveals nothing of others to its owner'],
  [/(metadata|body)\.(session_id|sessionId|chat_id)$/, 'a session is begun by naming it'],
  [
    /^(sendFile|getPublicFile|getSkillZip|showApproval|decideByLink) /,
    'without its signature a URL leads nowhere, for the owner too',
  ],
  [/ body\.inputs\.\*\.\[\]\.file_id/, 'the same as the item alone'],
  [/^list(Executions|Reviews) \S+ query\.skill_id/, 'no execution of this story has a skill'],
  [/^claimNextReview /, 'no execution of this story has a skill'],
  [/^resumeExecutions \S+ body\.filter\./, 'no execution of this story can be resumed'],
  [/^submitFeedback \S+ body\.request_id$|^listFeedback /, 'a request id belongs to its sender'],
  [/^listAudit \S+ query\.key_id/, 'a key that was just made has done nothing'],
]

const kindOf = (slot: Slot): Kind | undefined =>
  rules.find(([pattern]) => pattern.test(`${slot.operation} ${slot.path} ${slot.name}`))?.[1]

/** What each workspace has; created again for whatever a test consumes. */
interface Fixtures {
  make(kind: Kind): Promise<string>
  /** The skill for cases, programs and evaluations. */
  skill(): Promise<string>
}

const chatBase = { model: 'svc-agent-1:fast', messages: [{ role: 'user', content: 'Say hello' }] }
const bases: Readonly<Record<string, JsonObject>> = {
  createBatch: { items: [{ inputs: { text: 'Total: 5.00' } }], config: { prompt: 'Extract the total' } },
  addSkillCases: { cases: [] },
  assignReview: { key_id: null },
  changeUser: { role: 'editor' },
  replaceSavedFilter: { name: 'a filter', query: { status: 'failed' } },
  createSkill: { name: 'a-skill', description: 'Of a file' },
  estimateBackfill: { base_executions: [], config: { json_schema: { type: 'object' } } },
  estimateExecution: { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } },
  executeAgent: { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } },
  ...Object.fromEntries(
    ['Document', 'Audio', 'Video'].map((kind) => [`executeOn${kind}`, { url: 'data:text/plain,Total: 5.00' }]),
  ),
  executeOnImage: { images: ['data:text/plain,Total: 5.00'], batch: true },
  ...Object.fromEntries(
    ['Document', 'Audio', 'Video'].map((kind) => [`generateFrom${kind}`, { config: { prompt: 'Extract the total' } }]),
  ),
  createChatCompletion: chatBase,
  createChatCompletionShort: chatBase,
  createResponse: { model: 'svc-agent-1:fast', input: 'Say hello' },
  createEmbedding: { model: 'none', input: 'Say hello' },
  updateOpenAiSkill: { default_version: '1' },
  createMessage: { ...chatBase, max_tokens: 50 },
  countMessageTokens: chatBase,
}
/** Leaves a required field empty, so that the answer needs a review. */
const doubtful = {
  json_schema: {
    type: 'object',
    properties: { total: { type: ['number', 'null'] }, order: { type: ['string', 'null'] } },
    required: ['order'],
  },
  review: { below: 1 },
}
const fillings: Readonly<Record<string, string>> = {
  'path.version': '1',
  'path.n': '1',
  'path.page': '0',
  'query.input': 'text',
}

let strangerKey: string
const document = openApiOf(apiRoutes())
const slots = slotsOf(document, bases)

const model = await opened(startMockModel({ script: () => ({ text: 'hello' }) }))
const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1:fast': 'mine/one', 'svc-agent-1:auto': 'embedded', 'svc-agent-1:pro': 'embedded' },
        limits: { requests_per_minute: 100_000 },
      },
    },
  }),
)
beforeAll(async () => {
  strangerKey = await service.stranger()
})

/** The artifact that every execution of a workspace creates; its name is useless without the execution. */
const artifactOf = (workspace: string) => ({
  id: workspace === 'main' ? 'img_abc123' : 'img_def456',
  filename: `made-by-${workspace}.png`,
})

async function withArtifact(
  executionId: string,
  sessionId: string | null,
  artifact: ReturnType<typeof artifactOf>,
): Promise<string> {
  await service.database.db.query(
    `insert into artifacts (workspace_id, execution_id, id, session_id, filename, content_type, content, bytes, created_at)
     select workspace_id, id, $2, $3, $4, 'image/png', 'png', 3, now() from executions where id = $1`,
    [executionId, artifact.id, sessionId, artifact.filename],
  )
  return executionId
}

/** Other query parameters that the operation needs to use the slot. */
async function besides(slot: Slot, own: Fixtures): Promise<readonly (readonly [string, string])[]> {
  if (slot.operation !== 'getArtifact') return []
  if (/object_id|filename/.test(slot.name)) return [['query.execution_id', await own.make('execution')]]
  // The artifact belongs to the workspace of the requested execution.
  return [['query.object_id', artifactOf('main').id]]
}

/** The fixtures of a workspace, created over HTTP. */
function fixturesOf(key: string, workspace: string): Fixtures {
  let count = 0
  const artifact = artifactOf(workspace)
  const execute = (body: object) => service.execute({ ...bases['executeAgent'], ...body }, { key })
  const respond = async () =>
    (await service.call('POST', '/v1/openai/responses', { key, body: bases['createResponse'] })).json
  const file = async () => {
    const form = new FormData()
    form.append('file', new Blob([`of ${workspace}, number ${count++}`]), 'note.txt')
    const answer = await fetch(`${service.url}/v1/files`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: form,
    })
    return (await answer.json()) as { id: string }
  }
  const made = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { key, body })
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.json)}`)
    return answer.json
  }
  const newSkill = () =>
    made('/v1/skills/create', { name: `skill-${workspace}-${count++}`, prompt: 'Extract the total of the document' })
  let home: Promise<{ id: string }> | undefined
  const skill = async () => {
    home ??= newSkill()
    return (await home).id
  }
  const newCase = async () => {
    const cases = [{ inputs: { text: `Total: ${count++}.00` }, response: { total: 5 } }]
    return (await made(`/v1/skills/${await skill()}/cases`, { cases }))[0].id
  }
  /** A batch once its item has an execution. */
  const withExecution = async ({ id }: { id: string }): Promise<string> => {
    const items = async () => (await service.call('GET', `/v1/agent/batches/${id}/items`, { key })).json
    await expect.poll(async () => (await items())[0].execution_id, { timeout: 30_000 }).not.toBeNull()
    return id
  }
  return {
    skill,
    async make(kind) {
      switch (kind) {
        case 'skill':
          return (await newSkill()).id
        case 'skill name':
          return (await newSkill()).name
        case 'case':
          return newCase()
        case 'program':
          await newCase()
          return (await made(`/v1/skills/${await skill()}/programs`, {})).id
        case 'evaluation':
          await newCase()
          return (await made(`/v1/skills/${await skill()}/evaluate`, {})).id
        case 'improvement': {
          // There is no model to write proposals, and so no route that makes one.
          const rows = await service.database.db.query<{ id: string }>(
            `insert into improvements (id, workspace_id, skill_name, skill_id, number, skill_version, status, key_id, model, answered_by,
               writer, budget_micros, proposals_max, plan, training_cases, judging_cases, compared_by, created_at)
             select $1, s.workspace_id, s.name, s.id, 1, 'v', 'completed', k.id, 'm', 'e', 'm', 1, 1, '{}', 1, 1, 'e', now()
             from skills s join keys k on k.workspace_id = s.workspace_id where s.id = $2 limit 1 returning id`,
            [randomUUID(), await skill()],
          )
          return rows[0]?.id ?? ''
        }
        case 'saved filter':
          return (
            await made('/v1/agent/executions/filters', { name: `filter ${randomUUID()}`, query: { q: workspace } })
          ).id
        case 'batch':
          return withExecution(await made('/v1/agent/batches', { ...bases['createBatch'], name: `batch ${count++}` }))
        case 'agent id':
          return (
            await made('/v1/agent/create', {
              name: `agent-${workspace}-${count++}`,
              config: { prompt: `Read it ${workspace} ${count}` },
            })
          ).id
        case 'agent prompt': {
          const prompt = `Read this for ${workspace}, number ${count++}`
          await made('/v1/agent/create', { config: { prompt } })
          return prompt
        }
        case 'execution':
          return withArtifact((await execute({})).id, null, artifact)
        case 'response':
          return (await respond()).id
        case 'response item':
          return (await respond()).output[0].id
        case 'review':
          return (await execute({ config: doubtful })).id
        case 'artifact':
          return artifact.id
        case 'artifact name':
          return artifact.filename
        case 'file':
          return (await file()).id
        case 'md5': {
          const { id } = await file()
          const rows = await service.database.db.query<{ md5: Buffer }>('select md5 from files where id = $1', [id])
          return rows[0]?.md5.toString('hex') ?? ''
        }
        case 'key':
          return (await service.call('POST', '/v1/keys', { key, body: {} })).json.id
        case 'user': {
          const email = `user-${count++}@${workspace}.example.com`
          return (await made('/v1/users', { email, role: 'viewer', password: null })).id
        }
        case 'session': {
          const id = `session ${workspace} ${count++}`
          await withArtifact((await execute({ metadata: { session_id: id } })).id, id, artifact)
          return id
        }
        case 'agent':
          return (await execute({ config: { prompt: `Extract the total, as ${workspace} says ${count++}` } })).name
        case 'request id': {
          const id = `request-${workspace}-${count++}`
          await execute({ id, inputs: { text: 'another text than all others' } })
          return id
        }
        case 'workspace':
          return workspace
        case 'plain':
          return 'plain'
      }
    },
  }
}

/** An id in the format of a known one that belongs to nobody. */
function unknownLike(known: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(known)) return `${known.slice(0, 8)}${randomUUID().slice(8)}`
  if (/^[0-9a-f]{32}$/.test(known)) return randomUUID().replaceAll('-', '')
  return `${known.slice(0, 3)}-nobodys-${randomUUID().slice(0, 8)}`
}

type Send = (key: string, method: string, request: { path: string; body?: unknown }) => Promise<SeenAnswer>
interface SeenAnswer {
  readonly status: number
  readonly text: string
}

const sendTo =
  (url: string): Send =>
  async (key, method, { path, body }) => {
    const { status, headers, text } = await send(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const varying = /^(date|x-request-id|x-ratelimit-.*|content-length|retry-after)$/
    const told = Object.entries(headers).filter(([name]) => !varying.test(name))
    return { status, text: `${JSON.stringify(told)} ${text}` }
  }

/** A reply without the parts that differ between any two calls: the requested id, new ids, times. */
function plainly({ status, text }: SeenAnswer, asked: string): string {
  const inQuotes = JSON.stringify(asked).slice(1, -1)
  return `${status} ${text
    .replaceAll(inQuotes, '<asked>')
    .replaceAll(encodeURIComponent(asked), '<asked>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
    .replaceAll(/sk-run-[\w-]+/g, '<key>')
    .replaceAll(/"created":\d+/g, '"created":<moment>')
    .replaceAll(/"hint":"[\w-]{4}"/g, '<hint>')}`
}

/**
 * Ids of the other workspace that are answered differently from unknown ones. `theirs` are ids of the workspace that is
 * not the caller's.
 */
async function findLeak(
  ask: Send,
  slot: Slot,
  with_: { key: string; theirs: string; fill: (name: string) => string | undefined },
): Promise<string | undefined> {
  const nobodys = unknownLike(with_.theirs)
  const [foreign, unknown] = [
    await ask(with_.key, slot.method, slot.request(with_.theirs, with_.fill)),
    await ask(with_.key, slot.method, slot.request(nobodys, with_.fill)),
  ]
  const [a, b] = [plainly(foreign, with_.theirs), plainly(unknown, nobodys)]
  return a === b ? undefined : `${slot.operation} ${slot.name}\n  another's: ${a}\n  unknown:   ${b}`
}

/** The caller's own ids for every path slot except the tested one. */
async function fillOf(slot: Slot, own: Fixtures): Promise<(name: string) => string | undefined> {
  const names = [...slot.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`)
  const filled = new Map<string, string>(await besides(slot, own))
  for (const name of names) {
    const kind = kindOf({ ...slot, name })
    const value =
      fillings[name] ??
      (kind === 'skill' && slot.name !== name ? await own.skill() : undefined) ??
      (kind && kind !== 'plain' && slot.name !== name ? await own.make(kind) : undefined)
    if (value !== undefined) filled.set(name, value)
  }
  return (name) => filled.get(name)
}

test('every place of every route that takes text is classified as an id of something, or as none', () => {
  expect(slots.length).toBeGreaterThan(60)
  const unknown = slots.filter((slot) => kindOf(slot) === undefined)
  expect(unknown.map((slot) => `${slot.operation} ${slot.path} ${slot.name}`)).toEqual([])
})

describe('an id of another workspace', () => {
  const idSlots = slots.filter((slot) => kindOf(slot) !== 'plain')
  test('gets the same answer as an unknown one in every slot of every route, and nothing of it changes', async () => {
    const [owner, stranger] = [fixturesOf(service.key, 'main'), fixturesOf(strangerKey, 'strangers')]
    const ask = sendTo(service.url)
    const theirs = new Map<Kind, string>()
    for (const kind of new Set(idSlots.map(kindOf))) if (kind) theirs.set(kind, await owner.make(kind))
    const before = await rowsOf(theirs)
    const leaks: string[] = []
    for (const slot of idSlots) {
      const fill = await fillOf(slot, stranger)
      const kind = kindOf(slot) as Kind
      // Free values, such as a session, also exist in the stranger's workspace once requested, so each slot has its
      // own. Ids in a path are the same for all slots; their rows are compared at the end.
      const id = slot.name.startsWith('path.') ? (theirs.get(kind) ?? '') : await owner.make(kind)
      const first = await findLeak(ask, slot, { key: strangerKey, theirs: id, fill })
      // Changes by the stranger's own requests do not happen twice in the same way.
      const again = slot.name.startsWith('path.') ? id : await owner.make(kind)
      const leak = first && (await findLeak(ask, slot, { key: strangerKey, theirs: again, fill }))
      if (leak) leaks.push(leak)
    }
    expect(leaks).toEqual([])
    expect(await rowsOf(theirs)).toEqual(before)
  })

  test('is found by its owner in each of these slots, so that the test above is meaningful', async () => {
    const owner = fixturesOf(service.key, 'main')
    const ask = sendTo(service.url)
    const silent: string[] = []
    for (const slot of idSlots) {
      if (sameForTheOwner.some(([pattern]) => pattern.test(`${slot.operation} ${slot.path} ${slot.name}`))) continue
      const own = await owner.make(kindOf(slot) as Kind)
      if (!(await findLeak(ask, slot, { key: service.key, theirs: own, fill: await fillOf(slot, owner) })))
        silent.push(`${slot.operation} ${slot.name}`)
    }
    expect(silent).toEqual([])
  })

  test('in a header neither finds nor claims anything', async () => {
    const body = { ...bases['executeAgent'], inputs: { text: 'a text of the header' } }
    const headers = { 'Idempotency-Key': 'one key for two workspaces' }
    const own = await service.call('POST', '/v1/agent/execute', { body, headers })
    const other = { ...body, inputs: { text: 'another text' } }
    const foreign = await service.call('POST', '/v1/agent/execute', { body: other, headers, key: strangerKey })
    expect([own.status, foreign.status]).toEqual([201, 201])
    expect(foreign.json.id).not.toBe(own.json.id)
    expect((await service.call('POST', '/v1/agent/execute', { body: other, headers })).status).toBe(409)
  })
})

/** The owner's rows that a stranger's request could have changed. */
async function rowsOf(ids: ReadonlyMap<Kind, string>): Promise<unknown> {
  const { db } = service.database
  return Promise.all([
    db.query('select * from executions where id = $1', [ids.get('execution')]),
    db.query('select * from files where id = $1', [ids.get('file')]),
    db.query('select * from keys where id = $1', [ids.get('key')]),
    db.query('select count(*) from callbacks', []),
  ])
}

test('a handler that forgets the workspace in its SQL still reaches nothing of another workspace', async () => {
  const id = await fixturesOf(service.key, 'main').make('execution')
  const [row] = await service.database.db.query<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from executions where id = $1',
    [id],
  )
  const careless: Route = route({
    method: 'post',
    path: '/v1/agent/executions/{id}/careless',
    operation: 'carelessRoute',
    summary: 'A route whose SQL names no workspace',
    tag: 'executions',
    scope: 'read',
    params: z.object({ id: z.string() }),
    reply: { status: 200, description: 'What it found and changed' },
    handle: async ({ db, params }) => {
      const change = 'update executions set name = name where id = $1 returning id'
      const found = await db.query('select id from executions where id = $1', [params.id])
      const changed = await db.transaction((tx) => tx.query(change, [params.id]))
      const gathered = await db.together((tx) => tx.query(change, [params.id]))
      return {
        json: [found, changed, gathered, await db.write((sql) => sql.query(change, [params.id]))].map(
          (rows) => rows.length,
        ),
      }
    },
  })
  const server = await serveHttp(
    {
      db: service.database.db,
      routes: [careless],
      // The key names the workspace here.
      authenticate: async (key) => ({ workspaceId: key, keyId: randomUUID(), scopes: ['read'] }),
      rate: makeRateLimit({ clock: systemClock, counts: ownCounts() }, { name: 'rate', perMinute: 1_000 }),
      badKeys: makeRateLimit({ clock: systemClock, counts: ownCounts() }, { name: 'badKeys', perMinute: 1_000 }),
      log: silentLog,
    },
    { host: '127.0.0.1', port: 0 },
  )
  const ask = async (workspaceId: string) => {
    const headers = { Authorization: `Bearer ${workspaceId}` }
    const reply = await fetch(`${server.url}/v1/agent/executions/${id}/careless`, { method: 'POST', headers })
    return reply.json()
  }
  const [own, strangers] = [await ask(row?.workspaceId ?? ''), await ask(randomUUID())]
  await server.close(AbortSignal.timeout(1_000))
  expect(own).toEqual([1, 1, 1, 1])
  expect(strangers).toEqual([0, 0, 0, 0])
})

test('the test detects a route that forgets the workspace', async () => {
  const execution = await fixturesOf(service.key, 'main').make('execution')
  const broken: Route = route({
    method: 'get',
    path: '/v1/agent/executions/{id}/broken',
    operation: 'brokenRoute',
    summary: 'A route as it must not be',
    tag: 'executions',
    scope: 'read',
    params: z.object({ id: z.string() }),
    reply: { status: 200, description: 'The status' },
    handle: async ({ params }) => ({
      // Not the database of the request, which would keep it in.
      json: await service.database.db.query('select status from executions where id = $1', [params.id]),
    }),
  })
  const server = await serveHttp(
    {
      db: service.database.db,
      routes: [broken],
      authenticate: async () => ({ workspaceId: randomUUID(), keyId: randomUUID(), scopes: ['admin'] }),
      rate: makeRateLimit({ clock: systemClock, counts: ownCounts() }, { name: 'rate', perMinute: 1_000 }),
      badKeys: makeRateLimit({ clock: systemClock, counts: ownCounts() }, { name: 'badKeys', perMinute: 1_000 }),
      log: silentLog,
    },
    { host: '127.0.0.1', port: 0 },
  )
  const [slot] = slotsOf(openApiOf([broken]))
  const walked = { key: strangerKey, theirs: execution, fill: () => undefined }
  const leak = slot && (await findLeak(sendTo(server.url), slot, walked))
  await server.close(AbortSignal.timeout(1_000))
  expect(leak).toContain('completed')
})

test('two workspaces that chose the same execution id each get their own, however they wait', async () => {
  const held: (() => void)[] = []
  const script = () => new Promise<{ text: string }>((resolve) => held.push(() => resolve({ text: 'ours' })))
  await using model = await startMockModel({ script })
  await using service = await openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1:fast': 'mine/one', 'svc-agent-1:auto': 'embedded' } },
    },
  })
  const key = await service.stranger()
  const execute = async (id: string, body: object, caller: { key?: string } = {}) =>
    (await service.execute({ id, ...body }, { ...caller })).response
  const ids = Array.from({ length: 4 }, () => randomUUID())
  const ours = ids.map((id) =>
    execute(id, { model: 'svc-agent-1:fast', inputs: { text: 'a' }, config: { prompt: 'b' } }),
  )
  await expect.poll(() => held.length).toBe(ids.length)
  const total = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
  const config = { prompt: 'Extract', json_schema: total }
  for (const id of ids)
    expect(await execute(id, { inputs: { text: 'Total: EUR 99.00' }, config }, { key })).toEqual({ total: 99 })
  for (const answer of held) answer()
  expect(await Promise.all(ours)).toEqual(ids.map(() => 'ours'))
})
