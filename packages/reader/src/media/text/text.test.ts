import { decodeText } from '@skillrun/core/decode-text.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { delimitedTable, parseRows, wordsOfCells, wordsOfTable } from './csv.ts'
import { type GridWord, gridPage } from './grid.ts'
import { wordsOfHtml } from './html.ts'
import { wordsOfJson } from './json.ts'
import { tableOfJsonLines } from './json-lines.ts'
import { wordsOfMarkdown } from './markdown.ts'
import { wordsOfText } from './plain.ts'

/** The words on the grid, one string per row. */
function drawn(words: readonly GridWord[]): string[] {
  const rows: string[] = []
  for (const { text, row, column } of words) {
    while (rows.length <= row) rows.push('')
    rows[row] = (rows[row] ?? '').padEnd(column) + text
  }
  return rows
}

const quotes = (words: readonly GridWord[], source: string): string[] => words.map(({ span }) => source.slice(...span))

describe('plain text', () => {
  test('is placed on the grid as in its lines', () => {
    expect(drawn(wordsOfText('Item    Qty\r\npen\t2\n\n  end'))).toEqual(['Item    Qty', 'pen     2', '', '  end'])
  })

  test('loses the lines of drawn tables but no word', () => {
    expect(wordsOfText('| a-b | c |\n|-----|---|\n===== + - 5 :').map((word) => word.text)).toEqual([
      'a-b',
      'c',
      '+',
      '-',
      '5',
      ':',
    ])
  })

  test('has the source offsets of each word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = wordsOfText(text)
        expect(quotes(words, text)).toEqual(words.map((word) => word.text))
      }),
    )
  })

  test('has all its boxes on the page', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', 'é') }), (text) => {
        for (const { box } of gridPage(wordsOfText(text)).words) {
          const [x, y, w, h] = box
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
          expect(Math.max(x + w, y + h)).toBeLessThanOrEqual(1 + 1e-9)
          expect(Math.min(w, h)).toBeGreaterThan(0)
        }
      }),
    )
  })
})

/** The words of a text as a table with the given delimiter. */
const wordsOfCsv = (source: string, delimiter = ','): GridWord[] =>
  wordsOfTable({ rows: parseRows(source, delimiter) ?? [] })

describe('a delimited table', () => {
  test('has aligned cells', () => {
    const source = 'Name,Qty,"Unit price"\r\n"Smith, John",2,"4,50"\n"say ""hi""",3,\n'
    const words = wordsOfCsv(source)
    expect(drawn(words)).toEqual([
      'Name            Qty     Unit price',
      'Smith, John     2       4,50',
      'say "hi"        3',
    ])
    expect(quotes(words, source).slice(0, 4)).toEqual(['Name', 'Qty', '"Unit', 'price"'])
  })

  test('has the source offsets of each field, also after a byte order mark and between spaces and quotes', () => {
    const source = '\ufeffa;"b ""c"""  ;d e\n1;2;"3"\r\n'
    const fields = (parseRows(source, ';') ?? []).flat().slice(0, 6)
    expect(fields.map(({ raw }) => raw)).toEqual(['a', '"b ""c"""  ', 'd e', '1', '2', '"3"\r'])
    for (const { raw, start } of fields) expect(source.slice(start, start + raw.length)).toBe(raw)
  })

  test('returns every cell that was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '1') })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const source = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n')
        const written = rows.flat().filter((text) => text !== '')
        expect(wordsOfCsv(source, ',').map((word) => word.text)).toEqual(written)
      }),
    )
  })
})

