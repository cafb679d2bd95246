"""Memory of training against arrays that are made, published sizes of models, and the search by hand for what fits."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from bounds.dp_grape.memory import KINDS, METHODS, Layer, Model, count_stored, fit_activations, memory, model_names, read_model, table_2
from tests.tex import latex_faults

TINY = Model("tiny", (
    Layer(2, 6, 10, "projected"), Layer(1, 9, 4, "projected"), Layer(3, 5, 2, "kept"), Layer(1, 1, 7, "kept"), Layer(1, 5, 2, "shared"),
))  # fmt: skip
PUBLISHED = {"opt-1.3b": 1_315_758_080, "opt-2.7b": 2_651_596_800, "opt-6.7b": 6_658_473_984}  # weights, as the checkpoints have them


def made(method, r, B):
    """Make the arrays of one step, Algorithms 1 to 5, for TINY; return numbers by part, and those of projected layers in Table 2."""
    each = [(one.rows, one.columns, one.kind) for one in TINY.layers for _ in range(one.count)]
    parts = {name: [] for name in ("weights", "accumulated", "samples", "states", "projectors", "one_layer")}
    table = {"gradient": 0, "states": 0, "projectors": 0}
    for rows, columns, kind in each:
        W = np.zeros((rows, columns))
        if kind == "shared":
            if method.startswith("dp_"):
                parts["samples"].append(np.zeros((B, *W.shape)))
            continue
        parts["weights"].append(W)
        projects = kind == "projected" and method not in ("adam", "dp_adam")
        P = np.zeros((min(W.shape), r)) if projects else None
        one = np.zeros((B, *W.shape))
        low = np.einsum("mr,bmn->brn", P, one if rows <= columns else one.transpose(0, 2, 1)) if projects else one
        stored = low if method == "dp_grape" else one
        parts["accumulated"].append(stored.sum(axis=0))
        if method.startswith("dp_"):
            parts["samples"].append(stored)
        parts["states"] += [np.zeros(low.shape[1:]), np.zeros(low.shape[1:])]
        if projects:
            parts["projectors"].append(P)
            parts["one_layer"] += [one] if method == "dp_grape" else []
        if kind == "projected":
            table["gradient"] += stored.size if method.startswith("dp_") else stored[0].size
            table["states"] += 2 * low[0].size
    count = {name: sum(one.size for one in arrays) for name, arrays in parts.items()}
    if method == "dp_grape":  # one layer at a time
        count |= {name: max(one.size for one in parts[name]) for name in ("projectors", "one_layer")}
    return count, table | {"projectors": count["projectors"]}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("r", "B"), [(1, 1), (3, 5), (4, 2)])
def test_numbers_are_those_of_the_arrays(method, r, B):
    assert (count_stored(method, TINY, r, B), table_2(method, TINY, r, B)) == made(method, r, B)


@pytest.mark.parametrize(("name", "hidden", "layers"), [("opt-1.3b", 2048, 24), ("opt-2.7b", 2560, 32), ("opt-6.7b", 4096, 32)])
def test_opt_has_its_published_size(name, hidden, layers):
    block = 4 * (hidden**2 + hidden) + 2 * 4 * hidden**2 + 5 * hidden + 2 * 2 * hidden
    model = read_model(name)
    assert model.size() == PUBLISHED[name] == layers * block + (50272 + 2050) * hidden + 2 * hidden
    assert model.size("projected") == 12 * layers * hidden**2


def test_the_two_others_have_theirs():
    vit, roberta = read_model("vit-base"), read_model("roberta-large")
    block = 4 * (768**2 + 768) + 2 * 768 * 3072 + 3072 + 768 + 4 * 768
    assert vit.size() == 12 * block + 768 * 768 + 768 + 768 + 197 * 768 + 2 * 768 + 7690 == 85_806_346
    block = 4 * (1024**2 + 1024) + 2 * 1024 * 4096 + 4096 + 1024 + 4 * 1024
    embedded = (50265 + 514 + 1) * 1024 + 2 * 1024
    assert roberta.size() == 24 * block + embedded + 1024**2 + 3 * 1024 + 50265 == 355_412_057
    assert (vit.size("projected"), vit.size("kept")) == (84_934_656, 871_690)
    assert (roberta.size("projected"), roberta.size("kept")) == (301_989_888, 53_422_169)
    sizes = {"vit-base": (64, 7_077_888), "roberta-large": (16, 4_718_592), "opt-1.3b": (16, 9_437_184)}
    assert {name: (r, read_model(name).projected_size(r)) for name, (r, _) in sizes.items()} == sizes


def test_a_decoder_whose_gradients_are_held_besides_is_a_line(tmp_path):
    text = (read_model.__globals__["MODELS"] / "roberta-large.txt").read_text(encoding="utf-8")
    assert "# 1  50265 1024  shared" in text
    own = tmp_path / "own.txt"
    own.write_text(text.replace("# 1  50265", "1  50265"), encoding="utf-8")
    plain, more = (memory("dp_grape", model=model, r=16, batch=3) for model in ("roberta-large", str(own)))
    for method in METHODS:
        extra = 3 * 4 * 50265 * 1024 if method.startswith("dp_") else 0
        assert more.needs[method].bytes == plain.needs[method].bytes + extra


def test_what_fits_is_what_a_search_finds():
    given = {"model": "opt-1.3b", "r": 16, "activations": 1e8}
    found = memory("dp_grape", batch=5, memory=24e9, **given)
    for method, needs in found.needs.items():
        sizes = {B: memory(method, batch=B, **given).asked.bytes for B in range(1, 400)}
        assert needs.largest_batch == max((B for B, size in sizes.items() if size <= 24e9), default=0)
        assert needs.bytes == sizes[5]
        assert needs.saved == pytest.approx(1 - sizes[5] / found.needs["dp_adam"].bytes)
    assert {one.largest_batch for one in memory("adam", batch=1, model="opt-1.3b", r=1, memory=1e9).needs.values()} == {0}
    assert memory("adam", batch=1, model="opt-1.3b", r=1, memory=1e12).asked.largest_batch is None
    assert memory("adam", batch=1, model="opt-1.3b", r=1).asked.largest_batch is None


@pytest.mark.parametrize("method", METHODS)
def test_fitted_activations_give_the_measured_size(method):
    a = fit_activations(method, model="vit-base", r=64, batch=300, measured=150e9)
    assert memory(method, model="vit-base", r=64, batch=300, activations=a).asked.bytes == pytest.approx(150e9, abs=300)
    least = memory(method, model="vit-base", r=64, batch=300).asked.bytes
    assert fit_activations(method, model="vit-base", r=64, batch=300, measured=least) == 0
    with pytest.raises(ValueError, match=rf"^measured = {least - 1}: too few bytes; {method} needs {least} even without activations$"):
        fit_activations(method, model="vit-base", r=64, batch=300, measured=least - 1)


def test_a_record_says_it_all():
    found = memory("dp_grape", model="vit-base", r=64, batch=200, activations=123e6, memory=24e9)
    assert json.loads(found.json()) == json.loads(json.dumps(asdict(found)))
    assert repr(found) == "Memory(vit-base, r = 64, batch 200: DP-GRAPE 33.3 GB, 64.8 % below DP-Adam)"
    row = found.rows()[-1]
    assert (row["method"], row["Table 2 gradient"], row["samples"], row["activations, bytes"], row["fits"]) == (
        "DP-GRAPE", 200 * 7_077_888, 200 * 7_949_578, 200 * 123_000_000, found.asked.largest_batch,
    )  # fmt: skip
    parts = ("weights", "accumulated", "samples", "states", "projectors", "one_layer")
    assert row["all, bytes"] == 4 * sum(row[name] for name in parts) + row["activations, bytes"]
    assert "Activations are not counted" in "".join(memory("adam", model="vit-base", r=1, batch=1).notes())
    assert "Activations" not in "".join(found.notes())
    assert not latex_faults(found.latex())
    half = memory("dp_grape", model="vit-base", r=64, batch=200, bytes=2)
    assert 2 * half.asked.bytes == memory("dp_grape", model="vit-base", r=64, batch=200).asked.bytes


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("4 3 kept", "'4 3 kept'"), ("0 4 3 kept", "'0 4 3 kept'"), ("1 4 3 lost", "'1 4 3 lost'"), ("1 4.5 3 kept", "'1 4.5 3 kept'"),
        ("1 4 -3 projected", "'1 4 -3 projected'"), ("one 4 3 kept", "'one 4 3 kept'"), ("1", "'1'"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(line, said, tmp_path):
    own = tmp_path / "own.txt"
    own.write_text(f"# mine\n2 6 10 projected two of them # both\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 4: COUNT ROWS COLUMNS projected.kept.shared WORDS is needed") as found:
        memory("adam", model=own, r=1, batch=1)
    assert said in str(found.value)
    own.write_text("# mine\n2 6 10 projected two of them # both\n", encoding="utf-8")
    assert read_model(own).layers == (Layer(2, 6, 10, "projected", "two of them"),)


def test_what_is_no_model_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "empty.txt").write_text("1 2 3 kept\n", encoding="utf-8")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    for model, said in (
        ("bert", "one of opt-1.3b, opt-2.7b, opt-6.7b, roberta-large, vit-base, or the name of a file of layers, is needed"),
        (3, "one of opt-1.3b"), ("a\nb", "one of opt-1.3b"), ("", "one of opt-1.3b"), (tmp_path, r"is needed \(Is a directory\)"),
        (tmp_path / "bytes.txt", "it is no text"), (tmp_path / "empty.txt", "at least one line with a projected layer"),
        (b"vit-base", "one of opt-1.3b"), ("x" * 5000, "one of opt-1.3b"), ("a\0b", "one of opt-1.3b"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said) as found:
            memory("dp_grape", model=model, r=1, batch=1)
        assert str(found.value).startswith("model = ")
        assert "\n" not in str(found.value)
    assert set(model_names()) == {"opt-1.3b", "opt-2.7b", "opt-6.7b", "roberta-large", "vit-base"}
    assert KINDS == ("projected", "kept", "shared")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"r": 769}, "^r = 769: at most 768 is needed, the smaller side of layers 768 x 768 .12 blocks: query, key, value, output. of vit"),
        ({"r": 0}, "^r = 0: an integer"), ({"batch": 0}, "^batch = 0: an integer of at least 1"), ({"batch": 1.5}, "^batch = 1.5"),
        ({"bytes": 0}, "^bytes = 0"), ({"activations": -1}, "^activations = -1"), ({"memory": 0}, "^memory = 0: a finite number above 0"),
        ({"method": "sgd"}, "^method = 'sgd': one of adam, galore, dp_adam, dp_galore, dp_grape is needed"),
    ],
)  # fmt: skip
def test_arguments_out_of_range(wrong, said):
    given = {"method": "dp_grape", "model": "vit-base", "r": 64, "batch": 2} | wrong
    with pytest.raises(ValueError, match=said):
        memory(given.pop("method"), **given)


def test_the_smallest_layer_limits_r_and_a_number_has_its_bytes(tmp_path):
    own = tmp_path / "own.txt"
    own.write_text("1 6 10 projected\n1 10 4 projected\n1 8 9 projected\n", encoding="utf-8")
    memory("dp_grape", model=own, r=4, batch=1)
    with pytest.raises(ValueError, match="r = 5: at most 4 is needed, the smaller side of layers 10 x 4"):
        memory("dp_grape", model=own, r=5, batch=1)
    for width in (2, 4):
        found = fit_activations("adam", model=own, r=2, batch=3, measured=10_000, bytes=width)
        assert found == (10_000 - 4 * (60 + 40 + 72) * width) / 3
