import { join } from 'node:path'
import type { Clock } from '@skillrun/core/clock.ts'
import { readKeyFile } from '@skillrun/core/secret-key-file.ts'
import { secretKeysOf } from '@skillrun/core/secret-keys.ts'
import { openDiskBlobs } from './adapters/blobs/disk/disk.ts'
import { parseS3Url } from './adapters/blobs/s3/address.ts'
import type { Db } from './adapters/db/db.ts'
import { migrate } from './adapters/db/migrate.ts'
import { type ConnectOptions, connect } from './adapters/db/postgres/connect.ts'
import { parsePrivateTargets } from './adapters/egress/private-targets.ts'
import { ownMark } from './adapters/host/process-mark.ts'
import { networksBehind } from './adapters/http/network.ts'
import { makeRateLimit, makeRouteRates } from './adapters/http/rate.ts'
import { type HttpParts, serveHttp } from './adapters/http/serve.ts'
import { makeSessionCookies, type SessionCookies } from './adapters/http/session-cookies.ts'
import { openQueue } from './adapters/queue/pgboss/pgboss-queue.ts'
import { requestKey, type Telemetry } from './adapters/telemetry/telemetry.ts'
import { openFfmpeg } from './adapters/transcoder/ffmpeg/ffmpeg.ts'
import { type BeginParts, type Begun, begin, type Undo } from './begin.ts'
import type { Config } from './config.ts'
import { limits } from './core/limits.ts'
import type { Log } from './core/log.ts'
import { microsOf } from './core/money.ts'
import { migrationsFolder } from './data-folder.ts'
import { sealSigningKeys } from './features/capsules/signing-keys.ts'
import { makeAdmission } from './features/executions/accept/admission.ts'
import type { Intake } from './features/executions/accept/intake.ts'
import { makeEventStreams } from './features/executions/follow/event-stream.ts'
import { listenForEndings } from './features/executions/follow/waiting.ts'
import type { ExecutionRouteParts } from './features/executions/routes.ts'
import { findChangedRoutes } from './features/improvements/compare-again.ts'
import { createFetchCache } from './features/inputs/fetched.ts'
import { ensureFirstWorkspace, makeAuthenticate, makeFirstKey } from './features/keys/keys.ts'
import { makeRateCounts } from './features/keys/rate-counts.ts'
import { ensureServerSecret } from './features/keys/secrets.ts'
import { type Models, makeModels } from './features/models/models.ts'
import { registerProcess } from './features/processes/processes.ts'
import { type ShadowSettings, shadowDefaults } from './features/programs/programs.ts'
import { keepTidy } from './features/retention/tidy.ts'
import type { EngineParts } from './features/runs/runs.ts'
import { listenForText } from './features/runs/text-stream.ts'
import {
  ensureFirstAdmin,
  makeFindSession,
  makePasswordHasher,
  makeRefreshCaller,
  type PasswordHasher,
} from './features/users/users.ts'
import { keepOperatorSecret, sealCallbackSecrets } from './features/webhooks/secrets.ts'
import { makeOpenEgress } from './open-egress.ts'
import { makeOpenIdentityProvider } from './open-identity-provider.ts'
import {
  checkLocalModels,
  embeddersOf,
  illustratorOf,
  makeOpenModel,
  ollamaProvider,
  transcriberOf,
} from './open-model.ts'
import { makeOpenSandbox, makeOpenScripts } from './open-sandbox.ts'
import { openTelemetryLater } from './open-telemetry.ts'
import { openAddedTools } from './open-tools.ts'
import { refuseOtherSettings, settingsOf } from './process-settings.ts'
import { apiRoutes, type OtherRouteParts, routesOf, workerRoutes } from './routes.ts'
import { startWork, topics } from './workers.ts'

/** A running server. */
export interface RunningServer {
  /** Where the API answers; undefined for a worker. */
  readonly url: string | undefined
  /** The admin key created at the very first start; null at every other. */
  readonly firstKey: string | null
  readonly models: Models
  /** Accepts no new work, waits for running work until `signal` aborts, returns the rest to the queue, and frees all resources. */
  stop(signal: AbortSignal): Promise<void>
}

export interface ServerParts extends BeginParts {
  /** How passwords are hashed, if not as recommended. */
  readonly passwords?: PasswordHasher
  /** Timeouts of the database, if other than the defaults. */
  readonly databaseBounds?: Pick<ConnectOptions, 'statementTimeoutMs' | 'answerGraceMs'>
}

