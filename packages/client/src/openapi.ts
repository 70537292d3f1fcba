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

export type AgentExecutionResponse = {
  readonly id: string
  /** `<name>:<version>` of the agent that runs; executing this name runs the same version. `chat` for a turn of a chat */
  readonly name: string
  /** The id of that agent version; null for a turn of a chat */
  readonly agent_id: string | null
  /** The request `id` of the caller where it is not a UUID; a UUID is the id of the execution itself */
  readonly client_id: string | null
  readonly response: Json
  readonly execution_mode: 'agent' | 'program'
  readonly status: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'
  readonly created_at: string
  readonly completed_at: string | null
  readonly usage: CreditUsageResponse
  readonly error: {
    readonly code: string
    readonly message: string
    readonly retryable: boolean
  } | null
  /** The model identifier of the request, of a skill, or the default; usable in a new request */
  readonly model: string
  readonly model_selection: ModelSelection
  readonly service_tier: 'standard' | 'flex' | 'priority'
  readonly skills: readonly ({
    /** null: it came inline */
    readonly id: string | null
    readonly name: string
    readonly skill_version: string
    readonly bundle_sha256: string
  })[]
  readonly program: {
    readonly id: string
    readonly sha256: string
  } | null
  /** The execution that a program served and that this one was run beside, to see whether they agree */
  readonly shadow_of: string | null
  readonly session_id: string | null
  /** JSON Pointer of a leaf of the response → where it stands */
  readonly evidence: { readonly [key: string]: Evidence } | null
  /** null: no schema was given, or there is no answer */
  readonly completeness: Completeness | null
  /** What a caller should know although there is an answer; often empty */
  readonly warnings: readonly (Warning)[]
  readonly attempts: number
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

export type ModelSelection = {
  /** The identifier that was asked for; the same as `model` */
  readonly requested: string
  /** What answers: `embedded`, or the provider and its model; null until it is chosen */
  readonly resolved: string | null
  /** Who named the identifier; null in records from before this field */
  readonly chosen_by: 'request' | 'skill' | 'default' | null
  /** The rule that chose what answers, where the identifier leaves a choice */
  readonly reason: string | null
}

export type Evidence = {
  readonly status: 'verified' | 'normalised' | 'derived' | 'unsupported'
  /** The input slot, with /n for the n-th item of an array slot */
  readonly input?: string | undefined
  /** 0-based */
  readonly page?: number | undefined
  /** x, y, w, h as fractions of the page */
  readonly bbox?: readonly (number)[] | undefined
  /** Characters [start, end) of a text input */
  readonly span?: readonly (number)[] | undefined
  /** [from, to]: when it is seen or heard in film or sound; both the same for a picture of a film */
  readonly seconds?: readonly (number)[] | undefined
  readonly quote?: string | undefined
  readonly confidence: number
  readonly note?: string | undefined
}

export type Completeness = {
  /** Fields that the schema asks for; a column of a list counts once */
  readonly asked: number
  readonly found: number
  /** asked − found; `warnings` and `evidence` say which, and why */
  readonly not_found: number
  /** Found, but with low confidence */
  readonly low_confidence: number
  /** The share of wrong values that was promised; null: none was */
  readonly max_wrong_rate: number | null
  /** Items of each list, and how many the input says there are, where it does */
  readonly listed: readonly ({
    readonly path: string
    readonly returned: number
    readonly expected: number | null
  })[]
}

export type Warning = {
  /** For programs: not_found, ignored_field, row_does_not_add_up, sums_do_not_add_up, list_incomplete, usage_implausible, … */
  readonly code: string
  /** JSON Pointer into the response; of ignored_field, into the request */
  readonly path: string
  readonly message: string
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
  /** The client's own id of the request: the same id and body give the first answer. A UUID becomes the id of the execution; any other text is its `client_id` */
  readonly id?: string | null | undefined
  /** `<name>:<version>` of an agent; a bare name, and `latest`, mean its newest version */
  readonly name?: string | null | undefined
  /** Slots: an input item, an array of them, an http(s) or data URL, or any JSON. Beside them the request needs a prompt, a schema, a skill or the name of an agent */
  readonly inputs?: { readonly [key: string]: MessageContent | readonly (MessageContent)[] | Json } | null | undefined
  /** false waits for the end; default true */
  readonly batch?: boolean | null | undefined
  readonly config?: {
    readonly prompt?: string | null | undefined
    readonly json_schema?: { readonly [key: string]: Json } | null | undefined
    /** Alias of json_schema */
    readonly response_model?: { readonly [key: string]: Json } | null | undefined
    readonly tools_type?: 'document' | 'image' | 'video' | 'multimodal' | null | undefined
    readonly tool_names?: readonly (string)[] | null | undefined
    readonly skills?: readonly (SkillEntry)[] | null | undefined
    /** Lets scripts of public skills of other workspaces run, in the sandbox; else they are refused */
    readonly allow_public_scripts?: boolean | null | undefined
    readonly caching?: boolean | null | undefined
    readonly service_tier?: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null | undefined
    readonly execution_mode?: 'agent' | 'program' | null | undefined
    /** Alias of execution_mode */
    readonly mode?: 'agent' | 'program' | null | undefined
    /** What the execution may cost in all. Replies of a model are capped to it; when not even a short one fits, the run pauses */
    readonly max_cost_dollars?: number | null | undefined
    readonly max_steps?: number | null | undefined
    readonly timeout_seconds?: number | null | undefined
    /** 0-based pages to read of each document */
    readonly page_indices?: readonly (number)[] | null | undefined
    /** Seconds of the segments that a video is looked at in; default: by its cuts */
    readonly video_segment_duration?: number | null | undefined
    /** Pictures of each segment */
    readonly video_frames_per_segment?: number | null | undefined
    readonly grounding?: boolean | null | undefined
    readonly confidence?: boolean | null | undefined
    /** Accepted because some clients send it; has no effect */
    readonly orchestration_mode?: Json | undefined
    /** Accepted because some clients send it; has no effect. `image_url.detail` of an input has one */
    readonly detail?: Json | undefined
  } | null | undefined
  readonly model?: string | null | undefined
  /** Told of the end, and of pauses: POST of the execution as JSON */
  readonly callback_url?: string | null | undefined
  readonly created_at?: string | null | undefined
  readonly metadata?: {
    readonly environment?: 'dev' | 'staging' | 'prod' | null | undefined
    readonly session_id?: string | null | undefined
    readonly sessionId?: string | null | undefined
    /** Content is never logged, whatever this says */
    readonly allow_logging?: boolean | null | undefined
    /** false: nothing is learnt from it for later executions */
    readonly allow_training?: boolean | null | undefined
    /** false: inputs, their files and all steps are gone when it ends, the answer after its first reader or an hour; hashes, usage and price stay */
    readonly allow_retention?: boolean | null | undefined
    readonly allowLogging?: boolean | null | undefined
    readonly allowTraining?: boolean | null | undefined
    readonly allowRetention?: boolean | null | undefined
    readonly [key: string]: unknown
  } | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
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

export type Step = {
  readonly seq: number
  readonly attempt: number
  readonly kind: 'input' | 'tool' | 'model'
  readonly name: string
  /** What was done. Names are in snake_case, but for what callers, models and tools wrote */
  readonly detail: Json
  /** What came of it, in the same form */
  readonly result: Json
  readonly cost_dollars: number
  readonly started_at: string
  readonly ended_at: string
}

export type ExecutionEvent = {
  /** Where to go on from: the Last-Event-ID of a reader who has seen this */
  readonly id: string
  readonly event: 'status'
  readonly data: {
    readonly status: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'
    readonly at: string
    readonly attempt: number
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    } | undefined
  }
} | {
  readonly id: string
  readonly event: 'step'
  readonly data: {
    readonly seq: number
    readonly attempt: number
    readonly kind: 'input' | 'tool' | 'model'
    readonly name: string
    /** What was done. Names are in snake_case, but for what callers, models and tools wrote */
    readonly detail: Json
    readonly cost_dollars: number
    readonly started_at: string
    readonly ended_at: string
  }
}

export type ResumeRequest = {
  /** What the execution may cost in all from now on */
  readonly max_cost_dollars?: number | null | undefined
} | null

export type ResumedExecutions = {
  /** How many go on */
  readonly resumed: number
  /** Those that do not, and why */
  readonly refused: readonly ({
    readonly id: string
    readonly reason: string
  })[]
}

export type ResumeExecutionsRequest = {
  /** The executions to resume */
  readonly ids?: readonly (string)[] | undefined
  /** As the query of GET /v1/agent/executions; `{}`: all that can be resumed, newest first */
  readonly filter?: {
    /** How many of the newest to leave out */
    readonly skip?: number | undefined
    /** How many to resume at most */
    readonly limit?: number | undefined
    readonly status?: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed' | undefined
    /** All runs of this agent; `<name>:<version>`: of that version; `chat`: turns of chats */
    readonly name?: string | undefined
    /** The request `id` that the caller gave */
    readonly client_id?: string | undefined
    readonly service_tier?: 'standard' | 'flex' | 'priority' | undefined
    readonly session_id?: string | undefined
    /** UUID of a version, name, or name:version */
    readonly skill_id?: string | undefined
    /** A time with its offset, or a date, which is its first moment in UTC */
    readonly created_after?: string | undefined
    /** As created_after; the moment itself is not included */
    readonly created_before?: string | undefined
    readonly cursor?: string | undefined
  } | undefined
}

export type Callback = {
  /** Counts 1, 2, 3 … within the execution */
  readonly n: number
  readonly event: 'completed' | 'failed' | 'paused'
  readonly url: string
  /** The webhook-id header, the same at every try */
  readonly webhook_id: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly next_try_at: string | null
  readonly created_at: string
  /** Oldest first; the newest hundred are kept */
  readonly tries: readonly (CallbackTry)[]
}

export type CallbackTry = {
  readonly at: string
  /** What the receiver answered; null where it did not */
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
  /** Until then webhook-signature carries a signature by the secret before, too */
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

export type PageWords = {
  readonly content_type: string
  readonly page_count: number
  /** Characters across, on a grid of one cell a character */
  readonly columns: number
  readonly rows: number
  readonly words: readonly ({
    readonly text: string
    /** As evidence gives it */
    readonly bbox: readonly (Json)[]
  })[]
  /** Words that the page has beyond these */
  readonly left_out: number
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
  /** The version of the skill that it was compiled for */
  readonly skill_id: string
  readonly skill_version: string
  readonly status: 'compiling' | 'candidate' | 'ready' | 'rejected' | 'demoted'
  /** Why it was rejected or demoted */
  readonly reason: string | null
  /** Who wrote it: the embedded engine, or a code agent */
  readonly origin: 'embedded' | 'agent'
  /** The execution whose agent wrote it */
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
    })[]
    readonly cases: {
      readonly answered: number
      readonly declined: number
      readonly failed: number
    }
    readonly threshold: number
  } | null
  readonly schema_hash: string
  readonly input_shape: { readonly [key: string]: string } | null
  readonly runs: number
  /** Milliseconds of a run in the sandbox, on average */
  readonly run_ms: number | null
  readonly shadow: {
    readonly runs: number
    readonly disagreements: number
    /** Upper bound on the rate of wrong answers, one-sided, 95 %, exact binomial */
    readonly bound: number
  }
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
  /** Completed executions whose answers are right */
  readonly execution_ids?: readonly (string)[] | null | undefined
  /** Known answers of the skill; without either: all of them */
  readonly case_ids?: readonly (string)[] | null | undefined
} | null

