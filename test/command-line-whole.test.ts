import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Place, skillrun } from '../packages/cli/src/command-line.ts'
import { madeWord } from '../packages/reader/src/media/testing/made-office.ts'
import { openTestService, type TestService } from './support/service.ts'
import { lookAgain } from './support/until.ts'

/** The command for each operation of the API. */
const commands: Readonly<Record<string, string>> = {
  executeAgent: 'execute',
  estimateExecution: 'execute',
  getExecution: 'executions get',
  listExecutions: 'executions list',
  listSavedFilters: 'executions filters list',
  createSavedFilter: 'executions filters save',
  replaceSavedFilter: 'executions filters rename',
  deleteSavedFilter: 'executions filters delete',
  listExecutionSteps: 'executions steps',
  listExecutionEvents: 'executions events',
  cancelExecution: 'executions cancel',
  pauseExecution: 'executions pause',
  resumeExecution: 'executions resume',
  resumeExecutions: 'executions resume',
  rerunExecution: 'executions rerun',
  listCallbacks: 'executions callbacks',
  redeliverCallback: 'executions redeliver',
  getExecutionRequest: 'executions request',
  createBatch: 'batch',
  estimateBackfill: 'backfill',
  getBatch: 'batches get',
  listBatches: 'batches list',
  listBatchItems: 'batches items',
  getBatchResults: 'batches results',
  pauseBatch: 'batches pause',
  resumeBatch: 'batches resume',
  cancelBatch: 'batches cancel',
  retryBatch: 'batches retry',
  listBatchCallbacks: 'batches callbacks',
  redeliverBatchCallback: 'batches redeliver',
  getCapsule: 'executions capsule',
  importCapsule: 'executions import',
  replayExecution: 'replay',
  forkExecution: 'fork',
  diffExecutions: 'diff',
  listCapsuleKeys: 'capsule-keys',
  rotateCapsuleKey: 'capsule-keys',
  getCallbackSecret: 'callback-secret',
  changeCallbackSecret: 'callback-secret',
  getArtifact: 'artifacts download',
  listArtifacts: 'artifacts list',
  compileProgram: 'skills programs',
  listPrograms: 'skills programs',
  getProgram: 'skills programs',
  deleteProgram: 'skills programs',
  addSkillCases: 'skills cases add',
  listSkillCases: 'skills cases list',
  deleteSkillCase: 'skills cases delete',
  evaluateSkill: 'skills evaluate',
  listSkillEvaluations: 'skills evaluations',
  getSkillEvaluation: 'skills evaluations',
  improveSkill: 'skills improve',
  listSkillImprovements: 'skills improvements',
  getSkillImprovement: 'skills improvements',
  cancelSkillImprovement: 'skills stop-improving',
  createAgent: 'agents create',
  listAgents: 'agents list',
  lookupAgent: 'agents get',
  getAgent: 'agents get',
  submitFeedback: 'feedback give',
  listFeedback: 'feedback list',
  createChatCompletion: 'chat',
  presignUpload: 'files presign',
  verifyUpload: 'files verify',
  uploadFile: 'files upload',
  listFiles: 'files list',
  findFileByHash: 'files find',
  getFile: 'files get',
  deleteFile: 'files delete',
  getFileContent: 'files download',
  drawFilePage: 'files page',
  readFilePage: 'files page',
  drawInputPage: 'executions page',
  readInputPage: 'executions page',
  followExecutions: 'executions list',
  createSkill: 'skills create',
  listSkills: 'skills list',
  lookupSkill: 'skills get',
  getSkill: 'skills get',
  deleteSkill: 'skills delete',
  updateSkill: 'skills update',
  downloadSkill: 'skills download',
  listSkillVersions: 'skills versions',
  getSkillZip: 'skills download',
  createKey: 'keys create',
  listKeys: 'keys list',
  revokeKey: 'keys revoke',
  approveExecution: 'approve',
  rejectExecution: 'reject',
  listApprovers: 'approvals approvers',
  listUsers: 'users list',
  addUser: 'users add',
  changeUser: 'users role',
  removeUser: 'users remove',
  resetPassword: 'users reset-password',
  getMe: 'users me',
  reviewExecution: 'review save',
  listExecutionReviews: 'review history',
  listReviews: 'review list',
  getReview: 'review get',
  claimNextReview: 'review claim',
  claimReview: 'review claim',
  releaseReview: 'review release',
  skipReview: 'review skip',
  assignReview: 'review assign',
  listReviewSettings: 'review settings',
  changeReviewSetting: 'review settings',
  getReviewStatistics: 'review statistics',
  getUsage: 'usage',
  listAudit: 'audit',
  isAlive: 'health',
  isReady: 'health',
  checkKey: 'health',
  listModels: 'models',
  createEmbedding: 'embed',
  callMcp: 'mcp',
  listDomains: 'domains',
  getQueues: 'top',
  getSettings: 'settings',
  listTools: 'tools',
  listSessions: 'sessions',
}

