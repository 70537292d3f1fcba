import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { IgnoredField } from '../../adapters/http/ignored-fields.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { type ExecuteRequest, predictionDomainKey } from '../executions/executions.ts'
import { findDomain, loadDomain } from './hub.ts'
import type { Kind, PredictionBody } from './wire.ts'

/** The domain of a request that names no task. */
const defaults: Readonly<Record<Kind, string>> = {
  document: 'document.markdown',
  audio: 'audio.transcription',
  video: 'video.transcription',
  image: 'image.caption',
}

/** Translates a prediction into a body of POST /v1/agent/execute. ValidationFailures, and Fault `missing` for an unknown domain. */
export async function bodyOfPrediction(body: PredictionBody, kind: Kind): Promise<ExecuteRequest> {
  const { config, name, version } = body
  const {
    detail: _detail,
    gql_stmt: _gql,
    max_retries: _retries,
    max_tokens: _tokens,
    temperature: _heat,
    ...own
  } = config ?? {}
  const wanted = body.domain || null
  const isSaid = Boolean(own.json_schema ?? own.response_model ?? own.prompt) || Boolean(own.skills?.length) || name
  const domain = wanted ?? (isSaid ? null : defaults[kind])
  // A custom schema fits any domain.
  const hub = domain === null ? undefined : await (isSaid ? findDomain(domain) : loadDomain(domain))
  const ownSchema = own.json_schema ?? own.response_model
  const schema = ownSchema ?? (own.skills?.length || name ? undefined : hub?.schema)
  return {
    ...(body.id ? { id: body.id } : {}),
    ...(name ? { name: version && version !== 'latest' ? `${name}:${version}` : name } : {}),
    ...(body.model && body.model !== 'vlm-1' ? { model: body.model } : {}),
    inputs: inputsOfPrediction(body, kind),
    config: {
      ...own,
      response_model: undefined,
      ...(schema === hub?.schema && hub?.prompt && !own.prompt ? { prompt: hub.prompt } : {}),
      ...(schema ? { json_schema: schema as Record<string, unknown> } : {}),
    },
    ...(body.callback_url ? { callback_url: body.callback_url } : {}),
    metadata: withDomain(body.metadata ?? {}, domain),
  }
}

/** The metadata of a request, with the domain under `extra`. */
export function withDomain(metadata: object, domain: string | null): ExecuteRequest['metadata'] {
  const { extra } = metadata as { extra?: JsonObject | null }
  return { ...metadata, extra: { ...extra, [predictionDomainKey]: domain ?? '' } } as ExecuteRequest['metadata']
}

/** The input of a prediction. ValidationFailure unless exactly one is given. */
export function inputsOfPrediction(
  body: Pick<PredictionBody, 'file_id' | 'url' | 'images' | 'image' | 'config'>,
  kind: Kind,
): Record<string, Json> {
  if (kind === 'image') {
    const images = [...(body.images ?? []), ...(body.image ? [body.image] : [])]
    if (images.length === 0) throw invalid(['body', 'images'], 'Give at least one image', { type: 'missing' })
    const detail = body.config?.detail
    return {
      images: images.map((url) => ({ type: 'image_url', image_url: { url, ...(detail ? { detail } : {}) } })),
    }
  }
  if (Boolean(body.file_id) === Boolean(body.url))
    throw invalid(['body', 'file_id'], 'Give exactly one of file_id and url', {
      type: body.file_id ? 'ambiguous' : 'missing',
    })
  if (body.file_id) return { [kind]: { type: 'input_file', file_id: body.file_id } }
  const type = kind === 'document' ? 'file_url' : `${kind}_url`
  return { [kind]: { type, [type]: { url: body.url ?? '' } } }
}

/** Options in the request that have no effect here. */
export function withoutEffect({ config }: Pick<PredictionBody, 'config'>, kind: Kind): readonly IgnoredField[] {
  const { detail, max_retries: retries, max_tokens: tokens, temperature } = config ?? {}
  const changed = [
    ...(kind !== 'image' && detail && detail !== 'auto' ? ['detail'] : []),
    ...((retries ?? 3) === 3 ? [] : ['max_retries']),
    ...((tokens ?? 65535) === 65535 ? [] : ['max_tokens']),
    ...((temperature ?? 0) === 0 ? [] : ['temperature']),
  ]
  return changed.map((name) => ({ path: ['config', name], nearest: undefined }))
}
