/** The timeout of a client call; a stopped server answers nothing. */
const callMs = 20_000

const schema = {
  type: 'object',
  properties: { total: { type: ['number', 'null'] } },
  required: ['total'],
  additionalProperties: false,
}

/** A configuration whose models answer at this address. */
export function configurationOf(baseUrl: string) {
  const facts = { input: 2_000_000, output: 12_000_000, output_tokens_max: 1_000, takes: ['text', 'tools'] }
  return {
    providers: { mock: { kind: 'openai-compatible', base_url: baseUrl, fast: 'mock-1' } },
    models: { 'mock/mock-1': facts },
  }
}

/** One execution: a model turn, a tool call, and a turn with the answer. */
export function bodyOf(id: string, order: number, more: object) {
  const note = { type: 'text', text: `Receipt\nReceipt No: ${id}\nOrder: ${order}\nTotal: EUR 12.50\n` }
  return { id, inputs: { note }, config: { prompt: 'Extract the total of this receipt', json_schema: schema }, ...more }
}

/** True when the server answered 201. */
export async function isAccepted(url: string, body: object): Promise<boolean> {
  try {
    const response = await fetch(`${url}/v1/agent/execute`, {
      method: 'POST',
      headers: { Authorization: 'Bearer the-key-of-the-cluster', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(callMs),
    })
    const text = await response.text()
    if (response.status !== 201 && response.status < 500 && response.status !== 429)
      throw new Error(`execute was answered ${response.status}: ${text}`)
    return response.status === 201
  } catch (error) {
    // fetch throws TypeError for every refused or dropped connection.
    if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return false
    throw error
  }
}
