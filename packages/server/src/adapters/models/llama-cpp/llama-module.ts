import type { JsonSchema } from '@skillrun/core/json.ts'
import type { ChatTurn, Prompt } from './engine.ts'

/** The parts of node-llama-cpp 3 that are used here; the optional package may be absent at compile time. */
export interface LlamaModule {
  getLlama(options: object): Promise<Llama>
  readonly LlamaChat: new (options: { readonly contextSequence: Sequence }) => Chat
}

interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<{
    readonly trainContextSize: number
    createContext(options: object): Promise<{ getSequence(): Sequence }>
  }>
  createGrammarForJsonSchema(schema: JsonSchema): Promise<object>
}

interface Usage {
  readonly usedInputTokens: number
  readonly usedOutputTokens: number
}

interface Sequence {
  readonly contextTokens: readonly unknown[]
  readonly tokenMeter: { getState(): Usage; diff(before: Usage): Usage }
}

interface Chunk {
  readonly segmentType: string | undefined
  readonly tokens: readonly unknown[]
}

export interface Chat {
  generateResponse(
    history: readonly ChatTurn[],
    options: {
      readonly signal: AbortSignal
      readonly maxTokens: number
      readonly onTextChunk: (text: string) => void
      readonly onResponseChunk: (chunk: Chunk) => void
      readonly temperature: number
      readonly topP?: number
      readonly seed?: number
      readonly customStopTriggers?: readonly string[]
      readonly functions?: Prompt['functions']
      readonly grammar?: object
      readonly contextShift: { readonly strategy: () => never }
    },
  ): Promise<{
    readonly response: string
    readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[]
    readonly metadata: { readonly stopReason: string }
  }>
}

/** A loaded model. */
export interface Loaded {
  readonly llama: Llama
  readonly sequence: Sequence
  readonly chat: Chat
  readonly contextSize: number
}
