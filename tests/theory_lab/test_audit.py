"""`lab.audit` and the command `audit`: what is handed over, what comes back, and that a kernel with too little noise is convicted."""

import json
import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numba import njit

import theory_lab as lab
from bounds.privacy import accounting
from paper_checks.shared.audit import attack_full_batches
from synthetic.draws import NOISE
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.dpzero import KERNELS
from synthetic.methods.record import NEEDED, SAMPLINGS, Draw, Kernel, Setting, vector
from synthetic.objectives.space import Space
from synthetic.validate import positive, positive_integer
from tests.calls import print_lightly
from tests.theory_lab.test_predict import refused
from theory_lab.cli import main
from theory_lab.commands.audit import auditable_methods
from theory_lab.examples import own_kernel, own_paper
from theory_lab.methods import METHODS, sums
from theory_lab.methods.record import resolved

AT = {"epsilon": 2.0, "delta": 1e-6, "T": 4, "n": 3}
FEW = {"runs": 2000, "seed": 3}
WORDS = ["--epsilon", "2", "--delta", "1e-6", "--T", "4", "--n", "3", "--runs", "2e3", "--seed", "3"]
NOT_PRIVATE = {"mezo", "galore"}


@njit(nogil=True, error_model="numpy")
def noisy(gradient, value_gradient, data, params, x, alpha, C, sigma, share, rows, side, z, batch, value, grad_norm_sq, clipped, tau,
          x_tau, t0):  # fmt: skip
    """Noisy descent on clipped gradients with a share of the noise that it should have; `side` is a table that nothing needs."""
    steps, d = z.shape
    g = np.empty(d)
    for t in range(steps):
        if t == tau:
            x_tau[:] = x
        step = share * sigma * z[t]
        for k in batch[0]:
            gradient(x, data[k], params, g)
            step += g * min(1.0, C / max(np.sqrt(np.sum(g**2)), 1e-300)) / batch.shape[1]
        x -= alpha * step
        clipped[t] = 0.0
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


def sides(space, settings):
    return np.array([shape[0] for shape in space.shapes])


OWN = Kernel(
    "noisy",
    noisy,
    draws=(Draw("z", NOISE, vector),),
    settings=(Setting("share", positive, NEEDED), Setting("rows", positive_integer, 1, int)),
    tables={"side": sides},
)
RECORD = sums.record("noisy", paper="mine", words="w", kernel=OWN)
FILE = """
from tests.theory_lab.test_audit import OWN
from theory_lab.methods import sums

METHOD = sums.record("noisy", paper="mine", words="w", kernel=OWN)
"""


