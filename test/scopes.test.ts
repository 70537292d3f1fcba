import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../packages/server/src/adapters/http/route.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { openTestService, type TestService } from './support/service.ts'

/** The scope of each operation, repeated here: detects a scope changed by mistake, and a new route without a considered scope. */
const expected: Readonly<Record<Scope | 'any' | 'public', string>> = {
  execute: `executeAgent cancelExecution pauseExecution resumeExecution resumeExecutions rerunExecution replayExecution forkExecution importCapsule redeliverCallback evaluateSkill
    createBatch pauseBatch resumeBatch cancelBatch retryBatch redeliverBatchCallback
    estimateExecution estimateBackfill createAgent submitFeedback createChatCompletion createChatCompletionShort
    createTranscription createEmbedding
    createResponse createResponseShort cancelResponse cancelResponseShort deleteResponse deleteResponseShort
    createMessage createMessageAlias createMessageShort countMessageTokens countMessageTokensAlias countMessageTokensShort
    generateFromDocument generateFromAudio generateFromVideo generateFromImage executeOnDocument executeOnAudio executeOnVideo executeOnImage proposeSchemaFromDocument proposeSchemaFromAudio proposeSchemaFromVideo proposeSchemaFromImage generateFromWeb createDataset createFineTuning provisionFineTuned generateFineTuned`,
  read: `getExecution listExecutions listSavedFilters listExecutionSteps listExecutionEvents followExecutions listCallbacks getExecutionRequest getCapsule diffExecutions
    listBatches listBatchCallbacks getBatch listBatchItems getBatchResults getArtifact listArtifacts listPrograms getProgram listSkillCases listSkillEvaluations getSkillEvaluation listSkillImprovements getSkillImprovement listAgents lookupAgent
    lookupAgentByQuery getAgent listFeedback verifyUpload listFiles findFileByHash getFile getFileContent drawFilePage readFilePage drawInputPage readInputPage listSkills
    lookupSkill getSkill downloadSkill listSkillVersions getUsage listApprovers listExecutionReviews listReviews getReview listReviewSettings
    getPrediction listPredictions getReviewStatistics
    listOpenAiSkills getOpenAiSkill listOpenAiSkillVersions getOpenAiSkillVersion getOpenAiSkillContent getOpenAiSkillVersionContent listAnthropicSkills listAnthropicSkillsAlias getAnthropicSkill getAnthropicSkillAlias listAnthropicSkillVersions listAnthropicSkillVersionsAlias getAnthropicSkillVersion getAnthropicSkillVersionAlias getAnthropicSkillVersionContent getAnthropicSkillVersionContentAlias
    listOpenAiFiles getOpenAiFile getOpenAiFileContent listAnthropicFiles listAnthropicFilesAlias getAnthropicFile getAnthropicFileAlias getAnthropicFileContent getAnthropicFileContentAlias
    getResponse getResponseShort listResponseInputItems listResponseInputItemsShort
    listSessions getSettings`,
  'skills:write': `createOpenAiSkill updateOpenAiSkill deleteOpenAiSkill createOpenAiSkillVersion deleteOpenAiSkillVersion createAnthropicSkill createAnthropicSkillAlias deleteAnthropicSkill deleteAnthropicSkillAlias createAnthropicSkillVersion createAnthropicSkillVersionAlias deleteAnthropicSkillVersion deleteAnthropicSkillVersionAlias
    compileProgram deleteProgram addSkillCases deleteSkillCase improveSkill cancelSkillImprovement createSkill updateSkill deleteSkill`,
  'files:write': `presignUpload uploadFile deleteFile uploadOpenAiFile deleteOpenAiFile
    uploadAnthropicFile uploadAnthropicFileAlias deleteAnthropicFile deleteAnthropicFileAlias`,
  review:
    'createSavedFilter replaceSavedFilter deleteSavedFilter reviewExecution claimNextReview claimReview releaseReview skipReview assignReview',
  approve: 'approveExecution rejectExecution',
  admin: `changeReviewSetting getCallbackSecret changeCallbackSecret createKey listKeys revokeKey listUsers addUser changeUser
    removeUser resetPassword listAudit getMetrics getQueues rotateCapsuleKey`,
  // Their answers contain no workspace data, are about the caller, or come from routes that check the scope again: test/mcp.test.ts.
  any: 'getMe signOut changePassword listOpenAiModels getOpenAiModel checkKey listModels listDomains listTools getDomainSchema getHubSchema getHubInfo listHubDomains hasHubDomain listDatasets getDataset listFineTuningJobs getFineTuningJob listFineTunedModels checkOpenAiKey callMcp',
  // A signed URL, a password, or no workspace data.
  public: `showApproval decideByLink getSignIn signIn beginProviderSignIn endProviderSignIn signOutAtProvider sendFile getPublicFile getSkillZip isAlive isReady getOpenApi listCapsuleKeys openConsole openDocumentation openApiReference getConsoleAsset`,
}
const routes = apiRoutes()
const guarded = routes.filter(({ scope }) => scope !== 'public')
const wordsOf = (text: string) => text.split(/\s+/)

