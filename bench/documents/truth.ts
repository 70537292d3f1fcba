import type { JsonObject } from '../../src/kit/json.ts'

/** The right answer of a document for its kind's schema. What the document does not print is null. */
export type Truth = JsonObject