# --- the names --------------------------------------------------------------------------------------------------------------------------
def test_the_types_name_all_that_can_be_attacked():
    private = {name for name, one in METHODS.items() if isinstance(one.runner, Kernel) and one.runner.private}
    parts = {part for one in METHODS.values() for part in one.parts}
    stub = Path(lab.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    typed = stub[stub.index("def audit(method: Literal[") :].partition("[")[2].partition("]")[0]
    assert {word.strip("' ") for word in typed.split(",")} == (set(METHODS) - NOT_PRIVATE) | parts
    assert not set(METHODS) & parts
    assert set(auditable_methods(METHODS)) == set(METHODS) | parts
    assert {name for name, one in METHODS.items() if isinstance(one.runner, Kernel)} - private == NOT_PRIVATE


@pytest.mark.parametrize("name", [name for name in auditable_methods(METHODS) if name not in NOT_PRIVATE])
def test_the_audits_of_a_paper_know_its_names(name):
    where = f"paper_checks.{auditable_methods(METHODS)[name].paper}.audits"
    if not find_spec(where):
        pytest.skip(f"no {where} yet")
    assert name in resolved(f"{where}:AUDITED")


# --- the call ---------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_the_numbers_are_those_of_the_attack(method):
    found = lab.audit(method, **AT, **FEW, C=2.0)
    sigma = accounting.sigma(2.0, 1e-6, 4, 3, None, 2.0)
    assert found.audit == attack_full_batches(KERNELS[method], **AT, **FEW, C=2.0, sigma=sigma, level=1 - 0.99)
    assert found.settings == {"T": 4, "n": 3, "C": 2.0, "sigma": sigma}
    assert (found.epsilon, found.delta, found.runs, found.sigma) == (2.0, 1e-6, 2000, sigma)
    assert found.confidence == pytest.approx(0.99)
    assert 1.2 < found.certified < 2.0
    assert found.share == found.certified / 2.0
    assert not found.convicted
    assert lab.audit(method, **AT, **FEW, C=2.0).audit == found.audit
    assert lab.audit(method, **AT, runs=2000, seed=4).audit != found.audit
    assert lab.audit(METHODS[method], **AT, **FEW, C=2.0).audit == found.audit


def test_less_confidence_certifies_more():
    sure, less = (lab.audit("dp_gd", **AT, **FEW, confidence=one) for one in (1 - 1e-9, 0.9))
    assert sure.certified < lab.audit("dp_gd", **AT, **FEW).certified < less.certified
    assert less.audit.level == pytest.approx(0.1)


def test_half_of_the_noise_is_convicted():
    """The false alarm is 1e-9."""
    sigma = accounting.sigma(2.0, 1e-6, 4, 3, None, 1.0)
    found = lab.audit("dpzero", **AT, **FEW, sigma=sigma / 2, confidence=1 - 1e-9)
    assert found.convicted
    assert found.remarks[-1].startswith("The declared (2, 1e-06)-differential privacy is false: with a confidence of 99.9999999 %, ")
    assert found.remarks[-1].endswith(f"epsilon is at least {found.certified:.4g} at this delta.")
    assert "The noise is the given sigma." in found.remarks
    assert repr(found).startswith("Attack(dpzero: CONVICTED, certified epsilon ")
    assert found.bound == "the mean of normal scores"


def test_only_an_attack_that_comes_to_less_than_half_says_so():
    for more, little in (({}, False), ({"sigma": 1e12}, True)):
        assert (
            any(one.startswith("The certified epsilon is below half") for one in lab.audit("dp_gd", **AT, **FEW, **more).remarks) == little
        )


def test_a_threshold_longer_than_any_gradient_is_attacked_by_longer_ones():
    long, plain = (lab.audit("dp_gd", **AT, **FEW, C=C).share for C in (1e20, 1.0))
    assert long == pytest.approx(plain, rel=1e-6)


def test_the_directions_of_a_secret_batch_are_one_release_in_the_noise():
    found = lab.audit("dp_zoo", epsilon=2.0, delta=0.1, T=2, n=3, runs=100, P=3, batch_size=1, sampling="poisson")
    assert found.sigma == accounting.sigma(2.0, 0.1, 2, 3, 1, math.sqrt(3), "poisson")


def test_an_attack_on_secret_batches_says_which_constants_are_public():
    found = lab.audit("dp_zoo", epsilon=2.0, delta=0.1, T=2, n=3, runs=100, batch_size=1, sampling="poisson")
    said = accounting.of_means(3, 1, 1.0, 2, "poisson").describe()
    assert "with probability q = 0.333333" in said
    assert "at most 2 C/1" in said
    assert found.remarks.count(said) == 1
    full = lab.audit("dp_zoo", epsilon=2.0, delta=0.1, T=2, n=3, runs=100)
    assert not any("public constants" in one for one in full.remarks)


def test_no_noise_at_all_has_no_finite_epsilon():
    found = lab.audit("dp_gd", epsilon=2.0, delta=0.0, T=2, n=3, sigma=0.0, runs=100)
    assert found.certified == math.inf
    assert json.loads(found.json())["certified"] is None
    assert "no finite epsilon holds at this delta" in found.remarks[-1]
    assert r"$\infty$" in found.latex()


def test_much_noise_certifies_nothing_and_says_so():
    """Of noise along one direction only the covariance has no inverse; here that was an error."""
    for method in ("dpzero", "dp_gd"):
        found = lab.audit(method, **AT, **FEW, sigma=1e12)
        assert (found.certified, found.bound) == (0.0, "neither")
        assert "and does not prove it" in found.remarks[-1]
    assert lab.audit("dpzero", **AT, **FEW, sigma=1e50, C=1e-50).certified == 0
    assert lab.audit("dpzero", **AT, **FEW, sigma=1e-50, C=1e50).convicted


def test_an_attack_is_shown_in_a_line_and_in_a_notebook_as_a_table():
    found = lab.audit("dpzero", **AT, **FEW, lam=0.5)
    (row,) = found.rows()
    assert repr(found) == (
        f"Attack(dpzero: certified epsilon {found.certified:.4g} of the declared 2 at delta = 1e-06, 2000 runs on each data set, "
        "confidence 0.99)"
    )
    page = found._repr_html_()
    assert "<caption>dpzero, T = 4, n = 3, C = 1.0, lam = 0.5</caption>" in page
    assert f"<td>{found.certified:.5g}</td>" in page
    assert row["sigma"] == found.sigma
    assert len(repr(lab.audit(sums.record("x" * 300, paper="mine", words="w", kernel=OWN), **AT, runs=100, share=1.0))) <= 240


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("method", "sampling"), [(method, sampling) for method in ("dpzero", "dp_zoo", "dp_grape") for sampling in SAMPLINGS]
)
def test_secret_batches_are_attacked_with_the_noise_of_their_accountant(method, sampling):
    given = {"epsilon": 2.0, "delta": 0.1, "T": 2, "n": 3, "batch_size": 1, "sampling": sampling, "runs": 10_000}
    found, half = lab.audit(method, **given), lab.audit(method, **given, sigma=lab.audit(method, **given).sigma / 2)
    assert found.sigma == accounting.sigma(2.0, 0.1, 2, 3, 1, 1.0, sampling)
    assert (found.convicted, half.convicted) == (False, True)
    assert found.share > 0.3
    assert found.bound == "an event"
    drawn = {"poisson": "by Poisson sampling", "without_replacement": "without replacement"}[sampling]
    others = {
        "poisson": "all other gradients are 0.",
        "without_replacement": "all other gradients are those of this record in the second data set.",
    }[sampling]
    assert f"{others} Each step is over a batch of 1, drawn {drawn} and kept secret." in found.remarks[0]
    assert "The noise is that of the accountant for the declared epsilon and delta." in found.remarks
    assert not any("a secret batch" in said for said in found.remarks)


