import { fileURLToPath } from 'node:url'
import type { Db } from './adapters/db/db.ts'
import { makeCallRoute } from './adapters/http/call-route.ts'
import { type OpenApi, openApiOf } from './adapters/http/openapi.ts'
import type { RateLimit } from './adapters/http/rate.ts'
import type { Route } from './adapters/http/route.ts'
import { installation } from './core/installation.ts'
import { agentRoutes } from './features/agents/routes.ts'
import { countTokensRoutes } from './features/anthropic/count-tokens.ts'
import { anthropicFileRoutes } from './features/anthropic/files.ts'
import { messagesRoutes } from './features/anthropic/routes.ts'
import { anthropicSkillRoutes } from './features/anthropic/skills.ts'
import { approvalRoutes } from './features/approvals/routes.ts'
import { artifactRoutes } from './features/artifacts/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { findBatch } from './features/batches/batch-store.ts'
import { batchRoutes } from './features/batches/routes.ts'
import { capsuleRoutes } from './features/capsules/routes.ts'
import { chatRoutes } from './features/chat/routes.ts'
import { hasSession } from './features/chat/session-history.ts'
import { consoleRoutes } from './features/console/routes.ts'
import { estimateRoutes } from './features/estimates/routes.ts'
import { evaluationRoutes } from './features/evaluations/routes.ts'
import { wakePending } from './features/executions/accept/pending.ts'
import { askedRoutes } from './features/executions/asked.ts'
import { loadExecution } from './features/executions/executions.ts'
import { findNamed } from './features/executions/find-named.ts'
import { forkRoutes } from './features/executions/forks.ts'
import { inputPageRoutes } from './features/executions/input-pages.ts'
import { type ExecutionRouteParts, executionRoutes } from './features/executions/routes.ts'
import { sessionRoutes } from './features/executions/sessions.ts'
import { topicOf } from './features/executions/topics.ts'
import { feedbackRoutes } from './features/feedback/routes.ts'
import { pageRoutes } from './features/files/pages.ts'
import { type FileParts, fileRoutes } from './features/files/routes.ts'
import { type MetricsParts, metricsRoutes } from './features/health/metrics-route.ts'
import { queuesRoutes } from './features/health/queues-route.ts'
import { healthRoutes, livingRoutes } from './features/health/routes.ts'
import { type SettingsParts, settingsRoutes } from './features/health/settings-route.ts'
import { improvementRoutes } from './features/improvements/routes.ts'
import { isFirstWorkspace } from './features/keys/keys.ts'
import { keyRoutes } from './features/keys/routes.ts'
import { mcpRoutes } from './features/mcp/routes.ts'
import { embeddingRoutes } from './features/openai/embeddings.ts'
import { openAiFileRoutes } from './features/openai/files.ts'
import { responsesRoutes } from './features/openai/routes.ts'
import { openAiSkillRoutes } from './features/openai/skills.ts'
import { transcriptionRoutes } from './features/openai/transcriptions.ts'
import { hubRoutes } from './features/predictions/hub-routes.ts'
import { predictionRoutes } from './features/predictions/routes.ts'
import { makeJudging, makeOnCase } from './features/programs/programs.ts'
import { programRoutes } from './features/programs/routes.ts'
import { replayRoutes } from './features/replays/routes.ts'
import { reviewRoutes } from './features/reviews/routes.ts'
import type { EngineParts } from './features/runs/runs.ts'
import type { TextStreams } from './features/runs/text-stream.ts'
import { savedFilterRoutes } from './features/saved-filters/routes.ts'
import { skillMakingRoutes } from './features/skill-making/routes.ts'
import { skillRoutes } from './features/skills/routes.ts'
import { usageRoutes } from './features/usage/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { type SignInRouteParts, signInRoutes } from './features/users/sign-in-routes.ts'
import { type WebhookRouteParts, webhookRoutes } from './features/webhooks/routes.ts'
import { callbackTopic } from './features/webhooks/webhooks.ts'
import { tools } from './tools/tools.ts'

const consoleFolder = fileURLToPath(new URL('dist/', installation.packageFolder('console')))
const documentation = fileURLToPath(new URL('dist/', installation.sharedFolder('site')))
const documents = fileURLToPath(installation.sharedFolder('docs'))

/** Dependencies of routes besides those of executions. */
export interface OtherRouteParts {
  /** Sees every workspace. */
  readonly everywhere: Db
  readonly files: Pick<FileParts, 'blobs' | 'publicUrl' | 'signingSecret' | 'bounds'>
  readonly chat: { readonly textStreams: TextStreams; readonly chatWaitMs: number }
  readonly callbacks: Pick<WebhookRouteParts, 'operatorSecret' | 'secretKeys'>
  readonly settings: Pick<SettingsParts, 'limits' | 'toolPrice'>
  /** What replays run with; judgements of programs use its settings. */
  readonly runs: Omit<EngineParts, 'db'>
  readonly telemetry: MetricsParts['telemetry']
  readonly signIn: Omit<SignInRouteParts, 'everywhere' | 'clock'>
}

type FigureParts = Pick<MetricsParts, 'telemetry' | 'queue' | 'folder'>

