import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Place, skillrun, startSkillrun } from '../command-line.ts'
import { openScriptedPlace } from '../scripted-place.ts'
import {
  type Answer,
  cut,
  executionRecord,
  fileId,
  filePart,
  type ScriptedServer,
  silent,
  stream,
} from '../scripted-server.ts'

let server: ScriptedServer
let folder: string
let place: Place

beforeEach(async () => {
  const opened = await openScriptedPlace()
  ;({ server, folder, place } = opened)
  await writeFile(join(folder, 'invoice.pdf'), 'the bytes of an invoice')
  await writeFile(join(folder, 'schema.json'), '{"type":"object","properties":{"total":{"type":"number"}}}')
  return () => opened[Symbol.asyncDispose]()
})

const sentRequests = () => server.seen.filter(({ path }) => path === '/v1/agent/execute')
const sentRequest = () => sentRequests()[0]?.json ?? {}

const moved = (status: string) => ['status', { status, at: '2026-11-21T15:00:00.000Z', attempt: 1 }] as const
const stepped = (seq: number, name: string) =>
  [
    'step',
    {
      ...{ seq, attempt: 1, kind: 'tool', name, detail: {}, cost_dollars: 0.002 },
      ...{ started_at: '2026-11-21T15:00:00.000Z', ended_at: '2026-11-21T15:00:00.120Z' },
    },
  ] as const

/** Scripts the event stream of the execution, one list per connection, and the record at its end. */
function scriptEvents(
  connections: readonly Answer[],
  end: readonly [status: string, more?: Parameters<typeof executionRecord>[2]],
) {
  server.script('POST /v1/agent/execute', (reply, request) => {
    const id = String(request.json['id'])
    server.script(`GET /v1/agent/executions/${id}/events`, ...connections)
    server.script(
      `GET /v1/agent/executions/${id}`,
      { status: 200, json: executionRecord(id, 'running') },
      { status: 200, json: executionRecord(id, ...end) },
    )
    reply.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(executionRecord(id, 'enqueued')))
  })
}

const looks = () => server.seen.filter(({ path }) => /^\/v1\/agent\/executions\/[^/]+$/.test(path))
const streams = () => server.seen.filter(({ path }) => path.endsWith('/events'))

test('waits on the event stream: states and steps on stderr as they happen, with two requests for the record in total', async () => {
  const events = [moved('enqueued'), moved('running'), stepped(1, 'document.read'), moved('completed')]
  scriptEvents([stream(events)], ['completed', { response: 1 }])
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended).toMatchObject({ code: 0, stdout: '1\n' })
  expect(ended.stderr).toMatch(
    /is enqueued\n.* is running\nstep 1: document\.read, 120 ms, \$0\.002\ncompleted in 1\.5 s, 2 pages, \$0\n$/,
  )
  expect(streams()).toHaveLength(1)
  expect(looks()).toHaveLength(2)
})

test('a broken stream is resumed where it broke, and nothing is printed twice', async () => {
  const all = [moved('enqueued'), moved('running'), stepped(1, 'one'), stepped(2, 'two'), moved('completed')]
  // The request in between finds the execution still running.
  scriptEvents([stream(all.slice(0, 3)), stream(all.slice(3))], ['running'])
  const running = startSkillrun(['execute', '-p', 'Read'], place)
  await running.stderrIncludes('step 1')
  await running.stderrIncludes('step 2')
  const id = String(sentRequest()['id'])
  server.script(`GET /v1/agent/executions/${id}`, { status: 200, json: executionRecord(id, 'completed') })
  await running.ended
  expect(streams().map(({ lastEventId }) => lastEventId)).toEqual([undefined, '3-0'])
})

/** Scripts the results of successive polls; the id is the one that the command chose. */
function scriptLooks(...looks: readonly (readonly [status: string, more?: Parameters<typeof executionRecord>[2]])[]) {
  server.script('POST /v1/agent/execute', (reply, request) => {
    const id = String(request.json['id'])
    server.script(
      `GET /v1/agent/executions/${id}`,
      ...looks.map(([status, more]) => ({ status: 200, json: executionRecord(id, status, more) })),
    )
    reply.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(executionRecord(id, 'enqueued')))
  })
}

