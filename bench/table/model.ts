// The mock model of the table, in a process of its own: one call of a tool, then the answer. Prints its address.
import { startMockModel, toolThenAnswer } from '../mock-model.ts'

const [delayMs = '0'] = process.argv.slice(2)
const call = { name: 'core_calculate', input: { expression: '3 * 48' } }
const { baseUrl } = await startMockModel({ script: toolThenAnswer({ total: 144 }, call), delayMs: Number(delayMs) })
process.stdout.write(`${baseUrl}\n`)
