import { z } from 'zod'
import { limits } from '../../core/limits.ts'

/** Where callbacks go. Whether its host may be reached is checked when it is accepted, and again at each call. */
export const callbackUrl = z
  .string()
  .min(1)
  .max(limits.callbackUrlCharactersMax)
  .refine((text) => {
    // Refused already: there is nothing more to say of it.
    if (text.length > limits.callbackUrlCharactersMax) return true
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  }, 'Input should be an http or https URL without user name or password')