/**
 * Creates the implementations of all adapters and starts the HTTP server. When it rejects, nothing is left running, nor of what was begun
 * before this module was loaded.
 */
export async function startServer(parts: ServerParts, beginning = begin(parts)): Promise<RunningServer> {
  const { begun, undos, undo: stop } = beginning
  try {
    return { ...(await openServer(parts, await begun, undos)), stop }
  } catch (error) {
    await stop(AbortSignal.abort())
    throw error
  }
}

async function openServer(parts: ServerParts, begun: Begun, undos: Undo[]): Promise<Omit<RunningServer, 'stop'>> {
  const { config, clock, log } = parts
  const isAllowed = parsePrivateTargets(config.allowPrivate)
  if (config.role !== 'api') await checkLocalModels(config.providers)
  // Started now, in parallel with the database.
  const ollama = ollamaProvider(config.ollama)
  const s3 = config.s3Url === undefined ? undefined : parseS3Url(config.s3Url)
  const { temporary, findSandbox, processPool } = begun
  const blobsFolder = join(config.dataFolder, 'blobs')
  const temporaryFolder = temporary.path
  const blobs = s3
    ? (await import('./adapters/blobs/s3/s3.ts')).openS3Blobs(s3, temporaryFolder)
    : await openDiskBlobs({ clock }, blobsFolder)
  const address = await begun.address
  await temporary.keep(config.databaseUrl === undefined && parts.databaseAddress === undefined)
  const reach = { address, clock, log, allowLossy: config.allowLossy }
  const db = await connect({ ...reach, ...parts.databaseBounds, connectionsMax: 12 })
  undos.push(() => db.close())
  await migrate(db, migrationsFolder, () => connect({ ...reach, connectionsMax: 1, statementTimeoutMs: 0 }))
  await ensureFirstWorkspace({ db, clock }, config.apiKey)
  const passwords = parts.passwords ?? makePasswordHasher()
  if (config.firstAdmin) await ensureFirstAdmin({ everywhere: db, clock, passwords }, config.firstAdmin)
  const secretKeys = secretKeysOf(config.secretKeys ?? (await readKeyFile(config.dataFolder)))
  const signingSecret = await ensureServerSecret({ db, clock, secretKeys }, 'signing')
  await sealCallbackSecrets({ db, clock, secretKeys })
  await sealSigningKeys({ everywhere: db, secretKeys })
  const models = makeModels(config.file, [...config.providers, ...(await ollama)])

  const opening = makeOpenModel()
  undos.push(async () => opening.close())
  if (config.callbackSecret !== undefined) await keepOperatorSecret({ db, clock, secretKeys }, config.callbackSecret)
  const settings = await settingsOf(config, { models, blobs })
  const slots = config.role === 'api' ? null : config.slots
  const processes = await registerProcess({ db, clock, log }, await ownMark(), { ...settings, slots })
  try {
    refuseOtherSettings(settings, await processes.settingsOfOthers(), { ...config, log })
  } catch (error) {
    await processes.close()
    throw error
  }
  const queue = await openQueue({ db, address, log }, topics)
  undos.push((signal) => queue.stop(signal))
  const telemetry = await openTelemetryLater({ tracesUrl: config.tracesUrl, log })
  undos.push(() => telemetry.close())
  const sandbox = makeOpenSandbox({ clock, log, findSandbox })
  undos.push(() => sandbox.close())
  const endings = await listenForEndings(db)
  undos.push(() => endings.close())

  const admission = makeAdmission(
    { db, clock, queue, onRefused: (reason) => telemetry.count('refused', { reason }) },
    {
      perTier: config.file.limits?.waiting_per_tier ?? limits.waitingPerTier,
      perWorkspace: config.file.limits?.waiting_per_workspace ?? limits.waitingPerWorkspace,
    },
  )
  const egress = makeOpenEgress({ isAllowed })
  const storageBytesMax = config.file.limits?.storage_bytes_per_workspace ?? limits.storageBytesPerWorkspaceMax
  const fetched = createFetchCache({ db, egress, clock, folder: temporaryFolder, storageBytesMax })
  const added = await openAddedTools(config, { egress, log })
  undos.push(() => added.close())
  const intake: Intake = {
    models,
    extraTools: added.extraTools,
    processPool,
    egress,
    signingSecret,
    admission,
    processId: processes.id,
  }
  const runs: EngineParts = {
    db,
    clock,
    processPool,
    storage: { blobs, fetched, signingSecret, temporaryFolder, storageBytesMax },
    media: {
      transcoder: openFfmpeg(process.env, findSandbox),
      transcriber: transcriberOf(config.file, config.providers),
      illustrator: illustratorOf(config.file, config.providers),
    },
    tools: {
      extra: added.extraTools,
      web: added.web,
      scripts: makeOpenScripts({ clock, findSandbox }, config),
      priceOf: toolPriceOf(config),
      onBug: (error, at) => log.error({ ...at, error }, 'a tool failed'),
    },
    models: {
      route: (model) => models.route(model),
      open: opening.open,
      embedders: embeddersOf(config.file, [...config.providers, ...(await ollama)]),
      attemptsMax: config.file.limits?.model_attempts ?? limits.modelAttemptsMax,
      turnsMax: config.file.limits?.model_turns ?? limits.modelTurnsMax,
      wallMs: config.file.limits?.model_call_ms ?? limits.modelCallWallMs,
    },
    programs: { sandbox, shadow: shadowOf(config) },
  }
  if (config.role !== 'api') {
    startWork(config, {
      queue,
      runs,
      worker: {
        queue,
        processes,
        endings,
        telemetry,
        log,
        runningPerWorkspace: config.file.limits?.running_per_workspace,
      },
      makers: { db, clock, queue, intake, blobs, processPool, storageBytesMax },
      callbacks: { secretKeys, egress },
    })
    await findChangedRoutes({ db, queue, models })
  }
  undos.push(keepTidy({ db, blobs, clock, log }, { retentionDays: config.file.limits?.retention_days ?? null }))
  const cookies = makeSessionCookies({ publicUrl: config.publicUrl })
  const httpParts = httpPartsOf(config, { db, clock, log, telemetry, cookies })
  if (config.role === 'worker') {
    const watched = config.workerPort === undefined ? undefined : { host: config.host, port: config.workerPort }
    const http =
      watched &&
      (await serveHttp({ ...httpParts, routes: workerRoutes({ queue, telemetry, folder: temporaryFolder }) }, watched))
    if (http) undos.push((signal) => http.close(signal))
    return { url: http?.url, firstKey: null, models }
  }

  const syncWaitMs = config.file.limits?.sync_wait_ms ?? limits.syncWaitMs
  const executionParts: ExecutionRouteParts = {
    clock,
    queue,
    intake,
    endings,
    eventStreams: makeEventStreams({
      ...{ db, endings, log },
      perWorkspaceMax: config.file.limits?.event_streams_per_workspace ?? limits.eventStreamsPerWorkspaceMax,
    }),
    publicUrl: config.publicUrl,
    syncWaitMs,
  }
  const textStreams = await listenForText(db)
  undos.push(() => textStreams.close())
  const rest: OtherRouteParts = {
    everywhere: db,
    files: {
      blobs,
      publicUrl: config.publicUrl,
      signingSecret,
      bounds: {
        storageBytesMax,
        uploadsPerKeyMax: config.file.limits?.uploads_per_key ?? limits.uploadsPerKeyMax,
      },
    },
    chat: { textStreams, chatWaitMs: config.file.limits?.sync_wait_ms ?? limits.chatWaitMs },
    callbacks: { secretKeys, operatorSecret: config.callbackSecret },
    runs,
    telemetry,
    settings: { limits: limitsInForce(config, storageBytesMax), toolPrice: toolPriceOf(config) },
    signIn: {
      ...{ log, cookies, passwords, limits: signInLimits({ clock, counts: makeRateCounts(db) }) },
      provider: config.oidc && {
        identities: makeOpenIdentityProvider(config.oidc.provider, { clock, egress }),
        ...{ policy: config.oidc.policy, secret: signingSecret, publicUrl: config.publicUrl },
      },
    },
  }
  const http = await serveHttp({ ...httpParts, routes: routesOf(executionParts, rest, httpParts.routeRates) }, config)
  undos.push((signal) => http.close(signal))
  // First to run at stop, without waiting for the database: after it, the end of this process is not a crash.
  undos.push(async () => {
    processes.close().catch((error: unknown) => log.warn({ error }, 'cannot record the end of this process'))
  })
  // Last, because the key is shown only once: no later failure may lose it.
  return { url: http.url, firstKey: await makeFirstKey({ db, clock }), models }
}

