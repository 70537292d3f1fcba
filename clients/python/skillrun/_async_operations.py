# Made by scripts/openapi.ts. Do not edit: run npm run openapi.
"""One method per operation of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, Union
from urllib.parse import quote

from . import types

if TYPE_CHECKING:
    from ._async_client import AsyncReply


def _at(value: object) -> str:
    return quote(str(value), safe="")


class AsyncOperations:
    """The asynchronous operations of the API; `AsyncSkillrun` adds what takes several of them."""

    async def _json(self, method: str, path: str, *, query: Any = None, body: Any = None) -> Any:
        raise NotImplementedError

    async def _reply(self, method: str, path: str, *, query: Any = None, body: Any = None) -> "AsyncReply":
        raise NotImplementedError

    async def add_skill_cases(self, id: Union[str, int], body: types.SkillCasesRequest) -> types.AddSkillCasesReply:
        """Add cases to a skill: inputs with the correct response, or executions with or without a correction."""
        reply: types.AddSkillCasesReply = await self._json("POST", f"/v1/skills/{_at(id)}/cases", body=body)
        return reply

    async def add_user(self, body: types.UserRequest) -> types.UserWithPassword:
        """Add a user to this workspace."""
        reply: types.UserWithPassword = await self._json("POST", "/v1/users", body=body)
        return reply

    async def approve_execution(
        self,
        id: Union[str, int],
        body: Optional[types.DecideRequest] = None,
    ) -> types.AgentExecutionResponse:
        """Approve what an execution waits for; a second call returns the first decision."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/approve", body=body)
        return reply

    async def assign_review(
        self,
        execution_id: Union[str, int],
        body: types.AssignReviewRequest,
    ) -> types.ReviewItem:
        """Assign a review to a key, so that no other key can claim it."""
        reply: types.ReviewItem = await self._json("POST", f"/v1/reviews/{_at(execution_id)}/assign", body=body)
        return reply

    async def cancel_batch(self, id: Union[str, int]) -> types.Batch:
        """Cancel a batch and its executions that have not ended."""
        reply: types.Batch = await self._json("POST", f"/v1/agent/batches/{_at(id)}/cancel")
        return reply

    async def cancel_execution(self, id: Union[str, int]) -> types.AgentExecutionResponse:
        """Cancel an execution."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/cancel")
        return reply

    async def cancel_skill_improvement(self, id: Union[str, int], improvement_id: Union[str, int]) -> types.SkillImprovement:
        """Cancel a running improvement and its runs; nothing is published."""
        reply: types.SkillImprovement = await self._json("POST", f"/v1/skills/{_at(id)}/improvements/{_at(improvement_id)}/cancel")
        return reply

    async def change_callback_secret(self) -> types.CallbackSecret:
        """Rotate the callback secret of this workspace; for one day, webhook-signature also contains a signature with the previous secret."""
        reply: types.CallbackSecret = await self._json("POST", "/v1/callback-secret")
        return reply

    async def change_password(self, body: types.PasswordChange) -> types.SignInState:
        """Change the password of the signed-in user: ends all other sessions."""
        reply: types.SignInState = await self._json("POST", "/v1/me/password", body=body)
        return reply

    async def change_review_setting(self, body: types.ReviewSettingRequest) -> types.ChangeReviewSettingReply:
        """Set when answers of the workspace, or of a skill, need a review."""
        reply: types.ChangeReviewSettingReply = await self._json("PUT", "/v1/reviews/settings", body=body)
        return reply

    async def change_user(
        self,
        id: Union[str, int],
        body: types.UserChange,
        *,
        workspace: Optional[str] = None,
    ) -> types.User:
        """Change the role or name of a user, or disable the user, which ends all their sessions."""
        reply: types.User = await self._json("PUT", f"/v1/users/{_at(id)}", query={"workspace": workspace}, body=body)
        return reply

    async def check_key(self) -> types.Health:
        """The key is valid."""
        reply: types.Health = await self._json("GET", "/v1/health")
        return reply

    async def claim_next_review(self, body: Optional[types.ClaimReviewRequest] = None) -> types.ClaimedReview:
        """Claim the next execution to review for 15 minutes: one assigned to this key, or else the oldest."""
        reply: types.ClaimedReview = await self._json("POST", "/v1/reviews/claim", body=body)
        return reply

    async def claim_review(self, execution_id: Union[str, int]) -> types.ReviewItem:
        """Claim the review of an execution for 15 minutes, or renew the claim."""
        reply: types.ReviewItem = await self._json("POST", f"/v1/reviews/{_at(execution_id)}/claim")
        return reply

    async def compile_program(
        self,
        id: Union[str, int],
        body: Optional[types.ProgramCompileRequest] = None,
    ) -> types.Program:
        """Compile a program of a skill from its cases and test it."""
        reply: types.Program = await self._json("POST", f"/v1/skills/{_at(id)}/programs", body=body)
        return reply

    async def create_agent(self, body: types.AgentCreateRequest) -> types.AgentCreationResponse:
        """Create an agent: a named prompt with defaults for its executions; an existing name gets its next version."""
        reply: types.AgentCreationResponse = await self._json("POST", "/v1/agent/create", body=body)
        return reply

    async def create_batch(self, body: types.BatchRequest) -> types.Batch:
        """Execute an agent on up to 10,000 documents, each by itself; repeating an Idempotency-Key returns the first batch."""
        reply: types.Batch = await self._json("POST", "/v1/agent/batches", body=body)
        return reply

    async def create_key(self, body: types.KeyRequest) -> types.MadeKey:
        """Create a key; its secret is only shown once, so repeating an Idempotency-Key is a 409 that names the key."""
        reply: types.MadeKey = await self._json("POST", "/v1/keys", body=body)
        return reply

    async def create_saved_filter(self, body: types.SavedFilterRequest) -> types.SavedFilter:
        """Save a filter of the list of executions under a name, for everyone in the workspace."""
        reply: types.SavedFilter = await self._json("POST", "/v1/agent/executions/filters", body=body)
        return reply

    async def create_skill(self, body: types.SkillCreateRequest) -> types.Skill:
        """Create a skill from an uploaded zip, a prompt or a session; repeating an Idempotency-Key returns the first."""
        reply: types.Skill = await self._json("POST", "/v1/skills/create", body=body)
        return reply

    async def delete_file(self, id: Union[str, int]) -> types.File:
        """Delete a file, or a pending presigned upload, whose URL then stops working."""
        reply: types.File = await self._json("DELETE", f"/v1/files/{_at(id)}")
        return reply

    async def delete_program(self, id: Union[str, int], pid: Union[str, int]) -> types.Program:
        """Delete a program; executions that it served keep its hash."""
        reply: types.Program = await self._json("DELETE", f"/v1/skills/{_at(id)}/programs/{_at(pid)}")
        return reply

    async def delete_saved_filter(self, filter_id: Union[str, int]) -> types.SavedFilter:
        """Delete a saved filter."""
        reply: types.SavedFilter = await self._json("DELETE", f"/v1/agent/executions/filters/{_at(filter_id)}")
        return reply

    async def delete_skill(self, id: Union[str, int]) -> types.Skill:
        """Delete a version of a skill; the previous version becomes the latest."""
        reply: types.Skill = await self._json("DELETE", f"/v1/skills/{_at(id)}")
        return reply

    async def delete_skill_case(self, id: Union[str, int], case_id: Union[str, int]) -> types.SkillCase:
        """Delete a case."""
        reply: types.SkillCase = await self._json("DELETE", f"/v1/skills/{_at(id)}/cases/{_at(case_id)}")
        return reply

    async def diff_executions(
        self,
        id: Union[str, int],
        other: Union[str, int],
        *,
        of: Optional[Literal["response", "record"]] = None,
    ) -> types.ExecutionDiff:
        """Compare the responses of two executions field by field, or their records with of=record; at most 1000 differences."""
        reply: types.ExecutionDiff = await self._json("GET", f"/v1/agent/executions/{_at(id)}/diff/{_at(other)}", query={"of": of})
        return reply

    async def download_skill(self, id: Union[str, int], *, expires: Optional[int] = None) -> types.SkillDownload:
        """Get a download URL for the zip of a skill, with SKILL.md at its root."""
        reply: types.SkillDownload = await self._json("GET", f"/v1/skills/{_at(id)}/download", query={"expires": expires})
        return reply

    async def draw_file_page(
        self,
        id: Union[str, int],
        page: Union[str, int],
        *,
        width: Optional[int] = None,
    ) -> "AsyncReply":
        """Render a page of a PDF, or an image, as PNG in the aspect ratio of the boxes in evidence."""
        return await self._reply("GET", f"/v1/files/{_at(id)}/pages/{_at(page)}", query={"width": width})

    async def draw_input_page(
        self,
        id: Union[str, int],
        page: Union[str, int],
        *,
        width: Optional[int] = None,
        input: Optional[str] = None,
    ) -> "AsyncReply":
        """Render a page of an inline or archived PDF or image as PNG, as for files."""
        return await self._reply(
            "GET",
            f"/v1/agent/executions/{_at(id)}/pages/{_at(page)}",
            query={"width": width, "input": input},
        )

    async def estimate_backfill(self, body: types.BackfillRequest) -> types.BackfillEstimate:
        """Estimate what a batch over earlier executions would cost, from what they cost. Starts nothing. Takes the body of the batch, and rejects what POST /v1/agent/batches rejects."""
        reply: types.BackfillEstimate = await self._json("POST", "/v1/agent/batches/estimate", body=body)
        return reply

    async def estimate_execution(self, body: types.AgentExecuteRequest) -> types.CostEstimate:
        """Estimate the cost of an execution in each tier, from past executions of this key. Invalid bodies are rejected as in POST /v1/agent/execute."""
        reply: types.CostEstimate = await self._json("POST", "/v1/agent/estimate", body=body)
        return reply

    async def evaluate_skill(
        self,
        id: Union[str, int],
        body: Optional[types.EvaluateRequest] = None,
    ) -> types.SkillEvaluation:
        """Evaluate a skill version: run its cases with this version, without the skill, and with the previous version, in the flex tier."""
        reply: types.SkillEvaluation = await self._json("POST", f"/v1/skills/{_at(id)}/evaluate", body=body)
        return reply

    async def execute_agent(self, body: types.AgentExecuteRequest) -> types.AgentExecutionResponse:
        """Execute an agent on inputs; with `batch: false` the reply waits for the end."""
        reply: types.AgentExecutionResponse = await self._json("POST", "/v1/agent/execute", body=body)
        return reply

    async def execute_on_audio(self, body: types.FileExecuteRequest) -> types.PredictionResponse:
        """Run an agent on a recording, by its name and version."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/audio/execute", body=body)
        return reply

    async def execute_on_document(self, body: types.FileExecuteRequest) -> types.PredictionResponse:
        """Run an agent on a document, by its name and version."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/document/execute", body=body)
        return reply

    async def execute_on_image(self, body: types.ImageExecuteRequest) -> types.PredictionResponse:
        """Run an agent on images, by its name and version."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/image/execute", body=body)
        return reply

    async def execute_on_video(self, body: types.FileExecuteRequest) -> types.PredictionResponse:
        """Run an agent on a video, by its name and version."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/video/execute", body=body)
        return reply

    async def find_file_by_hash(
        self,
        md5: Union[str, int],
        *,
        generate_public_url: Optional[bool] = None,
    ) -> types.File:
        """Find a file of this workspace by the MD5 of its content, in hexadecimal."""
        reply: types.File = await self._json(
            "GET",
            f"/v1/files/hash/{_at(md5)}",
            query={"generate_public_url": generate_public_url},
        )
        return reply

    async def follow_executions(self) -> "AsyncReply":
        """Stream a server-sent event whenever an execution of this workspace is created, starts or ends; then reload the list."""
        return await self._reply("GET", "/v1/agent/events")

    async def fork_execution(self, id: Union[str, int], body: types.ForkRequest) -> types.AgentExecutionResponse:
        """Run an execution anew from one of its steps, as a new execution that keeps the steps before it; with another prompt, model, schema, skills or tool results."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/fork", body=body)
        return reply

    async def generate_from_audio(self, body: types.FilePredictionRequest) -> types.PredictionResponse:
        """Read a recording by a domain, schema, prompt or skill. batch: false waits for the end."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/audio/generate", body=body)
        return reply

    async def generate_from_document(self, body: types.FilePredictionRequest) -> types.PredictionResponse:
        """Read a document by a domain, schema, prompt or skill. batch: false waits for the end."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/document/generate", body=body)
        return reply

    async def generate_from_image(self, body: types.ImagePredictionRequest) -> types.PredictionResponse:
        """Read images by a domain, schema, prompt or skill. batch: false waits for the end (default)."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/image/generate", body=body)
        return reply

    async def generate_from_video(self, body: types.FilePredictionRequest) -> types.PredictionResponse:
        """Read a video by a domain, schema, prompt or skill. batch: false waits for the end."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/video/generate", body=body)
        return reply

    async def generate_from_web(self, body: types.WebPredictionRequest) -> types.PredictionResponse:
        """Read a web page as its server sends it, without running its scripts."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/web/generate", body=body)
        return reply

    async def get_agent(self, id: Union[str, int]) -> types.AgentInfo:
        """Read an agent."""
        reply: types.AgentInfo = await self._json("GET", f"/v1/agents/{_at(id)}")
        return reply

    async def get_artifact(
        self,
        *,
        execution_id: Optional[str] = None,
        session_id: Optional[str] = None,
        object_id: Optional[str] = None,
        filename: Optional[str] = None,
    ) -> "AsyncReply":
        """Download an artifact, by object_id or filename within an execution or a session."""
        return await self._reply(
            "GET",
            "/v1/artifacts",
            query={
                "execution_id": execution_id,
                "session_id": session_id,
                "object_id": object_id,
                "filename": filename,
            },
        )

    async def get_batch(self, id: Union[str, int]) -> types.Batch:
        """Get a batch with its progress and cost."""
        reply: types.Batch = await self._json("GET", f"/v1/agent/batches/{_at(id)}")
        return reply

    async def get_batch_results(
        self,
        id: Union[str, int],
        *,
        format: Optional[Literal["csv", "xlsx", "jsonl"]] = None,
        status: Optional[Literal["enqueued", "running", "paused", "completed", "failed", "cancelled"]] = None,
        filter: Optional[Literal["low_confidence", "not_found", "failed"]] = None,
        evidence: Optional[bool] = None,
    ) -> "AsyncReply":
        """Download the results of a batch, one row per item, as CSV, XLSX or JSON Lines."""
        return await self._reply(
            "GET",
            f"/v1/agent/batches/{_at(id)}/results",
            query={
                "format": format,
                "status": status,
                "filter": filter,
                "evidence": evidence,
            },
        )

    async def get_callback_secret(self) -> types.CallbackSecret:
        """Get the secret that signs the callbacks of this workspace."""
        reply: types.CallbackSecret = await self._json("GET", "/v1/callback-secret")
        return reply

    async def get_capsule(
        self,
        id: Union[str, int],
        *,
        contents: Optional[bool] = None,
    ) -> types.Capsule:
        """A signed statement over hashes of an execution that has ended: inputs, request, skills, program, transcript, response, evidence, artifacts, usage, reviews."""
        reply: types.Capsule = await self._json("GET", f"/v1/agent/executions/{_at(id)}/capsule", query={"contents": contents})
        return reply

    async def get_domain_schema(self, body: types.SchemaRequest) -> types.SchemaResponse:
        """Get the JSON Schema of a domain."""
        reply: types.SchemaResponse = await self._json("POST", "/v1/schema", body=body)
        return reply

    async def get_execution(self, id: Union[str, int]) -> types.AgentExecutionResponse:
        """Read an execution."""
        reply: types.AgentExecutionResponse = await self._json("GET", f"/v1/agent/executions/{_at(id)}")
        return reply

    async def get_execution_request(
        self,
        id: Union[str, int],
        *,
        skill_schema: Optional[bool] = None,
    ) -> types.ExecutionRequest:
        """Get the request of an execution, as a body for POST /v1/agent/execute."""
        reply: types.ExecutionRequest = await self._json(
            "GET",
            f"/v1/agent/executions/{_at(id)}/request",
            query={"skill_schema": skill_schema},
        )
        return reply

    async def get_file(
        self,
        id: Union[str, int],
        *,
        generate_public_url: Optional[bool] = None,
    ) -> types.File:
        """One file."""
        reply: types.File = await self._json(
            "GET",
            f"/v1/files/{_at(id)}",
            query={"generate_public_url": generate_public_url},
        )
        return reply

    async def get_file_content(self, id: Union[str, int]) -> "AsyncReply":
        """Download a file; Range and If-None-Match are supported."""
        return await self._reply("GET", f"/v1/files/{_at(id)}/content")

    async def get_hub_info(self) -> types.HubInfo:
        """Get the version of the built-in schemas."""
        reply: types.HubInfo = await self._json("GET", "/v1/hub/info")
        return reply

    async def get_hub_schema(self, body: types.SchemaRequest) -> types.SchemaResponse:
        """Get the JSON Schema of a domain."""
        reply: types.SchemaResponse = await self._json("POST", "/v1/hub/schema", body=body)
        return reply

    async def get_me(self) -> types.Me:
        """Who is calling: the key or the signed-in user."""
        reply: types.Me = await self._json("GET", "/v1/me")
        return reply

    async def get_prediction(self, id: Union[str, int]) -> types.PredictionResponse:
        """Get an execution as a prediction."""
        reply: types.PredictionResponse = await self._json("GET", f"/v1/predictions/{_at(id)}")
        return reply

    async def get_program(self, id: Union[str, int], pid: Union[str, int]) -> types.Program:
        """Get a program with its source, gate report and statistics."""
        reply: types.Program = await self._json("GET", f"/v1/skills/{_at(id)}/programs/{_at(pid)}")
        return reply

    async def get_queues(self) -> types.Queues:
        """Get what waits, runs and stalls in this workspace by tier, and the workers with their slots."""
        reply: types.Queues = await self._json("GET", "/v1/queues")
        return reply

    async def get_review(self, execution_id: Union[str, int]) -> types.ReviewItem:
        """Get the entry of an execution in the review queue."""
        reply: types.ReviewItem = await self._json("GET", f"/v1/reviews/{_at(execution_id)}")
        return reply

    async def get_review_statistics(
        self,
        *,
        skill_name: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.ReviewStatistics:
        """Get how often reviewers agreed with each field, and how long a document took them."""
        reply: types.ReviewStatistics = await self._json(
            "GET",
            "/v1/reviews/statistics",
            query={"skill_name": skill_name, "from": from_, "to": to},
        )
        return reply

    async def get_settings(self) -> types.Settings:
        """Get the limits of this server, and its models with their engines and prices."""
        reply: types.Settings = await self._json("GET", "/v1/settings")
        return reply

    async def get_sign_in(self) -> types.SignInState:
        """How people sign in, and who is signed in in this browser."""
        reply: types.SignInState = await self._json("GET", "/v1/sign-in")
        return reply

    async def get_skill(self, id: Union[str, int]) -> types.Skill:
        """Get a version of a skill."""
        reply: types.Skill = await self._json("GET", f"/v1/skills/{_at(id)}")
        return reply

    async def get_skill_evaluation(self, id: Union[str, int], evaluation_id: Union[str, int]) -> types.SkillEvaluation:
        """Get an evaluation and its report: agreement by field with the skill, without it, and with the previous version."""
        reply: types.SkillEvaluation = await self._json("GET", f"/v1/skills/{_at(id)}/evaluations/{_at(evaluation_id)}")
        return reply

    async def get_skill_improvement(self, id: Union[str, int], improvement_id: Union[str, int]) -> types.SkillImprovement:
        """Get an improvement: its proposals with their figures, and what was published."""
        reply: types.SkillImprovement = await self._json("GET", f"/v1/skills/{_at(id)}/improvements/{_at(improvement_id)}")
        return reply

    async def get_usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        group_by: Optional[str] = None,
    ) -> types.Usage:
        """Get usage and cost of this workspace, in total and by group."""
        reply: types.Usage = await self._json("GET", "/v1/usage", query={"from": from_, "to": to, "group_by": group_by})
        return reply

    async def has_hub_domain(self, domain: Union[str, int]) -> types.HasHubDomainReply:
        """Whether a domain has a built-in schema."""
        reply: types.HasHubDomainReply = await self._json("GET", f"/v1/hub/domains/{_at(domain)}")
        return reply

    async def import_capsule(self, body: types.Capsule) -> types.AgentExecutionResponse:
        """Import the execution of a capsule with contents as a new execution of this workspace, with its inputs, request, transcript and answer; it can be replayed and forked."""
        reply: types.AgentExecutionResponse = await self._json("POST", "/v1/capsules", body=body)
        return reply

    async def improve_skill(
        self,
        id: Union[str, int],
        body: Optional[types.ImproveRequest] = None,
    ) -> types.SkillImprovement:
        """Have a model propose better instructions from failing cases, compare each proposal with the version on cases that the model never saw, and publish the best one that is better."""
        reply: types.SkillImprovement = await self._json("POST", f"/v1/skills/{_at(id)}/improve", body=body)
        return reply

    async def list_agents(
        self,
        *,
        skip: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> types.ListAgentsReply:
        """List the agents of this workspace, newest first, each in its latest version."""
        reply: types.ListAgentsReply = await self._json("GET", "/v1/agent", query={"skip": skip, "limit": limit})
        return reply

    async def list_approvers(self, id: Union[str, int]) -> types.ListApproversReply:
        """List the keys and users that may approve or reject this execution."""
        reply: types.ListApproversReply = await self._json("GET", f"/v1/agent/executions/{_at(id)}/approvers")
        return reply

    async def list_artifacts(
        self,
        *,
        execution_id: Optional[str] = None,
        session_id: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.ArtifactList:
        """What the runs of an execution or a session made, oldest first. A session is known once an execution or a chat of this workspace has named it."""
        reply: types.ArtifactList = await self._json(
            "GET",
            "/v1/artifacts/list",
            query={
                "execution_id": execution_id,
                "session_id": session_id,
                "limit": limit,
            },
        )
        return reply

    async def list_audit(
        self,
        *,
        action: Optional[Literal["key.create", "key.revoke", "workspace.create", "user.create", "user.update", "user.remove", "user.reset_password", "user.change_password", "user.sign_in", "user.sign_in_failed", "user.sign_out", "file.create", "file.delete", "skill.create", "skill.update", "skill.delete", "skill.improve", "case.create", "case.delete", "program.create", "program.delete", "callback_secret.change", "capsule_key.rotate", "batch.create", "batch.pause", "batch.resume", "batch.cancel", "batch.retry", "approval.decide", "review.save", "review.assign", "review.settings"]] = None,
        subject_id: Optional[str] = None,
        key_id: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        skip: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> types.ListAuditReply:
        """List the audit log of this workspace (keys, files, skills and settings), newest first."""
        reply: types.ListAuditReply = await self._json(
            "GET",
            "/v1/audit",
            query={
                "action": action,
                "subject_id": subject_id,
                "key_id": key_id,
                "created_after": created_after,
                "created_before": created_before,
                "skip": skip,
                "limit": limit,
            },
        )
        return reply

    async def list_batch_callbacks(self, id: Union[str, int]) -> types.ListBatchCallbacksReply:
        """List the callbacks of a batch, with every delivery attempt."""
        reply: types.ListBatchCallbacksReply = await self._json("GET", f"/v1/agent/batches/{_at(id)}/callbacks")
        return reply

    async def list_batch_items(
        self,
        id: Union[str, int],
        *,
        limit: Optional[int] = None,
        status: Optional[Literal["enqueued", "running", "paused", "completed", "failed", "cancelled"]] = None,
        filter: Optional[Literal["low_confidence", "not_found", "failed"]] = None,
        sort: Optional[Literal["number", "file_name", "confidence", "cost", "completed_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
    ) -> types.ListBatchItemsReply:
        """List the items of a batch with their values and confidence."""
        reply: types.ListBatchItemsReply = await self._json(
            "GET",
            f"/v1/agent/batches/{_at(id)}/items",
            query={
                "limit": limit,
                "status": status,
                "filter": filter,
                "sort": sort,
                "order": order,
                "cursor": cursor,
            },
        )
        return reply

    async def list_batches(
        self,
        *,
        limit: Optional[int] = None,
        status: Optional[Literal["running", "paused", "completed", "cancelled"]] = None,
        cursor: Optional[str] = None,
    ) -> types.ListBatchesReply:
        """List the batches of this workspace, newest first."""
        reply: types.ListBatchesReply = await self._json(
            "GET",
            "/v1/agent/batches",
            query={"limit": limit, "status": status, "cursor": cursor},
        )
        return reply

    async def list_callbacks(self, id: Union[str, int]) -> types.ListCallbacksReply:
        """List the callbacks of an execution, with every delivery attempt."""
        reply: types.ListCallbacksReply = await self._json("GET", f"/v1/agent/executions/{_at(id)}/callbacks")
        return reply

    async def list_domains(self) -> types.ListDomainsReply:
        """List the domains: agent, and those with built-in schemas."""
        reply: types.ListDomainsReply = await self._json("GET", "/v1/domains")
        return reply

    async def list_execution_events(
        self,
        id: Union[str, int],
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.ListExecutionEventsReply:
        """Stream the events of an execution as server-sent events until its end, or list them as JSON with Accept: application/json."""
        reply: types.ListExecutionEventsReply = await self._json(
            "GET",
            f"/v1/agent/executions/{_at(id)}/events",
            query={"after": after, "limit": limit},
        )
        return reply

    async def list_execution_reviews(self, id: Union[str, int]) -> types.ListExecutionReviewsReply:
        """List every saved review of an execution, oldest first."""
        reply: types.ListExecutionReviewsReply = await self._json("GET", f"/v1/agent/executions/{_at(id)}/reviews")
        return reply

    async def list_execution_steps(self, id: Union[str, int]) -> types.ListExecutionStepsReply:
        """Get the steps of an execution, with price and time of each."""
        reply: types.ListExecutionStepsReply = await self._json("GET", f"/v1/agent/executions/{_at(id)}/steps")
        return reply

    async def list_executions(
        self,
        *,
        skip: Optional[int] = None,
        limit: Optional[int] = None,
        status: Optional[Literal["pending", "enqueued", "running", "paused", "completed", "failed"]] = None,
        name: Optional[str] = None,
        client_id: Optional[str] = None,
        service_tier: Optional[Literal["standard", "flex", "priority"]] = None,
        session_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        review: Optional[Literal["needed", "done"]] = None,
        approval: Optional[Literal["needed", "done"]] = None,
        skill_id: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        purpose: Optional[Literal["work", "evaluation", "shadow", "all"]] = None,
        q: Optional[str] = None,
        cursor: Optional[str] = None,
    ) -> types.ListExecutionsReply:
        """List the executions of this workspace, newest first."""
        reply: types.ListExecutionsReply = await self._json(
            "GET",
            "/v1/agent/executions",
            query={
                "skip": skip,
                "limit": limit,
                "status": status,
                "name": name,
                "client_id": client_id,
                "service_tier": service_tier,
                "session_id": session_id,
                "batch_id": batch_id,
                "review": review,
                "approval": approval,
                "skill_id": skill_id,
                "created_after": created_after,
                "created_before": created_before,
                "purpose": purpose,
                "q": q,
                "cursor": cursor,
            },
        )
        return reply

    async def list_feedback(
        self,
        id: Union[str, int],
        *,
        type: Optional[Literal["request", "agent_execution", "chat"]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.FeedbackListResponse:
        """List feedback on requests, executions and chat completions, newest first."""
        reply: types.FeedbackListResponse = await self._json(
            "GET",
            f"/v1/feedback/{_at(id)}",
            query={"type": type, "limit": limit, "offset": offset},
        )
        return reply

    async def list_files(
        self,
        *,
        skip: Optional[int] = None,
        limit: Optional[int] = None,
        generate_public_url: Optional[bool] = None,
    ) -> types.ListFilesReply:
        """List the files of this workspace, newest first."""
        reply: types.ListFilesReply = await self._json(
            "GET",
            "/v1/files",
            query={
                "skip": skip,
                "limit": limit,
                "generate_public_url": generate_public_url,
            },
        )
        return reply

    async def list_hub_domains(self) -> types.ListHubDomainsReply:
        """List the domains with built-in schemas."""
        reply: types.ListHubDomainsReply = await self._json("GET", "/v1/hub/domains")
        return reply

    async def list_keys(self, *, workspace: Optional[str] = None) -> types.ListKeysReply:
        """List the keys of this workspace, newest first."""
        reply: types.ListKeysReply = await self._json("GET", "/v1/keys", query={"workspace": workspace})
        return reply

    async def list_models(self) -> types.ListModelsReply:
        """List the models of this server and their engines."""
        reply: types.ListModelsReply = await self._json("GET", "/v1/models")
        return reply

    async def list_predictions(
        self,
        *,
        skip: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> types.ListPredictionsReply:
        """List the executions of this workspace as predictions, newest first."""
        reply: types.ListPredictionsReply = await self._json("GET", "/v1/predictions", query={"skip": skip, "limit": limit})
        return reply

    async def list_programs(self, id: Union[str, int], *, limit: Optional[int] = None) -> types.ListProgramsReply:
        """List the programs of all versions of a skill, newest first."""
        reply: types.ListProgramsReply = await self._json("GET", f"/v1/skills/{_at(id)}/programs", query={"limit": limit})
        return reply

    async def list_review_settings(self) -> types.ListReviewSettingsReply:
        """List the review settings: of the workspace, then of skills."""
        reply: types.ListReviewSettingsReply = await self._json("GET", "/v1/reviews/settings")
        return reply

    async def list_reviews(
        self,
        *,
        status: Optional[Literal["needed", "claimed", "done"]] = None,
        skill_id: Optional[str] = None,
        mine: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.ListReviewsReply:
        """List the review queue of this workspace, oldest first."""
        reply: types.ListReviewsReply = await self._json(
            "GET",
            "/v1/reviews",
            query={
                "status": status,
                "skill_id": skill_id,
                "mine": mine,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return reply

    async def list_saved_filters(self) -> types.ListSavedFiltersReply:
        """List the saved filters of this workspace, by name."""
        reply: types.ListSavedFiltersReply = await self._json("GET", "/v1/agent/executions/filters")
        return reply

    async def list_sessions(
        self,
        *,
        skip: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> types.ListSessionsReply:
        """List the sessions of this workspace, the one with the newest execution first."""
        reply: types.ListSessionsReply = await self._json("GET", "/v1/sessions", query={"skip": skip, "limit": limit})
        return reply

    async def list_skill_cases(self, id: Union[str, int]) -> types.ListSkillCasesReply:
        """List the cases of a skill: added cases first, then those in the bundle of this version."""
        reply: types.ListSkillCasesReply = await self._json("GET", f"/v1/skills/{_at(id)}/cases")
        return reply

    async def list_skill_evaluations(self, id: Union[str, int], *, limit: Optional[int] = None) -> types.ListSkillEvaluationsReply:
        """List the evaluations of all versions of a skill."""
        reply: types.ListSkillEvaluationsReply = await self._json("GET", f"/v1/skills/{_at(id)}/evaluations", query={"limit": limit})
        return reply

    async def list_skill_improvements(self, id: Union[str, int], *, limit: Optional[int] = None) -> types.ListSkillImprovementsReply:
        """List the improvements of a skill."""
        reply: types.ListSkillImprovementsReply = await self._json("GET", f"/v1/skills/{_at(id)}/improvements", query={"limit": limit})
        return reply

    async def list_skill_versions(self, id: Union[str, int]) -> types.ListSkillVersionsReply:
        """List the versions of a skill, newest first, at most 1,000."""
        reply: types.ListSkillVersionsReply = await self._json("GET", f"/v1/skills/{_at(id)}/versions")
        return reply

    async def list_skills(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        order_by: Optional[Literal["created_at", "updated_at", "name"]] = None,
        descending: Optional[bool] = None,
        grouped: Optional[bool] = None,
    ) -> types.ListSkillsReply:
        """List the skills of this workspace and the public ones."""
        reply: types.ListSkillsReply = await self._json(
            "GET",
            "/v1/skills",
            query={
                "limit": limit,
                "offset": offset,
                "order_by": order_by,
                "descending": descending,
                "grouped": grouped,
            },
        )
        return reply

    async def list_tools(self) -> types.ListToolsReply:
        """List the tools for executions, with their input schemas and prices."""
        reply: types.ListToolsReply = await self._json("GET", "/v1/tools")
        return reply

    async def list_users(self, *, workspace: Optional[str] = None) -> types.ListUsersReply:
        """List the users of this workspace."""
        reply: types.ListUsersReply = await self._json("GET", "/v1/users", query={"workspace": workspace})
        return reply

    async def lookup_agent(
        self,
        body: Optional[types.AgentLookupRequest] = None,
        *,
        id: Optional[str] = None,
        name: Optional[str] = None,
        prompt: Optional[str] = None,
    ) -> types.AgentInfo:
        """Find an agent by id, by name (or name:version), or by prompt."""
        reply: types.AgentInfo = await self._json(
            "POST",
            "/v1/agent/lookup",
            query={"id": id, "name": name, "prompt": prompt},
            body=body,
        )
        return reply

    async def lookup_agent_by_query(
        self,
        body: Optional[types.AgentLookupRequest] = None,
        *,
        id: Optional[str] = None,
        name: Optional[str] = None,
        prompt: Optional[str] = None,
    ) -> types.AgentInfo:
        """Find an agent by id, by name (or name:version), or by prompt."""
        reply: types.AgentInfo = await self._json(
            "GET",
            "/v1/agent/lookup",
            query={"id": id, "name": name, "prompt": prompt},
            body=body,
        )
        return reply

    async def lookup_skill(self, body: types.SkillLookupRequest) -> types.Skill:
        """Find a skill by id, or by name and version."""
        reply: types.Skill = await self._json("POST", "/v1/skills/lookup", body=body)
        return reply

    async def pause_batch(self, id: Union[str, int]) -> types.Batch:
        """Pause a batch: no new execution is created, and those in flight pause after their current step."""
        reply: types.Batch = await self._json("POST", f"/v1/agent/batches/{_at(id)}/pause")
        return reply

    async def pause_execution(self, id: Union[str, int]) -> types.AgentExecutionResponse:
        """Pause an execution after its current step."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/pause")
        return reply

    async def presign_upload(self, body: types.PresignRequest) -> types.PresignedUpload:
        """Create a presigned upload URL that accepts the bytes of a new file by PUT, without a key. Executions can refer to the file before it is uploaded; they start when it is complete. Repeating an Idempotency-Key returns the first URL."""
        reply: types.PresignedUpload = await self._json("POST", "/v1/files/presigned-url", body=body)
        return reply

    async def propose_schema_from_audio(self, body: types.FileSchemaRequest) -> types.PredictionResponse:
        """Propose a JSON Schema for inputs of this kind; needs a language model."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/audio/schema", body=body)
        return reply

    async def propose_schema_from_document(self, body: types.FileSchemaRequest) -> types.PredictionResponse:
        """Propose a JSON Schema for inputs of this kind; needs a language model."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/document/schema", body=body)
        return reply

    async def propose_schema_from_image(self, body: types.ImageSchemaRequest) -> types.PredictionResponse:
        """Propose a JSON Schema for inputs of this kind; needs a language model."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/image/schema", body=body)
        return reply

    async def propose_schema_from_video(self, body: types.FileSchemaRequest) -> types.PredictionResponse:
        """Propose a JSON Schema for inputs of this kind; needs a language model."""
        reply: types.PredictionResponse = await self._json("POST", "/v1/video/schema", body=body)
        return reply

    async def read_file_page(self, id: Union[str, int], page: Union[str, int]) -> types.PageWords:
        """Get the words of a page of an office file, e-book, email, PDF file or image, with boxes as in evidence; of a scan by OCR."""
        reply: types.PageWords = await self._json("GET", f"/v1/files/{_at(id)}/pages/{_at(page)}/words")
        return reply

    async def read_input_page(
        self,
        id: Union[str, int],
        page: Union[str, int],
        *,
        input: Optional[str] = None,
    ) -> types.PageWords:
        """Get the words of a page of an inline or archived office file, e-book, email, PDF file or image; of a scan by OCR."""
        reply: types.PageWords = await self._json(
            "GET",
            f"/v1/agent/executions/{_at(id)}/pages/{_at(page)}/words",
            query={"input": input},
        )
        return reply

    async def redeliver_batch_callback(self, id: Union[str, int], n: Union[str, int]) -> types.Callback:
        """Send a callback of a batch again with the same bytes and webhook-id, and a new series of attempts."""
        reply: types.Callback = await self._json("POST", f"/v1/agent/batches/{_at(id)}/callbacks/{_at(n)}/redeliver")
        return reply

    async def redeliver_callback(self, id: Union[str, int], n: Union[str, int]) -> types.Callback:
        """Send a callback of an execution again with the same bytes and webhook-id, and a new series of attempts."""
        reply: types.Callback = await self._json("POST", f"/v1/agent/executions/{_at(id)}/callbacks/{_at(n)}/redeliver")
        return reply

    async def reject_execution(
        self,
        id: Union[str, int],
        body: Optional[types.DecideRequest] = None,
    ) -> types.AgentExecutionResponse:
        """Reject what an execution waits for; it fails as rejected."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/reject", body=body)
        return reply

    async def release_review(
        self,
        execution_id: Union[str, int],
        body: Optional[types.ReleaseReviewRequest] = None,
    ) -> types.ReviewItem:
        """Release a claimed review, so that anyone can claim it."""
        reply: types.ReviewItem = await self._json("POST", f"/v1/reviews/{_at(execution_id)}/release", body=body)
        return reply

    async def remove_user(
        self,
        id: Union[str, int],
        *,
        workspace: Optional[str] = None,
    ) -> types.User:
        """Remove a user from this workspace; without another workspace the account and its personal data are deleted."""
        reply: types.User = await self._json("DELETE", f"/v1/users/{_at(id)}", query={"workspace": workspace})
        return reply

    async def replace_saved_filter(
        self,
        filter_id: Union[str, int],
        body: types.SavedFilterRequest,
    ) -> types.SavedFilter:
        """Replace the name and the query of a saved filter."""
        reply: types.SavedFilter = await self._json("PUT", f"/v1/agent/executions/filters/{_at(filter_id)}", body=body)
        return reply

    async def replay_execution(self, id: Union[str, int]) -> types.Replay:
        """Run an execution that has ended again from its transcript, without model calls, and compare the output; nothing is written or charged."""
        reply: types.Replay = await self._json("POST", f"/v1/agent/executions/{_at(id)}/replay")
        return reply

    async def rerun_execution(
        self,
        id: Union[str, int],
        body: Optional[types.RerunExecutionBody] = None,
    ) -> types.AgentExecutionResponse:
        """Run the request of an execution again as a new execution; fields of the body replace those of the original request."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/rerun", body=body)
        return reply

    async def reset_password(
        self,
        id: Union[str, int],
        body: Optional[types.PasswordReset] = None,
        *,
        workspace: Optional[str] = None,
    ) -> types.UserWithPassword:
        """Give a user a new password, which they have to change, and end all their sessions."""
        reply: types.UserWithPassword = await self._json(
            "POST",
            f"/v1/users/{_at(id)}/reset-password",
            query={"workspace": workspace},
            body=body,
        )
        return reply

    async def resume_batch(self, id: Union[str, int]) -> types.Batch:
        """Resume a paused batch and its paused executions."""
        reply: types.Batch = await self._json("POST", f"/v1/agent/batches/{_at(id)}/resume")
        return reply

    async def resume_execution(
        self,
        id: Union[str, int],
        body: Optional[types.ResumeRequest] = None,
    ) -> types.AgentExecutionResponse:
        """Let an execution go on from its transcript that is paused, or that failed as poison, timeout or provider_…, with another max_cost_dollars where one is given."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/resume", body=body)
        return reply

    async def resume_executions(self, body: types.ResumeExecutionsRequest) -> types.ResumedExecutions:
        """Resume executions that are paused or failed with poison, timeout or provider_…, by ids or by a filter."""
        reply: types.ResumedExecutions = await self._json("POST", "/v1/agent/executions/resume", body=body)
        return reply

    async def retry_batch(self, id: Union[str, int]) -> types.Batch:
        """Execute the failed items of a batch again, each as a new execution."""
        reply: types.Batch = await self._json("POST", f"/v1/agent/batches/{_at(id)}/retry")
        return reply

    async def review_execution(self, id: Union[str, int], body: types.ReviewRequest) -> types.AgentExecutionResponse:
        """Save corrections of an answer beside it, as reviewed_response; with the header If-Match only on top of that review.version."""
        reply: types.AgentExecutionResponse = await self._json("POST", f"/v1/agent/executions/{_at(id)}/review", body=body)
        return reply

    async def revoke_key(
        self,
        id: Union[str, int],
        *,
        workspace: Optional[str] = None,
    ) -> types.Key:
        """Revoke a key."""
        reply: types.Key = await self._json("DELETE", f"/v1/keys/{_at(id)}", query={"workspace": workspace})
        return reply

    async def rotate_capsule_key(self, body: Optional[types.CapsuleKeyRotation] = None) -> types.CapsuleKeys:
        """Sign capsules with a new key from now on; only for admins of the first workspace."""
        reply: types.CapsuleKeys = await self._json("POST", "/v1/capsule-keys/rotate", body=body)
        return reply

    async def sign_in(self, body: types.SignInRequest) -> types.SignInState:
        """Sign in by password: sets a session cookie."""
        reply: types.SignInState = await self._json("POST", "/v1/sign-in", body=body)
        return reply

    async def sign_out(self, body: Optional[types.SignOutRequest] = None) -> types.SignInState:
        """End the session of this browser, or all sessions of the user."""
        reply: types.SignInState = await self._json("POST", "/v1/sign-out", body=body)
        return reply

    async def skip_review(
        self,
        execution_id: Union[str, int],
        body: Optional[types.ReleaseReviewRequest] = None,
    ) -> types.ReviewItem:
        """Skip a review: it is not offered to this key again."""
        reply: types.ReviewItem = await self._json("POST", f"/v1/reviews/{_at(execution_id)}/skip", body=body)
        return reply

    async def submit_feedback(self, body: types.FeedbackSubmitRequest) -> types.FeedbackSubmitResponse:
        """Save feedback on an answer. Give exactly one of request_id, agent_execution_id and chat_id; executions and chat completions must belong to this workspace. Repeating an Idempotency-Key returns the first."""
        reply: types.FeedbackSubmitResponse = await self._json("POST", "/v1/feedback/submit", body=body)
        return reply

    async def update_skill(self, id: Union[str, int], body: types.SkillUpdateRequest) -> types.Skill:
        """Create the next version of a skill; fields that are not given stay unchanged."""
        reply: types.Skill = await self._json("POST", f"/v1/skills/{_at(id)}/update", body=body)
        return reply

    async def verify_upload(
        self,
        id: Union[str, int],
        *,
        generate_public_url: Optional[bool] = None,
    ) -> types.File:
        """Get the file of a presigned upload when it is complete."""
        reply: types.File = await self._json(
            "GET",
            f"/v1/files/verify-upload/{_at(id)}",
            query={"generate_public_url": generate_public_url},
        )
        return reply
