import { z } from 'zod'
import { limits } from '../../core/limits.ts'

const mediaUrl = z
  .string()
  .min(1)
  .refine((text) => /^(https?:\/\/.|data:)/i.test(text), 'Input should be an http or https URL, or a data URL')
  .refine(
    (text) => text.length <= limits.inputUrlCharactersMax || /^data:/i.test(text),
    `An http or https URL must have at most ${limits.inputUrlCharactersMax} characters`,
  )
const urlObject = z.object({ url: mediaUrl })
const imageObject = z.object({ url: mediaUrl, detail: z.enum(['auto', 'low', 'high', 'lo', 'hi']).nullish() })

/** An input item: the closed service's MessageContent. */
export const inputItem = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('image_url'), image_url: imageObject }),
    z.object({ type: z.literal('video_url'), video_url: urlObject }),
    z.object({ type: z.literal('audio_url'), audio_url: urlObject }),
    z.object({ type: z.literal('file_url'), file_url: urlObject }),
    z
      .object({ type: z.literal('input_file'), file_id: z.string().min(1).nullish(), file_url: urlObject.nullish() })
      .refine((item) => item.file_id || item.file_url, 'An input_file needs file_id (or file_url)'),
  ])
  .meta({ id: 'MessageContent' })
export type InputItem = z.infer<typeof inputItem>

/** Types of input items, to tell an item from plain JSON that happens to have a `type`. */
export const inputItemTypes: ReadonlySet<string> = new Set([
  'text',
  'image_url',
  'video_url',
  'audio_url',
  'file_url',
  'input_file',
])
