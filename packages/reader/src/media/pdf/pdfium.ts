import { readFile } from 'node:fs/promises'
import { PDFiumModule } from '@hyzyla/pdfium'

/** A pointer into the memory of the wasm instance. */
export type Pointer = number

/** Writes the colour of a character, as four numbers of 32 bits. */
type ReadColour = (
  textPage: Pointer,
  index: number,
  red: Pointer,
  green: Pointer,
  blue: Pointer,
  alpha: Pointer,
) => number

/** The functions of PDFium's C API that are called here, as the wasm build exports them (fpdfview.h, fpdf_text.h). */
export interface Pdfium {
  /** True after a failed allocation. The instance is then unusable: its results may lack anything. */
  readonly isOutOfMemory: () => boolean
  /** True once a page was drawn, until `forget`. */
  readonly hasDrawn: () => boolean
  /**
   * Forgets what earlier documents left behind (0.1 ms); no document may be open. PDFium replaces fonts that a file lacks by two faces that
   * all documents share. Drawing sets the weight and width of a face, and the boxes of characters that are measured later depend on them.
   */
  readonly forget: () => void
  readonly HEAPU8: Uint8Array
  readonly wasmExports: {
    readonly [name: string]: unknown
    malloc(bytes: number): Pointer
    free(pointer: Pointer): void
    /** Calls through a pointer look a function up here; a number stands for each. */
    readonly __indirect_function_table: { set(place: number, entry: unknown): void }
  }
  _FPDF_InitLibrary(): void
  _FPDF_DestroyLibrary(): void
  _FPDF_LoadMemDocument(data: Pointer, size: number, password: Pointer): Pointer
  _FPDF_GetLastError(): number
  _FPDF_GetFormType(document: Pointer): number
  /** Copies pages to the place `at`; `indices` points to numbers of 32 bits. */
  _FPDF_ImportPagesByIndex(to: Pointer, from: Pointer, indices: Pointer, count: number, at: number): number
  _FPDF_CopyViewerPreferences(to: Pointer, from: Pointer): number
  _FPDF_SaveAsCopy(document: Pointer, writer: Pointer, flags: number): number
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
  _FPDFDoc_GetAttachmentCount(document: Pointer): number
  _FPDFDoc_GetAttachment(document: Pointer, index: number): Pointer
  /** UTF-16LE with a closing zero; gives the bytes that it takes, and writes where they fit. */
  _FPDFAttachment_GetName(attachment: Pointer, buffer: Pointer, bytes: number): number
  _FPDFAttachment_GetFile(attachment: Pointer, buffer: Pointer, bytes: number, outBytes: Pointer): number
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
  _FPDFPageObj_GetFillColor(object: Pointer, red: Pointer, green: Pointer, blue: Pointer, alpha: Pointer): number
  _FPDFPageObj_CountMarks(object: Pointer): number
  _FPDFPageObj_GetMark(object: Pointer, index: number): Pointer
  /** UTF-16LE with a closing zero. */
  _FPDFPageObjMark_GetName(mark: Pointer, buffer: Pointer, bytes: number, outBytes: Pointer): number
  /** Six numbers: a, b, c, d, e, f. */
  _FPDFPageObj_GetMatrix(object: Pointer, matrix: Pointer): number
  _FPDFPath_CountSegments(path: Pointer): number
  _FPDFPath_GetPathSegment(path: Pointer, index: number): Pointer
  _FPDFPathSegment_GetPoint(segment: Pointer, x: Pointer, y: Pointer): number
  _FPDFPathSegment_GetType(segment: Pointer): number
  _FPDFPathSegment_GetClose(segment: Pointer): number
  _FPDFPath_GetDrawMode(path: Pointer, fillMode: Pointer, stroke: Pointer): number
  /** An object that is not active is not drawn. */
  _FPDFPageObj_SetIsActive(object: Pointer, isActive: 0 | 1): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, data: Pointer, stride: number): Pointer
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
  _FPDFText_GetTextObject(textPage: Pointer, index: number): Pointer
  _FPDFText_GetFillColor: ReadColour
  _FPDFText_GetStrokeColor: ReadColour
  _FPDFTextObj_GetTextRenderMode(object: Pointer): number
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

/** The maximum memory for one document: twice the largest file, plus a page with the largest image. */
export const heapBytesMax = 1024 * 1024 * 1024

let loading: Promise<Pdfium> | undefined

/** Compiles PDFium once per process (about 30 ms). */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= load()
  return loading
}

/** Discards the instance after it failed; the next document gets a new one. */
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
        // A 32-bit pointer arrives signed.
        if (bytes >>> 0 <= heapBytesMax) return resize(bytes)
        isOutOfMemory = true
        return 0
      }
      const env = { ...rest, emscripten_resize_heap: bounded }
      void WebAssembly.instantiate(binary, { ...imports, env }).then(({ instance }) => done(instance))
    },
  }
  // The package's types declare only the part of the C API that its wrapper uses.
  const pdfium = (await PDFiumModule(options as object)) as unknown as Pdfium
  pdfium._FPDF_InitLibrary()
  // The package wraps each function to check its calls, which takes longer than most of them: a page needs ten for each character.
  const functions = Object.entries(pdfium.wasmExports).flatMap(([name, entry]) =>
    name.startsWith('FPDF') ? [[`_${name}`, entry]] : [],
  )
  Object.assign(pdfium, Object.fromEntries(functions))
  const draw = pdfium._FPDF_RenderPageBitmap
  let hasDrawn = false
  return Object.assign(pdfium, {
    isOutOfMemory: () => isOutOfMemory,
    hasDrawn: () => hasDrawn,
    forget: () => {
      pdfium._FPDF_DestroyLibrary()
      pdfium._FPDF_InitLibrary()
      hasDrawn = false
    },
    _FPDF_RenderPageBitmap: (...request: Parameters<Pdfium['_FPDF_RenderPageBitmap']>) => {
      hasDrawn = true
      draw(...request)
    },
  })
}

/** The wasm imports that are replaced. */
interface Imports {
  readonly env: { readonly emscripten_resize_heap: (bytes: number) => number }
}

/** The WebAssembly API used here, which TypeScript's standard library lacks without DOM. */
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ readonly instance: unknown }>
}

function ignore(): void {}
