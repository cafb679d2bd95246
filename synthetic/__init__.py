"""Simulation: objectives with known constants, kernels of the papers' algorithms, and what runs them. Imports nothing of the lab.

    objectives      what is minimised, with its constants in closed form; losses: their values and gradients under Numba
    kernels         the algorithms as loops on arrays; Algorithm 2 of DPZero is `kernels/dpzero.py`
    methods         a record for each method: its kernel, its settings, its draws
    runs            one run after another: `runs.simulate` for finite sums, `runs.psgd` for second-order stationary points
    grids           every setting (alpha, T, C) of a grid at once, on data
    distribution    runs on a quadratic simulated from their exact distribution, without data, at any dimension
    audits          released iterates on two neighbouring data sets, and the optimal test between them
    sweeps          many cells of work: a store that resumes, local workers, a cluster

Start reading with a kernel, `kernels/dpzero.py`, then `runs/simulate.py`, which calls it.
"""

from synthetic import renamed

renamed.keep_old_names(
    {
        "synthetic.cluster": "synthetic.sweeps.cluster",
        "synthetic.own": "synthetic.objectives.own",
        "synthetic.record": "synthetic.methods.record",
        "synthetic.simulate": "synthetic.runs.simulate",
        "synthetic.sweep": "synthetic.sweeps.sweep",
    }
)
