"""What the calls at the front door take for methods in stages, for editors, notebooks and mypy; nothing here is needed to run."""

from collections.abc import Callable
from typing import Literal, NotRequired, TypedDict

from synthetic.draws import Direction, FloatArray


class ZooVariant(TypedDict, total=False):
    """How DP-ZOO steps, draws and hands on."""

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
    """What a run of DP-ZOO takes."""

    alpha: float
    T: int
    lam: NotRequired[float]
    C: float
    sigma: float


class ZooChanged(ZooVariant, total=False):
    """What may be given besides a plan of DP-ZOO."""

    alpha: float
    T: int
    lam: float
    C: float
    sigma: float


class ZosoSettings(ZooVariant):
    """What a run of DP-ZOSO takes: numbers of the first stage, or of each."""

    alpha: float | tuple[float, ...]
    T: int | tuple[int, ...]
    lam: NotRequired[float | tuple[float, ...]]
    C: float
    sigma: float
    stages: NotRequired[int]
    widening: NotRequired[float]


class ZosoChanged(ZooVariant, total=False):
    """What may be given besides a plan of DP-ZOSO."""

    alpha: float | tuple[float, ...]
    T: int | tuple[int, ...]
    lam: float | tuple[float, ...]
    C: float
    sigma: float
    stages: int
    widening: float


class Masks(TypedDict, total=False):
    """How parameters are chosen."""

    strategy: Literal["static", "dynamic", "incremental"]
    weights: Literal["pruning", "rank"]
    upper: float
    lower: float
    score: Literal["synflow", "synflow_exact", "random"] | FloatArray
    score_P: int
    score_lam: float


class ZopoSettings(ZosoSettings, Masks):
    """What a run of DP-ZOPO takes."""

    rates: float | tuple[float, ...]


class ZopoChanged(ZosoChanged, Masks, total=False):
    """What may be given besides a plan of DP-ZOPO."""

    rates: float | tuple[float, ...]


class ZopoChoices(TypedDict, total=False):
    """What a recommendation takes besides the constants that it needs."""

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
    """The constants that it needs."""

    n: float
    d: float
    epsilon: float
    delta: float
    L: float
    growth_mu: float
    radius: float
    gap: float


class ZopoConstants(ZopoChoices, total=False):
    """The constants that an objective knows by itself."""

    n: float
    d: float
    L: float
    growth_mu: float
    radius: float
    gap: float