test('a file is uploaded byte for byte, run with schema and prompt, and only its response is on stdout', async () => {
  scriptLooks(['running'], ['running'], ['completed', { response: { total: 12.5 } }])
  const ended = await skillrun(['execute', '-i', 'invoice.pdf', '--schema', 'schema.json', '-p', 'Extract it'], place)
  expect(ended.stdout).toBe('{\n  "total": 12.5\n}\n')
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain(`uploaded invoice.pdf as ${fileId}\n`)
  expect(ended.stderr).toMatch(/ is running\ncompleted in 1\.5 s, 2 pages, \$0\n$/)
  const upload = server.seen.find(({ path }) => path === '/v1/files')
  expect(upload && filePart(upload)).toEqual({
    filename: 'invoice.pdf',
    content: Buffer.from('the bytes of an invoice'),
  })
  expect(sentRequest()).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    batch: true,
    inputs: { file: { type: 'input_file', file_id: fileId } },
    config: { prompt: 'Extract it', json_schema: { type: 'object', properties: { total: { type: 'number' } } } },
  })
})

test('a file larger than one stream chunk is uploaded completely', async () => {
  const content = Buffer.alloc(9_000_000, 'skillrun ')
  await writeFile(join(folder, 'large.bin'), content)
  const ended = await skillrun(['execute', '-i', 'large.bin', '-p', 'Read'], place)
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain('uploading large.bin (9.0 MB)\n')
  const upload = server.seen.find(({ path }) => path === '/v1/files')
  expect(upload && filePart(upload).content.equals(content)).toBe(true)
})