/** Operations without a command: for web pages and programs, aliases, and those of other APIs. */
const forPrograms = [
  ...['sendFile', 'getPublicFile', 'getOpenApi', 'getMetrics', 'showApproval', 'decideByLink'],
  'createMessage',
  ...[
    'createOpenAiSkill',
    'listOpenAiSkills',
    'getOpenAiSkill',
    'updateOpenAiSkill',
    'deleteOpenAiSkill',
    'createOpenAiSkillVersion',
    'listOpenAiSkillVersions',
    'getOpenAiSkillVersion',
    'deleteOpenAiSkillVersion',
    'getOpenAiSkillContent',
    'getOpenAiSkillVersionContent',
    'createAnthropicSkill',
    'listAnthropicSkills',
    'getAnthropicSkill',
    'deleteAnthropicSkill',
    'createAnthropicSkillVersion',
    'listAnthropicSkillVersions',
    'getAnthropicSkillVersion',
    'deleteAnthropicSkillVersion',
    'getAnthropicSkillVersionContent',
  ],
  ...['createResponse', 'getResponse', 'deleteResponse', 'cancelResponse', 'listResponseInputItems'],
  // With a cookie.
  ...['getSignIn', 'signIn', 'signOut', 'changePassword'],
  ...['lookupAgentByQuery', 'createChatCompletionShort', 'listOpenAiModels', 'getOpenAiModel'],
  // Other names of execute and of executions, and what clients of the closed service ask besides.
  ...[
    'generateFromDocument',
    'generateFromAudio',
    'generateFromVideo',
    'generateFromImage',
    'executeOnDocument',
    'executeOnAudio',
    'executeOnVideo',
    'executeOnImage',
    'proposeSchemaFromDocument',
    'proposeSchemaFromAudio',
    'proposeSchemaFromVideo',
    'proposeSchemaFromImage',
    'generateFromWeb',
    'createDataset',
    'createFineTuning',
    'provisionFineTuned',
    'generateFineTuned',
    'getPrediction',
    'listPredictions',
    'getDomainSchema',
    'getHubSchema',
    'getHubInfo',
    'listHubDomains',
    'hasHubDomain',
    'listDatasets',
    'getDataset',
    'listFineTuningJobs',
    'getFineTuningJob',
    'listFineTunedModels',
    'checkOpenAiKey',
    'uploadOpenAiFile',
    'listOpenAiFiles',
    'getOpenAiFile',
    'deleteOpenAiFile',
    'getOpenAiFileContent',
    'uploadAnthropicFile',
    'listAnthropicFiles',
    'getAnthropicFile',
    'deleteAnthropicFile',
    'getAnthropicFileContent',
    'createTranscription',
    'countMessageTokens',
  ],
]

