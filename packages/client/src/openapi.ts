// Made by scripts/openapi.ts from the routes themselves; a check compares the two. Not changed by hand.

/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type HTTPValidationError = {
  readonly detail: readonly ({
    readonly loc: readonly (string | number)[]
    readonly msg: string
    readonly type: string
    readonly input?: Json | undefined
    readonly ctx?: { readonly [key: string]: Json } | undefined
  })[]
}

export type Failure = {
  readonly detail: string
}

export type OpenAIFailure = {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string | null
    readonly param: string | null
  }
}

export type AnthropicFailure = {
  readonly type: 'error'
  readonly error: {
    readonly type: string
    readonly message: string
    readonly code: string | null
    readonly details: {
      readonly error_code?: string | undefined
    } | null
  }
}

export type McpFailure = {
  readonly jsonrpc: '2.0'
  readonly id: null
  readonly error: {
    readonly code: number
    readonly message: string
    readonly data: { readonly [key: string]: Json }
  }
}

export type SavedFilter = {
  readonly id: string
  /** Unique in the workspace */
  readonly name: string
  /** Query of GET /v1/agent/executions, without skip, limit and cursor */
  readonly query: {
    readonly status?: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | undefined
    /** `<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns */
    readonly name?: string | undefined
    /** The `id` of the request */
    readonly client_id?: string | undefined
    readonly service_tier?: 'standard' | 'flex' | 'priority' | undefined
    readonly session_id?: string | undefined
    /** Executions of this batch */
    readonly batch_id?: string | undefined
    /** needed: executions in the review queue; done: reviewed executions */
    readonly review?: 'needed' | 'done' | undefined
    /** needed: executions that wait for an approval; done: executions with a decision */
    readonly approval?: 'needed' | 'done' | undefined
    /** UUID of a version, name, or name:version */
    readonly skill_id?: string | undefined
    readonly created_after?: string | undefined
    readonly created_before?: string | undefined
    readonly purpose?: 'work' | 'evaluation' | 'shadow' | 'all' | undefined
    /** A part of the agent's name, the names of input files, an id, the session or the answer, in any case. One page looks through at most 10000 executions; the Link header leads to the older ones */
    readonly q?: string | undefined
  }
  /** Who saved it last */
  readonly saved_by: Actor
  readonly created_at: string
  readonly updated_at: string
}

/** Who did something: a signed-in user, or the key that was used */
export type Actor = {
  readonly kind: 'key' | 'user'
  readonly id: string
  readonly name: string
}

export type SavedFilterRequest = {
  /** Unique in the workspace */
  readonly name: string
  /** Same fields as the query of GET /v1/agent/executions, without skip, limit and cursor */
  readonly query: {
    readonly status?: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | undefined
    /** `<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns */
    readonly name?: string | undefined
    /** The `id` of the request */
    readonly client_id?: string | undefined
    readonly service_tier?: 'standard' | 'flex' | 'priority' | undefined
    readonly session_id?: string | undefined
    /** Executions of this batch */
    readonly batch_id?: string | undefined
    /** needed: executions in the review queue; done: reviewed executions */
    readonly review?: 'needed' | 'done' | undefined
    /** needed: executions that wait for an approval; done: executions with a decision */
    readonly approval?: 'needed' | 'done' | undefined
    /** UUID of a version, name, or name:version */
    readonly skill_id?: string | undefined
    /** A time with UTC offset, or a date (midnight UTC) */
    readonly created_after?: string | undefined
    /** Exclusive; same format as created_after */
    readonly created_before?: string | undefined
    readonly purpose?: 'work' | 'evaluation' | 'shadow' | 'all' | undefined
    /** A part of the agent's name, the names of input files, an id, the session or the answer, in any case. One page looks through at most 10000 executions; the Link header leads to the older ones */
    readonly q?: string | undefined
  }
}

export type AgentExecutionResponse = {
  readonly id: string
  /** `<name>:<version>` of the agent; executing this name runs the same version. `chat` for chat turns */
  readonly name: string
  /** Id of the agent version; null for chat turns */
  readonly agent_id: string | null
  /** The request `id` of the caller unless it is a UUID; a UUID is the id of the execution itself */
  readonly client_id: string | null
  readonly response: Json
  /** program: a program answered without an agent. agent: an agent answered, or the fields that a program left to it */
  readonly execution_mode: 'agent' | 'program'
  /** JSON Pointer of a field (a list as a whole) → what answered it, if a program answered some fields and left others to an agent, or if the answer keeps fields of `base_execution`; otherwise null */
  readonly execution_modes: { readonly [key: string]: 'agent' | 'program' | 'kept' } | null
  /** The way of the answer with `config.path: "cheapest"`; otherwise null */
  readonly path: CheapestPath | null
  readonly status: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'
  readonly created_at: string
  readonly completed_at: string | null
  readonly usage: CreditUsageResponse
  readonly error: ExecutionFailure | null
  /** The model identifier of the request, of a skill, or the default; usable in a new request */
  readonly model: string
  readonly model_selection: ModelSelection
  readonly service_tier: 'standard' | 'flex' | 'priority'
  readonly skills: readonly (ExecutionSkill)[]
  readonly program: {
    readonly id: string
    readonly sha256: string
  } | null
  /** The program execution that this execution checks */
  readonly shadow_of: string | null
  readonly session_id: string | null
  /** The batch that the execution belongs to */
  readonly batch_id: string | null
  /** The execution whose first steps this one keeps */
  readonly forked_from: string | null
  /** The earlier execution whose answer and pages this one could keep */
  readonly base_execution: string | null
  /** The id of the execution in the capsule that it was imported from */
  readonly imported_from: string | null
  /** Whether a key of this server signed the capsule that it was imported from; null: it ran here */
  readonly trusted: boolean | null
  /** JSON Pointer of a leaf of the response → its place in the input */
  readonly evidence: { readonly [key: string]: Evidence } | null
  /** null without a schema or without an answer */
  readonly completeness: Completeness | null
  /** JSON Pointers of the values that a person should check and nobody has: those below `completeness.review_below`, or else those that `completeness.low_confidence` counts, values left out although they are likely, and, with a review rule, required fields that the answer lacks, rows and lists that a warning names, and all values of an answer without evidence. null before the answer, and in older records */
  readonly needs_look: readonly (string)[] | null
  /** Warnings about the answer; often empty */
  readonly warnings: readonly (Warning)[]
  /** The response as people corrected it, beside the `response`, which stays as it was; null before a review */
  readonly reviewed_response: Json
  /** The latest decision that the execution waits or waited for */
  readonly approval: Approval | null
  /** null if there is no answer to review */
  readonly review: Review | null
  readonly attempts: number
}

export type CheapestPath = {
  /** The accepted share of wrong values of each field */
  readonly max_wrong_rate: number
  /** Whether the large model was asked for all fields, to judge the others */
  readonly checked: boolean
  /** JSON Pointer of a field (a list as a whole) → what answered it: `program`, `rules` or `provider/model` */
  readonly fields: { readonly [key: string]: string }
  /** What each engine that was asked cost */
  readonly engines: { readonly [key: string]: {
    readonly calls: number
    readonly standard_cost_dollars: number
  } }
}

export type CreditUsageResponse = {
  readonly elements_processed: number | null
  readonly element_type: 'image' | 'page' | 'video' | 'audio' | null
  readonly credits_used: number | null
  readonly steps: number | null
  readonly message: string | null
  readonly duration_seconds: number
  readonly service_tier: string | null
  readonly mode_multiplier: number | null
  readonly standard_cost_dollars: number | null
  readonly cost_dollars: number | null
  readonly savings_dollars: number | null
}