test('named slots, several files, URLs, texts and configuration options are sent under their names', async () => {
  await writeFile(join(folder, 'order.pdf'), 'an order')
  const inputs = ['-i', 'invoice.pdf', 'order.pdf', 'web=https://example.com/a?b=c', '--text', 'one', '--text', 'two']
  const options = [
    '--name',
    'matcher:2',
    '--model',
    'svc-agent-2',
    '--tier',
    'flex',
    '--grounding',
    '--pages',
    '0,2-3',
    '--max-wrong-rate',
    '0.05',
  ]
  const ended = await skillrun(['execute', ...inputs, ...options], place)
  expect(ended.code).toBe(0)
  const item = { type: 'input_file', file_id: fileId }
  expect(sentRequest()).toEqual({
    id: expect.any(String),
    batch: true,
    name: 'matcher:2',
    model: 'svc-agent-2',
    inputs: {
      files: [item, item],
      web: { type: 'file_url', file_url: { url: 'https://example.com/a?b=c' } },
      text: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    config: { service_tier: 'flex', max_wrong_rate: 0.05, grounding: true, page_indices: [0, 2, 3] },
  })
})

test('--max-wrong-rate off asks for no probabilities', async () => {
  const ended = await skillrun(['execute', '-i', 'invoice.pdf', '-p', 'x', '--max-wrong-rate', 'off'], place)
  expect(ended.code).toBe(0)
  expect(sentRequest()).toMatchObject({ config: { max_wrong_rate: null } })
})

test('--skill sends a name that is no folder as that of a stored skill', async () => {
  const ended = await skillrun(['execute', '-i', 'invoice.pdf', '--skill', 'our-invoices:3'], place)
  expect(ended.code).toBe(0)
  expect(sentRequest()).toMatchObject({
    config: { skills: [{ type: 'skill_reference', skill_id: 'our-invoices:3' }] },
  })
})

test('likely values of a field that is null go to stderr with their probabilities', async () => {
  const candidates = [
    { value: 4711, status: 'verified', confidence: 0.62 },
    { value: 'A-2', status: 'verified', confidence: 0.2 },
  ]
  const evidence = { '/number': { status: 'unsupported', confidence: 0, candidates } }
  scriptLooks(['completed', { response: { number: null }, evidence }])
  const { stderr } = await skillrun(['execute', '-p', 'Extract the number'], place)
  expect(stderr).toContain('not sure enough: /number: 4711 (62 %), "A-2" (20 %)\n')
})

test('given values that need a look go to stderr, the first of many by name', async () => {
  const paths = ['/a', '/b', '/c', '/d', '/e', '/f']
  const evidence = Object.fromEntries(paths.map((path) => [path, { status: 'verified', confidence: 0.7 }]))
  const record = { response: {}, evidence: { ...evidence, '/x': { status: 'unsupported', confidence: 0 } } }
  scriptLooks(['completed', { ...record, needs_look: ['/x', ...paths] }])
  const { stderr } = await skillrun(['execute', '-p', 'Extract it'], place)
  expect(stderr).toContain('needs a look: /a, /b, /c, /d, /e and 1 more\n')
  scriptLooks(['completed', { ...record, needs_look: ['/x'] }])
  expect((await skillrun(['execute', '-p', 'Extract it'], place)).stderr).not.toContain('needs a look')
})

test("the record's message goes to stderr, as does each warning that the message does not contain", async () => {
  const warnings = [
    { code: 'not_found', path: '/iban', message: 'Nothing there.' },
    { code: 'row_does_not_add_up', path: '/items/0', message: '2 × 5 is not 11.' },
    { code: 'ignored_field', path: '/prompt', message: 'The field prompt was ignored' },
  ]
  const usage = { message: 'Found 1 of 2 fields; not found: /iban' }
  scriptLooks(['completed', { response: { total: 5 }, usage, warnings }])
  const ended = await skillrun(['execute', '-p', 'Extract the invoice'], place)
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { total: 5 }])
  expect(ended.stderr).toContain('note: Found 1 of 2 fields; not found: /iban\n')
  expect(ended.stderr.match(/^warning: .*$/gm)).toEqual(['warning: /items/0: 2 × 5 is not 11.'])
  const error = { code: 'needs_model', message: 'This needs a language model', retryable: false }
  scriptLooks(['failed', { error, warnings }])
  const failed = await skillrun(['execute', '-p', 'Write a poem'], place)
  expect(failed.stderr.match(/^warning: .*$/gm)).toEqual([
    'warning: /items/0: 2 × 5 is not 11.',
    'warning: /prompt: The field prompt was ignored',
  ])
})

test('a failed execution exits 1 with its reason on stderr and nothing on stdout', async () => {
  scriptLooks(['failed', { error: { code: 'needs_model', message: 'This needs a language model', retryable: false } }])
  const ended = await skillrun(['execute', '-p', 'Write a poem'], place)
  expect(ended.code).toBe(1)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toContain('failed (needs_model): This needs a language model\n')
})

test('with --record a failed execution prints its complete record', async () => {
  scriptLooks(['failed', { error: { code: 'needs_model', message: 'This needs a language model', retryable: false } }])
  const ended = await skillrun(['execute', '-p', 'Write a poem', '--record'], place)
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'failed', error: { code: 'needs_model' } })
})

test('a paused execution ends the wait with exit code 1', async () => {
  scriptLooks(['paused'])
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('is paused')
})

test('with --batch the enqueued record is printed immediately and not polled', async () => {
  const ended = await skillrun(['execute', '-i', 'invoice.pdf', '-p', 'Read', '--batch'], place)
  expect(ended.code).toBe(0)
  const record = JSON.parse(ended.stdout) as { id: string; status: string }
  expect(record.status).toBe('enqueued')
  expect(ended.stderr).toContain(`skillrun executions get ${record.id} --wait`)
  expect(server.seen.filter(({ path }) => path.startsWith('/v1/agent/executions'))).toEqual([])
})

