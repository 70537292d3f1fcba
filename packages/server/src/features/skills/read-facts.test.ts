import { describe, expect, test } from 'vitest'
import checkBundle from './check-bundle.job.ts'

const of = (files: Readonly<Record<string, string>>) =>
  checkBundle({ files: Object.entries(files).map(([path, text]) => ({ path, text })) })
const withFront = (front: string, rest: Readonly<Record<string, string>> = {}) =>
  of({ 'SKILL.md': `---\n${front}\n---\nBody`, ...rest })
const good = 'name: a\ndescription: b'

describe('front matter', () => {
  test('supports all of the open standard', async () => {
    const { facts } = await withFront(
      'name: pdf-tools\ndescription: >\n  Reads\n  PDFs.\nlicense: MIT\ncompatibility: Any\nmetadata:\n  author: me\nallowed-tools: Read Bash(git:*)',
    )
    expect(facts).toMatchObject({
      name: 'pdf-tools',
      description: 'Reads PDFs.',
      license: 'MIT',
      compatibility: 'Any',
      metadata: { author: 'me' },
      allowedTools: ['Read', 'Bash(git:*)'],
      instructions: 'Body',
    })
  })

  test('may have Windows line ends, a byte order mark, and horizontal rules in the body', async () => {
    const { facts } = await of({ 'SKILL.md': '\ufeff---\r\nname: a\r\ndescription: b\r\n---\r\nOne\r\n---\r\nTwo\r\n' })
    expect(facts).toMatchObject({ name: 'a', description: 'b', instructions: 'One\n---\nTwo' })
  })

  test.each([
    ['a name that is missing', 'description: b', /must have a name/],
    ['a description that is empty', 'name: a\ndescription: ""', /must have a description/],
    ['a name that is a list', 'name: [a]\ndescription: b', /must have a name, as text/],
    ['a name that is too long', `name: ${'a'.repeat(256)}\ndescription: b`, /more than 255/],
    ['a key twice', 'name: a\nname: c\ndescription: b', /unique/],
    ['a list at the top', '- name: a', /mapping/],
    ['text at the top', 'just words', /mapping/],
    ['a tag of a language', `${good}\nx: !!js/function "x => x"`, /Unresolved tag/],
    ['a tag of one’s own', `${good}\nx: !ruby/object {}`, /Unresolved tag/],
    ['binary data', `${good}\nx: !!binary aGVsbG8=`, /other than strings, numbers/],
    ['two documents', `${good}\n...\n--- x\n`, /documents/],
    [
      'a bomb of aliases',
      `${good}\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(
        /./g,
        (key) =>
          `${key}: &${key} [${Array(9)
            .fill(`*${String.fromCharCode(key.charCodeAt(0) - 1)}`)
            .join(',')}]\n`,
      )}`,
      /alias/,
    ],
    ['an alias of itself', `${good}\na: &a [*a]`, /alias|nested/],
    ['too much nesting', `${good}\nx: ${'['.repeat(100)}${']'.repeat(100)}`, /nested|deep/],
    ['a number that JSON does not have', `${good}\nx: .inf`, /other than strings, numbers/],
    ['an escape that is NUL', 'name: "a\\0b"\ndescription: b', /not contain NUL/],
    ['an escape that is half a letter', `${good}\nmetadata: {"k\\ud800": x}`, /unpaired surrogates/],
    ['a name of a prototype', `${good}\n__proto__: {x: 1}`, /other than strings, numbers|mapping/],
    ['broken YAML', 'name: "a\ndescription: b', /not valid YAML/],
  ])('with %s is refused', async (_what, front, why) => {
    await expect(withFront(front)).rejects.toMatchObject({ code: 'bad_bundle', message: expect.stringMatching(why) })
  })

  test.each([
    ['no front matter', '# A skill'],
    ['front matter without an end', '---\nname: a\n'],
    ['words before it', 'x\n---\nname: a\ndescription: b\n---\n'],
  ])('SKILL.md with %s is refused', async (_what, text) => {
    await expect(of({ 'SKILL.md': text })).rejects.toMatchObject({ message: expect.stringMatching(/start with front/) })
  })
})

