"""What editors and mypy see of `theory_lab`: printed by `python -m theory_lab.stub`, not written by hand."""

import numpy as np
import numpy.typing as npt
from bounds.dp_grape.columns import Plan as DpGrapePlan
from bounds.dp_zopo.columns import Plan as DpZopoPlan
from bounds.dpzero.columns import Plan as DpzeroPlan
from bounds.gauss_psgd.columns import Plan as GaussPsgdPlan
from bounds.gauss_psgd.scaled import Knobs
from bounds.plans.side_by_side import Several
from bounds.privacy.gaussian import Accountant
from collections.abc import Callable
from collections.abc import Sequence
from concurrent.futures import Executor
from numpy.typing import ArrayLike
from numpy.typing import NDArray
from synthetic.declared.fields import Declaration
from synthetic.declared.fields import Schedule
from synthetic.draws import Direction
from synthetic.draws import FloatArray
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.space import Runnable
from synthetic.objectives.sums import Objective
from theory_lab.calls.attack import Attack
from theory_lab.calls.estimate import Estimate
from theory_lab.calls.predict import Prediction
from theory_lab.calls.tuned import Spectrum
from theory_lab.methods.record import Method
from typing import Any
from typing import Literal
from typing import overload
from typing_extensions import TypeVar

from theory_lab.api import grid as grid
from theory_lab.api import check as check
from theory_lab.calls.calibrate import calibrate as calibrate
from theory_lab.calls.estimate import estimate as estimate
from theory_lab.contracts import check_method as check_method
from theory_lab.contracts import check_objective as check_objective
from synthetic.objectives.sums import quadratic as quadratic
from synthetic.objectives.sums import pseudo_huber as pseudo_huber
from synthetic.objectives.sums import cosine as cosine
from synthetic.objectives.sums import logistic as logistic
from synthetic.objectives.matrices import matrix_quadratic as matrix_quadratic
from synthetic.objectives.matrices import low_rank as low_rank
from synthetic.objectives.matrices import matrix_cosine as matrix_cosine
from synthetic.objectives.matrices import factorisation as factorisation
from synthetic.objectives.matrices import matrix_phase_retrieval as matrix_phase_retrieval
from synthetic.objectives.stages import linear_slopes as linear_slopes
from synthetic.objectives.stages import ball_quadratic as ball_quadratic
from synthetic.objectives.stages import kinks as kinks
from synthetic.objectives.stages import smooth_glm as smooth_glm
from synthetic.objectives.stages import sparse_quadratic as sparse_quadratic
from synthetic.objectives.stages import perceptron as perceptron
from synthetic.objectives.separable_saddles import random_phase_cosines as random_phase_cosines
from synthetic.objectives.separable_saddles import cubic_saddle as cubic_saddle
from synthetic.objectives.separable_saddles import slope as slope
from synthetic.objectives.separable_saddles import quartic_saddle as quartic_saddle
from synthetic.objectives.coupled_saddles import octopus as octopus
from synthetic.objectives.coupled_saddles import matrix_factorisation as matrix_factorisation
from synthetic.objectives.coupled_saddles import phase_retrieval as phase_retrieval
from synthetic.objectives.own import objective as objective
from synthetic.runs.escapes import escape as escape
from synthetic.runs.escapes import couple as couple
from synthetic.runs.selection import select as select
from synthetic.runs.selection import above_threshold as above_threshold
from bounds import THEOREMS as THEOREMS
from bounds import DERIVATIONS as DERIVATIONS
from bounds.moments.recursion import expected_grad_norm_sq as expected_grad_norm_sq
from bounds.moments.recursion import expected_gap as expected_gap
from bounds.dp_grape.memory import memory as memory
from synthetic.declared.dpzero import DPZero as DPZero
from synthetic.declared.dpzero import DPGD0th as DPGD0th
from synthetic.declared.dpzero import DPGD as DPGD
from synthetic.declared.dpzero import MeZO as MeZO
from synthetic.declared.gauss_psgd import GaussPSGD as GaussPSGD
from synthetic.declared.gauss_psgd import FrozenPSGD as FrozenPSGD
from synthetic.declared.dp_grape import DPGrape as DPGrape
from synthetic.declared.dp_grape import DPGrapeBlocks as DPGrapeBlocks
from synthetic.declared.dp_grape import DPSGD as DPSGD
from synthetic.declared.dp_grape import DPAdam as DPAdam
from synthetic.declared.dp_grape import GaLore as GaLore
from synthetic.declared.dp_grape import DPGaLore as DPGaLore
from synthetic.declared.dp_zopo import DPZOO as DPZOO
from synthetic.declared.dp_zopo import DPZOSO as DPZOSO
from synthetic.declared.dp_zopo import DPZOPO as DPZOPO
from bounds.privacy import random_iterate as mixture
from bounds import privacy as privacy
from bounds.privacy import subsampled as subsampled

