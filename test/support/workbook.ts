import { filesOfZip } from './zips.ts'

/** A cell as a workbook holds it: the type `b`, `inlineStr`, `str` (of a formula) or `n`, the text, and the number format. */
export interface ReadCell {
  readonly type: string
  readonly text: string
  readonly format: string
  readonly formula: string | undefined
  readonly isMarked: boolean
}

export interface ReadSheet {
  readonly name: string
  readonly rows: readonly (readonly (ReadCell | undefined)[])[]
}

const unescaped = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Reads a workbook from its XML, as far as tests need it. */
export async function readWorkbook(bytes: Buffer): Promise<readonly ReadSheet[]> {
  const parts = await filesOfZip(bytes)
  const part = (name: string): string => parts.get(name)?.toString() ?? ''
  const styles = part('xl/styles.xml')
  const codes = new Map(
    [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]+)"/g)].map(([, id, code]) => [id, code]),
  )
  const cellXfs = /<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? ''
  const formats = [...cellXfs.matchAll(/<xf numFmtId="(\d+)" [^>]*fillId="(\d+)"/g)].map(([, id, fill]) => ({
    format: unescaped(codes.get(id) ?? id ?? '').replaceAll('\\', ''),
    isMarked: fill !== '0',
  }))
  const names = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => unescaped(name ?? ''))
  return names.map((name, at) => ({
    name,
    rows: [...part(`xl/worksheets/sheet${at + 1}.xml`).matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
      const cells: (ReadCell | undefined)[] = []
      for (const [, attributes = '', inner = ''] of (row ?? '').matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
        const style = formats[Number(/ s="(\d+)"/.exec(attributes)?.[1] ?? 0)]
        cells[indexOf(/r="([A-Z]+)/.exec(attributes)?.[1] ?? '')] = {
          type: / t="(\w+)"/.exec(attributes)?.[1] ?? 'n',
          text: unescaped(/<(?:v|t)[^>]*>(.*?)<\/(?:v|t)>/s.exec(inner)?.[1] ?? ''),
          format: style?.format ?? '',
          formula: /<f>(.*)<\/f>/s.exec(inner)?.[1],
          isMarked: style?.isMarked ?? false,
        }
      }
      return cells
    }),
  }))
}

const indexOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
