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

/** Modules that do nothing but reach the network: of Python, and of Node. */
const pythonClients =
  'requests|httpx|aiohttp|urllib3|ftplib|smtplib|imaplib|poplib|telnetlib|http\\.client|pycurl|websockets?|paramiko|grpc|boto3|botocore|google\\.cloud|googleapiclient|huggingface_hub|slack_sdk|atproto|openai|anthropic|selenium|playwright'
const nodeClients =
  '(node:)?(net|https?|dgram|tls|dns)|axios|undici|node-fetch|got|ws|openai|@anthropic-ai/sdk|@aws-sdk/[\\w-]+|puppeteer|playwright(-core)?'

/** Calls and imports that reach the network. URLs alone do not count: most are XML namespaces. */
const networkUse = new RegExp(
  [
    /\b(globalThis|window|self)\.fetch\s*\(/,
    /\bnew\s+(XMLHttpRequest|WebSocket|EventSource)\b/,
    new RegExp(`^[ \\t]*(import|from)\\s+(${pythonClients})\\b(?!\\s*=)`),
    new RegExp(`(\\brequire\\s*\\(|\\bimport\\s*\\(|\\bfrom|^[ \\t]*import)\\s*['"](${nodeClients})(/[\\w./-]*)?['"]`),
    /\burllib\.request\b|\bfrom\s+urllib\s+import\s+request\b|\burllib3\.|\burlopen\s*\(/,
    /\brequests\.(get|post|put|patch|delete|head|request|Session)\b|\bhttp\.client\.|\baxios[.(]|\basyncio\.open_connection\b/,
    /\b(curl|wget)\s|\bInvoke-WebRequest\b|\bNet::HTTP\b/,
  ]
    .map(({ source }) => `(${source})`)
    .join('|'),
  'm',
)
/** The built-in `fetch`, unless a script has its own. */
const fetchCall = /(?<!\b(def|function) |[.\w])fetch\s*\(/
const ownFetch = /\b(def|function|const|let|var|import)\b[^\n()=;]*\bfetch\b/
/** Commands of shells that download. */
const shellScript = /\.(sh|bash)$/i
const downloadCommand =
  /(^|[;&|({]|\b(then|do|else|sudo))[ \t]*((pip3?|pipx|npm|pnpm|yarn|bun|apt|apt-get|brew|cargo|gem)[ \t]+(-\S+[ \t]+)*(install|i|ci|add|create|update)\b|npx[ \t]|uvx?[ \t]|git[ \t]+(clone|fetch|pull|push)\b|(ssh|scp|rsync)[ \t])/m
const commentLine = /^[ \t]*(#|\/\/)(?!!).*$/gm

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
  const network = isScript ? networkUseIn(path, text) : undefined
  if (network !== undefined)
    notes.push({
      kind: 'network',
      path,
      line: lineAt(text, network),
      message: 'The script uses the network, but scripts run without network access',
    })
  for (const [what, pattern] of secrets)
    look('secret', pattern, () => `This looks like ${what}; a skill must not contain secrets`)
  return notes
}

/** Where a script first uses the network, as an index; undefined if it does not. */
function networkUseIn(path: string, text: string): number | undefined {
  // Comments keep their length, so that places stay.
  const code = text.replace(commentLine, (line) => ' '.repeat(line.length))
  const isLocal = /\bAF_UNIX\b/.test(code) && !networkSocket.test(code)
  const patterns = [
    networkUse,
    ...(isLocal ? [] : [socketUse]),
    ...(ownFetch.test(code) ? [] : [fetchCall]),
    ...(shellScript.test(path) ? [downloadCommand] : []),
  ]
  const found = patterns.flatMap((pattern) => pattern.exec(code)?.index ?? [])
  return found.length === 0 ? undefined : Math.min(...found)
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
