// The mock model of the table, in its own process: one tool call, then the answer. Prints its address. The answer is
// right only for systems that offered the tool, asked for JSON, and sent the tool's result: see load.ts.
import { startMockModel } from '../../test/support/mock-model.ts'

const [delayMs = '0'] = process.argv.slice(2)
const call = { name: 'core_calculate', input: { formulas: ['3 * 48'] } }
/** Our server offers this tool with every selection. */
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
