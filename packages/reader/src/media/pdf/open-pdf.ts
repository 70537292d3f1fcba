import { Fault } from '@skillrun/core/fault.ts'
import { damaged, tooLarge } from '../faults.ts'
import { dropPdfium, heapBytesMax, loadPdfium, type Pdfium, type Pointer } from './pdfium.ts'
import { refuseUnpackingTooMuch } from './unpacked-size.ts'

/** A PDF open in PDFium during `withPdf`. */
export interface OpenPdf {
  readonly pdfium: Pdfium
  /** Another one after `loadFlatPage`. */
  readonly document: Pointer
  /** The size of the file. */
  readonly bytes: number
  readonly pageCount: number
  /** The form of the document, created on first use; 0 when there is none. */
  readonly form: () => Pointer
  /** Opens the document anew if a page was drawn; no page may be open. */
  readonly forgetDrawn: () => void
}

const errorPassword = 4
const errorSecurity = 5
/** FPDF_FORMFILLINFO has at most 140 bytes; all its callbacks stay empty. */
const formInfoBytes = 256
const formInfoVersion = 2
/** The trailer is within the last bytes of a PDF; some programs append a little more. */
const trailerWithin = 2048
const flattenedSomething = 1
const displayUse = 0

let last: Promise<void> = Promise.resolve()

/**
 * Opens a PDF, runs `work` and closes it; one after the other, so `work` opens no other. Throws Fault `encrypted_document` when it needs a
 * password, `unreadable_document` when it is damaged, `input_too_costly` when it unpacks to too much, and whatever `work` throws.
 */
export function withPdf<T>(bytes: Uint8Array, work: (pdf: OpenPdf) => T | Promise<T>): Promise<T> {
  const done = last.then(() => openAlone(bytes, work))
  last = done.then(ignore, ignore)
  return done
}

function ignore(): void {}

async function openAlone<T>(bytes: Uint8Array, work: (pdf: OpenPdf) => T | Promise<T>): Promise<T> {
  if (isCutShort(bytes)) throw openingFault(0)
  refuseUnpackingTooMuch(bytes)
  const pdfium = await loadPdfium()
  const outcome = await workOn(pdfium, bytes, work).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const hasFailed = 'error' in outcome && !(outcome.error instanceof Fault)
  if (hasFailed || pdfium.isOutOfMemory()) dropPdfium()
  if (pdfium.isOutOfMemory())
    throw tooLarge(`The PDF needs more than ${heapBytesMax} bytes of memory, which is the limit.`)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

async function workOn<T>(pdfium: Pdfium, bytes: Uint8Array, work: (pdf: OpenPdf) => T | Promise<T>): Promise<T> {
  const data = pdfium.wasmExports.malloc(Math.max(1, bytes.length))
  if (data === 0) throw tooLarge('The PDF is too large for the available memory.')
  pdfium.HEAPU8.set(bytes, data)
  let open = openDocument(pdfium, data, bytes.length)
  try {
    const pageCount = open.document === 0 ? 0 : pdfium._FPDF_GetPageCount(open.document)
    if (pageCount < 1) throw openingFault(pdfium._FPDF_GetLastError())
    return await work({
      pdfium,
      get document() {
        return open.document
      },
      bytes: bytes.length,
      pageCount,
      form: () => open.form(),
      forgetDrawn: () => {
        if (!pdfium.hasDrawn()) return
        open.close()
        open = openDocument(pdfium, data, bytes.length)
      },
    })
  } finally {
    open.close()
    pdfium.wasmExports.free(data)
  }
}

/** Opens a document in a PDFium that remembers no other. */
function openDocument(
  pdfium: Pdfium,
  data: Pointer,
  size: number,
): { readonly document: Pointer; readonly form: () => Pointer; readonly close: () => void } {
  pdfium.forget()
  const document = pdfium._FPDF_LoadMemDocument(data, size, 0)
  const form = createForm(pdfium, document)
  return {
    document,
    form: form.handle,
    close: () => {
      form.close()
      if (document !== 0) pdfium._FPDF_CloseDocument(document)
    },
  }
}

/**
 * Loads a page with form values and annotations flattened into its text and graphics; 0 when the page is damaged. It is what it would be
 * without the pages before it. Close it with `_FPDF_ClosePage`.
 */
export function loadFlatPage(pdf: OpenPdf, index: number): Pointer {
  pdf.forgetDrawn()
  const { pdfium, document, form } = pdf
  const page = pdfium._FPDF_LoadPage(document, index)
  if (page === 0 || pdfium._FPDFPage_GetAnnotCount(page) === 0) return page
  const handle = form()
  if (handle !== 0) pdfium._FORM_OnAfterLoadPage(page, handle)
  const result = pdfium._FPDFPage_Flatten(page, displayUse)
  if (handle !== 0) pdfium._FORM_OnBeforeClosePage(page, handle)
  if (result !== flattenedSomething) return page
  pdfium._FPDF_ClosePage(page)
  return pdfium._FPDF_LoadPage(document, index)
}

/** True when the end of a PDF is missing. PDFium would repair such a file and silently omit pages, which is worse than a refusal. */
function isCutShort(bytes: Uint8Array): boolean {
  let end = bytes.length
  while (
    end > 0 &&
    (bytes[end - 1] === 0 || bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d || bytes[end - 1] === 0x20)
  ) {
    end -= 1
  }
  const tail = Buffer.from(bytes.subarray(Math.max(0, end - trailerWithin), end)).toString('latin1')
  return !tail.includes('startxref') && !tail.includes('%%EOF')
}

function openingFault(error: number): Fault {
  if (error === errorPassword || error === errorSecurity) {
    return new Fault('invalid', 'encrypted_document', 'The PDF is protected by a password; send it without one.')
  }
  return damaged('The PDF is damaged or truncated; send a complete PDF file.')
}

/** The form of a document, created for pages with fields or annotations: PDFium draws field values only with a form. */
function createForm(pdfium: Pdfium, document: Pointer): { handle: () => Pointer; close: () => void } {
  let info: Pointer = 0
  let form: Pointer = 0
  return {
    handle: () => {
      if (info === 0) {
        info = pdfium.wasmExports.malloc(formInfoBytes)
        pdfium.HEAPU8.fill(0, info, info + formInfoBytes)
        pdfium.HEAPU8[info] = formInfoVersion
        form = pdfium._FPDFDOC_InitFormFillEnvironment(document, info)
      }
      return form
    },
    close: () => {
      if (form !== 0) pdfium._FPDFDOC_ExitFormFillEnvironment(form)
      if (info !== 0) pdfium.wasmExports.free(info)
    },
  }
}
