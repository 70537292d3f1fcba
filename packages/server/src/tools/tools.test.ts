import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@skillrun/core/clock.ts'
import type { Json } from '@skillrun/core/json.ts'
import { packDocument } from '@skillrun/reader/media/packed-document.ts'
import { readDocument } from '@skillrun/reader/media/read-document.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from '../../../../test/support/documents.ts'
import { createInlineProcessPool } from '../adapters/process-pool/inline/inline-process-pool.ts'
import { callTool, specOf, type Tool, type ToolContext, wireName } from '../agent/tool.ts'
import { toolReference } from './reference.ts'
import { programTools, skillTools, tools } from './tools.ts'

const processPool = createInlineProcessPool()
const folder = await mkdtemp(join(tmpdir(), 'skillrun-tools-'))
afterAll(async () => {
  await processPool.close()
  await rm(folder, { recursive: true, force: true })
})

const second = ['Delivery note', 'Parcel ABC-77 left Zürich on 2026-03-10', 'Signed: M. Keller']
const { packed, pageCount } = packDocument(await readDocument({ path: await pdfFile([invoiceLines, second]) }))
const clock = { ...systemClock, now: () => new Date('2026-11-21T23:30:00Z') }
const context: ToolContext = {
  documents: [{ input: 'invoice', packed, pageCount }],
  processPool,
  clock,
  skills: [],
  recall: (handle) => (handle === 'result:1' ? { text: 'x'.repeat(30_000) } : undefined),
}

async function pdfFile(pages: readonly (readonly string[])[]): Promise<string> {
  const path = join(folder, 'file.pdf')
  await writeFile(path, await makePdf(pages))
  return path
}

const call = async (name: string, input: Json, own: Partial<ToolContext> = {}) => {
  const bugs: unknown[] = []
  const using = { tools, context: { ...context, ...own }, onBug: (error: unknown) => bugs.push(error) }
  const result = await callTool(using, { id: '1', name, input }, new AbortController().signal)
  expect(bugs).toEqual([])
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a tool answers.
  return result as { failed: boolean; output: any }
}

describe('document.read', () => {
  test('returns the lines of pages with their positions', async () => {
    const { output, failed } = await call('document_read', { pages: [1] })
    expect(failed).toBe(false)
    expect(output.pageCount).toBe(2)
    expect(output.pages[0].lines.map((line: { text: string }) => line.text)).toEqual(invoiceLines)
    const [x, y, w, h] = output.pages[0].lines[0].box
    expect(x).toBeGreaterThan(50)
    expect(y).toBeGreaterThan(50)
    expect(w).toBeGreaterThan(100)
    expect(h).toBeGreaterThan(5)
  })

  test('returns a long page in parts', async () => {
    const long = packDocument(await readDocument({ text: 'A line of some words that goes on.\n'.repeat(2_000) }))
    const documents = [{ input: 'long', packed: long.packed, pageCount: 1 }]
    let from = 1
    let count = 0
    for (let calls = 0; calls < 10; calls += 1) {
      const { output } = await call('document_read', { pages: [1], from_line: from }, { documents })
      count += output.pages[0].lines.length
      if (output.pages[0].goesOnAt === undefined) break
      expect(output.pages[0].goesOnAt).toBe(count + 1)
      from = output.pages[0].goesOnAt
    }
    expect(count).toBe(2_000)
  })

  test('names the existing pages', async () => {
    const { output, failed } = await call('document_read', { pages: [3] })
    expect(failed).toBe(true)
    expect(output.error).toContain('the pages read are 1, 2')
  })

  test('names the existing documents', async () => {
    expect((await call('document_read', { input: 'letter', pages: [1] })).output.error).toContain(
      'the documents are: invoice',
    )
    const two = [...context.documents, { input: 'other', packed, pageCount }]
    expect((await call('document_read', { pages: [1] }, { documents: two })).output.error).toContain('invoice, other')
    expect((await call('document_read', { pages: [1] }, { documents: [] })).output.error).toContain('no documents')
  })
})