describe('a text that is declared as a table', () => {
  const rows = ['Date;Reference;Amount', '2026-03-01;A1;12,50', '2026-03-02;A2;7,00']
  const delimiterOf = (lines: readonly string[], isDeclared = true): string | undefined =>
    delimitedTable(lines.join('\n'), { isDeclared })?.delimiter

  test.each([
    ['titles above its header', ['Stock of our shop', 'printed on Monday', '', ...rows]],
    ['the line that tells Excel its delimiter', ['sep=;', ...rows]],
    ['fields left out at the end', [...rows, '2026-03-03;A3']],
    ['a remark below', [...rows, 'Prices without tax']],
  ])('may have %s', (_, lines) => {
    expect(delimiterOf(lines)).toBe(';')
    expect(delimiterOf(lines, false)).toBeUndefined()
  })

  test('may have a rare delimiter', () => {
    expect(delimiterOf(rows.map((row) => row.replaceAll(';', '~')))).toBe('~')
    expect(
      delimiterOf(
        rows.map((row) => row.replaceAll(';', '~')),
        false,
      ),
    ).toBeUndefined()
  })

  test.each([
    ['with a few digits', ['Area m2,Q1', '540,3', '7,12']],
    ['of years beside a name', ['Item,2025,2026', 'Rent,540,3', 'Gas,7,12']],
    ['of quarters', ['Q1 2026,Q2 2026', '540,3', '7,12']],
  ])('may have names %s above numbers, which are two numbers and no decimals', (_, lines) => {
    expect(delimiterOf(lines)).toBe(',')
  })

  test('has no names in a row of numbers, or of the same texts twice', () => {
    expect(delimiterOf(['2025,2026', '540,3', '7,12'])).toBeUndefined()
    expect(delimiterOf(['Q1,Q1', '540,3', '7,12'])).toBeUndefined()
  })

  test('is also one that is not declared, where names with digits or years are above numbers and beside a name', () => {
    expect(delimiterOf(['Item,2025,2026', 'Rent,540,3', 'Gas,7,12'], false)).toBe(',')
    expect(delimiterOf(['Berlin 3,50', 'Paris 4,20', 'Rome 5,10'], false)).toBeUndefined()
  })

  test('is none where a delimiter inside a field would move the values of a row to other columns', () => {
    expect(delimiterOf(['Name,Size,Price', 'Bolt, large,M8,7', 'Nut, small,M8,3', 'Pin, steel,M6,2'])).toBeUndefined()
  })
})

describe('JSON', () => {
  test('is laid out as a form: keys, values to the right of them, items below, and arrays of objects as tables', () => {
    const source =
      '{"invoice_no":"A 1","lines":[{"q":1,"t":"a\\nb"},{"q":2,"t":null}],"x":[1,2],"y":{"z":[{"q":7}]},"n":null}'
    const { words } = wordsOfJson(source)
    expect(drawn(words)).toEqual([
      '  invoice_no   A 1',
      '  lines',
      'q     t',
      '1     a b',
      '2',
      '',
      '  x',
      '    1',
      '    2',
      '  y',
      '    z',
      'q',
      '7',
      '',
      '  n   null',
    ])
    expect(words.flatMap(({ text, data }) => (data ? [`${text} ${data.pointer} ${data.type}`] : []))).toEqual([
      ...['A /invoice_no string', '1 /invoice_no string', '1 /lines/0/q number', 'a /lines/0/t string'],
      ...[
        'b /lines/0/t string',
        '2 /lines/1/q number',
        '1 /x/0 number',
        '2 /x/1 number',
        '7 /y/z/0/q number',
        'null /n null',
      ],
    ])
  })

  test('has no table for a single object that is the whole document, and for arrays that hold other values too', () => {
    expect(drawn(wordsOfJson('[{"a":1}]').words)).toEqual(['    a   1'])
    expect(wordsOfJson('{"x":[{"a":1},2]}').hasTable).toBe(false)
    expect(drawn(wordsOfJson('{"x":[{"y":[{"z":1},{"z":2}]},{"y":[]}]}').words)).toEqual([
      '  x',
      'y 1 z     y 2 z',
      '1         2',
    ])
    expect(drawn(wordsOfJson('{"x":[{"a":1},[{"b":2},{"b":3}]]}').words).slice(-3)).toEqual(['b', '2', '3'])
  })

  test('returns every string and number of any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (source) => {
        const expected: string[] = []
        JSON.parse(source, (key, value) => {
          if (key !== '' && !/^\d+$/.test(key) && typeof value !== 'object') expected.push(key)
          if (typeof value === 'string') expected.push(value)
          return value
        })
        const text = wordsOfJson(source).words.map((word) => word.text)
        for (const word of expected.flatMap((value) => value.match(/[^\s\ufeff]+/gu) ?? []))
          expect(text).toContain(word)
      }),
      { numRuns: 300 },
    )
  })
})

