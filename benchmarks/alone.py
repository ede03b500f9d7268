"""Run one command as the child of a small process, and print what it took: wall and CPU seconds, MB, exit status.

The first argument is how many CPU seconds it may take: then it is ended by SIGXCPU, whatever else the machine does.

The largest resident set of a process includes that of its parent at the moment of forking, which is 150 MB for a
parent that has NumPy and the peers loaded; this file imports nothing, and its own 10 MB are below every command's.
"""

import os
import resource
import sys
import time


def main(longest: int, command: list[str]) -> None:
    """Print the four numbers; whatever the command prints is thrown away."""
    # Children inherit the limit; this process itself takes no time.
    resource.setrlimit(resource.RLIMIT_CPU, (longest, longest + 1))
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    begin = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=nowhere)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    # Kilobytes, but bytes on a Mac.
    size = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    print(seconds, usage.ru_utime + usage.ru_stime, size, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
