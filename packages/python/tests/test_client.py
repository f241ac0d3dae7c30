"""Runs against the server whose URL is in MNEME_TEST_URL."""

from __future__ import annotations

import asyncio
import os
import threading
import unittest
from typing import List
from unittest.mock import patch

import httpx

from mneme_client import AsyncClient, Client, MnemeError

URL = os.environ["MNEME_TEST_URL"]


class SynchronousClient(unittest.TestCase):
    def test_life_of_a_memory(self) -> None:
        with Client(URL, owner="py", session="monday") as memory:
            (lamp,) = memory.add("The lamp in the hall is broken.", metadata={"room": "hall"})
            answer = memory.recall("Which lamp is broken?")
            self.assertEqual(answer.results[0].id, lamp.id)
            self.assertEqual(memory.search("lamp", by="words")[0].id, lamp.id)
            stored = memory.get(lamp.id)
            assert stored is not None
            self.assertEqual((stored.owner, stored.version, stored.metadata["session"]), ("py", 1, "monday"))
            self.assertEqual(memory.update(lamp.id, "The lamp works.").version, 2)
            with self.assertRaises(MnemeError) as refused:
                memory.update(lamp.id, "x", if_version=1)
            self.assertEqual(refused.exception.code, "conflict")
            self.assertEqual(memory.history(lamp.id)[0].text, "The lamp in the hall is broken.")
            self.assertTrue(memory.delete(lamp.id))
            self.assertIsNone(memory.get(lamp.id))

    def test_conversations_and_pages(self) -> None:
        with Client(URL, owner="pages/../ä \"q\"") as memory:
            turns = [{"role": "user", "content": f"Turn {index}"} for index in range(103)]
            self.assertEqual(len(memory.add([*turns, {"role": "assistant", "content": None}])), 103)
            self.assertEqual(len({one.text for one in memory.list()}), 103)
            self.assertEqual(memory.forget_all("pages/../ä \"q\"").memories, 103)
            self.assertEqual(list(memory.list()), [])

    def test_every_tool_is_a_method(self) -> None:
        with Client(URL) as memory:
            stored = memory.memory.store_memory(content="Typed", user_id="tools")
            self.assertTrue(memory.graph.get_node(node_id=stored["id"], owner_id="tools")["success"])
            fact = memory.stigmem.assert_fact(entity="person:py", relation="likes", value={"type": "string", "v": "tea"}, source="agent:py")
            self.assertEqual(memory.stigmem.get_fact(id=fact["id"])["entity"], "person:py")
            with self.assertRaises(MnemeError):
                memory.call("memory", "store_memroy", {})

    def test_events(self) -> None:
        with Client(URL, owner="events") as memory:
            stop = threading.Event()

            def write() -> None:
                with Client(URL, owner="events") as writer:
                    while not stop.is_set():
                        writer.add("A change")

            writing = threading.Thread(target=write)
            writing.start()
            try:
                event = next(memory.events())
            finally:
                stop.set()
                writing.join()
            self.assertEqual(event.data["owner"], "events")
            (late,) = memory.add("A later change")
            self.assertIn(late.id, (one.data["target"] for one in memory.events(after=event.id)))

    def test_a_write_with_its_key_runs_once(self) -> None:
        with Client(URL, owner="keys") as memory:
            self.assertEqual(memory.add("once", idempotency_key="k"), memory.add("once", idempotency_key="k"))


class BadServers(unittest.TestCase):
    def client(self, answers: List[httpx.Response]) -> Client:
        return Client("http://example.invalid", transport=httpx.MockTransport(lambda _: answers.pop(0)))

    def test_addresses_and_keys(self) -> None:
        for url in ("nonsense", "ftp://x", "http://x/mcp", "http://u:p@x"):
            with self.assertRaises(MnemeError):
                Client(url)
        with self.assertRaises(MnemeError):
            Client(URL, key="a\nb")
        with Client("http://127.0.0.1:1", retries=0) as nowhere, self.assertRaises(MnemeError) as absent:
            nowhere.recall("x")
        self.assertEqual(absent.exception.reason, "unreachable")

    def test_answers_of_others(self) -> None:
        cases = [
            (httpx.Response(200, text="<h1>Sign in</h1>"), "not_json"),
            (httpx.Response(302, headers={"location": "http://elsewhere"}), "redirected"),
            (httpx.Response(422, json={"detail": "Not so"}), "unprocessable"),
            (httpx.Response(404, json={"error": {"code": "not_found", "message": "There is no tool memory/x."}}), "unknown_tool"),
        ]
        for response, reason in cases:
            with self.client([response]) as memory, self.assertRaises(MnemeError) as failed:
                memory.recall("x")
            self.assertEqual(failed.exception.reason, reason)
        with Client("http://x", max_answer_bytes=10, transport=httpx.MockTransport(lambda _: httpx.Response(200, text="x" * 11))) as memory:
            with self.assertRaises(MnemeError) as large:
                memory.recall("x")
        self.assertEqual(large.exception.code, "too_large")

    def test_streams_of_others(self) -> None:
        ended = 'event: ended\ndata: {"message": "The server stops."}\n\n'
        stream = {"content-type": "text/event-stream"}
        cases = [
            (httpx.Response(200, text="<h1>Sign in</h1>"), "is not JSON"),
            (httpx.Response(200, json={}), "sent no event stream"),
            (httpx.Response(200, text=ended, headers=stream), "The server stops."),
        ]
        for response, message in cases:
            with self.client([response]) as memory, self.assertRaises(MnemeError) as failed:
                list(memory.events())
            self.assertIn(message, failed.exception.message)

    def test_repeats_where_it_is_safe(self) -> None:
        busy = httpx.Response(503, headers={"retry-after": "0"}, json={"error": {"code": "unavailable", "message": "busy"}})
        with self.client([busy, httpx.Response(200, json={"id": "stored"})]) as memory:
            self.assertEqual(memory.add("x")[0].id, "stored")
        limited = httpx.Response(429, headers={"retry-after": "3600"}, json={"error": {"code": "rate_limited", "message": "slow down"}})
        with self.client([limited]) as memory, self.assertRaises(MnemeError) as refused, patch("time.sleep") as slept:
            memory.recall("x")
        self.assertEqual((refused.exception.retry_after, slept.call_count), (3600.0, 0))


class AsynchronousClient(unittest.TestCase):
    def test_life_of_a_memory(self) -> None:
        async def life() -> None:
            async with AsyncClient(URL, owner="async") as memory:
                added = await memory.add(["one", {"role": "user", "content": [{"type": "text", "text": "two"}]}])
                self.assertEqual([one.text async for one in memory.list()], ["two", "one"])
                found, _ = await asyncio.gather(memory.recall("one"), memory.search("two"))
                self.assertIn(added[0].id, [one.id for one in found.results])
                self.assertTrue((await memory.graph.get_node(node_id=added[0].id, owner_id="async"))["success"])
                self.assertEqual((await memory.forget_all("async")).memories, 2)
                async for event in memory.events(after="0.0"):
                    self.assertTrue(event.id)
                    break

        asyncio.run(life())


if __name__ == "__main__":
    unittest.main()
