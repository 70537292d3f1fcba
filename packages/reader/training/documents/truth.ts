import type { JsonObject } from '@skillrun/core/json.ts'

/** The right answer of a document for its kind's schema. What the document does not print is null. */
export type Truth = JsonObject

/**
 * Other values that are as right as the one in the truth, by the path of the field (`line_items/3/description`): a
 * description with its small second line, an address without its country.
 */
export type Accepts = Readonly<Record<string, readonly string[]>>
