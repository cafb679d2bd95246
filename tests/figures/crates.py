"""Read RO-Crates without the code that writes them: what they say, and what is wrong with them."""

import hashlib
import json
from pathlib import Path
from urllib.parse import unquote

END = "-ro-crate-metadata.json"


def entities(path: Path) -> dict:
    """The entities of a crate by their identifiers."""
    return {one["@id"]: one for one in json.loads(path.read_text(encoding="utf-8"))["@graph"]}


def facts(path: Path) -> dict:
    """What a crate says of its result, by name, parts within parts; and the versions of what it was made with."""
    graph = entities(path)

    def value(one):
        parts = [graph[part["@id"]] for part in several(one.get("value")) if isinstance(part, dict)]
        return {part["name"]: value(part) for part in parts} if parts else one.get("value")

    told = [*several(graph["#run"]["object"]), *several(graph["./"]["additionalProperty"])]
    lab = graph["#lab"]
    needed = [graph[one["@id"]] for one in several(lab["softwareRequirements"])]
    versions = {"dp-theory-lab": lab["version"]} | {one["name"]: one["version"] for one in needed}
    return {graph[one["@id"]]["name"]: value(graph[one["@id"]]) for one in told} | {"versions": versions}


def several(value) -> list:
    """What a property has, of which one alone stands for itself."""
    return value if isinstance(value, list) else [value]


def references(entity: dict):
    """Yield what an entity refers to; raise AssertionError for an object within it that is no reference, as flat JSON-LD has none."""
    for values in entity.values():
        for one in several(values):
            assert not isinstance(one, list), one
            if isinstance(one, dict):
                assert set(one) == {"@id"}, one
                yield one["@id"]


def wrong(path: Path) -> list[str]:
    """What is wrong with a crate and the files beside it, in the order in which it is found."""
    read = json.loads(path.read_text(encoding="utf-8"))
    graph, found = entities(path), []
    if len(graph) != len(read["@graph"]):
        found.append("two entities have one identifier")
    version = graph["ro-crate-metadata.json"]["conformsTo"]["@id"]
    if read["@context"] != f"{version}/context":
        found.append("its context is of another specification")
    root = graph[graph["ro-crate-metadata.json"]["about"]["@id"]]
    found += [f"no {name}" for name in ("name", "description", "datePublished", "license", "author", "hasPart") if not root.get(name)]
    named = {one for entity in graph.values() for one in references(entity)}
    found += [f"{one} is not there" for one in sorted(named - set(graph) - {version})]
    found += [f"nothing refers to {one}" for one in sorted(set(graph) - named - {"ro-crate-metadata.json"})]
    files = {one["@id"] for one in graph.values() if one["@type"] == "File"}
    for where in (root["hasPart"], graph["#run"]["result"]):
        if {one["@id"] for one in several(where)} != files:
            found.append("a file is no part of the result")
    for one in sorted(files):
        file = path.parent / graph[one]["localPath"]
        if not file.is_file() or unquote(one) != f"#{file.name}":
            found.append(f"{one}: no such file")
            continue
        content = file.read_bytes()
        if (graph[one]["contentSize"], graph[one]["sha256"]) != (str(len(content)), hashlib.sha256(content).hexdigest()):
            found.append(f"{one}: the file is another")
    return found
