import { expect, test } from 'vitest'
import { readInputsOf, sourcesOf } from './sources.ts'

test('every slot becomes a source with the name that evidence uses', () => {
  const sources = sourcesOf({
    invoice: { type: 'input_file', file_id: 'f1' },
    pages: [
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'text', text: 'b' },
    ],
    own: { type: 'file_url', file_url: { url: 'http://localhost:8080/v1/public/files/f2?signature=s' } },
    picture: 'data:image/png;base64,AAAA',
    spaced: { type: 'file_url', file_url: { url: 'https://example.com/a bill.pdf' } },
    typed: 'data:text/plain ; base64,AAAA',
    note: 'Total: 5.00',
    link: 'https://example.com/a bill.pdf is late',
    limits: { max: 3 },
  })
  expect(sources).toEqual([
    { name: 'invoice', kind: 'file', fileId: 'f1' },
    { name: 'pages/0', kind: 'url', url: 'https://example.com/a.png' },
    { name: 'pages/1', kind: 'text', text: 'b' },
    { name: 'own', kind: 'file', fileId: 'f2' },
    { name: 'picture', kind: 'data', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
    { name: 'spaced', kind: 'url', url: 'https://example.com/a bill.pdf' },
    { name: 'typed', kind: 'data', mediaType: 'text/plain', url: 'data:text/plain ; base64,AAAA' },
    { name: 'note', kind: 'text', text: 'Total: 5.00' },
    { name: 'link', kind: 'text', text: 'https://example.com/a bill.pdf is late' },
    { name: 'limits', kind: 'value', value: { max: 3 } },
  ])
})

test('parsed documents are found among the steps', () => {
  const step = { seq: 1, attempt: 1, kind: 'tool' as const, name: 'x', cost_dollars: 0, started_at: '', ended_at: '' }
  const steps = [
    { ...step, detail: { input: 'invoice' }, result: { media_type: 'application/pdf', page_count: 3 } },
    { ...step, detail: { inputs: ['invoice'] }, result: { answer: 1 } },
    { ...step, detail: null, result: 'text' },
  ]
  expect([...readInputsOf(steps)]).toEqual([['invoice', { mediaType: 'application/pdf', pageCount: 3 }]])
})
