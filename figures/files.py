"""Files that are written whole or not at all, into folders that were tried before the work."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def ready(option: str, folder: Path, file: Path | None = None) -> None:
    """Make a folder and see that files can be written there, before the work rather than after it; leave nothing behind but the folder.

    Raises ValueError in one sentence that names the option and what it was given: ``file``, or the folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        if file is not None and file.exists():
            with file.open("ab"):
                pass
    except OSError as error:
        raise unwritable(option, file or folder, error) from None


def unwritable(option: str, path: Path, error: OSError) -> ValueError:
    """Return the error of a path that cannot be written."""
    reason = "it is not a folder" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror or str(error)
    return ValueError(f"{option} = {str(path)!r}: it cannot be written ({reason})")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a path beside a file to write to, which takes its place when all is written; what is no plain file is written itself."""
    place = path.resolve()
    if place.exists() and not place.is_file():
        yield place
        return
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, place)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
