# Made by scripts/openapi.ts. Do not edit: run npm run openapi.
"""Types of requests and replies. They describe plain dicts and lists; nothing is converted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, Mapping, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias

Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]
"""Any value that JSON can carry."""


class HTTPValidationErrorDetailItem(TypedDict):
    loc: List[Union[str, int]]
    msg: str
    type: str
    input: NotRequired[Json]
    ctx: NotRequired[Dict[str, Json]]


class HTTPValidationError(TypedDict):
    detail: List[HTTPValidationErrorDetailItem]


class Failure(TypedDict):
    detail: str


class OpenAIFailureError(TypedDict):
    message: str
    type: str
    code: Union[str, None]
    param: Union[str, None]


class OpenAIFailure(TypedDict):
    error: OpenAIFailureError


class AnthropicFailureErrorDetails(TypedDict):
    error_code: NotRequired[str]


class AnthropicFailureError(TypedDict):
    type: str
    message: str
    code: Union[str, None]
    details: Union[AnthropicFailureErrorDetails, None]


class AnthropicFailure(TypedDict):
    type: Literal["error"]
    error: AnthropicFailureError


class McpFailureError(TypedDict):
    code: int
    message: str
    data: Dict[str, Json]


class McpFailure(TypedDict):
    jsonrpc: Literal["2.0"]
    id: None
    error: McpFailureError


class SavedFilterQuery(TypedDict):
    """Query of GET /v1/agent/executions, without skip, limit and cursor."""
    status: NotRequired[Literal["pending", "enqueued", "running", "paused", "completed", "failed"]]
    name: NotRequired[str]
    """`<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns."""
    client_id: NotRequired[str]
    """The `id` of the request."""
    service_tier: NotRequired[Literal["standard", "flex", "priority"]]
    session_id: NotRequired[str]
    batch_id: NotRequired[str]
    """Executions of this batch."""
    review: NotRequired[Literal["needed", "done"]]
    """needed: executions in the review queue; done: reviewed executions."""
    approval: NotRequired[Literal["needed", "done"]]
    """needed: executions that wait for an approval; done: executions with a decision."""
    skill_id: NotRequired[str]
    """UUID of a version, name, or name:version."""
    created_after: NotRequired[str]
    created_before: NotRequired[str]
    purpose: NotRequired[Literal["work", "evaluation", "shadow", "all"]]
    q: NotRequired[str]
    """A part of the agent's name, the names of input files, an id, the session or the answer, in any case. One page looks through at most 10000 executions; the Link header leads to the older ones."""


class SavedFilter(TypedDict):
    id: str
    name: str
    """Unique in the workspace."""
    query: SavedFilterQuery
    """Query of GET /v1/agent/executions, without skip, limit and cursor."""
    saved_by: Actor
    """Who saved it last."""
    created_at: str
    updated_at: str


class Actor(TypedDict):
    """Who did something: a signed-in user, or the key that was used."""
    kind: Literal["key", "user"]
    id: str
    name: str


class SavedFilterRequestQuery(TypedDict):
    """Same fields as the query of GET /v1/agent/executions, without skip, limit and cursor."""
    status: NotRequired[Literal["pending", "enqueued", "running", "paused", "completed", "failed"]]
    name: NotRequired[str]
    """`<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns."""
    client_id: NotRequired[str]
    """The `id` of the request."""
    service_tier: NotRequired[Literal["standard", "flex", "priority"]]
    session_id: NotRequired[str]
    batch_id: NotRequired[str]
    """Executions of this batch."""
    review: NotRequired[Literal["needed", "done"]]
    """needed: executions in the review queue; done: reviewed executions."""
    approval: NotRequired[Literal["needed", "done"]]
    """needed: executions that wait for an approval; done: executions with a decision."""
    skill_id: NotRequired[str]
    """UUID of a version, name, or name:version."""
    created_after: NotRequired[str]
    """A time with UTC offset, or a date (midnight UTC)."""
    created_before: NotRequired[str]
    """Exclusive; same format as created_after."""
    purpose: NotRequired[Literal["work", "evaluation", "shadow", "all"]]
    q: NotRequired[str]
    """A part of the agent's name, the names of input files, an id, the session or the answer, in any case. One page looks through at most 10000 executions; the Link header leads to the older ones."""


class SavedFilterRequest(TypedDict):
    name: str
    """Unique in the workspace."""
    query: SavedFilterRequestQuery
    """Same fields as the query of GET /v1/agent/executions, without skip, limit and cursor."""


class AgentExecutionResponseProgram(TypedDict):
    id: str
    sha256: str


class AgentExecutionResponse(TypedDict):
    id: str
    name: str
    """`<name>:<version>` of the agent; executing this name runs the same version. `chat` for chat turns."""
    agent_id: Union[str, None]
    """Id of the agent version; null for chat turns."""
    client_id: Union[str, None]
    """The request `id` of the caller unless it is a UUID; a UUID is the id of the execution itself."""
    response: Json
    execution_mode: Literal["agent", "program"]
    """program: a program answered without an agent. agent: an agent answered, or the fields that a program left to it."""
    execution_modes: Union[Dict[str, Literal["agent", "program", "kept"]], None]
    """JSON Pointer of a field (a list as a whole) → what answered it, if a program answered some fields and left others to an agent, or if the answer keeps fields of `base_execution`; otherwise null."""
    path: Union[CheapestPath, None]
    """The way of the answer with `config.path: 'cheapest'`; otherwise null."""
    status: Literal["pending", "enqueued", "running", "paused", "completed", "failed"]
    created_at: str
    completed_at: Union[str, None]
    usage: CreditUsageResponse
    error: Union[ExecutionFailure, None]
    model: str
    """The model identifier of the request, of a skill, or the default; usable in a new request."""
    model_selection: ModelSelection
    service_tier: Literal["standard", "flex", "priority"]
    skills: List[ExecutionSkill]
    program: Union[AgentExecutionResponseProgram, None]
    shadow_of: Union[str, None]
    """The program execution that this execution checks."""
    session_id: Union[str, None]
    batch_id: Union[str, None]
    """The batch that the execution belongs to."""
    forked_from: Union[str, None]
    """The execution whose first steps this one keeps."""
    base_execution: Union[str, None]
    """The earlier execution whose answer and pages this one could keep."""
    imported_from: Union[str, None]
    """The id of the execution in the capsule that it was imported from."""
    trusted: Union[bool, None]
    """Whether a key of this server signed the capsule that it was imported from; null: it ran here."""
    evidence: Union[Dict[str, Evidence], None]
    """JSON Pointer of a leaf of the response → its place in the input."""
    completeness: Union[Completeness, None]
    """null without a schema or without an answer."""
    needs_look: Union[List[str], None]
    """JSON Pointers of the values that a person should check and nobody has: those below `completeness.review_below`, or else those that `completeness.low_confidence` counts, values left out although they are likely, and, with a review rule, required fields that the answer lacks, rows and lists that a warning names, and all values of an answer without evidence. null before the answer, and in older records."""
    warnings: List[Warning]
    """Warnings about the answer; often empty."""
    reviewed_response: Json
    """The response as people corrected it, beside the `response`, which stays as it was; null before a review."""
    approval: Union[Approval, None]
    """The latest decision that the execution waits or waited for."""
    review: Union[Review, None]
    """null if there is no answer to review."""
    attempts: int


class CheapestPathEnginesValue(TypedDict):
    calls: int
    standard_cost_dollars: float


class CheapestPath(TypedDict):
    max_wrong_rate: float
    """The accepted share of wrong values of each field."""
    checked: bool
    """Whether the large model was asked for all fields, to judge the others."""
    fields: Dict[str, str]
    """JSON Pointer of a field (a list as a whole) → what answered it: `program`, `rules` or `provider/model`."""
    engines: Dict[str, CheapestPathEnginesValue]
    """What each engine that was asked cost."""


class CreditUsageResponse(TypedDict):
    elements_processed: Union[int, None]
    element_type: Union[Literal["image", "page", "video", "audio"], None]
    credits_used: Union[int, None]
    steps: Union[int, None]
    message: Union[str, None]
    duration_seconds: int
    service_tier: Union[str, None]
    mode_multiplier: Union[float, None]
    standard_cost_dollars: Union[float, None]
    cost_dollars: Union[float, None]
    savings_dollars: Union[float, None]


class ExecutionFailure(TypedDict):
    code: str
    message: str
    retryable: bool


class ModelSelection(TypedDict):
    requested: str
    """Same as `model`."""
    resolved: Union[str, None]
    """The engine: `embedded`, or `provider/model`; null until it is chosen."""
    chosen_by: Union[Literal["request", "skill", "default"], None]
    """What chose the model identifier; null in records older than this field."""
    reason: Union[str, None]
    """The rule that chose the engine, if the identifier leaves a choice."""


class ExecutionSkill(TypedDict):
    id: Union[str, None]
    """null for an inline skill."""
    name: str
    skill_version: str
    bundle_sha256: str


class Evidence(TypedDict):
    status: Literal["verified", "normalised", "derived", "unsupported"]
    input: NotRequired[str]
    """The input slot; with /n for item n of an array slot."""
    page: NotRequired[int]
    """0-based."""
    bbox: NotRequired[List[float]]
    """x, y, w, h as fractions of the page."""
    span: NotRequired[List[int]]
    """Character range [start, end) of a text input."""
    seconds: NotRequired[List[float]]
    """[from, to] in seconds for video and audio; both are equal for a video frame."""
    element: NotRequired[str]
    """XPath of the element or attribute of an electronic invoice; prefixes as in docs/READER.md."""
    quote: NotRequired[str]
    confidence: float
    """How sure the value is, 0 to 1: the calibrated probability that it is right, where the answer was held to `max_wrong_rate`."""
    note: NotRequired[str]
    reason: NotRequired[str]
    """For a null: why there is no value."""
    candidates: NotRequired[List[EvidenceCandidate]]
    """For a null: up to three likely values whose confidence was too low, the likeliest first."""


class EvidenceCandidate(TypedDict):
    status: Literal["verified", "normalised", "derived", "unsupported"]
    input: NotRequired[str]
    """The input slot; with /n for item n of an array slot."""
    page: NotRequired[int]
    """0-based."""
    bbox: NotRequired[List[float]]
    """x, y, w, h as fractions of the page."""
    span: NotRequired[List[int]]
    """Character range [start, end) of a text input."""
    seconds: NotRequired[List[float]]
    """[from, to] in seconds for video and audio; both are equal for a video frame."""
    element: NotRequired[str]
    """XPath of the element or attribute of an electronic invoice; prefixes as in docs/READER.md."""
    quote: NotRequired[str]
    confidence: float
    """How sure the value is, 0 to 1: the calibrated probability that it is right, where the answer was held to `max_wrong_rate`."""
    note: NotRequired[str]
    value: Json


class CompletenessListedItem(TypedDict):
    path: str
    returned: int
    expected: Union[int, None]


class Completeness(TypedDict):
    asked: int
    """Number of fields in the schema; a column of a list counts once."""
    found: int
    not_found: int
    """asked − found; `warnings` and `evidence` say which fields, and why."""
    low_confidence: int
    """Number of found fields that need a look: below `review_below`, or else not sure enough for `max_wrong_rate`, or below 0.5."""
    review_below: Union[float, None]
    """The confidence below which values need a look, by `config.review` or the review settings when the execution ended; null: neither was set, or it was 0."""
    max_wrong_rate: Union[float, None]
    """Maximum share of wrong values that single fields were held to, without those that `low_confidence` counts; null: none, as with a language model."""
    calibration: Union[str, None]
    """How `max_wrong_rate` was applied: score model, thresholds, and the data that they were measured on."""
    listed: List[CompletenessListedItem]
    """Rows of each list, and the number in the input if that is higher, otherwise null."""


class Warning(TypedDict):
    code: str
    """Machine-readable code: not_found, ignored_field, value_unsure, row_does_not_add_up, sums_do_not_add_up, list_incomplete, usage_implausible, …."""
    path: str
    """JSON Pointer into the response; for ignored_field, into the request."""
    message: str


class Approval(TypedDict):
    number: int
    """Number of the decision within the execution, from 1."""
    waiting_for: Literal["completion", "tool"]
    tool: Union[str, None]
    """The tool that waits for approval."""
    input: Json
    """The input of that tool call."""
    since: str
    expires_at: str
    """When it expires, on_timeout applies."""
    on_timeout: Literal["approve", "reject"]
    approvers: List[Literal["viewer", "reviewer", "editor", "admin"]]
    """Roles of the users who may decide."""
    decision: Union[Literal["approve", "reject"], None]
    """null: pending."""
    by: Union[Actor, None]
    """Who decided; null if it expired or was decided by signed link."""
    via: Union[Literal["api", "link", "timeout"], None]
    at: Union[str, None]
    comment: Union[str, None]


class Review(TypedDict):
    status: Literal["none", "needed", "done"]
    """needed: it waits in the review queue."""
    version: int
    """Number of saved reviews; send it as If-Match so that a save fails if another came first."""
    by: Union[Actor, None]
    """Who saved the latest review."""
    at: Union[str, None]
    changes: List[ReviewChange]
    """The combined changes of all reviews, one entry per path."""

ReviewChange = TypedDict(
    "ReviewChange",
    {
        "path": "str",
        "from": "Json",
        "to": "Json",
        "kind": "Literal[\"corrected\", \"confirmed\", \"absent\"]",
        "rows": "NotRequired[List[Union[int, None]]]",
    },
)


class MessageContent2(TypedDict):
    type: Literal["text"]
    text: str


class MessageContent3ImageUrl(TypedDict):
    url: str
    detail: NotRequired[Union[Literal["auto", "low", "high", "lo", "hi"], None]]


class MessageContent3(TypedDict):
    type: Literal["image_url"]
    image_url: MessageContent3ImageUrl


class MessageContent4VideoUrl(TypedDict):
    url: str


class MessageContent4(TypedDict):
    type: Literal["video_url"]
    video_url: MessageContent4VideoUrl


class MessageContent5AudioUrl(TypedDict):
    url: str


class MessageContent5(TypedDict):
    type: Literal["audio_url"]
    audio_url: MessageContent5AudioUrl


class MessageContent6FileUrl(TypedDict):
    url: str


class MessageContent6(TypedDict):
    type: Literal["file_url"]
    file_url: MessageContent6FileUrl


class MessageContent7FileUrl(TypedDict):
    url: str


class MessageContent7(TypedDict):
    type: Literal["input_file"]
    file_id: NotRequired[Union[str, None]]
    file_url: NotRequired[Union[MessageContent7FileUrl, None]]

MessageContent: TypeAlias = "Union[MessageContent2, MessageContent3, MessageContent4, MessageContent5, MessageContent6, MessageContent7]"


