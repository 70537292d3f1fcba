// The mock model of the table, in a process of its own: one call of a tool, then the answer. Prints its address.
// The answer is right only for who offered that tool, asked for JSON, and told what the tool gave: see load.ts.
import { startMockModel } from '../mock-model.ts'

const [delayMs = '0'] = process.argv.slice(2)
const call = { name: 'core_calculate', input: { formulas: ['3 * 48'] } }
/** Ours goes with every choice of tools. */
const recall = 'core_recall'
const usage = { inputTokens: 500, outputTokens: 50 }
const { baseUrl } = await startMockModel({
  script: ({ tools, results, body }) => {
    const format = body['response_format'] as { type?: string } | undefined
    const isAsked = tools.filter((name) => name !== recall).join() === call.name && format?.type === 'json_schema'
    if (isAsked && results.length === 0) return { toolCalls: [call], usage }
    return { text: JSON.stringify({ total: isAsked && results[0]?.includes('144') ? 144 : 0 }), usage }
  },
  delayMs: Number(delayMs),
})
process.stdout.write(`${baseUrl}\n`)
