"""Types of the arguments of `simulate`, `recommend` and `audit` by method, for editors, notebooks and mypy; unused at run time."""

import inspect
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Literal, NotRequired, Required, TypedDict, get_args, get_overloads, get_type_hints, is_typeddict

import numpy.typing as npt

from bounds.gauss_psgd.scaled import Knobs
from bounds.privacy.gaussian import Accountant as Accountant
from synthetic.draws import Direction as Direction
from synthetic.draws import FloatArray
from synthetic.grids.grid import Precision as Precision
from synthetic.objectives.sums import Spectrum as Spectrum
from theory_lab.methods.dpzero import Private as Private
from theory_lab.methods.gauss_psgd import AuditedPart
from theory_lab.methods.gauss_psgd import Oracle as Oracle
from theory_lab.staged_signatures import Masks as Masks
from theory_lab.staged_signatures import ZooChanged as ZooChanged
from theory_lab.staged_signatures import ZooSettings as ZooSettings
from theory_lab.staged_signatures import ZooVariant as ZooVariant
from theory_lab.staged_signatures import ZopoChanged as ZopoChanged
from theory_lab.staged_signatures import ZopoChoices as ZopoChoices
from theory_lab.staged_signatures import ZopoConstants as ZopoConstants
from theory_lab.staged_signatures import ZopoProblem as ZopoProblem
from theory_lab.staged_signatures import ZopoSettings as ZopoSettings
from theory_lab.staged_signatures import ZosoChanged as ZosoChanged
from theory_lab.staged_signatures import ZosoSettings as ZosoSettings

OtherPrivate = Literal[
    "gauss_psgd", "frozen_psgd", "dp_grape", "dp_grape_blocks", "dp_sgd", "dp_adam", "dp_galore", "dp_zoo", "dp_zoso", "dp_zopo"
]
Audited = Private | OtherPrivate | AuditedPart  # what an audit attacks by its name


class Draws(TypedDict, total=False):
    """Settings of every run of DPZero, DPGD-0th, DP-GD and MeZO: replicates, seed, directions, batches, threads."""

    replicates: int
    seed: int
    direction: Direction
    batch_size: int | None
    sampling: Literal["without_replacement", "poisson"]
    threads: int | None
    progress: Callable[[int, int], None] | None


class MezoSettings(Draws):
    """Settings of a run of MeZO."""

    alpha: float
    T: int
    lam: NotRequired[float]


class Settings(MezoSettings):
    """Settings of a run of DPZero, DPGD-0th or DP-GD."""

    C: float
    sigma: float


class Changed(Draws, total=False):
    """Settings that may be given besides a plan of DPZero, DPGD-0th or DP-GD, in place of its own."""

    alpha: float
    T: int
    C: float
    lam: float
    sigma: float


class Choices(TypedDict, total=False):
    """Optional arguments of a recommendation for DPZero, DPGD-0th and DP-GD."""

    r: float | None
    B: float | None
    mu: float | None
    T_max: int | Literal["printed"] | None
    lam: float | None
    spectrum: str | npt.ArrayLike | None
    distance: float | None
    accountant: Accountant | Literal["lipschitz"] | None
    batch_size: int | None
    sampling: Literal["poisson", "without_replacement"] | None


class Needed(TypedDict):
    """Constants that every recommendation needs."""

    n: float
    d: float
    epsilon: float
    delta: float
    L: float
    ell: float


class Problem(Choices, Needed):
    """Arguments of a recommendation for DPZero, DPGD-0th and DP-GD, without an objective."""

    gap: float


class Constants(Choices, total=False):
    """Arguments of a recommendation for DPZero, DPGD-0th and DP-GD, with an objective that has the constants."""

    n: float
    d: float
    L: float
    ell: float
    gap: float


class PsgdDraws(TypedDict, total=False):
    """Settings of every run of Gauss-PSGD or of the earlier method: start, limits, replicates, seed."""

    x0: FloatArray | None
    limit: int | None
    keep_points: bool
    replicates: int
    seed: int
    threads: int | None
    progress: Callable[[int, int], None] | None


class PsgdVariant(PsgdDraws, total=False):
    """Variants of Gauss-PSGD and its oracles."""

    zeta: float
    period: int
    restart: Literal["continue", "history", "renew"]
    drift: Literal["estimates", "queries"]
    output: Literal["anchor", "last"]
    executor: Executor | None


class Batches(TypedDict, total=False):
    """Batch sizes and noise of an oracle."""

    b_1: int
    b_2: int
    sigma_1: float
    sigma_2: float
    kappa: float


class PsgdSettings(PsgdVariant, Batches):
    """Settings of a run of Gauss-PSGD."""

    oracle: Oracle
    n: NotRequired[int]
    eta: float
    chi: float
    R: float
    Gamma: int
    Q: int