describe('JSON Lines', () => {
  test('are rows of a table with a column for each name, whatever their order', () => {
    const source = [
      '{"name":"Bob A","total":5,"place":{"city":"Rome"},"tags":["x","y"],"items":[{"sku":1},{"sku":2}]}',
      '',
      '\t{"total":7.5, "name":"\\u00c5da", "paid":true, "place":null}\r',
    ].join('\n')
    const words = wordsOfCells(tableOfJsonLines(source) ?? [])
    expect(drawn(words)).toEqual([
      'name      total     place city     tags     items 1 sku     items 2 sku     paid     place',
      'Bob A     5         Rome           x y      1               2',
      'Åda       7.5                                                               true',
    ])
    expect(quotes(words, source).slice(0, 3)).toEqual(['name', 'total', 'city'])
    expect(quotes(words, source)).toEqual(
      expect.arrayContaining(['Bob', 'A', '5', 'Rome', 'x', '7.5', '\\u00c5da', 'true']),
    )
  })

  test.each([
    ['lists', '[1, 2]\n[3, 4]'],
    ['objects with too many names', Array.from({ length: 1_001 }, (_, at) => `{"n${at}":1}`).join('\n')],
    ['objects with too many levels', `{"a":1}\n${'{"a":'.repeat(31)}1${'}'.repeat(31)}`],
  ])('of %s are no table', (_what, source) => {
    expect(tableOfJsonLines(source)).toBeUndefined()
  })

  test('have a column for each path', () => {
    const source = '{"a b":1,"a":{"b":2,"1":{"c":3}}}\n{"a":[{"c":4}]}'
    expect(drawn(wordsOfCells(tableOfJsonLines(source) ?? []))).toEqual([
      'a b     a b     a 1 c     a 1 c',
      '1       2       3',
      '                          4',
    ])
  })

  test('have the last member of a name', () => {
    const source = '{"a":"x","b":{"c":1},"a":"y","b":[2,3]}'
    expect(drawn(wordsOfCells(tableOfJsonLines(source) ?? []))).toEqual(['a     b', 'y     2 3'])
  })

  test('have a cell for a long list', () => {
    const [, row] = tableOfJsonLines(`{"a":[${'1,'.repeat(300_000)}1]}\n{}`) ?? []
    expect(row?.map((cell) => cell.length)).toEqual([300_001])
  })
})

describe('Markdown', () => {
  test('has tables with their cells aligned, and all else where it stands', () => {
    const source = [
      '# Orders   all',
      '',
      'Item | Qty | Note',
      '---|:-:|---',
      'Tea \\| mint | 2 |',
      '| Coffee beans | 10 | ground \\',
      '',
      'Total   12',
      '',
      '| A |',
      '|---|',
      '| 1 |',
    ].join('\r\n')
    const words = wordsOfMarkdown(source)
    expect(drawn(words)).toEqual([
      '# Orders   all',
      '',
      'Item             Qty     Note',
      '',
      'Tea | mint       2',
      'Coffee beans     10      ground \\',
      '',
      'Total   12',
      '',
      'A',
      '',
      '1',
    ])
    const places = words.flatMap(({ text, span }) =>
      source.slice(...span) === text ? [] : [`${text} ${source.slice(...span)}`],
    )
    expect(places).toEqual(['| \\|'])
  })

  test('has no table where a row of dashes has other columns than the row above', () => {
    const source = 'a | b | c\n---|---\n1 | 2 | 3'
    expect(wordsOfMarkdown(source)).toEqual(wordsOfText(source))
  })
})

describe('HTML', () => {
  const source = `<!doctype html><html><head><title>x</title><style>p{}</style></head><body>
    <h1>Invoice <b>N</b>o&nbsp;12&amp;3</h1><p style="display:none">ignore all</p><p hidden>and this</p>
    <p>Bill to:<br>ACME &lt;Ltd&gt;</p><form>Name <input value="Ann Lee"><input type=hidden value=zz></form>
    <table><caption>Lines</caption><tr><th>Item<th>Qty<th>Price</tr><tr><td>Blue <i>pen</i><br>metal<td>2<td>4.50</tr>
    <tr><td rowspan=2>Red<td>1<td>2.00</tr><tr><td>3<td>9</tr><tr><td colspan=2>Total<td>6.50</tr></table>
    <pre>a  b\n c</pre><ul><li>one<li>two</ul><script>alert(1)</script></body></html>`

  test('is laid out as displayed: blocks below each other, columns side by side, nothing hidden', () => {
    expect(drawn(wordsOfHtml(source)).filter((row) => row !== '')).toEqual([
      'Invoice No 12&3',
      'Bill to:',
      'ACME <Ltd>',
      'Name Ann Lee',
      'Lines',
      'Item        Qty    Price',
      'Blue pen    2      4.50',
      'metal',
      'Red         1      2.00',
      '            3      9',
      'Total              6.50',
      'a  b',
      ' c',
      'one',
      'two',
    ])
  })

  test('has the source offsets of each word, including tags and entities within it', () => {
    const words = wordsOfHtml(source)
    const quoteOf = (text: string): string => {
      const word = words.find((each) => each.text === text)
      return word === undefined ? '' : source.slice(...word.span)
    }
    expect(quoteOf('pen')).toBe('pen')
    expect(quoteOf('No')).toBe('N</b>o')
    expect(quoteOf('12&3')).toBe('12&amp;3')
    expect(quoteOf('Lee')).toBe('Lee')
    expect(quoteOf('6.50')).toBe('6.50')
  })

  test('loses no text, however broken the markup', () => {
    const part = fc.constantFrom(
      '<table>',
      '<tr>',
      '<td>',
      '</td>',
      '</table>',
      '<div>',
      '</div>',
      '<b>',
      '</p>',
      '<br>',
      ' x ',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(wordsOfHtml(parts.join('')).filter((word) => word.text === 'x')).toHaveLength(
          parts.filter((each) => each === ' x ').length,
        )
      }),
    )
  })

  test('can be nested deeply', () => {
    expect(wordsOfHtml(`${'<div>'.repeat(5_000)}x`).map((word) => word.text)).toEqual(['x'])
    expect(wordsOfHtml(`${'<table><tr><td>'.repeat(1_000)}x`).map((word) => word.text)).toEqual(['x'])
  })
})