@pytest.mark.verify
def test_a_part_has_no_column_for_a_noise_that_it_does_not_have():
    assert "sigma" not in lab.audit("sgd", epsilon=2.0, delta=1e-6, runs=200).rows()[0]


# --- a kernel of one's own --------------------------------------------------------------------------------------------------------------
def test_a_kernel_of_ones_own_is_attacked_on_matrices_where_it_has_tables():
    found, less = (lab.audit(RECORD, **AT, **FEW, share=share, confidence=1 - 1e-9) for share in (1.0, 0.5))
    space = Space(((2, 2), (1,)))
    assert found.audit == attack_full_batches(OWN, **AT, **FEW, sigma=found.sigma, level=1 - (1 - 1e-9), share=1.0, space=space)
    assert (found.convicted, less.convicted) == (False, True)
    assert less.certified > 2 * found.certified


def test_the_command_attacks_a_file_of_ones_own_and_its_status_is_the_verdict(tmp_path, capsys):
    file = tmp_path / "mine_noisy.py"
    file.write_text(FILE, encoding="utf-8")
    for share, status in ((1.0, 0), (0.5, 1)):
        assert main(["--module", str(file), "audit", "noisy", *WORDS, "--with", f"share={share}", "--json"]) == status
        assert json.loads(capsys.readouterr().out)["convicted"] == bool(status)
    assert "share is missing: noisy needs share" in refused(["audit", "noisy", *WORDS, "--module", file], capsys)


