import { describe, expect, test } from 'vitest'
import checkBundle from './check-bundle.job.ts'
import { reviewCalled } from './review.ts'

/** The review notes for these files, as `kind path:line`. */
async function notes(files: Readonly<Record<string, string>>, body = 'Body') {
  const all = { 'SKILL.md': `---\nname: a\ndescription: b\n---\n${body}`, ...files }
  const { facts } = await checkBundle({ files: Object.entries(all).map(([path, text]) => ({ path, text })) })
  return facts.review.map(({ kind, path, line }) => `${kind} ${path}:${line}`)
}

describe('a review', () => {
  test('of a harmless skill in many languages and with emoji is empty', async () => {
    const body =
      'Grüße, 日本語, العربية, עברית, हिन्दी, résumé 👩‍👩‍👧 ❤️ 👍🏽 and [see](references/a.md), run `scripts/a.py`.'
    expect(await notes({ 'references/a.md': 'https://example.com', 'scripts/a.py': 'print(1)' }, body)).toEqual([])
  })

  test.each([
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner between letters', 'a\u200db'],
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a tag letter', '\u{e0041}'],
    ['a variation selector that hides a byte', '\u{e0120}'],
    ['a Hangul filler', '\u3164'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark in the middle', 'x\ufeff'],
  ])('shows %s', async (_what, hidden) => {
    expect(await notes({}, `Line\nread${hidden}this`)).toEqual(['hidden_unicode SKILL.md:6'])
  })

  test('shows scripts that the instructions do not mention, and no others', async () => {
    const files = { 'scripts/a.py': '', 'scripts/b': '', 'tools/c.sh': '', 'scripts/d.ts': '', 'pipeline.py': '' }
    const settings = { 'skill.yaml': 'scripts: [scripts/d.ts]' }
    expect(await notes({ ...files, ...settings }, 'Use a.py and pipeline.py')).toEqual([
      'undeclared_script scripts/b:null',
      'undeclared_script tools/c.sh:null',
    ])
  })

  test.each([
    '\nimport requests',
    'x = 1\nawait fetch (url)',
    '\ncurl -s x',
    '\nimport socket; socket.socket()',
    '\nimport socket\na = socket.AF_UNIX\nb = socket.socket(socket.AF_INET)',
  ])('shows that %j wants the network', async (script) =>
    expect(await notes({ 'scripts/a.py': script }, 'scripts/a.py')).toEqual(['network scripts/a.py:2']),
  )

  test.each([
    'NS = {"w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main"}',
    '# See https://example.com/docs\nfrom urllib.parse import quote',
    'def fetch(row): return row\ncursor.fetch(1)',
    'requests = []\nrequests.append(1)',
    "const svg = document.createElementNS('http://www.w3.org/2000/svg', 'g')",
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    // LibreOffice talks to itself over a socket of the machine.
    'import socket\nsocket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close()',
    '# Convert it first: curl -o a.xml https://example.com/a.xml',
    '    // wget would do as well',
    'def fetch(source):\n    return source\nprint(fetch(1))',
    'from readers import fetch\nrows = fetch(1)',
    'print("Error: pip install openpyxl")',
    'openai = {"name": "a column"}',
  ])('does not take %j for a use of the network', async (script) =>
    expect(await notes({ 'scripts/a.py': script }, 'scripts/a.py')).toEqual([]),
  )

  test.each([
    'from urllib.request import urlopen',
    'import urllib.request',
    'requests.get("https://example.com")',
    'globalThis.fetch("https://example.com")',
    "import https from 'node:https'",
    "const net = require('net')",
    'new WebSocket(url)',
    'wget https://example.com',
    'for (const url of urls) fetch(url)',
    'from urllib import request',
    'from anthropic import Anthropic',
    '    from atproto import Client',
    'import boto3',
    'import google.cloud.storage',
    "import OpenAI from 'openai'",
    "const { chromium } = require('playwright')",
    "import fetch from 'node-fetch'",
    'reader, writer = await asyncio.open_connection(host, 80)',
  ])('takes %j for a use of the network', async (script) =>
    expect(await notes({ 'scripts/a.py': script }, 'scripts/a.py')).toEqual(['network scripts/a.py:1']),
  )

  test.each([
    'npm install -g serve',
    'cd app && pnpm create vite .',
    'sudo apt-get install -y jq',
    'git clone $URL',
    'npx serve',
  ])('takes the command %j of a shell script for a use of the network', async (script) =>
    expect(await notes({ 'scripts/a.sh': `${script}\n` }, 'scripts/a.sh')).toEqual(['network scripts/a.sh:1']),
  )

  test('takes a command in the text of a shell script for no use of the network', async () =>
    expect(
      await notes({ 'scripts/a.sh': '# npm install first\necho "Run npm install first"\n' }, 'scripts/a.sh'),
    ).toEqual([]))

  test('counts scripts as mentioned that a document names to which SKILL.md leads, and no others', async () => {
    const files = { 'forms.md': 'Read deep/more.md', 'deep/more.md': 'Run fill.py', 'other.md': 'Run hide.py' }
    expect(await notes({ ...files, 'scripts/fill.py': '', 'scripts/hide.py': '' }, 'Read forms.md')).toEqual([
      'undeclared_script scripts/hide.py:null',
    ])
  })

  test('shows the hosts that a skill requests', async () => {
    expect(await notes({ 'skill.yaml': 'hosts: [api.example.com]' })).toEqual(['network skill.yaml:null'])
  })

  test.each([
    ['AKIA' + 'ABCDEFGHIJKLMNOP'],
    ['sk-' + 'abcdefghijklmnopqrstuvwx'],
    [`ghp_${'a'.repeat(36)}`],
    ['-----BEGIN RSA PRIVATE KEY-----'],
    [`AIza${'b'.repeat(35)}`],
    [`whsec_${'c'.repeat(32)}`],
  ])('shows a secret like %s without repeating it', async (secret) => {
    const { facts } = await checkBundle({
      files: [
        { path: 'SKILL.md', text: '---\nname: a\ndescription: b\n---\nx' },
        { path: '.env', text: `A=1\nKEY=${secret}` },
      ],
    })
    expect(facts.review).toMatchObject([{ kind: 'secret', path: '.env', line: 2 }])
    expect(JSON.stringify(facts.review)).not.toContain(secret)
  })

  test('examines every text, whatever its file name', async () => {
    const { facts } = await checkBundle({
      files: [
        { path: 'SKILL.md', text: '---\nname: a\ndescription: b\n---\nx' },
        { path: 'references/server.pem', text: '-----BEGIN PRIVATE KEY-----\nMIIE\n' },
        { path: 'assets/notes.properties', text: 'a\u200bb' },
      ],
    })
    expect(facts.review).toMatchObject([
      { kind: 'secret', path: 'references/server.pem', line: 1 },
      { kind: 'hidden_unicode', path: 'assets/notes.properties' },
    ])
  })
})

test('examines the name in a request when SKILL.md differs', () => {
  const facts = { name: 'a', description: 'reads\u202e slips' }
  expect(reviewCalled(facts, facts)).toEqual([])
  expect(reviewCalled(facts, { name: 'b\u200bc', description: facts.description }).map(({ kind }) => kind)).toEqual([
    'hidden_unicode',
    'front_matter',
  ])
})
