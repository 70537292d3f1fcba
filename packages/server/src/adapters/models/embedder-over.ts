import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { startDeadline } from '../../core/deadline.ts'
import type { Embedder } from './embedder.ts'
import { faultOf } from './failures.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Most texts of one call, whatever the provider takes: the vectors of more would block the process while they are parsed. */
const textsMax = 96

/** An embedder over an embedding model of the AI SDK. */
export async function embedderOver(settings: ProviderSettings, model: EmbeddingModelV4): Promise<Embedder> {
  return {
    name: `${settings.name}/${settings.model}`,
    textsMax: Math.min(textsMax, (await model.maxEmbeddingsPerCall) ?? textsMax),
    async embed({ texts, dimensions, wallMs }, signal) {
      signal.throwIfAborted()
      using deadline = startDeadline(signal, wallMs)
      try {
        const { embeddings, usage } = await model.doEmbed({
          values: [...texts],
          abortSignal: deadline.signal,
          ...(dimensions === null ? {} : { dimensions }),
        })
        if (embeddings.length !== texts.length) throw new Error('the reply has not one vector for each text')
        return { vectors: embeddings, tokens: usage?.tokens }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw faultOf(error, { settings, timedOut: deadline.isOver, wallMs })
      }
    },
  }
}
