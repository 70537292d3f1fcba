import { expect, test } from 'vitest'
import { startMockModel } from './support/mock-model.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { lookAgain } from './support/until.ts'

const schema = {
  type: 'object',
  properties: { reference: { type: 'string' }, total: { type: 'number' } },
  required: ['reference', 'total'],
}

const slip = (n: number, more: string[] = []) =>
  ['Weighing slip', `Reference: WS-${7100 + n}`, `Total: ${300 + n}.50`, ...more].join('\n')

/** A program that takes the likeliest value of the reader where it is sure enough of it, and else leaves the field. */
const reader = `\`\`\`ts
export default async function run(tools: Tools, inputs: Inputs) {
  const schema = {
    type: 'object',
    properties: { reference: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } },
    required: ['reference', 'total'],
  }
  const { answer, scores, candidates } = await tools.document.extract({ input: 'slip', schema, max_wrong_rate: 0.05 })
  const [likeliest] = candidates['/total'] ?? []
  const probability = scores['/total'] ?? likeliest?.score ?? 0
  if (probability < 0.9) await tools.io?.decline({ fields: ['/total'] })
  return { reference: answer.reference, total: answer.total ?? likeliest?.value ?? null }
}
\`\`\``

test('a program takes the reader’s likeliest value with its probability, and leaves the field to an agent below its threshold', async () => {
  let writes = reader
  await using model = await startMockModel({
    script: () => ({ text: writes, usage: { inputTokens: 1_000, outputTokens: 100 } }),
  })
  const file = { ...fileOfSmallModel(model.baseUrl), programs: { shadow_share: 0 } }
  await using service = await openTestService({ file })
  const made = { name: 'slips', description: 'Reads slips', prompt: 'Read the slip', json_schema: schema }
  const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
  const execute = async (text: string) => {
    const { json } = await service.call('POST', '/v1/agent/execute', {
      body: {
        ...{ batch: false, model: 'svc-agent-2:fast', inputs: { slip: { type: 'text', text } } },
        config: { execution_mode: 'program', skills: [{ skill_id: skill.id }] },
      },
    })
    return json
  }
  expect(await execute(slip(1))).toMatchObject({ status: 'completed', program: null })
  for (;;) {
    const { json } = await service.call('GET', `/v1/skills/${skill.id}/programs`)
    expect(json[0]?.status, JSON.stringify(json[0]?.gate)).not.toBe('rejected')
    if (json[0]?.status === 'ready') break
    await lookAgain()
  }
  const before = model.requests.length
  expect(await execute(slip(2))).toMatchObject({
    ...{ execution_mode: 'program', response: { reference: 'WS-7102', total: 302.5 } },
  })
  expect(model.requests.length).toBe(before)
  writes = '{"total": 290.25}'
  // Two totals: the reader finds neither of them likely enough.
  const unsure = await execute(slip(3, ['Total: 290.25']))
  expect(unsure, unsure.usage.message).toMatchObject({
    response: { reference: 'WS-7103', total: 290.25 },
    execution_modes: { '/reference': 'program', '/total': 'agent' },
  })
  expect(model.requests.length).toBe(before + 1)
})
