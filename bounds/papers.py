"""The papers that the lab covers: names, titles, authors, where they were published, and which text was read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """One paper: `key` is the prefix of the keys of its theorems and claims, `name` its short name, `read` which text was read."""

    key: str
    name: str
    title: str
    authors: tuple[str, ...]
    published: str
    read: str

    @property
    def name_and_title(self) -> str:
        """Name and title of the paper; the title alone if it begins with the name."""
        return self.title if self.title.startswith(f"{self.name}:") else f"{self.name} ({self.title})"

    @property
    def short_reference(self) -> str:
        """Short reference to the paper: surnames of the authors, short name, where it was published."""
        return f"{', '.join(author.rpartition(' ')[2] for author in self.authors)}: {self.name} ({self.published})"

    @property
    def cite_key(self) -> str:
        """Key of the paper's BibTeX entry: surname of the first author, year, and key of the paper."""
        return f"{self.authors[0].rpartition(' ')[2].lower()}{self._facts['year']}{self.key.replace('_', '')}"

    @property
    def bibtex(self) -> str:
        """BibTeX entry of the paper, with venue, year and arXiv number taken from `published`."""
        facts = {"author": " and ".join(self.authors), "title": f"{{{self.title}}}", **self._facts}
        return bibtex_entry("inproceedings" if "booktitle" in facts else "misc", self.cite_key, facts)

    @property
    def _facts(self) -> dict[str, str]:
        """BibTeX fields found in `published`: venue, year and arXiv number; the year of a preprint alone is that of its number."""
        venue, preprint = re.search(r"(\w+) (\d{4})", self.published), re.search(r"arXiv:((\d\d)\d\d\.\d+)", self.published)
        facts = {"booktitle": venue[1], "year": venue[2]} if venue else {"year": f"20{preprint[2]}"} if preprint else {}
        return facts | ({"eprint": preprint[1], "archivePrefix": "arXiv"} if preprint else {})


def bibtex_entry(kind: str, key: str, facts: Mapping[str, str]) -> str:
    """Return a BibTeX entry of a kind ("misc", "inproceedings"), with its key and its fields, as text."""
    lines = [f"@{kind}{{{key},", *(f"  {name} = {{{value}}}," for name, value in facts.items()), "}"]
    return "\n".join(lines)


PAPERS = {
    "dpzero": Paper(
        key="dpzero",
        name="DPZero",
        title="DPZero: Private Fine-Tuning of Language Models without Backpropagation",
        authors=("Liang Zhang", "Bingcong Li", "Kiran Koshy Thekumparampil", "Sewoong Oh", "Niao He"),
        published="ICML 2024; arXiv:2310.09639",
        read="the ICML text (PMLR 235, pages 59210 to 59246), converted from its PDF by machine, and the arXiv text; our copy of the "
        "latter names no version, and begins as version 3 does",
    ),
    "gauss_psgd": Paper(
        key="gauss_psgd",
        name="Gauss-PSGD",
        title="Second-Order Convergence in Private Stochastic Non-Convex Optimization",
        authors=("Youming Tao", "Zuyuan Zhang", "Dongxiao Yu", "Xiuzhen Cheng", "Falko Dressler", "Di Wang"),
        published="arXiv:2505.15647",
        read="the arXiv text as HTML; our copy names no version, and its abstract is that of version 1",
    ),
    "dp_grape": Paper(
        key="dp_grape",
        name="DP-GRAPE",
        title="Memory-Efficient Differentially Private Training with Gradient Random Projection",
        authors=(
            *("Alex Mulrooney", "Devansh Gupta", "James Flemings", "Huanyu Zhang"),
            *("Murali Annavaram", "Meisam Razaviyayn", "Xinwei Zhang"),
        ),
        published="arXiv:2506.15588",
        read="the arXiv text as HTML; our copy names no version, and its abstract is that of version 1",
    ),
    "dp_zopo": Paper(
        key="dp_zopo",
        name="DP-ZOPO",
        title="Differentially Private Zeroth-Order Methods for Scalable Large Language Model Fine-tuning",
        authors=("Zhihao Liu", "Jian Lou", "Wenjie Bao", "Yuke Hu", "Bo Li", "Zhan Qin", "Kui Ren"),
        published="NDSS 2025; arXiv:2402.07818",
        read="the arXiv text as HTML; our copy names no version, and carries the notice of NDSS 2025",
    ),
}