/** Authentication, rate limits and request logs of the HTTP server. */
function httpPartsOf(
  { file, trustedProxies }: Config,
  {
    db,
    clock,
    log,
    telemetry,
    cookies,
  }: { db: Db; clock: Clock; log: Log; telemetry: Telemetry; cookies: SessionCookies },
): Omit<HttpParts, 'routes'> {
  const byRoute = file.limits?.requests_per_minute_by_route
  const shared = { clock, counts: makeRateCounts(db) }
  return {
    db,
    authenticate: makeAuthenticate({ db, clock }),
    sessions: { cookies, find: makeFindSession({ everywhere: db, clock }) },
    refresh: makeRefreshCaller({ everywhere: db, clock }),
    rate: makeRateLimit(shared, {
      name: 'key',
      perMinute: file.limits?.requests_per_minute ?? limits.requestsPerMinute,
    }),
    ...(byRoute ? { routeRates: makeRouteRates(shared, byRoute, apiRoutes()) } : {}),
    follow: ({ operation, method, path }, requestId) => {
      const beganMs = clock.monotonicMs()
      const startedAt = clock.now()
      return (status, about) => {
        const ms = clock.monotonicMs() - beganMs
        telemetry.observe('http_request', { route: operation, status: String(status) }, ms / 1000)
        const executionId = about?.['execution']
        if (executionId !== undefined)
          telemetry.span({
            executionId,
            key: requestKey(requestId),
            name: `${method.toUpperCase()} ${path}`,
            kind: 'server',
            startedAt,
            endedAt: clock.now(),
            attributes: {
              'http.request.method': method.toUpperCase(),
              'http.route': path,
              'http.response.status_code': status,
              'skillrun.request.id': requestId,
              'skillrun.execution.id': executionId,
            },
          })
        log.info({ requestId, operation, status, ms: Math.round(ms), ...about }, 'request answered')
      }
    },
    networkOf: networksBehind(trustedProxies),
    badKeys: makeRateLimit(shared, { name: 'bad keys of', perMinute: limits.badKeysPerMinute }),
    log,
  }
}

