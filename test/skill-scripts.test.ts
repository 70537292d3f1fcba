import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBubblewrap, unprivilegedUser } from '../packages/server/src/adapters/sandbox/bubblewrap.ts'
import { documentSkills } from './support/document-skills.ts'
import { makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { zipOf } from './support/zips.ts'

const looked = await findBubblewrap({ environment: process.env, hidden: [], as: unprivilegedUser })
const missing = 'missing' in looked ? looked.missing : undefined
const isSkipped = missing !== undefined && process.env['REQUIRE_SANDBOX'] !== '1'

let script: (request: MockRequest) => MockTurn

const model = await opened(startMockModel({ script: (request) => script(request) }))
const service = await opened(
  openTestService({ file: { ...fileOfSmallModel(model.baseUrl), routes: { 'svc-agent-1:auto': 'embedded' } } }),
)

const files = {
  'SKILL.md': '---\nname: checks\ndescription: Checks numbers.\n---\n\nRun scripts/check.py with the number.\n',
  'scripts/check.py':
    'import sys, os\nprint(int(sys.argv[1]) * 2, sorted(os.environ)[0], open("/etc/passwd").read().split(":")[0])\nopen("note.txt", "w").write("checked")\n',
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
  return service.execute({ inputs: { number: { value: 21 } }, config: { prompt: 'Check', skills: [skill] }, ...body })
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
      stdout: '42 HOME nobody\n',
      stderr: '',
      artifacts: [],
      inputs: [],
      files: [{ path: 'note.txt', bytes: 7, text: 'checked' }],
    })
  })

  test('get an email beside its attachments, and an input beside one whose name begins with its own', async () => {
    const part = (name: string) => [
      ...['--edge', 'Content-Type: text/plain', `Content-Disposition: attachment; filename=${name}`, '', `Of ${name}`],
    ]
    const lines = [
      ...[
        'From: a@example.com',
        'Subject: Two',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=edge',
        '',
      ],
      ...[...part('one.txt'), ...part('two.txt'), '--edge--'],
    ]
    const { id } = await service.upload(Buffer.from(lines.join('\r\n')), 'mail.eml')
    const inputs = { mail: { type: 'input_file', file_id: id }, note: 'Check', 'note/more': 'Soon' }
    const record = await execute(calls('scripts/check.py'), { model: 'svc-agent-1:fast', inputs })
    const ofMail = ['inputs/mail/one.txt', 'inputs/mail/two.txt', 'inputs/mail-2.eml']
    const places = [...ofMail, 'inputs/note.txt', 'inputs/note-2/more.txt']
    expect(JSON.parse(JSON.parse(record.response))).toMatchObject({ exit_code: 0, inputs: places })
  })

  test('run when a program calls them', async () => {
    const program = `export default async function run(tools, inputs) {
  const ran = await tools.skills.run_script({ script: 'scripts/check.py', arguments: [String(inputs.number.value)] })
  return Number(ran.stdout.split(' ')[0])
}`
    const record = await execute(() => ({ text: `\`\`\`ts\n${program}\n\`\`\``, usage }), { model: 'svc-agent-2:fast' })
    expect(record).toMatchObject({ status: 'completed', response: 42 })
  })

  /** As public skills for documents are built: SKILL.md leads to a page, and only that page names the scripts. */
  const documents = {
    'SKILL.md':
      '---\nname: forms\ndescription: Fills forms.\n---\n\nTo fill a form, read forms.md and do what it says.\n',
    'forms.md': '# Forms\n\nRun `python scripts/fill_form.py <form> <output>`. Values are in assets/values.json.\n',
    'scripts/fill_form.py': `import json, os, sys
from lib.stamp import stamp
form = open(sys.argv[1], 'rb').read()
values = json.load(open('/skill/assets/values.json'))
out = os.path.join(os.environ['SKILLRUN_OUTPUTS'], os.path.basename(sys.argv[2]))
open(out, 'wb').write(form + stamp(values['name']))
os.makedirs('outputs/log')
open('outputs/log/run.csv', 'w').write('pages,1\\n')
os.symlink('/etc/passwd', 'outputs/passwd')
print(len(form), sorted(os.listdir('inputs')))
`,
    'lib/stamp.py': 'def stamp(name):\n    return ("% filled for " + name).encode()\n',
    'assets/values.json': '{"name": "Ada"}',
    'needs/requirements.txt':
      '# of the script beside it\nno-such-package==1.0\nno_such_other>=2 ; python_version > "3"\n',
    'needs/count.py': 'print(1)',
    'scripts/import.py': 'import no_such_module',
    'README.md': 'Nothing leads here: scripts/secret.py',
    'scripts/secret.py': 'print("secret")',
    'references/more.md': 'See needs/count.py and scripts/import.py',
  }
  const forms = (files: Readonly<Record<string, string>>) => ({
    type: 'inline',
    ...{ name: 'forms', description: 'Fills forms' },
    source: { type: 'base64', media_type: 'application/zip', data: zipOf(files).toString('base64') },
  })
  let form: Uint8Array
  beforeAll(async () => {
    form = await makePdf([['Form 7', 'Name:']])
  })

  async function fill(input: object, more: Readonly<Record<string, string>> = {}) {
    const file = await service.upload(form, 'Form 7 (blank).pdf')
    const turns: typeof script = ({ results }) =>
      results.length === 0
        ? { toolCalls: [{ name: 'skills_run_script', input: { ...input } as never }], usage }
        : { text: results.at(-1) ?? '', usage }
    const record = await execute(turns, {
      model: 'svc-agent-1:fast',
      inputs: { form: { type: 'input_file', file_id: file.id }, note: 'Please fill it' },
      config: { prompt: 'Fill the form', skills: [forms({ ...documents, ...more })] },
    })
    return { record, result: record.response === null ? undefined : JSON.parse(record.response) }
  }

  test('named in a second file read an input and write a file, which can be downloaded as an artifact', async () => {
    const { record, result } = await fill({
      script: 'scripts/fill_form.py',
      arguments: ['inputs/form.pdf', 'outputs/filled.pdf'],
    })
    const told = JSON.parse(result)
    expect(told).toMatchObject({
      exit_code: 0,
      stderr: '',
      files: [],
      left_out: ['an entry that is not a regular file'],
    })
    expect(told.stdout).toBe(`${form.length} ['form', 'form.pdf', 'note', 'note.txt']\n`)
    expect(told.inputs).toEqual(['inputs/form.pdf', 'inputs/note.txt'])
    const { json } = await service.call('GET', `/v1/artifacts/list?execution_id=${record.id}`)
    const [log, filled] = json.items.toSorted((one: { filename: string }, other: { filename: string }) =>
      one.filename < other.filename ? 1 : -1,
    )
    expect(filled).toMatchObject({ filename: 'filled.pdf', content_type: 'application/pdf' })
    expect(log).toMatchObject({ filename: 'log_run.csv', content_type: 'text/csv' })
    expect(told.artifacts).toEqual([
      { id: filled.object_id, path: 'filled.pdf', bytes: filled.bytes },
      { id: log.object_id, path: 'log/run.csv', bytes: 8 },
    ])
    const place = `execution_id=${record.id}&object_id=${filled.object_id}`
    const reply = await fetch(`${service.url}/v1/artifacts?${place}`, {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(bytes.equals(Buffer.concat([form, Buffer.from('% filled for Ada')]))).toBe(true)
  })

  test('work on artifacts of earlier calls, and get only the inputs that are named', async () => {
    const file = await service.upload(form, 'form.pdf')
    const say = (input: object) => ({ toolCalls: [{ name: 'skills_run_script', input: { ...input } as never }], usage })
    const record = await execute(
      ({ results }) => {
        const first = results[0]
        if (first === undefined)
          return say({ script: 'scripts/fill_form.py', arguments: ['inputs/form', 'a.pdf'], inputs: ['form'] })
        const id = /doc_[0-9a-f]{6}/.exec(first)?.[0] ?? ''
        if (results.length === 1)
          return say({ script: 'scripts/fill_form.py', arguments: [`inputs/${id}`, 'b.pdf'], inputs: [id] })
        return { text: results.join('\n'), usage }
      },
      {
        model: 'svc-agent-1:fast',
        inputs: { form: { type: 'input_file', file_id: file.id }, note: 'Please fill it' },
        config: { prompt: 'Fill the form', skills: [forms(documents)] },
      },
    )
    expect(record.response).toContain(`${form.length} ['form', 'form.pdf']`)
    expect(record.response).toMatch(new RegExp(`${form.length + 16} \\['doc_[0-9a-f]{6}', 'doc_[0-9a-f]{6}\\.pdf'\\]`))
  })

  test('are refused when nothing leads to them, or when the declared Python packages are missing', async () => {
    const secret = await fill({ script: 'scripts/secret.py' })
    expect(secret.result).toContain('does not declare the script')
    const more = { 'forms.md': 'See references/more.md' }
    const packages = await fill({ script: 'needs/count.py' }, more)
    expect(packages.result).toContain(
      'needs Python packages that this server does not have: no-such-package==1.0, no_such_other',
    )
    expect(packages.result).toContain('SKILLRUN_PYTHON')
    const module = await fill({ script: 'scripts/import.py' }, more)
    expect(JSON.parse(module.result)).toMatchObject({
      exit_code: 1,
      hint: expect.stringContaining('no module "no_such_module"'),
    })
    const unknown = await fill({ script: 'scripts/fill_form.py', inputs: ['nothing'] })
    expect(unknown.result).toContain('There is no input or artifact named')
  })

  test.skipIf(!existsSync('/usr/bin/soffice'))(
    'convert a file with LibreOffice, whose settings are no files of theirs',
    async () => {
      const convert = `import subprocess, sys
open('table.csv', 'w').write('Total,12.50\\n')
ran = subprocess.run(['soffice', '--headless', '--convert-to', 'pdf', '--outdir', 'outputs', 'table.csv'], capture_output=True, text=True)
print(ran.returncode, file=sys.stderr)
`
      const { result } = await fill(
        { script: 'scripts/convert.py', inputs: [] },
        { 'scripts/convert.py': convert, 'forms.md': 'Run scripts/convert.py' },
      )
      expect(JSON.parse(result)).toMatchObject({
        stderr: '0\n',
        artifacts: [{ path: 'table.pdf' }],
        files: [{ path: 'table.csv' }],
      })
    },
  )

  test('written for the module of another service are refused in words', async () => {
    const source = zipOf({
      'SKILL.md': '---\nname: multi\ndescription: Reads forms.\n---\n\npipeline.py reads the form.\n',
      'pipeline.py': 'import json\nfrom vlmrun import document\nprint(document)\n',
    }).toString('base64')
    const brought = { ...skill, name: 'multi', source: { ...skill.source, data: source } }
    const config = { prompt: 'Read', skills: [brought] }
    const record = await execute(calls('pipeline.py'), { model: 'svc-agent-1:fast', config })
    expect(record.response).toContain('vlmrun module of another service')
  })

  test('do not run unless the skill declares them', async () => {
    const record = await execute(calls('scripts/hidden.sh'), { model: 'svc-agent-1:fast' })
    expect(record.response).toContain('does not declare the script')
    expect(record.response).not.toContain('exit_code')
  })

  test.each(documentSkills.map((one) => [one.extension, one] as const))(
    'of a skill for %s files create, fill and read one',
    async (extension, { files: bundle }) => {
      const source = { ...skill.source, data: zipOf(bundle).toString('base64') }
      const brought = { ...skill, name: extension, description: 'Works on files', source }
      const run = (script: string, inputs: readonly string[], ...given: string[]): MockTurn => ({
        toolCalls: [{ name: 'skills_run_script', input: { script: `scripts/${script}.py`, inputs, arguments: given } }],
        usage,
      })
      const answer: typeof script = ({ results }) => {
        const ran = results.map((one) => JSON.parse(JSON.parse(one)))
        const last = ran.at(-1) ?? {}
        const id = last.artifacts?.[0]?.id ?? ''
        const place = `inputs/${id}`
        switch (results.length) {
          case 0:
            return run('create', [], `outputs/form.${extension}`, 'Recipient: {{name}}')
          case 1:
            return run('fill', [id], place, `outputs/filled.${extension}`, 'name=Ada Lovelace')
          case 2:
            return run('read', [id], place)
          default:
            return { text: JSON.stringify({ ...last, filled: ran[1].artifacts[0].id }), usage }
        }
      }
      const config = { prompt: 'Make a form', skills: [brought] }
      const record = await execute(answer, { model: 'svc-agent-1:fast', inputs: {}, config })
      const { exit_code, stdout, stderr, filled } = JSON.parse(record.response)
      expect([exit_code, stdout, stderr]).toEqual([0, 'Recipient: Ada Lovelace\n', ''])

      // What the script made is a file of its format: the reader of this server finds the value in it.
      const place = `/v1/artifacts?execution_id=${record.id}&object_id=${filled}`
      const made = await fetch(service.url + place, { headers: { Authorization: `Bearer ${service.key}` } })
      const { id } = await service.upload(Buffer.from(await made.arrayBuffer()), `filled.${extension}`)
      const read = await service.call('POST', '/v1/agent/execute', {
        body: {
          batch: false,
          model: 'svc-agent-1:auto',
          inputs: { form: { type: 'input_file', file_id: id } },
          config: { json_schema: { type: 'object', properties: { recipient: { type: ['string', 'null'] } } } },
        },
      })
      expect(read.json.response).toEqual({ recipient: 'Ada Lovelace' })
    },
  )
})

test('XML namespaces in scripts of skills for documents are no use of the network', async () => {
  for (const { extension, files: bundle } of documentSkills) {
    const zip = await service.upload(zipOf(bundle), `${extension}.zip`)
    const body = { file_id: zip.id, name: `made-${extension}`, description: 'Works on files' }
    const { status, json } = await service.call('POST', '/v1/skills/create', { body })
    expect(status, JSON.stringify(json)).toBe(201)
    expect(json.review.map((note: { kind: string }) => note.kind)).not.toContain('network')
    const undeclared = json.review.filter((note: { kind: string }) => note.kind === 'undeclared_script')
    for (const script of ['create', 'fill', 'read'])
      expect(undeclared.map((note: { path: string }) => note.path)).not.toContain(`scripts/${script}.py`)
  }
})
