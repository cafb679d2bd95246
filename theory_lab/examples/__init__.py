"""Worked examples to copy: a paper of one's own in one file."""
