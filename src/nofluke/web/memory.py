"""How much memory and processor one job may take: its worker is refused more, says so, and all other jobs live on."""

from __future__ import annotations

import contextlib
import math
import os
from pathlib import Path

_LEAST = 2**30
_SHARE = 0.75  # of the machine's memory, for all workers together
_GROUP = Path("/sys/fs/cgroup/memory.max")
_BEHIND = 10  # the niceness of who computes for long


def share_of_machine(workers: int) -> int:
    """The bytes one of so many workers may take, if nobody says."""
    return max(_LEAST, int(_SHARE * _of_machine() / max(1, workers)))


def _of_machine() -> int:
    """The memory of the machine, or of the container it is; 0 where neither says."""
    known = []
    with contextlib.suppress(OSError, ValueError, AttributeError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):
        known.append(int(_GROUP.read_text()))
    return min(known, default=0)


def limit_this_process(more: int) -> None:
    """Let this process take so many bytes more than it has; what is beyond fails as MemoryError. Only Linux counts."""
    try:
        import resource

        status = Path("/proc/self/status").read_text()
    except (ImportError, OSError):  # pragma: no cover - Windows and macOS
        return
    held = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmData:"))
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = held + more
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def resident(process: int) -> int:
    """The bytes of memory that a process holds; 0 where the machine does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def processor_seconds(process: int) -> float:
    """How long a process has computed so far; infinity where the machine does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return math.inf


def step_back(process: int) -> bool:
    """Let a process compute when others leave the processor free; gives whether the machine does that."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process, _BEHIND)
        return True
    return False


def is_want_of_memory(error: Exception) -> bool:
    """Whether an error says that there was no memory; DuckDB and threads have words of their own for it."""
    named = type(error).__name__ == "OutOfMemoryException" or "can't start new thread" in str(error)
    return named or isinstance(error, MemoryError)


def too_much(memory: int | None) -> dict[str, str]:
    """The error of a job that wanted more than it may take, or than there is."""
    allowed = f"this takes more than the {memory / 2**30:.2g} GB of memory that one job may take." if memory else ""
    return {
        "message": allowed or "there is not enough memory for this.",
        "where": "",
        "fix": "give fewer rows or systems, or allow more: nofluke serve --memory GB.",
        "kind": "memory",
    }
