"""Signals: SIGTERM and SIGHUP end a command as Ctrl-C does. Its processes stop, finished work is kept, and one message is printed."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def signals_as_interrupts() -> Iterator[list[int]]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP too, while the context is open; yield a list that receives the signal's number.

    Signals that are ignored, as under nohup, stay ignored.
    """
    came: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    taken = []
    if threading.current_thread() is threading.main_thread():
        known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
        taken = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield came
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