# --- the command ------------------------------------------------------------------------------------------------------------------------
def test_the_command_prints_what_the_call_returns(capsys):
    found = lab.audit("dpgd_0th", **AT, **FEW, C=0.5, confidence=0.95, lam=0.5, direction="gaussian")
    argv = ["audit", "dpgd_0th", *WORDS, "--C", "0.5", "--confidence", "0.95", "--with", "lam=0.5", "--with", "direction=gaussian"]
    for form, text in (("--json", found.json()), ("--latex", found.latex())):
        assert main([*argv, form]) == 0
        assert capsys.readouterr().out == text + "\n"
    told = json.loads(found.json(), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert told["settings"] == dict(found.settings)
    assert told["settings"]["direction"] == "gaussian"
    assert (told["certified"], told["mu"], told["remarks"]) == (found.certified, found.audit.mu, list(found.remarks))
    assert main(argv) == 0
    table = " ".join(capsys.readouterr().out.split())
    assert f"{found.certified:.5g}" in table
    assert all(" ".join(one.split()) in table for one in found.remarks)
    assert main([*argv, "--sigma", "0.1", "--json"]) == 1


@pytest.mark.sample(25)
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"epsilon": 0.0}, "epsilon = 0.0: a finite number above 0"), ({"delta": 1.0}, "delta = 1.0: a number of at least 0 and below 1"),
        ({"delta": -0.1}, "delta = -0.1: a number of at least 0"),
        ({"delta": 0.0}, "delta = 0.0: a number strictly between 0 and 1 is needed, or sigma, for which delta may be 0"),
        ({"runs": 99}, "runs = 99: an integer of at least 100"), ({"runs": 1e3}, "runs = 1000.0: an integer"), ({"seed": -1}, "seed = -1"),
        ({"confidence": 1.0}, "confidence = 1.0: a number strictly between"), ({"T": None}, "T is missing: an audit of dpzero needs T"),
        ({"T": None, "n": None}, "T is missing: an audit of dpzero needs T and n"), ({"T": 0}, "T = 0: an integer of at least 1"),
        ({"T": math.nan}, "T = nan: an integer"), ({"T": True}, "T = True: an integer"), ({"T": "2"}, "T = '2': an integer"),
        ({"n": 2.0}, "n = 2.0: an integer"),
        ({"n": 2**60},
         "n = 1152921504606846976, T = 4, runs = 100000: a product of at most 1e+10 is needed, because every record has a gradient in "
         "every step of every run; take fewer records, steps or runs"),
        ({"T": 10**7, "runs": 300}, "T = 10000000: 4.8 PB of memory are needed"),
        ({"C": 0.0}, "C = 0.0: a finite number above 0"), ({"C": 1e51}, "C = 1e+51: a number from"),
        ({"sigma": -1.0}, "sigma = -1.0: a finite number of at least 0"), ({"sigma": 1e51}, "sigma = 1e+51: a number from"),
        ({"epsilon": 1e300}, "epsilon = 1e+300, delta = 1e-06, T = 4, n = 3, C = 1.0: less extreme numbers are needed, their sigma is"),
        ({"lam": 0.0}, "lam = 0.0: a finite number above 0"), ({"direction": "ball"}, "direction = 'ball': one of sphere, gaussian"),
        ({"alpha": 1.0}, "alpha = 1.0: an audit of dpzero has no setting alpha; it takes T, n, C, sigma, runs, seed, confidence, lam, "),
        ({"batch_size": 1}, "batch_size = 1: sampling is needed with it; sampling is one of without_"),
        ({"method": "dp_zoo", "P": 0}, "P = 0: an integer of at least 1"), ({"method": "dp_zoo", "P": 1.5}, "P = 1.5: an integer of"),
        ({"method": "dp_zoo", "batch_size": 1}, "batch_size = 1: sampling is needed with it; sampling is one of without_"),
        ({"method": "dp_zoo", "sampling": "poisson"}, "sampling = 'poisson': batch_size is needed with it"),
        ({"method": "dp_zoo", "sampling": "coin", "batch_size": 1}, "sampling = 'coin': one of without_replacement, poisson"),
        ({"method": "dp_zoo", "sampling": "poisson", "batch_size": 0}, "batch_size = 0: an integer of at least 1"),
        ({"method": "dp_zoo", "sampling": "poisson", "batch_size": 3}, "batch_size = 3: fewer than the n = 3 records are needed"),
        ({"method": "dp_galore", "r": 1}, "method = 'dp_galore', r = 1: an audit needs iterates that are affine in the noise of their run"),
        ({"method": own_kernel.METHOD, "batch_size": 1}, "batch_size = 1: an audit of noisy_descent has no setting batch_size; it takes"),
        ({"level": 0.5}, "level = 0.5: an audit of dpzero has no setting level; it takes"),
        ({"method": "dpzer0"}, "method = 'dpzer0': one of dpzero, dpgd_0th"), ({"method": 3}, "method = 3: one of dpzero"),
        ({"method": "mezo"}, "method = 'mezo': it adds no noise and promises no privacy, so there is nothing to audit"),
        ({"method": "galore"}, "method = 'galore': it adds no noise"), ({"method": RECORD}, "share is missing: noisy needs share"),
        ({"method": sums.record("k", paper="mine", words="w", kernel="nowhere:K")}, "kernel of k: 'nowhere:K' is not the address"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_a_sentence(changed, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as found:
        lab.audit(**{"method": "dpzero", **AT, **changed})
    assert sentence in str(found.value)


@pytest.mark.parametrize(
    ("method", "changed", "sentence"),
    [
        ("sgd", {"b_1": 0}, "b_1 = 0: an integer of at least 1"), ("sgd", {"d": 2.5}, "d = 2.5: an integer of at least 1"),
        ("sgd", {"noise": "much"}, "noise = 'much': a number from"), ("sgd", {"eta": math.nan}, "eta = nan: a number from"),
        ("sgd", {"eta": True}, "eta = True: a number from"), ("sgd", {"noise": 0.0}, "noise = 0.0: a positive multiple"),
        ("sgd", {"b_1": 10**12, "d": 10**9}, "T = 3, d = 1000000000, b_1 = 1000000000000: a product of at most 1e+15"),
        ("dp_spider", {"place": 3}, "place = 3: a word is needed, such as gradient"), ("gauss_psgd", {"restart": -1}, "restart = -1: an"),
        ("sgd", {"r": 2}, "r = 2: sgd has no setting r; it takes T, d, b_1, eta, noise"),
    ],
)  # fmt: skip
def test_a_wrong_setting_of_a_part_is_a_sentence(method, changed, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as found:
        lab.audit(method, epsilon=2.0, delta=1e-6, **changed)
    assert sentence in str(found.value)


def test_a_method_without_a_kernel_is_told_what_an_attack_needs(capsys):
    said = "method = 'noisy_sgd': the lab has no audit of it; its METHOD must be theory_lab.methods.sums.record(...) of a private"
    assert said in refused(["audit", "noisy_sgd", *WORDS, "--module", own_paper.__file__], capsys)


def test_a_kernel_whose_noise_is_of_another_stream_is_refused():
    other = Kernel("other", noisy, (Draw("z", 17, vector),), OWN.settings, tables=OWN.tables)
    with pytest.raises(ValueError, match=r"^method = 'other': its noise must be a draw of the stream synthetic\.draws\.NOISE$"):
        lab.audit(sums.record("other", paper="mine", words="w", kernel=other), **AT, share=1.0)


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["dpzer0", *WORDS], "argument METHOD: invalid choice: 'dpzer0'"), (["dpzero"], "required: --epsilon, --delta"),
        (["dpzero", *WORDS, "--json", "--latex"], "not allowed with argument"), (["mezo", *WORDS], "method = 'mezo': it adds no noise"),
        (["dpzero", *WORDS, "--with", "sigma=1"], "--with sigma=1: use the option --sigma instead"),
        (["dpzero", *WORDS, "--with", "P=3"], "P = 3: an audit of dpzero has no setting P; it takes"),
        (["dpzero", *WORDS, "--with", "lam"], "--with lam: NAME=VALUE is needed"),
        (["sgd", "--epsilon", "2", "--delta", "1e-6", "--with", "noise=much"], "noise = 'much': a number from"),
        (["dpzero", *WORDS, "--T", "x"], "argument --T: 'x': a whole number is needed"),
    ],
)  # fmt: skip
def test_a_wrong_command_is_one_line_and_status_2(argv, sentence, capsys):
    assert sentence in refused(["audit", *argv], capsys)


