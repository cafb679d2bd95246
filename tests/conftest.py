"""What holds for the whole suite: its levels, and the same examples in every run."""

from hypothesis import settings
from hypothesis.internal.conjecture import providers

pytest_plugins = ["tests.levels", "tests.verify.resume"]

# A failure that comes once in a hundred runs is found by looking for it, `pytest --hypothesis-profile=search`, not by chance in CI.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("same")

# Hypothesis mixes the numbers that stand in the sources of whatever modules of ours are imported at the moment into what it tries, so what
# a test tried depended on which tests were collected with it. Without them it depends on the test alone: test_house.py holds this.
providers._get_local_constants = lambda: providers._local_constants
