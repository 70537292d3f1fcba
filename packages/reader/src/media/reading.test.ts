import { expect, test } from 'vitest'
import { readDocument } from './read-document.ts'
import { packDocument, packForNow, unpackDocument } from './reading.ts'

test('a document is the same after it was packed, to be kept or not, whatever its length', async () => {
  for (const lines of [1, 2_000]) {
    const document = await readDocument({ text: 'Fee: 12.50 €\n'.repeat(lines) })
    const plain = JSON.parse(JSON.stringify(document))
    const [kept, forNow] = [packDocument(document), packForNow(document)]
    expect(unpackDocument(kept.packed)).toEqual(plain)
    expect(unpackDocument(forNow.packed)).toEqual(plain)
    expect({ ...forNow, packed: null }).toEqual({ ...kept, packed: null })
    // What is long is packed in any case: it goes from process to process.
    expect(forNow.packed.length).toBeLessThan(64 * 1024)
  }
})
