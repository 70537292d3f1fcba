import type { Job, JobTerms } from '@skillrun/core/job.ts'

/** What a field of a PDF form takes: a text, true or false, or one or several of its options. */
export type FormFieldKind = 'text' | 'check' | 'choice' | 'choices' | 'button' | 'signature'

/** A field of a PDF form. Buttons and signatures are named and cannot be filled. */
export interface FormField {
  /** In full, the names of the groups that it stands in before its own: `applicant.address.city`. */
  readonly name: string
  readonly kind: FormFieldKind
  /** What stands in it; null where nothing does. */
  readonly value: FieldValue | null
  /** What a choice may be; absent for others. */
  readonly options?: readonly string[]
  /** Most characters of a text, where the form bounds it. */
  readonly charactersMax?: number
  readonly isReadOnly: boolean
  readonly isRequired: boolean
}

export type FieldValue = string | boolean | readonly string[]

export interface FillRequest {
  readonly path: string
  /** By the full names of the fields. */
  readonly values: Readonly<Record<string, FieldValue>>
  /** Whether what was filled in becomes part of the page, so that it cannot be changed any more. */
  readonly flatten: boolean
}

/** A filled form. */
export interface FilledForm {
  readonly bytes: Uint8Array
  /**
   * Fields whose letters the fonts of PDF itself do not have: their values are in the form, and whoever shows it draws them
   * with a font of its own.
   */
  readonly undrawn: readonly string[]
}

/** Fields of one form: a tax return has some 300. */
export const formFieldsMax = 2_000

/** Lists the fields of a PDF form in the workshop. Throws Fault `no_form` where a document has none. */
export const listFieldsJob: Job<{ readonly path: string }, readonly FormField[]> = {
  name: 'list-fields',
  files: ['path'],
  module: new URL('./list-fields.job.ts', import.meta.url),
}

/**
 * Fills fields of a PDF form in the workshop. Throws Fault `unknown_field` that lists those there are, `bad_field_value` that
 * says what the field takes, and those of `listFieldsJob`.
 */
export const fillFormJob: Job<FillRequest, FilledForm> = {
  name: 'fill-form',
  files: ['path'],
  module: new URL('./fill-form.job.ts', import.meta.url),
}

/** What reading and writing one form may take. */
export const formTerms = (signal: AbortSignal): JobTerms => ({ wallMs: 30_000, memoryMb: 1_024, signal })
