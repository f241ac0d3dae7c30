from __future__ import annotations

from typing import Optional


class MnemeError(Exception):
    """A failed call: the code is stable, the hint says what to do."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: Optional[str] = None,
        reason: Optional[str] = None,
        status: Optional[int] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.reason = reason or code
        self.status = status
        self.retry_after = retry_after
