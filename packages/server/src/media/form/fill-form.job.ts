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

/** See `fillFormJob`. */
export default async function fillForm({ path, values, flatten }: FillRequest): Promise<FilledForm> {
  const { document, form, fields } = await openForm(path)
  const byName = new Map(fields.map((one) => [one.told.name, one]))
  for (const name of Object.keys(values))
    if (!byName.has(name))
      throw new Fault(
        'invalid',
        'unknown_field',
        `The form has no field ${JSON.stringify(name)}; it has ${listed(fields.map(({ told }) => told.name))}`,
      )
  for (const [name, value] of Object.entries(values)) {
    const one = byName.get(name)
    if (one) set(one.field, one.told, value)
  }
  const font = await document.embedFont(StandardFonts.Helvetica)
  const letters = new Set(font.getCharacterSet())
  const undrawn: string[] = []
  for (const { field, told } of fields) {
    const isFilled = Object.hasOwn(values, told.name)
    if (!isFilled && !(flatten && field.needsAppearancesUpdate())) continue
    if (hasLetters(field, letters)) draw(field, font)
    else {
      forgetDrawing(field)
      undrawn.push(told.name)
    }
  }
  if (undrawn.length > 0) askToBeDrawn(form)
  if (flatten) {
    if (undrawn.length > 0)
      throw new Fault(
        'unsupported',
        'undrawable_text',
        `The letters of ${listed(undrawn)} are in none of the fonts of PDF itself, so they cannot become part of the page; fill without flatten`,
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

function set(field: PDFField, told: FormField, value: FieldValue): void {
  const bad = (what: string): Fault =>
    new Fault('invalid', 'bad_field_value', `The field ${JSON.stringify(told.name)} ${what}`)
  if (told.kind === 'button' || told.kind === 'signature') throw bad(`is a ${told.kind}, which is not filled`)
  if (told.isReadOnly) throw bad('may only be read')
  if (field instanceof PDFTextField) {
    if (typeof value !== 'string') throw bad('takes a text')
    if (told.charactersMax !== undefined && value.length > told.charactersMax)
      throw bad(`takes at most ${told.charactersMax} characters; these are ${value.length}`)
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
  const options = told.options ?? []
  const takesOthers = field instanceof PDFDropdown && field.isEditable()
  if (typeof chosen === 'boolean' || (told.kind === 'choice' && chosen.length > 1))
    throw bad(`takes one of ${listed(options)}`)
  const stray = takesOthers ? undefined : chosen.find((one) => !options.includes(one))
  if (stray !== undefined)
    throw bad(`takes ${told.kind === 'choice' ? 'one' : 'some'} of ${listed(options)}; not ${JSON.stringify(stray)}`)
  if (field instanceof PDFRadioGroup) {
    if (chosen[0] === undefined) field.clear()
    else field.select(chosen[0])
  } else if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
    if (chosen.length === 0) field.clear()
    else field.select([...chosen])
  } else throw unsupported(told.kind)
}

/** Whether the font has all letters of what stands in a field. */
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

/** Takes an old drawing away, which would show what stood in the field before. */
function forgetDrawing(field: PDFField): void {
  for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of('AP'))
}

/** Tells whoever shows the form to draw its fields by themselves (ISO 32000-1, 12.7.2, NeedAppearances). */
function askToBeDrawn(form: PDFForm): void {
  form.acroForm.dict.set(PDFName.of('NeedAppearances'), PDFBool.True)
}