def test_an_interrupt_is_a_sentence(monkeypatch, capsys):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(lab, "audit", interrupt, raising=False)
    assert main(["audit", "dpzero", *WORDS]) == 130
    assert capsys.readouterr().err == "theory-lab: interrupted\n"


def test_the_help_imports_nothing_heavy_and_says_what_the_status_means():
    said = print_lightly("audit", "--help")
    assert "Status 1 if it is above the declared epsilon" in " ".join(said.split())


@pytest.mark.verify
def test_an_audit_of_exact_noise_and_of_half_of_it():
    found = lab.audit("dpzero", **AT)
    half = lab.audit("dpzero", **AT, sigma=1.487)
    assert f"{found.certified:.4g}" == "1.923"
    assert f"{half.certified:.4g}" == "4.219"
    assert half.sigma == pytest.approx(found.sigma / 2, rel=1e-3)
    assert half.convicted


@pytest.mark.verify
def test_the_kernel_of_the_example_is_convicted_where_two_steps_have_one_noise():
    found, reused = (lab.audit(own_kernel.METHOD, **AT, reuse=reuse) for reuse in (1, 2))
    assert (f"{found.certified:.4g}", f"{reused.certified:.4g}") == ("1.913", "9.017")
    assert (found.convicted, reused.convicted) == (False, True)
    assert found.share > 0.95
    source = Path(own_kernel.__file__).read_text(encoding="utf-8")
    assert f"the second command certifies {found.certified:.3g} of the declared 2, the third {reused.certified:.3g}." in source