describe('bytes of text', () => {
  test('are decoded as UTF-8, as UTF-16 with its byte order mark, else as Windows-1252', () => {
    expect(decodeText(Buffer.from('\ufeffé€'))).toBe('é€')
    expect(decodeText(Buffer.from('\ufeffé€', 'utf16le'))).toBe('é€')
    expect(decodeText(Buffer.from('\ufeffé€', 'utf16le').swap16())).toBe('é€')
    expect(decodeText(Buffer.from([0xe9, 0x80]))).toBe('é€')
  })

  test.each([
    ['an XML declaration', `<?xml version="1.0" encoding='ISO-8859-2'?><n>\xa3\xf3d\xbc</n>`, 'Łódź'],
    ['a meta element', '<html><head><meta charset=windows-1251></head>\xd1\xf7\xb8\xf2', 'Счёт'],
    [
      'an older meta element',
      '<meta http-equiv="Content-Type" content="text/html;charset=Shift_JIS">\x90\xbf\x8b\x81',
      '請求',
    ],
    ['one that browsers take for Windows-1252', '<meta charset="x-user-defined">caf\xe9', 'café'],
    ['one in a comment', '<!-- <meta charset="windows-1251"> -->caf\xe9', 'café'],
    ['one after an empty comment', '<!--><meta charset="windows-1251">\xd1\xf7\xb8\xf2', 'Счёт'],
    ['one that does not exist', '<meta charset="no-such">caf\xe9', 'café'],
    ['one that it is not in', '<meta charset="utf-8">caf\xe9', 'café'],
    ['one of wide characters', '<meta charset="utf-16">caf\xe9', 'café'],
  ])('that are not UTF-8 are decoded as %s says', (_what, latin1, expected) => {
    expect(decodeText(Buffer.from(latin1, 'latin1'))).toContain(expected)
  })

  test.each([
    ['that they fit', 'caf\xe9 \xd1\xf7', 'windows-1251', 'cafй Сч'],
    ['before what a meta element declares', '<meta charset="utf-8">\xd1\xf7\xb8\xf2', 'windows-1251', 'Счёт'],
    ['of wide characters', 'c\0a\0', 'utf-16le', 'ca'],
    ['of wide characters without a zero byte', '\xf7\x8b\x42\x6c', 'utf-16le', '请求'],
    ['of wide characters whose bytes are letters, too', '\x60\x4f\x7d\x59', 'utf-16le', '你好'],
    ['but not wide ones when they are narrow', 'Total: 12.50', 'utf-16', 'Total: 12.50'],
    ['but not wide ones when they are UTF-8', 'caf\xc3\xa9 12', 'utf-16be', 'café 12'],
    ['that is written in ASCII', '\x1b$B@A5a\x1b(B', 'iso-2022-jp', '請求'],
    ['but not when they are UTF-8', 'caf\xc3\xa9', 'iso-8859-1', 'café'],
    ['but not when it does not exist', 'caf\xe9', 'no-such', 'café'],
    ['but not when they are not in it', 'caf\xe9', 'shift_jis', 'café'],
  ])('are decoded in the charset that their sender names: %s', (_what, latin1, charset, expected) => {
    expect(decodeText(Buffer.from(latin1, 'latin1'), charset)).toContain(expected)
  })

  test('are not text when they contain control characters', () => {
    expect(decodeText(Buffer.from('a\0b'))).toBeUndefined()
    expect(decodeText(Buffer.from('a\tb\r\n'))).toBe('a\tb\r\n')
  })
})
