import { assert, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { readProduced } from './produced-files.ts'

const bounds = { filesMax: 3, bytesMax: 1_000 }

/** A ustar entry, possibly malformed. */
function entry(
  name: string,
  bytes: string,
  { type = '0', prefix = '', size }: { type?: string; prefix?: string; size?: string } = {},
): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(size ?? Buffer.byteLength(bytes).toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  header.write(prefix, 345)
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(bytes) / 512) * 512)
  body.write(bytes)
  return Buffer.concat([header, body])
}

const read = (...entries: Buffer[]) => readProduced(Buffer.concat([...entries, Buffer.alloc(1024)]), bounds)
const summary = (...entries: Buffer[]) => {
  const { files, leftOut } = read(...entries)
  return { files: files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]), leftOut }
}

test('reads files with their folders and long names', () => {
  expect(
    summary(entry('./a.txt', 'one'), entry('./d/', '', { type: '5' }), entry('b', 'two', { prefix: './d' })),
  ).toEqual({
    files: [
      ['a.txt', 'one'],
      ['d/b', 'two'],
    ],
    leftOut: [],
  })
})

test.each(['../a', '/etc/passwd', 'a/../../b', 'a//b', '.', 'a/.', 'c:\\x', 'a\u0007', 'a ', `${'a/'.repeat(20)}b`])(
  'leaves out %j',
  (name) => {
    const { files, leftOut } = summary(entry(name, 'x'))
    expect(files).toEqual([])
    expect(leftOut).toHaveLength(1)
  },
)

test.each(['1', '2', '3', '4', '6', '7', 'L', 'x', 'S'])('leaves out an entry of type %s', (type) => {
  expect(summary(entry('a', '', { type }))).toEqual({ files: [], leftOut: ['an entry that is not a regular file'] })
})

test('leaves out names that are one on some disks', () => {
  expect(summary(entry('Ä', '1'), entry('a\u0308', '2')).files).toEqual([['Ä', '1']])
})

test('enforces its limits', () => {
  const many = ['a', 'b', 'c', 'd'].map((name) => entry(name, 'x'))
  expect(summary(...many)).toMatchObject({ files: { length: 3 }, leftOut: ['files beyond 3'] })
  expect(summary(entry('a', 'x'.repeat(2_000))).leftOut).toEqual(['files beyond 1000 bytes'])
})

test.each(['77777777777', '-1', 'zz', ''])('stops at an entry whose size is %j', (size) => {
  expect(summary(entry('a', 'x'), entry('b', 'x', { size }))).toMatchObject({
    files: [['a', 'x']],
    leftOut:
      size === ''
        ? ['the rest of its folder could not be read']
        : expect.arrayContaining([expect.stringContaining('rest')]),
  })
})

test('survives arbitrary bytes', () => {
  assert(
    property(uint8Array({ maxLength: 2_000 }), (bytes) => {
      expect(readProduced(Buffer.from(bytes), bounds).files.length).toBeLessThanOrEqual(3)
    }),
  )
})