test('a request whose connection was dropped is repeated with the same id', async () => {
  server.script('POST /v1/agent/execute', cut, (reply, request) => {
    reply
      .writeHead(201, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(executionRecord(String(request.json['id']), 'enqueued')))
  })
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended.code).toBe(0)
  const [first, second, ...more] = sentRequests()
  expect(first?.json['id']).toEqual(expect.any(String))
  expect(second?.json).toEqual(first?.json)
  expect(more).toEqual([])
})

test('an aborted upload is not repeated: exit code 3', async () => {
  server.script('POST /v1/files', cut)
  const ended = await skillrun(['execute', '-i', 'invoice.pdf', '-p', 'Read'], place)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toMatch(/^skillrun: The connection to http\S+ ended before the reply was complete: \S+\n$/)
  expect(server.seen.filter(({ path }) => path === '/v1/files')).toHaveLength(1)
  expect(sentRequests()).toEqual([])
})

test('a busy server with Retry-After is asked again', async () => {
  server.script(
    'POST /v1/agent/execute',
    { status: 429, json: { detail: 'Too many requests' }, headers: { 'Retry-After': '0' } },
    (reply, request) => {
      reply
        .writeHead(201, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(executionRecord(String(request.json['id']), 'enqueued')))
    },
  )
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended.code).toBe(0)
  expect(sentRequests()).toHaveLength(2)
})

test('each detail of a refused request is one line with its location: exit code 2', async () => {
  const details = [
    { loc: ['body', 'config', 'skills', 0, 'skill_id'], msg: 'Field required', type: 'missing', input: null },
    { loc: ['body', 'model'], msg: 'Input should be one of "svc-agent-1"', type: 'enum', input: 'x' },
  ]
  server.script('POST /v1/agent/execute', { status: 422, json: { detail: details } })
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: 'skillrun: config.skills.0.skill_id: Field required\nmodel: Input should be one of "svc-agent-1"\n',
  })
})

test.each([{ prompt: 'Write a poem' }, { skills: [{ type: 'skill_reference', skill_id: 'poems' }] }])(
  'a configuration with %j says what to do',
  async (config) => {
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const ended = await skillrun(['execute', '--config', 'config.json'], place)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(sentRequest()['config']).toEqual(config)
  },
)

test("an unknown agent is reported with the server's message: exit code 1", async () => {
  server.script('POST /v1/agent/execute', { status: 404, json: { detail: 'There is no agent nobody' } })
  const ended = await skillrun(['execute', '--name', 'nobody'], place)
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'skillrun: There is no agent nobody\n' })
})

test('an invalid key ends the command before any upload: exit code 4', async () => {
  const environment = { SKILLRUN_URL: server.url, SKILLRUN_API_KEY: 'sk-wrong' }
  const ended = await skillrun(['execute', '-i', 'invoice.pdf', '-p', 'Read'], { folder, environment })
  expect(ended.code).toBe(4)
  expect(ended.stderr).toBe(
    'skillrun: The key is not valid: it is unknown, expired or revoked (the key came from SKILLRUN_API_KEY)\n',
  )
  expect(server.seen.map(({ path }) => path)).toEqual(['/v1/health'])
})

test('an unreachable server is reported immediately: exit code 3', async () => {
  await server.close()
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toMatch(
    /^skillrun: No server responds at http\S+ \(from SKILLRUN_URL\); start one with "skillrun serve"/,
  )
})

test("another program on the server's port is reported as such: exit code 1", async () => {
  server.script('POST /v1/agent/execute', (reply) => void reply.end('<html>Welcome</html>'))
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('is not a Skillrun server')
})

test('a server error is reported with the request id for the log', async () => {
  server.script('POST /v1/agent/execute', {
    status: 500,
    json: { detail: 'Something went wrong on our side' },
    headers: { 'X-Request-Id': 'abc' },
  })
  const ended = await skillrun(['execute', '-p', 'Read'], place)
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: 'skillrun: Something went wrong on our side (X-Request-Id abc)\n',
  })
})

