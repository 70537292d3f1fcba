/** Bounds of the service. Each has a unit in its name and a reason. */
export const limits = {
  /** A JSON body: room for a few photographs as data URLs. */
  jsonBodyBytesMax: 16 * 1024 * 1024,
  /** Values and names in a JSON body: parsing as many of the costliest kind (names, all different) stays under 50 ms. */
  jsonValuesMax: 100_000,
  /** Silence in the middle of a JSON body, and its whole time: 16 MiB at little more than 1 Mbit/s. */
  jsonBodyIdleMs: 20_000,
  jsonBodyWallMs: 120_000,
  /** Objects in objects: deeper than any honest request, shallow enough for every recursive walk. */
  jsonDepthMax: 200,
  /** All names of properties of one body: each different one is made known to the engine, which cannot be interrupted. */
  jsonNameBytesMax: 4 * 1024 * 1024,
  /** One uploaded file. */
  fileBytesMax: 4 * 1024 * 1024 * 1024,
  /** All files, skills and artifacts of one workspace together, with what is being transferred, unless the configuration says otherwise. */
  storageBytesPerWorkspaceMax: 100 * 1024 * 1024 * 1024,
  /** Uploads that one key may have in progress, in all processes together. */
  uploadsPerKeyMax: 64,
  /** An upload from its first byte to its last: 4 GiB at 2.4 Mbit/s. */
  uploadWallMs: 4 * 3_600_000,
  /** The slowest upload that is waited for, on average, once it has had a minute. */
  uploadBytesPerSecondMin: 4_096,
  uploadGraceMs: 60_000,
  /** A file that one execution reads into the engine; larger ones are stored but not read. */
  inputBytesMax: 256 * 1024 * 1024,
  /** A text in a request that is read from there: reading it again is quicker than a file for it, and than keeping its reading. */
  smallTextBytesMax: 32 * 1024,
  /** Questions that one program may ask a language model. */
  asksPerProgramMax: 50,
  /** A file fetched from a URL. */
  fetchBytesMax: 256 * 1024 * 1024,
  fetchWallMs: 60_000,
  fetchRedirectsMax: 5,
  /** Documents of one execution. */
  inputItemsMax: 200,
  /** Slots of `inputs`, plain values among them, and the name of one. */
  inputSlotsMax: 1_000,
  slotNameCharactersMax: 255,
  /** Tools, toolsets or skills that one request names. */
  listItemsMax: 100,
  /** A longer one is no address that anybody serves; data URLs may be as long as the body. */
  inputUrlCharactersMax: 8_192,
  /** The caller's schema: its text, its nesting and the properties in it. */
  schemaBytesMax: 1024 * 1024,
  schemaDepthMax: 64,
  schemaPropertiesMax: 5_000,
  /** Of one `oneOf`, `anyOf` or `allOf`: compiling 3,000 takes more stack than there is. */
  schemaBranchesMax: 1_000,
  promptCharactersMax: 200_000,
  /** Known answers that are added to a skill, those of one request, and those that one evaluation runs. */
  skillCasesMax: 1_000,
  casesPerRequestMax: 100,
  evaluationCasesMax: 200,
  /** Evaluations that a process looks at in one moment: their runs are executions of the flex tier. */
  evaluationSlots: 2,
  /** Comparing the answers to one known answer. */
  compareWallMs: 20_000,
  filenameCharactersMax: 255,
  skillNameCharactersMax: 255,
  /** Of a skill's description; the open standard's own bound is 1,024. */
  skillDescriptionCharactersMax: 4_096,
  /** The zip of a skill, packed and unpacked: whole in the memory of a child, and under what a child may answer. */
  bundleZipBytesMax: 32 * 1024 * 1024,
  bundleBytesMax: 48 * 1024 * 1024,
  /** Entries of a zip, folders among them; folders in folders; and the bytes of a path. */
  bundleEntriesMax: 2_000,
  bundleDepthMax: 16,
  bundlePathBytesMax: 512,
  /** Unpacked for packed, of whatever unpacks to a megabyte or more: text packs to a tenth, bombs to a thousandth. */
  bundleRatioMax: 200,
  /** SKILL.md, schema.json, skill.yaml and evals.json: they are read whole, and instructions are sent to models. */
  bundleTextBytesMax: 1024 * 1024,
  /** Schemas and inline bundles of the skills of one request, which are kept with it: two of the largest bodies. */
  pinnedSkillsCharactersMax: 32 * 1024 * 1024,
  bundleWallMs: 15_000,
  bundleMemoryMb: 512,
  /** Skills from sessions that are looked at in one moment: each look takes milliseconds. */
  proofSlots: 2,
  /** Messages of one request of a chat: its text is bounded by the body. */
  chatMessagesMax: 5_000,
  /** Turns of a session that are read back where a client does not send them again. */
  chatTurnsMax: 100,
  /** How long the reply of a chat is waited for: as long as OpenAI's own clients wait. */
  chatWaitMs: 600_000,
  /** A streamed reply that does not begin within it is opened all the same: until then a failure has its own status. */
  chatOpeningMs: 10_000,
  /** How long a caller of batch:false is kept waiting before the record is answered as it stands. */
  syncWaitMs: 120_000,
  /** Whoever waits for an end looks again after this time: the message that tells of it may be lost. */
  endLookMs: 2_000,
  /** Reading one document in the child, OCR of many pages included. */
  readWallMs: 10 * 60_000,
  readMemoryMb: 2_048,
  /** Extracting the fields of one execution. */
  extractWallMs: 120_000,
  extractMemoryMb: 1_024,
  /** Compiling a schema, and compiling it and checking one answer: two seconds at most for the largest, on a machine with time. */
  schemaWallMs: 10_000,
  /** All patterns of a schema while one answer is made, and one check of an answer: a hostile pattern or fan of references ends here. */
  schemaPatternWallMs: 2_000,
  schemaMemoryMb: 512,
  /** One call of a language model: a long answer with much thought before it. */
  modelCallWallMs: 300_000,
  /** Calls for one turn, the first included, when they fail and may pass. */
  modelAttemptsMax: 5,
  /** A budget too small for a whole reply caps it, down to this many tokens; below that the run pauses. */
  shortReplyTokens: 256,
  /** Turns of one execution: a run that takes more goes in circles. */
  modelTurnsMax: 100,
  /** Programs that a model writes for one execution. */
  codeTurnsMax: 20,
  /** One run of a program that a model wrote: it may wait for slow tools, and reads documents of many pages. */
  codePrograms: {
    wallMs: 300_000,
    cpuMs: 10_000,
    memoryMb: 256,
    outputBytesMax: 8 * 1024 * 1024,
    hostCallsMax: 1_000,
    consoleBytesMax: 64 * 1024,
  },
  /** Warnings of one run. */
  warningsMax: 100,
  /** Programs that one process compiles at once: each holds a child of the workshop for seconds. */
  programSlots: 2,
  /** Processes that may crash while they run one execution, with no step recorded in between, before it fails as `poison`. */
  crashesMax: 3,
  /** A process of another host has crashed when its session with the database has been missing this long. */
  processMissingMs: 60_000,
  /** What a run has in memory is written when the database is back, if that is within this time. */
  databaseAwayMs: 10 * 60_000,
  /** A worker may miss two heartbeats and still keep its lease; one that is silent for longer is looked for this often. */
  heartbeatMs: 1_000,
  leaseMs: 4_000,
  sweepMs: 1_000,
  /** A handler that was aborted has this long to stop, ten times what killing its children takes; then its slot goes to others. */
  letGoMs: 10_000,
  /** Moves of the status that are kept with an execution: it may not be paused beyond. */
  executionMovesMax: 1_000,
  /** Open streams of events in one process, and how often it looks on behalf of all of them for something new. */
  eventStreamsMax: 1_000,
  /** Of one workspace: it cannot take all of them. */
  eventStreamsPerWorkspaceMax: 250,
  eventLookMs: 200,
  /** A stream that says nothing for this long says so, lest something between takes it for dead. */
  eventHeartbeatMs: 15_000,
  /** How long the answer of an execution without retention waits for its first reader. */
  unretainedAnswerMs: 3_600_000,
  /** How often a process looks for what is to be purged, and for bytes that nobody needs any more. */
  tidyMs: 60_000,
  /** How often it goes through all blobs for those that no row names, and how old they must be: drafts of skills wait for their proof. */
  blobSweepMs: 6 * 3_600_000,
  orphanBlobMs: 24 * 3_600_000,
  /** From SIGTERM to exit. */
  drainMs: 20_000,
  /** The pauses between the tries of a callback, each with its jitter; the last ends with the window. */
  callbackPausesMs: [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, 86_400].map((s) => s * 1000),
  /** From the first try of a callback to the last. */
  callbackWindowMs: 72 * 3_600_000,
  /** A receiver that does not acknowledge within it has not. */
  callbackWallMs: 30_000,
  /** Callbacks under way at once in a process: mostly they wait for a receiver, and hold a socket and their bytes. */
  callbackSlots: 256,
  /** Of one workspace to one receiver: a dead one holds these slots and no more. */
  callbackSlotsPerReceiver: 8,
  /** Of one workspace, all its receivers together. */
  callbackSlotsPerWorkspace: 192,
  /** A receiver that takes longer is slow; slow ones of one workspace hold these slots of a process and no more, however many they are. */
  callbackSlowMs: 1_000,
  callbackSlowSlotsPerWorkspace: 64,
  callbackUrlCharactersMax: 8_192,
  /** After a change of its secret, callbacks are signed with the one before too. */
  callbackSecretOverlapMs: 24 * 3_600_000,
  /** A revoked key is refused after this long at most. */
  keyCacheMs: 1_000,
  requestsPerMinute: 12_000,
  /** Requests that a connection brought while one of its own is worked on: clients that send ahead send a handful. */
  waitingPerConnection: 100,
  /** Executions that may wait: beyond, a refusal now is kinder than an answer tomorrow. One workspace may fill half. */
  waitingPerTier: 100_000,
  waitingPerWorkspace: 50_000,
  /** Keys that are not valid from one address: a mistaken client may try a few times, a guesser is slowed down. */
  badKeysPerMinute: 30,
} as const