class AgentExecuteRequest(TypedDict):
    id: NotRequired[Union[str, None]]
    """Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`."""
    name: NotRequired[Union[str, None]]
    """`<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version."""
    inputs: NotRequired[Union[Dict[str, Json], None]]
    """Inputs by slot name: an input item, an array of input items, an http, https or data URL, or any JSON value. The request also needs a prompt, a schema, a skill or the `name` of an agent."""
    batch: NotRequired[Union[bool, None]]
    """false: the reply waits for the end of the execution. Default: true."""
    config: NotRequired[Union[AgentExecutionConfig, None]]
    model: NotRequired[Union[str, None]]
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the execution as JSON when it ends or pauses."""
    created_at: NotRequired[Union[str, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    toolsets: NotRequired[Union[List[str], None]]


class AgentExecutionConfig(TypedDict):
    prompt: NotRequired[Union[str, None]]
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    response_model: NotRequired[Union[Dict[str, Json], None]]
    """Alias of json_schema."""
    tools_type: NotRequired[Union[Literal["document", "image", "video", "multimodal"], None]]
    tool_names: NotRequired[Union[List[str], None]]
    skills: NotRequired[Union[List[SkillEntry], None]]
    allow_public_scripts: NotRequired[Union[bool, None]]
    """Allow scripts of public skills of other workspaces to run in the sandbox."""
    caching: NotRequired[Union[bool, None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    execution_mode: NotRequired[Union[Literal["agent", "program"], None]]
    mode: NotRequired[Union[Literal["agent", "program"], None]]
    """Alias of execution_mode."""
    path: NotRequired[Union[Literal["cheapest"], None]]
    """cheapest: each field of the schema is answered by the first of program, rules, the small and the large model of the route whose wrong answers to it are proven to be at most `max_wrong_rate`; the large model judges the others. Without it, one engine answers all fields."""
    max_cost_dollars: NotRequired[Union[float, None]]
    """Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses."""
    max_steps: NotRequired[Union[int, None]]
    max_wrong_rate: NotRequired[Union[float, None]]
    """Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in `evidence`, or given with the warning `value_unsure` where the schema requires a value. Default 0.02: such values are given if they are likely, with a note, and `completeness.low_confidence` counts them. null: no score, values as the rules find them. `completeness` says whether the answer was held to the share."""
    timeout_seconds: NotRequired[Union[float, None]]
    require_approval: NotRequired[Union[Union[Literal["completion"], RequireApproval], None]]
    """What a person must approve: the completion, or calls of tools. The execution is paused until then."""
    review: NotRequired[Union[RequireReview, None]]
    """When a person should review the answer; default: the settings of the skill and of the workspace."""
    base_execution: NotRequired[Union[str, None]]
    """Id of an earlier, completed execution of the same task: pages that did not change are not read by OCR again, and a model is asked only for fields that may have changed, or are new in the schema."""
    page_indices: NotRequired[Union[List[int], None]]
    """0-based indices of the pages to read of each document."""
    video_segment_duration: NotRequired[Union[float, None]]
    """Length in seconds of the segments that frames of a video are taken from; default: its scenes."""
    video_frames_per_segment: NotRequired[Union[int, None]]
    """Frames per segment."""
    grounding: NotRequired[Union[bool, None]]
    confidence: NotRequired[Union[bool, None]]
    orchestration_mode: NotRequired[Json]
    """Accepted for compatibility, without effect."""
    detail: NotRequired[Json]
    """Accepted for compatibility, without effect; `image_url.detail` of an input has an effect."""


class SkillEntrySource(TypedDict):
    type: NotRequired[Union[Literal["base64"], None]]
    media_type: NotRequired[Union[Literal["application/zip"], None]]
    data: str


class SkillEntry(TypedDict):
    type: NotRequired[Union[Literal["skill_reference", "inline", "vlm-run"], None]]
    """skill_reference where it is absent; vlm-run reads as skill_reference."""
    skill_id: NotRequired[Union[str, None]]
    """UUID, name, or name:version."""
    skill_name: NotRequired[Union[str, None]]
    """Use skill_id."""
    skill_version: NotRequired[Union[Union[int, str], None]]
    version: NotRequired[Union[Union[int, str], None]]
    """Use skill_version."""
    name: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    source: NotRequired[Union[SkillEntrySource, None]]
    bundle: NotRequired[Union[str, None]]
    """Use source.data."""


class RequireApproval(TypedDict):
    completion: NotRequired[Union[bool, None]]
    tools: NotRequired[Union[List[str], None]]
    """Dotted names of tools, as in steps."""
    timeout_seconds: NotRequired[Union[float, None]]
    """Default: 72 hours."""
    on_timeout: NotRequired[Union[Literal["approve", "reject"], None]]
    """Default: reject."""
    approvers: NotRequired[Union[List[Literal["viewer", "reviewer", "editor", "admin"]], None]]
    """Roles of the users who may decide; default: admin, who always may. Keys need the scope approve. Other users than admins cannot decide on what they started."""


class RequireReview(TypedDict):
    below: float
    """The answer enters the review queue when one of its values is less sure than this. A required value that was not found, a value that a warning names, and an answer without evidence have confidence 0."""
    add_cases: NotRequired[Union[bool, None]]
    """true: the reviewed answer becomes a case of the first skill."""


class RequestMetadata(TypedDict):
    environment: NotRequired[Union[Literal["dev", "staging", "prod"], None]]
    session_id: NotRequired[Union[str, None]]
    sessionId: NotRequired[Union[str, None]]
    allow_logging: NotRequired[Union[bool, None]]
    """Accepted for compatibility; content is never logged."""
    allow_training: NotRequired[Union[bool, None]]
    """false: the server learns nothing from this execution for later ones."""
    allow_retention: NotRequired[Union[bool, None]]
    """false: inputs, their files and all steps are deleted when the execution ends, the response after it was first read or after an hour; hashes, usage and price are retained."""
    allowLogging: NotRequired[Union[bool, None]]
    allowTraining: NotRequired[Union[bool, None]]
    allowRetention: NotRequired[Union[bool, None]]


class ListedExecutionProgram(TypedDict):
    id: str
    sha256: str


class ListedExecution(TypedDict):
    id: str
    name: str
    """`<name>:<version>` of the agent; executing this name runs the same version. `chat` for chat turns."""
    agent_id: Union[str, None]
    """Id of the agent version; null for chat turns."""
    client_id: Union[str, None]
    """The request `id` of the caller unless it is a UUID; a UUID is the id of the execution itself."""
    response: Json
    execution_mode: Literal["agent", "program"]
    """program: a program answered without an agent. agent: an agent answered, or the fields that a program left to it."""
    execution_modes: Union[Dict[str, Literal["agent", "program", "kept"]], None]
    """JSON Pointer of a field (a list as a whole) → what answered it, if a program answered some fields and left others to an agent, or if the answer keeps fields of `base_execution`; otherwise null."""
    path: Union[CheapestPath, None]
    """The way of the answer with `config.path: 'cheapest'`; otherwise null."""
    status: Literal["pending", "enqueued", "running", "paused", "completed", "failed"]
    created_at: str
    completed_at: Union[str, None]
    usage: CreditUsageResponse
    error: Union[ExecutionFailure, None]
    model: str
    """The model identifier of the request, of a skill, or the default; usable in a new request."""
    model_selection: ModelSelection
    service_tier: Literal["standard", "flex", "priority"]
    skills: List[ExecutionSkill]
    program: Union[ListedExecutionProgram, None]
    shadow_of: Union[str, None]
    """The program execution that this execution checks."""
    session_id: Union[str, None]
    batch_id: Union[str, None]
    """The batch that the execution belongs to."""
    forked_from: Union[str, None]
    """The execution whose first steps this one keeps."""
    base_execution: Union[str, None]
    """The earlier execution whose answer and pages this one could keep."""
    imported_from: Union[str, None]
    """The id of the execution in the capsule that it was imported from."""
    trusted: Union[bool, None]
    """Whether a key of this server signed the capsule that it was imported from; null: it ran here."""
    evidence: Union[Dict[str, Evidence], None]
    """JSON Pointer of a leaf of the response → its place in the input."""
    completeness: Union[Completeness, None]
    """null without a schema or without an answer."""
    needs_look: Union[List[str], None]
    """JSON Pointers of the values that a person should check and nobody has: those below `completeness.review_below`, or else those that `completeness.low_confidence` counts, values left out although they are likely, and, with a review rule, required fields that the answer lacks, rows and lists that a warning names, and all values of an answer without evidence. null before the answer, and in older records."""
    warnings: List[Warning]
    """Warnings about the answer; often empty."""
    reviewed_response: Json
    """The response as people corrected it, beside the `response`, which stays as it was; null before a review."""
    approval: Union[Approval, None]
    """The latest decision that the execution waits or waited for."""
    review: Union[Review, None]
    """null if there is no answer to review."""
    attempts: int
    file_names: List[str]
    """Names of the input files when the execution was accepted."""
    evaluation_id: Union[str, None]
    """The skill evaluation that this execution belongs to."""


class Step(TypedDict):
    seq: int
    attempt: int
    kind: Literal["input", "tool", "model"]
    name: str
    detail: Json
    """Details of the step. Names are in snake_case, except in content of callers, models and tools."""
    result: Json
    """Result of the step, in the same format."""
    cost_dollars: float
    started_at: str
    ended_at: str


class ExecutionEvent2Data(TypedDict):
    status: Literal["pending", "enqueued", "running", "paused", "completed", "failed"]
    at: str
    attempt: int
    error: NotRequired[ExecutionFailure]


class ExecutionEvent2(TypedDict):
    id: str
    """Id of the event, for the Last-Event-ID header when reconnecting."""
    event: Literal["status"]
    data: ExecutionEvent2Data


class ExecutionEvent3Data(TypedDict):
    seq: int
    attempt: int
    kind: Literal["input", "tool", "model"]
    name: str
    detail: Json
    """Details of the step. Names are in snake_case, except in content of callers, models and tools."""
    cost_dollars: float
    started_at: str
    ended_at: str


class ExecutionEvent3(TypedDict):
    id: str
    event: Literal["step"]
    data: ExecutionEvent3Data

ExecutionEvent: TypeAlias = "Union[ExecutionEvent2, ExecutionEvent3]"


class ResumeRequest2(TypedDict):
    max_cost_dollars: NotRequired[Union[float, None]]
    """New maximum total cost of the execution."""

ResumeRequest: TypeAlias = "Union[ResumeRequest2, None]"


class ResumedExecutionsRefusedItem(TypedDict):
    id: str
    reason: str


class ResumedExecutions(TypedDict):
    resumed: int
    """Number of resumed executions."""
    refused: List[ResumedExecutionsRefusedItem]
    """Executions that were not resumed, and why."""


class ResumeExecutionsRequestFilter(TypedDict):
    """Same fields as the query of GET /v1/agent/executions; `{}` means all resumable executions, newest first."""
    skip: NotRequired[int]
    """Number of items to skip, newest first."""
    limit: NotRequired[int]
    """Maximum number of executions to resume."""
    status: NotRequired[Literal["pending", "enqueued", "running", "paused", "completed", "failed"]]
    name: NotRequired[str]
    """`<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns."""
    client_id: NotRequired[str]
    """The `id` of the request."""
    service_tier: NotRequired[Literal["standard", "flex", "priority"]]
    session_id: NotRequired[str]
    batch_id: NotRequired[str]
    """Executions of this batch."""
    review: NotRequired[Literal["needed", "done"]]
    """needed: executions in the review queue; done: reviewed executions."""
    approval: NotRequired[Literal["needed", "done"]]
    """needed: executions that wait for an approval; done: executions with a decision."""
    skill_id: NotRequired[str]
    """UUID of a version, name, or name:version."""
    created_after: NotRequired[str]
    """A time with UTC offset, or a date (midnight UTC)."""
    created_before: NotRequired[str]
    """Exclusive; same format as created_after."""
    purpose: NotRequired[Literal["work", "evaluation", "shadow", "all"]]
    """work: requests and chats; evaluation: runs of evaluations of skills; shadow: agent runs that check a program."""
    q: NotRequired[str]
    """A part of the agent's name, the names of input files, an id, the session or the answer, in any case. One page looks through at most 10000 executions; the Link header leads to the older ones."""
    cursor: NotRequired[str]


class ResumeExecutionsRequest(TypedDict):
    ids: NotRequired[List[str]]
    """The executions to resume."""
    filter: NotRequired[ResumeExecutionsRequestFilter]
    """Same fields as the query of GET /v1/agent/executions; `{}` means all resumable executions, newest first."""


class Callback(TypedDict):
    n: int
    """Number within the execution: 1, 2, 3 …."""
    event: Literal["completed", "failed", "paused", "reviewed", "batch.completed", "batch.cancelled"]
    url: str
    webhook_id: str
    """The webhook-id header, the same in every attempt."""
    state: Literal["pending", "delivered", "failed"]
    next_try_at: Union[str, None]
    created_at: str
    tries: List[CallbackTry]
    """Oldest first; the newest 100 are retained."""


class CallbackTryError(TypedDict):
    code: str
    message: str


class CallbackTry(TypedDict):
    at: str
    status: Union[int, None]
    """HTTP status of the receiver; null without a response."""
    duration_ms: int
    error: Union[CallbackTryError, None]
    """Null: acknowledged."""


class CallbackSecret(TypedDict):
    secret: str
    created_at: str
    previous_until: Union[str, None]
    """Until then, webhook-signature also contains a signature with the previous secret."""


class ExecutionRequestConfig(TypedDict):
    service_tier: str


class ExecutionRequest(TypedDict):
    name: str
    model: str
    inputs: Dict[str, Json]
    config: ExecutionRequestConfig


class ForkRequestConfig(TypedDict):
    prompt: NotRequired[Union[str, None]]
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    response_model: NotRequired[Union[Dict[str, Json], None]]
    """Alias of json_schema."""
    tools_type: NotRequired[Union[Literal["document", "image", "video", "multimodal"], None]]
    tool_names: NotRequired[Union[List[str], None]]
    skills: NotRequired[Union[List[SkillEntry], None]]
    allow_public_scripts: NotRequired[Union[bool, None]]
    """Allow scripts of public skills of other workspaces to run in the sandbox."""
    caching: NotRequired[Union[bool, None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    execution_mode: NotRequired[Union[Literal["agent", "program"], None]]
    mode: NotRequired[Union[Literal["agent", "program"], None]]
    """Alias of execution_mode."""
    path: NotRequired[Union[Literal["cheapest"], None]]
    """cheapest: each field of the schema is answered by the first of program, rules, the small and the large model of the route whose wrong answers to it are proven to be at most `max_wrong_rate`; the large model judges the others. Without it, one engine answers all fields."""
    max_cost_dollars: NotRequired[Union[float, None]]
    """Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses."""
    max_steps: NotRequired[Union[int, None]]
    max_wrong_rate: NotRequired[Union[float, None]]
    """Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in `evidence`, or given with the warning `value_unsure` where the schema requires a value. Default 0.02: such values are given if they are likely, with a note, and `completeness.low_confidence` counts them. null: no score, values as the rules find them. `completeness` says whether the answer was held to the share."""
    timeout_seconds: NotRequired[Union[float, None]]
    require_approval: NotRequired[Union[Union[Literal["completion"], RequireApproval], None]]
    """What a person must approve: the completion, or calls of tools. The execution is paused until then."""
    review: NotRequired[Union[RequireReview, None]]
    """When a person should review the answer; default: the settings of the skill and of the workspace."""
    base_execution: NotRequired[Union[str, None]]
    """Id of an earlier, completed execution of the same task: pages that did not change are not read by OCR again, and a model is asked only for fields that may have changed, or are new in the schema."""
    page_indices: NotRequired[Union[List[int], None]]
    """0-based indices of the pages to read of each document."""
    video_segment_duration: NotRequired[Union[float, None]]
    """Length in seconds of the segments that frames of a video are taken from; default: its scenes."""
    video_frames_per_segment: NotRequired[Union[int, None]]
    """Frames per segment."""
    grounding: NotRequired[Union[bool, None]]
    confidence: NotRequired[Union[bool, None]]
    orchestration_mode: NotRequired[Json]
    """Accepted for compatibility, without effect."""
    detail: NotRequired[Json]
    """Accepted for compatibility, without effect; `image_url.detail` of an input has an effect."""
    model: NotRequired[Union[str, None]]
    """Another model, as in `model` of an execute request."""


class ForkRequest(TypedDict):
    from_step: int
    """`seq` of the first step to run again; the steps before it are kept."""
    config: NotRequired[Union[ForkRequestConfig, None]]
    """Fields that replace those of the original request."""
    model: NotRequired[Union[str, None]]
    """Another model."""
    tool_results: NotRequired[Union[Dict[str, Json], None]]
    """Other results of kept tool calls, by the `seq` of their steps: JSON that the tool would have returned."""
    batch: NotRequired[Union[bool, None]]
    """false: the reply waits for the end of the execution. Default: true."""


class ExecutionDiffItem(TypedDict):
    path: str
    """JSON Pointer into the response, or into the record."""
    left: Json
    """The value in execution {id}; null if absent."""
    right: Json
    """The value in execution {other}; null if absent."""

ExecutionDiff: TypeAlias = "List[ExecutionDiffItem]"


class Session(TypedDict):
    id: str
    executions: int
    """Number of executions and chat turns."""
    name: str
    """Name of the newest execution; chat for a chat turn."""
    created_at: str
    """When its first execution was created."""
    updated_at: str
    """When its newest execution was created."""


class PageWordsWordsItem(TypedDict):
    text: str
    bbox: List[Json]
    """Same coordinates as in evidence."""


class PageWords(TypedDict):
    content_type: str
    page_count: int
    columns: int
    """Width of the page in characters, the page being a grid with one character per cell; of a PDF file, in points."""
    rows: int
    words: List[PageWordsWordsItem]
    left_out: int
    """Number of further words on the page."""


class DecideRequest2(TypedDict):
    comment: NotRequired[Union[str, None]]
    number: NotRequired[Union[int, None]]
    """The approval.number that you have seen; the call is refused if it has changed."""

DecideRequest: TypeAlias = "Union[DecideRequest2, None]"


class ReviewRequestChangesItem(TypedDict):
    path: str
    """JSON Pointer into the response, such as /total or /line_items/0/amount."""
    kind: NotRequired[Union[Literal["corrected", "confirmed", "absent"], None]]
    """corrected: the value is another; confirmed: the value is right as it is; absent: the document has no such value. Default: corrected where a value is given, else absent."""
    value: NotRequired[Json]
    """The correct value; it must be valid against the schema of the execution."""
    candidate: NotRequired[Union[int, None]]
    """Instead of a value: index of a candidate in the evidence."""
    rows: NotRequired[Union[List[Union[int, None]], None]]
    """With a list as the value, and the header If-Match: for each row of the value, its index in the list as it was; null: a row that the list lacked, or one that earlier reviews removed and that is put back where it was. Evidence and earlier reviews of a row stay with it. Default: the equal rows at the start and at the end are the same rows, and those between are new."""
    input: NotRequired[Union[str, None]]
    """Input that the box is on, as in evidence; default: the only input."""
    page: NotRequired[Union[int, None]]
    bbox: NotRequired[Union[List[float], None]]


class ReviewRequest(TypedDict):
    changes: NotRequired[Union[List[ReviewRequestChangesItem], None]]
    done: NotRequired[Union[bool, None]]
    """true: the review is finished, and the execution leaves the queue."""
    comment: NotRequired[Union[str, None]]
    claim: NotRequired[Union[int, None]]
    """Number of your claim; the call is refused once that claim has lapsed."""


class SavedReview(TypedDict):
    version: int
    by: Union[Actor, None]
    at: str
    done: bool
    comment: Union[str, None]
    changes: List[SavedReviewChange]
    """Compared with the answer before this review."""

SavedReviewChange = TypedDict(
    "SavedReviewChange",
    {
        "path": "str",
        "from": "Json",
        "to": "Json",
        "kind": "Literal[\"corrected\", \"confirmed\", \"absent\"]",
        "rows": "NotRequired[List[Union[int, None]]]",
        "input": "NotRequired[str]",
        "page": "NotRequired[int]",
        "bbox": "NotRequired[List[float]]",
    },
)


class ReviewSetting(TypedDict):
    skill_name: Union[str, None]
    """null: the workspace, for skills without a setting."""
    below: float
    """As config.review.below of an execution."""
    max_wrong_rate: Union[float, None]
    add_cases: bool
    """Whether reviewed answers become cases of the skill."""


class ReviewSettingRequest(TypedDict):
    skill_name: NotRequired[Union[str, None]]
    below: Union[float, None]
    """null removes the setting."""
    max_wrong_rate: NotRequired[Union[float, None]]
    add_cases: NotRequired[Union[bool, None]]


class ReviewStatisticsFieldsItem(TypedDict):
    field: str
    """JSON Pointer with `*` for each row number."""
    confirmed: int
    """Values that a reviewer marked as right, or left empty as the response did."""
    corrected: int
    """Values that a reviewer changed."""
    untouched: int
    """Values of reviewed answers that no reviewer marked."""
    agreement: Union[float, None]
    """confirmed / (confirmed + corrected); null if both are 0."""


class ReviewStatistics(TypedDict):
    reviewed: int
    waiting: int
    median_seconds: Union[float, None]
    """Time under claims per document."""
    mean_seconds: Union[float, None]
    fields: List[ReviewStatisticsFieldsItem]


class ReviewItemSkill(TypedDict):
    id: Union[str, None]
    name: str


class ReviewItemReasonsItem(TypedDict):
    path: str
    code: str
    """low_confidence, missing, no_evidence, or the code of a warning."""
    confidence: float


class ReviewItemClaim(TypedDict):
    number: int
    by: Union[Actor, None]
    since: str
    until: str


class ReviewItem(TypedDict):
    execution_id: str
    name: str
    """Name of the agent."""
    file_names: List[str]
    """Names of the input files."""
    status: Literal["needed", "claimed", "done"]
    skill: Union[ReviewItemSkill, None]
    reasons: List[ReviewItemReasonsItem]
    """Why it needs a review, least confident first; empty if a person started the review."""
    lowest_confidence: Union[float, None]
    assigned_to: Union[Actor, None]
    """The only key that can claim it."""
    claim: Union[ReviewItemClaim, None]
    seconds: float
    """Time spent under claims."""
    created_at: str
    done_at: Union[str, None]
    done_by: Union[Actor, None]


class ClaimedReview(TypedDict):
    item: Union[ReviewItem, None]
    """null: there is nothing for this key to claim."""
    waiting: int
    """Number of further executions that this key could claim now."""


class ClaimReviewRequest2(TypedDict):
    skill_id: NotRequired[Union[str, None]]

ClaimReviewRequest: TypeAlias = "Union[ClaimReviewRequest2, None]"


class ReleaseReviewRequest2(TypedDict):
    claim: NotRequired[Union[int, None]]
    """Number of your claim; the call is refused once that claim has lapsed."""

ReleaseReviewRequest: TypeAlias = "Union[ReleaseReviewRequest2, None]"


class AssignReviewRequest(TypedDict):
    key_id: Union[str, None]
    """The only key that can claim it; null: any key."""


class ArtifactListItemsItem(TypedDict):
    object_id: str
    filename: str
    source: Literal["store", "manifest", "workspace"]
    content_type: str
    bytes: int
    execution_id: str
    created_at: str


class ArtifactList(TypedDict):
    namespace_id: str
    items: List[ArtifactListItemsItem]


class ProgramGateChecksItem(TypedDict):
    name: str
    passed: bool
    message: str


class ProgramGateAgreementItem(TypedDict):
    pointer: str
    agreed: int
    compared: int
    left: NotRequired[int]
    """Cases in which the program left the field to an agent; absent: none."""


class ProgramGateCases(TypedDict):
    answered: int
    declined: int
    failed: int


class ProgramGate(TypedDict):
    checks: List[ProgramGateChecksItem]
    agreement: List[ProgramGateAgreementItem]
    cases: ProgramGateCases
    threshold: float
    left: NotRequired[List[str]]
    """Fields below the threshold; absent: none."""


class ProgramFieldsItem(TypedDict):
    pointer: str
    """JSON Pointer of a field; a list is one field."""
    by: Literal["program", "agent"]
    """agent: the program leaves the field to an agent in every run, since it was too often wrong in the cases or in its latest checked answers."""
    checked: int
    """Answers of the program in which an independent judge checked the field."""
    wrong: int
    bound: float
    """Like `shadow.bound`, on the rate of wrong values of this field."""


class ProgramShadowJudgementsItem(TypedDict):
    by: Literal["human", "case", "other_model", "same_engine"]
    answers: int
    wrong: int
    counts: bool
    """Whether the bound rests on it. An engine cannot certify its own program."""


class ProgramShadowEvidence(TypedDict):
    """Number of checked answers by judge; `model` is other_model of `judgements`. The first three lower the bound."""
    human: int
    case: int
    model: int
    same_engine: int


class ProgramShadow(TypedDict):
    runs: int
    disagreements: int
    bound: float
    """Upper bound on the rate of wrong answers, one-sided, 95 %. It rests on independent judgements only (1 without any) and holds at every look."""
    judgements: List[ProgramShadowJudgementsItem]
    """The checked answers by judge, the most independent first; each answer counts once."""
    evidence: ProgramShadowEvidence
    """Number of checked answers by judge; `model` is other_model of `judgements`. The first three lower the bound."""
    confidence: float
    """Probability that the bound is never below the true rate, at any look."""
    method: Literal["anytime_valid_beta_mixture"]
    """How the bound is computed."""


class ProgramDrift(TypedDict):
    by: Literal["program", "judge"]
    """`program`: the documents changed, or the program was wrong from the start. `judge`: the model that checks it answers otherwise than right answers were before."""
    since: str
    fields: List[str]
    """Fields of the latest disagreement, as JSON Pointers."""


class ProgramEconomics(TypedDict):
    compile_cost_dollars: float
    agent_run_dollars: Union[float, None]
    program_run_dollars: Union[float, None]
    break_even_runs: Union[int, None]
    saved_dollars: float


class Program(TypedDict):
    id: str
    skill_id: str
    """Version of the skill that the program was compiled for."""
    skill_version: str
    status: Literal["compiling", "candidate", "ready", "rejected", "demoted"]
    reason: Union[str, None]
    """Why the program was rejected or demoted."""
    origin: Literal["embedded", "agent"]
    """What wrote the program: the embedded engine or a code agent."""
    execution_id: Union[str, None]
    """Execution whose agent wrote the program."""
    sha256: Union[str, None]
    source: Union[str, None]
    language: Literal["typescript"]
    gate: Union[ProgramGate, None]
    fields: List[ProgramFieldsItem]
    """How each field is answered, and how reliably; empty if the fields cannot be answered separately."""
    schema_hash: str
    input_shape: Union[Dict[str, str], None]
    runs: int
    run_ms: Union[float, None]
    """Average run time in the sandbox, in milliseconds."""
    shadow: ProgramShadow
    withholds: bool
    """Whether all its answers are withheld: an agent answers, and checks them, until three in a row agree."""
    drift: Union[ProgramDrift, None]
    """Which side seems to have drifted since checked answers disagree."""
    economics: ProgramEconomics
    created_at: str
    decided_at: Union[str, None]


class ProgramCompileRequest2(TypedDict):
    execution_ids: NotRequired[Union[List[str], None]]
    """Completed executions whose responses are correct."""
    case_ids: NotRequired[Union[List[str], None]]
    """Cases of the skill; without execution_ids and case_ids, all cases."""

ProgramCompileRequest: TypeAlias = "Union[ProgramCompileRequest2, None]"


class SkillCase(TypedDict):
    id: str
    inputs: Dict[str, Json]
    """`{type: 'bundle_file', path}` refers to a file of the bundle."""
    response: Json
    prompt: Union[str, None]
    source: Literal["added", "execution", "bundle"]
    execution_id: Union[str, None]
    created_at: str


class SkillCasesRequestCasesItem(TypedDict):
    inputs: NotRequired[Union[Dict[str, Json], None]]
    """Slots as in POST /v1/agent/execute."""
    prompt: NotRequired[Union[str, None]]
    """With an execution: instead of its prompt; empty for none, as when the prompt is now in the instructions of the skill."""
    execution_id: NotRequired[Union[str, None]]
    """Execution whose inputs are used."""
    response: NotRequired[Json]
    """The correct response; if absent, the reviewed response of the execution, else its response."""


class SkillCasesRequest(TypedDict):
    cases: NotRequired[Union[List[SkillCasesRequestCasesItem], None]]
    execution_id: NotRequired[Union[str, None]]
    """Instead of `cases`: this execution becomes a case."""


class SkillEvaluationBefore(TypedDict):
    skill_id: str
    number: int


class SkillEvaluationError(TypedDict):
    code: str
    message: str

SkillEvaluationReportArms = TypedDict(
    "SkillEvaluationReportArms",
    {
        "with": "NotRequired[EvaluationArm]",
        "without": "NotRequired[EvaluationArm]",
        "before": "NotRequired[EvaluationArm]",
    },
)


class SkillEvaluationReportLift(TypedDict):
    """How much better the version is than a run without it and than the previous version: paired by case, anytime-valid."""
    without: NotRequired[EvaluationLift]
    before: NotRequired[EvaluationLift]


class SkillEvaluationReportFieldsItemWith(TypedDict):
    fields: int
    agreed: int


class SkillEvaluationReportFieldsItemWithout(TypedDict):
    fields: int
    agreed: int


class SkillEvaluationReportFieldsItemBefore(TypedDict):
    fields: int
    agreed: int

SkillEvaluationReportFieldsItem = TypedDict(
    "SkillEvaluationReportFieldsItem",
    {
        "with": "NotRequired[SkillEvaluationReportFieldsItemWith]",
        "without": "NotRequired[SkillEvaluationReportFieldsItemWithout]",
        "before": "NotRequired[SkillEvaluationReportFieldsItemBefore]",
        "field": "str",
    },
)

SkillEvaluationReportResultsItemRuns = TypedDict(
    "SkillEvaluationReportResultsItemRuns",
    {
        "with": "NotRequired[EvaluatedCase]",
        "without": "NotRequired[EvaluatedCase]",
        "before": "NotRequired[EvaluatedCase]",
    },
)


class SkillEvaluationReportResultsItem(TypedDict):
    case_id: str
    runs: SkillEvaluationReportResultsItemRuns


class SkillEvaluationReportGate(TypedDict):
    passed: bool
    because: Union[str, None]


class SkillEvaluationReport(TypedDict):
    cases: int
    arms: SkillEvaluationReportArms
    lift: NotRequired[SkillEvaluationReportLift]
    """How much better the version is than a run without it and than the previous version: paired by case, anytime-valid."""
    fields: List[SkillEvaluationReportFieldsItem]
    results: List[SkillEvaluationReportResultsItem]
    gate: Union[SkillEvaluationReportGate, None]
    """null: the version sets no publish_gate."""


class SkillEvaluation(TypedDict):
    id: str
    status: Literal["running", "completed", "failed"]
    skill_id: str
    skill_name: str
    skill_version: str
    number: int
    before: Union[SkillEvaluationBefore, None]
    """The previous version."""
    model: Union[str, None]
    runs: int
    """Total number of executions."""
    created_at: str
    completed_at: Union[str, None]
    error: Union[SkillEvaluationError, None]
    report: Union[SkillEvaluationReport, None]


class EvaluationArm(TypedDict):
    completed: int
    failed: int
    fields: int
    agreed: int
    agreement: float
    """Share of fields that agree."""
    cost_dollars: float
    median_ms: Union[int, None]


class EvaluationLift(TypedDict):
    cases: int
    """Cases that ran in both arms."""
    mean: float
    """Mean difference of the agreement per case, from -1 to 1."""
    lower: float
    """Lower end of the 95 % interval, valid under repeated looks."""
    upper: float


class EvaluatedCaseDisagreementsItem(TypedDict):
    pointer: str
    expected: Json
    actual: Json


class EvaluatedCase(TypedDict):
    execution_id: Union[str, None]
    status: Literal["completed", "failed"]
    error: Union[str, None]
    fields: int
    agreed: int
    agreement: float
    disagreements: List[EvaluatedCaseDisagreementsItem]
    """The first 50. A pointer with the prefix + is of a value that only the answer contains."""


class EvaluateRequest2(TypedDict):
    case_ids: NotRequired[Union[List[str], None]]
    """If absent, all cases."""
    model: NotRequired[Union[str, None]]
    """If absent, the model of the skill, or the default."""
    max_cost_dollars: NotRequired[Union[float, None]]
    """Maximum cost of each run."""

EvaluateRequest: TypeAlias = "Union[EvaluateRequest2, None]"


class SkillImprovementCases(TypedDict):
    training: int
    """Cases that the writing model may see."""
    judging: int
    """Cases that decide, and that it never sees."""


class SkillImprovementProgress(TypedDict):
    runs: int
    """Runs planned."""
    ended: int


class SkillImprovementOutcome(TypedDict):
    code: Literal["published", "held", "nothing_better", "nothing_to_improve", "cannot_decide", "superseded"]
    message: str


class SkillImprovementComparedAgain(TypedDict):
    answered_by: str
    evaluation_id: str


class SkillImprovementProposalsItemError(TypedDict):
    code: str
    message: str


class SkillImprovementProposalsItemLift(TypedDict):
    cases: int
    """Cases that the version and the proposal both ran."""
    mean: float
    """Mean difference of the agreement per case, from -1 to 1."""
    lower: float
    upper: float


class SkillImprovementProposalsItemBefore(TypedDict):
    agreed: int
    fields: int
    agreement: float
    """Share of fields that agree."""


class SkillImprovementProposalsItemAfter(TypedDict):
    agreed: int
    fields: int
    agreement: float
    """Share of fields that agree."""


class SkillImprovementProposalsItemResultsItemBefore(TypedDict):
    execution_id: Union[str, None]
    agreed: int
    fields: int
    error: Union[str, None]


class SkillImprovementProposalsItemResultsItemAfter(TypedDict):
    execution_id: Union[str, None]
    agreed: int
    fields: int
    error: Union[str, None]


class SkillImprovementProposalsItemResultsItem(TypedDict):
    case_id: str
    before: SkillImprovementProposalsItemResultsItemBefore
    after: SkillImprovementProposalsItemResultsItemAfter


class SkillImprovementProposalsItem(TypedDict):
    number: int
    verdict: Union[Literal["better", "worse", "undecided", "duplicate", "failed"], None]
    """null: not judged yet. Only a better one is published."""
    instructions: Union[str, None]
    summary: Union[str, None]
    """What changed, in the words of the model."""
    error: Union[SkillImprovementProposalsItemError, None]
    lift: Union[SkillImprovementProposalsItemLift, None]
    """Paired by case, anytime-valid, and valid for all proposals together."""
    before: Union[SkillImprovementProposalsItemBefore, None]
    """The version on these cases."""
    after: Union[SkillImprovementProposalsItemAfter, None]
    results: List[SkillImprovementProposalsItemResultsItem]


class SkillImprovementError(TypedDict):
    code: str
    message: str


class SkillImprovement(TypedDict):
    """At most 2.5 % of improvements publish a version that is not better."""
    id: str
    status: Literal["running", "completed", "failed", "cancelled"]
    skill_id: str
    skill_name: str
    skill_version: str
    number: int
    instructions: Union[str, None]
    """Of that version; null: it was deleted."""
    model: str
    """Runs the cases."""
    answered_by: str
    """The engine behind that model."""
    writer_model: str
    max_cost_dollars: float
    cost_dollars: float
    cases: SkillImprovementCases
    progress: SkillImprovementProgress
    confidence: float
    """Of each end of the lift of each proposal."""
    outcome: Union[SkillImprovementOutcome, None]
    published_skill_id: Union[str, None]
    """The version made from the best proposal."""
    compared_again: Union[SkillImprovementComparedAgain, None]
    """The evaluation of the published version that began by itself when another engine came to answer the model; null: none."""
    proposals: List[SkillImprovementProposalsItem]
    error: Union[SkillImprovementError, None]
    created_at: str
    completed_at: Union[str, None]


class ImproveRequest2(TypedDict):
    proposals: NotRequired[Union[int, None]]
    """How many proposals the model writes; default 3."""
    max_cost_dollars: NotRequired[Union[float, None]]
    """Most that all runs together may cost; default 5."""
    model: NotRequired[Union[str, None]]
    """Runs the cases; if absent, the model of the skill, or the default."""
    writer_model: NotRequired[Union[str, None]]
    """Writes the proposals; if absent, the language model of that model, or the strongest of the server."""

ImproveRequest: TypeAlias = "Union[ImproveRequest2, None]"


class BatchCounts(TypedDict):
    """Items by status; the statuses add up to `total`, `review_needed` is counted among `completed`."""
    enqueued: int
    """Items without an execution yet, or whose execution waits."""
    running: int
    paused: int
    completed: int
    failed: int
    cancelled: int
    """Items whose execution was cancelled, or that had none when the batch was cancelled."""
    review_needed: int


class BatchWarningsItem(TypedDict):
    code: str
    path: str
    message: str


class Batch(TypedDict):
    id: str
    name: Union[str, None]
    status: Literal["running", "paused", "completed", "cancelled"]
    total: int
    """Number of items."""
    counts: BatchCounts
    """Items by status; the statuses add up to `total`, `review_needed` is counted among `completed`."""
    cost_dollars: float
    """Cost of all ended executions, including those that were retried."""
    max_in_flight: int
    callback_url: Union[str, None]
    warnings: List[BatchWarningsItem]
    created_at: str
    completed_at: Union[str, None]


class BatchRequestItemsItem(TypedDict):
    file_id: NotRequired[Union[str, None]]
    """Id of an uploaded file."""
    url: NotRequired[Union[str, None]]
    inputs: NotRequired[Union[Dict[str, Json], None]]
    """Inputs by slot name, as in POST /v1/agent/execute."""
    client_id: NotRequired[Union[str, None]]
    """Your own id of the item; its execution gets it."""
    file_name: NotRequired[Union[str, None]]
    """Name in the results; default: the name of the file, or the last part of the URL."""


class BatchRequest(TypedDict):
    name: NotRequired[Union[str, None]]
    """A name for people."""
    items: NotRequired[Union[List[BatchRequestItemsItem], None]]
    """The documents; each with exactly one of file_id, url and inputs."""
    zip_file_id: NotRequired[Union[str, None]]
    """Instead of items, the id of an uploaded zip, tar or gzip: each file in it becomes an item."""
    base_executions: NotRequired[Union[List[str], None]]
    """Instead of items, ids of completed executions: the request of each is executed again with config.json_schema. Fields that both schemas define alike are kept, and only the others are asked. Other fields of config replace those of the executions."""
    combine: NotRequired[Union[bool, None]]
    """true: one execution reads all items together. Default: one execution each."""
    agent: NotRequired[Union[str, None]]
    """`<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version."""
    config: NotRequired[Union[AgentExecutionConfig, None]]
    model: NotRequired[Union[str, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    toolsets: NotRequired[Union[List[str], None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    """Overrides config.service_tier. Default: flex."""
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the batch as JSON when it is completed or cancelled."""
    max_in_flight: NotRequired[Union[int, None]]
    """Executions of the batch that exist and have not ended, at most. Default: 50. A paused execution counts."""


