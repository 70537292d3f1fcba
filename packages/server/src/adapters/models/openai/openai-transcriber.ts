import { startDeadline } from '../../../core/deadline.ts'
import { faultOf } from '../failures.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { Transcriber } from '../transcriber.ts'
import { openAiProvider } from './openai-provider.ts'

/** A transcriber behind OpenAI's `/audio/transcriptions`, which other servers offer too. */
export function openOpenAiTranscriber(settings: ProviderSettings): Transcriber {
  const model = openAiProvider(settings).transcription(settings.model)
  return {
    name: `${settings.name}/${settings.model}`,
    async transcribe({ bytes, mediaType, wallMs }, signal) {
      signal.throwIfAborted()
      using deadline = startDeadline(signal, wallMs)
      try {
        const { text, segments } = await model.doGenerate({
          audio: bytes,
          mediaType,
          abortSignal: deadline.signal,
          providerOptions: { openai: { timestampGranularities: ['segment'] } },
        })
        return {
          text,
          parts: segments.map((one) => ({
            fromSeconds: one.startSecond,
            toSeconds: one.endSecond,
            text: one.text.trim(),
          })),
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw faultOf(error, { settings, timedOut: deadline.isOver, wallMs })
      }
    },
  }
}