const signInLimits = (shared: Parameters<typeof makeRateLimit>[0]) => ({
  perEmail: makeRateLimit(shared, { name: 'sign-ins of', perMinute: limits.signInsPerMinute }),
  perNetwork: makeRateLimit(shared, { name: 'sign-ins from', perMinute: limits.signInsPerMinuteAndNetwork }),
})

const shadowOf = ({ file }: Config): ShadowSettings => ({
  share: file.programs?.shadow_share ?? shadowDefaults.share,
  wrongRateMax: file.programs?.wrong_rate_max ?? shadowDefaults.wrongRateMax,
})

/** Limits for callers, by their configuration names; null: none. */
function limitsInForce({ file }: Config, storageBytesMax: number): OtherRouteParts['settings']['limits'] {
  return {
    requests_per_minute: file.limits?.requests_per_minute ?? limits.requestsPerMinute,
    waiting_per_tier: file.limits?.waiting_per_tier ?? limits.waitingPerTier,
    waiting_per_workspace: file.limits?.waiting_per_workspace ?? limits.waitingPerWorkspace,
    running_per_workspace: file.limits?.running_per_workspace ?? null,
    event_streams_per_workspace: file.limits?.event_streams_per_workspace ?? limits.eventStreamsPerWorkspaceMax,
    uploads_per_key: file.limits?.uploads_per_key ?? limits.uploadsPerKeyMax,
    storage_bytes_per_workspace: storageBytesMax,
    file_bytes: limits.fileBytesMax,
    input_bytes: limits.inputBytesMax,
    input_items: limits.inputItemsMax,
    batch_items: limits.batchItemsMax,
    skill_cases: limits.skillCasesMax,
    model_turns: file.limits?.model_turns ?? limits.modelTurnsMax,
    sync_wait_ms: file.limits?.sync_wait_ms ?? limits.syncWaitMs,
    retention_days: file.limits?.retention_days ?? null,
  }
}

/** Prices of tools, configured in dollars, in whole micro-dollars. */
function toolPriceOf(config: Config): (name: string) => number {
  const prices = new Map(
    Object.entries(config.file.prices?.tools ?? {}).map(([name, dollars]) => [name, microsOf(dollars)]),
  )
  return (name) => prices.get(name) ?? 0
}
