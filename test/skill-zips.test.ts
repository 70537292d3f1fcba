import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { filesOfZip, modesIn, type WrittenEntry, writeEntries, zipOf } from './support/zips.ts'

const service = await opened(openTestService())

const skill: WrittenEntry = {
  name: 'SKILL.md',
  bytes: '---\nname: receipts\ndescription: Reads receipts.\n---\n\nRead the total.\n',
}
const withSkill = (...entries: WrittenEntry[]) => writeEntries([skill, ...entries])
const file = (name: string | Buffer, more: Partial<WrittenEntry> = {}): WrittenEntry => ({
  name,
  bytes: 'text',
  ...more,
})
const extraField = (id: number, data: Buffer) => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}
const unicodePath = (name: string) =>
  extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(name)]))

/** The errors of both upload routes for a zip; null where it is accepted. */
async function refusals(zip: Buffer): Promise<readonly (string | null)[]> {
  const { id } = await service.upload(zip, 'skill.zip')
  const created = await service.call('POST', '/v1/skills/create', {
    body: { file_id: id, name: 'receipts', description: 'Reads receipts.' },
  })
  const skills = [
    { type: 'inline', source: { type: 'base64', media_type: 'application/zip', data: zip.toString('base64') } },
  ]
  const executed = await service.call('POST', '/v1/agent/execute', {
    body: { inputs: { text: 'Total 3.00' }, config: { json_schema: totalSchema, skills } },
  })
  return [refusal(created, ['body', 'file_id']), refusal(executed, ['body', 'config', 'skills', 0, 'source', 'data'])]
}

const totalSchema = { type: 'object', properties: { total: { type: 'number' } } }

function refusal({ status, json }: { status: number; json: { detail: unknown } }, loc: unknown[]): string | null {
  if (status === 201) return null
  expect({ status, json }).toMatchObject({ status: 422, json: { detail: [{ loc, type: 'bad_bundle' }] } })
  return (json.detail as { msg: string }[])[0]?.msg ?? ''
}

const bomb = Buffer.alloc(8 * 1024 * 1024)

