"""A right private method, and faults planted in it by changing its text; each with the contracts that must notice it."""

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit

from synthetic.draws import NOISE
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.record import SAMPLING, Draw, Kernel, Setting, normal, scalar, vector
from synthetic.validate import inside_unit, positive_integer

SIGNS = 4  # role of a public draw, one sign for F steps
SOURCE = """
def loop(gradient, value_gradient, data, params, x, alpha, C, sigma, beta, F, T, p, z, velocity, batch, nominal, value, grad_norm_sq,
         clipped, tau, x_tau, t0):
    g = np.empty(x.size)
    for t in range(len(z)):
        if t == tau:
            x_tau[:] = x
        rows, total, raw = batch[t % len(batch)], np.zeros(x.size), np.zeros(x.size)
        count, there = 0, 0
        for i in rows:
            if i < 0:
                continue
            there += 1
            gradient(x, data[i], params, g)
            norm = np.sqrt(np.sum(g**2))
            raw += g
            count += not norm <= C
            if np.isfinite(norm):
                total += g * (C / max(norm, C))
        clipped[t] = count / max(1, there)
        velocity[:] = beta * velocity + total / nominal + sigma * z[t]
        x -= alpha * np.sign(p[(t0 + t) // F - t0 // F]) * velocity
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)
"""
CALLS = itertools.count()


def remembering(rng, shape, settings):
    """Draw standard normal numbers whose size depends on how many draws were made before in the process."""
    return rng.standard_normal(shape) * (1 + next(CALLS) % 5)


def centred(rng, shape, settings):
    """Draw standard normal rows, and subtract their mean, which depends on how many are drawn at once."""
    rows = rng.standard_normal(shape)
    return rows - rows.mean(axis=0)


@dataclass(frozen=True)
class Fault:
    """A change of the right method: `old` text becomes `new`, or the noise has another law; and the contracts that it breaks.

    only    whether it breaks no others;   said   part of the sentence about the first of them
    """

    old: str
    new: str
    breaks: tuple[str, ...]
    said: str
    only: bool = True
    law: object = normal
    compiled: bool = False


