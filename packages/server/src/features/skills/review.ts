import { isUtf8 } from 'node:buffer'
import { documentFile, isDeclaredScript } from '../../agent/enabled-skill.ts'
import type { BundleFacts, ReviewNote } from './bundle.ts'

type Files = ReadonlyMap<string, Buffer>
type Known = Pick<BundleFacts, 'hosts' | 'instructions' | 'scripts'>

const notesMax = 100
/** Longest file to scan; nobody writes longer text. */
const reviewedBytesMax = 1024 * 1024
const textFile =
  /\.(md|txt|json|ya?ml|csv|html?|xml|toml|ini|env|py|[cm]?[jt]sx?|sh|bash|rb|pl|php|lua|ps1|r)$|(^|\/)[^.]+$|(^|\/)\.[^/]+$/i
const scriptFile = /^scripts\/|\.(py|[cm]?[jt]sx?|sh|bash|rb|pl|php|lua|ps1|r)$/i

/**
 * Invisible characters that a model reads: zero-width and bidirectional controls, fillers, tags and the variation selectors that can hide
 * bytes. A joiner between two emoji is fine.
 */
const hiddenLetter =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d/u

/** Calls and imports that reach the network. URLs alone do not count: most are XML namespaces, or in comments. */
const networkUse =
  /(?<!\bdef |\bfunction |[.\w])fetch\s*\(|\b((globalThis|window|self)\.fetch\s*\(|new\s+(XMLHttpRequest|WebSocket|EventSource)\b|axios|undici|node:(net|http|https|dgram|tls|dns)\b|(import|from)\s+(requests|httpx|aiohttp|urllib3|ftplib|smtplib|http\.client)\b|(require\s*\(\s*|from\s+)['"](net|https?|dgram|tls|dns)['"]|urllib\.request|urllib3\.|urlopen\s*\(|requests\.(get|post|put|patch|delete|head|request|Session)\b|http\.client\.|curl\s|wget\s|Invoke-WebRequest|Net::HTTP)/

/** Sockets of Python; a script that names AF_UNIX and nothing of these means sockets of its own machine. */
const socketUse = /\b(import|from)\s+socket\b|\bsocket\.(socket|create_connection|create_server)\b/
const networkSocket = /\bAF_INET6?\b|\bcreate_(connection|server)\b|\bsocket\.socket\s*\(\s*\)|\bgetaddrinfo\b/

const secrets: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/],
  ['an AWS key', /\bA(KIA|SIA)[0-9A-Z]{16}\b/],
  ['an OpenAI or Anthropic key', /\bsk-[A-Za-z0-9_-]{20,}/],
  ['a GitHub token', /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{10,}/],
  ['a Google key', /\bAIza[0-9A-Za-z_-]{35}/],
  ['a Stripe key', /\b[rs]k_live_[0-9A-Za-z]{16,}/],
  ['a signing secret', /\bwhsec_[A-Za-z0-9+/]{20,}/],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
]

/** What a person should check before trusting a bundle. Never repeats a secret. */
export function reviewOf(files: Files, known: Known): readonly ReviewNote[] {
  const notes: ReviewNote[] = known.hosts.map((host) => ({
    kind: 'network',
    path: 'skill.yaml',
    line: null,
    message: `The skill requests network access to ${JSON.stringify(host.slice(0, 100))}`,
  }))
  const documents = new Map(
    [...files].filter(([path]) => documentFile.test(path)).map(([path, bytes]) => [path, bytes.toString('utf8')]),
  )
  for (const [path, bytes] of files) {
    if (notes.length >= notesMax) break
    const isScript = scriptFile.test(path)
    if (isScript && !isDeclaredScript(path, { ...known, documents }))
      notes.push({
        kind: 'undeclared_script',
        path,
        line: null,
        message:
          'This script is mentioned neither in SKILL.md, nor in a document that it refers to, nor under scripts in skill.yaml',
      })
    if (bytes.length > reviewedBytesMax || !(textFile.test(path) || isText(bytes))) continue
    notes.push(...reviewText(path, bytes.toString('utf8').replace(/^\ufeff/, ''), isScript))
  }
  return notes.slice(0, notesMax)
}

/**
 * What a person should check in a request's own name and description for a skill: differences from SKILL.md, and hidden content, since
 * models see these texts but no file contains them.
 */
export function reviewCalled(
  facts: Pick<BundleFacts, 'name' | 'description'>,
  called: { readonly name: string; readonly description: string },
): readonly ReviewNote[] {
  const differs = (['name', 'description'] as const).filter((field) => called[field] !== facts[field])
  if (differs.length === 0) return []
  const at = { path: 'SKILL.md', line: null }
  const otherwise = `The ${differs.join(' and ')} in SKILL.md differs from the request; the request takes precedence`
  const hidden = reviewText(at.path, differs.map((field) => called[field]).join('\n'), false)
  return [
    ...hidden.map(({ kind, message }) => ({
      ...at,
      kind,
      message: `In the name or description of the request: ${message}`,
    })),
    { ...at, kind: 'front_matter', message: otherwise },
  ]
}

/** Regardless of the file name: a key may be in a `.pem`, and the author chooses names. */
const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0)

/** The first finding of each kind in a text is enough. */
function reviewText(path: string, text: string, isScript: boolean): ReviewNote[] {
  const notes: ReviewNote[] = []
  const look = (kind: ReviewNote['kind'], pattern: RegExp, messageOf: (found: string) => string) => {
    const match = pattern.exec(text)
    if (match) notes.push({ kind, path, line: lineAt(text, match.index), message: messageOf(match[0]) })
  }
  look('hidden_unicode', hiddenLetter, (found) => {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `Invisible character U+${code}: models read it, people do not see it`
  })
  const isLocal = /\bAF_UNIX\b/.test(text) && !networkSocket.test(text)
  const network = networkUse.test(text) || isLocal ? networkUse : socketUse
  if (isScript) look('network', network, () => 'The script uses the network, but scripts run without network access')
  for (const [what, pattern] of secrets)
    look('secret', pattern, () => `This looks like ${what}; a skill must not contain secrets`)
  return notes
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
