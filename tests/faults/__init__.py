"""Planted faults: changes of the sources, written as text; for each, at least one claim that it names must notice it.

PAPER/SUBJECT.txt   the faults
text.py             the record of a fault, and the reader of these files
plant.py            finds the source location of a fault, and returns the changed text
memory.py           imports the project's packages from sources in memory
server.py           the process that checks claims, each time in a child process with one fault planted
client.py           starts that process, and sends requests to it
sample.py           the sample of faults that `make test` tries
"""