export type ExecutionFailure = {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

export type ModelSelection = {
  /** Same as `model` */
  readonly requested: string
  /** The engine: `embedded`, or `provider/model`; null until it is chosen */
  readonly resolved: string | null
  /** What chose the model identifier; null in records older than this field */
  readonly chosen_by: 'request' | 'skill' | 'default' | null
  /** The rule that chose the engine, if the identifier leaves a choice */
  readonly reason: string | null
}

export type ExecutionSkill = {
  /** null for an inline skill */
  readonly id: string | null
  readonly name: string
  readonly skill_version: string
  readonly bundle_sha256: string
}

export type Evidence = {
  readonly status: 'verified' | 'normalised' | 'derived' | 'unsupported'
  /** The input slot; with /n for item n of an array slot */
  readonly input?: string | undefined
  /** 0-based */
  readonly page?: number | undefined
  /** x, y, w, h as fractions of the page */
  readonly bbox?: readonly (number)[] | undefined
  /** Character range [start, end) of a text input */
  readonly span?: readonly (number)[] | undefined
  /** [from, to] in seconds for video and audio; both are equal for a video frame */
  readonly seconds?: readonly (number)[] | undefined
  /** XPath of the element or attribute of an electronic invoice; prefixes as in docs/READER.md */
  readonly element?: string | undefined
  readonly quote?: string | undefined
  /** How sure the value is, 0 to 1: the calibrated probability that it is right, where the answer was held to `max_wrong_rate` */
  readonly confidence: number
  readonly note?: string | undefined
  /** For a null: why there is no value */
  readonly reason?: string | undefined
  /** For a null: up to three likely values whose confidence was too low, the likeliest first */
  readonly candidates?: readonly (EvidenceCandidate)[] | undefined
}

export type EvidenceCandidate = {
  readonly status: 'verified' | 'normalised' | 'derived' | 'unsupported'
  /** The input slot; with /n for item n of an array slot */
  readonly input?: string | undefined
  /** 0-based */
  readonly page?: number | undefined
  /** x, y, w, h as fractions of the page */
  readonly bbox?: readonly (number)[] | undefined
  /** Character range [start, end) of a text input */
  readonly span?: readonly (number)[] | undefined
  /** [from, to] in seconds for video and audio; both are equal for a video frame */
  readonly seconds?: readonly (number)[] | undefined
  /** XPath of the element or attribute of an electronic invoice; prefixes as in docs/READER.md */
  readonly element?: string | undefined
  readonly quote?: string | undefined
  /** How sure the value is, 0 to 1: the calibrated probability that it is right, where the answer was held to `max_wrong_rate` */
  readonly confidence: number
  readonly note?: string | undefined
  readonly value: Json
}

export type Completeness = {
  /** Number of fields in the schema; a column of a list counts once */
  readonly asked: number
  readonly found: number
  /** asked − found; `warnings` and `evidence` say which fields, and why */
  readonly not_found: number
  /** Number of found fields that need a look: below `review_below`, or else not sure enough for `max_wrong_rate`, or below 0.5 */
  readonly low_confidence: number
  /** The confidence below which values need a look, by `config.review` or the review settings when the execution ended; null: neither was set */
  readonly review_below: number | null
  /** Maximum share of wrong values that single fields were held to, without those that `low_confidence` counts; null: none, as with a language model */
  readonly max_wrong_rate: number | null
  /** How `max_wrong_rate` was applied: score model, thresholds, and the data that they were measured on */
  readonly calibration: string | null
  /** Rows of each list, and the number in the input if that is higher, otherwise null */
  readonly listed: readonly ({
    readonly path: string
    readonly returned: number
    readonly expected: number | null
  })[]
}

export type Warning = {
  /** Machine-readable code: not_found, ignored_field, value_unsure, row_does_not_add_up, sums_do_not_add_up, list_incomplete, usage_implausible, … */
  readonly code: string
  /** JSON Pointer into the response; for ignored_field, into the request */
  readonly path: string
  readonly message: string
}

export type Approval = {
  /** Number of the decision within the execution, from 1 */
  readonly number: number
  readonly waiting_for: 'completion' | 'tool'
  /** The tool that waits for approval */
  readonly tool: string | null
  /** The input of that tool call */
  readonly input: Json
  readonly since: string
  /** When it expires, on_timeout applies */
  readonly expires_at: string
  readonly on_timeout: 'approve' | 'reject'
  /** Roles of the users who may decide */
  readonly approvers: readonly ('viewer' | 'reviewer' | 'editor' | 'admin')[]
  /** null: pending */
  readonly decision: 'approve' | 'reject' | null
  /** Who decided; null if it expired or was decided by signed link */
  readonly by: Actor | null
  readonly via: 'api' | 'link' | 'timeout' | null
  readonly at: string | null
  readonly comment: string | null
}

export type Review = {
  /** needed: it waits in the review queue */
  readonly status: 'none' | 'needed' | 'done'
  /** Number of saved reviews; send it as If-Match so that a save fails if another came first */
  readonly version: number
  /** Who saved the latest review */
  readonly by: Actor | null
  readonly at: string | null
  /** The combined changes of all reviews, one entry per path */
  readonly changes: readonly (ReviewChange)[]
}

export type ReviewChange = {
  /** JSON Pointer into the response */
  readonly path: string
  /** The value in the response; null if absent */
  readonly from: Json
  /** The value in the reviewed response; null if absent */
  readonly to: Json
  /** absent: the value is not in the document */
  readonly kind: 'corrected' | 'confirmed' | 'absent'
}

export type MessageContent = {
  readonly type: 'text'
  readonly text: string
} | {
  readonly type: 'image_url'
  readonly image_url: {
    readonly url: string
    readonly detail?: 'auto' | 'low' | 'high' | 'lo' | 'hi' | null | undefined
  }
} | {
  readonly type: 'video_url'
  readonly video_url: {
    readonly url: string
  }
} | {
  readonly type: 'audio_url'
  readonly audio_url: {
    readonly url: string
  }
} | {
  readonly type: 'file_url'
  readonly file_url: {
    readonly url: string
  }
} | {
  readonly type: 'input_file'
  readonly file_id?: string | null | undefined
  readonly file_url?: {
    readonly url: string
  } | null | undefined
}

export type AgentExecuteRequest = {
  /** Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id` */
  readonly id?: string | null | undefined
  /** `<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version */
  readonly name?: string | null | undefined
  /** Inputs by slot name: an input item, an array of input items, an http, https or data URL, or any JSON value. The request also needs a prompt, a schema, a skill or the `name` of an agent */
  readonly inputs?: { readonly [key: string]: MessageContent | readonly (MessageContent)[] | Json } | null | undefined
  /** false: the reply waits for the end of the execution. Default: true */
  readonly batch?: boolean | null | undefined
  readonly config?: AgentExecutionConfig | null | undefined
  readonly model?: string | null | undefined
  /** URL that receives a POST with the execution as JSON when it ends or pauses */
  readonly callback_url?: string | null | undefined
  readonly created_at?: string | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
}

export type AgentExecutionConfig = {
  readonly prompt?: string | null | undefined
  readonly json_schema?: { readonly [key: string]: Json } | null | undefined
  /** Alias of json_schema */
  readonly response_model?: { readonly [key: string]: Json } | null | undefined
  readonly tools_type?: 'document' | 'image' | 'video' | 'multimodal' | null | undefined
  readonly tool_names?: readonly (string)[] | null | undefined
  readonly skills?: readonly (SkillEntry)[] | null | undefined
  /** Allow scripts of public skills of other workspaces to run in the sandbox */
  readonly allow_public_scripts?: boolean | null | undefined
  readonly caching?: boolean | null | undefined
  readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
  readonly execution_mode?: 'agent' | 'program' | null | undefined
  /** Alias of execution_mode */
  readonly mode?: 'agent' | 'program' | null | undefined
  /** cheapest: each field of the schema is answered by the first of program, rules, the small and the large model of the route whose wrong answers to it are proven to be at most `max_wrong_rate`; the large model judges the others. Without it, one engine answers all fields */
  readonly path?: 'cheapest' | null | undefined
  /** Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses */
  readonly max_cost_dollars?: number | null | undefined
  readonly max_steps?: number | null | undefined
  /** Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in `evidence`, or given with the warning `value_unsure` where the schema requires a value. Default 0.02: such values are given if they are likely, with a note, and `completeness.low_confidence` counts them. null: no score, values as the rules find them. `completeness` says whether the answer was held to the share */
  readonly max_wrong_rate?: number | null | undefined
  readonly timeout_seconds?: number | null | undefined
  /** What a person must approve: the completion, or calls of tools. The execution is paused until then */
  readonly require_approval?: 'completion' | RequireApproval | null | undefined
  /** When a person should review the answer; default: the settings of the skill and of the workspace */
  readonly review?: RequireReview | null | undefined
  /** Id of an earlier, completed execution of the same task: pages that did not change are not read by OCR again, and a model is asked only for fields that may have changed, or are new in the schema */
  readonly base_execution?: string | null | undefined
  /** 0-based indices of the pages to read of each document */
  readonly page_indices?: readonly (number)[] | null | undefined
  /** Length in seconds of the segments that frames of a video are taken from; default: its scenes */
  readonly video_segment_duration?: number | null | undefined
  /** Frames per segment */
  readonly video_frames_per_segment?: number | null | undefined
  readonly grounding?: boolean | null | undefined
  readonly confidence?: boolean | null | undefined
  /** Accepted for compatibility, without effect */
  readonly orchestration_mode?: Json | undefined
  /** Accepted for compatibility, without effect; `image_url.detail` of an input has an effect */
  readonly detail?: Json | undefined
}

export type SkillEntry = {
  /** skill_reference where it is absent; vlm-run reads as skill_reference */
  readonly type?: 'skill_reference' | 'inline' | 'vlm-run' | null | undefined
  /** UUID, name, or name:version */
  readonly skill_id?: string | null | undefined
  /** Use skill_id */
  readonly skill_name?: string | null | undefined
  readonly skill_version?: number | string | null | undefined
  /** Use skill_version */
  readonly version?: number | string | null | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly source?: {
    readonly type?: 'base64' | null | undefined
    readonly media_type?: 'application/zip' | null | undefined
    readonly data: string
  } | null | undefined
  /** Use source.data */
  readonly bundle?: string | null | undefined
}

export type RequireApproval = {
  readonly completion?: boolean | null | undefined
  /** Dotted names of tools, as in steps */
  readonly tools?: readonly (string)[] | null | undefined
  /** Default: 72 hours */
  readonly timeout_seconds?: number | null | undefined
  /** Default: reject */
  readonly on_timeout?: 'approve' | 'reject' | null | undefined
  /** Roles of the users who may decide; default: admin, who always may. Keys need the scope approve. Other users than admins cannot decide on what they started */
  readonly approvers?: readonly ('viewer' | 'reviewer' | 'editor' | 'admin')[] | null | undefined
}

export type RequireReview = {
  /** The answer enters the review queue when one of its values is less sure than this. A required value that was not found, a value that a warning names, and an answer without evidence have confidence 0 */
  readonly below: number
  /** true: the reviewed answer becomes a case of the first skill */
  readonly add_cases?: boolean | null | undefined
}

export type RequestMetadata = {
  readonly environment?: 'dev' | 'staging' | 'prod' | null | undefined
  readonly session_id?: string | null | undefined
  readonly sessionId?: string | null | undefined
  /** Accepted for compatibility; content is never logged */
  readonly allow_logging?: boolean | null | undefined
  /** false: the server learns nothing from this execution for later ones */
  readonly allow_training?: boolean | null | undefined
  /** false: inputs, their files and all steps are deleted when the execution ends, the response after it was first read or after an hour; hashes, usage and price are retained */
  readonly allow_retention?: boolean | null | undefined
  readonly allowLogging?: boolean | null | undefined
  readonly allowTraining?: boolean | null | undefined
  readonly allowRetention?: boolean | null | undefined
  readonly [key: string]: unknown
}

export type ListedExecution = AgentExecutionResponse & {
  /** Names of the input files when the execution was accepted */
  readonly file_names: readonly (string)[]
  /** The skill evaluation that this execution belongs to */
  readonly evaluation_id: string | null
}

export type Step = {
  readonly seq: number
  readonly attempt: number
  readonly kind: 'input' | 'tool' | 'model'
  readonly name: string
  /** Details of the step. Names are in snake_case, except in content of callers, models and tools */
  readonly detail: Json
  /** Result of the step, in the same format */
  readonly result: Json
  readonly cost_dollars: number
  readonly started_at: string
  readonly ended_at: string
}

export type ExecutionEvent = {
  /** Id of the event, for the Last-Event-ID header when reconnecting */
  readonly id: string
  readonly event: 'status'
  readonly data: {
    readonly status: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'
    readonly at: string
    readonly attempt: number
    readonly error?: ExecutionFailure | undefined
  }
} | {
  readonly id: string
  readonly event: 'step'
  readonly data: {
    readonly seq: number
    readonly attempt: number
    readonly kind: 'input' | 'tool' | 'model'
    readonly name: string
    /** Details of the step. Names are in snake_case, except in content of callers, models and tools */
    readonly detail: Json
    readonly cost_dollars: number
    readonly started_at: string
    readonly ended_at: string
  }
}

export type ResumeRequest = {
  /** New maximum total cost of the execution */
  readonly max_cost_dollars?: number | null | undefined
} | null

export type ResumedExecutions = {
  /** Number of resumed executions */
  readonly resumed: number
  /** Executions that were not resumed, and why */
  readonly refused: readonly ({
    readonly id: string
    readonly reason: string
  })[]
}

export type ResumeExecutionsRequest = {
  /** The executions to resume */
  readonly ids?: readonly (string)[] | undefined
  /** Same fields as the query of GET /v1/agent/executions; `{}` means all resumable executions, newest first */
  readonly filter?: {
    /** Number of items to skip, newest first */
    readonly skip?: number | undefined
    /** Maximum number of executions to resume */
    readonly limit?: number | undefined
    readonly status?: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | undefined
    /** `<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns */
    readonly name?: string | undefined
    /** The `id` of the request */
    readonly client_id?: string | undefined
    readonly service_tier?: 'standard' | 'flex' | 'priority' | undefined
    readonly session_id?: string | undefined
    /** Executions of this batch */
    readonly batch_id?: string | undefined
    /** needed: executions in the review queue; done: reviewed executions */
    readonly review?: 'needed' | 'done' | undefined
    /** needed: executions that wait for an approval; done: executions with a decision */
    readonly approval?: 'needed' | 'done' | undefined
    /** UUID of a version, name, or name:version */
    readonly skill_id?: string | undefined
    /** A time with UTC offset, or a date (midnight UTC) */
    readonly created_after?: string | undefined
    /** Exclusive; same format as created_after */
    readonly created_before?: string | undefined
    /** work: requests and chats; evaluation: runs of evaluations of skills; shadow: agent runs that check a program */
    readonly purpose?: 'work' | 'evaluation' | 'shadow' | 'all' | undefined
    /** A part of the agent's name, the names of input files, an id, the session or the answer, in any case. One page looks through at most 10000 executions; the Link header leads to the older ones */
    readonly q?: string | undefined
    readonly cursor?: string | undefined
  } | undefined
}

export type Callback = {
  /** Number within the execution: 1, 2, 3 … */
  readonly n: number
  readonly event: 'completed' | 'failed' | 'paused' | 'reviewed' | 'batch.completed' | 'batch.cancelled'
  readonly url: string
  /** The webhook-id header, the same in every attempt */
  readonly webhook_id: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly next_try_at: string | null
  readonly created_at: string
  /** Oldest first; the newest 100 are retained */
  readonly tries: readonly (CallbackTry)[]
}

export type CallbackTry = {
  readonly at: string
  /** HTTP status of the receiver; null without a response */
  readonly status: number | null
  readonly duration_ms: number
  /** Null: acknowledged */
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
}

export type CallbackSecret = {
  readonly secret: string
  readonly created_at: string
  /** Until then, webhook-signature also contains a signature with the previous secret */
  readonly previous_until: string | null
}

export type ExecutionRequest = {
  readonly name: string
  readonly model: string
  readonly inputs: { readonly [key: string]: Json }
  readonly config: {
    readonly service_tier: string
    readonly [key: string]: unknown
  }
  readonly [key: string]: unknown
}

export type ForkRequest = {
  /** `seq` of the first step to run again; the steps before it are kept */
  readonly from_step: number
  /** Fields that replace those of the original request */
  readonly config?: {
    readonly prompt?: string | null | undefined
    readonly json_schema?: { readonly [key: string]: Json } | null | undefined
    /** Alias of json_schema */
    readonly response_model?: { readonly [key: string]: Json } | null | undefined
    readonly tools_type?: 'document' | 'image' | 'video' | 'multimodal' | null | undefined
    readonly tool_names?: readonly (string)[] | null | undefined
    readonly skills?: readonly (SkillEntry)[] | null | undefined
    /** Allow scripts of public skills of other workspaces to run in the sandbox */
    readonly allow_public_scripts?: boolean | null | undefined
    readonly caching?: boolean | null | undefined
    readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
    readonly execution_mode?: 'agent' | 'program' | null | undefined
    /** Alias of execution_mode */
    readonly mode?: 'agent' | 'program' | null | undefined
    /** cheapest: each field of the schema is answered by the first of program, rules, the small and the large model of the route whose wrong answers to it are proven to be at most `max_wrong_rate`; the large model judges the others. Without it, one engine answers all fields */
    readonly path?: 'cheapest' | null | undefined
    /** Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses */
    readonly max_cost_dollars?: number | null | undefined
    readonly max_steps?: number | null | undefined
    /** Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in `evidence`, or given with the warning `value_unsure` where the schema requires a value. Default 0.02: such values are given if they are likely, with a note, and `completeness.low_confidence` counts them. null: no score, values as the rules find them. `completeness` says whether the answer was held to the share */
    readonly max_wrong_rate?: number | null | undefined
    readonly timeout_seconds?: number | null | undefined
    /** What a person must approve: the completion, or calls of tools. The execution is paused until then */
    readonly require_approval?: 'completion' | RequireApproval | null | undefined
    /** When a person should review the answer; default: the settings of the skill and of the workspace */
    readonly review?: RequireReview | null | undefined
    /** Id of an earlier, completed execution of the same task: pages that did not change are not read by OCR again, and a model is asked only for fields that may have changed, or are new in the schema */
    readonly base_execution?: string | null | undefined
    /** 0-based indices of the pages to read of each document */
    readonly page_indices?: readonly (number)[] | null | undefined
    /** Length in seconds of the segments that frames of a video are taken from; default: its scenes */
    readonly video_segment_duration?: number | null | undefined
    /** Frames per segment */
    readonly video_frames_per_segment?: number | null | undefined
    readonly grounding?: boolean | null | undefined
    readonly confidence?: boolean | null | undefined
    /** Accepted for compatibility, without effect */
    readonly orchestration_mode?: Json | undefined
    /** Accepted for compatibility, without effect; `image_url.detail` of an input has an effect */
    readonly detail?: Json | undefined
    /** Another model, as in `model` of an execute request */
    readonly model?: string | null | undefined
  } | null | undefined
  /** Another model */
  readonly model?: string | null | undefined
  /** Other results of kept tool calls, by the `seq` of their steps: JSON that the tool would have returned */
  readonly tool_results?: { readonly [key: string]: Json } | null | undefined
  /** false: the reply waits for the end of the execution. Default: true */
  readonly batch?: boolean | null | undefined
}

export type ExecutionDiff = readonly ({
  /** JSON Pointer into the response, or into the record */
  readonly path: string
  /** The value in execution {id}; null if absent */
  readonly left: Json
  /** The value in execution {other}; null if absent */
  readonly right: Json
})[]

export type Session = {
  readonly id: string
  /** Number of executions and chat turns */
  readonly executions: number
  /** Name of the newest execution; chat for a chat turn */
  readonly name: string
  /** When its first execution was created */
  readonly created_at: string
  /** When its newest execution was created */
  readonly updated_at: string
}

export type PageWords = {
  readonly content_type: string
  readonly page_count: number
  /** Width of the page in characters, the page being a grid with one character per cell; of a PDF file, in points */
  readonly columns: number
  readonly rows: number
  readonly words: readonly ({
    readonly text: string
    /** Same coordinates as in evidence */
    readonly bbox: readonly [number, number, number, number]
  })[]
  /** Number of further words on the page */
  readonly left_out: number
}

export type DecideRequest = {
  readonly comment?: string | null | undefined
  /** The approval.number that you have seen; the call is refused if it has changed */
  readonly number?: number | null | undefined
} | null

export type ReviewRequest = {
  readonly changes?: readonly ({
    /** JSON Pointer into the response, such as /total or /line_items/0/amount */
    readonly path: string
    /** corrected: the value is another; confirmed: the value is right as it is; absent: the document has no such value. Default: corrected where a value is given, else absent */
    readonly kind?: 'corrected' | 'confirmed' | 'absent' | null | undefined
    /** The correct value; it must be valid against the schema of the execution */
    readonly value?: Json | undefined
    /** Instead of a value: index of a candidate in the evidence */
    readonly candidate?: number | null | undefined
    /** Input that the box is on, as in evidence; default: the only input */
    readonly input?: string | null | undefined
    readonly page?: number | null | undefined
    readonly bbox?: readonly (number)[] | null | undefined
  })[] | null | undefined
  /** true: the review is finished, and the execution leaves the queue */
  readonly done?: boolean | null | undefined
  readonly comment?: string | null | undefined
  /** Number of your claim; the call is refused once that claim has lapsed */
  readonly claim?: number | null | undefined
}

export type SavedReview = {
  readonly version: number
  readonly by: Actor | null
  readonly at: string
  readonly done: boolean
  readonly comment: string | null
  /** Compared with the answer before this review */
  readonly changes: readonly (SavedReviewChange)[]
}

export type SavedReviewChange = {
  /** JSON Pointer into the response */
  readonly path: string
  /** The value in the response; null if absent */
  readonly from: Json
  /** The value in the reviewed response; null if absent */
  readonly to: Json
  /** absent: the value is not in the document */
  readonly kind: 'corrected' | 'confirmed' | 'absent'
  readonly input?: string | undefined
  readonly page?: number | undefined
  readonly bbox?: readonly (number)[] | undefined
  /** The words in the box */
  readonly text?: string | undefined
}

export type ReviewSetting = {
  /** null: the workspace, for skills without a setting */
  readonly skill_name: string | null
  /** As config.review.below of an execution */
  readonly below: number
  readonly max_wrong_rate: number | null
  /** Whether reviewed answers become cases of the skill */
  readonly add_cases: boolean
}

export type ReviewSettingRequest = {
  readonly skill_name?: string | null | undefined
  /** null removes the setting */
  readonly below: number | null
  readonly max_wrong_rate?: number | null | undefined
  readonly add_cases?: boolean | null | undefined
}

export type ReviewStatistics = {
  readonly reviewed: number
  readonly waiting: number
  /** Time under claims per document */
  readonly median_seconds: number | null
  readonly mean_seconds: number | null
  readonly fields: readonly ({
    /** JSON Pointer with `*` for each row number */
    readonly field: string
    /** Values that a reviewer marked as right, or left empty as the response did */
    readonly confirmed: number
    /** Values that a reviewer changed */
    readonly corrected: number
    /** Values of reviewed answers that no reviewer marked */
    readonly untouched: number
    /** confirmed / (confirmed + corrected); null if both are 0 */
    readonly agreement: number | null
  })[]
}

export type ReviewItem = {
  readonly execution_id: string
  /** Name of the agent */
  readonly name: string
  /** Names of the input files */
  readonly file_names: readonly (string)[]
  readonly status: 'needed' | 'claimed' | 'done'
  readonly skill: {
    readonly id: string | null
    readonly name: string
  } | null
  /** Why it needs a review, least confident first; empty if a person started the review */
  readonly reasons: readonly ({
    readonly path: string
    /** low_confidence, missing, no_evidence, or the code of a warning */
    readonly code: string
    readonly confidence: number
  })[]
  readonly lowest_confidence: number | null
  /** The only key that can claim it */
  readonly assigned_to: Actor | null
  readonly claim: {
    readonly number: number
    readonly by: Actor | null
    readonly since: string
    readonly until: string
  } | null
  /** Time spent under claims */
  readonly seconds: number
  readonly created_at: string
  readonly done_at: string | null
  readonly done_by: Actor | null
}

export type ClaimedReview = {
  /** null: there is nothing for this key to claim */
  readonly item: ReviewItem | null
  /** Number of further executions that this key could claim now */
  readonly waiting: number
}

export type ClaimReviewRequest = {
  readonly skill_id?: string | null | undefined
} | null

export type ReleaseReviewRequest = {
  /** Number of your claim; the call is refused once that claim has lapsed */
  readonly claim?: number | null | undefined
} | null

export type AssignReviewRequest = {
  /** The only key that can claim it; null: any key */
  readonly key_id: string | null
}

export type ArtifactList = {
  readonly namespace_id: string
  readonly items: readonly ({
    readonly object_id: string
    readonly filename: string
    readonly source: 'store' | 'manifest' | 'workspace'
    readonly content_type: string
    readonly bytes: number
    readonly execution_id: string
    readonly created_at: string
  })[]
}

export type Program = {
  readonly id: string
  /** Version of the skill that the program was compiled for */
  readonly skill_id: string
  readonly skill_version: string
  readonly status: 'compiling' | 'candidate' | 'ready' | 'rejected' | 'demoted'
  /** Why the program was rejected or demoted */
  readonly reason: string | null
  /** What wrote the program: the embedded engine or a code agent */
  readonly origin: 'embedded' | 'agent'
  /** Execution whose agent wrote the program */
  readonly execution_id: string | null
  readonly sha256: string | null
  readonly source: string | null
  readonly language: 'typescript'
  readonly gate: {
    readonly checks: readonly ({
      readonly name: string
      readonly passed: boolean
      readonly message: string
    })[]
    readonly agreement: readonly ({
      readonly pointer: string
      readonly agreed: number
      readonly compared: number
      /** Cases in which the program left the field to an agent; absent: none */
      readonly left?: number | undefined
    })[]
    readonly cases: {
      readonly answered: number
      readonly declined: number
      readonly failed: number
    }
    readonly threshold: number
    /** Fields below the threshold; absent: none */
    readonly left?: readonly (string)[] | undefined
  } | null
  /** How each field is answered, and how reliably; empty if the fields cannot be answered separately */
  readonly fields: readonly ({
    /** JSON Pointer of a field; a list is one field */
    readonly pointer: string
    /** agent: the program leaves the field to an agent in every run, since it was too often wrong in the cases or in its latest checked answers */
    readonly by: 'program' | 'agent'
    /** Answers of the program in which an independent judge checked the field */
    readonly checked: number
    readonly wrong: number
    /** Like `shadow.bound`, on the rate of wrong values of this field */
    readonly bound: number
  })[]
  readonly schema_hash: string
  readonly input_shape: { readonly [key: string]: string } | null
  readonly runs: number
  /** Average run time in the sandbox, in milliseconds */
  readonly run_ms: number | null
  readonly shadow: {
    readonly runs: number
    readonly disagreements: number
    /** Upper bound on the rate of wrong answers, one-sided, 95 %. It rests on independent judgements only (1 without any) and holds at every look */
    readonly bound: number
    /** The checked answers by judge, the most independent first; each answer counts once */
    readonly judgements: readonly ({
      readonly by: 'human' | 'case' | 'other_model' | 'same_engine'
      readonly answers: number
      readonly wrong: number
      /** Whether the bound rests on it. An engine cannot certify its own program */
      readonly counts: boolean
    })[]
    /** Number of checked answers by judge; `model` is other_model of `judgements`. The first three lower the bound */
    readonly evidence: {
      readonly human: number
      readonly case: number
      readonly model: number
      readonly same_engine: number
    }
    /** Probability that the bound is never below the true rate, at any look */
    readonly confidence: number
    /** How the bound is computed */
    readonly method: 'anytime_valid_beta_mixture'
  }
  /** Whether all its answers are withheld: an agent answers, and checks them, until three in a row agree */
  readonly withholds: boolean
  /** Which side seems to have drifted since checked answers disagree */
  readonly drift: {
    /** `program`: the documents changed, or the program was wrong from the start. `judge`: the model that checks it answers otherwise than right answers were before */
    readonly by: 'program' | 'judge'
    readonly since: string
    /** Fields of the latest disagreement, as JSON Pointers */
    readonly fields: readonly (string)[]
  } | null
  readonly economics: {
    readonly compile_cost_dollars: number
    readonly agent_run_dollars: number | null
    readonly program_run_dollars: number | null
    readonly break_even_runs: number | null
    readonly saved_dollars: number
  }
  readonly created_at: string
  readonly decided_at: string | null
}

export type ProgramCompileRequest = {
  /** Completed executions whose responses are correct */
  readonly execution_ids?: readonly (string)[] | null | undefined
  /** Cases of the skill; without execution_ids and case_ids, all cases */
  readonly case_ids?: readonly (string)[] | null | undefined
} | null

export type SkillCase = {
  readonly id: string
  /** `{type: "bundle_file", path}` refers to a file of the bundle */
  readonly inputs: { readonly [key: string]: Json }
  readonly response: Json
  readonly prompt: string | null
  readonly source: 'added' | 'execution' | 'bundle'
  readonly execution_id: string | null
  readonly created_at: string
}

export type SkillCasesRequest = {
  readonly cases?: readonly ({
    /** Slots as in POST /v1/agent/execute */
    readonly inputs?: { readonly [key: string]: Json } | null | undefined
    /** With an execution: instead of its prompt; empty for none, as when the prompt is now in the instructions of the skill */
    readonly prompt?: string | null | undefined
    /** Execution whose inputs are used */
    readonly execution_id?: string | null | undefined
    /** The correct response; if absent, the reviewed response of the execution, else its response */
    readonly response?: Json | null | undefined
  })[] | null | undefined
  /** Instead of `cases`: this execution becomes a case */
  readonly execution_id?: string | null | undefined
}

export type SkillEvaluation = {
  readonly id: string
  readonly status: 'running' | 'completed' | 'failed'
  readonly skill_id: string
  readonly skill_name: string
  readonly skill_version: string
  readonly number: number
  /** The previous version */
  readonly before: {
    readonly skill_id: string
    readonly number: number
  } | null
  readonly model: string | null
  /** Total number of executions */
  readonly runs: number
  readonly created_at: string
  readonly completed_at: string | null
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
  readonly report: {
    readonly cases: number
    readonly arms: {
      readonly with?: EvaluationArm | undefined
      readonly without?: EvaluationArm | undefined
      readonly before?: EvaluationArm | undefined
    }
    /** How much better the version is than a run without it and than the previous version: paired by case, anytime-valid */
    readonly lift?: {
      readonly without?: EvaluationLift | undefined
      readonly before?: EvaluationLift | undefined
    } | undefined
    readonly fields: readonly ({
      readonly with?: {
        readonly fields: number
        readonly agreed: number
      } | undefined
      readonly without?: {
        readonly fields: number
        readonly agreed: number
      } | undefined
      readonly before?: {
        readonly fields: number
        readonly agreed: number
      } | undefined
      /** Items of lists appear as * */
      readonly field: string
    })[]
    readonly results: readonly ({
      readonly case_id: string
      readonly runs: {
        readonly with?: EvaluatedCase | undefined
        readonly without?: EvaluatedCase | undefined
        readonly before?: EvaluatedCase | undefined
      }
    })[]
    /** null: the version sets no publish_gate */
    readonly gate: {
      readonly passed: boolean
      readonly because: string | null
    } | null
  } | null
}

export type EvaluationArm = {
  readonly completed: number
  readonly failed: number
  readonly fields: number
  readonly agreed: number
  /** Share of fields that agree */
  readonly agreement: number
  readonly cost_dollars: number
  readonly median_ms: number | null
}

export type EvaluationLift = {
  /** Cases that ran in both arms */
  readonly cases: number
  /** Mean difference of the agreement per case, from -1 to 1 */
  readonly mean: number
  /** Lower end of the 95 % interval, valid under repeated looks */
  readonly lower: number
  readonly upper: number
}

export type EvaluatedCase = {
  readonly execution_id: string | null
  readonly status: 'completed' | 'failed'
  readonly error: string | null
  readonly fields: number
  readonly agreed: number
  readonly agreement: number
  /** The first 50. A pointer with the prefix + is of a value that only the answer contains */
  readonly disagreements: readonly ({
    readonly pointer: string
    readonly expected: Json
    readonly actual: Json
  })[]
}

export type EvaluateRequest = {
  /** If absent, all cases */
  readonly case_ids?: readonly (string)[] | null | undefined
  /** If absent, the model of the skill, or the default */
  readonly model?: string | null | undefined
  /** Maximum cost of each run */
  readonly max_cost_dollars?: number | null | undefined
} | null

/** At most 2.5 % of improvements publish a version that is not better */
export type SkillImprovement = {
  readonly id: string
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled'
  readonly skill_id: string
  readonly skill_name: string
  readonly skill_version: string
  readonly number: number
  /** Of that version; null: it was deleted */
  readonly instructions: string | null
  /** Runs the cases */
  readonly model: string
  /** The engine behind that model */
  readonly answered_by: string
  readonly writer_model: string
  readonly max_cost_dollars: number
  readonly cost_dollars: number
  readonly cases: {
    /** Cases that the writing model may see */
    readonly training: number
    /** Cases that decide, and that it never sees */
    readonly judging: number
  }
  readonly progress: {
    /** Runs planned */
    readonly runs: number
    readonly ended: number
  }
  /** Of each end of the lift of each proposal */
  readonly confidence: number
  readonly outcome: {
    readonly code: 'published' | 'held' | 'nothing_better' | 'nothing_to_improve' | 'cannot_decide' | 'superseded'
    readonly message: string
  } | null
  /** The version made from the best proposal */
  readonly published_skill_id: string | null
  /** The evaluation of the published version that began by itself when another engine came to answer the model; null: none */
  readonly compared_again: {
    readonly answered_by: string
    readonly evaluation_id: string
  } | null
  readonly proposals: readonly ({
    readonly number: number
    /** null: not judged yet. Only a better one is published */
    readonly verdict: 'better' | 'worse' | 'undecided' | 'duplicate' | 'failed' | null
    readonly instructions: string | null
    /** What changed, in the words of the model */
    readonly summary: string | null
    readonly error: {
      readonly code: string
      readonly message: string
    } | null
    /** Paired by case, anytime-valid, and valid for all proposals together */
    readonly lift: {
      /** Cases that the version and the proposal both ran */
      readonly cases: number
      /** Mean difference of the agreement per case, from -1 to 1 */
      readonly mean: number
      readonly lower: number
      readonly upper: number
    } | null
    /** The version on these cases */
    readonly before: {
      readonly agreed: number
      readonly fields: number
      /** Share of fields that agree */
      readonly agreement: number
    } | null
    readonly after: {
      readonly agreed: number
      readonly fields: number
      /** Share of fields that agree */
      readonly agreement: number
    } | null
    readonly results: readonly ({
      readonly case_id: string
      readonly before: {
        readonly execution_id: string | null
        readonly agreed: number
        readonly fields: number
        readonly error: string | null
      }
      readonly after: {
        readonly execution_id: string | null
        readonly agreed: number
        readonly fields: number
        readonly error: string | null
      }
    })[]
  })[]
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
  readonly created_at: string
  readonly completed_at: string | null
}

export type ImproveRequest = {
  /** How many proposals the model writes; default 3 */
  readonly proposals?: number | null | undefined
  /** Most that all runs together may cost; default 5 */
  readonly max_cost_dollars?: number | null | undefined
  /** Runs the cases; if absent, the model of the skill, or the default */
  readonly model?: string | null | undefined
  /** Writes the proposals; if absent, the language model of that model, or the strongest of the server */
  readonly writer_model?: string | null | undefined
} | null

export type Batch = {
  readonly id: string
  readonly name: string | null
  readonly status: 'running' | 'paused' | 'completed' | 'cancelled'
  /** Number of items */
  readonly total: number
  /** Items by status; the statuses add up to `total`, `review_needed` is counted among `completed` */
  readonly counts: {
    /** Items without an execution yet, or whose execution waits */
    readonly enqueued: number
    readonly running: number
    readonly paused: number
    readonly completed: number
    readonly failed: number
    /** Items whose execution was cancelled, or that had none when the batch was cancelled */
    readonly cancelled: number
    readonly review_needed: number
  }
  /** Cost of all ended executions, including those that were retried */
  readonly cost_dollars: number
  readonly max_in_flight: number
  readonly callback_url: string | null
  readonly warnings: readonly ({
    readonly code: string
    readonly path: string
    readonly message: string
  })[]
  readonly created_at: string
  readonly completed_at: string | null
}

export type BatchRequest = {
  /** A name for people */
  readonly name?: string | null | undefined
  /** The documents; each with exactly one of file_id, url and inputs */
  readonly items?: readonly ({
    /** Id of an uploaded file */
    readonly file_id?: string | null | undefined
    readonly url?: string | null | undefined
    /** Inputs by slot name, as in POST /v1/agent/execute */
    readonly inputs?: { readonly [key: string]: MessageContent | readonly (MessageContent)[] | Json } | null | undefined
    /** Your own id of the item; its execution gets it */
    readonly client_id?: string | null | undefined
    /** Name in the results; default: the name of the file, or the last part of the URL */
    readonly file_name?: string | null | undefined
  })[] | null | undefined
  /** Instead of items, the id of an uploaded zip, tar or gzip: each file in it becomes an item */
  readonly zip_file_id?: string | null | undefined
  /** Instead of items, ids of completed executions: the request of each is executed again with config.json_schema. Fields that both schemas define alike are kept, and only the others are asked. Other fields of config replace those of the executions */
  readonly base_executions?: readonly (string)[] | null | undefined
  /** true: one execution reads all items together. Default: one execution each */
  readonly combine?: boolean | null | undefined
  /** `<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version */
  readonly agent?: string | null | undefined
  readonly config?: AgentExecutionConfig | null | undefined
  readonly model?: string | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
  /** Overrides config.service_tier. Default: flex */
  readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
  /** URL that receives a POST with the batch as JSON when it is completed or cancelled */
  readonly callback_url?: string | null | undefined
  /** Executions of the batch that exist and have not ended, at most. Default: 50. A paused execution counts */
  readonly max_in_flight?: number | null | undefined
}

export type BackfillEstimate = {
  /** Number of executions that would be asked again */
  readonly executions: number
  /** Those of which a model would be asked for fields; the others cost what reading costs */
  readonly asked: number
  /** Those that are not completed, or not retained: their items would fail */
  readonly unusable: number
  readonly service_tier: 'standard' | 'flex' | 'priority'
  /** The share of the asked fields in what the executions cost */
  readonly low_dollars: number
  /** What the executions cost; more if the schema asks more new fields than they had fields */
  readonly high_dollars: number
}

export type BackfillRequest = {
  /** Ids of completed executions, as in POST /v1/agent/batches */
  readonly base_executions: readonly (string)[]
  readonly config: {
    /** The new schema */
    readonly json_schema: { readonly [key: string]: Json }
  }
  /** Overrides config.service_tier. Default: flex */
  readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
}

export type BatchItem = {
  /** 0-based position in the batch */
  readonly index: number
  /** Same as execution_id */
  readonly id: string | null
  /** null until the execution is created */
  readonly execution_id: string | null
  /** The execution that the item asks again; null for other batches */
  readonly base_execution: string | null
  readonly client_id: string | null
  readonly file_name: string | null
  readonly status: 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled'
  readonly error: ExecutionFailure | null
  /** The answer, with the corrections of reviewers */
  readonly response: Json
  /** Status of the review; null: no review */
  readonly review: 'needed' | 'done' | null
  /** The values of the response with their confidence, in order */
  readonly fields: readonly (BatchItemField)[]
  /** Of the values that were found; null without any */
  readonly lowest_confidence: number | null
  /** Number of found fields that needed a look when the execution ended; null until it is known */
  readonly low_confidence: number | null
  /** Number of fields that were not found; null until it is known */
  readonly not_found: number | null
  readonly cost_dollars: number
  readonly completed_at: string | null
}

export type BatchItemField = {
  /** JSON Pointer into the response */
  readonly path: string
  /** The value; lists are complete */
  readonly value: Json
  /** Confidence from 0 to 1; of a list, its lowest */
  readonly confidence: number | null
  /** Status of the evidence; of a list, that of its least confident value */
  readonly evidence: 'verified' | 'normalised' | 'derived' | 'unsupported' | null
  /** 0-based */
  readonly page: number | null
  /** The input that contains the value */
  readonly input: string | null
  /** Whether a person should check the value, or one in the list */
  readonly needs_look: boolean
}

export type PredictionResponse = AgentExecutionResponse & {
  readonly domain: string | null
  /** Why it failed, and other notes; same as usage.message */
  readonly message: string | null
}

export type FilePredictionRequest = {
  /** Id of an uploaded file */
  readonly file_id?: string | null | undefined
  /** Instead of file_id: an http, https or data URL */
  readonly url?: string | null | undefined
  /** Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id` */
  readonly id?: string | null | undefined
  /** A model identifier; `vlm-1` means the default of this server */
  readonly model?: string | null | undefined
  /** A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it */
  readonly domain?: string | null | undefined
  readonly batch?: boolean | null | undefined
  readonly config?: GenerationConfig | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  /** URL that receives a POST with the execution as JSON when it ends or pauses */
  readonly callback_url?: string | null | undefined
}

export type GenerationConfig = {
  readonly prompt?: string | null | undefined
  readonly json_schema?: { readonly [key: string]: Json } | null | undefined
  /** Alias of json_schema */
  readonly response_model?: { readonly [key: string]: Json } | null | undefined
  readonly skills?: readonly (SkillEntry)[] | null | undefined
  readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
  readonly confidence?: boolean | null | undefined
  readonly grounding?: boolean | null | undefined
  /** 0-based indices of the pages to read of each document */
  readonly page_indices?: readonly (number)[] | null | undefined
  /** Length in seconds of the segments that frames of a video are taken from; default: its scenes */
  readonly video_segment_duration?: number | null | undefined
  /** Frames per segment */
  readonly video_frames_per_segment?: number | null | undefined
  /** Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in `evidence`, or given with the warning `value_unsure` where the schema requires a value. Default 0.02: such values are given if they are likely, with a note, and `completeness.low_confidence` counts them. null: no score, values as the rules find them. `completeness` says whether the answer was held to the share */
  readonly max_wrong_rate?: number | null | undefined
  /** Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses */
  readonly max_cost_dollars?: number | null | undefined
  /** When a person should review the answer; default: the settings of the skill and of the workspace */
  readonly review?: RequireReview | null | undefined
  /** Has an effect on images */
  readonly detail?: 'auto' | 'lo' | 'hi' | 'low' | 'high' | null | undefined
  readonly gql_stmt?: string | null | undefined
  /** Without effect; other values than 3 are reported in warnings */
  readonly max_retries?: number | null | undefined
  /** Without effect; other values than 65535 are reported in warnings */
  readonly max_tokens?: number | null | undefined
  /** Without effect; other values than 0 are reported in warnings */
  readonly temperature?: number | null | undefined
}

export type FileExecuteRequest = {
  /** Id of an uploaded file */
  readonly file_id?: string | null | undefined
  /** Instead of file_id: an http, https or data URL */
  readonly url?: string | null | undefined
  /** Name of an agent, or `<name>:<version>` */
  readonly name: string
  /** Version of the agent. Default: latest */
  readonly version?: string | null | undefined
  /** Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id` */
  readonly id?: string | null | undefined
  readonly batch?: boolean | null | undefined
  readonly config?: GenerationConfig | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  /** URL that receives a POST with the execution as JSON when it ends or pauses */
  readonly callback_url?: string | null | undefined
}

export type FileSchemaRequest = {
  /** Id of an uploaded file */
  readonly file_id?: string | null | undefined
  /** Instead of file_id: an http, https or data URL */
  readonly url?: string | null | undefined
}

export type ImagePredictionRequest = {
  /** http, https or data URLs */
  readonly images?: readonly (string)[] | null | undefined
  /** A single image, instead of images */
  readonly image?: string | null | undefined
  /** Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id` */
  readonly id?: string | null | undefined
  /** A model identifier; `vlm-1` means the default of this server */
  readonly model?: string | null | undefined
  /** A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it */
  readonly domain?: string | null | undefined
  readonly batch?: boolean | null | undefined
  readonly config?: GenerationConfig | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  /** URL that receives a POST with the execution as JSON when it ends or pauses */
  readonly callback_url?: string | null | undefined
}

export type ImageExecuteRequest = {
  /** http, https or data URLs */
  readonly images?: readonly (string)[] | null | undefined
  /** A single image, instead of images */
  readonly image?: string | null | undefined
  /** Name of an agent, or `<name>:<version>` */
  readonly name: string
  /** Version of the agent. Default: latest */
  readonly version?: string | null | undefined
  /** Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id` */
  readonly id?: string | null | undefined
  readonly batch?: boolean | null | undefined
  readonly config?: GenerationConfig | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  /** URL that receives a POST with the execution as JSON when it ends or pauses */
  readonly callback_url?: string | null | undefined
}

export type ImageSchemaRequest = {
  /** http, https or data URLs */
  readonly images?: readonly (string)[] | null | undefined
  /** A single image, instead of images */
  readonly image?: string | null | undefined
}

export type WebPredictionRequest = {
  /** Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id` */
  readonly id?: string | null | undefined
  /** A model identifier; `vlm-1` means the default of this server */
  readonly model?: string | null | undefined
  /** A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it */
  readonly domain?: string | null | undefined
  readonly batch?: boolean | null | undefined
  readonly config?: GenerationConfig | null | undefined
  readonly metadata?: RequestMetadata | null | undefined
  /** URL that receives a POST with the execution as JSON when it ends or pauses */
  readonly callback_url?: string | null | undefined
  readonly url: string
  /** The page is read as its server sends it (fast), without running its scripts; accurate is refused */
  readonly mode?: 'fast' | 'accurate' | null | undefined
}

export type SchemaResponse = {
  readonly domain: string
  readonly description: string
  readonly schema_version: string
  /** SHA-256 of the schema as canonical JSON (RFC 8785) */
  readonly schema_hash: string
  /** Always empty: GraphQL selections are not supported */
  readonly gql_stmt: string
  readonly json_schema: { readonly [key: string]: Json }
  readonly json_sample: null
}

export type SchemaRequest = {
  readonly domain: string
  readonly gql_stmt?: string | null | undefined
  readonly config?: {
    readonly gql_stmt?: string | null | undefined
  } | null | undefined
}

export type HubInfo = {
  readonly version: string
}

export type HubDomain = {
  readonly domain: string
  readonly name: string
  readonly description: string
  readonly supported_inputs: readonly (string)[]
  readonly tags: readonly (string)[]
  readonly sample_data: readonly (string)[]
}

/** A DSSE envelope with one Ed25519 signature. Store its bytes unchanged */
export type Capsule = {
  readonly payloadType: 'application/vnd.in-toto+json'
  /** An in-toto Statement v1, in base64 */
  readonly payload: string
  readonly signatures: readonly ({
    readonly keyid: string
    readonly sig: string
  })[]
}

/** A JSON Web Key Set (RFC 7517, RFC 8037) */
export type CapsuleKeys = {
  readonly keys: readonly ({
    readonly kty: 'OKP'
    readonly crv: 'Ed25519'
    readonly alg: 'EdDSA'
    readonly use: 'sig'
    /** Same as `keyid` in a capsule */
    readonly kid: string
    /** The public key, base64url */
    readonly x: string
    readonly valid_from: string
    /** When it stopped signing; null: it still signs */
    readonly valid_until: string | null
    /** Nothing that a revoked key signed can be trusted */
    readonly revoked_at: string | null
  })[]
}

export type CapsuleKeyRotation = {
  /** Revokes the previous key: its capsules are no longer valid */
  readonly revoke?: boolean | null | undefined
} | null

export type Replay = {
  readonly execution_id: string
  /** The replay gave the same output, byte for byte */
  readonly equal: boolean
  /** At most 1000 */
  readonly differences: readonly ({
    /** JSON Pointer into the record, or `/steps/<seq>/…` */
    readonly path: string
    /** The recorded value; null if absent */
    readonly was: Json
    /** The value in the replay; null if absent */
    readonly is: Json
  })[]
  readonly model_calls: 0
}

export type CostEstimate = {
  readonly model: string
  /** The engine that would answer: `embedded`, or `provider/model` */
  readonly engine: string
  /** Service tier of the request */
  readonly service_tier: 'standard' | 'flex' | 'priority'
  readonly agent: {
    readonly standard: CostRange
    readonly flex: CostRange
    readonly priority: CostRange
  }
  /** As a program; null if this key has no such runs of this agent and model */
  readonly program: {
    readonly standard: CostRange
    readonly flex: CostRange
    readonly priority: CostRange
  } | null
  /** With `config.path: "cheapest"`; otherwise null */
  readonly path: PathEstimate | null
  readonly basis: {
    /** What the estimate is based on: past executions of this key with the same agent and model, with the same model, or only the prices */
    readonly by: 'agent' | 'model' | 'prices'
    /** Number of past executions that `agent` is computed from */
    readonly executions: number
    readonly program_executions: number
  }
}

export type CostRange = {
  readonly low_dollars: number
  readonly expected_dollars: number
  readonly high_dollars: number
}

export type PathEstimate = {
  /** Number of past executions of the same request with the same models; 0: by prices */
  readonly executions: number
  readonly cost: {
    readonly standard: CostRange
    readonly flex: CostRange
    readonly priority: CostRange
  }
  /** Engine → the share of executions in which it is asked, with bounds that hold with 95 % */
  readonly asked: { readonly [key: string]: {
    readonly low: number
    readonly expected: number
    readonly high: number
  } }
  /** `program`, `rules` or an engine → the share of fields that it answers */
  readonly fields: { readonly [key: string]: number }
}

export type AgentCreationResponse = {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  readonly status: 'pending' | 'enqueued' | 'running' | 'completed' | 'failed' | 'paused'
}

export type AgentCreateRequest = {
  /** If absent, the server derives a name from the prompt */
  readonly name?: string | null | undefined
  /** Used by executions that give none */
  readonly inputs?: { readonly [key: string]: Json } | null | undefined
  readonly config: {
    readonly prompt: string
    readonly json_schema?: { readonly [key: string]: Json } | null | undefined
    readonly skills?: readonly ({
      readonly type?: string | null | undefined
      readonly [key: string]: unknown
    })[] | null | undefined
    readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
  }
  readonly callback_url?: string | null | undefined
}

export type AgentInfo = AgentCreationResponse & {
  readonly description: string
  readonly prompt: string
  readonly json_schema: { readonly [key: string]: Json } | null
  /** An example value that is valid against json_schema */
  readonly json_sample: { readonly [key: string]: Json } | null
}

export type AgentLookupRequest = {
  readonly id?: string | null | undefined
  /** `name`, or `name:version` */
  readonly name?: string | null | undefined
  readonly prompt?: string | null | undefined
} | null

export type FeedbackSubmitResponse = {
  readonly id: string
  readonly created_at: string
  readonly response: { readonly [key: string]: Json } | null
  /** Null, like response, if the execution must not be kept */
  readonly notes: string | null
  readonly request_id: string | null
  readonly agent_execution_id: string | null
  readonly chat_id: string | null
  /** Fields of the request that this server does not know */
  readonly warnings: readonly ({
    readonly code: 'ignored_field'
    readonly path: string
    readonly message: string
  })[]
}

export type FeedbackSubmitRequest = {
  /** Your own id; the server does not check it */
  readonly request_id?: string | null | undefined
  /** Id of an execution of this workspace */
  readonly agent_execution_id?: string | null | undefined
  /** Id of a chat completion */
  readonly chat_id?: string | null | undefined
  /** The correct answer */
  readonly response?: { readonly [key: string]: Json } | null | undefined
  readonly notes?: string | null | undefined
}

export type FeedbackListResponse = {
  readonly request_id: string | null
  readonly agent_execution_id: string | null
  readonly chat_id: string | null
  readonly items: readonly ({
    readonly id: string
    readonly created_at: string
    readonly response: { readonly [key: string]: Json } | null
    /** Null, like response, if the execution must not be kept */
    readonly notes: string | null
  })[]
}

export type ChatCompletion = {
  /** `chatcmpl-` followed by the execution id */
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly session_id: string
  readonly service_tier: string
  readonly choices: readonly ({
    readonly index: number
    readonly message: {
      readonly role: 'assistant'
      readonly content: string | null
      readonly refusal: string | null
      readonly tool_calls?: readonly ({
        readonly id: string
        readonly [key: string]: unknown
      })[] | undefined
    }
    readonly logprobs: null
    readonly finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  })[]
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
    readonly prompt_tokens_details: {
      readonly cached_tokens: number
    }
    readonly completion_tokens_details: {
      readonly reasoning_tokens: number
    }
    readonly credits_used: number
    readonly cost_dollars: number
  }
}