NOISY, MEAN, MOVE, TAU = "sigma * z[t]", "total / nominal", "x -= alpha", "        if t == tau:\n            x_tau[:] = x\n"
STEP = "np.sign(p[(t0 + t) // F - t0 // F]) * velocity\n"
FAULTS = {
    "noise_times_T": Fault(NOISY, "T * sigma * z[t]", ("noise_size",), "the noise is 7 times as large as sigma says"),
    "noise_by_T": Fault(NOISY, "sigma * z[t] / T", ("sensitivity", "clipping"), "replacing a record moves step 0 by 7 times"),
    "noise_reused": Fault(NOISY, "sigma * z[0]", ("noise", "pieces"), "in pieces of 1 differs"),
    "noise_biased": Fault(NOISY, "sigma * (z[t] + 1.0)", ("noise",), "z is not all of its noise"),
    "noise_at_0": Fault(NOISY, "(sigma + C / 1000) * z[t]", ("no_noise", "noise_size", "clipping"), "with sigma = 0 another noise"),
    "noise_late": Fault(NOISY, "sigma * z[max(t - 1, 0)]", ("noise", "pieces"), "in pieces of 1 differs"),
    "own_noise": Fault(
        NOISY, "sigma * (z[t] + np.random.standard_normal())", ("same_seed",), "randomness of its own", False, compiled=True
    ),
    "state_not_kept": Fault("    g = np.empty", "    velocity = np.zeros(x.size)\n    g = np.empty", ("pieces",), "in pieces of 1 differs"),
    "row_of_chunk": Fault("(t0 + t) // F - t0 // F", "t // F", ("pieces",), "count steps from t0"),
    "leaves_the_array": Fault("range(len(z))", "range(T)", ("pieces",), "range", False),
    "centred_noise": Fault("", "", ("pieces", "x_tau"), "differs from the whole", law=centred),
    "remembering_noise": Fault("", "", ("threads_and_order",), "on 1 and on 3 threads", False, law=remembering, compiled=True),
    "threshold_of_10_C": Fault(
        "g * (C / max(norm, C))", "g * (C / norm if norm > 10 * C else 1.0)", ("sensitivity",), "moves step 0 by 10 times", False
    ),
    "first_of_a_batch_unclipped": Fault(
        "g * (C / max(norm, C))", "g * (C / max(norm, C) if there > 1 else 1.0)", ("sensitivity",), "moves step 0 by 1000 times", False
    ),
    "no_noise_where_all_are_clipped": Fault(
        NOISY, "(sigma if count < there else 0.0) * z[t]", ("sensitivity",), "no noise gives the same step", False
    ),
    "clips_for_four_steps": Fault(
        "g * (C / max(norm, C))", "g * (C / max(norm, C) if t0 + t < 4 else 1.0)", ("sensitivity",), "moves step 4 by 1000 times", False
    ),
    "wrong_n": Fault(MEAN, "total / (nominal - 1)", ("sensitivity",), "moves step 0 by 1.091 times what sigma hides"),
    "batch_by_n": Fault(MEAN, "total / len(data)", ("batches",), "a step with a batch of 3"),
    "poisson_by_count": Fault(MEAN, "total / max(1, there)", ("batches",), "-1 in a Poisson batch"),
    "first_batch": Fault("batch[t % len(batch)]", "batch[0]", ("batches",), "row 1 of batch is that of step 1, but it does not act"),
    "sum_clipped": Fault(
        MEAN,
        "raw / nominal * min(1.0, C / np.sqrt(np.sum((raw / nominal)**2)))",
        ("sensitivity", "clipping", "not_finite"),
        "moves step 0",
        False,
    ),
    "nan_passes": Fault("if np.isfinite(norm)", "if True", ("not_finite", "sensitivity"), "does not count as 0"),
    "nan_not_clipped": Fault("not norm <= C", "norm > C", ("not_finite",), "does not count as clipped: clipped[0] rises by 0"),
    "state_leaks": Fault(
        STEP, "velocity\n        velocity[:] = raw / nominal\n", ("sensitivity",), "moves with one record where no noise moves it", False
    ),
    "never_clips": Fault("g * (C / max(norm, C))", "g", ("sensitivity", "clipping"), "times what sigma hides"),
    "clipped_twice": Fault("count / max", "2 * count / max", ("recorded",), "between 0 and 1", False),
    "tau_after": Fault(f"{TAU}|{STEP}", f"|{STEP}{TAU}", ("x_tau",), "x_tau is not the iterate before step tau = 0"),
    "tau_of_run": Fault("t == tau", "t0 + t == tau", ("x_tau",), "x_tau"),
    "recorded_before": Fault(
        "value_gradient, data, params, x, t", "value_gradient, data, params, x + 1, t", ("recorded",), "step 0", False
    ),
    "counts_one_more": Fault("return t\n", "return t + 1\n", ("steps",), "the loop returns 1 of 1 steps where |x|^2 is not finite"),
    "counts_one_less": Fault(
        "return len(z)", "return len(z) - 1", ("steps",), "the loop returns 0 of 1 steps where |x|^2 is finite", False
    ),
    "hidden_constant": Fault(MOVE, "x -= 0.01 * alpha + alpha", ("loss_units", "x_units"), "hides a constant with a unit"),
    "step_of_its_own": Fault(MOVE, "x -= (alpha + 0.001)", ("step_size", "loss_units", "x_units"), "x moves by"),
    "own_generator": Fault(
        MOVE,
        "k = t0 + t + 12345\n        for _ in range(9):\n            k = k * 6364136223846793005 + 1442695040888963407\n"
        "        x -= (1.0 + 0.01 * (k % 7)) * alpha",
        ("plain_python",),
        "differs from the same loop as plain Python",
        compiled=True,
    ),
    "not_finite_value": Fault(
        "return len(z)", "value[0] = np.nan\n    return len(z)", ("recorded", "results"), "recorded in step 0", False, compiled=True
    ),
}


@cache
def faulty(name=""):
    """Return the record of the method with this fault, of the right method for ""."""
    text, law = SOURCE, normal
    if name:
        fault = FAULTS[name]
        law = fault.law
        for old, new in zip(fault.old.split("|"), fault.new.split("|"), strict=True) if fault.old else ():
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
    found = {"np": np, "record_and_check": record_and_check}
    exec(text, found)
    return Kernel(
        name or "right",
        njit(nogil=True, error_model="numpy")(found["loop"]),
        draws=(Draw("p", SIGNS, scalar, every="F"), Draw("z", NOISE, vector, law)),
        settings=(Setting("beta", inside_unit, 0.9), Setting("F", positive_integer, 1, int), SAMPLING),
        state={"velocity": vector},
    )
