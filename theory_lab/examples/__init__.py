"""Worked examples to copy: a method and a paper of your own, each in one file."""
