import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'

/** JSON of any form: whatever a column of JSON holds. */
export const anyJson = z.custom<Json>(() => true)