const hasBatch: WebhookRouteParts['hasBatch'] = async (sql, { workspaceId, executionId: id }) =>
  (await findBatch(sql, { workspaceId, id })) !== undefined

export function routesOf(
  executions: ExecutionRouteParts,
  rest: OtherRouteParts,
  routeRates?: ReadonlyMap<string, RateLimit>,
): Route[] {
  const { clock, queue, intake } = executions
  const { models, processPool, egress } = intake
  const { files, chat, callbacks } = rest
  const stored = { ...files, storageBytesMax: files.bounds.storageBytesMax }
  let document: OpenApi | undefined
  const openApi = (): OpenApi => {
    document ??= openApiOf(routes)
    return document
  }
  const judges = { clock, queue, shadow: rest.runs?.programs.shadow, processPool }
  const storing: FileParts = {
    clock,
    onSent: (tx, file) => wakePending({ tx, queue }, file),
    onUploadDropped: (tx, upload) => wakePending({ tx, queue }, upload),
    ...files,
  }
  const routes: Route[] = [
    ...savedFilterRoutes({ clock }),
    ...executionRoutes(executions),
    ...webhookRoutes({ clock, queue, ...callbacks, hasBatch }),
    ...askedRoutes(),
    ...forkRoutes({ ...executions, storageBytesMax: files.bounds.storageBytesMax }),
    ...sessionRoutes(),
    ...inputPageRoutes({ clock, processPool, ...files }),
    ...approvalRoutes({ clock, queue, ...files }),
    ...reviewRoutes({ clock, queue, processPool, judging: makeJudging(judges), onCase: makeOnCase(judges) }),
    ...artifactRoutes({ loadExecution, hasSession }),
    ...programRoutes({ clock, queue }),
    ...evaluationRoutes({
      clock,
      queue,
      onCase: makeOnCase(judges),
      models,
    }),
    ...improvementRoutes(executions),
    ...batchRoutes({ ...executions, blobs: rest.files.blobs }),
    ...predictionRoutes(executions),
    ...hubRoutes(),
    ...capsuleRoutes({ ...executions, ...stored, everywhere: rest.everywhere, secretKeys: callbacks?.secretKeys }),
    ...replayRoutes(rest.runs),
    ...estimateRoutes({ ...executions, toolPrice: rest.settings.toolPrice }),
    ...agentRoutes({ clock, processPool, egress }),
    ...feedbackRoutes({ clock, findExecution: findNamed }),
    ...chatRoutes({ ...executions, ...chat }),
    ...responsesRoutes({ ...executions, ...chat }),
    ...messagesRoutes({ ...executions, ...chat }),
    ...countTokensRoutes(rest.runs),
    ...fileRoutes(storing),
    ...openAiFileRoutes(storing),
    ...transcriptionRoutes({
      ...executions,
      ...chat,
      files: storing,
      transcriber: rest.runs?.media?.transcriber?.name,
    }),
    ...embeddingRoutes({ ...executions, ...chat, embedders: rest.runs?.models?.embedders ?? [] }),
    ...anthropicFileRoutes(storing),
    ...pageRoutes({ processPool, blobs: files.blobs }),
    ...mcpRoutes({
      ...{ clock, processPool, endings: executions.endings, blobs: files.blobs, publicUrl: files.publicUrl },
      callsOf: makeCallRoute(() => routes, routeRates),
    }),
    ...skillMakingRoutes({ ...executions, ...stored, processPool }),
    ...skillRoutes({ clock, processPool, ...stored }),
    ...openAiSkillRoutes({ clock, processPool, ...stored }),
    ...anthropicSkillRoutes({ clock, processPool, ...stored }),
    ...keyRoutes({ everywhere: rest.everywhere, clock }),
    ...signInRoutes({ ...rest.signIn, everywhere: rest.everywhere, clock }),
    ...userRoutes({
      ...{ everywhere: rest.everywhere, clock, passwords: rest.signIn?.passwords },
      provider: rest.signIn?.provider?.policy,
    }),
    ...usageRoutes({ clock }),
    ...auditRoutes({ everywhere: rest.everywhere }),
    ...healthRoutes({ models, openApi }),
    ...queuesRoutes({ everywhere: rest.everywhere, queue, isFirstWorkspace }),
    ...settingsRoutes({
      models,
      ...rest.settings,
      tools,
      extraTools: intake.extraTools,
    }),
    ...figureRoutes({ queue, telemetry: rest.telemetry, folder: rest.runs?.storage.temporaryFolder }),
    ...consoleRoutes({ folder: consoleFolder, documentation, documents }),
  ]
  return routes
}

/** Health and metrics of a worker. */
export function workerRoutes(parts: FigureParts): Route[] {
  return [...livingRoutes(), ...figureRoutes(parts)]
}

const figureRoutes = ({ queue, telemetry, folder }: FigureParts): Route[] =>
  metricsRoutes({
    telemetry,
    queue,
    folder,
    topics: { ...topicOf, callbacks: callbackTopic },
    isFirstWorkspace,
  })

/** The routes for generating their documentation; their handlers must not be called. */
export function apiRoutes(): Route[] {
  const noParts = { intake: {}, files: { bounds: {} }, settings: {} } as ExecutionRouteParts & OtherRouteParts
  return routesOf(noParts, noParts)
}
