"""The privacy that is asked for, as a value that was checked once: accountants hand it to each other."""

from dataclasses import dataclass

from bounds.validate import convert_fields, inside_unit, positive


@dataclass(frozen=True)
class Budget:
    """An epsilon above 0 and a delta strictly between 0 and 1; ValueError, with the name, for another."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        convert_fields(self)
        positive(epsilon=self.epsilon)
        inside_unit(delta=self.delta)
        object.__setattr__(self, "epsilon", float(self.epsilon))
