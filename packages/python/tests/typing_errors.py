"""Each line is an error of types: an ignore that is not needed fails the check."""

from mneme_client import Client


def wrong(memory: Client) -> None:
    memory.memory.store_memory(text="x")  # type: ignore[call-arg]
    memory.memory.recall(query="x", effort="slow")  # type: ignore[arg-type]
    memory.recall(5)  # type: ignore[arg-type]
    memory.add("x", ovner="ann")  # type: ignore[call-arg]