describe('document.search', () => {
  test('finds words in any case and with or without accents, with page and neighbours', async () => {
    expect((await call('document_search', { query: 'left zurich' })).output).toEqual({
      count: 1,
      hits: [{ page: 2, line: second[1], before: second[0], after: second[2] }],
    })
    expect((await call('document_search', { query: 'nowhere' })).output).toEqual({ count: 0, hits: [] })
  })
})

describe('document.tables', () => {
  test('returns rows under their columns', async () => {
    const csv = 'Description,Quantity,Unit price,Amount\nPaper,2,10.00,20.00\nInk,1,35.50,35.50\n'
    const table = packDocument(await readDocument({ text: csv }))
    const documents = [{ input: 'list', packed: table.packed, pageCount: 1 }]
    const { output } = await call('document_tables', {}, { documents })
    expect(output.tables).toHaveLength(1)
    expect(output.tables[0].rows).toEqual([
      ['Paper', '2', '10.00', '20.00'],
      ['Ink', '1', '35.50', '35.50'],
    ])
  })
})

describe('document.extract', () => {
  test('fills a schema by rules with the evidence status of each value', async () => {
    const { output } = await call('document_extract', { schema: invoiceSchema })
    expect(output.answer).toEqual({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 })
    expect(output.holds['/invoice_number']).toBe('verified')
  })

  test('gives calibrated scores, and candidates for what is not sure enough, when it is held to a share of wrong values', async () => {
    const { output } = await call('document_extract', { schema: invoiceSchema, max_wrong_rate: 0.1 })
    expect(output.answer).toMatchObject({ invoice_number: 'INV-2041', total: 144 })
    expect(output.scores['/total']).toBeGreaterThan(0.5)
    expect(output.scores['/total']).toBeLessThan(1)
    // The score reads it: the rules' own confidence in a printed value is 1.
    const strict = (await call('document_extract', { schema: invoiceSchema, max_wrong_rate: 0.005 })).output
    expect(Object.keys(strict.candidates).length).toBeGreaterThan(0)
    for (const [pointer, all] of Object.entries<{ value: unknown; score: number; box: number[] | null }[]>(
      strict.candidates,
    )) {
      expect(strict.answer[pointer.slice(1)]).toBeNull()
      expect(strict.scores[pointer]).toBeUndefined()
      expect(all[0]).toMatchObject({ score: expect.any(Number), quote: expect.any(String) })
    }
    const { output: refused, failed } = await call('document_extract', { schema: invoiceSchema, max_wrong_rate: 0.5 })
    expect(failed).toBe(true)
    expect(refused.error).toContain('max_wrong_rate')
  })

  test('refuses an invalid schema', async () => {
    const { output, failed } = await call('document_extract', {
      schema: { type: 'object', properties: { a: { type: 'x' } } },
    })
    expect(failed).toBe(true)
    expect(output.error).toContain('schema')
  })
})

describe('core.calculate', () => {
  test('answers every formula, or says which ones are invalid', async () => {
    expect((await call('core_calculate', { formulas: ['0.1 + 0.2', '120 * 20%'] })).output).toEqual({
      values: ['0.3', '24'],
    })
    expect((await call('core_calculate', { formulas: ['1/0'] })).output.error).toContain('divides by zero')
  })
})

describe('core.date', () => {
  test.each([
    [{ operation: 'today' }, { date: '2026-11-21', weekday: 'Saturday' }],
    [
      { operation: 'add', date: '2026-01-31', months: 1 },
      { date: '2026-02-28', weekday: 'Saturday' },
    ],
    [
      { operation: 'add', date: '2024-02-29', years: 1, days: -1 },
      { date: '2025-02-27', weekday: 'Thursday' },
    ],
    [
      { operation: 'between', date: '2026-03-14', to: '2026-04-13' },
      { days: 30, from: 'Saturday', to: 'Monday' },
    ],
  ])('%o is %o', async (input, expected) => {
    expect((await call('core_date', input)).output).toEqual(expected)
  })

  test.each([
    [{ operation: 'add', date: '2026-02-30' }, 'date is 2026-02-30, which is not a date'],
    [{ operation: 'add' }, 'date is required'],
    [{ operation: 'add', date: '9999-12-31', days: 1 }, 'years 1 to 9999'],
    [{ operation: 'between', date: 'yesterday', to: '2026-01-01' }, 'YYYY-MM-DD'],
  ])('%o is refused', async (input, words) => {
    expect((await call('core_date', input)).output.error).toContain(words)
  })
})