const hostile: readonly [string, Buffer, RegExp][] = [
  ['that is none', Buffer.from('SKILL.md'), /cannot be read/],
  ['that is cut short', withSkill(file('a.md')).subarray(0, -10), /cannot be read/],
  ['that is cut in front', withSkill(file('a.md')).subarray(20), /cannot be read/],
  ['without SKILL.md', zipOf({ 'README.md': 'x' }), /no SKILL\.md/],
  ['with skill.md alone', zipOf({ 'skill.md': 'x' }), /"skill\.md" does not count/],
  ['with SKILL.md two folders down', writeEntries([{ ...skill, name: 'a/b/SKILL.md' }]), /no SKILL\.md/],
  [
    'with two skills',
    writeEntries(['a', 'b'].map((at) => ({ ...skill, name: `${at}/SKILL.md` }))),
    /two skills, "a\/SKILL\.md" and "b\/SKILL\.md"/,
  ],
  [
    'with a skill at its root and one in a folder',
    writeEntries([skill, { ...skill, name: 'a/SKILL.md' }]),
    /two skills/,
  ],
  [
    'with a file beside its one folder',
    writeEntries([{ ...skill, name: 'a/SKILL.md' }, file('b.md')]),
    /"b\.md" is outside "a\/"/,
  ],
  ['that climbs out', withSkill(file('../../etc/passwd')), /"\.\.\/\.\.\/etc\/passwd" has '\.\.'/],
  ['that climbs out from within', withSkill(file('a/../../b')), /'\.\.'/],
  ['with an absolute path', withSkill(file('/etc/passwd')), /absolute/],
  ['with a drive', withSkill(file('C:/windows/a')), /drive/],
  ['with a backslash', withSkill(file('..\\a')), /backslash/],
  ['with NUL in a name', withSkill(file('a.md\u0000.png')), /NUL/],
  ['with a line end in a name', withSkill(file('a\n.md')), /control or invisible/],
  ['with an invisible letter in a name', withSkill(file('a\u202egnp.md')), /a\\u\{202e\}gnp\.md.*invisible/],
  ['with an empty step', withSkill(file('a//b')), /empty path segment/],
  ['with a stream of NTFS', withSkill(file('SKILL.md::$DATA')), /colon/],
  ['with a name that ends with a dot', withSkill(file('SKILL.md.')), /ends with a dot/],
  ['with a name that is not UTF-8', withSkill(file(Buffer.from([0x61, 0xff, 0x62]))), /not UTF-8/],
  [
    'with a second name in another field',
    withSkill(file('a.md', { extra: unicodePath('b.md') })),
    /two different names/,
  ],
  [
    'with another name in front of the data',
    withSkill(file('a.md', { saysInFront: { name: 'b.md' } })),
    /different name/,
  ],
  [
    'with a path that is too long',
    withSkill(file(`${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(200)}`)),
    /512 bytes/,
  ],
  ['that is too deep', withSkill(file(`${'a/'.repeat(20)}b`)), /deeper than 16/],
  ['with a symbolic link', withSkill(file('a', { mode: 0o120777, bytes: '/etc/passwd' })), /"a" is a symbolic link/],
  ['with a device', withSkill(file('a', { mode: 0o020666 })), /neither a regular file/],
  ['with a pipe', withSkill(file('a', { mode: 0o010666 })), /neither a regular file/],
  ['with a folder that has content', withSkill(file('a/', { mode: 0o040755 })), /folder but has content/],
  ['that is encrypted', withSkill(file('a', { flags: 0x0801 })), /encrypted/],
  ['that is encrypted strongly', withSkill(file('a', { flags: 0x0841 })), /encrypt/],
  ['packed by a method of its own', withSkill(file('a', { method: 12 })), /method 12/],
  [
    'with one method in the directory and another in front',
    withSkill(file('a', { saysInFront: { method: 0 } })),
    /different compression method/,
  ],
  ['with a name twice', withSkill(file('a.md'), file('a.md')), /"a\.md" appears twice/],
  ['with SKILL.md twice', writeEntries([skill, skill]), /twice/],
  ['with names that differ in case', withSkill(file('a.md'), file('A.MD')), /treat as equal/],
  ['with folders that differ in case', withSkill(file('a/x.md'), file('A/y.md')), /treat as equal/],
  ['with names that differ in Unicode form', withSkill(file('\u212b.md'), file('A\u030a.md')), /twice|the same/],
  ['with names of compatible letters', withSkill(file('\ufb01.md'), file('fi.md')), /treat as equal/],
  ['with a file that is a folder too', withSkill(file('a'), file('a/b')), /file and a folder/],
  ['with a folder that is a file too', withSkill(file('a/b'), file('a')), /file and a folder/],
  [
    'with more entries than may be',
    writeEntries([skill, ...Array.from({ length: 2_001 }, (_, n) => file(`${n}`))]),
    /2002 entries; at most 2000/,
  ],
  ['that says it has a million entries', writeEntries([skill], { count: 65_000 }), /65000 entries/],
  ['that unpacks to a thousandfold', withSkill(file('a', { bytes: bomb })), /"a" unpacks to more than 200 times/],
  [
    'that unpacks to more than is said',
    withSkill(file('a', { data: deflateRawSync(bomb), says: { unpacked: 10 } })),
    /damaged or does not have the size/,
  ],
  [
    'that unpacks to less than is said',
    withSkill(file('a', { says: { unpacked: 1_000 } })),
    /damaged or does not have the size/,
  ],
  [
    'that is larger unpacked than may be',
    withSkill(
      ...Array.from({ length: 7 }, (_, n) =>
        file(`${n}`, { bytes: Buffer.from('x'), says: { unpacked: 8 * 1024 * 1024 } }),
      ),
    ),
    /unpacked|unpacks/,
  ],
  ['with another size in front of the data', withSkill(file('a', { saysInFront: { unpacked: 3 } })), /different size/],
  ['with a wrong checksum', withSkill(file('a', { says: { crc: 1 } })), /checksum/],
  ['with damaged data', withSkill(file('a', { data: Buffer.from([7, 7, 7, 7]) })), /damaged/],
  ['whose entries overlap', withSkill(file('a'), file('a', { sharesDataOf: 1 })), /twice|overlap/],
  ['with an entry inside another', overlapping(), /overlap/],
  [
    'with entries behind its directory',
    writeEntries([skill], { tail: Buffer.alloc(60) }),
    /between its central directory and its end/,
  ],
  [
    'with an end in its comment',
    writeEntries([skill], { comment: writeEntries([]) }),
    /between its central directory and its end/,
  ],
  [
    'with something behind packed data',
    withSkill(file('a', { data: Buffer.concat([deflateRawSync('text'), Buffer.from('more')]) })),
    /not have the size/,
  ],
]

describe('both upload routes refuse a zip', () => {
  test.each(hostile)('%s', async (_what, zip, why) => {
    const said = await refusals(zip)
    for (const one of said) expect(one).toMatch(why)
  })
})

/** A stored entry whose data contains the header and the data of the next one. */
function overlapping(): Buffer {
  const inner = writeEntries([file('b', { method: 0, bytes: 'inner' })])
  const header = inner.subarray(0, 30 + 1 + 5)
  const outer = writeEntries([{ name: 'a', method: 0, bytes: header }, file('b', { method: 0, bytes: 'inner' }), skill])
  // The directory's second record points into the data of the first entry.
  const at = outer.indexOf(Buffer.from([0x50, 0x4b, 1, 2]), outer.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 4)
  outer.writeUInt32LE(30 + 1, at + 42)
  return outer
}

