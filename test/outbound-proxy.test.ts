import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { openIdentityProvider, openTravellingBrowser } from './support/identity-provider.ts'
import { startMockModel } from './support/mock-model.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** Closes a server with its connections when the test ends, and gives the port that it listens on. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that reaches one server by any name, and the names that it was asked for. */
async function openProxy(reached: URL) {
  const asked: string[] = []
  // Without encryption clients send the whole URL; with it they ask for a connection.
  const proxy = createServer((received, reply) => {
    const url = new URL(received.url ?? '', 'http://nowhere.example.com')
    asked.push(`${url.hostname}:${url.port || 80}`)
    passOn(received, reply, { to: reached, path: url.pathname })
  })
  proxy.on('connect', (received, socket, head) => {
    asked.push(received.url ?? '')
    const onward = connect(Number(reached.port), reached.hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    for (const one of [onward, socket]) one.on('error', () => one.destroy())
  })
  return { asked, url: `http://127.0.0.1:${await listening(proxy)}` }
}

function passOn(received: IncomingMessage, reply: ServerResponse, { to, path }: { to: URL; path: string }) {
  const { method, headers } = received
  const onward = request({ host: to.hostname, port: to.port, path, method, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(reply)
  })
  onward.on('error', () => reply.destroy())
  received.pipe(onward)
}

/** Ends TLS before a server, for the names of example.com; `authority` is the file of what its clients have to trust. */
async function endTls(to: URL, context: TestContext) {
  const folder = await temporaryFolder('tls')
  const [key, authority] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const wanted = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=example.com'
  const named = ['-addext', 'subjectAltName=DNS:*.example.com', '-keyout', key, '-out', authority]
  if (spawnSync('openssl', ['req', ...wanted.split(' '), ...named]).status !== 0)
    context.skip('making a certificate needs openssl')
  const certificate = { key: await readFile(key), cert: await readFile(authority) }
  const server = createSecureServer(certificate, (received, reply) => {
    received.headers['x-forwarded-proto'] = 'https'
    passOn(received, reply, { to, path: received.url ?? '' })
  })
  return { authority, url: new URL(`https://127.0.0.1:${await listening(server)}`) }
}

const execution = (key: string, model: string) => ({
  method: 'POST',
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    batch: false,
    model,
    inputs: { text: 'Who pays?' },
    config: {
      prompt: 'Say in a few words who pays',
      json_schema: { type: 'object', properties: { payer: { type: ['string', 'null'] } } },
    },
  }),
})

test('on a machine behind a proxy a model provider and a tool server are called through it, and a provider on the machine itself is not', async () => {
  await using model = await startMockModel({ script: () => ({ text: '{"payer": null}' }) })
  const proxy = await openProxy(new URL(model.baseUrl))
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address, { HTTP_PROXY: proxy.url, OPENAI_API_KEY: 'a-key' })
  const path = new URL(model.baseUrl).pathname

  const folder = await temporaryFolder('proxy')
  const SKILLRUN_CONFIG = join(folder, 'configuration.json')
  await writeFile(SKILLRUN_CONFIG, JSON.stringify({ mcp: { far: { url: 'http://tools.example.com/mcp' } } }))

  const OPENAI_BASE_URL = `http://models.example.com${path}`
  const far = await cluster.start('all', { OPENAI_BASE_URL, SKILLRUN_CONFIG })
  const answer = await fetch(`${far.url}/v1/agent/execute`, execution(cluster.key, 'svc-agent-1:pro'))
  expect(await answer.json()).toMatchObject({ status: 'completed' })
  expect(new Set(proxy.asked)).toEqual(new Set(['models.example.com:80', 'tools.example.com:80']))
  await far.kill()

  proxy.asked.length = 0
  const near = await cluster.start('all', { OPENAI_BASE_URL: model.baseUrl })
  const other = await fetch(`${near.url}/v1/agent/execute`, execution(cluster.key, 'svc-agent-1:pro'))
  expect(await other.json()).toMatchObject({ status: 'completed' })
  expect(proxy.asked).toEqual([])
})

test('a model provider over TLS is called through a connection that the proxy opens', async (context) => {
  await using model = await startMockModel({ script: () => ({ text: '{"payer": null}' }) })
  const provider = await endTls(new URL(model.baseUrl), context)
  const proxy = await openProxy(provider.url)
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address, {
    ...{ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: provider.authority, OPENAI_API_KEY: 'a-key' },
    OPENAI_BASE_URL: `https://models.example.com${new URL(model.baseUrl).pathname}`,
  })
  const { url } = await cluster.start('all')
  const answer = await fetch(`${url}/v1/agent/execute`, execution(cluster.key, 'svc-agent-1:pro'))
  expect(await answer.json()).toMatchObject({ status: 'completed' })
  expect(new Set(proxy.asked)).toEqual(new Set(['models.example.com:443']))
})

test('people sign in by a provider behind the proxy, also where it names other hosts, but no private ones', async (context) => {
  const issuer = 'https://people.example.com'
  await using provider = await openIdentityProvider({}, issuer)
  const secured = await endTls(new URL(provider.url), context)
  const proxy = await openProxy(secured.url)
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address, {
    ...{ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: secured.authority },
    SKILLRUN_OIDC_ISSUER: issuer,
    SKILLRUN_OIDC_CLIENT_ID: provider.clientId,
    SKILLRUN_OIDC_CLIENT_SECRET: provider.clientSecret,
    SKILLRUN_OIDC_NEW_USERS: 'add',
  })
  provider.people.set('one', { email: 'one@example.com', email_verified: true })
  provider.signingIn = 'one'
  /** The browser of a person reaches the provider directly. */
  const signIn = async (tokenEndpoint: string) => {
    provider.describe = { token_endpoint: tokenEndpoint, jwks_uri: 'https://keys.example.com/jwks' }
    const { url, kill } = await cluster.start('all')
    provider.register(url)
    const browser = openTravellingBrowser((address, init) => {
      const { origin, host, pathname, search } = new URL(address)
      if (origin !== issuer) return fetch(address, init)
      const headers = { ...init.headers, 'X-Forwarded-Host': host, 'X-Forwarded-Proto': 'https' }
      return fetch(provider.url + pathname + search, { ...init, headers })
    })
    const end = await browser.visit(`${url}/v1/sign-in/provider`)
    await kill()
    return { end: end.url.slice(url.length), hasSession: browser.cookies.get(url)?.has('skillrun-session') }
  }

  expect(await signIn('https://tokens.example.com/token')).toEqual({ end: '/', hasSession: true })
  const through = ['people', 'tokens', 'keys'].map((name) => `${name}.example.com:443`)
  expect(new Set(proxy.asked)).toEqual(new Set(through))

  for (const host of ['10.0.0.5', 'tokens.internal'])
    expect(await signIn(`https://${host}/token`)).toMatchObject({ hasSession: false })
  expect(new Set(proxy.asked)).toEqual(new Set(through))
})