class PsgdChanged(PsgdVariant, Batches, total=False):
    """Settings that may be given besides a plan of Gauss-PSGD, in place of its own."""

    oracle: Required[Oracle]
    eta: float
    chi: float
    R: float
    Gamma: int
    Q: int


class FrozenSettings(PsgdDraws):
    """Settings of a run of the earlier method, frozen_psgd."""

    n: int
    eta: float
    threshold: float
    extra: float
    frozen_steps: int
    b_1: int
    b_2: int
    sigma_1: float
    sigma_2: float
    kappa: float


class FrozenChanged(PsgdDraws, Batches, total=False):
    """Settings that may be given besides a plan to frozen_psgd, in place of its own."""

    eta: float
    threshold: float
    extra: float
    frozen_steps: int


class PsgdChoices(TypedDict, total=False):
    """Optional arguments of a recommendation for Gauss-PSGD."""

    m: float
    omega: float
    alpha: float | None
    knobs: Knobs | None
    s: float | None
    C_abs: float
    base: Literal["e", "2"]


class PsgdProblem(PsgdChoices, Needed):
    """Arguments of a recommendation for Gauss-PSGD, without an objective."""

    rho: float
    U: float


class PsgdConstants(PsgdChoices, total=False):
    """Arguments of a recommendation for Gauss-PSGD, with an objective that has the constants."""

    d: float
    L: float
    ell: float
    rho: float
    U: float


class GrapeDraws(TypedDict, total=False):
    """Settings of every run of DP-GRAPE and of the methods that it is compared with."""

    replicates: int
    seed: int
    batch_size: int | None
    threads: int | None
    progress: Callable[[int, int], None] | None
    sampling: Literal["without_replacement", "poisson"]


class Moments(TypedDict, total=False):
    """Constants of Adam."""

    beta1: float
    beta2: float
    phi: float


class Subspace(Moments, total=False):
    """Settings of the projection of gradients, and of the update in the subspace."""

    F: int
    update: Literal["sgd", "adam"]
    moments: Literal["kept", "reset", "reprojected"]
    side: Literal["smaller", "left"]
    refresh: Literal["start", "printed"]


class DpSgdSettings(GrapeDraws):
    """Settings of a run of DP-SGD."""

    alpha: float
    T: int
    C: float
    sigma: float


class DpAdamSettings(DpSgdSettings, Moments):
    """Settings of a run of DP-Adam."""


class DpGaloreSettings(DpSgdSettings, Subspace):
    """Settings of a run of naive DP-GaLore."""

    r: int


class GrapeSettings(DpGaloreSettings):
    """Settings of a run of DP-GRAPE."""

    projection: NotRequired[Literal["gaussian", "orthonormal"]]


class BlocksSettings(DpSgdSettings):
    """Settings of a run of DP-GRAPE in its flattened form, dp_grape_blocks."""

    r: int
    noise: NotRequired[Literal["fresh", "shared"]]


class GaloreSettings(GrapeDraws, Subspace):
    """Settings of a run of GaLore."""

    alpha: float
    T: int
    r: int


class GrapeChanged(GrapeDraws, Subspace, total=False):
    """Settings that may be given besides a plan of DP-GRAPE, in place of its own."""

    alpha: float
    T: int
    C: float
    sigma: float
    r: int
    projection: Literal["gaussian", "orthonormal"]


class BlocksChanged(GrapeDraws, total=False):
    """Settings that may be given besides a plan to dp_grape_blocks, in place of its own."""

    alpha: float
    T: int
    C: float
    sigma: float
    r: int
    noise: Literal["fresh", "shared"]


class GrapeChoices(TypedDict, total=False):
    """Optional arguments of a recommendation for DP-GRAPE."""

    layers: float
    block: float | None
    spread: float | None
    batch_size: int | None
    T_max: int | None


class GrapeProblem(GrapeChoices, Needed):
    """Arguments of a recommendation for DP-GRAPE, without an objective."""

    gap: float
    r: int


class GrapeConstants(GrapeChoices, total=False):
    """Arguments of a recommendation for DP-GRAPE, with an objective that has the constants."""

    n: float
    d: float
    L: float
    ell: float
    gap: float
    r: Required[int]


def complete_signature(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function with every keyword argument of its overloads, for completion in notebooks.

    A default ... stands for one that depends on the method; `**settings` at the end is for a method of one's own.
    """
    plain = inspect.unwrap(function)
    signature = inspect.signature(plain)
    known, words = dict(signature.parameters), dict[str, Any]()
    for one in get_overloads(plain):
        hints = get_type_hints(one)
        for name in inspect.signature(one).parameters:
            record = next(filter(is_typeddict, get_args(hints[name])), None)
            words |= get_type_hints(record) if record else {name: hints[name]}
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=kind)
        for name, kind in words.items()
        if name not in known
    ]
    *first, last = known.values()
    return signature.replace(parameters=[*first, *keywords, last])
