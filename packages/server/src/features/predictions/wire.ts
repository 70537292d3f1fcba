import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { arrayOf } from '../../adapters/http/schemas.ts'
import { limits } from '../../core/limits.ts'
import { executeRequest, executionRecord } from '../executions/executions.ts'

const { model, metadata, callback_url, id, config: executeConfig } = executeRequest.shape

export const kinds = ['document', 'audio', 'video', 'image'] as const
export type Kind = (typeof kinds)[number]

const config = executeConfig
  .unwrap()
  .unwrap()
  .pick({
    ...{ prompt: true, json_schema: true, response_model: true, skills: true, service_tier: true, confidence: true },
    ...{ grounding: true, page_indices: true, video_segment_duration: true, video_frames_per_segment: true },
    ...{ max_wrong_rate: true, max_cost_dollars: true, review: true },
  })
  .extend({
    detail: z.enum(['auto', 'lo', 'hi', 'low', 'high']).nullish().describe('Has an effect on images'),
    gql_stmt: z
      .string()
      .nullish()
      .refine(
        (text) => !text,
        'GraphQL selections are not supported; give config.json_schema with the fields you want',
      ),
    max_retries: z.int().nullish().describe('Without effect; other values than 3 are reported in warnings'),
    max_tokens: z.int().nullish().describe('Without effect; other values than 65535 are reported in warnings'),
    temperature: z.number().nullish().describe('Without effect; other values than 0 are reported in warnings'),
  })
  .meta({ id: 'GenerationConfig' })

const mediaUrl = z
  .string()
  .min(1)
  .regex(/^(https?:\/\/\S|data:)/i, 'Input should be an http, https or data URL')
  .refine(
    (text) => text.length <= limits.inputUrlCharactersMax || /^data:/i.test(text),
    `An http or https URL must have at most ${limits.inputUrlCharactersMax} characters`,
  )

const shared = {
  id,
  model: model.describe('A model identifier; `vlm-1` means the default of this server'),
  domain: z
    .string()
    .max(255)
    .nullish()
    .describe('A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it'),
  batch: z.boolean().nullish(),
  config: config.nullish(),
  metadata,
  callback_url,
}

const file = {
  file_id: z.string().min(1).max(100).nullish().describe('Id of an uploaded file'),
  url: mediaUrl.nullish().describe('Instead of file_id: an http, https or data URL'),
}
const imageSources = {
  images: arrayOf(mediaUrl, limits.listItemsMax).nullish().describe('http, https or data URLs'),
  image: mediaUrl.nullish().describe('A single image, instead of images'),
}
/** Body of POST /v1/{kind}/execute, in place of model and domain. */
const agent = {
  name: z.string().min(1).max(400).describe('Name of an agent, or `<name>:<version>`'),
  version: z.string().max(100).nullish().describe('Version of the agent. Default: latest'),
}

export const fileRequest = z.object({ ...file, ...shared }).meta({ id: 'FilePredictionRequest' })
export const imageRequest = z.object({ ...imageSources, ...shared }).meta({ id: 'ImagePredictionRequest' })
export const webRequest = z
  .object({
    ...shared,
    url: mediaUrl.refine((url) => !/^data:/i.test(url), 'Input should be an http or https URL'),
    mode: z
      .enum(['fast', 'accurate'])
      .nullish()
      .describe('The page is read as its server sends it (fast), without running its scripts; accurate is refused'),
  })
  .meta({ id: 'WebPredictionRequest' })
const { model: _model, domain: _domain, ...executed } = shared
export const fileExecuteRequest = z.object({ ...file, ...agent, ...executed }).meta({ id: 'FileExecuteRequest' })
export const imageExecuteRequest = z
  .object({ ...imageSources, ...agent, ...executed })
  .meta({ id: 'ImageExecuteRequest' })
export const fileSchemaRequest = z.object(file).meta({ id: 'FileSchemaRequest' })
export const imageSchemaRequest = z.object(imageSources).meta({ id: 'ImageSchemaRequest' })

/** Common fields of the bodies of all routes. */
export type PredictionBody = z.infer<typeof fileRequest> &
  z.infer<typeof imageRequest> & { readonly name?: string; readonly version?: string | null | undefined }

export const predictionRecord = executionRecord
  .extend({
    domain: z.string().nullable(),
    message: z.string().nullable().describe('Why it failed, and other notes; same as usage.message'),
  })
  .meta({ id: 'PredictionResponse' })

/** Query of GET /v1/predictions. */
export const predictionsQuery = z.object({
  skip: queryInteger({ fallback: 0, min: 0, max: 1_000_000_000 }, 'Number of items to skip, newest first'),
  limit: queryInteger({ fallback: 10, min: 1, max: 100 }, 'Maximum number of items to return'),
})
