import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../tool.ts'
import { toolDeclarations } from './tool-declarations.ts'

const one = (name: string, input: z.ZodType, description = 'Does it.') =>
  tool({ name, toolset: name.split('.')[0] ?? '', description, input, run: async () => null })

test('declares tools by toolset, with types and descriptions from their schemas', () => {
  const declared = toolDeclarations([
    one(
      'core.add',
      z.object({ left: z.number().describe('One'), right: z.int().default(1), how: z.enum(['a', 'b']).optional() }),
    ),
    { ...one('core.now', z.object({})), answers: '{ now: string }' },
    one('document.read', z.object({ pages: z.array(z.int()), at: z.union([z.string(), z.null()]) }), 'Reads */ it'),
  ])
  expect(declared).toBe(`interface Tools {
  core: {
    /** Does it. */
    add(input: { /** One */ left: number; right?: number; how?: "a" | "b" }): Promise<any>
    /** Does it. */
    now(input?: Record<string, any>): Promise<{ now: string }>
  }
  document: {
    /** Reads * / it */
    read(input: { pages: Array<number>; at: string | null }): Promise<any>
  }
}`)
  expect(() => stripTypeScriptTypes(declared)).not.toThrow()
})
