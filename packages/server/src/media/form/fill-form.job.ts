import {
  PDFBool,
  PDFButton,
  PDFCheckBox,
  PDFDropdown,
  type PDFField,
  type PDFFont,
  type PDFForm,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
  StandardFonts,
} from '@cantoo/pdf-lib'
import { Fault } from '@skillrun/core/fault.ts'
import { unsupported } from '@skillrun/reader/media/faults.ts'
import type { FieldValue, FilledForm, FillRequest, FormField } from './form.ts'
import { openForm } from './open-form.ts'

const namedMax = 100

export default async function fillForm({ path, values, flatten }: FillRequest): Promise<FilledForm> {
  const { document, form, fields } = await openForm(path)
  const byName = new Map(fields.map((one) => [one.info.name, one]))
  for (const name of Object.keys(values))
    if (!byName.has(name))
      throw new Fault(
        'invalid',
        'unknown_field',
        `The form has no field ${JSON.stringify(name)}; it has ${listed(fields.map(({ info }) => info.name))}`,
      )
  for (const [name, value] of Object.entries(values)) {
    const one = byName.get(name)
    if (one) set(one.field, one.info, value)
  }
  const font = await document.embedFont(StandardFonts.Helvetica)
  const letters = new Set(font.getCharacterSet())
  const undrawn: string[] = []
  for (const { field, info } of fields) {
    const isFilled = Object.hasOwn(values, info.name)
    if (!isFilled && !(flatten && field.needsAppearancesUpdate())) continue
    if (hasLetters(field, letters)) draw(field, font)
    else {
      removeAppearance(field)
      undrawn.push(info.name)
    }
  }
  if (undrawn.length > 0) requestAppearances(form)
  if (flatten) {
    if (undrawn.length > 0)
      throw new Fault(
        'unsupported',
        'undrawable_text',
        `The characters of ${listed(undrawn)} are missing in the standard fonts of PDF, so the fields cannot be flattened; fill without flatten`,
      )
    form.flatten({ updateFieldAppearances: false })
  }
  return { bytes: await document.save({ updateFieldAppearances: false }), undrawn }
}

const listed = (names: readonly string[]): string => {
  const more = names.length - namedMax
  const shown = names.slice(0, namedMax).map((name) => JSON.stringify(name))
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function set(field: PDFField, info: FormField, value: FieldValue): void {
  const bad = (what: string): Fault =>
    new Fault('invalid', 'bad_field_value', `The field ${JSON.stringify(info.name)} ${what}`)
  if (info.kind === 'button' || info.kind === 'signature') throw bad(`is a ${info.kind}, which cannot be filled`)
  if (info.isReadOnly) throw bad('is read-only')
  if (field instanceof PDFTextField) {
    if (typeof value !== 'string') throw bad('takes a text')
    if (info.charactersMax !== undefined && value.length > info.charactersMax)
      throw bad(`takes at most ${info.charactersMax} characters; these are ${value.length}`)
    field.setText(value)
    return
  }
  if (field instanceof PDFCheckBox) {
    if (typeof value !== 'boolean') throw bad('takes true or false')
    if (value) field.check()
    else field.uncheck()
    return
  }
  const chosen = typeof value === 'string' ? [value] : value
  const options = info.options ?? []
  const takesOthers = field instanceof PDFDropdown && field.isEditable()
  if (typeof chosen === 'boolean' || (info.kind === 'choice' && chosen.length > 1))
    throw bad(`takes one of ${listed(options)}`)
  const stray = takesOthers ? undefined : chosen.find((one) => !options.includes(one))
  if (stray !== undefined)
    throw bad(`takes ${info.kind === 'choice' ? 'one' : 'some'} of ${listed(options)}; not ${JSON.stringify(stray)}`)
  if (field instanceof PDFRadioGroup) {
    if (chosen[0] === undefined) field.clear()
    else field.select(chosen[0])
  } else if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
    if (chosen.length === 0) field.clear()
    else field.select([...chosen])
  } else throw unsupported(info.kind)
}

/** Whether the font has all characters of a field's value. */
function hasLetters(field: PDFField, letters: ReadonlySet<number>): boolean {
  const shown = field instanceof PDFTextField ? [field.getText() ?? ''] : []
  if (field instanceof PDFDropdown || field instanceof PDFOptionList) shown.push(...field.getSelected())
  return shown.every((text) =>
    Array.from(text).every((letter) => /\s/.test(letter) || letters.has(letter.codePointAt(0) ?? 0)),
  )
}

function draw(field: PDFField, font: PDFFont): void {
  if (field instanceof PDFCheckBox || field instanceof PDFRadioGroup) field.defaultUpdateAppearances()
  else if (
    field instanceof PDFTextField ||
    field instanceof PDFDropdown ||
    field instanceof PDFOptionList ||
    field instanceof PDFButton
  )
    field.defaultUpdateAppearances(font)
}

/** Removes the old appearance, which would show the previous value. */
function removeAppearance(field: PDFField): void {
  for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of('AP'))
}

/** Asks viewers to draw the fields themselves (ISO 32000-1, 12.7.2, NeedAppearances). */
function requestAppearances(form: PDFForm): void {
  form.acroForm.dict.set(PDFName.of('NeedAppearances'), PDFBool.True)
}
