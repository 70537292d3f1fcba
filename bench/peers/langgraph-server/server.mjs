// LangGraph's API server, in memory: that of `langgraphjs dev`, without file watching and with 64 workers instead of
// 10. The server that stores runs needs a licence. `node server.mjs MODEL_BASE_URL KEY` prints its address and serves
// until it is stopped.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

process.env.LOG_LEVEL ??= 'error'
const { startServer } = await import('@langchain/langgraph-api/server')
const state = await mkdtemp(join(tmpdir(), 'langgraph-server-'))
process.once('SIGTERM', () => {
  rmSync(state, { recursive: true, force: true })
  process.exit()
})
const module = new URL('graph.mjs', import.meta.url).pathname
const { host } = await startServer({
  port: 0,
  host: '127.0.0.1',
  nWorkers: 64,
  cwd: state,
  graphs: { agent: `${module}:agent` },
  auth: { path: `${module}:auth`, disable_studio_auth: true },
})
console.log(`http://${host}`)
