import { Fault } from '../../kit/fault.ts'
import type { ProviderSettings } from './language-model.ts'
import { ProviderLimited } from './model.ts'

const quotedCharactersMax = 300

/** What the AI SDK throws when a call fails, as far as it is of use here. */
interface CallError {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
  readonly message: string
}

/** The Fault that a failed call is; see `Model`. */
export function faultOf(
  error: unknown,
  call: { settings: ProviderSettings; timedOut: boolean; wallMs: number },
): unknown {
  if (error instanceof Fault) return error
  const { settings } = call
  const who = `The model provider ${settings.name}`
  if (call.timedOut)
    return new Fault('timeout', 'provider_timeout', `${who} did not answer within ${call.wallMs / 1000} seconds`)
  const isCallError = error instanceof Error && error.name === 'AI_APICallError'
  const { statusCode: status, responseHeaders = {}, responseBody = '' } = (isCallError ? error : {}) as CallError
  if (status === 429 && !/insufficient_quota/.test(responseBody))
    return new ProviderLimited(`${who} takes no more requests for now (429)`, afterMsOf(responseHeaders))
  if (status === 401 || status === 403)
    return new Fault(
      'invalid',
      'provider_refused',
      `${who} refused the key (${status}); check the key that this server has for it`,
    )
  if (status !== undefined && status >= 400 && status < 500 && status !== 408)
    return new Fault(
      'invalid',
      'provider_refused',
      `${who} refused the request (${status})${quoted(error as Error, settings)}`,
      { cause: error },
    )
  if (error instanceof Error && error.name === 'AI_UnsupportedFunctionalityError')
    return new Fault(
      'invalid',
      'provider_refused',
      `The model ${settings.name}/${settings.model} does not take this request${quoted(error, settings)}`,
    )
  const what = isCallError ? whatFailed(status) : 'answered with something that is no answer'
  return new Fault('upstream', 'provider_failed', `${who} ${what}`, { cause: error })
}

function whatFailed(status: number | undefined): string {
  if (status === undefined) return 'could not be reached, or broke the connection off'
  return status < 400 ? 'answered with something that is no answer' : `failed (${status})`
}

/** The provider's own words, without the key that it may repeat. */
function quoted(error: Error, { apiKey }: ProviderSettings): string {
  const text = apiKey ? error.message.replaceAll(apiKey, '…') : error.message
  const clean = text.replaceAll(/\b(sk|key|AIza)[-_\w]{8,}/g, '…').replaceAll(/\s+/g, ' ')
  return clean === '' ? '' : `: ${clean.slice(0, quotedCharactersMax)}`
}

/** When to come back (RFC 9110, Retry-After: seconds or a date; `retry-after-ms` in milliseconds). */
function afterMsOf(headers: Readonly<Record<string, string>>): number | null {
  const milliseconds = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && milliseconds >= 0) return milliseconds
  const text = headers['retry-after']
  if (!text) return null
  const seconds = Number(text)
  if (seconds >= 0) return Math.round(seconds * 1000)
  // The answer's own Date is the provider's clock: ours is not asked.
  const wait = Date.parse(text) - Date.parse(headers['date'] ?? '')
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
