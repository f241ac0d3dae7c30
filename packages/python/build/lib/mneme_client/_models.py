from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional

_FRACTION = re.compile(r"\.(\d{1,6})\d*")


@dataclass(frozen=True)
class Added:
    id: str
    text: str


@dataclass(frozen=True)
class Memory:
    """A stored memory. `owner` is None for the default owner, `valid_until` is None while it is current."""

    id: str
    text: str
    kind: str
    owner: Optional[str]
    created_at: datetime
    event_at: datetime
    valid_from: datetime
    valid_until: Optional[datetime]
    importance: float
    version: int
    subject: Optional[str]
    predicate: Optional[str]
    metadata: Dict[str, Any]
    stale: bool
    superseded_by: Optional[str]


@dataclass(frozen=True)
class Recalled:
    """A result of a search. `relevance` is None if only one index was searched."""

    id: str
    text: str
    score: float
    relevance: Optional[float]
    date: Optional[str]
    author: Optional[str]
    owner: Optional[str]
    stale: bool
    superseded_by: Optional[str]
    caution: Optional[str]


@dataclass(frozen=True)
class Answer:
    results: List[Recalled]
    confidence: Optional[float]
    notice: Optional[str]


@dataclass(frozen=True)
class Version:
    """The state of a memory before one change."""

    id: str
    text: Optional[str]
    changed_at: Optional[datetime]
    changed_by: Optional[str]
    operation: Optional[str]
    reason: Optional[str]
    metadata: Optional[Dict[str, Any]]


@dataclass(frozen=True)
class Forgotten:
    memories: int
    entities: int
    relations: int
    copy: Optional[str]


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _id(value: object) -> str:
    if isinstance(value, dict) and isinstance(value.get("id"), dict):
        return str(value["id"].get("String", ""))
    return value if isinstance(value, str) else ""


def _instant(value: object) -> datetime:
    if isinstance(value, (int, float)):
        return datetime.fromtimestamp(value / 1000, timezone.utc)
    text = _FRACTION.sub(lambda found: "." + found.group(1).ljust(6, "0"), str(value))
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def rows_in(answer: Mapping[str, Any], name: str) -> List[Mapping[str, Any]]:
    rows = answer.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def to_added(row: Mapping[str, Any], text: str) -> Added:
    return Added(id=str(row.get("id", "")), text=text)


def to_memory(row: Mapping[str, Any]) -> Memory:
    superseded_by = _text(row.get("superseded_by"))
    valid_until = None if row.get("valid_until") is None else _instant(row["valid_until"])
    ended = valid_until is not None and valid_until <= datetime.now(timezone.utc)
    return Memory(
        id=_id(row.get("id")),
        text=str(row.get("content", "")),
        kind=str(row.get("memory_type", "semantic")),
        owner=_text(row.get("user_id")),
        created_at=_instant(row["ingestion_time"]),
        event_at=_instant(row["event_time"]),
        valid_from=_instant(row["valid_from"]),
        valid_until=valid_until,
        importance=float(row.get("importance_score", 0)),
        version=int(row.get("version", 0)),
        subject=_text(row.get("subject")),
        predicate=_text(row.get("predicate")),
        metadata=dict(row.get("metadata") or {}),
        stale=superseded_by is not None or ended,
        superseded_by=superseded_by,
    )


def to_recalled(row: Mapping[str, Any]) -> Recalled:
    superseded_by = _text(row.get("superseded_by_newer"))
    relevance = row.get("relevance")
    return Recalled(
        id=_id(row.get("id")),
        text=str(row.get("content", "")),
        score=float(row.get("score", 0)),
        relevance=None if relevance is None else float(relevance),
        date=_text(row.get("date")),
        author=_text(row.get("author")),
        owner=_text(row.get("user_id")),
        stale=superseded_by is not None,
        superseded_by=superseded_by,
        caution=_text(row.get("caution")),
    )


def to_version(row: Mapping[str, Any]) -> Version:
    at = row.get("version_timestamp")
    return Version(
        id=str(row.get("version_id", "")),
        text=_text(row.get("text")),
        changed_at=None if at is None else _instant(at),
        changed_by=_text(row.get("changed_by")),
        operation=_text(row.get("operation")),
        reason=_text(row.get("reason")),
        metadata=row["metadata"] if isinstance(row.get("metadata"), dict) else None,
    )


def to_answer(row: Mapping[str, Any]) -> Answer:
    confidence = row.get("confidence")
    return Answer(
        results=[to_recalled(one) for one in rows_in(row, "results")],
        confidence=None if confidence is None else float(confidence),
        notice=_text(row.get("notice")),
    )


def to_forgotten(row: Mapping[str, Any]) -> Forgotten:
    deleted = row.get("deleted") or {}
    return Forgotten(
        memories=int(deleted.get("memories", 0)),
        entities=int(deleted.get("entities", 0)),
        relations=int(deleted.get("relations", 0)),
        copy=_text(row.get("copy")),
    )
