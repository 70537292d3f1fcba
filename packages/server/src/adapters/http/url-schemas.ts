import { z } from 'zod'
import { limits } from '../../core/limits.ts'

/** The URL of callbacks. Whether its host may be contacted is checked on acceptance and again at each call. */
export const callbackUrl = z
  .string()
  .min(1)
  .max(limits.callbackUrlCharactersMax)
  .refine((text) => {
    // Too long: `max` reports it already.
    if (text.length > limits.callbackUrlCharactersMax) return true
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  }, 'Input should be an http or https URL without user name or password')
