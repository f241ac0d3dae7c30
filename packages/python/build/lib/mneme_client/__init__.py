"""Client of mneme, a memory engine for AI agents."""

from ._async_client import AsyncClient
from ._client import Client
from ._errors import MnemeError
from ._events import Event
from ._models import Added, Answer, Forgotten, Memory, Recalled, Version
from ._operations import CLIENT_VERSION

__version__ = CLIENT_VERSION

__all__ = [
    "Added",
    "Answer",
    "AsyncClient",
    "Client",
    "Event",
    "Forgotten",
    "Memory",
    "MnemeError",
    "Recalled",
    "Version",
    "__version__",
]
