"""Matrix products of the processes that are started here, as wide as the processor allows."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from threadpoolctl import threadpool_info

CHOICE = "OPENBLAS_CORETYPE"  # read by OpenBLAS when a process loads it
NARROW = {"Haswell", "Zen"}  # kernels with vectors of 256 bits
WIDE = "SkylakeX"  # with 512 bits


def wide_kernels() -> str:
    """Return the kernels that OpenBLAS should take here, "" where its own choice is right.

    It chooses by the name of the processor. One that is newer than the library, and has AVX-512, is given the kernels of an older one
    without, which take twice the time.
    """
    found = np.show_config(mode="dicts") or {}
    vectors = (found.get("SIMD Extensions") or {}).get("found", [])
    has = any(name.startswith(("AVX512", "X86_V4")) for name in vectors)
    chosen = {one.get("architecture") for one in threadpool_info() if one.get("internal_api") == "openblas"}
    return WIDE if has and chosen and chosen <= NARROW else ""


@contextmanager
def avx512_products() -> Iterator[None]:
    """Let processes that are started meanwhile multiply with AVX-512 where the processor has it, unless the environment says otherwise."""
    wide = "" if CHOICE in os.environ else wide_kernels()
    if wide:
        os.environ[CHOICE] = wide
    try:
        yield
    finally:
        if wide:
            os.environ.pop(CHOICE, None)