export type ChatCompletionRequest = {
  readonly model?: string | null | undefined
  readonly messages: readonly (ChatMessage)[]
  readonly stream?: boolean | null | undefined
  readonly max_tokens?: number | null | undefined
  readonly max_completion_tokens?: number | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly presence_penalty?: number | null | undefined
  readonly frequency_penalty?: number | null | undefined
  readonly stop?: string | readonly (string)[] | null | undefined
  readonly reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null | undefined
  readonly response_format?: ChatResponseFormat | null | undefined
  readonly tools?: readonly ({
    readonly type: 'function'
    readonly function: {
      readonly name: string
      readonly description?: string | null | undefined
      readonly parameters?: { readonly [key: string]: Json } | null | undefined
      /** Passed to providers that have it */
      readonly strict?: boolean | null | undefined
    }
  })[] | null | undefined
  readonly tool_choice?: 'none' | 'auto' | 'required' | {
    readonly type: 'function'
    readonly function: {
      readonly name: string
    }
  } | null | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
  readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
  readonly metadata?: { readonly [key: string]: Json } | null | undefined
  readonly n?: 1 | null | undefined
  readonly logprobs?: false | null | undefined
  readonly logit_bias?: { readonly [key: string]: Json } | null | undefined
  readonly modalities?: readonly ('text')[] | null | undefined
  readonly functions?: readonly (Json)[] | null | undefined
  /** Not supported: function_call is not supported; use tool_choice */
  readonly function_call?: null | undefined
  /** false: nothing is kept once the reply was read */
  readonly store?: boolean | null | undefined
  readonly stream_options?: {
    /** A stream always ends with its usage */
    readonly include_usage?: boolean | null | undefined
    /** Not supported: the stream has no obfuscation */
    readonly include_obfuscation?: null | undefined
  } | null | undefined
  /** A label, kept in the metadata of the execution */
  readonly user?: string | null | undefined
  /** A label, kept in the metadata of the execution */
  readonly safety_identifier?: string | null | undefined
  /** A label, kept in the metadata; caching needs none */
  readonly prompt_cache_key?: string | null | undefined
  /** Not supported: replies have no audio */
  readonly audio?: null | undefined
  /** Not supported: moderation is not supported */
  readonly moderation?: null | undefined
  /** Not supported: prediction is not supported */
  readonly prediction?: null | undefined
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_options?: null | undefined
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_retention?: null | undefined
  /** Not supported: log probabilities are not supported */
  readonly top_logprobs?: null | undefined
  /** Not supported: verbosity is not supported */
  readonly verbosity?: null | undefined
  /** Not supported: web_search_options is not supported; use toolsets */
  readonly web_search_options?: null | undefined
  /** If absent, a new session is created */
  readonly session_id?: string | null | undefined
  readonly skills?: readonly (SkillEntry)[] | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
  readonly max_cost_dollars?: number | null | undefined
  readonly max_steps?: number | null | undefined
  readonly max_wrong_rate?: number | null | undefined
  readonly timeout_seconds?: number | null | undefined
}

