import { startDeadline } from '../../../core/deadline.ts'
import { faultOf } from '../failures.ts'
import type { Illustrator } from '../illustrator.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { openAiProvider } from './openai-provider.ts'

/** An image model behind OpenAI's `/images/generations`, which other servers offer too. */
export function openOpenAiIllustrator(settings: ProviderSettings): Illustrator {
  const model = openAiProvider(settings).image(settings.model)
  return {
    name: `${settings.name}/${settings.model}`,
    async draw({ prompt, size, wallMs }, signal) {
      signal.throwIfAborted()
      using deadline = startDeadline(signal, wallMs)
      try {
        const { images } = await model.doGenerate({
          prompt,
          n: 1,
          size,
          aspectRatio: undefined,
          seed: undefined,
          files: undefined,
          mask: undefined,
          providerOptions: {},
          abortSignal: deadline.signal,
        })
        const [image] = images
        if (image === undefined) throw new Error('the reply has no image')
        return typeof image === 'string' ? new Uint8Array(Buffer.from(image, 'base64')) : image
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw faultOf(error, { settings, timedOut: deadline.isOver, wallMs })
      }
    },
  }
}