describe('settings and schemas', () => {
  test('are read from skill.yaml or vlmrun.yaml', async () => {
    const settings = 'apiVersion: vlm.run/v1alpha\nmodel: svc-agent-1:pro\ntoolsets: [document, core]\nplan: Do it\n'
    const own = 'hosts: [api.example.com]\nscripts: [scripts/a.py]\npublish_gate: {agreement: 0.9}\n'
    expect((await withFront(good, { 'vlmrun.yaml': settings })).facts).toMatchObject({
      model: 'svc-agent-1:pro',
      toolsets: ['document', 'core'],
      plan: 'Do it',
    })
    expect((await withFront(good, { 'skill.yaml': own, 'vlmrun.yaml': settings })).facts).toMatchObject({
      model: null,
      hosts: ['api.example.com'],
      scripts: ['scripts/a.py'],
      publishGate: { agreement: 0.9 },
    })
  })

  test.each([
    ['schema.json', '{', /schema\.json must be valid JSON/],
    ['schema.json', '[]', /schema\.json must be a JSON Schema/],
    ['schema.json', '{"type":"object","properties":{"a":{"$ref":"https://x/y"}}}', /\/properties\/a\/\$ref/],
    ['schema.json', '{"type":"object","properties":{"a":{"pattern":"("}}}', /pattern/],
    ['schema.json', '{"type":"object"}', /names no field/],
    ['schema.json', '{"type":"object","properties":{"__proto__":{"type":"string"}}}', /__proto__/],
    ['evals/evals.json', 'nope', /evals\/evals\.json must be valid JSON/],
    ['evals/evals.json', '["\\u0000"]', /NUL/],
    ['skill.yaml', 'toolsets: ["a\\u0000"]', /skill\.yaml must not contain NUL/],
    ['skill.yaml', 'toolsets: all', /skill\.yaml: toolsets must be a list/],
    ['skill.yaml', 'model: [a]', /skill\.yaml must have a model, as text/],
    ['vlmrun.yaml', 'a: b: c', /vlmrun\.yaml is not valid YAML/],
  ])('%s with %j is refused', async (path, text, why) => {
    await expect(withFront(good, { [path]: text })).rejects.toMatchObject({ message: expect.stringMatching(why) })
  })
})

test('an escaped backslash before u0000 in a pattern is not NUL', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^[^\\u0000-\\u001f]*$' } } }
  const { facts } = await withFront(good, { 'schema.json': JSON.stringify(schema) })
  expect(facts.schema).toEqual(schema)
})

describe('the content hash', () => {
  test('covers only paths and bytes, whatever the order', async () => {
    const one = await of({ 'SKILL.md': `---\n${good}\n---\nx`, 'a.md': '1', 'b.md': '2' })
    const other = await of({ 'b.md': '2', 'a.md': '1', 'SKILL.md': `---\n${good}\n---\nx` })
    expect(other.facts.sha256).toBe(one.facts.sha256)
    expect(Buffer.from(other.zip).equals(Buffer.from(one.zip))).toBe(true)
    const swapped = await of({ 'SKILL.md': `---\n${good}\n---\nx`, 'a.md': '2', 'b.md': '1' })
    expect(swapped.facts.sha256).not.toBe(one.facts.sha256)
  })

  test('can be reproduced by sha256sum over the output of sha256sum', async () => {
    const { facts } = await of({ 'SKILL.md': '---\nname: a\ndescription: b\n---\nx', 'a.md': '1' })
    // printf '---\nname: a\ndescription: b\n---\nx' > SKILL.md; printf 1 > a.md; sha256sum SKILL.md a.md | sha256sum
    expect(facts.sha256).toBe('8478f1516abca5c402839799280beefa9b5f32b8fc0134b69efba4cd3bdc0254')
  })
})
