/** Limits of the service. Each has its unit in the name and a reason. */
export const limits = {
  /** Executions that one page of a search reads, newest first: no index serves it, so this bounds its time. */
  searchedExecutionsMax: 10_000,
  /** A JSON body: enough for a few photos as data URLs. */
  jsonBodyBytesMax: 16 * 1024 * 1024,
  /** Values and names in a JSON body: parsing the most expensive kind (distinct names) stays under 50 ms. */
  jsonValuesMax: 100_000,
  /** Idle and total time of a JSON body: 16 MiB at little more than 1 Mbit/s. */
  jsonBodyIdleMs: 20_000,
  jsonBodyWallMs: 120_000,
  /** Nesting depth: more than real requests need, and safe for recursive code. */
  jsonDepthMax: 200,
  /** Bytes of all property names of a body: the engine interns each distinct name, which cannot be interrupted. */
  jsonNameBytesMax: 4 * 1024 * 1024,
  /** Size of an uploaded file. */
  fileBytesMax: 4 * 1024 * 1024 * 1024,
  /** Default for all files, skills and artifacts of a workspace, including uploads in progress. */
  storageBytesPerWorkspaceMax: 100 * 1024 * 1024 * 1024,
  /** Concurrent uploads per key, in all processes together. */
  uploadsPerKeyMax: 64,
  /** Total time of an upload: 4 GiB at 2.4 Mbit/s. */
  uploadWallMs: 4 * 3_600_000,
  /** The lowest average speed of an upload, checked after a minute. */
  uploadBytesPerSecondMin: 4_096,
  uploadGraceMs: 60_000,
  /** Size of an input that an execution reads; larger files can be stored but not read. */
  inputBytesMax: 256 * 1024 * 1024,
  /** A text in a request up to this size is read directly from it: faster than storing a file and its parsed document. */
  smallTextBytesMax: 32 * 1024,
  /** Questions that one program may ask language models. */
  asksPerProgramMax: 50,
  /** A file from a URL. */
  fetchBytesMax: 256 * 1024 * 1024,
  fetchWallMs: 60_000,
  fetchRedirectsMax: 5,
  /** Documents per execution. */
  inputItemsMax: 200,
  /** Slots of `inputs`, including plain values, and the length of a slot's name. */
  inputSlotsMax: 1_000,
  slotNameCharactersMax: 255,
  /** Tools, toolsets or skills in one request. */
  listItemsMax: 100,
  /** Real URLs are shorter; data URLs are only limited by the body. */
  inputUrlCharactersMax: 8_192,
  /** A caller's schema: size, depth and properties. */
  schemaBytesMax: 1024 * 1024,
  schemaDepthMax: 64,
  schemaPropertiesMax: 5_000,
  /** Branches of one `oneOf`, `anyOf` or `allOf`: compiling 3,000 overflows the stack. */
  schemaBranchesMax: 1_000,
  promptCharactersMax: 200_000,
  /** Cases of a skill, of one request, and of one evaluation. */
  skillCasesMax: 1_000,
  casesPerRequestMax: 100,
  evaluationCasesMax: 200,
  /** Evaluations that a process advances concurrently: their runs are executions of the flex tier. */
  evaluationSlots: 2,
  /** Documents of a batch, and its executions that exist and have not ended: the default and the maximum. */
  batchItemsMax: 10_000,
  batchInFlight: 50,
  batchInFlightMax: 1_000,
  /** Jobs of batches that a process works on concurrently: short queries, and creating executions. */
  batchSlots: 4,
  /** Comparing the answers of one case. */
  compareWallMs: 20_000,
  /** How long a claim keeps a review from others; claiming it again extends the time. */
  reviewClaimMs: 15 * 60_000,
  /** Saved filters of a workspace: people choose one from a list. */
  savedFiltersMax: 200,
  /** Changes of one review. */
  reviewChangesMax: 1_000,
  /** Rows of a list in one change of a review. */
  reviewRowsMax: 100_000,
  filenameCharactersMax: 255,
  skillNameCharactersMax: 255,
  /** A skill's description; the open standard's limit is 1,024. */
  skillDescriptionCharactersMax: 4_096,
  /** The zip of a skill, packed and unpacked: fits into the memory of a child and into its reply. */
  bundleZipBytesMax: 32 * 1024 * 1024,
  bundleBytesMax: 48 * 1024 * 1024,
  /** Entries of a zip including folders, nesting of folders, and bytes of a path. */
  bundleEntriesMax: 2_000,
  bundleDepthMax: 16,
  bundlePathBytesMax: 512,
  /** Compression ratio of anything that unpacks to a megabyte or more: text has 10, zip bombs 1,000. */
  bundleRatioMax: 200,
  /** SKILL.md, schema.json, skill.yaml and evals.json: they are read completely, and instructions are sent to models. */
  bundleTextBytesMax: 1024 * 1024,
  /** Schemas and inline bundles of the skills in one request, which are stored with it: two of the largest bodies. */
  pinnedSkillsCharactersMax: 32 * 1024 * 1024,
  bundleWallMs: 15_000,
  bundleMemoryMb: 512,
  /** Candidate skills from sessions that are checked concurrently: each check takes milliseconds. */
  proofSlots: 2,
  /** Messages of one chat request; the body limits their text. */
  chatMessagesMax: 5_000,
  /** Stored turns of a session that are used when a client does not send them again. */
  chatTurnsMax: 100,
  /** How long a chat reply is awaited: as long as OpenAI's own clients wait. */
  chatWaitMs: 600_000,
  /** A streamed reply that has not started by then gets its headers anyway; an earlier failure can still have its own status. */
  chatOpeningMs: 10_000,
  /** How long batch:false waits for the end before it returns the record as it is. */
  syncWaitMs: 120_000,
  /** How long a router waits for a reply to begin after the last byte of a request: longer than any route waits. */
  shardAnswerMs: 660_000,
  /** How often a waiter checks for the end itself, in case the notification was lost. */
  endPollMs: 2_000,
  /** Reading one document in a child process, including OCR of many pages. */
  readWallMs: 10 * 60_000,
  readMemoryMb: 2_048,
  /** Extracting the fields of one execution. */
  extractWallMs: 120_000,
  extractMemoryMb: 1_024,
  /** Compiling a schema, or compiling it and checking one answer: two seconds at most for the largest on an idle machine. */
  schemaWallMs: 10_000,
  /** All regular expressions and references of a schema during one answer or one check: stops hostile schemas. */
  schemaPatternWallMs: 2_000,
  schemaMemoryMb: 512,
  /** One model call: a long answer after much reasoning. */
  modelCallWallMs: 300_000,
  /** Attempts per model call when failures are retryable, including the first. */
  modelAttemptsMax: 5,
  /** When the budget does not cover a full reply, the reply is capped, down to this many tokens; below that the run pauses. */
  shortReplyTokens: 256,
  /** Default for the model turns of an execution: a run that makes no progress ends. Its cost, time and steps have limits of their own. */
  modelTurnsMax: 1_000,
  /** Programs that a model may write for one execution. */
  codeTurnsMax: 20,
  /** One run of a program that a model wrote: it may wait for slow tools and read long documents. */
  codePrograms: {
    wallMs: 300_000,
    cpuMs: 10_000,
    memoryMb: 256,
    outputBytesMax: 8 * 1024 * 1024,
    hostCallsMax: 1_000,
    consoleBytesMax: 64 * 1024,
  },
  /** Warnings per run. */
  warningsMax: 100,
  /** Programs that one process compiles concurrently: each occupies a child of the process pool for seconds. */
  programSlots: 2,
  /** Crashes of processes during one execution, without a recorded step in between, before it fails as `poison`. */
  crashesMax: 3,
  /** A process of another host counts as crashed when its database session has been gone for this long. */
  processMissingMs: 60_000,
  /** How long a run keeps its state in memory while the database is unavailable. */
  databaseAwayMs: 10 * 60_000,
  /** Leases: a worker can miss two heartbeats and keep its lease; lapsed leases are searched for every `sweepMs`. */
  heartbeatMs: 1_000,
  leaseMs: 4_000,
  sweepMs: 1_000,
  /** How long an aborted handler may take to stop, ten times what killing its children takes; then its slot is reused. */
  letGoMs: 10_000,
  /** Status changes recorded per execution; it cannot be paused more often. */
  executionMovesMax: 1_000,
  /** Open event streams per process, and how often the process polls for all of them. */
  eventStreamsMax: 1_000,
  /** Per workspace, so that one cannot take all of them. */
  eventStreamsPerWorkspaceMax: 250,
  eventPollMs: 200,
  /** An idle stream sends a heartbeat this often, so that proxies do not close it. */
  eventHeartbeatMs: 15_000,
  /** How long the answer of an execution without retention is kept for its first reader. */
  unretainedAnswerMs: 3_600_000,
  /** How often a process looks for expired rows and unreferenced blobs. */
  tidyMs: 60_000,
  /** How often all blobs are checked for missing references, and their minimum age: drafts of skills wait for their proof. */
  blobSweepMs: 6 * 3_600_000,
  orphanBlobMs: 24 * 3_600_000,
  /** Time from SIGTERM to exit. */
  drainMs: 20_000,
  /** Pauses between the attempts of a callback, before jitter; the last attempt is at the end of the window. */
  callbackPausesMs: [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, 86_400].map((s) => s * 1000),
  /** Time from the first attempt of a callback to the last. */
  callbackWindowMs: 72 * 3_600_000,
  /** A receiver must acknowledge a callback within this time. */
  callbackWallMs: 30_000,
  /** Concurrent callbacks per process: they mostly wait for a receiver, and hold a socket and their bytes. */
  callbackSlots: 256,
  /** Per workspace and receiver, so that a dead receiver blocks only these slots. */
  callbackSlotsPerReceiver: 8,
  /** Per workspace, for all its receivers together. */
  callbackSlotsPerWorkspace: 192,
  /** A slower receiver counts as slow; all slow receivers of a workspace together may use this many slots of a process. */
  callbackSlowMs: 1_000,
  callbackSlowSlotsPerWorkspace: 64,
  callbackUrlCharactersMax: 8_192,
  /** After a change of its secret, callbacks are also signed with the previous one. */
  callbackSecretOverlapMs: 24 * 3_600_000,
  /** The longest time until a revoked key is refused. */
  keyCacheMs: 1_000,
  /** How often a long request, such as a stream of events, checks that its key, session and role still hold. */
  callerCheckMs: 5_000,
  requestsPerMinute: 12_000,
  /** Pipelined requests that wait on one connection: real clients send a handful. */
  waitingPerConnection: 100,
  /** Waiting executions: beyond that, refusing is better than an answer tomorrow. One workspace may have half of them. */
  waitingPerTier: 100_000,
  waitingPerWorkspace: 50_000,
  /** Invalid keys from one address: allows a few mistakes, slows down guessing. */
  badKeysPerMinute: 30,
  /** Sign-ins by password per email address, and per address of the network, in all processes together: right ones count too. */
  signInsPerMinute: 10,
  signInsPerMinuteAndNetwork: 60,
  /** A session ends this long after its sign-in, and this long after its last request. */
  sessionMs: 7 * 24 * 3_600_000,
  sessionIdleMs: 12 * 3_600_000,
  /** Sessions of one user: more push out the oldest. */
  sessionsPerUserMax: 50,
  /** A sign-in at an identity provider: from the click to the way back. */
  providerSignInMs: 10 * 60_000,
  /** A request to the identity provider, and its reply. */
  identityProviderMs: 10_000,
  identityProviderBytesMax: 1024 * 1024,
  /** Hashes of passwords that one process computes at the same time (32 MiB and a tenth of a second each), and that wait. */
  passwordHashesAtOnce: 2,
  passwordHashesWaiting: 50,
  passwordCharactersMin: 12,
  passwordCharactersMax: 256,
  emailCharactersMax: 254,
  userNameCharactersMax: 100,
} as const
