"""Checks the signatures of callbacks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from typing import Mapping, Optional, Union


def verify_callback(
    headers: Mapping[str, str],
    body: Union[bytes, str],
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> bool:
    """Whether a callback comes from a server that knows the secret.

    ``body`` is the raw body: JSON that was parsed and written again has another signature. The headers of Standard
    Webhooks (``webhook-id``, ``webhook-timestamp``, ``webhook-signature``) decide when they are there, time included.
    Otherwise ``X-VLMRun-Signature`` decides, which does not protect against a replay. ``now`` is in seconds since 1970.
    Raises TypeError when ``body`` was already parsed.
    """
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(
            f"verify_callback: pass the raw body as bytes or str; body is a {type(body).__name__}. "
            "The signature covers the exact bytes that arrived, so read them before a JSON parser does."
        )
    raw = bytes(body)
    found = {name.lower(): value for name, value in headers.items()}
    signatures = found.get("webhook-signature")
    if signatures is None:
        match = re.fullmatch(r"sha256=([0-9a-f]{64})", found.get("x-vlmrun-signature", ""))
        expected = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
        return match is not None and hmac.compare_digest(match.group(1), expected)
    message_id, timestamp = found.get("webhook-id", ""), found.get("webhook-timestamp", "")
    if not message_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        return False
    key = _decoded(secret[len("whsec_") :]) if secret.startswith("whsec_") else secret.encode()
    if not key:
        return False
    expected_bytes = hmac.new(key, f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    given = [_decoded(one[3:]) for one in signatures.split(" ") if one.startswith("v1,")]
    return any([hmac.compare_digest(one, expected_bytes) for one in given])


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
