"""Requests and responses without any input or output: both clients share it."""

from __future__ import annotations

import json
import random
import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from ._errors import MnemeError
from ._operations import CLIENT_VERSION, OPERATIONS

Message = Mapping[str, Any]
Content = Union[str, Sequence[Union[str, Message]]]
Instant = Union[datetime, str]

_CODES = {
    400: "invalid_input",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    415: "unsupported_type",
    422: "unprocessable",
    429: "rate_limited",
    499: "cancelled",
    500: "internal",
    503: "unavailable",
    504: "timeout",
}
_RETRYABLE_STATUSES = {429, 502, 503}
_MAX_RETRY_DELAY_S = 20.0
_FIRST_RETRY_DELAY_S = 0.15


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: Optional[bytes]
    #: True for reads, and for writes that the server deduplicates by their key.
    repeatable: bool


def tool_request(contract: str, tool: str, given: Mapping[str, Any]) -> Request:
    tools = OPERATIONS.get(contract)
    if tools is None:
        raise MnemeError("invalid_input", f'There is no contract "{contract}".', hint=f"There are {', '.join(OPERATIONS)}.")
    entry = tools.get(tool)
    if entry is None:
        raise MnemeError("invalid_input", f'The {contract} contract has no tool "{tool}".', hint=f"It has {', '.join(tools)}.")
    parts = entry.split(" ")
    effect, method, template = parts[0], "POST", f"/v1/{contract}/{tool}"
    if len(parts) == 3:
        method, template = parts[1], parts[2]
    arguments = {name: value for name, value in given.items() if value is not None}
    if effect == "k" and "idempotency_key" not in arguments:
        arguments["idempotency_key"] = str(uuid.uuid4())

    def fill(found: "re.Match[str]") -> str:
        value = arguments.pop(found.group(1), None)
        if not isinstance(value, str) or value == "":
            raise MnemeError("invalid_input", f"Missing {found.group(1)}: {contract}/{tool} needs it as text.")
        return quote(value, safe="")

    path = re.sub(r":(\w+)", fill, template)
    if method not in ("GET", "DELETE"):
        return Request(method, path, json.dumps(arguments).encode(), effect != "w")
    query = urlencode([(name, _query_text(value)) for name, value in arguments.items()])
    return Request(method, f"{path}?{query}" if query else path, None, effect != "w")


def _query_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def check_url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.netloc:
        raise MnemeError("invalid_input", f"Invalid URL: {text!r}", hint="For example http://127.0.0.1:7077.")
    if url.username is not None or url.query or url.fragment:
        raise MnemeError("invalid_input", "The URL of a server has no user, query or fragment.", hint="Pass the key as an argument.")
    path = url.path.rstrip("/")
    if path.endswith(("/mcp", "/v1")):
        raise MnemeError("invalid_input", f"The URL ends in {path[path.rindex('/'):]}.", hint="Use the address without it.")
    return f"{url.scheme}://{url.netloc}{path}"


def headers_for(key: Optional[str]) -> Dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": f"mneme-client/{CLIENT_VERSION}"}
    if key is None:
        return headers
    if re.fullmatch(r"[\x21-\x7e]+", key) is None:
        raise MnemeError("invalid_input", "Invalid key: it contains characters that a header cannot carry.")
    return {**headers, "Authorization": f"Bearer {key}"}


def read_answer(base: str, status: int, headers: Mapping[str, str], content: bytes) -> Any:
    if 300 <= status < 400:
        target = headers.get("location", "elsewhere")
        raise MnemeError(
            "unavailable", f"{base} redirects to {target}; the client does not follow redirects.", hint="Use the target URL, so that the key is sent to no other server.", reason="redirected"
        )
    if status == 204:
        return {}
    retry_after = _retry_after(headers)
    try:
        answer = json.loads(content)
    except ValueError:
        excerpt = content[:120].decode("utf-8", "replace")
        raise MnemeError(
            _code(status),
            f"{base} answered {status} with a body that is not JSON: {excerpt!r}",
            hint="A proxy or another program may have answered. Check the URL.",
            reason="not_json",
            status=status,
            retry_after=retry_after,
        ) from None
    if 200 <= status < 300:
        return answer
    body = answer if isinstance(answer, dict) else {}
    error = body.get("error") if isinstance(body.get("error"), dict) else {}
    assert isinstance(error, dict)
    texts = [error.get("message"), body.get("detail"), body.get("error"), body.get("message")]
    message = next((text for text in texts if isinstance(text, str)), f"The server answered {status}.")
    code = _code(status)
    reason = error.get("code") or body.get("code")
    hint = error.get("hint")
    if code == "not_found" and message.startswith(("There is no tool", "Nothing is served at")):
        reason = "unknown_tool"
        hint = f"The client is version {CLIENT_VERSION}; the server may be older. GET /healthz returns its version."
    raise MnemeError(
        code,
        message,
        hint=hint if isinstance(hint, str) else None,
        reason=reason if isinstance(reason, str) else None,
        status=status,
        retry_after=retry_after,
    )


def _code(status: int) -> str:
    return _CODES.get(status, "unavailable" if status >= 500 or status < 400 else "invalid_input")


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None


def wait_before(request: Request, failure: MnemeError, attempt: int, retries: int) -> Optional[float]:
    """Seconds until the next attempt; None if there is none."""
    passing = failure.reason == "unreachable" or failure.status in _RETRYABLE_STATUSES
    if attempt >= retries or not request.repeatable or not passing:
        return None
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= _MAX_RETRY_DELAY_S else None
    return float(_FIRST_RETRY_DELAY_S * 2**attempt * (0.5 + random.random()))


def instant_text(instant: Optional[Instant]) -> Optional[str]:
    if not isinstance(instant, datetime):
        return instant
    if instant.tzinfo is None:
        raise MnemeError("invalid_input", "The datetime has no time zone.", hint="For example datetime.now(timezone.utc).")
    return instant.isoformat()


def to_texts(content: Content) -> List[Tuple[str, Optional[str], Dict[str, Any]]]:
    """Text, kind and metadata of each memory; turns without text are skipped."""
    if isinstance(content, str):
        return [(content, None, {})]
    texts: List[Tuple[str, Optional[str], Dict[str, Any]]] = []
    for index, one in enumerate(content):
        if isinstance(one, str):
            texts.append((one, None, {}))
            continue
        if not isinstance(one, Mapping) or not isinstance(one.get("role"), str):
            raise MnemeError("invalid_input", f"Invalid message at {index}: expected text, or a role and content.")
        text = _message_text(one.get("content"))
        if text.strip():
            texts.append((text, "episodic", {"role": one["role"], "author": one.get("name") or one["role"]}))
    return texts


def _message_text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict) and part.get("type") == "text")
