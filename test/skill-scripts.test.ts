import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MockModel, type MockRequest, type MockTurn, startMockModel } from '../bench/mock-model.ts'
import { findBubblewrap, unprivilegedUser } from '../packages/server/src/adapters/sandbox/bubblewrap.ts'
import { openTestHouse, type TestHouse } from './support/house.ts'
import { zipOf } from './support/zips.ts'

const looked = await findBubblewrap({ environment: process.env, hidden: [], as: unprivilegedUser })
const missing = 'missing' in looked ? looked.missing : undefined
const isSkipped = missing !== undefined && process.env['REQUIRE_SANDBOX'] !== '1'

let model: MockModel
let house: TestHouse
let folder: string
let script: (request: MockRequest) => MockTurn

beforeAll(async () => {
  model = await startMockModel({ script: (request) => script(request) })
  folder = await mkdtemp(join(tmpdir(), 'skillrun-scripts-'))
  const file = join(folder, 'configuration.json')
  const facts = { input: 0, cached_input: 0, output: 0, context_tokens: 100_000, output_tokens_max: 1_000 }
  const config = {
    providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small', pro: 'small' } },
    models: { 'mine/small': { ...facts, takes: ['text', 'tools'] } },
  }
  await writeFile(file, JSON.stringify(config))
  house = await openTestHouse({ env: { SKILLRUN_CONFIG: file } })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const files = {
  'SKILL.md': '---\nname: checks\ndescription: Checks numbers.\n---\n\nRun scripts/check.py with the number.\n',
  'scripts/check.py':
    'import sys, os\nprint(int(sys.argv[1]) * 2, sorted(os.environ)[0], os.path.exists("/etc/passwd"))\nopen("note.txt", "w").write("checked")\n',
  'scripts/hidden.sh': 'echo hidden',
}
const skill = {
  type: 'inline',
  name: 'checks',
  description: 'Checks numbers',
  source: { type: 'base64', media_type: 'application/zip', data: zipOf(files).toString('base64') },
}
const usage = { inputTokens: 1, outputTokens: 1 }

async function execute(turns: typeof script, body: object) {
  script = turns
  const { status, json } = await house.call('POST', '/v1/agent/execute', {
    body: { batch: false, inputs: { number: { value: 21 } }, config: { prompt: 'Check', skills: [skill] }, ...body },
  })
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

/** Calls a script, then reports its result. */
const calls =
  (path: string): typeof script =>
  ({ results }) =>
    results.length === 0
      ? { toolCalls: [{ name: 'skills_run_script', input: { script: path, arguments: ['21'] } }], usage }
      : { text: results.at(-1) ?? '', usage }

describe.skipIf(isSkipped)(`scripts of a skill${missing === undefined ? '' : ` (${missing})`}`, () => {
  test('run when a model calls them, see nothing of the machine, and return their files', async () => {
    const record = await execute(calls('scripts/check.py'), { model: 'svc-agent-1:fast' })
    expect(JSON.parse(JSON.parse(record.response))).toEqual({
      exit_code: 0,
      stdout: '42 HOME False\n',
      stderr: '',
      files: [{ path: 'note.txt', bytes: 7, text: 'checked' }],
    })
  })

  test('run when a program calls them', async () => {
    const program = `export default async function run(tools, inputs) {
  const ran = await tools.skills.run_script({ script: 'scripts/check.py', arguments: [String(inputs.number.value)] })
  return Number(ran.stdout.split(' ')[0])
}`
    const record = await execute(() => ({ text: `\`\`\`ts\n${program}\n\`\`\``, usage }), { model: 'svc-agent-2:fast' })
    expect(record).toMatchObject({ status: 'completed', response: 42 })
  })

  test('do not run unless the skill declares them', async () => {
    const record = await execute(calls('scripts/hidden.sh'), { model: 'svc-agent-1:fast' })
    expect(record.response).toContain('does not declare the script')
    expect(record.response).not.toContain('exit_code')
  })
})