export type ChatMessage = {
  readonly role: 'system' | 'developer'
  readonly content?: string | readonly ({
    readonly type: 'text'
    readonly text: string
  })[] | undefined
} | {
  readonly role: 'user'
  readonly content?: string | readonly (MessageContent | {
    readonly type: 'input_audio'
    readonly input_audio: {
      /** base64 */
      readonly data: string
      readonly format: string
    }
  } | {
    readonly type: 'file'
    readonly file: {
      readonly file_id?: string | null | undefined
      readonly file_data?: string | null | undefined
      readonly filename?: string | null | undefined
    }
  })[] | undefined
} | {
  readonly role: 'assistant'
  readonly content?: string | readonly ({
    readonly type: 'text'
    readonly text: string
  } | {
    readonly type: 'refusal'
    readonly refusal: string
  })[] | null | undefined
  readonly refusal?: string | null | undefined
  /** Not supported: earlier replies with audio are not supported; send their text */
  readonly audio?: null | undefined
  /** Not supported: function_call is not supported; use tool_calls */
  readonly function_call?: null | undefined
  readonly tool_calls?: readonly ({
    readonly id: string
    readonly type?: 'function' | null | undefined
    readonly function: {
      readonly name: string
      readonly arguments: string
    }
  })[] | null | undefined
} | {
  readonly role: 'tool'
  readonly content?: string | readonly ({
    readonly type: 'text'
    readonly text: string
  })[] | undefined
  readonly tool_call_id: string
}