export type SkillCase = {
  readonly id: string
  /** `{type: "bundle_file", path}` is a file of the bundle */
  readonly inputs: { readonly [key: string]: Json }
  readonly response: Json
  readonly prompt: string | null
  readonly source: 'added' | 'execution' | 'bundle'
  readonly execution_id: string | null
  readonly created_at: string
}

export type SkillCasesRequest = {
  readonly cases: readonly ({
    /** Slots as in POST /v1/agent/execute */
    readonly inputs?: { readonly [key: string]: Json } | null | undefined
    readonly prompt?: string | null | undefined
    /** An execution whose inputs are taken */
    readonly execution_id?: string | null | undefined
    /** The right response; absent: the execution's own */
    readonly response?: Json | null | undefined
  })[]
}

export type SkillEvaluation = {
  readonly id: string
  readonly status: 'running' | 'completed' | 'failed'
  readonly skill_id: string
  readonly skill_name: string
  readonly skill_version: string
  readonly number: number
  /** The version before */
  readonly before: {
    readonly skill_id: string
    readonly number: number
  } | null
  readonly model: string | null
  /** Executions in all */
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
      readonly with?: {
        readonly completed: number
        readonly failed: number
        readonly fields: number
        readonly agreed: number
        /** Fields that agree, of all */
        readonly agreement: number
        readonly cost_dollars: number
        readonly median_ms: number | null
      } | undefined
      readonly without?: {
        readonly completed: number
        readonly failed: number
        readonly fields: number
        readonly agreed: number
        /** Fields that agree, of all */
        readonly agreement: number
        readonly cost_dollars: number
        readonly median_ms: number | null
      } | undefined
      readonly before?: {
        readonly completed: number
        readonly failed: number
        readonly fields: number
        readonly agreed: number
        /** Fields that agree, of all */
        readonly agreement: number
        readonly cost_dollars: number
        readonly median_ms: number | null
      } | undefined
    }
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
      /** Rows of lists as * */
      readonly field: string
    })[]
    readonly results: readonly ({
      readonly case_id: string
      readonly runs: {
        readonly with?: {
          readonly execution_id: string | null
          readonly status: 'completed' | 'failed'
          readonly error: string | null
          readonly fields: number
          readonly agreed: number
          readonly agreement: number
          /** The first 50; a pointer behind + is of a value that only the answer has */
          readonly disagreements: readonly ({
            readonly pointer: string
            readonly expected: Json
            readonly actual: Json
          })[]
        } | undefined
        readonly without?: {
          readonly execution_id: string | null
          readonly status: 'completed' | 'failed'
          readonly error: string | null
          readonly fields: number
          readonly agreed: number
          readonly agreement: number
          /** The first 50; a pointer behind + is of a value that only the answer has */
          readonly disagreements: readonly ({
            readonly pointer: string
            readonly expected: Json
            readonly actual: Json
          })[]
        } | undefined
        readonly before?: {
          readonly execution_id: string | null
          readonly status: 'completed' | 'failed'
          readonly error: string | null
          readonly fields: number
          readonly agreed: number
          readonly agreement: number
          /** The first 50; a pointer behind + is of a value that only the answer has */
          readonly disagreements: readonly ({
            readonly pointer: string
            readonly expected: Json
            readonly actual: Json
          })[]
        } | undefined
      }
    })[]
    /** null: the version sets no publish_gate */
    readonly gate: {
      readonly passed: boolean
      readonly because: string | null
    } | null
  } | null
}

