import { expect, test } from 'vitest'
import { packDocument, packUnstored, unpackDocument } from './packed-document.ts'
import { readDocument } from './read-document.ts'

test('a document survives packing, for storage or not, whatever its length', async () => {
  for (const lines of [1, 2_000]) {
    const document = await readDocument({ text: 'Fee: 12.50 €\n'.repeat(lines) })
    const plain = JSON.parse(JSON.stringify(document))
    const [kept, forNow] = [packDocument(document), packUnstored(document)]
    expect(unpackDocument(kept.packed)).toEqual(plain)
    expect(unpackDocument(forNow.packed)).toEqual(plain)
    expect({ ...forNow, packed: null }).toEqual({ ...kept, packed: null })
    // Long documents are always compressed, as they are passed between processes.
    expect(forNow.packed.length).toBeLessThan(64 * 1024)
  }
})
