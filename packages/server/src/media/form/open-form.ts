import {
  PDFCheckBox,
  type PDFDocument,
  PDFDropdown,
  type PDFField,
  type PDFForm,
  PDFOptionList,
  PDFRadioGroup,
  PDFSignature,
  PDFTextField,
} from '@cantoo/pdf-lib'
import { Fault } from '@skillrun/core/fault.ts'
import { tooLarge } from '@skillrun/reader/media/faults.ts'
import { loadPdf, whileLoading } from '../pdf/load-pdf.ts'
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
  const document = await loadPdf(path, (mediaType) =>
    noForm(`A file of type ${mediaType} has no form fields; send a PDF form`),
  )
  const { form, fields } = await whileLoading(() => ({
    form: document.getForm(),
    fields: document.getForm().getFields(),
  }))
  if (fields.length === 0)
    throw noForm('The PDF has no form fields; use core.write or image.annotate to create a new file')
  if (fields.length > formFieldsMax)
    throw tooLarge(`The form has ${fields.length} fields; the limit is ${formFieldsMax}.`)
  return { document, form, fields: fields.map((field) => ({ field, info: infoOf(field) })) }
}

const noForm = (sentence: string): Fault => new Fault('invalid', 'no_form', sentence)

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