export type ChatResponseFormat = {
  readonly type: 'text'
} | {
  readonly type: 'json_object'
} | {
  readonly type: 'json_schema'
  readonly json_schema?: {
    readonly name?: string | null | undefined
    readonly description?: string | null | undefined
    readonly schema?: { readonly [key: string]: Json } | null | undefined
    /** Every answer is validated against the schema, whatever this says */
    readonly strict?: boolean | null | undefined
  } | null | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly schema?: { readonly [key: string]: Json } | null | undefined
  /** Every answer is validated against the schema, whatever this says */
  readonly strict?: boolean | null | undefined
}

export type OpenAIModel = {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  /** The engine: `embedded`, or `provider/model` */
  readonly engine: string
}

export type Response = {
  /** `resp_` followed by the execution id */
  readonly id: string
  readonly object: 'response'
  readonly created_at: number
  readonly completed_at: number | null
  readonly status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  readonly model: string
  readonly output: readonly ({
    readonly type: string
    readonly id: string
    readonly [key: string]: unknown
  })[]
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
  readonly incomplete_details: {
    readonly reason: string
  } | null
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly total_tokens: number
    readonly [key: string]: unknown
  } | null
  readonly execution_id: string
  readonly session_id: string
  readonly [key: string]: unknown
}

export type ResponsesRequest = {
  readonly model?: string | null | undefined
  readonly input?: string | readonly (ResponsesInputItem)[] | undefined
  readonly instructions?: string | null | undefined
  readonly previous_response_id?: string | null | undefined
  readonly background?: boolean | null | undefined
  /** false: the response is deleted once it was read */
  readonly store?: boolean | null | undefined
  readonly stream?: boolean | null | undefined
  readonly stream_options?: {
    /** Not supported: the stream has no obfuscation */
    readonly include_obfuscation?: null | undefined
  } | null | undefined
  readonly text?: {
    readonly format?: {
      readonly type: 'text'
    } | {
      readonly type: 'json_object'
    } | {
      readonly type: 'json_schema'
      readonly name: string
      readonly schema: { readonly [key: string]: Json }
      readonly description?: string | null | undefined
      /** Repeated in the reply; every answer is validated against the schema */
      readonly strict?: boolean | null | undefined
    } | null | undefined
    /** Not supported: text.verbosity is not supported */
    readonly verbosity?: null | undefined
  } | null | undefined
  readonly tools?: readonly ({
    readonly type: 'function'
    readonly name: string
    readonly description?: string | null | undefined
    readonly parameters?: { readonly [key: string]: Json } | null | undefined
    /** Passed to providers that have it */
    readonly strict?: boolean | null | undefined
    /** Not supported: async functions are not supported */
    readonly async?: null | undefined
    /** Not supported: defer_loading is not supported */
    readonly defer_loading?: null | undefined
    /** Not supported: allowed_callers is not supported */
    readonly allowed_callers?: null | undefined
    /** Not supported: output_schema is not supported */
    readonly output_schema?: null | undefined
  } | {
    readonly type: 'shell'
    /** Not supported: allowed_callers is not supported */
    readonly allowed_callers?: null | undefined
    readonly environment: {
      readonly type: 'container_auto'
      readonly skills: readonly ({
        readonly type: 'skill_reference'
        readonly skill_id: string
        readonly version?: string | null | undefined
      } | {
        readonly type: 'inline'
        readonly name?: string | null | undefined
        readonly description?: string | null | undefined
        readonly source: {
          readonly type: 'base64'
          readonly media_type: 'application/zip'
          readonly data: string
        }
      })[]
      /** Not supported: environment.file_ids is not supported; give files as input_file */
      readonly file_ids?: null | undefined
      /** Not supported: environment.memory_limit is not supported */
      readonly memory_limit?: null | undefined
      /** Not supported: environment.network_policy is not supported: scripts have no network */
      readonly network_policy?: null | undefined
    }
  })[] | null | undefined
  readonly tool_choice?: 'none' | 'auto' | 'required' | {
    readonly type: 'function'
    readonly name: string
  } | null | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
  readonly max_output_tokens?: number | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly reasoning?: {
    readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null | undefined
    /** Not supported: reasoning.summary is not supported: replies have no reasoning items */
    readonly summary?: null | undefined
    /** Not supported: reasoning.generate_summary is not supported: replies have no reasoning items */
    readonly generate_summary?: null | undefined
  } | null | undefined
  readonly include?: readonly ('message.input_image.image_url')[] | null | undefined
  readonly metadata?: { readonly [key: string]: string } | null | undefined
  readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
  readonly truncation?: 'disabled' | null | undefined
  /** A label, repeated in the reply */
  readonly user?: string | null | undefined
  /** A label, repeated in the reply */
  readonly safety_identifier?: string | null | undefined
  /** A label, repeated in the reply; caching needs none */
  readonly prompt_cache_key?: string | null | undefined
  /** Not supported: log probabilities are not supported */
  readonly top_logprobs?: null | undefined
  /** Not supported: use max_steps */
  readonly max_tool_calls?: null | undefined
  /** Not supported: conversations are not supported; use previous_response_id */
  readonly conversation?: null | undefined
  /** Not supported: prompt templates are not supported; use a skill */
  readonly prompt?: null | undefined
  /** Not supported: context_management is not supported */
  readonly context_management?: null | undefined
  /** Not supported: moderation is not supported */
  readonly moderation?: null | undefined
  /** Not supported: access_programs is not supported */
  readonly access_programs?: null | undefined
  /** Not supported: image is not supported */
  readonly image?: null | undefined
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_options?: null | undefined
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_retention?: null | undefined
  readonly skills?: readonly (SkillEntry)[] | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
  readonly max_cost_dollars?: number | null | undefined
  readonly max_steps?: number | null | undefined
  readonly max_wrong_rate?: number | null | undefined
  readonly timeout_seconds?: number | null | undefined
}

export type ResponsesInputItem = {
  readonly type: 'message'
  readonly id?: string | null | undefined
  readonly status?: string | null | undefined
  readonly phase?: string | null | undefined
  readonly role: 'system' | 'developer'
  readonly content?: string | readonly (ResponsesInputText)[] | undefined
} | {
  readonly type: 'message'
  readonly id?: string | null | undefined
  readonly status?: string | null | undefined
  readonly phase?: string | null | undefined
  readonly role: 'user'
  readonly content?: string | readonly (ResponsesInputText | ResponsesInputImage | ResponsesInputFile)[] | undefined
} | {
  readonly type: 'message'
  readonly id?: string | null | undefined
  readonly status?: string | null | undefined
  readonly phase?: string | null | undefined
  readonly role: 'assistant'
  readonly content?: string | readonly ({
    readonly type: 'output_text'
    readonly text: string
    /** In a reply that is sent back */
    readonly annotations?: readonly (Json)[] | null | undefined
    /** In a reply that is sent back */
    readonly logprobs?: readonly (Json)[] | null | undefined
  } | {
    readonly type: 'refusal'
    readonly refusal: string
  } | ResponsesInputText)[] | undefined
} | {
  /** Not supported: async functions are not supported */
  readonly async?: null | undefined
  /** Not supported: caller is not supported: calls are those of the model */
  readonly caller?: null | undefined
  /** Not supported: namespaces of tools are not supported */
  readonly namespace?: null | undefined
  readonly type: 'function_call'
  readonly id?: string | null | undefined
  readonly call_id: string
  readonly name: string
  readonly arguments: string
  readonly status?: string | null | undefined
} | {
  readonly type: 'function_call_output'
  readonly id?: string | null | undefined
  readonly call_id: string
  readonly output?: string | readonly (ResponsesInputText | ResponsesInputImage | ResponsesInputFile)[] | undefined
  readonly status?: string | null | undefined
} | {
  readonly type: 'item_reference'
  readonly id: string
}

export type ResponsesInputText = {
  readonly type: 'input_text'
  readonly text: string
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_breakpoint?: null | undefined
}

export type ResponsesInputImage = {
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_breakpoint?: null | undefined
  readonly type: 'input_image'
  /** An http or https URL, or a data URL */
  readonly image_url?: string | null | undefined
  readonly file_id?: string | null | undefined
  readonly detail?: 'auto' | 'low' | 'high' | null | undefined
}

export type ResponsesInputFile = {
  /** Not supported: the provider of the model decides what is cached */
  readonly prompt_cache_breakpoint?: null | undefined
  readonly type: 'input_file'
  readonly file_id?: string | null | undefined
  readonly file_url?: string | null | undefined
  readonly file_data?: string | null | undefined
  /** A label; the type of the file is read from its content */
  readonly filename?: string | null | undefined
  /** Not supported: detail of a file is not supported */
  readonly detail?: null | undefined
}

export type AnthropicMessage = {
  /** `msg_` followed by the execution id */
  readonly id: string
  readonly type: 'message'
  readonly role: 'assistant'
  readonly model: string
  readonly content: readonly ({
    readonly type: string
    readonly [key: string]: unknown
  })[]
  readonly stop_reason: 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal' | null
  readonly stop_sequence: null
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly [key: string]: unknown
  }
  readonly container: null
  readonly [key: string]: unknown
}

export type AnthropicMessagesRequest = AnthropicCountTokensRequest & {
  readonly max_tokens: number
  readonly stream?: boolean | null | undefined
  readonly stop_sequences?: readonly (string)[] | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly metadata?: {
    readonly user_id?: string | null | undefined
  } | null | undefined
  readonly container?: {
    /** Not supported: containers are not kept; leave container.id out */
    readonly id?: null | undefined
    readonly skills?: readonly ({
      readonly type: 'custom' | 'anthropic'
      readonly skill_id: string
      readonly version?: string | null | undefined
    })[] | null | undefined
  } | null | undefined
  readonly service_tier?: 'auto' | 'standard_only' | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
  readonly max_cost_dollars?: number | null | undefined
  readonly max_steps?: number | null | undefined
  readonly max_wrong_rate?: number | null | undefined
  readonly timeout_seconds?: number | null | undefined
}

export type AnthropicMessageParam = {
  readonly role: 'user'
  readonly content?: string | readonly (AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock | {
    /** Not supported: toolset_name is not supported */
    readonly toolset_name?: null | undefined
    readonly type: 'tool_result'
    readonly tool_use_id: string
    readonly content?: string | readonly (AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock)[] | null | undefined
    readonly is_error?: boolean | null | undefined
    /** A hint; the provider of the model decides what is cached */
    readonly cache_control?: { readonly [key: string]: Json } | null | undefined
  })[] | undefined
} | {
  readonly role: 'assistant'
  readonly content?: string | readonly (AnthropicTextBlock | {
    /** Not supported: toolset_name is not supported */
    readonly toolset_name?: null | undefined
    readonly caller?: {
      readonly type: 'direct'
    } | null | undefined
    readonly type: 'tool_use'
    readonly id: string
    readonly name: string
    readonly input: { readonly [key: string]: Json }
    /** A hint; the provider of the model decides what is cached */
    readonly cache_control?: { readonly [key: string]: Json } | null | undefined
  })[] | undefined
}

export type AnthropicTextBlock = {
  readonly type: 'text'
  readonly text: string
  /** In a reply that is sent back */
  readonly citations?: readonly (Json)[] | null | undefined
  /** A hint; the provider of the model decides what is cached */
  readonly cache_control?: { readonly [key: string]: Json } | null | undefined
}

export type AnthropicImageBlock = {
  /** Not supported: transformations are not supported */
  readonly transformations?: null | undefined
  readonly type: 'image'
  readonly source: {
    readonly type: 'base64'
    readonly media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
    readonly data: string
  } | {
    readonly type: 'url'
    readonly url: string
  } | {
    readonly type: 'file'
    readonly file_id: string
  }
  /** A hint; the provider of the model decides what is cached */
  readonly cache_control?: { readonly [key: string]: Json } | null | undefined
}

export type AnthropicDocumentBlock = {
  readonly type: 'document'
  readonly source: {
    readonly type: 'base64'
    readonly media_type: 'application/pdf'
    readonly data: string
  } | {
    readonly type: 'text'
    readonly media_type: 'text/plain'
    readonly data: string
  } | {
    readonly type: 'content'
    readonly content?: string | readonly (AnthropicTextBlock)[] | undefined
  } | {
    readonly type: 'url'
    readonly url: string
  } | {
    readonly type: 'file'
    readonly file_id: string
  }
  readonly title?: string | null | undefined
  readonly context?: string | null | undefined
  readonly citations?: {
    readonly enabled?: boolean | null | undefined
  } | null | undefined
  /** A hint; the provider of the model decides what is cached */
  readonly cache_control?: { readonly [key: string]: Json } | null | undefined
}

export type AnthropicCustomTool = {
  readonly type?: 'custom' | null | undefined
  readonly name: string
  readonly description?: string | null | undefined
  readonly input_schema: { readonly [key: string]: Json }
  /** Passed to providers that have it */
  readonly strict?: boolean | null | undefined
  /** Not supported: defer_loading is not supported */
  readonly defer_loading?: null | undefined
  /** Not supported: allowed_callers is not supported */
  readonly allowed_callers?: null | undefined
  /** Not supported: input_examples are not supported; describe them in description */
  readonly input_examples?: null | undefined
  /** A hint; the arguments of a call arrive in one piece */
  readonly eager_input_streaming?: boolean | null | undefined
  /** A hint; the provider of the model decides what is cached */
  readonly cache_control?: { readonly [key: string]: Json } | null | undefined
}

export type AnthropicCodeExecution = {
  readonly type: string
  readonly name: 'code_execution'
  /** A hint; the provider of the model decides what is cached */
  readonly cache_control?: { readonly [key: string]: Json } | null | undefined
}

export type AnthropicCountTokensRequest = {
  readonly model: string
  readonly messages: readonly (AnthropicMessageParam)[]
  readonly system?: string | readonly (AnthropicTextBlock)[] | null | undefined
  readonly tools?: readonly (AnthropicCustomTool | AnthropicCodeExecution)[] | null | undefined
  readonly tool_choice?: {
    readonly type: 'auto'
    readonly disable_parallel_tool_use?: boolean | null | undefined
  } | {
    readonly type: 'any'
    readonly disable_parallel_tool_use?: boolean | null | undefined
  } | {
    readonly type: 'tool'
    readonly name: string
    readonly disable_parallel_tool_use?: boolean | null | undefined
  } | {
    readonly type: 'none'
  } | null | undefined
  readonly output_config?: {
    readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | null | undefined
    readonly format?: {
      readonly type: 'json_schema'
      readonly schema: { readonly [key: string]: Json }
    } | null | undefined
  } | null | undefined
  readonly thinking?: {
    readonly type: 'disabled'
  } | null | undefined
  /** A hint; the provider of the model decides what is cached */
  readonly cache_control?: { readonly [key: string]: Json } | null | undefined
  /** Not supported: top_k is not supported */
  readonly top_k?: null | undefined
  /** Not supported: speed is not supported; use service_tier */
  readonly speed?: null | undefined
  /** Not supported: inference_geo is not supported */
  readonly inference_geo?: null | undefined
  /** Not supported: diagnostics is not supported */
  readonly diagnostics?: null | undefined
  /** Not supported: user_profile_id is not supported */
  readonly user_profile_id?: null | undefined
  /** Not supported: the key decides the workspace */
  readonly workspace_id?: null | undefined
  /** Not supported: mcp_servers is not supported; the operator configures tool servers */
  readonly mcp_servers?: null | undefined
  /** Not supported: context_management is not supported */
  readonly context_management?: null | undefined
}

export type PresignedUpload = {
  readonly id: string
  readonly url: string
  readonly filename: string
  readonly content_type: string
  readonly upload_method: 'PUT'
  readonly public_url: string
  readonly created_at: string
  /** Lifetime of the URL in seconds */
  readonly expiration: number
}

export type PresignRequest = {
  readonly filename: string
  readonly purpose?: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets' | 'user_data' | 'evals' | null | undefined
  readonly expiration?: number | null | undefined
}

export type File = {
  readonly id: string
  readonly filename: string
  readonly bytes: number
  readonly purpose: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets' | 'user_data' | 'evals'
  readonly created_at: string
  readonly object: 'file'
  /** Signed URL that works without a key until it expires */
  readonly public_url: string | null
  /** Hash of the content, in hexadecimal */
  readonly sha256: string
  readonly content_type: string
}

