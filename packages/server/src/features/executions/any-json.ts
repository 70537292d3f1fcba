import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'

/** Any JSON: the content of an untyped JSON column. */
export const anyJson = z.custom<Json>(() => true)
