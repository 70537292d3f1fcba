import { readFile, stat } from 'node:fs/promises'
import {
  PDFCheckBox,
  PDFDocument,
  PDFDropdown,
  type PDFField,
  type PDFForm,
  PDFOptionList,
  PDFRadioGroup,
  PDFSignature,
  PDFTextField,
} from '@cantoo/pdf-lib'
import { Fault } from '@skillrun/core/fault.ts'
import { damaged, tooLarge } from '@skillrun/reader/media/faults.ts'
import { readLimits } from '@skillrun/reader/media/limits.ts'
import { refuseUnpackingTooMuch } from '@skillrun/reader/media/pdf/unpacked-size.ts'
import { sniff } from '@skillrun/reader/media/sniff.ts'
import { type FieldValue, type FormField, formFieldsMax } from './form.ts'

/** A loaded PDF with a form. */
export interface OpenForm {
  readonly document: PDFDocument
  readonly form: PDFForm
  readonly fields: readonly { readonly field: PDFField; readonly info: FormField }[]
}

/**
 * Opens the form of a PDF. Only for jobs of the process pool. Throws Fault `no_form`, `encrypted_document`,
 * `unreadable_document`, `input_too_costly`.
 */
export async function openForm(path: string): Promise<OpenForm> {
  const { size } = await stat(path)
  if (size > readLimits.fileBytesMax)
    throw tooLarge(`The file has ${size} bytes; the limit for forms is ${readLimits.fileBytesMax} bytes.`)
  const bytes = await readFile(path)
  const { mediaType } = await sniff(bytes)
  if (mediaType !== 'application/pdf') throw noForm(`A file of type ${mediaType} has no form fields; send a PDF form`)
  refuseUnpackingTooMuch(bytes)
  const { document, form, fields } = await load(bytes)
  if (fields.length === 0)
    throw noForm('The PDF has no form fields; use core.write or image.annotate to create a new file')
  if (fields.length > formFieldsMax)
    throw tooLarge(`The form has ${fields.length} fields; the limit is ${formFieldsMax}.`)
  return { document, form, fields: fields.map((field) => ({ field, info: infoOf(field) })) }
}

const noForm = (sentence: string): Fault => new Fault('invalid', 'no_form', sentence)

async function load(bytes: Uint8Array) {
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    const form = document.getForm()
    return { document, form, fields: form.getFields() }
  } catch (error) {
    if (error instanceof Error && /encrypt|password/i.test(error.message))
      throw new Fault('invalid', 'encrypted_document', 'The PDF is password-protected; send it without a password.')
    throw damaged('The PDF is damaged or truncated; send a complete PDF file.')
  }
}

function infoOf(field: PDFField): FormField {
  const common = { name: field.getName(), isReadOnly: field.isReadOnly(), isRequired: field.isRequired() }
  if (field instanceof PDFTextField) {
    const charactersMax = field.getMaxLength()
    return {
      ...common,
      kind: 'text',
      value: textOf(field),
      ...(charactersMax === undefined ? {} : { charactersMax }),
    }
  }
  if (field instanceof PDFCheckBox) return { ...common, kind: 'check', value: field.isChecked() }
  if (field instanceof PDFRadioGroup)
    return { ...common, kind: 'choice', value: field.getSelected() ?? null, options: field.getOptions() }
  if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
    const isSeveral = field.isMultiselect()
    return {
      ...common,
      kind: isSeveral ? 'choices' : 'choice',
      value: selectedOf(field.getSelected(), isSeveral),
      options: field.getOptions(),
    }
  }
  return { ...common, kind: field instanceof PDFSignature ? 'signature' : 'button', value: null }
}

/** Rich text in a field cannot be read as text; the value is then null. */
function textOf(field: PDFTextField): string | null {
  try {
    return field.getText() ?? null
  } catch {
    return null
  }
}

function selectedOf(selected: readonly string[], isSeveral: boolean): FieldValue | null {
  if (selected.length === 0) return null
  return isSeveral ? selected : (selected[0] ?? null)
}
