from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Type

import httpx

from ._errors import MnemeError
from ._events import Event, EventReader, check_event_stream, events_path
from ._models import Added, Answer, Forgotten, Memory, Recalled, Version, rows_in
from ._models import to_added, to_answer, to_forgotten, to_memory, to_recalled, to_version
from ._protocol import Content, Instant, Request, check_url, headers_for, instant_text, read_answer, to_texts, tool_request, wait_before
from ._tools import AccessTools, GraphTools, HooksTools, MemoryTools, StigmemTools, SubstrateTools

_PAGE_SIZE = 100


class Client:
    """The memory of a server. Calls without an owner use the owner of the client."""

    def __init__(
        self,
        url: str,
        *,
        key: Optional[str] = None,
        owner: Optional[str] = None,
        session: Optional[str] = None,
        timeout: float = 60.0,
        retries: int = 2,
        max_answer_bytes: int = 64 * 1024 * 1024,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        self._base = check_url(url)
        self._owner = owner
        self._session = session
        self._retries = retries
        self._max_answer_bytes = max_answer_bytes
        self._timeout = timeout
        self._http = httpx.Client(headers=headers_for(key), timeout=timeout, transport=transport, follow_redirects=False)
        self.memory: MemoryTools[Dict[str, Any]] = MemoryTools(self.call)
        self.graph: GraphTools[Dict[str, Any]] = GraphTools(self.call)
        self.substrate: SubstrateTools[Dict[str, Any]] = SubstrateTools(self.call)
        self.stigmem: StigmemTools[Dict[str, Any]] = StigmemTools(self.call)
        self.access: AccessTools[Dict[str, Any]] = AccessTools(self.call)
        self.hooks: HooksTools[Dict[str, Any]] = HooksTools(self.call)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def add(
        self,
        content: Content,
        *,
        owner: Optional[str] = None,
        session: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        kind: Optional[str] = None,
        supersedes: Optional[str] = None,
        event_time: Optional[Instant] = None,
        idempotency_key: Optional[str] = None,
    ) -> List[Added]:
        """Stores one text, several texts, or the turns of a conversation, in order."""
        added: List[Added] = []
        conversation = session or self._session
        for index, (text, own_kind, own) in enumerate(to_texts(content)):
            stored = self.call(
                "memory",
                "store_memory",
                {
                    "content": text,
                    "user_id": owner or self._owner,
                    "memory_type": kind or own_kind,
                    "supersedes": supersedes,
                    "event_time": instant_text(event_time),
                    "metadata": {**own, **({"session": conversation} if conversation else {}), **(metadata or {})},
                    "idempotency_key": f"{idempotency_key}:{index}" if idempotency_key else None,
                },
            )
            added.append(to_added(stored, text))
        return added

    def recall(
        self,
        question: str,
        *,
        owner: Optional[str] = None,
        limit: Optional[int] = None,
        as_of: Optional[Instant] = None,
        min_relevance: Optional[float] = None,
        token_budget: Optional[int] = None,
        effort: Optional[str] = None,
    ) -> Answer:
        """Memories that answer a question, by meaning, keywords and links."""
        asked = {
            "query": question,
            "user_id": owner or self._owner,
            "limit": limit,
            "as_of": instant_text(as_of),
            "min_relevance": min_relevance,
            "token_budget": token_budget,
            "effort": effort,
        }
        return to_answer(self.call("memory", "recall", asked))

    def search(self, text: str, *, owner: Optional[str] = None, limit: Optional[int] = None, by: str = "meaning") -> List[Recalled]:
        """The best matches of one index: `by` is "meaning" or "words"."""
        tool = "search_text" if by == "words" else "search"
        answer = self.call("memory", tool, {"query": text, "user_id": owner or self._owner, "limit": limit})
        return [to_recalled(one) for one in rows_in(answer, "results")]

    def get(self, id: str, *, owner: Optional[str] = None) -> Optional[Memory]:
        """None if the id is unknown."""
        try:
            return to_memory(self.call("memory", "get_memory", {"id": id, "user_id": owner or self._owner}))
        except MnemeError as failure:
            if failure.code == "not_found" and failure.reason != "unknown_tool":
                return None
            raise

    def list(self, *, owner: Optional[str] = None) -> Iterator[Memory]:
        """All memories, newest first, including ended ones, loaded page by page."""
        seen: Set[str] = set()
        offset = total = 0
        while True:
            page = self.call("memory", "list_memories", {"user_id": owner or self._owner, "limit": _PAGE_SIZE, "offset": offset})
            now = int(page.get("total", 0))
            if now < total and offset > 0:
                # Deletions since the last page moved the remaining rows forward.
                offset, total = max(0, offset - (total - now)), now
                continue
            total = now
            rows = rows_in(page, "memories")
            for row in rows:
                memory = to_memory(row)
                if memory.id not in seen:
                    seen.add(memory.id)
                    yield memory
            if not rows:
                return
            offset += len(rows)

    def update(
        self,
        id: str,
        text: Optional[str] = None,
        *,
        owner: Optional[str] = None,
        kind: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        if_version: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Memory:
        changed = {
            "id": id,
            "content": text,
            "user_id": owner or self._owner,
            "memory_type": kind,
            "metadata": None if metadata is None else dict(metadata),
            "if_version": if_version,
            "idempotency_key": idempotency_key,
        }
        return to_memory(self.call("memory", "update_memory", changed))

    def delete(self, id: str, *, owner: Optional[str] = None, idempotency_key: Optional[str] = None) -> bool:
        """Erases permanently; False if the id is unknown."""
        asked = {"id": id, "user_id": owner or self._owner, "idempotency_key": idempotency_key}
        answer = self.call("memory", "delete_memory", asked)
        return answer.get("deleted") is True

    def history(self, id: str, *, owner: Optional[str] = None) -> List[Version]:
        """The state before each change, newest first."""
        answer = self.call("memory", "get_memory_history", {"id": id, "user_id": owner or self._owner})
        return [to_version(one) for one in rows_in(answer, "versions")]

    def forget_all(self, owner: str) -> Forgotten:
        """Erases all data of an owner; the key needs the right `admin`."""
        if not owner:
            raise MnemeError("invalid_input", "forget_all needs an owner.")
        return to_forgotten(self.call("memory", "reset_all_memory", {"confirm": True, "user_id": owner}))

    def events(self, *, after: Optional[str] = None) -> Iterator[Event]:
        """Changes as they are committed by any process, after the event with that id or from now on."""
        reader = EventReader()
        timeout = httpx.Timeout(self._timeout, read=None)
        try:
            with self._http.stream("GET", self._base + events_path(after), headers={"Accept": "text/event-stream"}, timeout=timeout) as response:
                if not check_event_stream(response.status_code, response.headers):
                    read_answer(self._base, response.status_code, response.headers, response.read())
                    raise MnemeError("unavailable", f"{self._base} sent no event stream.", hint="Check the URL.", reason="not_json")
                for line in response.iter_lines():
                    event = reader.read(line)
                    if event is not None:
                        yield event
        except httpx.HTTPError as failure:
            raise MnemeError(
                "unavailable",
                f"The event stream of {self._base} ended ({failure}).",
                hint="Resume with the id of the last event as after.",
                reason="unreachable",
            ) from failure

    def call(self, contract: str, tool: str, arguments: Mapping[str, Any]) -> Dict[str, Any]:
        """Any tool of any contract by name."""
        request = tool_request(contract, tool, arguments)
        attempt = 0
        while True:
            try:
                answer = self._send(request)
                return answer if isinstance(answer, dict) else {"answer": answer}
            except MnemeError as failure:
                wait = wait_before(request, failure, attempt, self._retries)
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _send(self, request: Request) -> Any:
        try:
            with self._http.stream(request.method, self._base + request.path, content=request.body) as response:
                content = bytearray()
                for chunk in response.iter_bytes():
                    content += chunk
                    if len(content) > self._max_answer_bytes:
                        raise MnemeError("too_large", f"The answer is larger than {self._max_answer_bytes} bytes.", hint="Ask for less with limit.")
            return read_answer(self._base, response.status_code, response.headers, bytes(content))
        except httpx.TimeoutException as failure:
            raise MnemeError("timeout", f"No answer from {self._base} within {self._timeout} s.", hint="Raise timeout.") from failure
        except httpx.HTTPError as failure:
            raise MnemeError(
                "unavailable",
                f"No answer from {self._base} ({failure}).",
                hint="Is `mneme serve` running there? Check the URL and the network.",
                reason="unreachable",
            ) from failure
