import type { Message, Model, ModelRequest } from '../model.ts'
import { type Behaviour, type MockProvider, startMockProvider } from './mock-provider.ts'
import type { ScriptedReply, Wire } from './wires.ts'

/** A scripted provider and a model that uses it. */
export interface Stage extends AsyncDisposable {
  readonly provider: Pick<MockProvider, 'requests'>
  readonly model: Model
}

/** An adapter under test: its wire format, and how to open it for a provider at `url`. */
export type Trial = ServedTrial | LocalTrial

/** An engine without a server: no key, no status, no address. */
export interface LocalTrial {
  readonly local: Pick<Wire, 'name' | 'resultsIn' | 'toolsIn' | 'reportsReasoning'>
  stage(behaviours: readonly Behaviour[]): Stage
}

export interface ServedTrial {
  readonly wire: Wire
  /** A reply with reasoning that must go back to the provider, and the part that must go back. */
  readonly thought?: { readonly body: object; readonly kept: string }
  open(url: string): Model
}

/** The key that every adapter under test gets. */
export const trialKey = 'trial-key-0123456789abcdef'

export const total = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
}
export const tools = [
  {
    name: 'document_read',
    description: 'Reads pages',
    input: { type: 'object', properties: { page: { type: 'integer' } } },
  },
  {
    name: 'calculate',
    description: 'Calculates',
    input: { type: 'object', properties: { formula: { type: 'string' } } },
  },
]
export const question: Message = { role: 'user', parts: [{ kind: 'text', text: 'What is the total?' }] }
export const request: ModelRequest = {
  system: 'You read documents.',
  messages: [question],
  tools: [],
  schema: null,
  outputTokensMax: 500,
  wallMs: 5_000,
}

export async function servedStage({ wire, open }: ServedTrial, behaviours: readonly Behaviour[]): Promise<Stage> {
  const provider = await startMockProvider(wire, behaviours)
  return { provider, model: open(provider.url), [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

/** The fixtures of a test. */
export interface At {
  readonly provider: Stage['provider']
  readonly model: Model
  /** The text deltas of all replies so far, when streaming. */
  readonly heard: readonly string[]
  ask(asked?: Partial<ModelRequest>, signal?: AbortSignal): ReturnType<Model['reply']>
}
export type WithProvider = (behaviours: readonly Behaviour[], use: (at: At) => Promise<void>) => Promise<void>
export type WithReply = (saying: ScriptedReply, use: (at: At) => Promise<void>) => Promise<void>
