import { z } from 'zod'
import { queryBoolean, queryInteger } from '../../adapters/http/query.ts'
import { purposes } from './purposes.ts'
import type { FileRecord } from './store.ts'

/** The wire format of an uploaded file. */
export const fileSchema = z
  .object({
    id: z.string(),
    filename: z.string(),
    bytes: z.number().int().min(0),
    purpose: z.enum(purposes),
    created_at: z.string().meta({ format: 'date-time' }),
    object: z.literal('file'),
    public_url: z.string().nullable().meta({ description: 'Signed URL that works without a key until it expires' }),
    sha256: z.string().meta({ description: 'Hash of the content, in hexadecimal' }),
    content_type: z.string(),
  })
  .meta({ id: 'File' })

export type WireFile = z.infer<typeof fileSchema>

/** The path of every route on one file. Accepts any text: a malformed id is unknown, not invalid. */
export const fileParams = z.object({ id: z.string() })
export const hashParams = z.object({ md5: z.string() })

const generatePublicUrl = queryBoolean(true, 'Whether the reply includes a signed public_url')

export const uploadQuery = z.object({
  purpose: z.enum(purposes).default('assistants'),
  generate_public_url: generatePublicUrl,
})
export const fileQuery = z.object({ generate_public_url: generatePublicUrl })
export const listQuery = z.object({
  skip: queryInteger({ min: 0, max: 1_000_000_000, fallback: 0 }, 'Number of files to skip, newest first'),
  limit: queryInteger({ min: 1, max: 1000, fallback: 10 }, 'Maximum number of files to return'),
  generate_public_url: generatePublicUrl,
})
/** How long a client may be silent during an upload. */
export const uploadIdleMsDefault = 60_000

const presignSecondsMax = 7 * 24 * 60 * 60

/** Including the folders before it, which are dropped. */
const pathCharactersMax = 4_096

/** Request for an upload URL. */
export const presignBody = z
  .object({
    filename: z.string().min(1).max(pathCharactersMax),
    purpose: z
      .enum(purposes)
      .nullish()
      .transform((value) => value ?? 'assistants'),
    expiration: z
      .int()
      .min(1)
      .max(presignSecondsMax)
      .nullish()
      .transform((value) => value ?? 24 * 60 * 60),
  })
  .meta({ id: 'PresignRequest' })

/** The address to send the file to. */
export const presignedSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    filename: z.string(),
    content_type: z.string(),
    upload_method: z.literal('PUT'),
    public_url: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
    expiration: z.number().int().meta({ description: 'Lifetime of the URL in seconds' }),
  })
  .meta({ id: 'PresignedUpload' })

/** Query of a signed URL. A missing or wrong part makes the file unknown, not the request invalid. */
export const signedQuery = z.object({
  workspace: z.string().default(''),
  expires: z.string().default(''),
  signature: z.string().default(''),
})

/** The wire format of a file. */
export function wireFile(file: FileRecord, publicUrl: string | undefined): WireFile {
  return {
    id: file.id,
    filename: file.filename,
    bytes: file.bytes,
    purpose: file.purpose,
    created_at: file.createdAt.toISOString(),
    object: 'file',
    public_url: publicUrl ?? null,
    sha256: file.sha256.toString('hex'),
    content_type: file.contentType,
  }
}
