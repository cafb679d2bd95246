"""Planted faults: changes of the sources, as text, each of which must be noticed by a claim that it names.

PAPER/SUBJECT.txt   the faults
text.py             what a fault is, and the reader of these files
plant.py            where in the sources a fault belongs, and the changed text
memory.py           imports of our packages from sources held in memory
server.py           the process that checks claims, each time in a child with one fault planted
client.py           starts that process, and asks it
sample.py           which faults `make test` tries
"""