test('on timeout, the command says how to get the result later: exit code 3', async () => {
  scriptLooks(['running'])
  const ended = await skillrun(['execute', '-p', 'Read', '--timeout', '0.1'], place)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain(`get its result with: skillrun executions get ${sentRequest()['id']} --wait\n`)
  expect(ended.stderr).toMatch(/after 0\.1 s\n$/)
})

test('a silent server does not outlast the timeout', async () => {
  server.script('POST /v1/agent/execute', (reply, request) => {
    const id = String(request.json['id'])
    server.script(`GET /v1/agent/executions/${id}`, silent)
    reply.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(executionRecord(id, 'enqueued')))
  })
  const ended = await skillrun(['execute', '-p', 'Read', '--timeout', '0.3'], place)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain('still enqueued after 0.3 s')
})

test('Ctrl-C ends the wait with 130 and says how to get the result later', async () => {
  scriptLooks(['running'])
  const running = startSkillrun(['execute', '-p', 'Read'], place)
  await running.stderrIncludes('is running')
  running.kill('SIGINT')
  const ended = await running.ended
  expect(ended.code).toBe(130)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toContain(`get its result with: skillrun executions get ${sentRequest()['id']} --wait\n`)
  expect(ended.stderr).not.toContain('    at ')
})

test.each([
  ['a file that is not there', ['-i', 'nothing.pdf'], 'nothing.pdf cannot be read: there is no such file'],
  ['a folder', ['-i', '.'], '. is a folder; give the files in it'],
  ['an empty file', ['-i', 'empty.pdf'], 'empty.pdf is empty'],
  [
    'a schema that is not there',
    ['-p', 'x', '--schema', 'nothing.json'],
    'The schema nothing.json cannot be read: there is no such file',
  ],
  [
    'a schema that is not JSON',
    ['-p', 'x', '--schema', 'broken.json'],
    'The schema broken.json is not JSON: line 2, column 10',
  ],
  [
    'a schema that is something else',
    ['-p', 'x', '--schema', 'words.json'],
    'The schema words.json is not JSON: line 1, column 1',
  ],
  [
    'a schema that ends too early',
    ['-p', 'x', '--schema', 'early.json'],
    'The schema early.json is not JSON: it is incomplete',
  ],
  ['an empty schema file', ['-p', 'x', '--schema', 'empty.pdf'], 'The schema empty.pdf is not JSON: it is empty'],
  ['a schema that is no object', ['-p', 'x', '--schema', 'list.json'], 'The schema list.json must be a JSON object'],
  ['nothing to do', [], 'Nothing to do'],
  ['a configuration that names nothing to do', ['--config', 'steps.json'], 'Nothing to do'],
  ['an unknown tier', ['-p', 'x', '--tier', 'fast'], "argument 'fast' is invalid"],
  ['pages that are no numbers', ['-p', 'x', '--pages', 'one'], 'It must be page numbers starting at 0'],
  [
    'a share that is too large',
    ['-p', 'x', '--max-wrong-rate', '0.5'],
    'It must be a number from 0.005 to 0.2, or off',
  ],
  ['an unknown option', ['--bogus'], "unknown option '--bogus'"],
  ['an invalid address', ['-p', 'x', '--url', 'localhost:80'], 'The address from --url is "localhost:80"'],
])('%s is refused locally with a message and exit code 2', async (_, args, sentence) => {
  await writeFile(join(folder, 'empty.pdf'), '')
  await writeFile(join(folder, 'broken.json'), '{\n  "type" oops\n}')
  await writeFile(join(folder, 'words.json'), '# A schema')
  await writeFile(join(folder, 'early.json'), '{"type":')
  await writeFile(join(folder, 'list.json'), '[]')
  await writeFile(join(folder, 'steps.json'), '{"max_steps": 5}')
  const ended = await skillrun(['execute', ...args], place)
  expect(ended.code).toBe(2)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toMatch(/^skillrun: [^\n]+\n$/)
  expect(ended.stderr).toContain(sentence)
  expect(server.seen).toEqual([])
})