def test_the_kernel_of_the_example_is_dp_gd():
    at = {"alpha": 0.5, "T": 6, "C": 0.7, "sigma": 0.1, "seed": 2}
    own, ours = (lab.simulate(one, lab.quadratic(spectrum="inverse", d=3, n=5, seed=0), **at) for one in (own_kernel.METHOD, "dp_gd"))
    for name in ("x", "x_tau", "loss", "grad_norm_sq", "clipped"):
        np.testing.assert_allclose(getattr(own, name), getattr(ours, name), rtol=1e-12)
    assert 0 < own.clipped.mean() < 1


def test_an_audit_of_a_part_with_half_of_its_noise():
    found = lab.audit("sgd", epsilon=2.0, delta=1e-6, noise=0.5)
    assert f"{found.certified:.4g}" == "4.233"
    assert found.convicted


def test_the_directions_of_a_step_are_as_many_releases_in_the_noise():
    found = lab.audit("dp_zoo", **AT, **FEW, P=3)
    assert found.sigma == accounting.sigma(AT["epsilon"], AT["delta"], 3 * AT["T"], AT["n"], None, 1.0)


def test_steps_count_among_the_gradients_that_are_too_many():
    with pytest.raises(ValueError, match=r"^n = 100, T = 1000001, runs = 100: "):
        lab.audit("dpzero", **{**AT, **FEW, "n": 100, "T": 10**6 + 1, "runs": 100})