LISTED: dict[str, tuple[str, ...]]
NAMES: dict[str, str]

Result = TypeVar("Result", default=Any)


def simulate(method: Literal["dpzero", "dpgd_0th", "dp_gd", "mezo", "gauss_psgd", "frozen_psgd", "dp_grape", "dp_grape_blocks", "dp_sgd", "dp_adam", "galore", "dp_galore", "dp_zoo", "dp_zoso", "dp_zopo"] | Declaration | type[Declaration] | Method, objective: Runnable[Result] = ..., *, plan: Any = ..., alpha: float | Schedule | tuple[float, ...] = ..., T: int | tuple[int, ...] = ..., C: float | Schedule = ..., sigma: float | Schedule = ..., lam: float | Schedule | tuple[float, ...] = ..., direction: Literal["sphere", "gaussian"] = ..., batch_size: int | None = ..., sampling: Literal["without_replacement", "poisson"] = ..., oracle: Literal["ada_dp_spider", "distributed_ada_dp_spider", "dp_spider", "sgd", "exact"] = ..., eta: float = ..., chi: float = ..., R: float = ..., Gamma: int = ..., Q: int = ..., n: int | None = ..., b_1: int | None = ..., b_2: int | None = ..., sigma_1: float | None = ..., sigma_2: float | None = ..., zeta: float | None = ..., kappa: float | None = ..., period: int | None = ..., restart: Literal["continue", "history", "renew"] = ..., drift: Literal["estimates", "queries"] = ..., output: Literal["anchor", "last", "average", "suffix"] = ..., limit: int | None = ..., threshold: float = ..., extra: float = ..., frozen_steps: int = ..., r: int = ..., F: int = ..., update: Literal["sgd", "adam"] = ..., beta1: float = ..., beta2: float = ..., phi: float = ..., moments: Literal["kept", "reset", "reprojected"] = ..., side: Literal["smaller", "left"] = ..., refresh: Literal["start", "printed"] = ..., projection: Literal["gaussian", "orthonormal"] = ..., noise: Literal["fresh", "shared"] = ..., P: int = ..., anchor: float | None = ..., regulariser: Literal["explicit", "proximal"] = ..., radius: float | None = ..., tail: float = ..., stages: int = ..., widening: float = ..., rates: float | tuple[float, ...] = ..., strategy: Literal["static", "dynamic", "incremental"] = ..., weights: Literal["pruning", "rank"] = ..., upper: float = ..., lower: float = ..., score: Any = ..., score_P: int = ..., score_lam: float = ..., replicates: int = ..., seed: int = ..., threads: int | None = ..., progress: Callable[[int, int], None] | None = ..., x0: FloatArray | None = ..., keep_points: bool = ..., executor: Executor | None = ...) -> Result: ...
@overload
def recommend(method: Literal["dpzero", "dpgd_0th", "dp_gd"], *, n: float, d: float, epsilon: float, delta: float, L: float, ell: float, gap: float, r: float | None = ..., B: float | None = ..., mu: float | None = ..., T_max: int | str | None = ..., lam: float | None = ..., batch_size: int | None = ..., sampling: str | None = ..., spectrum: Spectrum | None = ..., distance: float | None = ..., accountant: str | None = ...) -> DpzeroPlan: ...
@overload
def recommend(method: Literal["dpzero", "dpgd_0th", "dp_gd"], objective: Objective | Estimate, *, epsilon: float, delta: float, n: float = ..., d: float = ..., L: float = ..., ell: float = ..., gap: float = ..., r: float | None = ..., B: float | None = ..., mu: float | None = ..., T_max: int | str | None = ..., lam: float | None = ..., batch_size: int | None = ..., sampling: str | None = ..., spectrum: Spectrum | None = ..., distance: float | None = ..., accountant: str | None = ...) -> DpzeroPlan: ...
@overload
def recommend(method: Literal["gauss_psgd"], *, n: float, d: float, epsilon: float, delta: float, L: float, ell: float, rho: float, U: float, m: float = ..., omega: float = ..., alpha: float | None = ..., knobs: Knobs | None = ..., s: float | None = ..., C_abs: float = ..., base: str = ...) -> GaussPsgdPlan: ...
@overload
def recommend(method: Literal["gauss_psgd"], objective: SaddleObjective | Estimate, *, epsilon: float, delta: float, n: float = ..., d: float = ..., L: float = ..., ell: float = ..., rho: float = ..., U: float = ..., m: float = ..., omega: float = ..., alpha: float | None = ..., knobs: Knobs | None = ..., s: float | None = ..., C_abs: float = ..., base: str = ...) -> GaussPsgdPlan: ...
@overload
def recommend(method: Literal["dp_grape", "dp_grape_blocks"], *, n: float, d: float, epsilon: float, delta: float, L: float, ell: float, gap: float, r: int, layers: int = ..., block: int | None = ..., spread: float | None = ..., batch_size: int | None = ..., T_max: int | str | None = ...) -> DpGrapePlan: ...
@overload
def recommend(method: Literal["dp_grape", "dp_grape_blocks"], objective: Objective | Estimate, *, epsilon: float, delta: float, n: float = ..., d: float = ..., L: float = ..., ell: float = ..., gap: float = ..., r: int = ..., layers: int = ..., block: int | None = ..., spread: float | None = ..., batch_size: int | None = ..., T_max: int | str | None = ...) -> DpGrapePlan: ...
@overload
def recommend(method: Literal["dp_zoo", "dp_zoso", "dp_zopo"], *, n: float, d: float, epsilon: float, delta: float, L: float, growth_mu: float, radius: float, gap: float, weak: float = ..., sample_spread: float | None = ..., stages: int | None = ..., P: int = ..., batch_size: int | None = ..., target: float | None = ..., rates: float = ..., T_max: int | None = ..., ell: float | None = ..., r: float | None = ...) -> DpZopoPlan: ...
@overload
def recommend(method: Literal["dp_zoo", "dp_zoso", "dp_zopo"], objective: Objective | Estimate, *, epsilon: float, delta: float, n: float = ..., d: float = ..., L: float = ..., growth_mu: float = ..., radius: float = ..., gap: float = ..., weak: float = ..., sample_spread: float | None = ..., stages: int | None = ..., P: int = ..., batch_size: int | None = ..., target: float | None = ..., rates: float = ..., T_max: int | None = ..., ell: float | None = ..., r: float | None = ...) -> DpZopoPlan: ...
@overload
def recommend(method: str | Method, objective: Any = ..., *, epsilon: Sequence[float] | FloatArray, **problem: Any) -> Several: ...
@overload
def recommend(method: Method, objective: Any = ..., **problem: Any) -> Any: ...
def audit(method: Literal['dpzero', 'dpgd_0th', 'dp_gd', 'gauss_psgd', 'frozen_psgd', 'dp_grape', 'dp_grape_blocks', 'dp_sgd', 'dp_adam', 'dp_galore', 'dp_zoo', 'dp_zoso', 'dp_zopo', 'sgd', 'dp_spider', 'ada_dp_spider', 'query_dp_spider', 'distributed_sgd', 'distributed_dp_spider', 'distributed_ada_dp_spider', 'distributed_query_dp_spider', 'select', 'above_threshold'] | type[Declaration] | Method, *, epsilon: float, delta: float, T: int | None=..., n: int | None=..., C: float | None=..., sigma: float | None=..., runs: int=..., seed: int=..., confidence: float=..., **settings: Any) -> Attack: ...
def predict(method: Literal['dpzero', 'dpgd_0th', 'dp_gd', 'mezo'] | type[Declaration] | Method, *, spectrum: str | ArrayLike | Sequence[tuple[float, int]], n: float, alpha: float, T: int, d: int | None=..., C: float | None=..., epsilon: float | None=..., delta: float | None=..., accountant: Accountant | None=..., sigma: float | None=..., distance: float=..., direction: Direction | None=..., replicates: int=..., seed: int=..., times: Sequence[int] | NDArray[np.int64] | None=..., threads: int | None=..., **settings: Any) -> Prediction: ...
