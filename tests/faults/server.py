"""The process that checks claims on changed sources: `python -m tests.faults.server ROOT`.

It imports the libraries and, once, the unchanged packages of the project, so that SymPy's caches are filled. For each request it forks.
The child forgets the packages, imports those that the claims need from memory, with one file changed (code, a page or a table), and
checks the claims. No effect of a planted fault outlives its child, and checks share no module, table or cache of the project.

A request is a line of JSON: {"file": the changed file from the root, "" for none, "text": its text, "claims": their keys, "compiled":
whether Numba compiles, "all": whether the claims after one that differs are checked too}. The answer is a line of JSON: {"found": {key:
[outcome, recorded outcome, sentence]}, "seconds": CPU time of the child}, or with "error" in place of "found".
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.faults.memory import InMemory, Source, change_text, module_name, read_sources, unload_packages

LIBRARIES = ("mpmath", "numba", "scipy.optimize", "scipy.special", "scipy.stats", "sympy", "flint")
MISWRITTEN = ("BadPage", "AttributeError", "NameError")  # a fault that names what is not there, or is no page, is none, and not noticed


def serve(root: Path) -> None:
    """Read requests from standard input and write the answers to standard output, until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a check prints goes to stderr, not among the answers
    for name in LIBRARIES:
        import_module(name)
    sources = read_sources(root)
    sys.meta_path.insert(0, InMemory(sources))
    for paper in import_module("bounds.papers").PAPERS:
        import_module("paper_checks.papers").claims(paper)
    unload_packages()
    gc.collect()
    gc.freeze()  # or the garbage collector of each child would copy these pages of memory
    for line in sys.stdin:
        print(json.dumps(answer_request(json.loads(line), sources)), file=answers, flush=True)


def answer_request(request: Mapping[str, Any], sources: Mapping[str, Source]) -> dict[str, Any]:
    """Check the claims of a request in a forked child, and return its answer."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        with os.fdopen(writer, "w", encoding="utf-8") as out:
            json.dump(check_safely(request, sources), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as out:
        text = out.read()
    _, status = os.waitpid(child, 0)
    return dict(json.loads(text)) if text else {"error": f"the process that checked the claims died (wait status {status})"}


def check_safely(request: Mapping[str, Any], sources: Mapping[str, Source]) -> dict[str, Any]:
    """Check the claims of a request; return the findings, or the error as text, and the CPU seconds."""
    began = time.process_time()
    try:
        said: dict[str, Any] = {"found": check_claims(request, sources)}
    except BaseException:
        said = {"error": traceback.format_exc()}
    return said | {"seconds": round(time.process_time() - began, 3)}


def check_claims(request: Mapping[str, Any], sources: Mapping[str, Source]) -> dict[str, tuple[str, str, str]]:
    """Check the claims of a request; return outcome, recorded outcome and sentence by key. Use the process for nothing afterwards."""
    import numba

    numba.config.DISABLE_JIT = not request["compiled"]
    keys = request["claims"]
    changed = dict(sources)
    if request["file"]:
        file, text = sources["bounds"].file.parents[1] / request["file"], request["text"]
        if file.suffix == ".py":
            changed[module_name(Path(request["file"]))] = Source(file, text, compile(text, str(file), "exec"))
        else:
            change_text(file, text)
    unload_packages()
    sys.meta_path[0] = InMemory(changed)
    pages = import_module("paper_checks.pages.claims")
    written = {one.key: one for paper in {key.partition(".")[0] for key in keys} for one in pages.written_claims(paper)}
    claims = {key: written[key].claim() for key in keys}
    run = import_module("paper_checks.run")
    found = {}
    for key in keys:
        finding, _ = run.check_claim(claims[key])
        if finding.sentence.startswith(tuple(f"{run.BROKEN_OFF}: {one}" for one in MISWRITTEN)):
            raise ValueError(finding.sentence)
        found[key] = finding.outcome.value, claims[key].expected.value, finding.sentence
        if finding.outcome is not claims[key].expected and not request["all"]:
            break
    return found


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