export type EvaluateRequest = {
  /** Absent: all known answers */
  readonly case_ids?: readonly (string)[] | null | undefined
  /** Absent: the skill's own, else the default */
  readonly model?: string | null | undefined
  /** What each run may cost */
  readonly max_cost_dollars?: number | null | undefined
} | null

export type CostEstimate = {
  readonly model: string
  /** What would answer: `embedded`, or the provider and its model */
  readonly engine: string
  /** The tier that the request asks for */
  readonly service_tier: 'standard' | 'flex' | 'priority'
  readonly agent: {
    readonly standard: CostRange
    readonly flex: CostRange
    readonly priority: CostRange
  }
  /** As a program; null where this key has run none of this agent and model */
  readonly program: {
    readonly standard: CostRange
    readonly flex: CostRange
    readonly priority: CostRange
  } | null
  readonly basis: {
    /** Past executions of this key: of the same agent and model, of the model; or the prices alone */
    readonly by: 'agent' | 'model' | 'prices'
    /** Past executions that `agent` is computed from */
    readonly executions: number
    readonly program_executions: number
  }
}

export type CostRange = {
  readonly low_dollars: number
  readonly expected_dollars: number
  readonly high_dollars: number
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
  /** Absent: named from the prompt */
  readonly name?: string | null | undefined
  /** For executions that give none */
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

export type AgentInfo = {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly description: string
  readonly prompt: string
  readonly json_schema: { readonly [key: string]: Json } | null
  /** A value of the shape of json_schema */
  readonly json_sample: { readonly [key: string]: Json } | null
  readonly created_at: string
  readonly updated_at: string
  readonly status: 'pending' | 'enqueued' | 'running' | 'completed' | 'failed' | 'paused'
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
  /** Null, as is response, where what it is said of is not kept */
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
  /** An id of your own: it need not be known here */
  readonly request_id?: string | null | undefined
  /** The id of an execution of this workspace */
  readonly agent_execution_id?: string | null | undefined
  /** The id of a chat completion */
  readonly chat_id?: string | null | undefined
  /** What the right answer is */
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
    /** Null, as is response, where what it is said of is not kept */
    readonly notes: string | null
  })[]
}