test('a reader without checks would accept most of them', async () => {
  const taken = await Promise.all(
    hostile.map(([, zip]) =>
      filesOfZip(zip).then(
        () => 1,
        () => 0,
      ),
    ),
  )
  expect(taken.filter(Boolean).length).toBeGreaterThan(hostile.length / 2)
})

describe('both upload routes accept a zip', () => {
  test.each<[string, Buffer]>([
    ['of one file', writeEntries([skill])],
    [
      'with everything in one folder',
      writeEntries([{ name: 'a/', mode: 0o040755, method: 0 }, { ...skill, name: 'a/SKILL.md' }, file('a/b/c.md')]),
    ],
    ['with what Finder adds', withSkill(file('__MACOSX/._SKILL.md'), file('.DS_Store'), file('a/.DS_Store'))],
    ['of stored and packed files', withSkill(file('a', { method: 0 }), file('b'))],
    [
      'whose sizes follow the data',
      withSkill(file('a', { flags: 0x0808, saysInFront: { crc: 0, packed: 0, unpacked: 0 } })),
    ],
    ['with names of other alphabets', withSkill(file('données/имя.md'), file('名前.md'))],
    ['that names itself from here', writeEntries([{ ...skill, name: './SKILL.md' }, file('./a.md')])],
    ['with as many entries as may be', writeEntries([skill, ...Array.from({ length: 1_999 }, (_, n) => file(`${n}`))])],
    ['with a skill as an example, deeper down', withSkill({ ...skill, name: 'references/example/SKILL.md' })],
    ['with modes of another system', withSkill(file('a', { mode: 0 }))],
    ['with a comment', writeEntries([skill], { comment: Buffer.from('made by hand') })],
  ])('%s', async (_what, zip) => {
    expect(await refusals(zip)).toEqual([null, null])
  })

  test.each<[string, (base64: string) => string, number]>([
    ['in lines', (base64) => base64.replaceAll(/.{76}/g, '$&\r\n'), 201],
    ['without padding', (base64) => base64.replace(/=+$/, ''), 201],
    ['with something else in it', (base64) => `${base64.slice(0, 40)}!${base64.slice(40)}`, 422],
    ['as a data URL', (base64) => `data:application/zip;base64,${base64}`, 422],
    ['that ends too early', (base64) => `${base64.replace(/=+$/, '')}A`, 422],
    ['of nothing but line ends', () => '\n'.repeat(5_000_000), 422],
  ])('inline in base64 %s, or refuse it', async (_what, spelt, status) => {
    // A length that needs padding.
    const plain = writeEntries([skill], { comment: Buffer.alloc(3 - (writeEntries([skill]).length % 3) + 1) })
    const data = spelt(plain.toString('base64'))
    const skills = [{ type: 'inline', source: { type: 'base64', media_type: 'application/zip', data } }]
    const body = { inputs: { text: 'Total 3.00' }, config: { json_schema: totalSchema, skills } }
    expect((await service.call('POST', '/v1/agent/execute', { body })).status).toBe(status)
  })

  test('with its skill in a folder, and return it from the root', async () => {
    const { id } = await service.upload(zipOf({ 'x/SKILL.md': skill.bytes ?? '', 'x/a.md': 'a' }), 'skill.zip')
    const made = await service.call('POST', '/v1/skills/create', {
      body: { file_id: id, name: 'folded', description: 'In a folder.' },
    })
    expect(made.json.files.map(({ path }: { path: string }) => path)).toEqual(['SKILL.md', 'a.md'])
  })

  test('with scripts that stay executable, also when it is revised, and no other bit of a mode', async () => {
    const zip = writeEntries([
      { ...skill, name: 'x/SKILL.md', mode: 0o100600 },
      file('x/run.sh', { mode: 0o100755 }),
      file('x/own.sh', { mode: 0o100700 }),
      file('x/setuid.sh', { mode: 0o106777 }),
      file('x/others.sh', { mode: 0o100011 }),
      file('x/dos.sh', { mode: 0 }),
    ])
    const { id } = await service.upload(zip, 'skill.zip')
    const body = { file_id: id, name: 'moded', description: 'Has modes.' }
    const made = await service.call('POST', '/v1/skills/create', { body })
    const revised = await service.call('POST', `/v1/skills/${made.json.id}/update`, {
      body: { prompt: 'Read the sum.' },
    })
    for (const { json } of [made, revised]) {
      const download = await service.call('GET', `/v1/skills/${json.id}/download`)
      const content = Buffer.from(await (await fetch(download.json.download_url)).arrayBuffer())
      expect(await modesIn(content)).toEqual({
        'SKILL.md': 0o100644,
        'dos.sh': 0o100644,
        'others.sh': 0o100644,
        'own.sh': 0o100755,
        'run.sh': 0o100755,
        'setuid.sh': 0o100755,
      })
    }
  })
})
