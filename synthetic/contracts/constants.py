"""Contracts of an objective: its functions agree with each other, and its constants hold at the points of `synthetic.objectives.probe`."""

import math
from collections.abc import Iterator

import numpy as np

from synthetic.contracts.trial import ContractBroken, DoesNotApply
from synthetic.draws import DATA, FloatArray, generator
from synthetic.objectives.probe import ConstantEstimates, estimate_constants
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.sums import Objective

NAMES = ("L", "ell", "r", "gap", "B", "U", "rho", "mu")
PLACES = 12  # random points
MARGIN = 1e-5  # relative: rounding of differences
POINTS = 2**20  # role of the points at which functions are compared
ROWS = 20  # whose functions are compared


def nearby_points(objective: Objective | SaddleObjective) -> Iterator[FloatArray]:
    """Yield points near x_0, (d,), inside the ball on which the objective is posed."""
    rng, d = generator(0, DATA, POINTS), objective.d
    ball = float(objective.constants.get("radius", math.inf))
    for _ in range(3):
        x = objective.x0 + rng.standard_normal(d)
        length = float(np.linalg.norm(x))
        yield x if length <= ball else x * (ball / length)


def mean(objective: Objective | SaddleObjective) -> str:
    """Check that F_S and its gradient are the means of the losses and gradients of the samples."""
    if isinstance(objective, SaddleObjective):
        raise DoesNotApply("its F is an expectation, and no mean over given samples")
    for k, x in enumerate(nearby_points(objective)):
        value, slope = objective.value_and_gradient(x)
        own, total, losses = np.empty(objective.d), np.zeros(objective.d), 0.0
        for row in objective.data:
            losses += float(objective.loss(x, row, objective.params)) / objective.n
            objective.gradient(x, row, objective.params, own)
            total += own / objective.n
        size = max(float(np.abs(slope).max()), float(np.abs(total).max()), 1e-12)
        if not abs(losses - value) <= 1e-8 * (1 + abs(value)):
            raise ContractBroken(f"F_S is {value:.9g}, and the mean of the losses is {losses:.9g}", point=k, x=x.tolist())
        if not np.max(np.abs(total - slope)) <= 1e-8 * size:
            raise ContractBroken("the gradient of F_S is not the mean of the gradients", point=k, x=x.tolist())
    return ""


def gradient(objective: Objective | SaddleObjective) -> str:
    """Check that the gradient is that of the loss, by central differences."""
    if isinstance(objective, SaddleObjective):
        raise DoesNotApply("it has gradients of samples, but no losses")
    h, skipped = 1e-5, 0
    for k, x in enumerate(nearby_points(objective)):
        own = np.empty(objective.d)
        for i, row in enumerate(objective.data[:ROWS]):
            objective.gradient(x, row, objective.params, own)
            units = h * np.eye(objective.d)
            ahead, behind = (np.array([objective.loss(x + sign * unit, row, objective.params) for unit in units]) for sign in (1.0, -1.0))
            here = float(objective.loss(x, row, objective.params))
            one_sided = np.abs(ahead - 2 * here + behind) / h  # of the size of the slopes where the loss has a kink in between
            smooth = one_sided <= 1e-2 * (1 + np.abs(own))
            skipped += int(np.sum(~smooth))
            wrong = smooth & (np.abs((ahead - behind) / (2 * h) - own) > 1e-4 * (1 + np.abs(own).max()))
            if np.any(wrong):
                j = int(np.argmax(wrong))
                slope = float((ahead - behind)[j] / (2 * h))
                said = f"entry {j} of the gradient of sample {i} is {own[j]:.6g}, and differences of its loss give {slope:.6g}"
                raise ContractBroken(said, point=k, sample=i, x=x.tolist())
    return f"{skipped} entries at kinks left out" if skipped else ""


def constant(objective: Objective | SaddleObjective, name: str, found: ConstantEstimates) -> str:
    """Return what is seen of a constant; raise ContractBroken where a point contradicts its declared value."""
    declared, seen = float(objective.constants[name]), found.constants
    if math.isinf(declared):
        raise DoesNotApply("it is declared to be infinite")
    if isinstance(objective, SaddleObjective) and objective.where != "everywhere":
        raise DoesNotApply(f"the constants hold {objective.where}, and points are not chosen there")
    of_trace = name == "r"
    one = seen.get("trace" if of_trace else name)
    if one is None or one.side == "near":
        raise DoesNotApply("no point can contradict it, by what is measured")
    limit = declared * float(objective.constants.get("ell", math.inf)) if of_trace else declared
    slack = MARGIN * (1 + abs(limit))
    if math.isinf(limit):
        raise DoesNotApply("ell is not declared, or infinite")
    if (one.side == "at least" and one.value > limit + slack) or (one.side == "at most" and one.value < limit - slack):
        what = f"r ell = {limit:.6g} bounds the trace of H" if of_trace else f"{name} = {limit:.6g} is declared"
        at = next((place for place in found.places if place.kind == one.at), found.places[0])
        raise ContractBroken(f"{what}, but {one.seen} is {one.value:.6g}", seed=0, found=one.at, near=at.x.tolist())
    return f"{'at least' if one.side == 'at least' else 'at most'} {one.value:.4g} seen, {limit:.4g} declared"


def declared_constants(objective: Objective | SaddleObjective) -> list[str]:
    """Return the names of the declared constants that are tested."""
    return [name for name in NAMES if name in objective.constants]


def measured(objective: Objective | SaddleObjective) -> ConstantEstimates:
    """Return the estimates of an objective's constants to which the declared ones are compared."""
    return estimate_constants(objective, places=PLACES, seed=0)
