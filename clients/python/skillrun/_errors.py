"""What calls of a server may raise."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Tuple, Union

from . import types

_PLACES = ("body", "query", "path", "header")


@dataclass(frozen=True)
class FailureDetail:
    """One problem of a request."""

    loc: Tuple[Union[str, int], ...]
    """The steps to the field: ``("body", "config", "json_schema")``."""
    path: str
    """The field as people write it: ``config.json_schema``; empty when the whole request is meant."""
    message: str
    type: str


class SkillrunError(Exception):
    """The server refused a request, or did not answer."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        details: Tuple[FailureDetail, ...] = (),
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status; 0 when there was no complete reply."""
        self.details = details
        self.request_id = request_id
        """Finds the request in the log of the server."""
        self.retry_after = retry_after
        """How long the server asks to wait, in seconds."""


class ExecutionNotCompleted(Exception):
    """An execution failed or paused. ``run`` raises it; ``run_settled`` returns the record instead."""

    def __init__(self, execution: types.AgentExecutionResponse) -> None:
        error = execution["error"]
        status = execution["status"]
        self.execution = execution
        self.code: str = error["code"] if error else status
        """``error.code`` of the record, such as ``needs_model``; ``paused`` for a paused execution."""
        self.retryable: bool = error["retryable"] if error else False
        """Whether the same request may succeed later."""
        what = "was paused" if status == "paused" else status
        reason = f"{error['message']} ({error['code']})" if error else execution["usage"].get("message")
        super().__init__(f"Execution {execution['id']} {what}" + (f": {reason}" if reason else ""))


def error_of(status: int, text: str, headers: Mapping[str, str]) -> SkillrunError:
    """The error that a reply other than 2xx describes."""
    sentence, details = _read(text)
    try:
        retry_after: Optional[float] = max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        retry_after = None
    return SkillrunError(
        sentence or f"The server returned {status} without an explanation",
        status=status,
        details=details,
        request_id=headers.get("x-request-id"),
        retry_after=retry_after,
    )


def _read(text: str) -> Tuple[Optional[str], Tuple[FailureDetail, ...]]:
    try:
        body: Any = json.loads(text)
    except ValueError:
        # A proxy may answer with a page of its own.
        return None, ()
    detail = body.get("detail") if isinstance(body, dict) else None
    if isinstance(detail, str):
        return detail, ()
    if not isinstance(detail, list) or not detail:
        return None, ()
    details: List[FailureDetail] = []
    for one in detail:
        found = one if isinstance(one, dict) else {}
        loc = tuple(found.get("loc") or ())
        path = ".".join(str(step) for step in (loc[1:] if loc and loc[0] in _PLACES else loc))
        message = str(found.get("msg", "not valid"))
        details.append(FailureDetail(loc, path, message, str(found.get("type", ""))))
    lines = [f"{one.path}: {one.message}" if one.path else one.message for one in details]
    return "\n".join(lines), tuple(details)
