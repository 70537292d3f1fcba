import { Fault } from '@skillrun/core/fault.ts'
import { readDocument } from '@skillrun/reader/media/read-document.ts'
import { madeFolder, madeInvoice, madePdf } from '@skillrun/reader/media/testing/made.ts'
import PDFDocument from 'pdfkit'
import { afterAll, describe, expect, test } from 'vitest'
import { createInlineProcessPool } from '../../adapters/process-pool/inline/inline-process-pool.ts'
import { type FieldValue, fillFormJob, formTerms, listFieldsJob } from './form.ts'

const processPool = createInlineProcessPool()
const made = await madeFolder()
afterAll(async () => {
  await processPool.close()
  await made.close()
})

const terms = formTerms(new AbortController().signal)
/** A form with a field of each kind. */
const form = await madePdf((document) => {
  document.font('Helvetica').fontSize(12).text('Application', 60, 40)
  document.initForm()
  document.formText('name', 60, 80, 300, 20, {})
  document.formText('code', 60, 110, 100, 20, { value: 'A1' })
  document.formText('stamp', 60, 140, 100, 20, { value: 'closed', readOnly: true })
  document.formCheckbox('agreed', 60, 170, 15, 15, {})
  document.formCombo('country', 60, 200, 100, 20, { select: ['', 'France', 'Spain'], value: '' })
  document.formList('colours', 60, 230, 100, 60, { select: ['red', 'green', 'blue'], multiSelect: true })
  document.formPushButton('send', 60, 300, 60, 20, { label: 'Send' })
})
const place = await made.write('form.pdf', form)
const list = (path: string) => processPool.run(listFieldsJob, { path }, terms)
const fill = (values: Record<string, FieldValue>, flatten = false) =>
  processPool.run(fillFormJob, { path: place, values, flatten }, terms)
let written = 0
const keep = (bytes: Uint8Array) => made.write(`filled-${++written}.pdf`, bytes)
const valuesOf = async (bytes: Uint8Array) =>
  Object.fromEntries((await list(await keep(bytes))).map(({ name, value }) => [name, value]))
const textOf = async (bytes: Uint8Array) =>
  (await readDocument({ path: await keep(bytes) })).pages[0]?.words.map(({ text }) => text).join(' ')

describe('the fields of a PDF form', () => {
  test('are listed with their kinds, values and options', async () => {
    const fields = await list(place)
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['name', 'text'],
      ['code', 'text'],
      ['stamp', 'text'],
      ['agreed', 'check'],
      ['country', 'choice'],
      ['colours', 'choices'],
      ['send', 'button'],
    ])
    expect(fields.find(({ name }) => name === 'code')?.value).toBe('A1')
    expect(fields.find(({ name }) => name === 'stamp')?.isReadOnly).toBe(true)
    expect(fields.find(({ name }) => name === 'country')?.options).toEqual(['', 'France', 'Spain'])
  })

  test('are filled, the others kept, and the page shows them', async () => {
    const { bytes, undrawn } = await fill({ name: 'Ada Lovelace', agreed: true, country: 'Spain', colours: ['red'] })
    expect(undrawn).toEqual([])
    expect(await valuesOf(bytes)).toMatchObject({
      name: 'Ada Lovelace',
      code: 'A1',
      agreed: true,
      country: 'Spain',
      colours: ['red'],
    })
    expect(await textOf(bytes)).toMatch(/Ada Lovelace.*A1.*Spain/)
  })

  test('become part of the page when it is flattened', async () => {
    const { bytes } = await fill({ name: 'Ada Lovelace' }, true)
    expect(await textOf(bytes)).toContain('Ada Lovelace')
    await expect(list(await keep(bytes))).rejects.toMatchObject({ code: 'no_form' })
  })

  test('may contain letters outside the PDF fonts, with a note', async () => {
    const { bytes, undrawn } = await fill({ name: '山田太郎', code: 'B2' })
    expect(undrawn).toEqual(['name'])
    expect(await valuesOf(bytes)).toMatchObject({ name: '山田太郎', code: 'B2' })
    await expect(fill({ name: '山田太郎' }, true)).rejects.toMatchObject({ code: 'undrawable_text' })
  })

  test.each<[Record<string, FieldValue>, string, RegExp]>([
    [{ nam: 'x' }, 'unknown_field', /no field "nam".*"name", "code", .*"send"/],
    [{ country: 'Italy' }, 'bad_field_value', /takes one of "", "France", "Spain"; not "Italy"/],
    [{ agreed: 'yes' }, 'bad_field_value', /true or false/],
    [{ name: true }, 'bad_field_value', /takes a text/],
    [{ stamp: 'open' }, 'bad_field_value', /is read-only/],
    [{ send: 'now' }, 'bad_field_value', /button/],
  ])('refuse invalid values: %j', async (values, code, words) => {
    const failure = await fill(values).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Fault)
    expect(failure).toMatchObject({ code, message: expect.stringMatching(words) })
  })

  test('that do not exist, or cannot be read, are reported in a sentence', async () => {
    const encrypted = new PDFDocument({ userPassword: 'secret' })
    const chunks: Buffer[] = []
    encrypted.on('data', (chunk: Buffer) => chunks.push(chunk))
    const ended = new Promise((resolve) => encrypted.on('end', resolve))
    encrypted.end()
    await ended
    const code = async (name: string, bytes: Uint8Array) =>
      list(await made.write(name, bytes)).then(
        () => 'listed',
        (error: Fault) => error.code,
      )
    expect(await code('plain.pdf', await madeInvoice())).toBe('no_form')
    expect(await code('note.txt', Buffer.from('no PDF'))).toBe('no_form')
    expect(await code('locked.pdf', Buffer.concat(chunks))).toBe('encrypted_document')
    expect(await code('cut.pdf', form.subarray(0, 60))).toBe('unreadable_document')
  })
})
