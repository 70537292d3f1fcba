import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ToolServer } from '../tool-server.ts'
import { openMcpServer } from './mcp-server.ts'

const program = fileURLToPath(new URL('../../../../../../test/support/mcp-server.ts', import.meta.url))
const signal = new AbortController().signal

describe('a program with the Model Context Protocol', () => {
  let server: ToolServer
  beforeAll(async () => {
    const address = { command: process.execPath, args: [program] }
    server = await openMcpServer({ name: 'shelf', address, fetch })
  })
  afterAll(() => server.close())
  const stock = (article: string) => server.call('stock', { article }, signal)

  test('a failing call, an aborted one, and an answer of 50 MB do not affect other calls', async () => {
    const waiting = stock('tomorrow')
    await expect(stock('ghosts')).rejects.toThrow('The tool server shelf answered with an error: There are no ghosts')
    const broken = new AbortController()
    const left = server.call('stock', { article: 'tomorrow' }, broken.signal)
    broken.abort(new Error('cancelled'))
    await expect(left).rejects.toThrow('cancelled')
    await expect(stock('everything')).rejects.toThrow('the reply is longer than 8388608 bytes')
    expect(await stock('today')).toBe('There are 7 of today')
    expect(await waiting).toBe('There are 7 of tomorrow')
  })

  test('an answer of 50 MB is copied at most once, not again with each chunk', async () => {
    const concat = vi.spyOn(Buffer, 'concat')
    try {
      await expect(stock('everything')).rejects.toThrow('longer than')
      const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
      expect(copied).toBeLessThanOrEqual(50_000_000)
    } finally {
      concat.mockRestore()
    }
  })
})