test('every route needs the scope listed here, and each is listed once', () => {
  for (const [scope, operations] of Object.entries(expected)) {
    const declared = routes.filter((route) => route.scope === scope).map(({ operation }) => operation)
    expect([...new Set(declared)].sort(), scope).toEqual(wordsOf(operations).filter(Boolean).sort())
  }
})

test('changes need more than read, and reading never needs more than read except for admins', () => {
  // Lookups, and what people do with their own account.
  const looksUp = ['lookupAgent', 'lookupSkill', 'getDomainSchema', 'getHubSchema', 'signOut', 'changePassword']
  // Calls other routes, each of which checks its own scope.
  const passesOn = ['callMcp']
  for (const { method, operation, scope } of guarded) {
    if (method === 'get') expect(['read', 'any', 'admin'], operation).toContain(scope)
    else if (![...looksUp, ...passesOn].includes(operation)) expect(['read', 'any'], operation).not.toContain(scope)
  }
})

describe('over HTTP', () => {
  let service: TestService
  const keys = new Map<Scope | 'none' | 'expired' | 'revoked', string>()
  beforeAll(async () => {
    service = await openTestService({ config: { file: { limits: { requests_per_minute: 1_000_000 } } } })
    const make = async (body: object) => (await service.call('POST', '/v1/keys', { body })).json
    for (const scope of scopes) keys.set(scope, (await make({ scopes: [scope] })).key)
    const revoked = await make({ scopes: ['admin'] })
    keys.set('revoked', revoked.key)
    await service.call('DELETE', `/v1/keys/${revoked.id}`)
    const expired = await make({ scopes: ['admin'], expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    keys.set('expired', expired.key)
    await service.database.db.query('update keys set expires_at = created_at where id = $1', [expired.id])
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** Only the status: some bodies never end. */
  async function statusOf(route: (typeof routes)[number], key: string | undefined): Promise<number> {
    const going = new AbortController()
    const path = route.path.replaceAll(/\{\w+\}/g, crypto.randomUUID())
    const isJson = route.method !== 'get' && route.body !== undefined && route.body !== 'stream'
    try {
      const response = await fetch(service.url + path, {
        method: route.method.toUpperCase(),
        headers: {
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        },
        signal: going.signal,
        redirect: 'manual',
        ...(isJson ? { body: '"nothing that it takes"' } : {}),
      })
      return response.status
    } finally {
      going.abort()
    }
  }
  const keyOf = (kind: Parameters<typeof keys.get>[0]) => keys.get(kind) ?? ''

  test("a key without a route's scope is refused before any other check, and one with it is not", async () => {
    const wrong: string[] = []
    let refused = 0
    for (const route of guarded)
      for (const scope of scopes) {
        const status = await statusOf(route, keyOf(scope))
        const isAllowed = scope === 'admin' || route.scope === 'any' || route.scope === scope
        if ((status === 403) === isAllowed) wrong.push(`${route.operation} with ${scope}: ${status}`)
        if (status === 403) refused++
      }
    // Only an admin of the first workspace manages other workspaces, which this test does not cover.
    expect(wrong).toEqual([])
    expect(refused).toBeGreaterThan(guarded.length)
  })

  test('a missing, unknown, expired or revoked key opens no route', async () => {
    await expect.poll(async () => (await service.call('GET', '/v1/health', { key: keyOf('revoked') })).status).toBe(401)
    const wrong: string[] = []
    for (const route of guarded)
      for (const kind of ['none', 'expired', 'revoked'] as const) {
        const status = await statusOf(route, kind === 'none' ? undefined : keyOf(kind))
        // After many bad keys per minute, their network is refused.
        if (status !== 401 && !(status === 429 && kind !== 'none')) wrong.push(`${route.operation} ${kind}: ${status}`)
      }
    expect(wrong).toEqual([])
  })
})