export type ChatCompletion = {
  /** `chatcmpl-` and the id of the execution */
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
      readonly [key: string]: unknown
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
  /** Absent: a new session */
  readonly session_id?: string | null | undefined
  readonly skills?: readonly (SkillEntry)[] | null | undefined
  readonly toolsets?: readonly (string)[] | null | undefined
  readonly max_cost_dollars?: number | null | undefined
  readonly max_steps?: number | null | undefined
  readonly timeout_seconds?: number | null | undefined
}

export type ChatMessage = {
  readonly role: 'system' | 'developer'
  readonly content?: string | readonly ({
    readonly type: 'text'
    readonly text: string
  })[] | undefined
  readonly name?: string | null | undefined
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
  readonly name?: string | null | undefined
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
  readonly tool_calls?: readonly ({
    readonly id: string
    readonly type?: 'function' | null | undefined
    readonly function: {
      readonly name: string
      readonly arguments: string
    }
  })[] | null | undefined
  readonly name?: string | null | undefined
} | {
  readonly role: 'tool'
  readonly content?: string | readonly ({
    readonly type: 'text'
    readonly text: string
  })[] | undefined
  readonly tool_call_id: string
  readonly name?: string | null | undefined
}

export type ChatResponseFormat = {
  readonly type: 'text'
} | {
  readonly type: 'json_object'
} | {
  readonly type: 'json_schema'
  readonly json_schema?: {
    readonly name?: string | null | undefined
    readonly schema?: { readonly [key: string]: Json } | null | undefined
    readonly [key: string]: unknown
  } | null | undefined
  readonly schema?: { readonly [key: string]: Json } | null | undefined
  readonly [key: string]: unknown
}

