"""Write the provenance of a result as an RO-Crate 1.2 beside its files: NAME-ro-crate-metadata.json.

It is a detached crate (https://w3id.org/ro/crate/1.2, "RO-Crate Structure"), so that one folder can hold several results: a file of
the result has an identifier that begins with #, and its path from the crate as ``localPath``. Facts about a result are PropertyValues.
Input facts (experiment, file, seeds) are objects of the action that made the result; all others are additional properties of the data
set. A fact with parts has these parts as its value. The only date is that of the lab's commit: the same sources write the same crate.
"""

import hashlib
import json
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bounds import origin
from bounds.renamed import old_names
from bounds.strict_json import strict_json
from bounds.typeset.citation import AUTHORS, LAB
from figures.files import atomic_path

SPECIFICATION = "https://w3id.org/ro/crate/1.2"
LICENCE = "https://spdx.org/licenses/MIT"
LIBRARIES = ("numpy", "scipy", "numba", "matplotlib")  # whose versions a crate records
INPUT_FACTS = ("experiment", "file", "seed", "seeds")  # input facts of a result
FORMATS = {
    ".png": ("image/png", "The picture"),
    ".svg": ("image/svg+xml", "The picture, without loss at any size"),
    ".pdf": ("application/pdf", "The picture, for LaTeX"),
    ".csv": ("text/csv", "Numbers in full, a head and a row for each point"),
    ".parquet": ("application/vnd.apache.parquet", "The same numbers with their types"),
}
Entity = dict[str, Any]


def write_crate(name: str, folder: Path, files: Sequence[Path], facts: Mapping[str, Any]) -> Path:
    """Write the RO-Crate of a result beside its files, which must exist; return the path of the crate."""
    path = _crate_path(name, folder)
    made = crate_document(
        name, files, facts, versions=origin.installed_versions(LIBRARIES), commit=origin.source_commit(), day=origin.commit_day()
    )
    with atomic_path(path) as part:
        part.write_text(strict_json(made, indent=1) + "\n", encoding="utf-8", newline="")
    return path


def free_name(name: str, folder: Path, facts: Mapping[str, Any]) -> str:
    """Return the name under which a result is written: NAME, or NAME-2, NAME-3, ... where another result has it.

    A result replaces only a result with the same input facts. Files without a readable crate count as another result.
    """
    wanted = _input_facts(entity for key in facts.keys() & set(INPUT_FACTS) for entity in _fact_entities([key], facts[key]))
    for k in count(1):
        one = name if k == 1 else f"{name}-{k}"
        if _crate_path(one, folder).exists():
            if _read_inputs(_crate_path(one, folder)) == wanted:
                return one
        elif not any((folder / f"{one}{ending}").exists() for ending in FORMATS):
            return one
    raise AssertionError("unreachable")


def renaming_message(name: str, given: str, folder: Path) -> str:
    """Return the message that a result is written under `name` because another result has the given name, "" if it has not."""
    return "" if name == given else f"{folder / given} is of something else and stays as it is: this result is called {name}"


def _crate_path(name: str, folder: Path) -> Path:
    """Return the path of a result's crate, FOLDER/NAME-ro-crate-metadata.json."""
    return folder / f"{name}-ro-crate-metadata.json"


