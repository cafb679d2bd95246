"""The main loop: whether it does what Algorithm 1 says, and what that leaves open."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from paper_checks.gauss_psgd.common import at_most, claim, cosines, searched
from paper_checks.gauss_psgd.written import AdaDpSpider, Exact, algorithm1
from paper_checks.verdict import Finding, Kind, Outcome
from synthetic import psgd
from synthetic.draws import NOISE, generator
from synthetic.kernels import counting
from synthetic.local_cubic import local_cubic
from synthetic.psgd import PsgdRun, gauss_psgd
from synthetic.saddles import Landscape

SPIDER: dict[str, Any] = {"n": 900, "b_1": 60, "b_2": 6, "sigma_1": 0.02, "sigma_2": 0.1, "kappa": 0.3}
DESCENT: dict[str, Any] = {"eta": 0.5, "chi": 0.1, "R": 0.25, "Gamma": 7, "Q": 3}


def settings(rng: np.random.Generator) -> dict[str, Any]:
    """Return eta, chi, R, Gamma and Q at random, such that rounds fail and succeed."""
    return {
        "eta": float(rng.uniform(0.2, 0.8)), "chi": float(rng.uniform(0.03, 0.25)), "R": float(rng.uniform(0.05, 0.5)),
        "Gamma": int(rng.integers(1, 9)), "Q": int(rng.integers(1, 4)),
    }  # fmt: skip


def as_written(*, oracle: str, restart: str, cases: int, seed: int) -> Finding:
    """Run Algorithm 1 in the kernel and line by line on the same draws: the same points, in the same number, and the same answer."""
    landscape, rng, worst, at = cosines(3), np.random.default_rng(seed), 0.0, {}
    seen = {"phases": 0, "escapes": 0, "returned": 0}
    for k in range(cases):
        chosen, limit = settings(rng), 60
        given: dict[str, Any] = {"sigma_1": 0.05, "zeta": 0.0} if oracle == "exact" else SPIDER
        run = gauss_psgd(landscape, oracle=oracle, restart=restart, limit=limit, seed=k, keep_points=True, threads=1, **chosen, **given)
        noise, slow = generator(k, 0, NOISE), None
        if oracle == "exact":
            slow = algorithm1(Exact(landscape, 0.05, noise), landscape.x0, restart=restart, limit=limit, **chosen)
        else:
            rows = landscape.draw(generator(k, 0, psgd.SAMPLES), given["n"], 0)[None]
            numbers = {name: value for name, value in given.items() if name != "n"}
            memory = AdaDpSpider(landscape, rows, eta=chosen["eta"], rng=noise, **numbers)
            slow = algorithm1(memory, landscape.x0, restart=restart, limit=limit, **chosen)
        off = math.inf
        steps, counted = int(run.steps[0]), (int(run.phases[0]), int(run.rounds[0]))
        if steps == len(slow.points) and counted == (slow.phases, slow.rounds) and bool(run.returned[0]) == (slow.anchor is not None):
            pairs = [*zip(run.points[0, :steps], slow.points, strict=True), (run.last[0], slow.last)]
            pairs += [] if slow.anchor is None else [(run.x[0], slow.anchor)]
            off = max(float(np.abs(a - b).max()) for a, b in pairs)
        if not off <= worst:
            worst, at = off, {"seed": k, "steps": steps, "steps as written": len(slow.points), **chosen}
        seen = {"phases": seen["phases"] + slow.phases, "escapes": seen["escapes"] + int(run.escapes[0]),
                "returned": seen["returned"] + (slow.anchor is not None)}  # fmt: skip
    found = searched(worst, at, cases, "points and answer of the printed lines", seed, 1e-7)  # rounding grows where a run escapes
    if min(seen.values()) == 0:
        return Finding(Outcome.INCONCLUSIVE, f"no case with each of {seen}: other settings would settle it", seed=seed)
    return replace(found, numbers={**found.numbers, **seen})


def single_use(*, restart: str, drift: str, cases: int, seed: int) -> Finding:
    """Log which samples every gradient is asked for: a sample of an O_1 once, of an O_2 twice running, none in another call."""
    d, n, rng, worst, at = 3, 600, np.random.default_rng(seed), 0.0, {}
    base = local_cubic(d, gamma=1.0, rho=1.0, ell=1.0, spread=0.3)
    restarts = 0
    for k in range(cases):
        log = np.zeros((n + 1, 3))

        def numbered(rng: np.random.Generator, n: int, client: int) -> Any:
            return np.hstack([base.draw(rng, n, client), np.arange(1.0, n + 1)[:, None]])

        landscape: Landscape = replace(
            base, params=(base.params, log), draw=numbered, value_gradient=counting.logged_value_gradient,
            batch_gradient=counting.logged_batch_gradient,
        )  # fmt: skip
        chosen = {**settings(rng), "chi": 0.15, "Q": 3}
        numbers = {**SPIDER, "n": n, "b_1": 20, "b_2": 3, "kappa": 0.1}
        run = gauss_psgd(landscape, oracle="ada_dp_spider", restart=restart, drift=drift, seed=k, threads=1, **chosen, **numbers)
        uses, used, first = log[1:], int(run.samples[0]), int(run.fresh_calls[0])
        later = int(run.calls[0]) - first
        wrong = int(np.sum(uses[:, 0] > 2)) + int(np.sum(uses[:, 2] - uses[:, 1] > 1)) + int(np.any(uses[used:, 0] > 0))
        wrong += abs(int(np.sum(uses[:, 0] == 1)) - 20 * first) + abs(int(np.sum(uses[:, 0] == 2)) - 3 * later)
        wrong += int(used != 20 * first + 3 * later)
        restarts += int(run.rounds[0] - run.phases[0])
        if wrong > worst:
            worst, at = float(wrong), {"seed": k, "samples": used, "O_1": first, "O_2": later, "most uses": float(uses[:, 0].max())}
    return searched(worst, at, cases, f"each sample in one release, over {restarts} restarts", seed)


@lru_cache(maxsize=1)
def weakly_concave(cases: int, seed: int) -> tuple[Landscape, PsgdRun]:
    """Run Algorithm 1 from a point with gradient 0 and smallest eigenvalue -0.95 sqrt(rho alpha), alpha = rho = 1, that gets steeper."""
    landscape = local_cubic(2, gamma=0.95, rho=1.0, ell=2.0, bent=True)
    knobs: dict[str, Any] = {"eta": 0.25, "chi": 0.25, "R": 0.3, "Gamma": 24, "Q": 2}  # those of the pilot: k_R = 0.3, k_Gamma = 6
    return landscape, gauss_psgd(
        landscape, oracle="exact", zeta=0.0, sigma_1=0.002, limit=48, replicates=cases, seed=seed, threads=1, **knobs
    )


def last_or_anchor(*, what: str, cases: int, seed: int) -> Finding:
    """Certify, on runs that return where x~ is an alpha-SOSP, what step 20 prints, the last iterate, or x~."""
    landscape, run = weakly_concave(cases, seed)
    failed, returned, at = 0, 0, {}
    for r in np.flatnonzero(run.returned):
        anchor = landscape.certify_sosp(run.x[r], 1.0)
        judged = landscape.certify_sosp(run.last[r] if what == "last" else run.x[r], 1.0)
        returned += anchor.sosp
        if anchor.sosp and not judged.sosp:
            failed += 1
            at = {"x~": run.x[r].tolist(), "last": run.last[r].tolist(), "smallest eigenvalue": judged.smallest_eigenvalue,
                  "gradient": judged.grad_norm, "F": "-0.95 x^2/2 - x^3/6 + 2 y^2/2", "alpha": 1.0, "rho": 1.0}  # fmt: skip
    numbers = {"runs that return": returned, "not an alpha-SOSP": failed}
    if failed:
        return Finding(
            Outcome.REFUTED, f"{failed} of {returned} returned points are no alpha-SOSP, where x~ is one", numbers, at, seed=seed
        )
    if not returned:
        return Finding(Outcome.INCONCLUSIVE, "no run returned: other settings would settle it", numbers, seed=seed)
    return Finding(Outcome.CONSISTENT, f"all of {returned} returned points are alpha-SOSPs", numbers, seed=seed)


def split(*, cases: int, seed: int) -> Finding:
    """Where every error is at most chi: phases begin at |grad F| <= 4 chi, descent goes on at |grad F| >= 2 chi, x~ has at most 4 chi."""
    landscape, rng, worst, at, steps = cosines(3), np.random.default_rng(seed), 0.0, {}, 0
    for k in range(cases):
        chosen = {**settings(rng), "chi": 0.1}
        run = gauss_psgd(landscape, oracle="exact", zeta=0.05, sigma_1=0.02, limit=100, seed=k, threads=1, **chosen)
        if np.nanmax(run.error) > 0.1:
            continue
        descent = run.in_phase[0] == 0
        steps += int(descent.sum())
        ratios = [2 * 0.1 / float(run.grad_norm[0][descent].min())] if descent.any() else []
        if run.returned[0]:
            ratios.append(landscape.certify_sosp(run.x[0], 1.0).grad_norm / 0.4)
        if max(ratios, default=0.0) > worst:
            worst, at = max(ratios), {"seed": k}
    return at_most(worst, at, steps, "the two cases of the proof, over their thresholds 4 chi and 2 chi", seed, reach=0.5)


def missing_input(*, seed: int) -> Finding:
    """Run Algorithm 1 at two values of chi with all printed inputs the same."""
    landscape = cosines(3)
    points = {}
    for chi in (0.05, 0.1):
        run = gauss_psgd(landscape, oracle="exact", zeta=0.05, sigma_1=0.02, limit=300, seed=seed, threads=1, **{**DESCENT, "chi": chi})
        points[chi] = run.last[0]
    apart = float(np.linalg.norm(points[0.05] - points[0.1]))
    if apart > 0:
        witness = {"chi": 0.05, "chi'": 0.1, "results apart by": apart}
        return Finding(Outcome.REFUTED, f"two values of chi give points {apart:.3g} apart", {}, witness, seed=seed)
    return Finding(Outcome.CONSISTENT, "chi does not matter here", seed=seed)


def always_returns(*, seed: int) -> Finding:
    """Run on too few samples for a whole escape phase: `while true` has no other exit, each sample may be used once."""
    run = gauss_psgd(cosines(3), oracle="ada_dp_spider", seed=seed, threads=1, **{**DESCENT, "Q": 50}, **{**SPIDER, "n": 400})
    numbers = {"status": psgd.STATUS[run.status[0]], "samples": int(run.samples[0]), "n": 400, "steps": int(run.steps[0])}
    if not run.returned[0]:
        return Finding(
            Outcome.REFUTED, f"{numbers['status']} after {numbers['steps']} steps: nothing is returned", numbers, numbers, seed=seed
        )
    return Finding(Outcome.CONSISTENT, "a point is returned", numbers, seed=seed)


def readings_agree(*, one: str, two: str, seed: int) -> Finding:
    """Run two readings of what Algorithm 2 remembers at step 8 on the same samples and noise."""
    runs = [
        gauss_psgd(cosines(3), oracle="ada_dp_spider", restart=restart, seed=seed, keep_points=True, threads=1, **DESCENT, **SPIDER)
        for restart in (one, two)
    ]
    steps = int(min(run.steps[0] for run in runs))
    apart = np.linalg.norm(runs[0].points[0, :steps] - runs[1].points[0, :steps], axis=1)
    if apart.max() > 0:
        first = int(np.flatnonzero(apart > 0)[0])
        witness = {"first step that differs": first + 1, "apart by": float(apart[first]),
                   "O_1 calls": [int(run.fresh_calls[0]) for run in runs]}  # fmt: skip
        return Finding(Outcome.REFUTED, f"'{one}' and '{two}' part at step {first + 1}", {"steps": steps}, witness, seed=seed)
    return Finding(Outcome.CONSISTENT, "the same points", {"steps": steps}, seed=seed)


def fresh_each_round(*, restart: str, cases: int, seed: int) -> Finding:
    """Count, over runs, the rounds whose first gradient is an O_1: all of them would make rounds independent given x~."""
    landscape, rounds, fresh = cosines(3), 0, 0
    for k in range(cases):
        run = gauss_psgd(
            landscape, oracle="ada_dp_spider", restart=restart, seed=seed + k, threads=1, keep_points=True,
            **{**DESCENT, "R": 5.0, "chi": 0.2}, **{**SPIDER, "kappa": 2.0},
        )  # fmt: skip
        in_phase = np.flatnonzero(run.in_phase[0] == 1)  # no round succeeds: R is out of reach, so rounds have Gamma steps each
        starts = in_phase[:: DESCENT["Gamma"]]
        rounds += len(starts)
        fresh += int(run.fresh[0][starts].sum())
    numbers = {"rounds": rounds, "begin with an O_1": fresh}
    if fresh < rounds:
        return Finding(
            Outcome.REFUTED, f"{rounds - fresh} of {rounds} rounds begin without an O_1 and share its error", numbers, numbers, seed=seed
        )
    return Finding(Outcome.CONSISTENT, f"all of {rounds} rounds begin with an O_1", numbers, seed=seed)


ONE = "Algorithm 1"
RENEW: dict[str, Any] = {"correction": "Ask for an O_1 at the start of every round", "repaired_by": "lemma2.fresh_rounds_renew"}
REFUTED, SCOPE = Outcome.REFUTED, Kind.SCOPE
# fmt: off
CLAIMS = (
    claim("algorithm1.steps", f"{ONE}, steps 1 to 22", "The loop is the printed one: thresholds, rounds, radius, what is returned",
              as_written,
          "the kernel is that loop", oracle="exact", restart="continue", cases=30, seed=21, full={"cases": 250}),
    *(
        claim(f"algorithm1.steps_{restart}", f"{ONE} with Algorithm 2, reading '{restart}'",
              "Algorithms 1 and 2 together, with what the oracle remembers at step 8 read in this way", as_written,
              "the kernel is that loop",
              stated="reading", oracle="ada_dp_spider", restart=restart, cases=12, seed=22, full={"cases": 200})
        for restart in psgd.RESTARTS
    ),
    *(
        claim(f"theorem2.single_use_{restart}", f"Theorem 2, proof: each sample is used once; reading '{restart}'",
              "Every sample enters one release, whatever is restarted", single_use, "batches belong to calls, not to the index t",
              Kind.PRIVACY, restart=restart, drift="estimates", cases=12, seed=23, full={"cases": 100})
        for restart in psgd.RESTARTS
    ),
    claim("algorithm1.returns_last", f"{ONE}, step 20", "The last iterate, which step 20 returns, is an alpha-SOSP where x~ is one",
              last_or_anchor,
          "within R the smallest eigenvalue can fall by rho R", expected=REFUTED, what="last", cases=60, seed=24,
          correction="Return x~, as Section 5.2 says", repaired_by="algorithm1.returns_anchor"),
    claim("algorithm1.returns_anchor", "Section 5.2: output x~", "x~ is an alpha-SOSP on the same runs", last_or_anchor,
          "the runs start at one", what="anchor", cases=60, seed=24),
    claim("lemma6.case_split", "Lemma 6, proof",
              "With errors of at most chi, |ghat| <= 3 chi gives |grad F| <= 4 chi, and |ghat| > 3 chi at least 2 chi",
          split, "triangle inequality", Kind.INEQUALITY, cases=40, seed=25, full={"cases": 500}),
    claim("algorithm1.inputs", f"{ONE}, input list", "The listed inputs fix the run", missing_input,
              "chi is used and not listed", SCOPE,
          REFUTED, "reading", seed=26, correction="chi is an input; omega is not used"),
    claim("algorithm1.always_returns", f"{ONE}, 'while true'; Theorem 2", "With single-use samples the algorithm returns a point",
              always_returns,
          "the samples can be used up in the middle of a phase", SCOPE, REFUTED, "reading", seed=27,
          correction="A run that is out of samples releases nothing and counts as failed"),
    *(
        claim(f"algorithm1.reading_{name}", f"{ONE}, step 8 with Algorithm 2",
                  f"The readings '{one}' and '{two}' of step 8 give one algorithm",
              readings_agree, "drift and last estimate differ after a restart", SCOPE, REFUTED,
              "question" if two == "renew" else "reading", one=one, two=two, seed=28,
              correction="Say what Algorithm 2 remembers; the drift of queries with the order of calls keeps Lemma 7")
        for name, one, two in (("ab", "history", "continue"), ("bc", "continue", "renew"))
    ),
    *(
        claim(f"lemma2.fresh_rounds_{restart}", f"Lemma 2 with Algorithm 2, reading '{restart}'",
                  "Every round begins with an O_1 of its own",
              fresh_each_round, "drift alone triggers O_1" if restart != "renew" else "it is asked for",
              expected=Outcome.CONSISTENT if restart == "renew" else REFUTED,
              stated="reading", restart=restart, cases=10, seed=29, **({} if restart == "renew" else RENEW))
        for restart in psgd.RESTARTS
    ),
)
# fmt: on