export type OpenAIModel = {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  /** What answers it: embedded, or provider/model */
  readonly engine: string
}

export type PresignedUpload = {
  readonly id: string
  readonly url: string
  readonly filename: string
  readonly content_type: string
  readonly upload_method: 'PUT'
  readonly public_url: string
  readonly created_at: string
  /** Seconds for which url works */
  readonly expiration: number
}

export type PresignRequest = {
  readonly filename: string
  readonly purpose?: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets' | null | undefined
  readonly expiration?: number | null | undefined
}

export type File = {
  readonly id: string
  readonly filename: string
  readonly bytes: number
  readonly purpose: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets'
  readonly created_at: string
  readonly object: 'file'
  /** Signed, works without a key until it expires */
  readonly public_url: string | null
  /** Of the content, in hexadecimal */
  readonly sha256: string
  readonly content_type: string
}

export type Skill = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly skill_version: string
  readonly skill_uri: string | null
  readonly is_public: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly status?: 'pending' | 'running' | 'completed' | 'failed' | undefined
  readonly error?: {
    readonly code: string
    readonly message: string
  } | null | undefined
  /** 1, 2, 3 … of its name; null until it is completed */
  readonly number?: number | null | undefined
  readonly is_latest?: boolean | undefined
  /** Waits for an evaluation to pass its publish_gate */
  readonly is_held?: boolean | undefined
  /** Of the content: over a line `<sha256>  <path>` for each file, sorted */
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
  /** What a person should look at before they trust the bundle */
  readonly review?: readonly ({
    readonly kind: 'hidden_unicode' | 'undeclared_script' | 'network' | 'secret' | 'front_matter'
    readonly path: string
    readonly line: number | null
    readonly message: string
  })[] | undefined
  readonly session_id?: string | null | undefined
  /** Of a skill made from a session: how its run agreed with the session */
  readonly proof?: {
    readonly original_id: string
    readonly execution_id: string | null
    /** Leaves of the two answers that are the same, of all: 0 to 1 */
    readonly agreement: number | null
    readonly disagreements: readonly (string)[]
  } | null | undefined
  /** proof_differs: the run with the skill gave a valid answer that differs from the session; empty without one */
  readonly warnings?: readonly ({
    readonly code: string
    readonly path: string
    readonly message: string
  })[] | undefined
}

export type SkillCreateRequest = {
  /** With file_id it is needed; else one is made. An existing one gets its next version */
  readonly name?: string | null | undefined
  /** With file_id it is needed; else one is made */
  readonly description?: string | null | undefined
  /** An uploaded zip with SKILL.md at its root or in its one folder */
  readonly file_id?: string | null | undefined
  /** Becomes the instructions */
  readonly prompt?: string | null | undefined
  /** With prompt alone: becomes schema.json */
  readonly json_schema?: { readonly [key: string]: Json } | null | undefined
  /** A session whose history becomes the skill */
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
  /** A zip in place of the whole bundle; not together with prompt or json_schema */
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
  /** Signed: it needs no key */
  readonly download_url: string
  /** Seconds */
  readonly expires_in: number
}

export type MadeKey = {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scopes: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'admin')[]
  /** The last four characters of the key */
  readonly hint: string
  readonly expires_at: string | null
  readonly created_at: string
  /** What its executions may cost in a UTC day */
  readonly budget_dollars_per_day: number | null
  /** Shown this once */
  readonly key: string
}

