"""Which matrix products are asked of OpenBLAS, by made-up processors."""

import os

import numpy as np
import pytest

from synthetic import blas


@pytest.mark.parametrize(
    ("vectors", "kernels", "asked"),
    [
        (["X86_V3", "X86_V4", "AVX512_ICL"], ["Haswell"], "SkylakeX"),
        (["AVX512F", "AVX512_SKX"], ["Zen", "Haswell"], "SkylakeX"),
        (["X86_V3"], ["Haswell"], ""),  # a processor without
        (["X86_V4"], ["SkylakeX"], ""),  # chosen already
        (["X86_V4"], ["Haswell", "SapphireRapids"], ""),
        (["X86_V4"], [], ""),  # another library
        (["ASIMD"], ["neoversen1"], ""),
    ],
)
def test_wide_kernels_are_asked_for_where_openblas_overlooks_them(vectors, kernels, asked, monkeypatch):
    monkeypatch.setattr(np, "show_config", lambda mode: {"SIMD Extensions": {"found": vectors}})
    monkeypatch.setattr(blas, "threadpool_info", lambda: [{"internal_api": "openblas", "architecture": one} for one in kernels])
    monkeypatch.delenv(blas.CHOICE, raising=False)
    assert blas.wide_kernels() == asked
    with blas.avx512_products():
        assert os.environ.get(blas.CHOICE, "") == asked
    assert blas.CHOICE not in os.environ


def test_what_the_environment_says_is_left(monkeypatch):
    monkeypatch.setattr(blas, "wide_kernels", lambda: "SkylakeX")
    monkeypatch.setenv(blas.CHOICE, "Zen")
    with blas.avx512_products():
        assert os.environ[blas.CHOICE] == "Zen"
    assert os.environ[blas.CHOICE] == "Zen"