describe('core.recall', () => {
  test('returns a result again in parts', async () => {
    const { output } = await call('core_recall', { handle: 'result:1' })
    expect(output).toMatchObject({ from: 0, more: true, characters: 30_011 })
    const rest = await call('core_recall', { handle: 'result:1', from: output.text.length })
    expect(JSON.parse(output.text + rest.output.text).text).toHaveLength(30_000)
    expect(rest.output.more).toBe(false)
    expect((await call('core_recall', { handle: 'result:9' })).output.error).toContain('result:9')
  })
})

describe('any tool', () => {
  test('is described to a model as an object of named inputs under a name that providers accept', () => {
    for (const one of tools) {
      const spec = specOf(one)
      expect(spec.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(spec.input['type']).toBe('object')
    }
    expect(new Set(tools.map(wireName)).size).toBe(tools.length)
  })

  test('names other tools in its description as the model calls them', () => {
    const names = new Set([...tools, ...programTools, ...skillTools].map(wireName))
    for (const one of tools) {
      const { description } = specOf(one)
      expect(description).not.toMatch(/`[a-z]+\.[a-z_]+`/)
      for (const [, name] of description.matchAll(/`([a-z]+_[a-z_]+)`/g))
        if (/^(?:core|document|image|video|audio|viz|web|skills)_/.test(name ?? '')) expect(names).toContain(name)
    }
    const read = tools.find(({ name }) => name === 'core.read')
    expect(read && specOf(read).description).toContain('`core_write`')
  })

  test('that is unknown, called wrongly, failing or hanging returns a failed result with a message', async () => {
    expect((await call('rm', {})).output.error).toContain('the tools are: core_calculate')
    expect((await call('core_calculate', 'not json')).output.error).toContain('is invalid')
    const throwing: Tool = { ...tools[0], name: 'x.throws', run: () => Promise.reject(new Error('secret')) } as Tool
    const bugs: unknown[] = []
    const using = { tools: [throwing], context, onBug: (error: unknown) => bugs.push(error) }
    const result = await callTool(
      using,
      { id: '1', name: 'x_throws', input: { formulas: ['1'] } },
      new AbortController().signal,
    )
    expect(JSON.stringify(result)).not.toContain('secret')
    expect(result.failed).toBe(true)
    expect(bugs).toHaveLength(1)
  })

  test('stops when its run does, even when it never ends', async () => {
    const hanging: Tool = { ...tools[0], name: 'x.hangs', run: () => new Promise(() => {}) } as Tool
    const stopped = new AbortController()
    const using = { tools: [hanging], context, onBug: () => {} }
    const running = callTool(using, { id: '1', name: 'x_hangs', input: { formulas: ['1'] } }, stopped.signal)
    const reason = new Error('over')
    stopped.abort(reason)
    await expect(running).rejects.toBe(reason)
  })

  test('with an endless answer is cut off, and says so', async () => {
    const long: Tool = { ...tools[0], name: 'x.long', run: async () => 'y'.repeat(50_000_000) } as Tool
    const using = { tools: [long], context, onBug: () => {} }
    const { output } = await callTool(
      using,
      { id: '1', name: 'x_long', input: { formulas: ['1'] } },
      new AbortController().signal,
    )
    expect(JSON.stringify(output).length).toBeLessThan(61_000)
    expect(JSON.stringify(output)).toContain('50000002 characters')
  })

  test('is listed in the reference', async () => {
    const written = await readFile(new URL('../../../../docs/TOOLS.md', import.meta.url), 'utf8')
    expect(written, 'run: node scripts/tools.ts').toBe(toolReference([...tools, ...programTools, ...skillTools]))
  })
})
