import { expect, test } from 'vitest'
import { readZip } from '../packages/server/src/features/skills/read-zip.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { zipOf } from './support/zips.ts'

const service = await opened(openTestService())

const files = {
  'SKILL.md':
    '---\nname: referrals\ndescription: Reads referrals.\nmetadata:\n  task: extract\n---\n\nRead the referral.\n',
  'schema.json': '{"type":"object","properties":{"total":{"type":["number","null"]}}}',
  'schemas/form.json': '{"type":"object"}',
  'pipeline.py':
    'import json\nimport vlmrun\n\nschema = json.loads(vlmrun.io.read_file("skills/referrals/schema.json"))\n',
  'vlmrun.yaml': 'apiVersion: vlm.run/v1alpha\nmodel: vlmrun-orion-2:pro\n',
}

test('a bundle with a pipeline.py is kept whole and works by its schema; its program is refused in words', async () => {
  const zip = await service.upload(zipOf(files), 'referrals.zip')
  const made = await service.call('POST', '/v1/skills/create', {
    body: { file_id: zip.id, name: 'referrals', description: 'Reads referrals.' },
  })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const { download_url: url } = (await service.call('GET', `/v1/skills/${made.json.id}/download`)).json
  const { files: kept } = await readZip(Buffer.from(await (await fetch(url)).arrayBuffer()))
  expect(Object.fromEntries([...kept].map(([path, bytes]) => [path, bytes.toString()]))).toEqual(files)

  const execute = (config: object) =>
    service.execute({
      model: 'svc-agent-1:fast',
      inputs: { referral: { type: 'text', text: 'Referral\nTotal: 5.00' } },
      config: { skills: [{ skill_id: 'referrals' }], ...config },
    })
  expect(await execute({})).toMatchObject({ status: 'completed', response: { total: 5 } })
  for (const asked of [{ execution_mode: 'program' }, { mode: 'program' }])
    expect(await execute(asked)).toMatchObject({
      status: 'failed',
      error: { code: 'unsupported_pipeline', message: expect.stringContaining('vlmrun module') },
    })
})
