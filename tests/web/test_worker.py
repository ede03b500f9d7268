"""A worker ends with its server, and reaches for nothing outside this machine."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys

import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.web import worker


def test_a_worker_without_a_server_ends_soon() -> None:
    ours, theirs = multiprocessing.Pipe()
    report = worker._reporter(theirs)
    ours.close()
    with pytest.raises(SystemExit):
        report(1, 2)


def test_a_worker_reaches_for_no_network() -> None:
    told = (
        "import socket, sys\n"
        "from nofluke.errors import InputError\n"
        "from nofluke.web.worker import stay_offline\n"
        "stay_offline()\n"
        "socket.socketpair()\n"
        "for act in (\n"
        "    lambda: socket.create_connection(('127.0.0.1', 9)),\n"
        "    lambda: socket.gethostbyname('localhost'),\n"
        "    lambda: socket.getaddrinfo(b'host', 80),\n"  # four bytes: a name, and not the number they could be
        "    lambda: socket.socket().connect(('127.0.0.1', 9)),\n"
        "    lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9)),\n"
        "):\n"
        "    try:\n"
        "        act()\n"
        "    except InputError as error:\n"
        "        print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["the web app fetches nothing from the network."] * 5


def test_results_are_called_by_their_systems() -> None:
    pair = as_sample([3.0, 4.0, 5.0, 5.0], [2.0, 4.0, 4.0, 1.0], names=("new", "old"))
    assert worker.title_of(nf.effect(pair, "mean_difference")) == "mean difference: new against old"
    assert worker.title_of(nf.test(pair, method="sign")).endswith(": new against old")
    assert worker.title_of(nf.compare(pair)) == "new against old"