export type KeyRequest = {
  readonly workspace?: string | null | undefined
  readonly name?: string | null | undefined
  /** Absent: execute, read, skills:write, files:write, which is all but admin. The key that makes a new workspace has admin */
  readonly scopes?: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'admin')[] | null | undefined
  /** A time with its offset, or a date, which is its first moment in UTC */
  readonly expires_at?: string | null | undefined
  readonly budget_dollars_per_day?: number | null | undefined
}

export type Key = {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scopes: readonly ('execute' | 'read' | 'skills:write' | 'files:write' | 'admin')[]
  /** The last four characters of the key */
  readonly hint: string
  readonly expires_at: string | null
  readonly created_at: string
  /** What its executions may cost in a UTC day */
  readonly budget_dollars_per_day: number | null
  readonly revoked_at: string | null
}

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
    /** Creation to completion: the median of those that completed */
    readonly latency_p50_ms: number | null
    readonly latency_p95_ms: number | null
  }
  readonly groups: readonly ({
    /** Several dimensions are joined by a comma */
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
    /** Creation to completion: the median of those that completed */
    readonly latency_p50_ms: number | null
    readonly latency_p95_ms: number | null
  })[]
}

export type AuditEntry = {
  readonly id: string
  readonly action: 'key.create' | 'key.revoke' | 'workspace.create' | 'file.create' | 'file.delete' | 'skill.create' | 'skill.update' | 'skill.delete' | 'case.create' | 'case.delete' | 'program.create' | 'program.delete' | 'callback_secret.change'
  /** Of the key, file, skill version or workspace that it was done to */
  readonly subject_id: string
  /** The key that it was done with; null: by the server, or with a signed URL */
  readonly key_id: string | null
  readonly key_name: string | null
  /** The last four characters of that key */
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

/** What each operation takes and answers. */
export interface Operations {
  /** A URL for the zip of a skill, SKILL.md at its root */
  downloadSkill: {
    query: {
      expires?: number
    }
    reply: SkillDownload
  }
  /** A URL to which the bytes of a new file may be sent by PUT, without a key; an execution may name the file before they come, and starts when they have */
  presignUpload: {
    body: PresignRequest
    reply: PresignedUpload
  }
  /** A model of this server, in OpenAI’s form */
  getOpenAiModel: {
    reply: OpenAIModel
  }
  /** A page of a PDF or a picture that was sent within the request or in an archive, drawn as PNG as those of files are */
  drawInputPage: {
    query: {
      width?: number
      input: string
    }
    reply: Response
  }
  /** A page of a PDF, or a picture, drawn as PNG with the proportions in which evidence gives its boxes */
  drawFilePage: {
    query: {
      width?: number
    }
    reply: Response
  }
  /** A program with its source, the report of its gate, and its figures */
  getProgram: {
    reply: Program
  }
  /** A turn of a conversation, in OpenAI’s form: with documents, skills, tools of the server and of the caller, streamed or whole */
  createChatCompletion: {
    body: ChatCompletionRequest
    reply: ChatCompletion
  }
  /** A turn of a conversation, in OpenAI’s form: with documents, skills, tools of the server and of the caller, streamed or whole */
  createChatCompletionShort: {
    body: ChatCompletionRequest
    reply: ChatCompletion
  }
  /** Add known answers to a skill: inputs with the right response, or executions, corrected or not */
  addSkillCases: {
    body: SkillCasesRequest
    reply: readonly (SkillCase)[]
  }
  /** An evaluation and its report: field by field with the skill, without it, with the version before */
  getSkillEvaluation: {
    reply: SkillEvaluation
  }
  /** Delete a file, or a presigned upload whose bytes have not come: its URL then ends */
  deleteFile: {
    reply: File
  }
  /** Delete one version of a skill; the one before becomes its latest */
  deleteSkill: {
    reply: Skill
  }
  /** End an execution that has not ended */
  cancelExecution: {
    reply: AgentExecutionResponse
  }
  /** Execute an agent on inputs; batch: false waits for the end */
  executeAgent: {
    body: AgentExecuteRequest
    reply: AgentExecutionResponse
  }
  /** Execute the same request again as a new execution; what the body gives takes the place of what was asked */
  rerunExecution: {
    body: AgentExecuteRequest | null
    reply: AgentExecutionResponse
  }
  /** Figures of this process and the length of the queues, for Prometheus; for admins of the first workspace */
  getMetrics: {
    reply: Response
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
  /** Give this workspace a new secret; for a day webhook-signature holds for the one before, too */
  changeCallbackSecret: {
    reply: CallbackSecret
  }
  /** Hold an execution; a run stops after its present step */
  pauseExecution: {
    reply: AgentExecutionResponse
  }
  /** Keep what somebody said of an answer: exactly one of request_id, agent_execution_id and chat_id. An execution or a chat completion has to be of this workspace */
  submitFeedback: {
    body: FeedbackSubmitRequest
    reply: FeedbackSubmitResponse
  }
  /** Let an execution go on from its transcript that is paused, or that failed as poison, timeout or provider_…, with another max_cost_dollars where one is given */
  resumeExecution: {
    body: ResumeRequest
    reply: AgentExecutionResponse
  }
  /** Let executions go on that are paused, or that failed as poison, timeout or provider_…: by ids or by a filter */
  resumeExecutions: {
    body: ResumeExecutionsRequest
    reply: ResumedExecutions
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
  /** Make a key; its text is shown this once */
  createKey: {
    body: KeyRequest
    reply: MadeKey
  }
  /** Make a skill from an uploaded zip, a prompt, or a session */
  createSkill: {
    body: SkillCreateRequest
    reply: Skill
  }
  /** Name a prompt, with what its executions bring where they say nothing; a known name gets its next version */
  createAgent: {
    body: AgentCreateRequest
    reply: AgentCreationResponse
  }
  /** One file */
  getFile: {
    query: {
      generate_public_url?: boolean
    }
    reply: File
  }
  /** One version of a skill */
  getSkill: {
    reply: Skill
  }
  /** Read an agent */
  getAgent: {
    reply: AgentInfo
  }
  /** Read an execution */
  getExecution: {
    reply: AgentExecutionResponse
  }
  /** Revoke a key */
  revokeKey: {
    query: {
      workspace?: string
    }
    reply: Key
  }
  /** Run the known answers with this version, without the skill and with the version before, in the flex tier */
  evaluateSkill: {
    body: EvaluateRequest
    reply: SkillEvaluation
  }
  /** Send a callback again: the same bytes and webhook-id, with tries from the beginning */
  redeliverCallback: {
    reply: Callback
  }
  /** Send the bytes of a file to its presigned URL; the body is the bytes themselves */
  sendFile: {
    query: {
      workspace?: string
      expires?: string
      signature?: string
    }
    reply: File
  }
  /** Server-sent events that say that executions of this workspace were made, began to run, or ended: look at the list then */
  followExecutions: {
    reply: Response
  }
  /** Take a known answer away */
  deleteSkillCase: {
    reply: SkillCase
  }
  /** Take a program away; executions that ran as it keep its hash */
  deleteProgram: {
    reply: Program
  }
  /** The agent of exactly one of id, name (or name:version) and prompt, in the body or the query */
  lookupAgent: {
    query: {
      id?: string | null
      name?: string | null
      prompt?: string | null
    }
    body: AgentLookupRequest
    reply: AgentInfo
  }
  /** The agent of exactly one of id, name (or name:version) and prompt, in the body or the query */
  lookupAgentByQuery: {
    query: {
      id?: string | null
      name?: string | null
      prompt?: string | null
    }
    body: AgentLookupRequest
    reply: AgentInfo
  }
  /** The agents of this workspace in their newest versions, the newest first */
  listAgents: {
    query: {
      skip?: number
      limit?: number
    }
    reply: readonly (AgentInfo)[]
  }
  /** The bytes of a file, by its signed public_url */
  getPublicFile: {
    query: {
      workspace?: string
      expires?: string
      signature?: string
    }
    reply: Response
  }
  /** The bytes of a file; Range and If-None-Match are honoured */
  getFileContent: {
    reply: Response
  }
  /** The bytes of something that a run made, by object_id or filename within an execution or a session */
  getArtifact: {
    query: {
      execution_id?: string
      session_id?: string
      object_id?: string
      filename?: string
    }
    reply: Response
  }
  /** The callbacks of an execution and every try to deliver them */
  listCallbacks: {
    reply: readonly (Callback)[]
  }
  /** The database answers too */
  isReady: {
    reply: Health
  }
  /** The domains of the models */
  listDomains: {
    reply: readonly (Domain)[]
  }
  /** The evaluations of a skill, of all its versions */
  listSkillEvaluations: {
    query: {
      limit?: number
    }
    reply: readonly (SkillEvaluation)[]
  }
  /** The executions of this workspace, newest first */
  listExecutions: {
    query: {
      skip?: number
      limit?: number
      status?: 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'
      name?: string
      client_id?: string
      service_tier?: 'standard' | 'flex' | 'priority'
      session_id?: string
      skill_id?: string
      created_after?: string
      created_before?: string
      cursor?: string
    }
    reply: readonly (AgentExecutionResponse)[]
  }
  /** The file of a presigned upload, once its bytes are there */
  verifyUpload: {
    query: {
      generate_public_url?: boolean
    }
    reply: File
  }
  /** The key is valid */
  checkKey: {
    reply: Health
  }
  /** The keys of this workspace, newest first */
  listKeys: {
    query: {
      workspace?: string
    }
    reply: readonly (Key)[]
  }
  /** The known answers of a skill: those that were added, then those in the bundle of this version */
  listSkillCases: {
    reply: readonly (SkillCase)[]
  }
  /** The models of this server and what answers each */
  listModels: {
    reply: readonly (Model)[]
  }
  /** The models of this server, in OpenAI’s form */
  listOpenAiModels: {
    reply: {
      readonly object: 'list'
      readonly data: readonly (OpenAIModel)[]
    }
  }
  /** The next version of a skill: what is not given stays as it is */
  updateSkill: {
    body: SkillUpdateRequest
    reply: Skill
  }
  /** The process answers */
  isAlive: {
    reply: Health
  }
  /** The programs of a skill, of all its versions, newest first */
  listPrograms: {
    query: {
      limit?: number
    }
    reply: readonly (Program)[]
  }
  /** The transcript of an execution: what was done, with price and time */
  listExecutionSteps: {
    reply: readonly (Step)[]
  }
  /** The versions of the skill of which this is one, newest first, a thousand at most */
  listSkillVersions: {
    reply: readonly (Skill)[]
  }
  /** The words of a page of an office file or a book that was sent within the request or in an archive */
  readInputPage: {
    query: {
      input: string
    }
    reply: PageWords
  }
  /** The words of a page of an office file or a book, with the boxes that evidence gives */
  readFilePage: {
    reply: PageWords
  }
  /** The zip of a skill, by its signed download_url */
  getSkillZip: {
    query: {
      workspace?: string
      expires?: string
      signature?: string
    }
    reply: Response
  }
  /** This document */
  getOpenApi: {
    reply: {
      readonly openapi: string
      readonly [key: string]: unknown
    }
  }
  /** Upload a file */
  uploadFile: {
    query: {
      purpose?: 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'datasets'
      generate_public_url?: boolean
    }
    reply: File
  }
  /** Usage and cost of this workspace, in total and by groups */
  getUsage: {
    query: {
      from?: string
      to?: string
      group_by?: string
    }
    reply: Usage
  }
  /** What happens to an execution, as server-sent events until its end, or as JSON with Accept: application/json */
  listExecutionEvents: {
    query: {
      after?: string
      limit?: number
    }
    reply: readonly (ExecutionEvent)[]
  }
  /** What the callbacks of this workspace are signed with */
  getCallbackSecret: {
    reply: CallbackSecret
  }
  /** What the execution of this body would cost in each tier, from what this key has executed before; a body that execute refuses is refused here in the same way */
  estimateExecution: {
    body: AgentExecuteRequest
    reply: CostEstimate
  }
  /** What the execution was asked, as a body of POST /v1/agent/execute that asks the same again */
  getExecutionRequest: {
    reply: ExecutionRequest
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
  /** What was said of a request, an execution or a chat completion, the newest first */
  listFeedback: {
    query: {
      type?: 'request' | 'agent_execution' | 'chat'
      limit?: number
      offset?: number
    }
    reply: FeedbackListResponse
  }
  /** Who did what to keys, files, skills and settings of this workspace, newest first */
  listAudit: {
    query: {
      action?: 'key.create' | 'key.revoke' | 'workspace.create' | 'file.create' | 'file.delete' | 'skill.create' | 'skill.update' | 'skill.delete' | 'case.create' | 'case.delete' | 'program.create' | 'program.delete' | 'callback_secret.change'
      subject_id?: string
      key_id?: string
      created_after?: string
      created_before?: string
      skip?: number
      limit?: number
    }
    reply: readonly (AuditEntry)[]
  }
  /** Write and prove a program of a skill from known answers */
  compileProgram: {
    body: ProgramCompileRequest
    reply: Program
  }
}