class BackfillEstimate(TypedDict):
    executions: int
    """Number of executions that would be asked again."""
    asked: int
    """Those of which a model would be asked for fields; the others cost what reading costs."""
    unusable: int
    """Those that are not completed or not retained, or whose input files or skills were deleted: their items would fail."""
    unpriced: int
    """Those whose cost is not known, since no execution of the same agent and model tells what an answer costs; low_dollars and high_dollars leave them out."""
    service_tier: Literal["standard", "flex", "priority"]
    low_dollars: float
    """The share of the asked fields in what the executions cost."""
    high_dollars: float
    """What the executions cost; more if the schema asks more new fields than they had fields. Where a program or an earlier answer had served an execution, what its agent costs with a model. An estimate and not a limit, which config.max_cost_dollars is."""


class BackfillRequest(TypedDict):
    name: NotRequired[Union[str, None]]
    """A name for people."""
    base_executions: List[str]
    combine: NotRequired[Union[bool, None]]
    """true: one execution reads all items together. Default: one execution each."""
    agent: NotRequired[Union[str, None]]
    """`<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version."""
    config: NotRequired[Union[AgentExecutionConfig, None]]
    model: NotRequired[Union[str, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    toolsets: NotRequired[Union[List[str], None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    """Overrides config.service_tier. Default: flex."""
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the batch as JSON when it is completed or cancelled."""
    max_in_flight: NotRequired[Union[int, None]]
    """Executions of the batch that exist and have not ended, at most. Default: 50. A paused execution counts."""


class BatchItem(TypedDict):
    index: int
    """0-based position in the batch."""
    id: Union[str, None]
    """Same as execution_id."""
    execution_id: Union[str, None]
    """null until the execution is created."""
    base_execution: Union[str, None]
    """The execution that the item asks again; null for other batches."""
    client_id: Union[str, None]
    file_name: Union[str, None]
    status: Literal["enqueued", "running", "paused", "completed", "failed", "cancelled"]
    error: Union[ExecutionFailure, None]
    response: Json
    """The answer, with the corrections of reviewers."""
    review: Union[Literal["needed", "done"], None]
    """Status of the review; null: no review."""
    fields: List[BatchItemField]
    """The values of the response with their confidence, in order."""
    lowest_confidence: Union[float, None]
    """Of the values that were found; null without any."""
    low_confidence: Union[int, None]
    """Number of found fields that needed a look when the execution ended; null until it is known."""
    not_found: Union[int, None]
    """Number of fields that were not found; null until it is known."""
    cost_dollars: float
    completed_at: Union[str, None]


class BatchItemField(TypedDict):
    path: str
    """JSON Pointer into the response."""
    value: Json
    """The value; lists are complete."""
    confidence: Union[float, None]
    """Confidence from 0 to 1; of a list, its lowest."""
    evidence: Union[Literal["verified", "normalised", "derived", "unsupported"], None]
    """Status of the evidence; of a list, that of its least confident value."""
    page: Union[int, None]
    """0-based."""
    input: Union[str, None]
    """The input that contains the value."""
    needs_look: bool
    """Whether a person should check the value, or one in the list."""


class PredictionResponseProgram(TypedDict):
    id: str
    sha256: str


class PredictionResponse(TypedDict):
    id: str
    name: str
    """`<name>:<version>` of the agent; executing this name runs the same version. `chat` for chat turns."""
    agent_id: Union[str, None]
    """Id of the agent version; null for chat turns."""
    client_id: Union[str, None]
    """The request `id` of the caller unless it is a UUID; a UUID is the id of the execution itself."""
    response: Json
    execution_mode: Literal["agent", "program"]
    """program: a program answered without an agent. agent: an agent answered, or the fields that a program left to it."""
    execution_modes: Union[Dict[str, Literal["agent", "program", "kept"]], None]
    """JSON Pointer of a field (a list as a whole) → what answered it, if a program answered some fields and left others to an agent, or if the answer keeps fields of `base_execution`; otherwise null."""
    path: Union[CheapestPath, None]
    """The way of the answer with `config.path: 'cheapest'`; otherwise null."""
    status: Literal["pending", "enqueued", "running", "paused", "completed", "failed"]
    created_at: str
    completed_at: Union[str, None]
    usage: CreditUsageResponse
    error: Union[ExecutionFailure, None]
    model: str
    """The model identifier of the request, of a skill, or the default; usable in a new request."""
    model_selection: ModelSelection
    service_tier: Literal["standard", "flex", "priority"]
    skills: List[ExecutionSkill]
    program: Union[PredictionResponseProgram, None]
    shadow_of: Union[str, None]
    """The program execution that this execution checks."""
    session_id: Union[str, None]
    batch_id: Union[str, None]
    """The batch that the execution belongs to."""
    forked_from: Union[str, None]
    """The execution whose first steps this one keeps."""
    base_execution: Union[str, None]
    """The earlier execution whose answer and pages this one could keep."""
    imported_from: Union[str, None]
    """The id of the execution in the capsule that it was imported from."""
    trusted: Union[bool, None]
    """Whether a key of this server signed the capsule that it was imported from; null: it ran here."""
    evidence: Union[Dict[str, Evidence], None]
    """JSON Pointer of a leaf of the response → its place in the input."""
    completeness: Union[Completeness, None]
    """null without a schema or without an answer."""
    needs_look: Union[List[str], None]
    """JSON Pointers of the values that a person should check and nobody has: those below `completeness.review_below`, or else those that `completeness.low_confidence` counts, values left out although they are likely, and, with a review rule, required fields that the answer lacks, rows and lists that a warning names, and all values of an answer without evidence. null before the answer, and in older records."""
    warnings: List[Warning]
    """Warnings about the answer; often empty."""
    reviewed_response: Json
    """The response as people corrected it, beside the `response`, which stays as it was; null before a review."""
    approval: Union[Approval, None]
    """The latest decision that the execution waits or waited for."""
    review: Union[Review, None]
    """null if there is no answer to review."""
    attempts: int
    domain: Union[str, None]
    message: Union[str, None]
    """Why it failed, and other notes; same as usage.message."""


class FilePredictionRequest(TypedDict):
    file_id: NotRequired[Union[str, None]]
    """Id of an uploaded file."""
    url: NotRequired[Union[str, None]]
    """Instead of file_id: an http, https or data URL."""
    id: NotRequired[Union[str, None]]
    """Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`."""
    model: NotRequired[Union[str, None]]
    """A model identifier; `vlm-1` means the default of this server."""
    domain: NotRequired[Union[str, None]]
    """A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it."""
    batch: NotRequired[Union[bool, None]]
    config: NotRequired[Union[GenerationConfig, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the execution as JSON when it ends or pauses."""


class GenerationConfig(TypedDict):
    prompt: NotRequired[Union[str, None]]
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    response_model: NotRequired[Union[Dict[str, Json], None]]
    """Alias of json_schema."""
    skills: NotRequired[Union[List[SkillEntry], None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    confidence: NotRequired[Union[bool, None]]
    grounding: NotRequired[Union[bool, None]]
    page_indices: NotRequired[Union[List[int], None]]
    """0-based indices of the pages to read of each document."""
    video_segment_duration: NotRequired[Union[float, None]]
    """Length in seconds of the segments that frames of a video are taken from; default: its scenes."""
    video_frames_per_segment: NotRequired[Union[int, None]]
    """Frames per segment."""
    max_wrong_rate: NotRequired[Union[float, None]]
    """Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in `evidence`, or given with the warning `value_unsure` where the schema requires a value. Default 0.02: such values are given if they are likely, with a note, and `completeness.low_confidence` counts them. null: no score, values as the rules find them. `completeness` says whether the answer was held to the share."""
    max_cost_dollars: NotRequired[Union[float, None]]
    """Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses."""
    review: NotRequired[Union[RequireReview, None]]
    """When a person should review the answer; default: the settings of the skill and of the workspace."""
    detail: NotRequired[Union[Literal["auto", "lo", "hi", "low", "high"], None]]
    """Has an effect on images."""
    gql_stmt: NotRequired[Union[str, None]]
    max_retries: NotRequired[Union[int, None]]
    """Without effect; other values than 3 are reported in warnings."""
    max_tokens: NotRequired[Union[int, None]]
    """Without effect; other values than 65535 are reported in warnings."""
    temperature: NotRequired[Union[float, None]]
    """Without effect; other values than 0 are reported in warnings."""


class FileExecuteRequest(TypedDict):
    file_id: NotRequired[Union[str, None]]
    """Id of an uploaded file."""
    url: NotRequired[Union[str, None]]
    """Instead of file_id: an http, https or data URL."""
    name: str
    """Name of an agent, or `<name>:<version>`."""
    version: NotRequired[Union[str, None]]
    """Version of the agent. Default: latest."""
    id: NotRequired[Union[str, None]]
    """Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`."""
    batch: NotRequired[Union[bool, None]]
    config: NotRequired[Union[GenerationConfig, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the execution as JSON when it ends or pauses."""


class FileSchemaRequest(TypedDict):
    file_id: NotRequired[Union[str, None]]
    """Id of an uploaded file."""
    url: NotRequired[Union[str, None]]
    """Instead of file_id: an http, https or data URL."""


class ImagePredictionRequest(TypedDict):
    images: NotRequired[Union[List[str], None]]
    """http, https or data URLs."""
    image: NotRequired[Union[str, None]]
    """A single image, instead of images."""
    id: NotRequired[Union[str, None]]
    """Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`."""
    model: NotRequired[Union[str, None]]
    """A model identifier; `vlm-1` means the default of this server."""
    domain: NotRequired[Union[str, None]]
    """A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it."""
    batch: NotRequired[Union[bool, None]]
    config: NotRequired[Union[GenerationConfig, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the execution as JSON when it ends or pauses."""


class ImageExecuteRequest(TypedDict):
    images: NotRequired[Union[List[str], None]]
    """http, https or data URLs."""
    image: NotRequired[Union[str, None]]
    """A single image, instead of images."""
    name: str
    """Name of an agent, or `<name>:<version>`."""
    version: NotRequired[Union[str, None]]
    """Version of the agent. Default: latest."""
    id: NotRequired[Union[str, None]]
    """Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`."""
    batch: NotRequired[Union[bool, None]]
    config: NotRequired[Union[GenerationConfig, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the execution as JSON when it ends or pauses."""


class ImageSchemaRequest(TypedDict):
    images: NotRequired[Union[List[str], None]]
    """http, https or data URLs."""
    image: NotRequired[Union[str, None]]
    """A single image, instead of images."""


class WebPredictionRequest(TypedDict):
    id: NotRequired[Union[str, None]]
    """Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`."""
    model: NotRequired[Union[str, None]]
    """A model identifier; `vlm-1` means the default of this server."""
    domain: NotRequired[Union[str, None]]
    """A domain of GET /v1/hub/domains, whose schema shapes the response; config.json_schema overrides it."""
    batch: NotRequired[Union[bool, None]]
    config: NotRequired[Union[GenerationConfig, None]]
    metadata: NotRequired[Union[RequestMetadata, None]]
    callback_url: NotRequired[Union[str, None]]
    """URL that receives a POST with the execution as JSON when it ends or pauses."""
    url: str
    mode: NotRequired[Union[Literal["fast", "accurate"], None]]
    """The page is read as its server sends it (fast), without running its scripts; accurate is refused."""


class SchemaResponse(TypedDict):
    domain: str
    description: str
    schema_version: str
    schema_hash: str
    """SHA-256 of the schema as canonical JSON (RFC 8785)."""
    gql_stmt: str
    """Always empty: GraphQL selections are not supported."""
    json_schema: Dict[str, Json]
    json_sample: None


class SchemaRequestConfig(TypedDict):
    gql_stmt: NotRequired[Union[str, None]]


class SchemaRequest(TypedDict):
    domain: str
    gql_stmt: NotRequired[Union[str, None]]
    config: NotRequired[Union[SchemaRequestConfig, None]]


class HubInfo(TypedDict):
    version: str


class HubDomain(TypedDict):
    domain: str
    name: str
    description: str
    supported_inputs: List[str]
    tags: List[str]
    sample_data: List[str]


class CapsuleSignaturesItem(TypedDict):
    keyid: str
    sig: str


class Capsule(TypedDict):
    """A DSSE envelope with one Ed25519 signature. Store its bytes unchanged."""
    payloadType: Literal["application/vnd.in-toto+json"]
    payload: str
    """An in-toto Statement v1, in base64."""
    signatures: List[CapsuleSignaturesItem]


class CapsuleKeysKeysItem(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    alg: Literal["EdDSA"]
    use: Literal["sig"]
    kid: str
    """Same as `keyid` in a capsule."""
    x: str
    """The public key, base64url."""
    valid_from: str
    valid_until: Union[str, None]
    """When it stopped signing; null: it still signs."""
    revoked_at: Union[str, None]
    """Nothing that a revoked key signed can be trusted."""


class CapsuleKeys(TypedDict):
    """A JSON Web Key Set (RFC 7517, RFC 8037)."""
    keys: List[CapsuleKeysKeysItem]


class CapsuleKeyRotation2(TypedDict):
    revoke: NotRequired[Union[bool, None]]
    """Revokes the previous key: its capsules are no longer valid."""

CapsuleKeyRotation: TypeAlias = "Union[CapsuleKeyRotation2, None]"

ReplayDifferencesItem = TypedDict(
    "ReplayDifferencesItem",
    {
        "path": "str",
        "was": "Json",
        "is": "Json",
    },
)


class Replay(TypedDict):
    execution_id: str
    equal: bool
    """The replay gave the same output, byte for byte."""
    differences: List[ReplayDifferencesItem]
    """At most 1000."""
    model_calls: Literal[0]


class CostEstimateAgent(TypedDict):
    standard: CostRange
    flex: CostRange
    priority: CostRange


class CostEstimateProgram(TypedDict):
    standard: CostRange
    flex: CostRange
    priority: CostRange


class CostEstimateBasis(TypedDict):
    by: Literal["agent", "model", "prices"]
    """What the estimate is based on: past executions of this key with the same agent and model, with the same model, or only the prices."""
    executions: int
    """Number of past executions that `agent` is computed from."""
    program_executions: int


class CostEstimate(TypedDict):
    model: str
    engine: str
    """The engine that would answer: `embedded`, or `provider/model`."""
    service_tier: Literal["standard", "flex", "priority"]
    """Service tier of the request."""
    agent: CostEstimateAgent
    program: Union[CostEstimateProgram, None]
    """As a program; null if this key has no such runs of this agent and model."""
    path: Union[PathEstimate, None]
    """With `config.path: 'cheapest'`; otherwise null."""
    basis: CostEstimateBasis


class CostRange(TypedDict):
    low_dollars: float
    expected_dollars: float
    high_dollars: float


class PathEstimateCost(TypedDict):
    standard: CostRange
    flex: CostRange
    priority: CostRange


class PathEstimateAskedValue(TypedDict):
    low: float
    expected: float
    high: float


class PathEstimate(TypedDict):
    executions: int
    """Number of past executions of the same request with the same models."""
    by: Literal["path", "agent", "prices"]
    """What `cost` is based on: these executions; without any, the executions behind `agent`, whose tokens are taken at the prices of the models of the path; or only the prices."""
    cost: PathEstimateCost
    asked: Dict[str, PathEstimateAskedValue]
    """Engine → the share of executions in which it is asked, with bounds that hold with 95 %."""
    fields: Dict[str, float]
    """`program`, `rules` or an engine → the share of fields that it answers."""


class AgentCreationResponse(TypedDict):
    id: str
    name: str
    version: int
    created_at: str
    updated_at: str
    status: Literal["pending", "enqueued", "running", "completed", "failed", "paused"]


class AgentCreateRequestConfigSkillsItem(TypedDict):
    type: NotRequired[Union[str, None]]


class AgentCreateRequestConfig(TypedDict):
    prompt: str
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    skills: NotRequired[Union[List[AgentCreateRequestConfigSkillsItem], None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]


class AgentCreateRequest(TypedDict):
    name: NotRequired[Union[str, None]]
    """If absent, the server derives a name from the prompt."""
    inputs: NotRequired[Union[Dict[str, Json], None]]
    """Used by executions that give none."""
    config: AgentCreateRequestConfig
    callback_url: NotRequired[Union[str, None]]


class AgentInfo(TypedDict):
    id: str
    name: str
    version: int
    description: str
    prompt: str
    json_schema: Union[Dict[str, Json], None]
    json_sample: Union[Dict[str, Json], None]
    """An example value that is valid against json_schema."""
    created_at: str
    updated_at: str
    status: Literal["pending", "enqueued", "running", "completed", "failed", "paused"]


class AgentLookupRequest2(TypedDict):
    id: NotRequired[Union[str, None]]
    name: NotRequired[Union[str, None]]
    """`name`, or `name:version`."""
    prompt: NotRequired[Union[str, None]]

AgentLookupRequest: TypeAlias = "Union[AgentLookupRequest2, None]"


class FeedbackSubmitResponseWarningsItem(TypedDict):
    code: Literal["ignored_field"]
    path: str
    message: str


class FeedbackSubmitResponse(TypedDict):
    id: str
    created_at: str
    response: Union[Dict[str, Json], None]
    notes: Union[str, None]
    """Null, like response, if the execution must not be kept."""
    request_id: Union[str, None]
    agent_execution_id: Union[str, None]
    chat_id: Union[str, None]
    warnings: List[FeedbackSubmitResponseWarningsItem]
    """Fields of the request that this server does not know."""


class FeedbackSubmitRequest(TypedDict):
    request_id: NotRequired[Union[str, None]]
    """Your own id; the server does not check it."""
    agent_execution_id: NotRequired[Union[str, None]]
    """Id of an execution of this workspace."""
    chat_id: NotRequired[Union[str, None]]
    """Id of a chat completion."""
    response: NotRequired[Union[Dict[str, Json], None]]
    """The correct answer."""
    notes: NotRequired[Union[str, None]]


class FeedbackListResponseItemsItem(TypedDict):
    id: str
    created_at: str
    response: Union[Dict[str, Json], None]
    notes: Union[str, None]
    """Null, like response, if the execution must not be kept."""


class FeedbackListResponse(TypedDict):
    request_id: Union[str, None]
    agent_execution_id: Union[str, None]
    chat_id: Union[str, None]
    items: List[FeedbackListResponseItemsItem]


class ChatCompletionChoicesItemMessageToolCallsItem(TypedDict):
    id: str


class ChatCompletionChoicesItemMessage(TypedDict):
    role: Literal["assistant"]
    content: Union[str, None]
    refusal: Union[str, None]
    tool_calls: NotRequired[List[ChatCompletionChoicesItemMessageToolCallsItem]]


class ChatCompletionChoicesItem(TypedDict):
    index: int
    message: ChatCompletionChoicesItemMessage
    logprobs: None
    finish_reason: Literal["stop", "length", "tool_calls", "content_filter"]


class ChatCompletionUsagePromptTokensDetails(TypedDict):
    cached_tokens: int


class ChatCompletionUsageCompletionTokensDetails(TypedDict):
    reasoning_tokens: int


class ChatCompletionUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: ChatCompletionUsagePromptTokensDetails
    completion_tokens_details: ChatCompletionUsageCompletionTokensDetails
    credits_used: int
    cost_dollars: float


class ChatCompletion(TypedDict):
    id: str
    """`chatcmpl-` followed by the execution id."""
    object: Literal["chat.completion"]
    created: int
    model: str
    session_id: str
    service_tier: str
    choices: List[ChatCompletionChoicesItem]
    usage: ChatCompletionUsage


class ChatCompletionRequestToolsItemFunction(TypedDict):
    name: str
    description: NotRequired[Union[str, None]]
    parameters: NotRequired[Union[Dict[str, Json], None]]
    strict: NotRequired[Union[bool, None]]
    """Passed to providers that have it."""


class ChatCompletionRequestToolsItem(TypedDict):
    type: Literal["function"]
    function: ChatCompletionRequestToolsItemFunction


class ChatCompletionRequestToolChoiceFunction(TypedDict):
    name: str


class ChatCompletionRequestToolChoice(TypedDict):
    type: Literal["function"]
    function: ChatCompletionRequestToolChoiceFunction


class ChatCompletionRequestStreamOptions(TypedDict):
    include_usage: NotRequired[Union[bool, None]]
    """A stream always ends with its usage."""
    include_obfuscation: NotRequired[None]
    """Not supported: the stream has no obfuscation."""


class ChatCompletionRequest(TypedDict):
    model: NotRequired[Union[str, None]]
    messages: List[ChatMessage]
    stream: NotRequired[Union[bool, None]]
    max_tokens: NotRequired[Union[int, None]]
    max_completion_tokens: NotRequired[Union[int, None]]
    temperature: NotRequired[Union[float, None]]
    top_p: NotRequired[Union[float, None]]
    seed: NotRequired[Union[int, None]]
    presence_penalty: NotRequired[Union[float, None]]
    frequency_penalty: NotRequired[Union[float, None]]
    stop: NotRequired[Union[Union[str, List[str]], None]]
    reasoning_effort: NotRequired[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], None]]
    response_format: NotRequired[Union[ChatResponseFormat, None]]
    tools: NotRequired[Union[List[ChatCompletionRequestToolsItem], None]]
    tool_choice: NotRequired[Union[Union[Literal["none", "auto", "required"], ChatCompletionRequestToolChoice], None]]
    parallel_tool_calls: NotRequired[Union[bool, None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    metadata: NotRequired[Union[Dict[str, Json], None]]
    n: NotRequired[Union[Literal[1], None]]
    logprobs: NotRequired[Union[Literal[False], None]]
    logit_bias: NotRequired[Union[Dict[str, Json], None]]
    modalities: NotRequired[Union[List[Literal["text"]], None]]
    functions: NotRequired[Union[List[Json], None]]
    function_call: NotRequired[None]
    """Not supported: function_call is not supported; use tool_choice."""
    store: NotRequired[Union[bool, None]]
    """false: nothing is kept once the reply was read."""
    stream_options: NotRequired[Union[ChatCompletionRequestStreamOptions, None]]
    user: NotRequired[Union[str, None]]
    """A label, kept in the metadata of the execution."""
    safety_identifier: NotRequired[Union[str, None]]
    """A label, kept in the metadata of the execution."""
    prompt_cache_key: NotRequired[Union[str, None]]
    """A label, kept in the metadata; caching needs none."""
    audio: NotRequired[None]
    """Not supported: replies have no audio."""
    moderation: NotRequired[None]
    """Not supported: moderation is not supported."""
    prediction: NotRequired[None]
    """Not supported: prediction is not supported."""
    prompt_cache_options: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""
    prompt_cache_retention: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""
    top_logprobs: NotRequired[None]
    """Not supported: log probabilities are not supported."""
    verbosity: NotRequired[None]
    """Not supported: verbosity is not supported."""
    web_search_options: NotRequired[None]
    """Not supported: web_search_options is not supported; use toolsets."""
    session_id: NotRequired[Union[str, None]]
    """If absent, a new session is created."""
    skills: NotRequired[Union[List[SkillEntry], None]]
    toolsets: NotRequired[Union[List[str], None]]
    max_cost_dollars: NotRequired[Union[float, None]]
    max_steps: NotRequired[Union[int, None]]
    max_wrong_rate: NotRequired[Union[float, None]]
    timeout_seconds: NotRequired[Union[float, None]]


class ChatMessage2ContentItem(TypedDict):
    type: Literal["text"]
    text: str


class ChatMessage2(TypedDict):
    role: Literal["system", "developer"]
    content: NotRequired[Union[str, List[ChatMessage2ContentItem]]]


class ChatMessage3ContentItemInputAudio(TypedDict):
    data: str
    """base64."""
    format: str


class ChatMessage3ContentItem(TypedDict):
    type: Literal["input_audio"]
    input_audio: ChatMessage3ContentItemInputAudio


class ChatMessage3ContentItem2File(TypedDict):
    file_id: NotRequired[Union[str, None]]
    file_data: NotRequired[Union[str, None]]
    filename: NotRequired[Union[str, None]]


class ChatMessage3ContentItem2(TypedDict):
    type: Literal["file"]
    file: ChatMessage3ContentItem2File


class ChatMessage3(TypedDict):
    role: Literal["user"]
    content: NotRequired[Union[str, List[Union[MessageContent, Union[ChatMessage3ContentItem, ChatMessage3ContentItem2]]]]]


class ChatMessage4ContentItem(TypedDict):
    type: Literal["text"]
    text: str


class ChatMessage4ContentItem2(TypedDict):
    type: Literal["refusal"]
    refusal: str


class ChatMessage4ToolCallsItemFunction(TypedDict):
    name: str
    arguments: str


class ChatMessage4ToolCallsItem(TypedDict):
    id: str
    type: NotRequired[Union[Literal["function"], None]]
    function: ChatMessage4ToolCallsItemFunction


class ChatMessage4(TypedDict):
    role: Literal["assistant"]
    content: NotRequired[Union[Union[str, List[Union[ChatMessage4ContentItem, ChatMessage4ContentItem2]]], None]]
    refusal: NotRequired[Union[str, None]]
    audio: NotRequired[None]
    """Not supported: earlier replies with audio are not supported; send their text."""
    function_call: NotRequired[None]
    """Not supported: function_call is not supported; use tool_calls."""
    tool_calls: NotRequired[Union[List[ChatMessage4ToolCallsItem], None]]


class ChatMessage5ContentItem(TypedDict):
    type: Literal["text"]
    text: str


class ChatMessage5(TypedDict):
    role: Literal["tool"]
    content: NotRequired[Union[str, List[ChatMessage5ContentItem]]]
    tool_call_id: str

ChatMessage: TypeAlias = "Union[ChatMessage2, ChatMessage3, ChatMessage4, ChatMessage5]"


class ChatResponseFormat2(TypedDict):
    type: Literal["text"]


class ChatResponseFormat3(TypedDict):
    type: Literal["json_object"]


class ChatResponseFormat4JsonSchema(TypedDict):
    name: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    schema: NotRequired[Union[Dict[str, Json], None]]
    strict: NotRequired[Union[bool, None]]
    """Every answer is validated against the schema, whatever this says."""


class ChatResponseFormat4(TypedDict):
    type: Literal["json_schema"]
    json_schema: NotRequired[Union[ChatResponseFormat4JsonSchema, None]]
    name: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    schema: NotRequired[Union[Dict[str, Json], None]]
    strict: NotRequired[Union[bool, None]]
    """Every answer is validated against the schema, whatever this says."""

ChatResponseFormat: TypeAlias = "Union[ChatResponseFormat2, ChatResponseFormat3, ChatResponseFormat4]"


class OpenAIModel(TypedDict):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    engine: str
    """The engine: `embedded`, or `provider/model`."""


class ResponseOutputItem(TypedDict):
    type: str
    id: str


class ResponseError(TypedDict):
    code: str
    message: str


class ResponseIncompleteDetails(TypedDict):
    reason: str


class ResponseUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int


class Response(TypedDict):
    id: str
    """`resp_` followed by the execution id."""
    object: Literal["response"]
    created_at: int
    completed_at: Union[int, None]
    status: Literal["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]
    model: str
    output: List[ResponseOutputItem]
    error: Union[ResponseError, None]
    incomplete_details: Union[ResponseIncompleteDetails, None]
    usage: Union[ResponseUsage, None]
    execution_id: str
    session_id: str


class ResponsesRequestStreamOptions(TypedDict):
    include_obfuscation: NotRequired[None]
    """Not supported: the stream has no obfuscation."""


class ResponsesRequestTextFormat(TypedDict):
    type: Literal["text"]


class ResponsesRequestTextFormat2(TypedDict):
    type: Literal["json_object"]


class ResponsesRequestTextFormat3(TypedDict):
    type: Literal["json_schema"]
    name: str
    schema: Dict[str, Json]
    description: NotRequired[Union[str, None]]
    strict: NotRequired[Union[bool, None]]
    """Repeated in the reply; every answer is validated against the schema."""


class ResponsesRequestText(TypedDict):
    format: NotRequired[Union[Union[ResponsesRequestTextFormat, ResponsesRequestTextFormat2, ResponsesRequestTextFormat3], None]]
    verbosity: NotRequired[None]
    """Not supported: text.verbosity is not supported."""

ResponsesRequestToolsItem = TypedDict(
    "ResponsesRequestToolsItem",
    {
        "type": "Literal[\"function\"]",
        "name": "str",
        "description": "NotRequired[Union[str, None]]",
        "parameters": "NotRequired[Union[Dict[str, Json], None]]",
        "strict": "NotRequired[Union[bool, None]]",
        "async": "NotRequired[None]",
        "defer_loading": "NotRequired[None]",
        "allowed_callers": "NotRequired[None]",
        "output_schema": "NotRequired[None]",
    },
)


class ResponsesRequestToolsItem2EnvironmentSkillsItem(TypedDict):
    type: Literal["skill_reference"]
    skill_id: str
    version: NotRequired[Union[str, None]]


class ResponsesRequestToolsItem2EnvironmentSkillsItem2Source(TypedDict):
    type: Literal["base64"]
    media_type: Literal["application/zip"]
    data: str


class ResponsesRequestToolsItem2EnvironmentSkillsItem2(TypedDict):
    type: Literal["inline"]
    name: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    source: ResponsesRequestToolsItem2EnvironmentSkillsItem2Source


class ResponsesRequestToolsItem2Environment(TypedDict):
    type: Literal["container_auto"]
    skills: List[Union[ResponsesRequestToolsItem2EnvironmentSkillsItem, ResponsesRequestToolsItem2EnvironmentSkillsItem2]]
    file_ids: NotRequired[None]
    """Not supported: environment.file_ids is not supported; give files as input_file."""
    memory_limit: NotRequired[None]
    """Not supported: environment.memory_limit is not supported."""
    network_policy: NotRequired[None]
    """Not supported: environment.network_policy is not supported: scripts have no network."""


class ResponsesRequestToolsItem2(TypedDict):
    type: Literal["shell"]
    allowed_callers: NotRequired[None]
    """Not supported: allowed_callers is not supported."""
    environment: ResponsesRequestToolsItem2Environment


class ResponsesRequestToolChoice(TypedDict):
    type: Literal["function"]
    name: str


class ResponsesRequestReasoning(TypedDict):
    effort: NotRequired[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], None]]
    summary: NotRequired[None]
    """Not supported: reasoning.summary is not supported: replies have no reasoning items."""
    generate_summary: NotRequired[None]
    """Not supported: reasoning.generate_summary is not supported: replies have no reasoning items."""


class ResponsesRequest(TypedDict):
    model: NotRequired[Union[str, None]]
    input: NotRequired[Union[str, List[ResponsesInputItem]]]
    instructions: NotRequired[Union[str, None]]
    previous_response_id: NotRequired[Union[str, None]]
    background: NotRequired[Union[bool, None]]
    store: NotRequired[Union[bool, None]]
    """false: the response is deleted once it was read."""
    stream: NotRequired[Union[bool, None]]
    stream_options: NotRequired[Union[ResponsesRequestStreamOptions, None]]
    text: NotRequired[Union[ResponsesRequestText, None]]
    tools: NotRequired[Union[List[Union[ResponsesRequestToolsItem, ResponsesRequestToolsItem2]], None]]
    tool_choice: NotRequired[Union[Union[Literal["none", "auto", "required"], ResponsesRequestToolChoice], None]]
    parallel_tool_calls: NotRequired[Union[bool, None]]
    max_output_tokens: NotRequired[Union[int, None]]
    temperature: NotRequired[Union[float, None]]
    top_p: NotRequired[Union[float, None]]
    reasoning: NotRequired[Union[ResponsesRequestReasoning, None]]
    include: NotRequired[Union[List[Literal["message.input_image.image_url"]], None]]
    metadata: NotRequired[Union[Dict[str, str], None]]
    service_tier: NotRequired[Union[Literal["auto", "default", "standard", "flex", "priority"], None]]
    truncation: NotRequired[Union[Literal["disabled"], None]]
    user: NotRequired[Union[str, None]]
    """A label, repeated in the reply."""
    safety_identifier: NotRequired[Union[str, None]]
    """A label, repeated in the reply."""
    prompt_cache_key: NotRequired[Union[str, None]]
    """A label, repeated in the reply; caching needs none."""
    top_logprobs: NotRequired[None]
    """Not supported: log probabilities are not supported."""
    max_tool_calls: NotRequired[None]
    """Not supported: use max_steps."""
    conversation: NotRequired[None]
    """Not supported: conversations are not supported; use previous_response_id."""
    prompt: NotRequired[None]
    """Not supported: prompt templates are not supported; use a skill."""
    context_management: NotRequired[None]
    """Not supported: context_management is not supported."""
    moderation: NotRequired[None]
    """Not supported: moderation is not supported."""
    access_programs: NotRequired[None]
    """Not supported: access_programs is not supported."""
    image: NotRequired[None]
    """Not supported: image is not supported."""
    prompt_cache_options: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""
    prompt_cache_retention: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""
    skills: NotRequired[Union[List[SkillEntry], None]]
    toolsets: NotRequired[Union[List[str], None]]
    max_cost_dollars: NotRequired[Union[float, None]]
    max_steps: NotRequired[Union[int, None]]
    max_wrong_rate: NotRequired[Union[float, None]]
    timeout_seconds: NotRequired[Union[float, None]]


class ResponsesInputItem2(TypedDict):
    type: Literal["message"]
    id: NotRequired[Union[str, None]]
    status: NotRequired[Union[str, None]]
    phase: NotRequired[Union[str, None]]
    role: Literal["system", "developer"]
    content: NotRequired[Union[str, List[ResponsesInputText]]]


class ResponsesInputItem3(TypedDict):
    type: Literal["message"]
    id: NotRequired[Union[str, None]]
    status: NotRequired[Union[str, None]]
    phase: NotRequired[Union[str, None]]
    role: Literal["user"]
    content: NotRequired[Union[str, List[Union[ResponsesInputText, ResponsesInputImage, ResponsesInputFile]]]]


class ResponsesInputItem4ContentItem(TypedDict):
    type: Literal["output_text"]
    text: str
    annotations: NotRequired[Union[List[Json], None]]
    """In a reply that is sent back."""
    logprobs: NotRequired[Union[List[Json], None]]
    """In a reply that is sent back."""


class ResponsesInputItem4ContentItem2(TypedDict):
    type: Literal["refusal"]
    refusal: str


class ResponsesInputItem4(TypedDict):
    type: Literal["message"]
    id: NotRequired[Union[str, None]]
    status: NotRequired[Union[str, None]]
    phase: NotRequired[Union[str, None]]
    role: Literal["assistant"]
    content: NotRequired[Union[str, List[Union[ResponsesInputItem4ContentItem, ResponsesInputItem4ContentItem2, ResponsesInputText]]]]

ResponsesInputItem5 = TypedDict(
    "ResponsesInputItem5",
    {
        "async": "NotRequired[None]",
        "caller": "NotRequired[None]",
        "namespace": "NotRequired[None]",
        "type": "Literal[\"function_call\"]",
        "id": "NotRequired[Union[str, None]]",
        "call_id": "str",
        "name": "str",
        "arguments": "str",
        "status": "NotRequired[Union[str, None]]",
    },
)


class ResponsesInputItem6(TypedDict):
    type: Literal["function_call_output"]
    id: NotRequired[Union[str, None]]
    call_id: str
    output: NotRequired[Union[str, List[Union[ResponsesInputText, ResponsesInputImage, ResponsesInputFile]]]]
    status: NotRequired[Union[str, None]]


class ResponsesInputItem7(TypedDict):
    type: Literal["item_reference"]
    id: str

ResponsesInputItem: TypeAlias = "Union[Union[ResponsesInputItem2, ResponsesInputItem3, ResponsesInputItem4], ResponsesInputItem5, ResponsesInputItem6, ResponsesInputItem7]"


class ResponsesInputText(TypedDict):
    type: Literal["input_text"]
    text: str
    prompt_cache_breakpoint: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""


class ResponsesInputImage(TypedDict):
    prompt_cache_breakpoint: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""
    type: Literal["input_image"]
    image_url: NotRequired[Union[str, None]]
    """An http or https URL, or a data URL."""
    file_id: NotRequired[Union[str, None]]
    detail: NotRequired[Union[Literal["auto", "low", "high"], None]]


class ResponsesInputFile(TypedDict):
    prompt_cache_breakpoint: NotRequired[None]
    """Not supported: the provider of the model decides what is cached."""
    type: Literal["input_file"]
    file_id: NotRequired[Union[str, None]]
    file_url: NotRequired[Union[str, None]]
    file_data: NotRequired[Union[str, None]]
    filename: NotRequired[Union[str, None]]
    """A label; the type of the file is read from its content."""
    detail: NotRequired[None]
    """Not supported: detail of a file is not supported."""


class AnthropicMessageContentItem(TypedDict):
    type: str


class AnthropicMessageUsage(TypedDict):
    input_tokens: int
    output_tokens: int


class AnthropicMessage(TypedDict):
    id: str
    """`msg_` followed by the execution id."""
    type: Literal["message"]
    role: Literal["assistant"]
    model: str
    content: List[AnthropicMessageContentItem]
    stop_reason: Union[Literal["end_turn", "max_tokens", "tool_use", "refusal"], None]
    stop_sequence: None
    usage: AnthropicMessageUsage
    container: None


class AnthropicMessagesRequestToolChoice(TypedDict):
    type: Literal["auto"]
    disable_parallel_tool_use: NotRequired[Union[bool, None]]


class AnthropicMessagesRequestToolChoice2(TypedDict):
    type: Literal["any"]
    disable_parallel_tool_use: NotRequired[Union[bool, None]]


class AnthropicMessagesRequestToolChoice3(TypedDict):
    type: Literal["tool"]
    name: str
    disable_parallel_tool_use: NotRequired[Union[bool, None]]


class AnthropicMessagesRequestToolChoice4(TypedDict):
    type: Literal["none"]


class AnthropicMessagesRequestMetadata(TypedDict):
    user_id: NotRequired[Union[str, None]]


class AnthropicMessagesRequestOutputConfigFormat(TypedDict):
    type: Literal["json_schema"]
    schema: Dict[str, Json]


class AnthropicMessagesRequestOutputConfig(TypedDict):
    effort: NotRequired[Union[Literal["low", "medium", "high", "xhigh"], None]]
    format: NotRequired[Union[AnthropicMessagesRequestOutputConfigFormat, None]]


class AnthropicMessagesRequestThinking(TypedDict):
    type: Literal["disabled"]


class AnthropicMessagesRequestContainerSkillsItem(TypedDict):
    type: Literal["custom", "anthropic"]
    skill_id: str
    version: NotRequired[Union[str, None]]


class AnthropicMessagesRequestContainer(TypedDict):
    id: NotRequired[None]
    """Not supported: containers are not kept; leave container.id out."""
    skills: NotRequired[Union[List[AnthropicMessagesRequestContainerSkillsItem], None]]


class AnthropicMessagesRequest(TypedDict):
    model: str
    max_tokens: int
    messages: List[AnthropicMessageParam]
    system: NotRequired[Union[Union[str, List[AnthropicTextBlock]], None]]
    stream: NotRequired[Union[bool, None]]
    stop_sequences: NotRequired[Union[List[str], None]]
    temperature: NotRequired[Union[float, None]]
    top_p: NotRequired[Union[float, None]]
    tools: NotRequired[Union[List[Union[AnthropicCustomTool, AnthropicCodeExecution]], None]]
    tool_choice: NotRequired[Union[Union[AnthropicMessagesRequestToolChoice, AnthropicMessagesRequestToolChoice2, AnthropicMessagesRequestToolChoice3, AnthropicMessagesRequestToolChoice4], None]]
    metadata: NotRequired[Union[AnthropicMessagesRequestMetadata, None]]
    output_config: NotRequired[Union[AnthropicMessagesRequestOutputConfig, None]]
    thinking: NotRequired[Union[AnthropicMessagesRequestThinking, None]]
    container: NotRequired[Union[AnthropicMessagesRequestContainer, None]]
    service_tier: NotRequired[Union[Literal["auto", "standard_only"], None]]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""
    top_k: NotRequired[None]
    """Not supported: top_k is not supported."""
    speed: NotRequired[None]
    """Not supported: speed is not supported; use service_tier."""
    inference_geo: NotRequired[None]
    """Not supported: inference_geo is not supported."""
    diagnostics: NotRequired[None]
    """Not supported: diagnostics is not supported."""
    user_profile_id: NotRequired[None]
    """Not supported: user_profile_id is not supported."""
    workspace_id: NotRequired[None]
    """Not supported: the key decides the workspace."""
    mcp_servers: NotRequired[None]
    """Not supported: mcp_servers is not supported; the operator configures tool servers."""
    context_management: NotRequired[None]
    """Not supported: context_management is not supported."""
    toolsets: NotRequired[Union[List[str], None]]
    max_cost_dollars: NotRequired[Union[float, None]]
    max_steps: NotRequired[Union[int, None]]
    max_wrong_rate: NotRequired[Union[float, None]]
    timeout_seconds: NotRequired[Union[float, None]]


class AnthropicMessageParam2ContentItem(TypedDict):
    toolset_name: NotRequired[None]
    """Not supported: toolset_name is not supported."""
    type: Literal["tool_result"]
    tool_use_id: str
    content: NotRequired[Union[Union[str, List[Union[AnthropicTextBlock, AnthropicImageBlock, AnthropicDocumentBlock]]], None]]
    is_error: NotRequired[Union[bool, None]]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicMessageParam2(TypedDict):
    role: Literal["user"]
    content: NotRequired[Union[str, List[Union[AnthropicTextBlock, AnthropicImageBlock, AnthropicDocumentBlock, AnthropicMessageParam2ContentItem]]]]


class AnthropicMessageParam3ContentItemCaller(TypedDict):
    type: Literal["direct"]


class AnthropicMessageParam3ContentItem(TypedDict):
    toolset_name: NotRequired[None]
    """Not supported: toolset_name is not supported."""
    caller: NotRequired[Union[AnthropicMessageParam3ContentItemCaller, None]]
    type: Literal["tool_use"]
    id: str
    name: str
    input: Dict[str, Json]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicMessageParam3(TypedDict):
    role: Literal["assistant"]
    content: NotRequired[Union[str, List[Union[AnthropicTextBlock, AnthropicMessageParam3ContentItem]]]]

AnthropicMessageParam: TypeAlias = "Union[AnthropicMessageParam2, AnthropicMessageParam3]"


class AnthropicTextBlock(TypedDict):
    type: Literal["text"]
    text: str
    citations: NotRequired[Union[List[Json], None]]
    """In a reply that is sent back."""
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicImageBlockSource(TypedDict):
    type: Literal["base64"]
    media_type: Literal["image/jpeg", "image/png", "image/gif", "image/webp"]
    data: str


class AnthropicImageBlockSource2(TypedDict):
    type: Literal["url"]
    url: str


class AnthropicImageBlockSource3(TypedDict):
    type: Literal["file"]
    file_id: str


class AnthropicImageBlock(TypedDict):
    transformations: NotRequired[None]
    """Not supported: transformations are not supported."""
    type: Literal["image"]
    source: Union[AnthropicImageBlockSource, AnthropicImageBlockSource2, AnthropicImageBlockSource3]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicDocumentBlockSource(TypedDict):
    type: Literal["base64"]
    media_type: Literal["application/pdf"]
    data: str


class AnthropicDocumentBlockSource2(TypedDict):
    type: Literal["text"]
    media_type: Literal["text/plain"]
    data: str


class AnthropicDocumentBlockSource3(TypedDict):
    type: Literal["content"]
    content: NotRequired[Union[str, List[AnthropicTextBlock]]]


class AnthropicDocumentBlockSource4(TypedDict):
    type: Literal["url"]
    url: str


class AnthropicDocumentBlockSource5(TypedDict):
    type: Literal["file"]
    file_id: str


class AnthropicDocumentBlockCitations(TypedDict):
    enabled: NotRequired[Union[bool, None]]


class AnthropicDocumentBlock(TypedDict):
    type: Literal["document"]
    source: Union[AnthropicDocumentBlockSource, AnthropicDocumentBlockSource2, AnthropicDocumentBlockSource3, AnthropicDocumentBlockSource4, AnthropicDocumentBlockSource5]
    title: NotRequired[Union[str, None]]
    context: NotRequired[Union[str, None]]
    citations: NotRequired[Union[AnthropicDocumentBlockCitations, None]]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicCustomTool(TypedDict):
    type: NotRequired[Union[Literal["custom"], None]]
    name: str
    description: NotRequired[Union[str, None]]
    input_schema: Dict[str, Json]
    strict: NotRequired[Union[bool, None]]
    """Passed to providers that have it."""
    defer_loading: NotRequired[None]
    """Not supported: defer_loading is not supported."""
    allowed_callers: NotRequired[None]
    """Not supported: allowed_callers is not supported."""
    input_examples: NotRequired[None]
    """Not supported: input_examples are not supported; describe them in description."""
    eager_input_streaming: NotRequired[Union[bool, None]]
    """A hint; the arguments of a call arrive in one piece."""
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicCodeExecution(TypedDict):
    type: str
    name: Literal["code_execution"]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""


class AnthropicCountTokensRequestToolChoice(TypedDict):
    type: Literal["auto"]
    disable_parallel_tool_use: NotRequired[Union[bool, None]]


class AnthropicCountTokensRequestToolChoice2(TypedDict):
    type: Literal["any"]
    disable_parallel_tool_use: NotRequired[Union[bool, None]]


class AnthropicCountTokensRequestToolChoice3(TypedDict):
    type: Literal["tool"]
    name: str
    disable_parallel_tool_use: NotRequired[Union[bool, None]]


class AnthropicCountTokensRequestToolChoice4(TypedDict):
    type: Literal["none"]


class AnthropicCountTokensRequestOutputConfigFormat(TypedDict):
    type: Literal["json_schema"]
    schema: Dict[str, Json]


class AnthropicCountTokensRequestOutputConfig(TypedDict):
    effort: NotRequired[Union[Literal["low", "medium", "high", "xhigh"], None]]
    format: NotRequired[Union[AnthropicCountTokensRequestOutputConfigFormat, None]]


class AnthropicCountTokensRequestThinking(TypedDict):
    type: Literal["disabled"]


class AnthropicCountTokensRequest(TypedDict):
    model: str
    messages: List[AnthropicMessageParam]
    system: NotRequired[Union[Union[str, List[AnthropicTextBlock]], None]]
    tools: NotRequired[Union[List[Union[AnthropicCustomTool, AnthropicCodeExecution]], None]]
    tool_choice: NotRequired[Union[Union[AnthropicCountTokensRequestToolChoice, AnthropicCountTokensRequestToolChoice2, AnthropicCountTokensRequestToolChoice3, AnthropicCountTokensRequestToolChoice4], None]]
    output_config: NotRequired[Union[AnthropicCountTokensRequestOutputConfig, None]]
    thinking: NotRequired[Union[AnthropicCountTokensRequestThinking, None]]
    cache_control: NotRequired[Union[Dict[str, Json], None]]
    """A hint; the provider of the model decides what is cached."""
    top_k: NotRequired[None]
    """Not supported: top_k is not supported."""
    speed: NotRequired[None]
    """Not supported: speed is not supported; use service_tier."""
    inference_geo: NotRequired[None]
    """Not supported: inference_geo is not supported."""
    diagnostics: NotRequired[None]
    """Not supported: diagnostics is not supported."""
    user_profile_id: NotRequired[None]
    """Not supported: user_profile_id is not supported."""
    workspace_id: NotRequired[None]
    """Not supported: the key decides the workspace."""
    mcp_servers: NotRequired[None]
    """Not supported: mcp_servers is not supported; the operator configures tool servers."""
    context_management: NotRequired[None]
    """Not supported: context_management is not supported."""


class PresignedUpload(TypedDict):
    id: str
    url: str
    filename: str
    content_type: str
    upload_method: Literal["PUT"]
    public_url: str
    created_at: str
    expiration: int
    """Lifetime of the URL in seconds."""


class PresignRequest(TypedDict):
    filename: str
    purpose: NotRequired[Union[Literal["assistants", "batch", "fine-tune", "vision", "datasets", "user_data", "evals"], None]]
    expiration: NotRequired[Union[int, None]]


class File(TypedDict):
    id: str
    filename: str
    bytes: int
    purpose: Literal["assistants", "batch", "fine-tune", "vision", "datasets", "user_data", "evals"]
    created_at: str
    object: Literal["file"]
    public_url: Union[str, None]
    """Signed URL that works without a key until it expires."""
    sha256: str
    """Hash of the content, in hexadecimal."""
    content_type: str


class OpenAIFile(TypedDict):
    id: str
    object: Literal["file"]
    bytes: int
    created_at: int
    filename: str
    purpose: Literal["assistants", "batch", "fine-tune", "vision", "datasets", "user_data", "evals"]
    status: Literal["processed"]


class OpenAITranscriptionUsage(TypedDict):
    type: Literal["duration"]
    seconds: float


class OpenAITranscription(TypedDict):
    text: str
    usage: OpenAITranscriptionUsage
    execution_id: str


class OpenAIEmbeddingsDataItem(TypedDict):
    object: Literal["embedding"]
    index: int
    embedding: Union[List[float], str]
    """With `encoding_format: base64`, the base64 of float32 numbers, lowest byte first."""


class OpenAIEmbeddingsUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


class OpenAIEmbeddings(TypedDict):
    object: Literal["list"]
    data: List[OpenAIEmbeddingsDataItem]
    model: str
    usage: OpenAIEmbeddingsUsage
    execution_id: str


class OpenAIEmbeddingsRequest(TypedDict):
    model: str
    input: NotRequired[Union[str, List[str]]]
    dimensions: NotRequired[Union[int, None]]
    encoding_format: NotRequired[Union[Literal["float", "base64"], None]]
    user: NotRequired[Union[str, None]]
    """A label, kept in the metadata of the execution."""
    max_cost_dollars: NotRequired[Union[float, None]]
    timeout_seconds: NotRequired[Union[float, None]]


class AnthropicFile(TypedDict):
    id: str
    type: Literal["file"]
    filename: str
    mime_type: str
    size_bytes: int
    created_at: str
    downloadable: Literal[True]
    expires_at: None
    scope: None


class SkillError(TypedDict):
    code: str
    message: str


class SkillFilesItem(TypedDict):
    path: str
    bytes: int
    sha256: str


class SkillRequireApproval(TypedDict):
    completion: bool
    tools: List[str]
    timeout_seconds: Union[float, None]
    on_timeout: Union[Literal["approve", "reject"], None]
    approvers: NotRequired[Union[List[Literal["viewer", "reviewer", "editor", "admin"]], None]]


class SkillReviewItem(TypedDict):
    kind: Literal["hidden_unicode", "undeclared_script", "network", "secret", "front_matter"]
    path: str
    line: Union[int, None]
    message: str


class SkillProof(TypedDict):
    original_id: str
    execution_id: Union[str, None]
    agreement: Union[float, None]
    """Share of fields that are equal in both answers, 0 to 1."""
    disagreements: List[str]


class SkillWarningsItem(TypedDict):
    code: str
    path: str
    message: str


class Skill(TypedDict):
    id: str
    name: str
    description: str
    skill_version: str
    skill_uri: Union[str, None]
    is_public: bool
    created_at: str
    updated_at: str
    status: NotRequired[Literal["pending", "running", "completed", "failed"]]
    error: NotRequired[Union[SkillError, None]]
    number: NotRequired[Union[int, None]]
    """Counts 1, 2, 3 … per skill name; null until the version is completed."""
    is_latest: NotRequired[bool]
    is_held: NotRequired[bool]
    """The version waits for an evaluation that passes its publish_gate."""
    bundle_sha256: NotRequired[str]
    """Hash of the content: SHA-256 over one line `<sha256> <path>` per file, sorted."""
    bytes: NotRequired[int]
    """Of the zip."""
    files: NotRequired[List[SkillFilesItem]]
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    model: NotRequired[Union[str, None]]
    toolsets: NotRequired[Union[List[str], None]]
    allowed_tools: NotRequired[Union[List[str], None]]
    hosts: NotRequired[List[str]]
    publish_gate: NotRequired[Json]
    require_approval: NotRequired[Union[SkillRequireApproval, None]]
    """What a person must approve in every execution with this skill."""
    review: NotRequired[List[SkillReviewItem]]
    """What to review before you trust the bundle."""
    session_id: NotRequired[Union[str, None]]
    proof: NotRequired[Union[SkillProof, None]]
    """For a skill created from a session: how its test run agreed with the session."""
    warnings: NotRequired[List[SkillWarningsItem]]
    """proof_differs: the test run gave a valid answer that differs from the session. Often empty."""


class SkillCreateRequest(TypedDict):
    name: NotRequired[Union[str, None]]
    """Required with file_id; otherwise the server creates one. If a skill has this name, it gets a new version."""
    description: NotRequired[Union[str, None]]
    """Required with file_id; otherwise the server creates one."""
    file_id: NotRequired[Union[str, None]]
    """Id of an uploaded zip with SKILL.md at its root or in its only top-level folder."""
    prompt: NotRequired[Union[str, None]]
    """Becomes the instructions."""
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    """Only with prompt; becomes schema.json."""
    session_id: NotRequired[Union[str, None]]
    """Session that the skill is created from."""
    is_public: NotRequired[Union[bool, None]]


class ListedSkill(TypedDict):
    id: str
    name: str
    description: str
    skill_version: str
    skill_uri: Union[str, None]
    is_public: bool
    created_at: str
    updated_at: str


class SkillLookupRequest(TypedDict):
    id: NotRequired[Union[str, None]]
    name: NotRequired[Union[str, None]]
    """A name, or name:version."""
    skill_version: NotRequired[Union[Union[int, str], None]]
    version: NotRequired[Union[Union[int, str], None]]
    """Use skill_version."""


class SkillUpdateRequest(TypedDict):
    file_id: NotRequired[Union[str, None]]
    """Id of a zip that replaces the whole bundle; not together with prompt or json_schema."""
    description: NotRequired[Union[str, None]]
    prompt: NotRequired[Union[str, None]]
    json_schema: NotRequired[Union[Dict[str, Json], None]]
    is_public: NotRequired[Union[bool, None]]


class SkillDownload(TypedDict):
    id: str
    name: str
    skill_version: str
    download_url: str
    """Signed URL that works without a key."""
    expires_in: int
    """Seconds."""


class OpenAISkill(TypedDict):
    id: str
    """The same for all versions."""
    object: Literal["skill"]
    name: str
    description: str
    created_at: int
    default_version: str
    latest_version: str


class OpenAISkillVersion(TypedDict):
    id: str
    object: Literal["skill.version"]
    skill_id: str
    version: str
    name: str
    description: str
    created_at: int


class AnthropicSkillSource(TypedDict):
    type: Literal["custom"]


class AnthropicSkill(TypedDict):
    id: str
    """The same for all versions."""
    type: Literal["skill"]
    display_name: str
    latest_version_id: str
    source: Union[Literal["custom"], AnthropicSkillSource]
    created_at: str
    updated_at: str


class AnthropicSkillVersion(TypedDict):
    id: str
    type: Literal["skill_version"]
    skill_id: str
    name: str
    description: str
    created_at: str


class MadeKey(TypedDict):
    id: str
    workspace: str
    name: str
    scopes: List[Literal["execute", "read", "skills:write", "files:write", "review", "approve", "admin"]]
    hint: str
    """Last four characters of the key."""
    expires_at: Union[str, None]
    created_at: str
    budget_dollars_per_day: Union[float, None]
    """Maximum cost of its executions per UTC day, in dollars."""
    key: str
    """Only shown once."""


class KeyRequest(TypedDict):
    workspace: NotRequired[Union[str, None]]
    name: NotRequired[Union[str, None]]
    scopes: NotRequired[Union[List[Literal["execute", "read", "skills:write", "files:write", "review", "approve", "admin"]], None]]
    """If absent: execute, read, skills:write, files:write, review (everything except approve and admin). A key for a new workspace always has admin."""
    expires_at: NotRequired[Union[str, None]]
    """A time with UTC offset, or a date (midnight UTC)."""
    budget_dollars_per_day: NotRequired[Union[float, None]]


class Key(TypedDict):
    id: str
    workspace: str
    name: str
    scopes: List[Literal["execute", "read", "skills:write", "files:write", "review", "approve", "admin"]]
    hint: str
    """Last four characters of the key."""
    expires_at: Union[str, None]
    created_at: str
    budget_dollars_per_day: Union[float, None]
    """Maximum cost of its executions per UTC day, in dollars."""
    revoked_at: Union[str, None]


class SignInStateProvider(TypedDict):
    name: str
    sign_in_url: str
    """Where a browser goes to sign in; `?return_to=` names a path of the console."""
    sign_out_url: str
    """Where a browser ends its session at the provider."""


class SignInState(TypedDict):
    password: bool
    """Whether there are users who sign in by password."""
    provider: Union[SignInStateProvider, None]
    """The identity provider by which people sign in."""
    user: Union[Me, None]
    """Who is signed in in this browser."""
    csrf_token: Union[str, None]
    """Every request with the session cookie needs it in the header X-CSRF-Token."""


class MeWorkspace(TypedDict):
    id: str
    name: str


class MeWorkspacesItem(TypedDict):
    id: str
    name: str
    role: Literal["viewer", "reviewer", "editor", "admin"]


class Me(TypedDict):
    kind: Literal["key", "user"]
    id: str
    """Of the key, or of the user in this workspace."""
    name: str
    email: Union[str, None]
    role: Union[Literal["viewer", "reviewer", "editor", "admin"], None]
    """null for keys."""
    scopes: List[Literal["execute", "read", "skills:write", "files:write", "review", "approve", "admin"]]
    has_password: bool
    """Whether the user can sign in by password."""
    must_change_password: bool
    """Until the password is changed, there are no scopes."""
    workspace: MeWorkspace
    workspaces: List[MeWorkspacesItem]
    """The workspaces of the user. A request selects one by its id in the header X-Skillrun-Workspace."""


class SignInRequest(TypedDict):
    email: str
    password: str


class SignOutRequest2(TypedDict):
    everywhere: NotRequired[Union[bool, None]]
    """End all sessions of this user."""

SignOutRequest: TypeAlias = "Union[SignOutRequest2, None]"


class PasswordChange(TypedDict):
    current_password: str
    new_password: str


class User(TypedDict):
    id: str
    """Of this person in this workspace; reviews, claims and the audit log name it."""
    email: str
    name: str
    role: Literal["viewer", "reviewer", "editor", "admin"]
    """viewer: read; reviewer: also review; editor: also execute and change; admin: all."""
    workspace: str
    disabled: bool
    """Cannot sign in, in any workspace."""
    has_password: bool
    has_provider: bool
    """Signs in by an identity provider."""
    must_change_password: bool
    created_at: str
    signed_in_at: Union[str, None]
    """Last sign-in."""


class UserWithPassword(TypedDict):
    id: str
    """Of this person in this workspace; reviews, claims and the audit log name it."""
    email: str
    name: str
    role: Literal["viewer", "reviewer", "editor", "admin"]
    """viewer: read; reviewer: also review; editor: also execute and change; admin: all."""
    workspace: str
    disabled: bool
    """Cannot sign in, in any workspace."""
    has_password: bool
    has_provider: bool
    """Signs in by an identity provider."""
    must_change_password: bool
    created_at: str
    signed_in_at: Union[str, None]
    """Last sign-in."""
    password: Union[str, None]
    """The generated password, only shown once."""


class UserRequest(TypedDict):
    email: str
    name: NotRequired[Union[str, None]]
    """If absent: the email address."""
    role: Literal["viewer", "reviewer", "editor", "admin"]
    """viewer: read; reviewer: also review; editor: also execute and change; admin: all."""
    workspace: NotRequired[Union[str, None]]
    password: NotRequired[Union[str, None]]
    """If absent, one is generated. null: the user has none. Either way an account that exists keeps its own."""


class UserChange(TypedDict):
    role: NotRequired[Union[Literal["viewer", "reviewer", "editor", "admin"], None]]
    name: NotRequired[Union[str, None]]
    disabled: NotRequired[Union[bool, None]]


class PasswordReset2(TypedDict):
    password: NotRequired[Union[str, None]]
    """If absent, one is generated."""

PasswordReset: TypeAlias = "Union[PasswordReset2, None]"


class UsageTotal(TypedDict):
    executions: int
    cost_dollars: float
    standard_cost_dollars: float
    savings_dollars: float
    credits_used: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    steps: int
    latency_p50_ms: Union[int, None]
    """Median time from creation to completion, of completed executions."""
    latency_p95_ms: Union[int, None]


class UsageGroupsItem(TypedDict):
    key: str
    """Multiple dimensions are separated by commas."""
    executions: int
    cost_dollars: float
    standard_cost_dollars: float
    savings_dollars: float
    credits_used: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    steps: int
    latency_p50_ms: Union[int, None]
    """Median time from creation to completion, of completed executions."""
    latency_p95_ms: Union[int, None]

Usage = TypedDict(
    "Usage",
    {
        "from": "str",
        "to": "str",
        "total": "UsageTotal",
        "groups": "List[UsageGroupsItem]",
    },
)


class AuditEntry(TypedDict):
    id: str
    action: Literal["key.create", "key.revoke", "workspace.create", "user.create", "user.update", "user.remove", "user.reset_password", "user.change_password", "user.sign_in", "user.sign_in_failed", "user.sign_out", "file.create", "file.delete", "skill.create", "skill.update", "skill.delete", "skill.improve", "case.create", "case.delete", "program.create", "program.delete", "callback_secret.change", "capsule_key.rotate", "batch.create", "batch.pause", "batch.resume", "batch.cancel", "batch.retry", "approval.decide", "review.save", "review.assign", "review.settings"]
    subject_id: str
    """Id of the key, user, file, skill version, workspace or batch that was changed."""
    user_id: Union[str, None]
    """Signed-in user who did it; null for keys."""
    user_name: Union[str, None]
    key_id: Union[str, None]
    """Key that was used; null for signed-in users, actions of the server, and signed URLs."""
    key_name: Union[str, None]
    key_hint: Union[str, None]
    """Last four characters of that key."""
    detail: Dict[str, Json]
    created_at: str


class Health(TypedDict):
    status: Literal["ok"]


class Model(TypedDict):
    model: str
    domain: str
    engine: str


class Domain(TypedDict):
    domain: str
    name: str
    description: str


class QueuesTiersItem(TypedDict):
    tier: Literal["priority", "standard", "flex"]
    slots: int
    """Executions of this tier that all workers together can run at the same time."""
    pending: int
    """Executions of this workspace that wait for their inputs."""
    waiting: int
    """Executions of this workspace that wait for a slot."""
    running: int
    paused: int
    stalled: int
    """Running in a process that is gone; another worker takes them over."""
    retried: int
    """Open executions that lost a worker before."""
    oldest_waiting_at: Union[str, None]
    jobs_waiting: Union[int, None]
    """Waiting jobs of all workspaces; null outside the first workspace."""


class QueuesWorkersItem(TypedDict):
    id: str
    host: str
    pid: int
    started_at: str
    slots: Union[Dict[str, int], None]
    """Executions that this process can run at the same time; null: it runs none."""


class Queues(TypedDict):
    tiers: List[QueuesTiersItem]
    workers: Union[List[QueuesWorkersItem], None]
    """Processes that share the database; null outside the first workspace."""


class SettingsTiersItem(TypedDict):
    tier: Literal["priority", "standard", "flex"]
    price_factor: float


class SettingsModelsItemPrice(TypedDict):
    input: float
    """Dollars per million tokens, in the standard tier."""
    cached_input: float
    """Dollars per million tokens, in the standard tier."""
    output: float
    """Dollars per million tokens, in the standard tier."""


class SettingsModelsItem(TypedDict):
    model: str
    engine: str
    """The engine."""
    price: Union[SettingsModelsItemPrice, None]
    """null: no price per token, as with the embedded engine, or it depends on the request."""
    context_tokens: Union[int, None]


class Settings(TypedDict):
    limits: Dict[str, Union[float, None]]
    """By their names in the configuration; null: none."""
    tiers: List[SettingsTiersItem]
    models: List[SettingsModelsItem]


class Tool(TypedDict):
    name: str
    toolset: str
    description: str
    input_schema: Dict[str, Json]
    dollars_per_call: float
    is_available: bool
    """Whether this machine has what the tool needs."""

AddSkillCasesReply: TypeAlias = "List[SkillCase]"

ChangeReviewSettingReply: TypeAlias = "List[ReviewSetting]"

HasHubDomainReply: TypeAlias = "bool"

ListAgentsReply: TypeAlias = "List[AgentInfo]"


class ListApproversReplyItem(TypedDict):
    kind: Literal["key", "user"]
    id: str
    name: str

ListApproversReply: TypeAlias = "List[ListApproversReplyItem]"

ListAuditReply: TypeAlias = "List[AuditEntry]"

ListBatchCallbacksReply: TypeAlias = "List[Callback]"

ListBatchItemsReply: TypeAlias = "List[BatchItem]"

ListBatchesReply: TypeAlias = "List[Batch]"

ListCallbacksReply: TypeAlias = "List[Callback]"

ListDomainsReply: TypeAlias = "List[Domain]"

ListExecutionEventsReply: TypeAlias = "List[ExecutionEvent]"

ListExecutionReviewsReply: TypeAlias = "List[SavedReview]"

ListExecutionStepsReply: TypeAlias = "List[Step]"

ListExecutionsReply: TypeAlias = "List[ListedExecution]"

ListFilesReply: TypeAlias = "List[File]"

ListHubDomainsReply: TypeAlias = "List[HubDomain]"

ListKeysReply: TypeAlias = "List[Key]"

ListModelsReply: TypeAlias = "List[Model]"

ListPredictionsReply: TypeAlias = "List[PredictionResponse]"

ListProgramsReply: TypeAlias = "List[Program]"

ListReviewSettingsReply: TypeAlias = "List[ReviewSetting]"

ListReviewsReply: TypeAlias = "List[ReviewItem]"

ListSavedFiltersReply: TypeAlias = "List[SavedFilter]"

ListSessionsReply: TypeAlias = "List[Session]"

ListSkillCasesReply: TypeAlias = "List[SkillCase]"

ListSkillEvaluationsReply: TypeAlias = "List[SkillEvaluation]"

ListSkillImprovementsReply: TypeAlias = "List[SkillImprovement]"

ListSkillVersionsReply: TypeAlias = "List[Skill]"

ListSkillsReply: TypeAlias = "List[ListedSkill]"

ListToolsReply: TypeAlias = "List[Tool]"

ListUsersReply: TypeAlias = "List[User]"

RerunExecutionBody: TypeAlias = "Union[AgentExecuteRequest, None]"
