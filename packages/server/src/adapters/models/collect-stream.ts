import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { OnText } from './model.ts'

type Spoken = { type: 'text' | 'reasoning'; text: string; providerMetadata?: SharedV4ProviderMetadata }

/** A reply under construction; its parts are in the order in which they started. */
interface Collected {
  readonly content: (Spoken | LanguageModelV4Content)[]
  readonly spoken: Map<string, Spoken>
  response: { id?: string; modelId?: string; body?: object }
  finish: { finishReason: LanguageModelV4FinishReason; usage: LanguageModelV4Usage } | undefined
}

/**
 * Reads a stream to its end and returns what a call without streaming returns; passes each text delta to `onText`. Throws
 * the error part of the stream, and an Error when the stream ends before the reply is complete.
 */
export async function collectStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: OnText,
): Promise<Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason' | 'usage' | 'response'>> {
  const collected: Collected = { content: [], spoken: new Map(), response: {}, finish: undefined }
  for await (const part of stream) collect(collected, part, onText)
  const { content, response, finish } = collected
  if (!finish || isBrokenOff(finish.finishReason)) throw new Error('the reply is incomplete')
  return { content: content as LanguageModelV4Content[], ...finish, response }
}

/** The SDK synthesises the finish of a stream that breaks off between two events: it has no reason of the provider. */
const isBrokenOff = ({ unified, raw }: LanguageModelV4FinishReason): boolean =>
  unified === 'interrupted' || unified === 'error' || (unified === 'other' && raw === undefined)

function collect(collected: Collected, part: LanguageModelV4StreamPart, onText: OnText): void {
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
      addSpoken(collected, 'text', part)
      if (part.type === 'text-delta' && part.delta !== '') onText(part.delta)
      return
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      addSpoken(collected, 'reasoning', part)
      return
    case 'tool-call':
      collected.content.push(part)
      return
    case 'response-metadata': {
      const { id, modelId } = part
      collected.response = { ...collected.response, ...(id ? { id } : {}), ...(modelId ? { modelId } : {}) }
      return
    }
    case 'finish':
      collected.finish = { finishReason: part.finishReason, usage: part.usage }
      return
    case 'raw':
      // Metadata of the provider can be in any event; later values win.
      collected.response.body = { ...collected.response.body, ...(part.rawValue as object | undefined) }
      return
    case 'error':
      throw part.error instanceof Error ? part.error : new Error('the provider aborted the reply')
  }
}

function addSpoken(
  { content, spoken }: Collected,
  type: Spoken['type'],
  part: { id: string; delta?: string; providerMetadata?: SharedV4ProviderMetadata },
): void {
  const key = `${type} ${part.id}`
  let found = spoken.get(key)
  if (!found) {
    found = { type, text: '' }
    spoken.set(key, found)
    content.push(found)
  }
  found.text += part.delta ?? ''
  if (part.providerMetadata) found.providerMetadata = { ...found.providerMetadata, ...part.providerMetadata }
}