export type OpenAIFile = {
  readonly id: string
  readonly object: 'file'
  readonly bytes: number
  readonly created_at: number
  readonly filename: string
  readonly purpose: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets' | 'user_data' | 'evals'
  readonly status: 'processed'
}

export type OpenAITranscription = {
  readonly text: string
  readonly usage: {
    readonly type: 'duration'
    readonly seconds: number
  }
  readonly execution_id: string
  readonly [key: string]: unknown
}

export type OpenAIEmbeddings = {
  readonly object: 'list'
  readonly data: readonly ({
    readonly object: 'embedding'
    readonly index: number
    /** With `encoding_format: base64`, the base64 of float32 numbers, lowest byte first */
    readonly embedding: readonly (number)[] | string
  })[]
  readonly model: string
  readonly usage: {
    readonly prompt_tokens: number
    readonly total_tokens: number
    readonly [key: string]: unknown
  }
  readonly execution_id: string
  readonly [key: string]: unknown
}

export type OpenAIEmbeddingsRequest = {
  readonly model: string
  readonly input?: string | readonly (string)[] | undefined
  readonly dimensions?: number | null | undefined
  readonly encoding_format?: 'float' | 'base64' | null | undefined
  /** A label, kept in the metadata of the execution */
  readonly user?: string | null | undefined
  readonly max_cost_dollars?: number | null | undefined
  readonly timeout_seconds?: number | null | undefined
}

export type AnthropicFile = {
  readonly id: string
  readonly type: 'file'
  readonly filename: string
  readonly mime_type: string
  readonly size_bytes: number
  readonly created_at: string
  readonly downloadable: true
  readonly expires_at: null
  readonly scope: null
}

export type Skill = ListedSkill & {
  readonly status?: 'pending' | 'running' | 'completed' | 'failed' | undefined
  readonly error?: {
    readonly code: string
    readonly message: string
  } | null | undefined
  /** Counts 1, 2, 3 … per skill name; null until the version is completed */
  readonly number?: number | null | undefined
  readonly is_latest?: boolean | undefined
  /** The version waits for an evaluation that passes its publish_gate */
  readonly is_held?: boolean | undefined
  /** Hash of the content: SHA-256 over one line `<sha256>  <path>` per file, sorted */
  readonly bundle_sha256?: string | undefined
  /** Of the zip */
  readonly bytes?: number | undefined
  readonly files?: readonly ({
    readonly path: string
    readonly bytes: number
    readonly sha256: string
  })[] | undefined
  readonly json_schema?: { readonly [key: string]: Json } | null | undefined
  readonly model?: string | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
  readonly allowed_tools?: readonly (string)[] | null | undefined
  readonly hosts?: readonly (string)[] | undefined
  readonly publish_gate?: Json | undefined
  /** What a person must approve in every execution with this skill */
  readonly require_approval?: {
    readonly completion: boolean
    readonly tools: readonly (string)[]
    readonly timeout_seconds: number | null
    readonly on_timeout: 'approve' | 'reject' | null
    readonly approvers?: readonly ('viewer' | 'reviewer' | 'editor' | 'admin')[] | null | undefined
  } | null | undefined
  /** What to review before you trust the bundle */
  readonly review?: readonly ({
    readonly kind: 'hidden_unicode' | 'undeclared_script' | 'network' | 'secret' | 'front_matter'
    readonly path: string
    readonly line: number | null
    readonly message: string
  })[] | undefined
  readonly session_id?: string | null | undefined
  /** For a skill created from a session: how its test run agreed with the session */
  readonly proof?: {
    readonly original_id: string
    readonly execution_id: string | null
    /** Share of fields that are equal in both answers, 0 to 1 */
    readonly agreement: number | null
    readonly disagreements: readonly (string)[]
  } | null | undefined
  /** proof_differs: the test run gave a valid answer that differs from the session. Often empty */
  readonly warnings?: readonly ({
    readonly code: string
    readonly path: string
    readonly message: string
  })[] | undefined
}

export type SkillCreateRequest = {
  /** Required with file_id; otherwise the server creates one. If a skill has this name, it gets a new version */
  readonly name?: string | null | undefined
  /** Required with file_id; otherwise the server creates one */
  readonly description?: string | null | undefined
  /** Id of an uploaded zip with SKILL.md at its root or in its only top-level folder */
  readonly file_id?: string | null | undefined
  /** Becomes the instructions */
  readonly prompt?: string | null | undefined
  /** Only with prompt; becomes schema.json */
  readonly json_schema?: { readonly [key: string]: Json } | null | undefined
  /** Session that the skill is created from */
  readonly session_id?: string | null | undefined
  readonly is_public?: boolean | null | undefined
}

export type ListedSkill = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly skill_version: string
  readonly skill_uri: string | null
  readonly is_public: boolean
  readonly created_at: string
  readonly updated_at: string
}

export type SkillLookupRequest = {
  readonly id?: string | null | undefined
  /** A name, or name:version */
  readonly name?: string | null | undefined
  readonly skill_version?: number | string | null | undefined
  /** Use skill_version */
  readonly version?: number | string | null | undefined
}

export type SkillUpdateRequest = {
  /** Id of a zip that replaces the whole bundle; not together with prompt or json_schema */
  readonly file_id?: string | null | undefined
  readonly description?: string | null | undefined
  readonly prompt?: string | null | undefined
  readonly json_schema?: { readonly [key: string]: Json } | null | undefined
  readonly is_public?: boolean | null | undefined
}

export type SkillDownload = {
  readonly id: string
  readonly name: string
  readonly skill_version: string
  /** Signed URL that works without a key */
  readonly download_url: string
  /** Seconds */
  readonly expires_in: number
}

export type OpenAISkill = {
  /** The same for all versions */
  readonly id: string
  readonly object: 'skill'
  readonly name: string
  readonly description: string
  readonly created_at: number
  readonly default_version: string
  readonly latest_version: string
}

export type OpenAISkillVersion = {
  readonly id: string
  readonly object: 'skill.version'
  readonly skill_id: string
  readonly version: string
  readonly name: string
  readonly description: string
  readonly created_at: number
}

export type AnthropicSkill = {
  /** The same for all versions */
  readonly id: string
  readonly type: 'skill'
  readonly display_name: string
  readonly latest_version_id: string
  readonly source: 'custom' | {
    readonly type: 'custom'
  }
  readonly created_at: string
  readonly updated_at: string
  readonly [key: string]: unknown
}

export type AnthropicSkillVersion = {
  readonly id: string
  readonly type: 'skill_version'
  readonly skill_id: string
  readonly name: string
  readonly description: string
  readonly created_at: string
  readonly [key: string]: unknown
}

export type MadeKey = {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scopes: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'review' | 'approve' | 'admin')[]
  /** Last four characters of the key */
  readonly hint: string
  readonly expires_at: string | null
  readonly created_at: string
  /** Maximum cost of its executions per UTC day, in dollars */
  readonly budget_dollars_per_day: number | null
  /** Only shown once */
  readonly key: string
}

export type KeyRequest = {
  readonly workspace?: string | null | undefined
  readonly name?: string | null | undefined
  /** If absent: execute, read, skills:write, files:write, review (everything except approve and admin). A key for a new workspace always has admin */
  readonly scopes?: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'review' | 'approve' | 'admin')[] | null | undefined
  /** A time with UTC offset, or a date (midnight UTC) */
  readonly expires_at?: string | null | undefined
  readonly budget_dollars_per_day?: number | null | undefined
}

export type Key = {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scopes: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'review' | 'approve' | 'admin')[]
  /** Last four characters of the key */
  readonly hint: string
  readonly expires_at: string | null
  readonly created_at: string
  /** Maximum cost of its executions per UTC day, in dollars */
  readonly budget_dollars_per_day: number | null
  readonly revoked_at: string | null
}

export type SignInState = {
  /** Whether there are users who sign in by password */
  readonly password: boolean
  /** The identity provider by which people sign in */
  readonly provider: {
    readonly name: string
    /** Where a browser goes to sign in; `?return_to=` names a path of the console */
    readonly sign_in_url: string
    /** Where a browser ends its session at the provider */
    readonly sign_out_url: string
  } | null
  /** Who is signed in in this browser */
  readonly user: Me | null
  /** Every request with the session cookie needs it in the header X-CSRF-Token */
  readonly csrf_token: string | null
}

export type Me = {
  readonly kind: 'key' | 'user'
  /** Of the key, or of the user in this workspace */
  readonly id: string
  readonly name: string
  readonly email: string | null
  /** null for keys */
  readonly role: 'viewer' | 'reviewer' | 'editor' | 'admin' | null
  readonly scopes: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'review' | 'approve' | 'admin')[]
  /** Whether the user can sign in by password */
  readonly has_password: boolean
  /** Until the password is changed, there are no scopes */
  readonly must_change_password: boolean
  readonly workspace: {
    readonly id: string
    readonly name: string
  }
  /** The workspaces of the user. A request selects one by its id in the header X-Skillrun-Workspace */
  readonly workspaces: readonly ({
    readonly id: string
    readonly name: string
    readonly role: 'viewer' | 'reviewer' | 'editor' | 'admin'
  })[]
}

export type SignInRequest = {
  readonly email: string
  readonly password: string
}

export type SignOutRequest = {
  /** End all sessions of this user */
  readonly everywhere?: boolean | null | undefined
} | null

export type PasswordChange = {
  readonly current_password: string
  readonly new_password: string
}

export type User = {
  /** Of this person in this workspace; reviews, claims and the audit log name it */
  readonly id: string
  readonly email: string
  readonly name: string
  /** viewer: read; reviewer: also review; editor: also execute and change; admin: all */
  readonly role: 'viewer' | 'reviewer' | 'editor' | 'admin'
  readonly workspace: string
  /** Cannot sign in, in any workspace */
  readonly disabled: boolean
  readonly has_password: boolean
  /** Signs in by an identity provider */
  readonly has_provider: boolean
  readonly must_change_password: boolean
  readonly created_at: string
  /** Last sign-in */
  readonly signed_in_at: string | null
}

export type UserWithPassword = User & {
  /** The generated password, only shown once */
  readonly password: string | null
}

export type UserRequest = {
  readonly email: string
  /** If absent: the email address */
  readonly name?: string | null | undefined
  /** viewer: read; reviewer: also review; editor: also execute and change; admin: all */
  readonly role: 'viewer' | 'reviewer' | 'editor' | 'admin'
  readonly workspace?: string | null | undefined
  /** If absent, one is generated. null: the user has none. Either way an account that exists keeps its own */
  readonly password?: string | null | undefined
}

export type UserChange = {
  readonly role?: 'viewer' | 'reviewer' | 'editor' | 'admin' | null | undefined
  readonly name?: string | null | undefined
  readonly disabled?: boolean | null | undefined
}

export type PasswordReset = {
  /** If absent, one is generated */
  readonly password?: string | null | undefined
} | null

export type Usage = {
  readonly from: string
  readonly to: string
  readonly total: {
    readonly executions: number
    readonly cost_dollars: number
    readonly standard_cost_dollars: number
    readonly savings_dollars: number
    readonly credits_used: number
    readonly input_tokens: number
    readonly cached_input_tokens: number
    readonly output_tokens: number
    readonly steps: number
    /** Median time from creation to completion, of completed executions */
    readonly latency_p50_ms: number | null
    readonly latency_p95_ms: number | null
  }
  readonly groups: readonly ({
    /** Multiple dimensions are separated by commas */
    readonly key: string
    readonly executions: number
    readonly cost_dollars: number
    readonly standard_cost_dollars: number
    readonly savings_dollars: number
    readonly credits_used: number
    readonly input_tokens: number
    readonly cached_input_tokens: number
    readonly output_tokens: number
    readonly steps: number
    /** Median time from creation to completion, of completed executions */
    readonly latency_p50_ms: number | null
    readonly latency_p95_ms: number | null
  })[]
}

export type AuditEntry = {
  readonly id: string
  readonly action: 'key.create' | 'key.revoke' | 'workspace.create' | 'user.create' | 'user.update' | 'user.remove' | 'user.reset_password' | 'user.change_password' | 'user.sign_in' | 'user.sign_in_failed' | 'user.sign_out' | 'file.create' | 'file.delete' | 'skill.create' | 'skill.update' | 'skill.delete' | 'skill.improve' | 'case.create' | 'case.delete' | 'program.create' | 'program.delete' | 'callback_secret.change' | 'capsule_key.rotate' | 'batch.create' | 'batch.pause' | 'batch.resume' | 'batch.cancel' | 'batch.retry' | 'approval.decide' | 'review.save' | 'review.assign' | 'review.settings'
  /** Id of the key, user, file, skill version, workspace or batch that was changed */
  readonly subject_id: string
  /** Signed-in user who did it; null for keys */
  readonly user_id: string | null
  readonly user_name: string | null
  /** Key that was used; null for signed-in users, actions of the server, and signed URLs */
  readonly key_id: string | null
  readonly key_name: string | null
  /** Last four characters of that key */
  readonly key_hint: string | null
  readonly detail: { readonly [key: string]: Json }
  readonly created_at: string
}

export type Health = {
  readonly status: 'ok'
}

export type Model = {
  readonly model: string
  readonly domain: string
  readonly engine: string
}

export type Domain = {
  readonly domain: string
  readonly name: string
  readonly description: string
}

export type Queues = {
  readonly tiers: readonly ({
    readonly tier: 'priority' | 'standard' | 'flex'
    /** Executions of this tier that all workers together can run at the same time */
    readonly slots: number
    /** Executions of this workspace that wait for their inputs */
    readonly pending: number
    /** Executions of this workspace that wait for a slot */
    readonly waiting: number
    readonly running: number
    readonly paused: number
    /** Running in a process that is gone; another worker takes them over */
    readonly stalled: number
    /** Open executions that lost a worker before */
    readonly retried: number
    readonly oldest_waiting_at: string | null
    /** Waiting jobs of all workspaces; null outside the first workspace */
    readonly jobs_waiting: number | null
  })[]
  /** Processes that share the database; null outside the first workspace */
  readonly workers: readonly ({
    readonly id: string
    readonly host: string
    readonly pid: number
    readonly started_at: string
    /** Executions that this process can run at the same time; null: it runs none */
    readonly slots: { readonly [key: string]: number } | null
  })[] | null
}

export type Settings = {
  /** By their names in the configuration; null: none */
  readonly limits: { readonly [key: string]: number | null }
  readonly tiers: readonly ({
    readonly tier: 'priority' | 'standard' | 'flex'
    readonly price_factor: number
  })[]
  readonly models: readonly ({
    readonly model: string
    /** The engine */
    readonly engine: string
    /** null: no price per token, as with the embedded engine, or it depends on the request */
    readonly price: {
      /** Dollars per million tokens, in the standard tier */
      readonly input: number
      /** Dollars per million tokens, in the standard tier */
      readonly cached_input: number
      /** Dollars per million tokens, in the standard tier */
      readonly output: number
    } | null
    readonly context_tokens: number | null
  })[]
}

export type Tool = {
  readonly name: string
  readonly toolset: string
  readonly description: string
  readonly input_schema: { readonly [key: string]: Json }
  readonly dollars_per_call: number
  /** Whether this machine has what the tool needs */
  readonly is_available: boolean
}