def _read_inputs(path: Path) -> dict[str, Any] | None:
    """Return the input facts in the crate at a path, by identifier; None for a file that is not a crate."""
    try:
        return _input_facts(json.loads(path.read_text(encoding="utf-8"))["@graph"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _input_facts(entities: Iterable[Entity]) -> dict[str, Any]:
    """Return the entities of input facts, by identifier; a sweep file as its parsed content without the table `plot`."""
    places = tuple(_fact_id([key]) for key in INPUT_FACTS)
    found = {one["@id"]: one for one in entities if one["@id"] in places or one["@id"].startswith(tuple(f"{at}/" for at in places))}
    if file := found.get(_fact_id(["file"])):
        said = tomllib.loads(file["value"])
        found[_fact_id(["file"])] = {key: value for key, value in said.items() if key != "plot"}
    normal: dict[str, Any] = json.loads(json.dumps(found, default=str))
    return normal


def crate_document(
    name: str, files: Sequence[Path], facts: Mapping[str, Any], *, versions: Mapping[str, str], commit: str, day: str
) -> dict[str, Any]:
    """Return the RO-Crate of a result as a JSON-LD document: its files, the facts about it, and the software that made it.

    facts      strings, numbers, lists and mappings of such, by their names
    versions   of the lab, Python and libraries;   commit   of the lab's sources, or "unknown";   day   of the commit, YYYY-MM-DD
    """
    given = {key: value for key, value in facts.items() if key in INPUT_FACTS}
    said = {key: value for key, value in facts.items() if key not in INPUT_FACTS}
    parts = [_file_entity(path) for path in files]
    needs = [_software_entity(one, one, version) for one, version in versions.items() if one != origin.NAME]
    lab = _software_entity("lab", LAB, versions[origin.NAME])
    known = [{"@id": "#commit", "@type": "PropertyValue", "name": "commit", "value": commit}] if commit != origin.UNKNOWN else []
    lab |= {"identifier": _reference(known[0])} if known else {}
    action: Entity = {"@id": "#run", "@type": "CreateAction", "name": f"Computation of {name}", "instrument": _reference(lab)}
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"{name}, by the {LAB}",
        "description": f"{name}: what was computed, with which parameters and seeds, and by which software",
        "datePublished": day,
        "license": {"@id": LICENCE},
        "author": {"@id": "#authors"},
        "publisher": {"@id": "#authors"},
        "hasPart": _compact(_reference(one) for one in parts),
        "additionalProperty": _compact({"@id": _fact_id([key])} for key in said),
        "mentions": _reference(action),
    }
    graph = [
        {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": _reference(root), "conformsTo": {"@id": SPECIFICATION}},
        root,
        *parts,
        action | {"object": _compact({"@id": _fact_id([key])} for key in given), "result": _compact(_reference(one) for one in parts)},
        *(entity for key, value in facts.items() for entity in _fact_entities([key], value)),
        lab
        | {"author": {"@id": "#authors"}, "license": {"@id": LICENCE}, "softwareRequirements": _compact(_reference(one) for one in needs)},
        *known,
        *needs,
        {"@id": "#authors", "@type": "Organization", "name": AUTHORS},
        {"@id": LICENCE, "@type": "CreativeWork", "name": "MIT licence", "description": "Use, change and pass on; keep the notice"},
    ]
    return {"@context": f"{SPECIFICATION}/context", "@graph": graph}


def _file_entity(path: Path) -> Entity:
    """Return the RO-Crate entity of a file: name, type, size and SHA-256."""
    content = path.read_bytes()
    kind, words = FORMATS[path.suffix]
    return {
        "@id": f"#{quote(path.name, safe='')}",
        "@type": "File",
        "name": path.name,
        "description": words,
        "localPath": path.name,
        "encodingFormat": kind,
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _software_entity(place: str, name: str, version: str) -> Entity:
    """Return the RO-Crate entity of a piece of software; the lab, which has no web page, gets a package URL."""
    pages = {LAB: f"pkg:generic/{origin.NAME}@{version}", "Python": "https://www.python.org/"}
    page = pages.get(name, f"https://pypi.org/project/{name}/")
    return {"@id": f"#{quote(place)}", "@type": "SoftwareApplication", "name": name, "version": version, "url": page}


def _fact_entities(path: list[str], value: Any) -> Iterator[Entity]:
    """Yield the RO-Crate entity of a fact, identified by its path of names, then those of its parts."""
    entity: Entity = {"@id": _fact_id(path), "@type": "PropertyValue", "name": path[-1]}
    if isinstance(value, list | tuple) and not all(map(_is_plain, value)):
        value = {str(k): one for k, one in enumerate(value)}
    if isinstance(value, Mapping):
        yield entity | {"value": _compact({"@id": _fact_id([*path, key])} for key in value)}
        for key, one in value.items():
            yield from _fact_entities([*path, key], one)
    elif isinstance(value, list | tuple) or _is_plain(value):
        yield entity | {"value": value}
    else:
        yield entity | {"description": "none, or not a finite number"}


def _is_plain(value: Any) -> bool:
    """Return whether a fact is a string or a finite number, which JSON can hold."""
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def _fact_id(path: list[str]) -> str:
    """Return the identifier of a fact from its path of names."""
    return "#fact/" + "/".join(quote(name, safe="") for name in path)


def _reference(entity: Entity) -> Entity:
    """Return a JSON-LD reference to an entity."""
    return {"@id": entity["@id"]}


def _compact(references: Iterable[Entity]) -> Entity | list[Entity]:
    """Return references as a list; a single reference is returned by itself, as in compacted JSON-LD."""
    found = list(references)
    return found[0] if len(found) == 1 else found


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, write="write_crate", beside="renaming_message", crate="crate_document")
