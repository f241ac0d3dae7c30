"""Server-sent events without any input or output: both clients share it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote

from ._errors import MnemeError

_MAX_EVENT_CHARS = 16 * 1024 * 1024


@dataclass(frozen=True)
class Event:
    """A change of the memory. Pass `id` as `after` to resume after a disconnect."""

    id: str
    data: Dict[str, Any]


def events_path(after: Optional[str]) -> str:
    return "/v1/events" if after is None else f"/v1/events?after={quote(after, safe='')}"


def check_event_stream(status: int, headers: Mapping[str, str]) -> bool:
    return status == 200 and headers.get("content-type", "").startswith("text/event-stream")


class EventReader:
    """Collects the lines of one event until a blank line ends it."""

    def __init__(self) -> None:
        self._fields: Dict[str, str] = {}
        self._size = 0

    def read(self, line: str) -> Optional[Event]:
        line = line.rstrip("\r\n")
        if line:
            name, colon, value = line.partition(":")
            if name and colon:
                self._fields[name] = self._fields.get(name, "") + value.lstrip()
            self._size += len(line)
            if self._size > _MAX_EVENT_CHARS:
                raise MnemeError("too_large", f"An event is larger than {_MAX_EVENT_CHARS} characters.")
            return None
        fields, self._fields, self._size = self._fields, {}, 0
        if "data" not in fields:
            return None
        parsed = json.loads(fields["data"])
        data = parsed if isinstance(parsed, dict) else {}
        if fields.get("event") == "ended":
            raise MnemeError("unavailable", str(data.get("message", "The stream has ended.")))
        return Event(fields.get("id", ""), data)
