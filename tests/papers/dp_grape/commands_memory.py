"""The command `memory` and the figure of memory: options at values that are no defaults, a call to be spoilt, the figure."""

import theory_lab as lab

TRIED = {
    ("memory",): {
        "model": "opt-1.3b", "r": 3, "batch": 7, "bytes": 2, "activations": "120MB", "memory": "24GB",
        "latex": True, "csv": True, "json": True,
    },
}  # fmt: skip
REQUIRED = {("memory",): {"model", "r", "batch"}}
LEFT_OUT = {("memory",): {"bytes": 4, "latex": False, "csv": False, "json": False}}
CALLS = {
    "memory": (lab.memory, ("dp_grape",), {
        "model": "vit-base", "r": 16, "batch": 40, "bytes": 4, "activations": 1e6, "memory": 24e9,
    }),
}  # fmt: skip
LESS = {"grape-memory": "vit 1 to 500 (4) of 1 to 500 (21), roberta 1 to 64 (4) of 1 to 64 (17), opt 1 to 16 (4) of 1 to 16 (16)"}
RECORDS = {"grape-memory": "tests.figures.dp_grape.test_memory:memory_record"}


def pictures():
    """The figure of its preview, which takes no time."""
    from figures.dp_grape import memory as grape_memory

    return {grape_memory.NAME: grape_memory.draw(grape_memory.data(grape_memory.PREVIEW))}
