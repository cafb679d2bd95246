"""Write files atomically, and check before the work that a folder can be written to."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def prepare_folder(option: str, folder: Path, file: Path | None = None) -> None:
    """Create a folder, and check that files, and `file` if one is given, can be written there; raise ValueError if not.

    Nothing but the folder is left behind. The error is one sentence that names the option and its value: ``file``, or the folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        if file is not None and file.exists():
            with file.open("ab"):
                pass
    except OSError as error:
        raise unwritable_error(option, file or folder, error) from None


def unwritable_error(option: str, path: Path, error: OSError) -> ValueError:
    """Return the ValueError that reports that the path of an option cannot be written, and why."""
    reason = "it is not a folder" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror or str(error)
    return ValueError(f"{option} = {str(path)!r}: it cannot be written ({reason})")


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path` that replaces it at the end, or is deleted if an error occurs.

    What exists and is no plain file, such as a device, is yielded itself.
    """
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
