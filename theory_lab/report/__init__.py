"""The HTML page of the command `report`: verdicts, statements and proofs of papers in one self-contained file.

`page` makes it, `derivations` its proofs, `safe_html` tests that nothing in it can run or load anything. Start with `page`.
"""