describe('the command line', () => {
  let service: TestService
  let folder: string
  let place: Place
  const run = (...args: string[]) => skillrun(args, place)
  const jsonOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect([code, stderr]).toEqual([0, expect.any(String)])
    return JSON.parse(stdout)
  }
  beforeAll(async () => {
    service = await openTestService()
    folder = await mkdtemp(join(tmpdir(), 'skillrun-whole-'))
    place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
    await writeFile(join(folder, 'mail.txt'), 'Invoice No: 17\nTotal: EUR 12.50\n')
    await writeFile(join(folder, 'total.json'), '{"type":"object","properties":{"total":{"type":["number","null"]}}}')
    await writeFile(
      join(folder, 'number.json'),
      '{"type":"object","properties":{"invoice_number":{"type":["string","null"]}}}',
    )
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  test('has an existing command for every operation of the API', async () => {
    const { paths } = (await service.call('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const operations = Object.values(paths).flatMap((path) => Object.values(path).map((one) => one.operationId))
    expect(operations.filter((one) => !(one in commands) && !forPrograms.includes(one))).toEqual([])
    const script = (await run('completion', 'bash')).stdout
    for (const command of new Set(Object.values(commands)))
      expect([command, script.includes(command.split(' ').at(-1) ?? '')]).toEqual([command, true])
  })

  test('adds users, and changes, disables and removes them', async () => {
    const added = await jsonOf('users', 'add', 'Ann@example.com', '--role', 'admin', '--name', 'Ann Lee')
    expect(added).toMatchObject({ email: 'ann@example.com', role: 'admin', password: expect.stringMatching(/-/) })
    const signIn = (password: string) =>
      service.call('POST', '/v1/sign-in', { key: null, body: { email: 'ann@example.com', password } })
    expect((await signIn(added.password)).status).toBe(200)
    const { stdout, stderr } = await run('users', 'reset-password', 'ann@example.com')
    expect(stderr).toContain('not shown again')
    const next = /password +(\S+)/.exec(stdout)?.[1] ?? ''
    expect([(await signIn(added.password)).status, (await signIn(next)).status]).toEqual([401, 200])
    expect((await run('users', 'disable', 'ann@example.com')).stderr).toContain('last admin')
    await jsonOf('users', 'add', 'bob@example.com', '--role', 'admin', '--no-password')
    // Who cannot sign in is no other admin.
    expect((await run('users', 'role', added.id, 'viewer')).stderr).toContain('last admin')
    await run('users', 'reset-password', 'bob@example.com')
    expect(await jsonOf('users', 'role', added.id, 'viewer')).toMatchObject({ role: 'viewer' })
    expect(await jsonOf('users', 'rename', added.id, 'Ann Li')).toMatchObject({ name: 'Ann Li' })
    expect(await jsonOf('users', 'disable', 'ann@example.com')).toMatchObject({ disabled: true })
    expect((await signIn(next)).status).toBe(401)
    expect(await jsonOf('users', 'enable', 'ann@example.com')).toMatchObject({ disabled: false })
    expect((await run('users', 'list')).stdout).toMatch(/ann@example\.com +Ann Li +viewer +active/)
    expect((await run('users', 'remove', 'ann@example.com')).code).toBe(0)
    expect((await run('users', 'remove', 'ann@example.com')).stderr).toContain('no user ann@example.com')
    expect((await run('users', 'me')).stdout).toMatch(/^key +SKILLRUN_API_KEY/)
    expect((await run('audit', '--action', 'user.remove')).stdout).toMatch(/user\.remove .*SKILLRUN_API_KEY/)
  })

  test('puts doubtful answers into the review queue, claims one, corrects it beside the answer and finishes it', async () => {
    await jsonOf('review', 'settings', '--below', '1')
    const { id } = await jsonOf('execute', '-i', 'mail.txt', '--schema', 'total.json', '-p', 'Extract it', '--record')
    expect(await jsonOf('review', 'list', '--status', 'needed')).toMatchObject([{ execution_id: id, status: 'needed' }])
    const { item } = await jsonOf('review', 'claim')
    expect(item).toMatchObject({ execution_id: id, status: 'claimed', claim: { number: 1 } })
    expect((await run('review', 'claim')).stderr).toContain('nothing waits for a review')
    const wrong = await run('review', 'save', id, '--set', '/total=much')
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('/total') })
    const saved = await jsonOf('review', 'save', id, '--set', '/total=13.5', '--claim', '1', '--done')
    expect(saved).toMatchObject({ response: { total: 12.5 }, reviewed_response: { total: 13.5 } })
    expect(await jsonOf('review', 'history', id)).toMatchObject([
      { version: 1, done: true, changes: [{ path: '/total', kind: 'corrected', from: 12.5, to: 13.5 }] },
    ])
    expect(await jsonOf('review', 'get', id)).toMatchObject({ status: 'done' })
    expect((await run('review', 'statistics')).stdout).toMatch(/\/total +0 +1 +0 +0\.0 %/)
    const stale = await run('review', 'save', id, '--confirm', '/total', '--if-version', '0')
    expect(stale.code).not.toBe(0)
    expect((await run('review', 'settings', '--off')).code).toBe(0)
    expect(await jsonOf('review', 'settings')).toEqual([])
  })

  test('saves what looks like a number as text where the schema wants a text', async () => {
    await writeFile(
      join(folder, 'numbers.json'),
      JSON.stringify({
        type: 'object',
        properties: {
          number: { type: ['string', 'null'] },
          order: { type: ['string', 'null'] },
          total: { type: ['number', 'null'] },
        },
      }),
    )
    const { id } = await jsonOf('execute', '--text', 'Total: EUR 12.50', '--schema', 'numbers.json', '--record')
    const set = ['--set', '/number=4711', '--set', '/order=47e2', '--set', '/total=13.5']
    expect(await jsonOf('review', 'save', id, ...set, '--done')).toMatchObject({
      reviewed_response: { number: '4711', order: '47e2', total: 13.5 },
    })
    const wrong = await run('review', 'save', id, '--set', '/number=4711', '--set', '/total=true')
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('/total must be number') })
  })

  test('releases, skips and assigns reviews', async () => {
    await jsonOf('review', 'settings', '--below', '1')
    const { id } = await jsonOf('execute', '-i', 'mail.txt', '--schema', 'total.json', '-p', 'Extract it', '--record')
    await run('review', 'claim', id)
    expect((await run('review', 'release', id)).stdout).toContain(`execution ${id}: needed`)
    const key = (await jsonOf('keys', 'list'))[0].id
    expect(await jsonOf('review', 'assign', id, key)).toMatchObject({ assigned_to: { id: key } })
    expect(await jsonOf('review', 'assign', id)).toMatchObject({ assigned_to: null })
    await run('review', 'claim', id)
    await run('review', 'skip', id)
    expect((await jsonOf('review', 'claim')).item).toBe(null)
    await run('review', 'settings', '--off')
  })

  test('lists the executions that wait for an approval, approves one and rejects another, each once', async () => {
    await writeFile(join(folder, 'approval.json'), '{"require_approval": "completion"}')
    const execute = () =>
      jsonOf(
        ...['execute', '-i', 'mail.txt', '--schema', 'total.json', '-p', 'Extract it', '--config', 'approval.json'],
        '--batch',
      )
    const ids: string[] = [(await execute()).id, (await execute()).id]
    while ((await jsonOf('approvals', 'list')).length < 2) await lookAgain()
    expect((await run('approvals', 'list')).stdout).toMatch(new RegExp(`${ids[1]}.*completion`))
    expect((await run('approvals', 'approvers', ids[0] ?? '')).stdout).toContain('key')
    const approved = await run('approve', ids[0] ?? '', '--comment', 'Looks right')
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining(': approved by ')])
    expect(await jsonOf('reject', ids[1] ?? '')).toMatchObject({ status: 'failed', approval: { decision: 'reject' } })
    expect((await run('approve', ids[1] ?? '')).stdout).toContain(': rejected by ')
    expect((await run('approve', ids[0] ?? '', '--number', '2')).code).toBe(1)
    expect(await jsonOf('approvals', 'list')).toEqual([])
    expect(await jsonOf('executions', 'list', '--approval', 'done')).toHaveLength(2)
    expect((await run('executions', 'get', ids[0] ?? '', '--wait')).stdout).toContain('12.5')
  })

  test('resumes executions with retryable failures by id or filter, and reports those that it did not resume', async () => {
    const execute = () => jsonOf('execute', '-i', 'mail.txt', '--schema', 'total.json', '-p', 'Extract it', '--record')
    const ids = [(await execute()).id, (await execute()).id, (await execute()).id]
    const fail = (code: string) =>
      service.database.db.query(
        `update executions set status = 'failed', response = null, error = json_build_object('code', $2::text, 'message', 'It failed', 'retryable', false)
         where id = any($1)`,
        [ids, code],
      )
    await fail('poison')
    expect((await run('executions', 'resume', ids[0] ?? '')).stdout).toBe(`execution ${ids[0]} is enqueued\n`)
    await run('executions', 'get', ids[0] ?? '', '--wait')
    expect(await jsonOf('executions', 'resume', '--status', 'failed')).toEqual({ resumed: 2, refused: [] })
    for (const id of ids) expect((await run('executions', 'get', id, '--wait')).stdout).toContain('12.5')
    await fail('max_steps')
    const refused = await run('executions', 'resume', ...ids)
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/^0 resumed, 3 refused\n.*max_steps/)])
    expect((await run('executions', 'resume', '--all')).stdout).toBe('0 resumed, 0 refused\n')
    for (const wrong of [[], ['--all', ids[0] ?? ''], ['--status', 'failed', '--max-cost', '1']])
      expect((await run('executions', 'resume', ...wrong)).code).toBe(2)
  })

  test('follows an execution from start to end, shows its request, and reruns it with changes', async () => {
    const execution = await jsonOf(
      ...['execute', '-i', 'mail.txt', '--schema', 'total.json', '-p', 'Extract it', '--record'],
    )
    expect(execution.response).toEqual({ total: 12.5 })
    const told = (await run('executions', 'events', execution.id)).stdout
    expect(told).toMatch(/enqueued\n.*running\n.*step 1: document\.read, .*\n.*step 2: embedded.*\n.*completed\n$/)
    const lines = (await run('executions', 'events', execution.id, '--json')).stdout.trim().split('\n')
    const events = lines.map((line) => JSON.parse(line))
    expect(events.at(-1)).toMatchObject({ event: 'status', data: { status: 'completed' } })
    const rest = (await run('executions', 'events', execution.id, '--after', events[2].id)).stdout.trim().split('\n')
    expect(rest).toHaveLength(events.length - 3)
    expect((await jsonOf('executions', 'request', execution.id)).config.prompt).toBe('Extract it')
    const curl = (await run('executions', 'request', execution.id, '--curl')).stdout
    expect(curl).toContain(`curl '${service.url}/v1/agent/execute'`)
    expect(curl).not.toContain(service.key)
    const again = await run('executions', 'rerun', execution.id, '--schema', 'number.json', '--wait')
    expect(JSON.parse(again.stdout)).toEqual({ invoice_number: '17' })
    await writeFile(join(folder, 'config.json'), '{"grounding": true, "prompt": "in vain"}')
    const { id } = await jsonOf(
      ...['execute', '--text', 'Total: 3.00', '--schema', 'total.json', '-p', 'Extract it', '--config', 'config.json'],
      '--record',
    )
    expect((await jsonOf('executions', 'request', id)).config).toMatchObject({ grounding: true, prompt: 'Extract it' })
  })

  test('finds a file by its content, draws a page of it, and creates an upload URL that needs no key', async () => {
    const pdf = await readFile(new URL('../samples/invoice.pdf', import.meta.url))
    await writeFile(join(folder, 'invoice.pdf'), pdf)
    const [{ id }] = await jsonOf('files', 'upload', 'invoice.pdf')
    expect((await jsonOf('files', 'find', 'invoice.pdf')).id).toBe(id)
    await run('files', 'page', id, '0', '--width', '300', '-o', 'page.png')
    expect((await readFile(join(folder, 'page.png'))).subarray(1, 4).toString()).toBe('PNG')
    await writeFile(join(folder, 'letter.docx'), await madeWord(['Total: 108.00', 'Thank you']))
    const [letter] = await jsonOf('files', 'upload', 'letter.docx')
    expect((await run('files', 'page', letter.id, '0', '--words')).stdout).toBe('Total: 108.00\n\nThank you\n')
    const url = `data:application/pdf;base64,${pdf.toString('base64')}`
    const body = { inputs: { paper: { type: 'file_url', file_url: { url } } }, config: { prompt: 'Extract the total' } }
    const sent = (await service.call('POST', '/v1/agent/execute', { body })).json.id
    expect((await run('executions', 'page', sent, '0', '--input', 'paper', '-o', 'sent.png')).code).toBe(0)
    expect((await readFile(join(folder, 'sent.png'))).subarray(1, 4).toString()).toBe('PNG')
    const made = await jsonOf('files', 'presign', 'later.txt', '--expires-in', '600')
    const tooSoon = await run('files', 'verify', made.id)
    expect(tooSoon.code).toBe(1)
    expect((await fetch(made.url, { method: 'PUT', body: 'Total: 1.00' })).ok).toBe(true)
    expect(await jsonOf('files', 'verify', made.id)).toMatchObject({ id: made.id, bytes: 11 })
  })

  test('shows the differences between two versions of a skill', async () => {
    const skill = join(folder, 'totals')
    const body = (words: string) => `---\nname: totals\ndescription: Reads totals\n---\n${words}\n`
    await mkdir(join(skill, 'references'), { recursive: true })
    await writeFile(join(skill, 'SKILL.md'), body('Read the total.'))
    await run('skills', 'create', 'totals')
    await writeFile(join(skill, 'SKILL.md'), body('Read the grand total.'))
    await writeFile(join(skill, 'references', 'seal.bin'), new Uint8Array([0xff, 0xfe, 0]))
    await writeFile(join(skill, 'references', 'terms.md'), 'Net 30')
    await run('skills', 'create', 'totals')
    const shown = (await run('skills', 'diff', 'totals:1', 'totals')).stdout
    expect(shown).toContain('SKILL.md (changed)\n')
    expect(shown).toContain('- Read the total.\n+ Read the grand total.\n')
    expect(shown).toContain('references/seal.bin (added)\nnot shown: binary')
    await writeFile(join(skill, 'references', 'terms.md'), 'Net 30\n')
    await run('skills', 'create', 'totals')
    const ended = (await run('skills', 'diff', 'totals:2', 'totals')).stdout
    expect(ended).toContain('references/terms.md (changed)\n  Net 30\n- \\ No newline at end of file\n')
    expect((await run('skills', 'diff', 'totals', 'totals')).stderr).toBe('the two versions are identical\n')
  })

  test("sends feedback, and shows the audit log and the server's health", async () => {
    const { id } = await jsonOf(
      'execute',
      '--text',
      'Total: 4.00',
      '--schema',
      'total.json',
      '-p',
      'Extract the total',
      '--record',
    )
    await writeFile(join(folder, 'right.json'), '{"total": 4}')
    expect((await run('feedback', 'give', id, '--response', 'right.json', '--notes', 'well read')).code).toBe(0)
    expect((await run('feedback', 'list', id)).stdout).toMatch(/well read {2}\{"total":4\}/)
    expect((await run('feedback', 'give', id)).code).toBe(2)
    expect((await run('callback-secret')).stdout).toMatch(/^whsec_\S+\n$/)
    const before = (await run('callback-secret')).stdout
    expect((await run('callback-secret', '--change')).stdout).not.toBe(before)
    expect((await run('audit', '--action', 'callback_secret.change')).stdout).toMatch(/callback_secret\.change/)
    expect((await run('health')).stdout).toContain(`server    ok, at ${service.url}`)
    const wrong = await skillrun(['health'], {
      folder,
      environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: 'no' },
    })
    expect(wrong.code).toBe(4)
    expect((await jsonOf('domains')).length).toBeGreaterThan(0)
  })
})
