import { readFile } from 'node:fs/promises'
import { PDFiumModule } from '@hyzyla/pdfium'

/** A pointer into the memory of the wasm module. */
export type Pointer = number

/** The functions of PDFium's C interface that this room calls, as the wasm build exports them (fpdfview.h, fpdf_text.h). */
export interface Pdfium {
  /** Whether it was refused memory. It is of no further use then: what it says of a document may lack anything. */
  readonly isOutOfMemory: () => boolean
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): Pointer; free(pointer: Pointer): void }
  _FPDF_InitLibraryWithConfig(config: object): void
  _FPDF_LoadMemDocument(data: Pointer, size: number, password: Pointer): Pointer
  _FPDF_GetLastError(): number
  _FPDF_CloseDocument(document: Pointer): void
  _FPDF_GetPageCount(document: Pointer): number
  _FPDF_LoadPage(document: Pointer, index: number): Pointer
  _FPDF_ClosePage(page: Pointer): void
  _FPDF_GetPageWidth(page: Pointer): number
  _FPDF_GetPageHeight(page: Pointer): number
  _FPDF_PageToDevice(
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: Pointer,
    deviceY: Pointer,
  ): number
  _FPDFDOC_InitFormFillEnvironment(document: Pointer, formInfo: Pointer): Pointer
  _FPDFDOC_ExitFormFillEnvironment(form: Pointer): void
  _FORM_OnAfterLoadPage(page: Pointer, form: Pointer): void
  _FORM_OnBeforeClosePage(page: Pointer, form: Pointer): void
  _FPDFPage_GetAnnotCount(page: Pointer): number
  _FPDFPage_Flatten(page: Pointer, usage: number): number
  _FPDFPage_CountObjects(page: Pointer): number
  _FPDFPage_GetObject(page: Pointer, index: number): Pointer
  _FPDFPageObj_GetType(object: Pointer): number
  _FPDFPageObj_GetBounds(object: Pointer, left: Pointer, bottom: Pointer, right: Pointer, top: Pointer): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, data: Pointer, stride: number): Pointer
  _FPDFBitmap_FillRect(bitmap: Pointer, x: number, y: number, width: number, height: number, color: number): void
  _FPDFBitmap_Destroy(bitmap: Pointer): void
  _FPDF_RenderPageBitmap(
    bitmap: Pointer,
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void
  _FPDFText_LoadPage(page: Pointer): Pointer
  _FPDFText_ClosePage(textPage: Pointer): void
  _FPDFText_CountChars(textPage: Pointer): number
  _FPDFText_GetUnicode(textPage: Pointer, index: number): number
  _FPDFText_IsGenerated(textPage: Pointer, index: number): number
  _FPDFText_HasUnicodeMapError(textPage: Pointer, index: number): number
  _FPDFText_GetFontSize(textPage: Pointer, index: number): number
  _FPDFText_GetMatrix(textPage: Pointer, index: number, matrix: Pointer): number
  _FPDFText_GetCharOrigin(textPage: Pointer, index: number, x: Pointer, y: Pointer): number
  _FPDFText_GetLooseCharBox(textPage: Pointer, index: number, rectangle: Pointer): number
  _FPDFText_GetCharBox(
    textPage: Pointer,
    index: number,
    left: Pointer,
    right: Pointer,
    bottom: Pointer,
    top: Pointer,
  ): number
}

/** Memory that one document may take: the largest file twice, and a page of the largest picture. */
export const heapBytesMax = 1024 * 1024 * 1024

let loading: Promise<Pdfium> | undefined

/** The PDFium module, compiled once per process and kept (about 30 ms the first time). */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= load()
  return loading
}

/** Has the next document open a new module, after one that ran out of memory. */
export function dropPdfium(): void {
  loading = undefined
}

async function load(): Promise<Pdfium> {
  let isOutOfMemory = false
  const binary = await readFile(new URL(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')))
  const options = {
    print: ignore,
    printErr: ignore,
    instantiateWasm: (imports: Imports, done: (instance: unknown) => void) => {
      const { emscripten_resize_heap: resize, ...rest } = imports.env
      const bounded = (bytes: number): number => {
        // A pointer of 32 bits comes signed.
        if (bytes >>> 0 <= heapBytesMax) return resize(bytes)
        isOutOfMemory = true
        return 0
      }
      const env = { ...rest, emscripten_resize_heap: bounded }
      void WebAssembly.instantiate(binary, { ...imports, env }).then(({ instance }) => done(instance))
    },
  }
  // The package's own types name only the part of the C interface that its wrapper uses.
  const pdfium = (await PDFiumModule(options as object)) as unknown as Pdfium
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 })
  return Object.assign(pdfium, { isOutOfMemory: () => isOutOfMemory })
}

/** What the module asks of us, as far as it is changed. */
interface Imports {
  readonly env: { readonly emscripten_resize_heap: (bytes: number) => number }
}

/** WebAssembly as far as it is used here: the language's own types are without it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate(binary: Uint8Array, imports: object): Promise<{ readonly instance: unknown }> }
}

function ignore(): void {}
