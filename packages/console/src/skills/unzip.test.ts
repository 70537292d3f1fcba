import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openArchive } from './unzip.ts'

/** A minimal archive: local headers, contents, directory, end. */
function zipOf(files: readonly { name: string; content: Buffer; method: 0 | 8; claimed?: number }[]): ArrayBuffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, method, claimed } of files) {
    const packed = method === 8 ? deflateRawSync(content) : content
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(claimed ?? content.length, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, Buffer.from(name))
    parts.push(local, Buffer.from(name), packed)
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(offset, 16)
  const all = Buffer.concat([...parts, ...directory, end])
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length) as ArrayBuffer
}

test('stored and compressed files are read, with names in any script', async () => {
  const archive = openArchive(
    zipOf([
      { name: 'SKILL.md', content: Buffer.from('Read the ä.'), method: 0 },
      { name: 'references/größe.md', content: Buffer.from('x'.repeat(5_000)), method: 8 },
    ]),
  )
  expect(archive.paths).toEqual(['SKILL.md', 'references/größe.md'])
  expect(await archive.text('SKILL.md', 1_000)).toBe('Read the ä.')
  expect(await archive.text('references/größe.md', 10_000)).toHaveLength(5_000)
})

test('files that are too large, binary or missing, and invalid archives are reported', async () => {
  const archive = openArchive(
    zipOf([
      { name: 'bomb', content: Buffer.alloc(1_000_000), method: 8, claimed: 10 },
      { name: 'large', content: Buffer.alloc(2_000), method: 0 },
      { name: 'picture', content: Buffer.from([0xff, 0xfe, 0x00]), method: 0 },
    ]),
  )
  await expect(archive.text('bomb', 1_000)).rejects.toThrow('too large')
  await expect(archive.text('large', 1_000)).rejects.toThrow('too large')
  await expect(archive.text('picture', 1_000)).rejects.toThrow('not text')
  expect(await archive.bytes('picture', 1_000)).toEqual(new Uint8Array([0xff, 0xfe, 0x00]))
  await expect(archive.text('nothing', 1_000)).rejects.toThrow('no such file')
  expect(() => openArchive(new ArrayBuffer(100))).toThrow('not a ZIP archive')
})
