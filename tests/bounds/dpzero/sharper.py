"""Our sharper theorems and their proofs, without the paper's."""

from bounds import dpzero

THEOREMS = {key: dpzero.THEOREMS[key] for key in dpzero.THEOREMS if ".sharp_" in key}
DERIVATIONS = {key: dpzero.DERIVATIONS[key] for key in dpzero.DERIVATIONS if ".sharp_" in key}
