"""Tests of the client against a server at SKILLRUN_URL with the key SKILLRUN_API_KEY; test/python-client.test.ts starts it."""

from __future__ import annotations

import asyncio
import http.server
import io
import json
import os
import tempfile
import threading
import unittest
import uuid
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple, cast
from unittest import mock

import httpx

from skillrun import AsyncSkillrun, ExecutionNotCompleted, Skillrun, SkillrunError, types, verify_callback

SCHEMA: Dict[str, Any] = {"type": "object", "properties": {"total": {"type": ["number", "null"]}}}
REQUEST: types.AgentExecuteRequest = {
    "inputs": {"mail": "Total: EUR 12.50"},
    "config": {"prompt": "Extract the total of this receipt", "json_schema": SCHEMA},
}
POEM: types.AgentExecuteRequest = {"inputs": {"text": "Total: 5.00"}, "config": {"prompt": "Write a poem about this"}}


def changed(**changes: Any) -> types.AgentExecuteRequest:
    return cast(types.AgentExecuteRequest, {**REQUEST, **changes})


SECRET = os.environ["SKILLRUN_CALLBACK_SECRET"]


class Flaky(httpx.BaseTransport):
    """Fails the first requests, and cuts each event stream after a few pieces."""

    def __init__(self, failures: int = 0, cuts: int = 0, status: int = 503) -> None:
        self.inner = httpx.HTTPTransport()
        self.failures, self.cuts, self.status = failures, cuts, status
        self.requests: List[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.failures > 0:
            self.failures -= 1
            if self.status == 0:
                raise httpx.ConnectError("refused")
            return httpx.Response(self.status, headers={"Retry-After": "0"}, json={"detail": "overloaded"})
        reply = self.inner.handle_request(request)
        if self.cuts > 0 and request.url.path.endswith("/events"):
            self.cuts -= 1
            return httpx.Response(reply.status_code, headers=reply.headers, stream=Cut(reply.stream))
        return reply

    def close(self) -> None:
        self.inner.close()


class Cut(httpx.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.stream:
            yield piece
            raise httpx.ReadError("cut")

    def close(self) -> None:
        self.stream.close()


class Restarting(httpx.BaseTransport):
    """Cuts the first event stream after a few pieces, and is then away for a while, on a clock that pauses move."""

    def __init__(self, away_seconds: float) -> None:
        self.inner = httpx.HTTPTransport()
        self.away_seconds, self.now, self.back_at = away_seconds, 0.0, -1.0
        self.refused = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.now < self.back_at:
            self.refused += 1
            raise httpx.ConnectError("refused")
        reply = self.inner.handle_request(request)
        if self.back_at >= 0 or not request.url.path.endswith("/events"):
            return reply
        self.back_at = self.now + self.away_seconds
        return httpx.Response(reply.status_code, headers=reply.headers, stream=Cut(reply.stream))

    def close(self) -> None:
        self.inner.close()

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def __enter__(self) -> "Restarting":
        self.patches: List[Any] = [mock.patch("time.sleep", self.sleep), mock.patch("time.monotonic", lambda: self.now)]
        for patch in self.patches:
            patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        for patch in self.patches:
            patch.stop()


class SynchronousTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Skillrun()
        self.addCleanup(self.client.close)

    def over(self, transport: httpx.BaseTransport, url: Optional[str] = None) -> Skillrun:
        """A client whose requests take this way; it is closed after the test."""
        client = Skillrun(url, transport=transport)
        self.addCleanup(client.close)
        return client

    def test_run_returns_the_completed_execution_and_reports_its_events(self) -> None:
        events: List[types.ExecutionEvent] = []
        execution = self.client.run(REQUEST, on_event=events.append)
        self.assertEqual(execution["response"], {"total": 12.5})
        self.assertEqual(events[-1]["event"], "status")
        self.assertEqual(len({event["id"] for event in events}), len(events))

    def test_run_raises_when_the_execution_fails_and_run_settled_returns_it(self) -> None:
        with self.assertRaises(ExecutionNotCompleted) as raised:
            self.client.run(POEM)
        self.assertEqual((raised.exception.code, raised.exception.retryable), ("needs_model", False))
        self.assertIn("needs_model", str(raised.exception))
        self.assertEqual(self.client.run_settled(POEM)["status"], "failed")

    def test_a_refused_request_names_the_field(self) -> None:
        with self.assertRaises(SkillrunError) as raised:
            self.client.execute({"inputs": REQUEST["inputs"], "config": {"max_steps": 0}})
        error = raised.exception
        self.assertEqual((error.status, error.details[0].path), (422, "config.max_steps"))
        self.assertIn("config.max_steps", str(error))
        self.assertTrue(error.request_id)

    def test_a_wrong_key_and_an_absent_server(self) -> None:
        with Skillrun(key="wrong") as stranger, self.assertRaises(SkillrunError) as raised:
            stranger.list_executions()
        self.assertEqual(raised.exception.status, 401)
        with self.assertRaises(SkillrunError) as raised:
            self.over(Flaky(99, status=0), "http://127.0.0.1:1")._send("GET", "/v1/models")
        self.assertEqual(raised.exception.status, 0)
        self.assertIn("No server responds at http://127.0.0.1:1", str(raised.exception))
        with self.assertRaisesRegex(ValueError, "not an http or https URL"):
            Skillrun("localhost:8080")

    def test_an_empty_id_and_a_key_that_no_header_can_have(self) -> None:
        for stray in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "An id is empty"):
                self.client.get_execution(stray)
            with self.assertRaisesRegex(ValueError, "An id is empty"):
                self.client.delete_file(stray)
            with self.assertRaisesRegex(ValueError, "An id is empty"):
                next(iter(self.client.events(stray)))
        with self.assertRaisesRegex(ValueError, "The key contains"):
            Skillrun(key="a-key-from-a-file\n")

    def test_repeats_what_is_safe_to_repeat_and_nothing_else(self) -> None:
        transport = Flaky(failures=3)
        execution = self.over(transport).execute(REQUEST)
        ids = {json.loads(request.content)["id"] for request in transport.requests}
        self.assertEqual((len(transport.requests), ids), (4, {execution["id"]}))
        self.assertEqual(len(self.over(Flaky(failures=2, status=0)).list_models()) > 0, True)
        transport = Flaky(failures=1)
        with self.assertRaises(SkillrunError):
            self.over(transport).cancel_execution(execution["id"])
        self.assertEqual(len(transport.requests), 1)
        transport = Flaky(failures=99)
        with self.assertRaises(SkillrunError) as raised:
            self.over(transport).list_models()
        self.assertEqual((raised.exception.status, len(transport.requests)), (503, 5))

    def test_a_cut_event_stream_goes_on_where_it_was_cut(self) -> None:
        transport = Flaky(cuts=2)
        client = self.over(transport)
        execution = client.execute(REQUEST)
        whole = [event["id"] for event in self.client.events(execution["id"])]
        self.assertEqual([event["id"] for event in client.events(execution["id"])], whole)

    def test_events_and_waits_go_on_after_the_server_was_away_for_minutes(self) -> None:
        execution = self.client.execute(REQUEST)
        whole = [event["id"] for event in self.client.events(execution["id"])]
        with Restarting(240) as transport:
            self.assertEqual([event["id"] for event in self.over(transport).events(execution["id"])], whole)
            self.assertGreater(transport.refused, 10)
        with Restarting(240) as transport:
            seen: List[Any] = []
            record = self.over(transport).wait(execution["id"], on_event=seen.append)
        self.assertEqual([record["status"], [event["id"] for event in seen]], ["completed", whole])

    def test_a_server_that_stays_away_ends_events_and_waits(self) -> None:
        execution = self.client.execute(REQUEST)
        with Restarting(3600) as transport, self.assertRaisesRegex(SkillrunError, "No server responds"):
            list(self.over(transport).events(execution["id"]))
        self.assertTrue(300 <= transport.now <= 330, transport.now)
        with Restarting(3600) as transport, self.assertRaises(TimeoutError):
            list(self.over(transport).events(execution["id"], deadline=60.0))
        self.assertTrue(60 <= transport.now <= 70, transport.now)

    def test_wait_stops_in_time_and_the_execution_goes_on(self) -> None:
        execution = self.client.execute(REQUEST)
        with self.assertRaisesRegex(TimeoutError, execution["id"]):
            self.client.wait(execution["id"], timeout=0.0, on_event=lambda _: None)
        self.assertEqual(self.client.wait(execution["id"])["status"], "completed")

    def test_wait_reports_every_event_once_also_those_after_a_pause(self) -> None:
        config: Any = {"prompt": "Extract the total", "json_schema": SCHEMA, "require_approval": "completion"}
        before: List[Any] = []
        paused = self.client.run_settled(changed(config=config), on_event=before.append)
        self.assertEqual([paused["status"], before[-1]["data"]["status"]], ["paused", "paused"])
        self.client.approve_execution(paused["id"])
        self.client.wait(paused["id"])
        events: List[Any] = []
        self.assertEqual(self.client.wait(paused["id"], on_event=events.append)["status"], "completed")
        self.assertEqual(events[: len(before)], before)
        self.assertEqual(events[-1]["data"]["status"], "completed")
        self.assertEqual(len({event["id"] for event in events}), len(events))

    def test_wait_reports_the_events_between_two_pauses(self) -> None:
        approval = {"completion": True, "tools": ["document.search"]}
        config: Any = {"prompt": 'document.search({"query": "total"})', "require_approval": approval}
        paused = self.client.run_settled(changed(config=config))
        self.client.approve_execution(paused["id"])
        self.assertEqual(self.client.wait(paused["id"])["status"], "paused")
        events: List[Any] = []
        self.assertEqual(self.client.wait(paused["id"], on_event=events.append)["status"], "paused")
        pauses = [event for event in events if event["data"].get("status") == "paused"]
        self.assertEqual([pauses[1:], len(pauses)], [events[-1:], 2])
        self.assertEqual(len({event["id"] for event in events}), len(events))

    def test_uploads_a_path_bytes_and_an_open_file_and_downloads_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "receipt \u00fc.txt"
            path.write_text("Total: EUR 7.00")
            stored = [self.client.upload(path), self.client.upload(b"Total: EUR 7.00", filename="bytes.txt")]
            stored.append(self.client.upload(io.BytesIO(b"Total: EUR 7.00"), filename="open.txt"))
        self.assertEqual([one["filename"] for one in stored], ["receipt \u00fc.txt", "bytes.txt", "open.txt"])
        self.assertEqual({self.client.download(one["id"]) for one in stored}, {b"Total: EUR 7.00"})
        request: types.AgentExecuteRequest = {
            "inputs": {"receipt": {"type": "input_file", "file_id": stored[0]["id"]}},
            "config": REQUEST["config"],
        }
        self.assertEqual(self.client.run(request)["response"], {"total": 7})

    def test_iterates_over_all_pages(self) -> None:
        client_id = f"page-{uuid.uuid4()}"
        session = str(uuid.uuid4())
        made = {
            self.client.execute(changed(id=f"{client_id}-{n}", metadata={"session_id": session}))["id"]
            for n in range(7)
        }
        found = [one["id"] for one in self.client.iterate_executions(session_id=session, limit=3)]
        self.assertEqual((len(found), set(found)), (7, made))

    def test_skills_keys_and_other_operations(self) -> None:
        key = self.client.create_key({"name": "python", "scopes": ["read"]})
        with Skillrun(key=key["key"]) as reader, self.assertRaises(SkillrunError) as raised:
            reader.execute(REQUEST)
        self.assertEqual(raised.exception.status, 403)
        self.client.revoke_key(key["id"])
        estimate = self.client.estimate_execution(REQUEST)
        self.assertEqual(estimate["agent"]["standard"]["expected_dollars"], 0)
        execution = self.client.run(REQUEST)
        self.assertTrue(self.client.list_execution_steps(execution["id"]))
        usage = self.client.get_usage(group_by="day")
        self.assertTrue(usage)


class AsynchronousTest(unittest.IsolatedAsyncioTestCase):
    async def test_twenty_at_once(self) -> None:
        async with AsyncSkillrun() as client:
            done = await asyncio.gather(*(client.run(REQUEST) for _ in range(20)))
        self.assertEqual([one["response"] for one in done], [{"total": 12.5}] * 20)

    async def test_events_uploads_pages_and_failures(self) -> None:
        async with AsyncSkillrun() as client:
            stored = await client.upload(b"Total: EUR 7.00", filename="a.txt")
            self.assertEqual(await client.download(stored["id"]), b"Total: EUR 7.00")
            execution = await client.execute(REQUEST)
            events = [event async for event in client.events(execution["id"])]
            self.assertEqual(events[-1]["event"], "status")
            self.assertIn(execution["id"], [one["id"] async for one in client.iterate_executions(limit=5)])
            with self.assertRaises(ExecutionNotCompleted):
                await client.run(POEM)


class CallbackTest(unittest.TestCase):
    def test_verifies_callbacks_of_the_server(self) -> None:
        received: "List[Tuple[Dict[str, str], bytes]]" = []
        came = threading.Event()

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((dict(self.headers.items()), body))
                self.send_response(204)
                self.end_headers()
                came.set()

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with Skillrun() as client:
            client.run(changed(callback_url=f"http://127.0.0.1:{server.server_port}/"))
        self.assertTrue(came.wait(60))
        headers, body = received[0]
        self.assertTrue(verify_callback(headers, body, SECRET))
        self.assertTrue(verify_callback(headers, body.decode(), SECRET))
        self.assertFalse(verify_callback(headers, body + b" ", SECRET))
        self.assertFalse(verify_callback(headers, body, SECRET + "x"))
        self.assertFalse(verify_callback(headers, body, SECRET, now=0))
        for name in ("webhook-id", "webhook-timestamp"):
            without = {key: value for key, value in headers.items() if key.lower() != name}
            self.assertFalse(verify_callback(without, body, SECRET))
        plain = {key: value for key, value in headers.items() if not key.lower().startswith("webhook-")}
        self.assertTrue(verify_callback(plain, body, SECRET))
        self.assertFalse(verify_callback(plain, body + b" ", SECRET))
        with self.assertRaisesRegex(TypeError, "raw body"):
            verify_callback(headers, json.loads(body), SECRET)


if __name__ == "__main__":
    unittest.main()
