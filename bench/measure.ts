/** The middle of the numbers; of an even count the upper of the two. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** CPU milliseconds of this thread so far. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What the servers that are compared with others are asked: one tool call, then an answer. */
export const toolCallRequest = (tool: string) => ({
  batch: false,
  config: {
    prompt: 'What do 3 boxes at 48.00 cost?',
    json_schema: {
      type: 'object',
      properties: { total: { type: 'number' } },
      required: ['total'],
      additionalProperties: false,
    },
    tool_names: [tool],
  },
})

/** A configuration file with one model that answers at this address, and no limit of requests. */
export const configurationOf = (baseUrl: string, { model = {}, limits = {} } = {}) => ({
  providers: { mock: { kind: 'openai-compatible', base_url: baseUrl, fast: 'mock-1' } },
  models: { 'mock/mock-1': { input: 0, output: 0, takes: ['text', 'tools'], ...model } },
  limits: { requests_per_minute: 10_000_000, ...limits },
})
