"""An attack on the privacy of a release by secret batches; what is certified, `paper_checks.examine.audit` says.

Data        without replacement all other records are like the replaced one in the second world: then one step spends all that
            `bounds.privacy.subsampled` has for it. Under Poisson sampling they are 0, and both worlds are a coin away from 0. T steps
            without replacement need not spend what T times the worst step does, so less than the declared epsilon can be certified there.
Certified   by an event alone: the scores are mixtures, and no mean speaks for them.
"""

from typing import Any

from bounds.pages.contents import found_at
from bounds.privacy.release import Sampling
from paper_checks.examine.audit import LEVEL, LONG, Audit, attack, attacked, audited, filled, least_noise
from paper_checks.verdict import Finding
from synthetic.audits.secret_batches import sampled
from synthetic.audits.sums import apart
from synthetic.methods.record import Kernel
from synthetic.objectives.space import Space


def attack_batches(
    method: Kernel, *, epsilon: float, delta: float, T: int, n: int, batch_size: int, sampling: Sampling = "without_replacement",
    C: float = 1.0, sigma: float | None = None, runs: int, seed: int, level: float = LEVEL, space: Space | None = None, **settings: Any,
) -> Audit:  # fmt: skip
    """Attack T steps of a method on sums over secret batches, with the noise of the accountant, replace-one, unless sigma is given."""
    noise = least_noise(epsilon, delta, T, n, C, settings.get("P", 1), batch_size, sampling) if sigma is None else sigma
    space = space or Space(((2,),))
    one, two = apart(space.d, n, LONG * C)
    if sampling == "without_replacement":
        one[1:] = two[1:] = two[0]
    settings = filled(method, C, noise, {"sampling": sampling, **settings})
    seen = sampled(method, one, two, T=T, runs=runs, batch_size=batch_size, seed=seed, space=space, **settings)
    return audited(seen, epsilon=epsilon, delta=delta, level=level)


def attack_either(method: Kernel, *, level: float = LEVEL, **asked: Any) -> Audit:
    """Attack a method on secret batches where a batch_size is given, which sigma is on the mean over, else on full ones."""
    how = attack if asked.get("batch_size") is None else attack_batches
    return how(method, level=level, **asked)


def examined_batches(
    method: str, *, epsilon: float, delta: float, T: int, n: int, batch_size: int, runs: int, reach: float, seed: int, **more: Any
) -> Finding:
    """Attack a method on secret batches, named by the address of its kernel, and judge what is certified."""
    audit = attack_batches(found_at(method), epsilon=epsilon, delta=delta, T=T, n=n, batch_size=batch_size, runs=runs, seed=seed, **more)
    return attacked(audit, reach, {"T": T, "n": n, "batch size": batch_size}, seed)
