import type { Job, JobTerms } from '@skillrun/core/job.ts'

/** The kind of a form field: text, a check box, one or several of its options, a button or a signature. */
export type FormFieldKind = 'text' | 'check' | 'choice' | 'choices' | 'button' | 'signature'

/** A field of a PDF form. Buttons and signatures are listed but cannot be filled. */
export interface FormField {
  /** The full name, with the groups that contain the field: `applicant.address.city`. */
  readonly name: string
  readonly kind: FormFieldKind
  /** The current value; null when empty. */
  readonly value: FieldValue | null
  /** The options of a choice; absent for other kinds. */
  readonly options?: readonly string[]
  /** The form's limit for the length of a text. */
  readonly charactersMax?: number
  readonly isReadOnly: boolean
  readonly isRequired: boolean
}

export type FieldValue = string | boolean | readonly string[]

export interface FillRequest {
  readonly path: string
  /** Values by full field name. */
  readonly values: Readonly<Record<string, FieldValue>>
  /** Whether the values become part of the page, so that they can no longer be edited. */
  readonly flatten: boolean
}

/** A filled form. */
export interface FilledForm {
  readonly bytes: Uint8Array
  /**
   * Fields with characters that the standard fonts of PDF lack. Their values are in the form, and viewers draw them with their
   * own fonts.
   */
  readonly undrawn: readonly string[]
}

/** The most fields of one form: a tax return has about 300. */
export const formFieldsMax = 2_000

/** Lists the fields of a PDF form in the process pool. Throws Fault `no_form` for a document without fields. */
export const listFieldsJob: Job<{ readonly path: string }, readonly FormField[]> = {
  name: 'list-fields',
  files: ['path'],
  module: new URL('./list-fields.job.ts', import.meta.url),
}

/**
 * Fills fields of a PDF form in the process pool. Throws Fault `unknown_field` with the names of the fields, `bad_field_value`
 * with what the field accepts, and the Faults of `listFieldsJob`.
 */
export const fillFormJob: Job<FillRequest, FilledForm> = {
  name: 'fill-form',
  files: ['path'],
  module: new URL('./fill-form.job.ts', import.meta.url),
}

/** Limits of reading and writing one form. */
export const formTerms = (signal: AbortSignal): JobTerms => ({ wallMs: 30_000, memoryMb: 1_024, signal })
