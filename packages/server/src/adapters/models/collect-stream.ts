import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Hear } from './model.ts'

type Spoken = { type: 'text' | 'reasoning'; text: string; providerMetadata?: SharedV4ProviderMetadata }

/** An answer as it is put together, its parts in the order in which they began. */
interface Collected {
  readonly content: (Spoken | LanguageModelV4Content)[]
  readonly spoken: Map<string, Spoken>
  response: { id?: string; modelId?: string; body?: object }
  finish: { finishReason: LanguageModelV4FinishReason; usage: LanguageModelV4Usage } | undefined
}

/**
 * Reads the stream of a call to its end and gives what the call would have answered at once; `hear` is told the text as it
 * comes. Throws what the stream brings as its error, and an Error for a stream that ends before the answer does.
 */
export async function collectStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  hear: Hear,
): Promise<Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason' | 'usage' | 'response'>> {
  const collected: Collected = { content: [], spoken: new Map(), response: {}, finish: undefined }
  for await (const part of stream) collect(collected, part, hear)
  const { content, response, finish } = collected
  if (!finish || isBrokenOff(finish.finishReason)) throw new Error('an answer that breaks off')
  return { content: content as LanguageModelV4Content[], ...finish, response }
}

/** Where a stream breaks off between two events, its end is made up: without a reason of the provider's own. */
const isBrokenOff = ({ unified, raw }: LanguageModelV4FinishReason): boolean =>
  unified === 'interrupted' || unified === 'error' || (unified === 'other' && raw === undefined)

function collect(collected: Collected, part: LanguageModelV4StreamPart, hear: Hear): void {
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
      addSpoken(collected, 'text', part)
      if (part.type === 'text-delta' && part.delta !== '') hear(part.delta)
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
      // What the provider says beside the answer, in whichever event: the last word counts.
      collected.response.body = { ...collected.response.body, ...(part.rawValue as object | undefined) }
      return
    case 'error':
      throw part.error instanceof Error ? part.error : new Error('the provider broke its answer off')
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
