# Made by scripts/openapi.ts. Do not edit: run npm run openapi.
"""The synchronous client."""

from __future__ import annotations

import time
import json
import os
import re
import uuid
from pathlib import Path
from typing import Any, Iterator, BinaryIO, Callable, Dict, Mapping, Optional, Tuple, Union, cast
from urllib.parse import quote

import httpx

from . import types
from ._operations import Operations
from ._errors import ExecutionNotCompleted, SkillrunError, error_of

Reply = httpx.Response
Content = Union[str, "os.PathLike[str]", bytes, BinaryIO]
OnEvent = Callable[[types.ExecutionEvent], None]

_TRIES_MAX = 5
_FIRST_PAUSE_SECONDS = 0.2
_RETRY_AFTER_SECONDS_MAX = 30.0
_PASSING = frozenset((429, 502, 503, 504))
_BREAKS_MAX = 8
_BREAK_PAUSE_SECONDS = 0.5
_AWAY_SECONDS_MAX = 300.0
_AWAY_PAUSE_SECONDS_MAX = 10.0
_LOOK_SECONDS = 1.0
_ENDED = frozenset(("completed", "failed"))
_STRAY_STEP = re.compile(r"/\.{0,2}(?:/|$)")


class Skillrun(Operations):
    """Asynchronous client of one server with one key.

    ``url`` and ``key`` default to the environment variables ``SKILLRUN_URL`` and ``SKILLRUN_API_KEY``. ``timeout`` is the
    longest silence of the server in seconds; a request with ``batch: False`` needs as much as its execution takes. Requests
    that are safe to repeat are retried when the server is absent or overloaded. All methods raise SkillrunError.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 600.0,
        headers: Optional[Mapping[str, str]] = None,
        transport: Any = None,
    ) -> None:
        given = os.environ.get("SKILLRUN_URL", "http://127.0.0.1:8080") if url is None else url
        key = key if key is not None else os.environ.get("SKILLRUN_API_KEY")
        base = given.rstrip("/")
        self.base = base[: -len("/v1")] if base.endswith("/v1") else base
        if not self.base.startswith(("http://", "https://")):
            raise ValueError(f"{given} is not an http or https URL")
        if key and not re.fullmatch(r"[!-~]+", key):
            raise ValueError("The key contains a space, line break or other character that a header cannot have")
        own = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(
            base_url=self.base,
            headers={**own, **(headers or {})},
            timeout=httpx.Timeout(timeout, connect=10.0),
            transport=transport,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> "Skillrun":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def execute(self, request: types.AgentExecuteRequest) -> types.AgentExecutionResponse:
        """Starts an execution and returns its record, without waiting for its end unless ``batch`` is False."""
        # With an id the request is safe to send twice: the second answer is the first.
        body = {"id": str(uuid.uuid4()), "batch": True, **request}
        return cast(
            types.AgentExecutionResponse,
            self._json("POST", "/v1/agent/execute", body=body, repeatable=True),
        )

    def run(
        self, request: types.AgentExecuteRequest, *, timeout: Optional[float] = None, on_event: Optional[OnEvent] = None
    ) -> types.AgentExecutionResponse:
        """Runs a request and returns the completed execution. Raises ExecutionNotCompleted if it fails or pauses."""
        execution = self.run_settled(request, timeout=timeout, on_event=on_event)
        if execution["status"] != "completed":
            raise ExecutionNotCompleted(execution)
        return execution

    def run_settled(
        self, request: types.AgentExecuteRequest, *, timeout: Optional[float] = None, on_event: Optional[OnEvent] = None
    ) -> types.AgentExecutionResponse:
        """Like ``run``, but also returns an execution that failed or paused: check ``status`` before ``response``."""
        copy = cast(types.AgentExecuteRequest, {**request, "batch": True})
        execution = self.execute(copy)
        return self.wait(execution["id"], timeout=timeout, on_event=on_event)

    def wait(
        self, id: str, *, timeout: Optional[float] = None, on_event: Optional[OnEvent] = None
    ) -> types.AgentExecutionResponse:
        """The record of an execution once it has ended or paused.

        Raises TimeoutError after ``timeout`` seconds; the execution goes on.
        """
        deadline = None if timeout is None else _now() + timeout
        seen: Optional[str] = None
        pause: Optional[int] = None
        patient = False
        while True:
            record = self._look(id, deadline=deadline, patient=patient)
            patient = True
            is_settled = record["status"] == "paused" or record["status"] in _ENDED
            # An earlier pause may have been resumed since.
            is_reported = record["status"] == "paused" and record["attempts"] == pause
            if is_settled and (on_event is None or is_reported):
                return record
            try:
                for event in self.events(id, after=seen, deadline=deadline):
                    if on_event:
                        on_event(event)
                    seen = event["id"]
                    if event["event"] == "status" and event["data"]["status"] == "paused":
                        pause = event["data"]["attempt"]
                        break
                else:
                    return self._look(id, deadline=deadline, patient=True)
            except SkillrunError as error:
                if error.status not in (404, 406) and not _is_absence(error):
                    raise
                if is_settled:
                    return record
                _check(deadline, id)
                # Following has waited for a server that is away.
                patient = False
                time.sleep(_LOOK_SECONDS)

    def events(
        self, id: str, *, after: Optional[str] = None, deadline: Optional[float] = None
    ) -> Iterator[types.ExecutionEvent]:
        """What happens to an execution, from its beginning or after an event to its end, which is the last event.

        A broken connection is taken up where it broke, also after a restart of the server; five minutes of absence end
        it. Raises TimeoutError at ``deadline`` (``time.monotonic``).
        """
        seen, breaks, begun = after, 0, False
        away = _Absence()
        while True:
            _check(deadline, id)
            came = reached = False
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": seen} if seen else {})}
            try:
                path = f"/v1/agent/executions/{quote(id, safe='')}/events"
                _refuse_stray_step(path)
                with self._http.stream("GET", path, headers=headers, timeout=_silence(deadline)) as reply:
                    if reply.status_code >= 300:
                        reply.read()
                        raise error_of(reply.status_code, reply.text, reply.headers)
                    reached = begun = True
                    away = _Absence()
                    fields: Dict[str, str] = {}
                    for line in reply.iter_lines():
                        line = line.rstrip("\r\n")
                        if line:
                            name, _, value = line.partition(":")
                            value = value[1:] if value.startswith(" ") else value
                            fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
                            continue
                        if "data" in fields:
                            came, breaks, seen = True, 0, fields.get("id", seen)
                            data = json.loads(fields["data"])
                            event = {"id": seen or "", "event": fields.get("event", "message"), "data": data}
                            yield cast(types.ExecutionEvent, event)
                            if event["event"] == "status" and data.get("status") in _ENDED:
                                return
                        fields = {}
                        _check(deadline, id)
                # After its last event, an execution that has ended sends nothing.
                if not came and (self.get_execution(id))["status"] in _ENDED:
                    return
            except (httpx.TransportError, SkillrunError) as error:
                _check(deadline, id)
                is_transport = isinstance(error, httpx.TransportError)
                if not is_transport and not (begun and _is_absence(error)):
                    raise
                if begun and not reached:
                    if away.is_over():
                        raise SkillrunError(f"No server responds at {self.base}: {error}") from error
                    time.sleep(away.pause(deadline))
                    continue
            breaks += 1
            if breaks > _BREAKS_MAX:
                raise SkillrunError(f"The event stream of execution {id} ended repeatedly before the execution did")
            time.sleep(_BREAK_PAUSE_SECONDS * breaks)

    def iterate_executions(self, **query: Any) -> Iterator[types.ListedExecution]:
        """All executions that a query of ``list_executions`` finds, newest first, page after page."""
        path: str = "/v1/agent/executions"
        given: Optional[Mapping[str, Any]] = {"limit": 100, **query}
        while True:
            reply = self._reply("GET", path, query=given)
            for one in reply.json():
                yield one
            following = reply.links.get("next", {}).get("url")
            if not following:
                return
            path, given = following, None

    def upload(
        self, content: Content, *, filename: Optional[str] = None, purpose: Optional[str] = None
    ) -> types.File:
        """Uploads a file: a path, bytes, or an open binary file, which is streamed."""
        if isinstance(content, (str, os.PathLike)):
            with open(content, "rb") as opened:
                return self.upload(opened, filename=filename or Path(content).name, purpose=purpose)
        named: Tuple[str, Any] = (filename or Path(str(getattr(content, "name", "file"))).name, content)
        reply = self._send("POST", "/v1/files", query={"purpose": purpose}, files={"file": named})
        return cast(types.File, reply.json())

    def download(self, id: str) -> bytes:
        """The bytes of a file."""
        return (self._reply("GET", f"/v1/files/{quote(id, safe='')}/content")).content

    def _look(self, id: str, *, deadline: Optional[float], patient: bool) -> types.AgentExecutionResponse:
        """The record; with ``patient`` also after a restart of the server."""
        away = _Absence()
        while True:
            try:
                return self.get_execution(id)
            except SkillrunError as error:
                if not patient or not _is_absence(error) or away.is_over():
                    raise
            _check(deadline, id)
            time.sleep(away.pause(deadline))

    def _json(
        self, method: str, path: str, *, query: Any = None, body: Any = None, repeatable: Optional[bool] = None
    ) -> Any:
        reply = self._reply(method, path, query=query, body=body, repeatable=repeatable)
        try:
            return reply.json()
        except ValueError as cause:
            raise SkillrunError(f"The reply of {self.base} is not JSON: not a Skillrun server?") from cause

    def _reply(
        self, method: str, path: str, *, query: Any = None, body: Any = None, repeatable: Optional[bool] = None
    ) -> Reply:
        may_repeat = method == "GET" if repeatable is None else repeatable
        tries = 0
        while True:
            tries += 1
            try:
                return self._send(method, path, query=query, json=body)
            except SkillrunError as error:
                if not may_repeat or tries >= _TRIES_MAX or (error.status != 0 and error.status not in _PASSING):
                    raise
                pause = _FIRST_PAUSE_SECONDS * 2 ** (tries - 1) if error.retry_after is None else error.retry_after
            time.sleep(min(pause, _RETRY_AFTER_SECONDS_MAX))

    def _send(self, method: str, path: str, *, query: Any = None, json: Any = None, files: Any = None) -> Reply:
        _refuse_stray_step(path)
        given = {name: _query_text(value) for name, value in (query or {}).items() if value is not None}
        try:
            reply = self._http.request(method, path, params=given or None, json=json, files=files)
        except httpx.TimeoutException as cause:
            raise SkillrunError(f"The server at {self.base} did not answer in time") from cause
        except httpx.TransportError as cause:
            raise SkillrunError(f"No server responds at {self.base}: {cause}") from cause
        if reply.status_code >= 300:
            raise error_of(reply.status_code, reply.text, reply.headers)
        return reply


def _refuse_stray_step(path: str) -> None:
    if _STRAY_STEP.search(path):
        raise ValueError(f"An id is empty or only dots: {path} is the address of something else")


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


def _is_absence(error: Exception) -> bool:
    return isinstance(error, SkillrunError) and (error.status == 0 or error.status in _PASSING)


class _Absence:
    """How long a server that was there before is away, and the pauses before it is asked again."""

    def __init__(self) -> None:
        self.since: Optional[float] = None
        self.pauses = 0

    def is_over(self) -> bool:
        self.since = _now() if self.since is None else self.since
        return _now() - self.since >= _AWAY_SECONDS_MAX

    def pause(self, deadline: Optional[float]) -> float:
        self.pauses += 1
        seconds = min(_BREAK_PAUSE_SECONDS * 2.0 ** min(self.pauses - 1, 10), _AWAY_PAUSE_SECONDS_MAX)
        return seconds if deadline is None else max(0.0, min(seconds, deadline - _now()))


def _now() -> float:
    import time

    return time.monotonic()


def _check(deadline: Optional[float], id: str) -> None:
    if deadline is not None and _now() >= deadline:
        raise TimeoutError(f"Execution {id} has not ended in time; it goes on")


def _silence(deadline: Optional[float]) -> httpx.Timeout:
    """A stream is silent while nothing happens; the server sends a comment now and then."""
    left = 60.0 if deadline is None else max(0.05, min(60.0, deadline - _now()))
    return httpx.Timeout(left, connect=10.0)
