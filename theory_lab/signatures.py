"""What the calls at the front door take, for editors, notebooks and mypy; nothing here is needed to run."""

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
from theory_lab.methods.dpzero import InLaw as InLaw
from theory_lab.methods.dpzero import Private as Private
from theory_lab.methods.gauss_psgd import Oracle as Oracle
from theory_lab.methods.gauss_psgd import Part
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
Audited = Private | OtherPrivate | Part  # what an audit attacks by its name


class Draws(TypedDict, total=False):
    """What every run takes."""

    replicates: int
    seed: int
    direction: Direction
    batch_size: int | None
    threads: int | None
    progress: Callable[[int, int], None] | None


class MezoSettings(Draws):
    """What a run of MeZO takes."""

    alpha: float
    T: int
    lam: NotRequired[float]


class Settings(MezoSettings):
    """What a private run takes."""

    C: float
    sigma: float


class Changed(Draws, total=False):
    """What may be given besides a plan."""

    alpha: float
    T: int
    C: float
    lam: float
    sigma: float


class Choices(TypedDict, total=False):
    """What a recommendation takes besides the constants that it needs."""

    r: float | None
    B: float | None
    mu: float | None
    T_max: int | Literal["printed"] | None
    lam: float | None
    spectrum: str | npt.ArrayLike | None
    distance: float | None
    accountant: Accountant | Literal["lipschitz"] | None


class Needed(TypedDict):
    """The constants that every recommendation needs."""

    n: float
    d: float
    epsilon: float
    delta: float
    L: float
    ell: float


class Problem(Choices, Needed):
    """The constants that it needs."""

    gap: float


class Constants(Choices, total=False):
    """The constants that an objective knows by itself."""

    n: float
    d: float
    L: float
    ell: float
    gap: float


class PsgdDraws(TypedDict, total=False):
    """What every run takes."""

    x0: FloatArray | None
    limit: int | None
    keep_points: bool
    replicates: int
    seed: int
    threads: int | None
    progress: Callable[[int, int], None] | None


class PsgdVariant(PsgdDraws, total=False):
    """How Gauss-PSGD and its oracles run."""

    zeta: float
    period: int
    restart: Literal["continue", "history", "renew"]
    drift: Literal["estimates", "queries"]
    output: Literal["anchor", "last"]
    executor: Executor | None


class Batches(TypedDict, total=False):
    """Batches and noise of the oracle."""

    b_1: int
    b_2: int
    sigma_1: float
    sigma_2: float
    kappa: float


class PsgdSettings(PsgdVariant, Batches):
    """What a run of Gauss-PSGD takes."""

    oracle: Oracle
    n: NotRequired[int]
    eta: float
    chi: float
    R: float
    Gamma: int
    Q: int


class PsgdChanged(PsgdVariant, Batches, total=False):
    """What may be given besides a plan of Gauss-PSGD."""

    oracle: Required[Oracle]
    eta: float
    chi: float
    R: float
    Gamma: int
    Q: int


class FrozenSettings(PsgdDraws):
    """What a run of the earlier method takes."""

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
    """What may be given besides a plan of the earlier method."""

    eta: float
    threshold: float
    extra: float
    frozen_steps: int


class PsgdChoices(TypedDict, total=False):
    """What a recommendation takes besides the constants that it needs."""

    m: float
    omega: float
    alpha: float | None
    knobs: Knobs | None
    s: float | None
    C_abs: float
    base: Literal["e", "2"]


class PsgdProblem(PsgdChoices, Needed):
    """The constants that it needs."""

    rho: float
    U: float


class PsgdConstants(PsgdChoices, total=False):
    """The constants that an objective knows by itself."""

    d: float
    L: float
    ell: float
    rho: float
    U: float


class GrapeDraws(TypedDict, total=False):
    """What every run of DP-GRAPE, and of what it is compared with, takes."""

    replicates: int
    seed: int
    batch_size: int | None
    threads: int | None
    progress: Callable[[int, int], None] | None
    sampling: Literal["without_replacement", "poisson"]


class Moments(TypedDict, total=False):
    """The constants of Adam."""

    beta1: float
    beta2: float
    phi: float


class Subspace(Moments, total=False):
    """How gradients are projected, and how the update is made."""

    F: int
    update: Literal["sgd", "adam"]
    moments: Literal["kept", "reset", "reprojected"]
    side: Literal["smaller", "left"]
    refresh: Literal["start", "printed"]


class DpSgdSettings(GrapeDraws):
    """What a run of DP-SGD takes."""

    alpha: float
    T: int
    C: float
    sigma: float


class DpAdamSettings(DpSgdSettings, Moments):
    """What a run of DP-Adam takes."""


class DpGaloreSettings(DpSgdSettings, Subspace):
    """What a run of naive DP-GaLore takes."""

    r: int


class GrapeSettings(DpGaloreSettings):
    """What a run of DP-GRAPE takes."""

    projection: NotRequired[Literal["gaussian", "orthonormal"]]


class BlocksSettings(DpSgdSettings):
    """What a run of its flattened form takes."""

    r: int
    noise: NotRequired[Literal["fresh", "shared"]]


class GaloreSettings(GrapeDraws, Subspace):
    """What a run of GaLore takes."""

    alpha: float
    T: int
    r: int


class GrapeChanged(GrapeDraws, Subspace, total=False):
    """What may be given besides a plan of DP-GRAPE."""

    alpha: float
    T: int
    C: float
    sigma: float
    r: int
    projection: Literal["gaussian", "orthonormal"]


class BlocksChanged(GrapeDraws, total=False):
    """What may be given besides a plan of its flattened form."""

    alpha: float
    T: int
    C: float
    sigma: float
    r: int
    noise: Literal["fresh", "shared"]


class GrapeChoices(TypedDict, total=False):
    """What a recommendation takes besides the constants that it needs."""

    layers: float
    block: float | None
    spread: float | None
    batch_size: int | None
    T_max: int | None


class GrapeProblem(GrapeChoices, Needed):
    """The constants that it needs."""

    gap: float
    r: int


class GrapeConstants(GrapeChoices, total=False):
    """The constants that an objective knows by itself."""

    n: float
    d: float
    L: float
    ell: float
    gap: float
    r: Required[int]


def completed(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function with every keyword that one of its overloads takes; which go together, the overloads say.

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