/** What each operation takes and answers. */
export interface Operations {
  /** A signed statement over hashes of an execution that has ended: inputs, request, skills, program, transcript, response, evidence, artifacts, usage, reviews */
  getCapsule: {
    query: {
      contents?: boolean
    }
    reply: Capsule
  }
  /** Add a user to this workspace */
  addUser: {
    body: UserRequest
    reply: UserWithPassword
  }
  /** Add cases to a skill: inputs with the correct response, or executions with or without a correction */
  addSkillCases: {
    body: SkillCasesRequest
    reply: readonly (SkillCase)[]
  }
  /** Always a 404: this server trains no models */
  getDataset: {
    reply: Response
  }
  /** Always a 404: this server trains no models */
  getFineTuningJob: {
    reply: Response
  }
  /** Always an empty list: this server trains no models */
  listDatasets: {
    reply: readonly (Json)[]
  }
  /** Always an empty list: this server trains no models */
  listFineTunedModels: {
    reply: readonly (Json)[]
  }
  /** Always an empty list: this server trains no models */
  listFineTuningJobs: {
    reply: readonly (Json)[]
  }
  /** Always refused: this server trains no models */
  createDataset: {
    body: { readonly [key: string]: Json }
    reply: Response
  }
  /** Always refused: this server trains no models */
  createFineTuning: {
    body: { readonly [key: string]: Json }
    reply: Response
  }
  /** Always refused: this server trains no models */
  generateFineTuned: {
    body: { readonly [key: string]: Json }
    reply: Response
  }
  /** Always refused: this server trains no models */
  provisionFineTuned: {
    body: { readonly [key: string]: Json }
    reply: Response
  }
  /** Approve what an execution waits for; a second call returns the first decision */
  approveExecution: {
    body: DecideRequest
    reply: AgentExecutionResponse
  }
  /** Assign a review to a key, so that no other key can claim it */
  assignReview: {
    body: AssignReviewRequest
    reply: ReviewItem
  }
  /** Cancel a batch and its executions that have not ended */
  cancelBatch: {
    reply: Batch
  }
  /** Cancel a response; does nothing if it has ended */
  cancelResponse: {
    reply: Response
  }
  /** Cancel a running improvement and its runs; nothing is published */
  cancelSkillImprovement: {
    reply: SkillImprovement
  }
  /** Cancel an execution */
  cancelExecution: {
    reply: AgentExecutionResponse
  }
  /** Change the password of the signed-in user: ends all other sessions */
  changePassword: {
    body: PasswordChange
    reply: SignInState
  }
  /** Change the role or name of a user, or disable the user, which ends all their sessions */
  changeUser: {
    query: {
      workspace?: string
    }
    body: UserChange
    reply: User
  }
  /** Claim the next execution to review for 15 minutes: one assigned to this key, or else the oldest */
  claimNextReview: {
    body: ClaimReviewRequest
    reply: ClaimedReview
  }
  /** Claim the review of an execution for 15 minutes, or renew the claim */
  claimReview: {
    reply: ReviewItem
  }
  /** Compare the responses of two executions field by field, or their records with of=record; at most 1000 differences */
  diffExecutions: {
    query: {
      of?: 'response' | 'record'
    }
    reply: ExecutionDiff
  }
  /** Compile a program of a skill from its cases and test it */
  compileProgram: {
    body: ProgramCompileRequest
    reply: Program
  }
  /** Create a chat completion (compatible with OpenAI), with documents, skills, server tools and your own tools; streamed or complete */
  createChatCompletion: {
    body: ChatCompletionRequest
    reply: ChatCompletion
  }
  /** Create a chat completion (compatible with OpenAI), with documents, skills, server tools and your own tools; streamed or complete */
  createChatCompletionShort: {
    body: ChatCompletionRequest
    reply: ChatCompletion
  }
  /** Create a key; its secret is only shown once */
  createKey: {
    body: KeyRequest
    reply: MadeKey
  }
  /** Create a message (Anthropic's Messages API), at once or streamed */
  createMessage: {
    body: AnthropicMessagesRequest
    reply: AnthropicMessage
  }
  /** Create a presigned upload URL that accepts the bytes of a new file by PUT, without a key. Executions can refer to the file before it is uploaded; they start when it is complete */
  presignUpload: {
    body: PresignRequest
    reply: PresignedUpload
  }
  /** Create a response (OpenAI's Responses API), at once, streamed or in the background */
  createResponse: {
    body: ResponsesRequest
    reply: Response
  }
  /** Create a skill from a zip or the files of a bundle, in the parts `files[]`; a name that exists gets a version */
  createAnthropicSkill: {
    reply: AnthropicSkill
  }
  /** Create a skill from a zip or the files of a bundle, in the parts `files`; a name that exists gets a version */
  createOpenAiSkill: {
    reply: OpenAISkill
  }
  /** Create a skill from an uploaded zip, a prompt or a session */
  createSkill: {
    body: SkillCreateRequest
    reply: Skill
  }
  /** Create a version of a skill */
  createAnthropicSkillVersion: {
    reply: AnthropicSkillVersion
  }
  /** Create a version of a skill; it becomes the default unless it has to pass a gate */
  createOpenAiSkillVersion: {
    reply: OpenAISkillVersion
  }
  /** Create an agent: a named prompt with defaults for its executions; an existing name gets its next version */
  createAgent: {
    body: AgentCreateRequest
    reply: AgentCreationResponse
  }
  /** Create the next version of a skill; fields that are not given stay unchanged */
  updateSkill: {
    body: SkillUpdateRequest
    reply: Skill
  }
  /** Decide by the signed approval_url of a callback, once: `decision` (approve or reject) and `comment` as JSON or as a form */
  decideByLink: {
    query: {
      number: number
      workspace: string
      expires: string
      signature: string
    }
    reply: Response
  }
  /** Delete a case */
  deleteSkillCase: {
    reply: SkillCase
  }
  /** Delete a file */
  deleteAnthropicFile: {
    reply: {
      readonly id: string
      readonly type: 'file_deleted'
    }
  }
  /** Delete a file */
  deleteOpenAiFile: {
    reply: {
      readonly id: string
      readonly object: 'file'
      readonly deleted: true
    }
  }
  /** Delete a file, or a pending presigned upload, whose URL then stops working */
  deleteFile: {
    reply: File
  }
  /** Delete a program; executions that it served keep its hash */
  deleteProgram: {
    reply: Program
  }
  /** Delete a saved filter */
  deleteSavedFilter: {
    reply: SavedFilter
  }
  /** Delete a skill with all its versions */
  deleteAnthropicSkill: {
    reply: {
      readonly id: string
      readonly type: string
    }
  }
  /** Delete a skill with all its versions */
  deleteOpenAiSkill: {
    reply: {
      readonly id: string
      readonly object: string
      readonly deleted: true
      readonly version?: string | undefined
    }
  }
  /** Delete a version of a skill */
  deleteAnthropicSkillVersion: {
    reply: {
      readonly id: string
      readonly type: string
    }
  }
  /** Delete a version of a skill */
  deleteOpenAiSkillVersion: {
    reply: {
      readonly id: string
      readonly object: string
      readonly deleted: true
      readonly version?: string | undefined
    }
  }
  /** Delete a version of a skill; the previous version becomes the latest */
  deleteSkill: {
    reply: Skill
  }
  /** Delete the content of a response, and cancel it if it is running. Its cost stays in the execution record */
  deleteResponse: {
    reply: {
      readonly id: string
      readonly object: 'response'
      readonly deleted: true
    }
  }
  /** Download a file */
  getAnthropicFileContent: {
    reply: Response
  }
  /** Download a file */
  getOpenAiFileContent: {
    reply: Response
  }
  /** Download a file by its signed public_url */
  getPublicFile: {
    query: {
      workspace?: string
      expires?: string
      signature?: string
    }
    reply: Response
  }
  /** Download a file; Range and If-None-Match are supported */
  getFileContent: {
    reply: Response
  }
  /** Download an artifact, by object_id or filename within an execution or a session */
  getArtifact: {
    query: {
      execution_id?: string
      session_id?: string
      object_id?: string
      filename?: string
    }
    reply: Response
  }
  /** Download the bundle of a skill as a zip */
  getOpenAiSkillContent: {
    reply: Response
  }
  /** Download the bundle of a version as a zip */
  getAnthropicSkillVersionContent: {
    reply: Response
  }
  /** Download the bundle of a version as a zip */
  getOpenAiSkillVersionContent: {
    reply: Response
  }
  /** Download the results of a batch, one row per item, as CSV, XLSX or JSON Lines */
  getBatchResults: {
    query: {
      format?: 'csv' | 'xlsx' | 'jsonl'
      status?: 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled'
      filter?: 'low_confidence' | 'not_found' | 'failed'
      evidence?: boolean
    }
    reply: Response
  }
  /** Download the zip of a skill by its signed download_url */
  getSkillZip: {
    query: {
      workspace?: string
      expires?: string
      signature?: string
    }
    reply: Response
  }
  /** End the session of this browser, or all sessions of the user */
  signOut: {
    body: SignOutRequest
    reply: SignInState
  }
  /** Estimate the cost of an execution in each tier, from past executions of this key. Invalid bodies are rejected as in POST /v1/agent/execute */
  estimateExecution: {
    body: AgentExecuteRequest
    reply: CostEstimate
  }
  /** Estimate the input tokens of a message, rather too high */
  countMessageTokens: {
    body: AnthropicCountTokensRequest
    reply: {
      readonly input_tokens: number
    }
  }
  /** Estimate what a batch over earlier executions would cost, from what they cost. Starts nothing */
  estimateBackfill: {
    body: BackfillRequest
    reply: BackfillEstimate
  }
  /** Evaluate a skill version: run its cases with this version, without the skill, and with the previous version, in the flex tier */
  evaluateSkill: {
    body: EvaluateRequest
    reply: SkillEvaluation
  }
  /** Execute an agent on inputs; with `batch: false` the reply waits for the end */
  executeAgent: {
    body: AgentExecuteRequest
    reply: AgentExecutionResponse
  }
  /** Execute an agent on up to 10,000 documents, each by itself; repeating an Idempotency-Key returns the first batch */
  createBatch: {
    body: BatchRequest
    reply: Batch
  }
  /** Execute the failed items of a batch again, each as a new execution */
  retryBatch: {
    reply: Batch
  }
  /** Find a file of this workspace by the MD5 of its content, in hexadecimal */
  findFileByHash: {
    query: {
      generate_public_url?: boolean
    }
    reply: File
  }
  /** Find a skill by id, or by name and version */
  lookupSkill: {
    body: SkillLookupRequest
    reply: Skill
  }
  /** Find an agent by id, by name (or name:version), or by prompt */
  lookupAgent: {
    query: {
      id?: string | null
      name?: string | null
      prompt?: string | null
    }
    body: AgentLookupRequest
    reply: AgentInfo
  }
  /** Find an agent by id, by name (or name:version), or by prompt */
  lookupAgentByQuery: {
    query: {
      id?: string | null
      name?: string | null
      prompt?: string | null
    }
    body: AgentLookupRequest
    reply: AgentInfo
  }
  /** Get a batch with its progress and cost */
  getBatch: {
    reply: Batch
  }
  /** Get a download URL for the zip of a skill, with SKILL.md at its root */
  downloadSkill: {
    query: {
      expires?: number
    }
    reply: SkillDownload
  }
  /** Get a file */
  getOpenAiFile: {
    reply: OpenAIFile
  }
  /** Get a model of this server (compatible with OpenAI) */
  getOpenAiModel: {
    reply: OpenAIModel
  }
  /** Get a program with its source, gate report and statistics */
  getProgram: {
    reply: Program
  }
  /** Get a skill */
  getAnthropicSkill: {
    reply: AnthropicSkill
  }
  /** Get a skill */
  getOpenAiSkill: {
    reply: OpenAISkill
  }
  /** Get a version of a skill */
  getAnthropicSkillVersion: {
    reply: AnthropicSkillVersion
  }
  /** Get a version of a skill */
  getOpenAiSkillVersion: {
    reply: OpenAISkillVersion
  }
  /** Get a version of a skill */
  getSkill: {
    reply: Skill
  }
  /** Get an evaluation and its report: agreement by field with the skill, without it, and with the previous version */
  getSkillEvaluation: {
    reply: SkillEvaluation
  }
  /** Get an execution as a prediction */
  getPrediction: {
    reply: PredictionResponse
  }
  /** Get an improvement: its proposals with their figures, and what was published */
  getSkillImprovement: {
    reply: SkillImprovement
  }
  /** Get how often reviewers agreed with each field, and how long a document took them */
  getReviewStatistics: {
    query: {
      skill_name?: string
      from?: string
      to?: string
    }
    reply: ReviewStatistics
  }
  /** Get the JSON Schema of a domain */
  getDomainSchema: {
    body: SchemaRequest
    reply: SchemaResponse
  }
  /** Get the JSON Schema of a domain */
  getHubSchema: {
    body: SchemaRequest
    reply: SchemaResponse
  }
  /** Get the entry of an execution in the review queue */
  getReview: {
    reply: ReviewItem
  }
  /** Get the file of a presigned upload when it is complete */
  verifyUpload: {
    query: {
      generate_public_url?: boolean
    }
    reply: File
  }
  /** Get the limits of this server, and its models with their engines and prices */
  getSettings: {
    reply: Settings
  }
  /** Get the metadata of a file */
  getAnthropicFile: {
    reply: AnthropicFile
  }
  /** Get the request of an execution, as a body for POST /v1/agent/execute */
  getExecutionRequest: {
    reply: ExecutionRequest
  }
  /** Get the secret that signs the callbacks of this workspace */
  getCallbackSecret: {
    reply: CallbackSecret
  }
  /** Get the steps of an execution, with price and time of each */
  listExecutionSteps: {
    reply: readonly (Step)[]
  }
  /** Get the version of the built-in schemas */
  getHubInfo: {
    reply: HubInfo
  }
  /** Get the words of a page of an inline or archived office file, e-book, PDF file or image; of a scan by OCR */
  readInputPage: {
    query: {
      input: string
    }
    reply: PageWords
  }
  /** Get the words of a page of an office file, e-book, PDF file or image, with boxes as in evidence; of a scan by OCR */
  readFilePage: {
    reply: PageWords
  }
  /** Get usage and cost of this workspace, in total and by group */
  getUsage: {
    query: {
      from?: string
      to?: string
      group_by?: string
    }
    reply: Usage
  }
  /** Get what waits, runs and stalls in this workspace by tier, and the workers with their slots */
  getQueues: {
    reply: Queues
  }
  /** Give a user a new password, which they have to change, and end all their sessions */
  resetPassword: {
    query: {
      workspace?: string
    }
    body: PasswordReset
    reply: UserWithPassword
  }
  /** Have a model propose better instructions from failing cases, compare each proposal with the version on cases that the model never saw, and publish the best one that is better */
  improveSkill: {
    body: ImproveRequest
    reply: SkillImprovement
  }
  /** How people sign in, and who is signed in in this browser */
  getSignIn: {
    reply: SignInState
  }
  /** Import the execution of a capsule with contents as a new execution of this workspace, with its inputs, request, transcript and answer; it can be replayed and forked */
  importCapsule: {
    body: Capsule
    reply: AgentExecutionResponse
  }
  /** Let an execution go on from its transcript that is paused, or that failed as poison, timeout or provider_…, with another max_cost_dollars where one is given */
  resumeExecution: {
    body: ResumeRequest
    reply: AgentExecutionResponse
  }
  /** List every saved review of an execution, oldest first */
  listExecutionReviews: {
    reply: readonly (SavedReview)[]
  }
  /** List feedback on requests, executions and chat completions, newest first */
  listFeedback: {
    query: {
      type?: 'request' | 'agent_execution' | 'chat'
      limit?: number
      offset?: number
    }
    reply: FeedbackListResponse
  }
  /** List the agents of this workspace, newest first, each in its latest version */
  listAgents: {
    query: {
      skip?: number
      limit?: number
    }
    reply: readonly (AgentInfo)[]
  }
  /** List the audit log of this workspace (keys, files, skills and settings), newest first */
  listAudit: {
    query: {
      action?: 'key.create' | 'key.revoke' | 'workspace.create' | 'user.create' | 'user.update' | 'user.remove' | 'user.reset_password' | 'user.change_password' | 'user.sign_in' | 'user.sign_in_failed' | 'user.sign_out' | 'file.create' | 'file.delete' | 'skill.create' | 'skill.update' | 'skill.delete' | 'skill.improve' | 'case.create' | 'case.delete' | 'program.create' | 'program.delete' | 'callback_secret.change' | 'capsule_key.rotate' | 'batch.create' | 'batch.pause' | 'batch.resume' | 'batch.cancel' | 'batch.retry' | 'approval.decide' | 'review.save' | 'review.assign' | 'review.settings'
      subject_id?: string
      key_id?: string
      created_after?: string
      created_before?: string
      skip?: number
      limit?: number
    }
    reply: readonly (AuditEntry)[]
  }
  /** List the batches of this workspace, newest first */
  listBatches: {
    query: {
      limit?: number
      status?: 'running' | 'paused' | 'completed' | 'cancelled'
      cursor?: string
    }
    reply: readonly (Batch)[]
  }
  /** List the callbacks of a batch, with every delivery attempt */
  listBatchCallbacks: {
    reply: readonly (Callback)[]
  }
  /** List the callbacks of an execution, with every delivery attempt */
  listCallbacks: {
    reply: readonly (Callback)[]
  }
  /** List the cases of a skill: added cases first, then those in the bundle of this version */
  listSkillCases: {
    reply: readonly (SkillCase)[]
  }
  /** List the domains with built-in schemas */
  listHubDomains: {
    reply: readonly (HubDomain)[]
  }
  /** List the domains: agent, and those with built-in schemas */
  listDomains: {
    reply: readonly (Domain)[]
  }
  /** List the evaluations of all versions of a skill */
  listSkillEvaluations: {
    query: {
      limit?: number
    }
    reply: readonly (SkillEvaluation)[]
  }
  /** List the executions of this workspace as predictions, newest first */
  listPredictions: {
    query: {
      skip?: number
      limit?: number
    }
    reply: readonly (PredictionResponse)[]
  }
  /** List the executions of this workspace, newest first */
  listExecutions: {
    query: {
      skip?: number
      limit?: number
      status?: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'
      name?: string
      client_id?: string
      service_tier?: 'standard' | 'flex' | 'priority'
      session_id?: string
      batch_id?: string
      review?: 'needed' | 'done'
      approval?: 'needed' | 'done'
      skill_id?: string
      created_after?: string
      created_before?: string
      purpose?: 'work' | 'evaluation' | 'shadow' | 'all'
      q?: string
      cursor?: string
    }
    reply: readonly (ListedExecution)[]
  }
  /** List the files of this workspace by age */
  listOpenAiFiles: {
    query: {
      limit?: number
      order?: 'asc' | 'desc'
      after?: string
      purpose?: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets' | 'user_data' | 'evals'
    }
    reply: {
      readonly object: 'list'
      readonly data: readonly (OpenAIFile)[]
      readonly first_id: string | null
      readonly last_id: string | null
      readonly has_more: boolean
    }
  }
  /** List the files of this workspace, newest first */
  listAnthropicFiles: {
    query: {
      limit?: number
      page?: string
      after_id?: string
      before_id?: null
      ids?: null
      'ids[]'?: null
      scope_id?: null
    }
    reply: {
      readonly data: readonly (AnthropicFile)[]
      readonly next_page: string | null
      readonly first_id: string | null
      readonly last_id: string | null
      readonly has_more: boolean
    }
  }
  /** List the files of this workspace, newest first */
  listFiles: {
    query: {
      skip?: number
      limit?: number
      generate_public_url?: boolean
    }
    reply: readonly (File)[]
  }
  /** List the improvements of a skill */
  listSkillImprovements: {
    query: {
      limit?: number
    }
    reply: readonly (SkillImprovement)[]
  }
  /** List the input items of a response: the conversation up to it, without its instructions */
  listResponseInputItems: {
    query: {
      limit?: number
      order?: 'asc' | 'desc'
      after?: string
      include?: null
      'include[]'?: null
    }
    reply: {
      readonly object: 'list'
      readonly data: readonly ({ readonly [key: string]: Json })[]
      readonly first_id: string | null
      readonly last_id: string | null
      readonly has_more: boolean
    }
  }
  /** List the items of a batch with their values and confidence */
  listBatchItems: {
    query: {
      limit?: number
      status?: 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled'
      filter?: 'low_confidence' | 'not_found' | 'failed'
      sort?: 'number' | 'file_name' | 'confidence' | 'cost' | 'completed_at'
      order?: 'asc' | 'desc'
      cursor?: string
    }
    reply: readonly (BatchItem)[]
  }
  /** List the keys and users that may approve or reject this execution */
  listApprovers: {
    reply: readonly ({
      readonly kind: 'key' | 'user'
      readonly id: string
      readonly name: string
    })[]
  }
  /** List the keys of this workspace, newest first */
  listKeys: {
    query: {
      workspace?: string
    }
    reply: readonly (Key)[]
  }
  /** List the models of this server (compatible with OpenAI) */
  listOpenAiModels: {
    reply: {
      readonly object: 'list'
      readonly data: readonly (OpenAIModel)[]
    }
  }
  /** List the models of this server and their engines */
  listModels: {
    reply: readonly (Model)[]
  }
  /** List the programs of all versions of a skill, newest first */
  listPrograms: {
    query: {
      limit?: number
    }
    reply: readonly (Program)[]
  }
  /** List the review queue of this workspace, oldest first */
  listReviews: {
    query: {
      status?: 'needed' | 'claimed' | 'done'
      skill_id?: string
      mine?: boolean
      limit?: number
      cursor?: string
    }
    reply: readonly (ReviewItem)[]
  }
  /** List the review settings: of the workspace, then of skills */
  listReviewSettings: {
    reply: readonly (ReviewSetting)[]
  }
  /** List the saved filters of this workspace, by name */
  listSavedFilters: {
    reply: readonly (SavedFilter)[]
  }
  /** List the sessions of this workspace, the one with the newest execution first */
  listSessions: {
    query: {
      skip?: number
      limit?: number
    }
    reply: readonly (Session)[]
  }
  /** List the skills of this workspace and the public ones */
  listSkills: {
    query: {
      limit?: number
      offset?: number
      order_by?: 'created_at' | 'updated_at' | 'name'
      descending?: boolean
      grouped?: boolean
    }
    reply: readonly (ListedSkill)[]
  }
  /** List the skills of this workspace by name */
  listAnthropicSkills: {
    query: {
      limit?: number
      page?: string
      source?: 'custom' | 'anthropic'
    }
    reply: {
      readonly data: readonly (AnthropicSkill)[]
      readonly next_page: string | null
      readonly has_more: boolean
    }
  }
  /** List the skills of this workspace by name */
  listOpenAiSkills: {
    query: {
      limit?: number
      order?: 'asc' | 'desc'
      after?: string
    }
    reply: {
      readonly object: 'list'
      readonly data: readonly (OpenAISkill)[]
      readonly first_id: string | null
      readonly last_id: string | null
      readonly has_more: boolean
    }
  }
  /** List the tools for executions, with their input schemas and prices */
  listTools: {
    reply: readonly (Tool)[]
  }
  /** List the users of this workspace */
  listUsers: {
    query: {
      workspace?: string
    }
    reply: readonly (User)[]
  }
  /** List the versions of a skill */
  listOpenAiSkillVersions: {
    query: {
      limit?: number
      order?: 'asc' | 'desc'
      after?: string
    }
    reply: {
      readonly object: 'list'
      readonly data: readonly (OpenAISkillVersion)[]
      readonly first_id: string | null
      readonly last_id: string | null
      readonly has_more: boolean
    }
  }
  /** List the versions of a skill, newest first */
  listAnthropicSkillVersions: {
    query: {
      limit?: number
      page?: string
    }
    reply: {
      readonly data: readonly (AnthropicSkillVersion)[]
      readonly next_page: string | null
      readonly has_more: boolean
    }
  }
  /** List the versions of a skill, newest first, at most 1,000 */
  listSkillVersions: {
    reply: readonly (Skill)[]
  }
  /** Metrics of this process and of the queues, for Prometheus; only for admins of the first workspace */
  getMetrics: {
    reply: Response
  }
  /** Model Context Protocol over streamable HTTP; each tool needs the scope of the routes that it stands for. Requests with an Origin of another site are refused */
  callMcp: {
    body: {
      readonly jsonrpc: '2.0'
      readonly [key: string]: unknown
    }
    reply: Response
  }
  /** One file */
  getFile: {
    query: {
      generate_public_url?: boolean
    }
    reply: File
  }
  /** Pause a batch: no new execution is created, and those in flight pause after their current step */
  pauseBatch: {
    reply: Batch
  }
  /** Pause an execution after its current step */
  pauseExecution: {
    reply: AgentExecutionResponse
  }
  /** Propose a JSON Schema for inputs of this kind; needs a language model */
  proposeSchemaFromAudio: {
    body: FileSchemaRequest
    reply: PredictionResponse
  }
  /** Propose a JSON Schema for inputs of this kind; needs a language model */
  proposeSchemaFromDocument: {
    body: FileSchemaRequest
    reply: PredictionResponse
  }
  /** Propose a JSON Schema for inputs of this kind; needs a language model */
  proposeSchemaFromImage: {
    body: ImageSchemaRequest
    reply: PredictionResponse
  }
  /** Propose a JSON Schema for inputs of this kind; needs a language model */
  proposeSchemaFromVideo: {
    body: FileSchemaRequest
    reply: PredictionResponse
  }
  /** Read a document by a domain, schema, prompt or skill. batch: false waits for the end */
  generateFromDocument: {
    body: FilePredictionRequest
    reply: PredictionResponse
  }
  /** Read a recording by a domain, schema, prompt or skill. batch: false waits for the end */
  generateFromAudio: {
    body: FilePredictionRequest
    reply: PredictionResponse
  }
  /** Read a video by a domain, schema, prompt or skill. batch: false waits for the end */
  generateFromVideo: {
    body: FilePredictionRequest
    reply: PredictionResponse
  }
  /** Read a web page as its server sends it, without running its scripts */
  generateFromWeb: {
    body: WebPredictionRequest
    reply: PredictionResponse
  }
  /** Read an agent */
  getAgent: {
    reply: AgentInfo
  }
  /** Read an execution */
  getExecution: {
    reply: AgentExecutionResponse
  }
  /** Read images by a domain, schema, prompt or skill. batch: false waits for the end (default) */
  generateFromImage: {
    body: ImagePredictionRequest
    reply: PredictionResponse
  }
  /** Reject what an execution waits for; it fails as rejected */
  rejectExecution: {
    body: DecideRequest
    reply: AgentExecutionResponse
  }
  /** Release a claimed review, so that anyone can claim it */
  releaseReview: {
    body: ReleaseReviewRequest
    reply: ReviewItem
  }
  /** Remove a user from this workspace; without another workspace the account and its personal data are deleted */
  removeUser: {
    query: {
      workspace?: string
    }
    reply: User
  }
  /** Render a page of a PDF, or an image, as PNG in the aspect ratio of the boxes in evidence */
  drawFilePage: {
    query: {
      width?: number
    }
    reply: Response
  }
  /** Render a page of an inline or archived PDF or image as PNG, as for files */
  drawInputPage: {
    query: {
      width?: number
      input: string
    }
    reply: Response
  }
  /** Replace the name and the query of a saved filter */
  replaceSavedFilter: {
    body: SavedFilterRequest
    reply: SavedFilter
  }
  /** Resume a paused batch and its paused executions */
  resumeBatch: {
    reply: Batch
  }
  /** Resume executions that are paused or failed with poison, timeout or provider_…, by ids or by a filter */
  resumeExecutions: {
    body: ResumeExecutionsRequest
    reply: ResumedExecutions
  }
  /** Retrieve a response, also while it runs */
  getResponse: {
    query: {
      stream?: boolean
      starting_after?: number
      include_obfuscation?: null
      include?: null
      'include[]'?: null
    }
    reply: Response
  }
  /** Revoke a key */
  revokeKey: {
    query: {
      workspace?: string
    }
    reply: Key
  }
  /** Rotate the callback secret of this workspace; for one day, webhook-signature also contains a signature with the previous secret */
  changeCallbackSecret: {
    reply: CallbackSecret
  }
  /** Run an agent on a document, by its name and version */
  executeOnDocument: {
    body: FileExecuteRequest
    reply: PredictionResponse
  }
  /** Run an agent on a recording, by its name and version */
  executeOnAudio: {
    body: FileExecuteRequest
    reply: PredictionResponse
  }
  /** Run an agent on a video, by its name and version */
  executeOnVideo: {
    body: FileExecuteRequest
    reply: PredictionResponse
  }
  /** Run an agent on images, by its name and version */
  executeOnImage: {
    body: ImageExecuteRequest
    reply: PredictionResponse
  }
  /** Run an execution anew from one of its steps, as a new execution that keeps the steps before it; with another prompt, model, schema, skills or tool results */
  forkExecution: {
    body: ForkRequest
    reply: AgentExecutionResponse
  }
  /** Run an execution that has ended again from its transcript, without model calls, and compare the output; nothing is written or charged */
  replayExecution: {
    reply: Replay
  }
  /** Run the request of an execution again as a new execution; fields of the body replace those of the original request */
  rerunExecution: {
    body: AgentExecuteRequest | null
    reply: AgentExecutionResponse
  }
  /** Save a filter of the list of executions under a name, for everyone in the workspace */
  createSavedFilter: {
    body: SavedFilterRequest
    reply: SavedFilter
  }
  /** Save corrections of an answer beside it, as reviewed_response; with the header If-Match only on top of that review.version */
  reviewExecution: {
    body: ReviewRequest
    reply: AgentExecutionResponse
  }
  /** Save feedback on an answer. Give exactly one of request_id, agent_execution_id and chat_id; executions and chat completions must belong to this workspace */
  submitFeedback: {
    body: FeedbackSubmitRequest
    reply: FeedbackSubmitResponse
  }
  /** Send a callback of a batch again with the same bytes and webhook-id, and a new series of attempts */
  redeliverBatchCallback: {
    reply: Callback
  }
  /** Send a callback of an execution again with the same bytes and webhook-id, and a new series of attempts */
  redeliverCallback: {
    reply: Callback
  }
  /** Set the default version, which can only be the newest */
  updateOpenAiSkill: {
    body: {
      readonly default_version: string
    }
    reply: OpenAISkill
  }
  /** Set when answers of the workspace, or of a skill, need a review */
  changeReviewSetting: {
    body: ReviewSettingRequest
    reply: readonly (ReviewSetting)[]
  }
  /** Show what waits for a decision, by the signed approval_url of a callback; it decides nothing */
  showApproval: {
    query: {
      number: number
      workspace: string
      expires: string
      signature: string
    }
    reply: Response
  }
  /** Sign capsules with a new key from now on; only for admins of the first workspace */
  rotateCapsuleKey: {
    body: CapsuleKeyRotation
    reply: CapsuleKeys
  }
  /** Sign in by password: sets a session cookie */
  signIn: {
    body: SignInRequest
    reply: SignInState
  }
  /** Skip a review: it is not offered to this key again */
  skipReview: {
    body: ReleaseReviewRequest
    reply: ReviewItem
  }
  /** Stream a server-sent event whenever an execution of this workspace is created, starts or ends; then reload the list */
  followExecutions: {
    reply: Response
  }
  /** Stream the events of an execution as server-sent events until its end, or list them as JSON with Accept: application/json */
  listExecutionEvents: {
    query: {
      after?: string
      limit?: number
    }
    reply: readonly (ExecutionEvent)[]
  }
  /** The database responds too */
  isReady: {
    reply: Health
  }
  /** The key is valid */
  checkKey: {
    reply: Health
  }
  /** The key is valid, for clients whose base URL is /v1/openai */
  checkOpenAiKey: {
    reply: Health
  }
  /** The process responds */
  isAlive: {
    reply: Health
  }
  /** The public keys that capsules of this server are signed with, and when each was valid */
  listCapsuleKeys: {
    reply: CapsuleKeys
  }
  /** This document */
  getOpenApi: {
    reply: {
      readonly openapi: string
      readonly [key: string]: unknown
    }
  }
  /** Transcribe a recording in the part `file`; needs a configured transcriber. The file is not kept */
  createTranscription: {
    reply: OpenAITranscription
  }
  /** Turn texts into vectors; needs a configured embedding model */
  createEmbedding: {
    body: OpenAIEmbeddingsRequest
    reply: OpenAIEmbeddings
  }
  /** Upload a file */
  uploadFile: {
    query: {
      purpose?: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets' | 'user_data' | 'evals'
      generate_public_url?: boolean
    }
    reply: File
  }
  /** Upload a file in the part `file`, with a `purpose`; its id works as `file_id` */
  uploadOpenAiFile: {
    reply: OpenAIFile
  }
  /** Upload a file in the part `file`; its id works as the source of blocks */
  uploadAnthropicFile: {
    reply: AnthropicFile
  }
  /** Upload the bytes of a file to its presigned URL, as the raw request body */
  sendFile: {
    query: {
      workspace?: string
      expires?: string
      signature?: string
    }
    reply: File
  }
  /** What the runs of an execution or a session made, oldest first. A session is known once an execution or a chat of this workspace has named it */
  listArtifacts: {
    query: {
      execution_id?: string
      session_id?: string
      limit?: number
    }
    reply: ArtifactList
  }
  /** Whether a domain has a built-in schema */
  hasHubDomain: {
    reply: boolean
  }
  /** Who is calling: the key or the signed-in user */
  getMe: {
    reply: Me
  }
}
