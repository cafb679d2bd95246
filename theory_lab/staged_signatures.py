"""Types of the arguments of `simulate` and `recommend` for DP-ZOO, DP-ZOSO and DP-ZOPO, for editors and mypy; unused at run time."""

from collections.abc import Callable
from typing import Literal, NotRequired, TypedDict

from synthetic.draws import Direction, FloatArray


class ZooVariant(TypedDict, total=False):
    """Settings of every run of DP-ZOO, DP-ZOSO and DP-ZOPO: directions, regulariser, output of a stage, replicates, seed."""

    P: int
    anchor: float | None
    regulariser: Literal["explicit", "proximal"]
    direction: Direction
    radius: float | None
    output: Literal["last", "average", "suffix"]
    tail: float
    replicates: int
    seed: int
    batch_size: int | None
    threads: int | None
    progress: Callable[[int, int], None] | None
    sampling: Literal["without_replacement", "poisson"]


class ZooSettings(ZooVariant):
    """Settings of a run of DP-ZOO."""

    alpha: float
    T: int
    lam: NotRequired[float]
    C: float
    sigma: float


class ZooChanged(ZooVariant, total=False):
    """Settings that may be given besides a plan of DP-ZOO, in place of its own."""

    alpha: float
    T: int
    lam: float
    C: float
    sigma: float


class ZosoSettings(ZooVariant):
    """Settings of a run of DP-ZOSO; alpha, T and lam are numbers for the first stage, or one for each stage."""

    alpha: float | tuple[float, ...]
    T: int | tuple[int, ...]
    lam: NotRequired[float | tuple[float, ...]]
    C: float
    sigma: float
    stages: NotRequired[int]
    widening: NotRequired[float]


class ZosoChanged(ZooVariant, total=False):
    """Settings that may be given besides a plan of DP-ZOSO, in place of its own."""

    alpha: float | tuple[float, ...]
    T: int | tuple[int, ...]
    lam: float | tuple[float, ...]
    C: float
    sigma: float
    stages: int
    widening: float


class Masks(TypedDict, total=False):
    """Settings of the masks that choose which parameters are tuned."""

    strategy: Literal["static", "dynamic", "incremental"]
    weights: Literal["pruning", "rank"]
    upper: float
    lower: float
    score: Literal["synflow", "synflow_exact", "random"] | FloatArray
    score_P: int
    score_lam: float


class ZopoSettings(ZosoSettings, Masks):
    """Settings of a run of DP-ZOPO."""

    rates: float | tuple[float, ...]


class ZopoChanged(ZosoChanged, Masks, total=False):
    """Settings that may be given besides a plan of DP-ZOPO, in place of its own."""

    rates: float | tuple[float, ...]


class ZopoChoices(TypedDict, total=False):
    """Optional arguments of a recommendation for DP-ZOO, DP-ZOSO and DP-ZOPO."""

    weak: float
    sample_spread: float | None
    stages: int | None
    P: int
    batch_size: int | None
    target: float | None
    rates: float
    T_max: int | None
    ell: float | None
    r: float | None


class ZopoProblem(ZopoChoices):
    """Arguments of a recommendation for DP-ZOO, DP-ZOSO and DP-ZOPO, without an objective."""

    n: float
    d: float
    epsilon: float
    delta: float
    L: float
    growth_mu: float
    radius: float
    gap: float


class ZopoConstants(ZopoChoices, total=False):
    """Arguments of a recommendation for DP-ZOO, DP-ZOSO and DP-ZOPO, with an objective that has the constants."""

    n: float
    d: float
    L: float
    growth_mu: float
    radius: float
    gap: float
