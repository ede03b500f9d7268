"""How the web app bears up: the first verdict, a file of a million rows, 20 clients of its API, pages and pictures.

Run by hand on a quiet machine.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx

PORT = 8791
ADDRESS = f"http://127.0.0.1:{PORT}"


def table(rows: int, seed: int = 1) -> bytes:
    draw = random.Random(seed)
    text = io.StringIO()
    text.write("item,new,old\n")
    for i in range(rows):
        base = draw.random()
        text.write(f"q{i},{min(1, base + 0.1 * draw.random()):.4f},{min(1, base + 0.09 * draw.random()):.4f}\n")
    return text.getvalue().encode()


def compared(client: httpx.Client, content: bytes) -> str:
    """Compare through the API; gives the id of the result."""
    sent = client.post("/api/uploads", files={"file": ("scores.csv", content)})
    sent.raise_for_status()
    body = {"data": {"files": [{"upload": sent.json()["upload"]["id"]}]}}
    answer = client.post("/api/compare?wait=60", json=body)
    answer.raise_for_status()
    assert "result" in answer.json()
    return str(answer.json()["id"])


def by_api(client: httpx.Client, content: bytes) -> list[float]:
    """The seconds that one comparison through the API took, its upload included."""
    begun = time.monotonic()
    compared(client, content)
    return [time.monotonic() - begun]


def dropped(client: httpx.Client, content: bytes) -> list[float]:
    """Drop a file, look at the verdict, change the test, look at items; gives the seconds that each page took."""
    page, first = timed(lambda: until_verdict(client, content))
    place = page.url.path
    change = f"{place.replace('/results/', '/jobs/')}/change"
    again, second = timed(lambda: settled(client, client.post(change, data={"method": "wilcoxon"})))
    looks = (place, again.url.path, f"{again.url.path}/items", "/history", "/plan", "/")
    return [first, second, *(timed(lambda address=address: client.get(address))[1] for address in looks)]


def until_verdict(client: httpx.Client, content: bytes) -> httpx.Response:
    """Drop a file, and look again until the page of its verdict is there."""
    return settled(client, client.post("/", files={"file": ("scores.csv", content)}))


def settled(client: httpx.Client, page: httpx.Response) -> httpx.Response:
    """Look again until an answer is there."""
    while "/jobs/" in page.url.path:
        time.sleep(0.1)
        page = client.get(page.url.path)
    assert 'class="verdict' in page.text
    return page


def first_verdict(rows: int, often: int = 7) -> None:
    """From the drop to the page with the verdict, and each page of the app by itself."""
    with httpx.Client(
        base_url=ADDRESS, timeout=120, trust_env=False, follow_redirects=True, headers={"Accept": "text/html"}
    ) as client:
        taken = []
        for number in range(often):
            content = table(rows, seed=100 + number)
            page, seconds = timed(lambda content=content: until_verdict(client, content))
            taken.append(seconds)
        print(f"{rows:,} rows dropped: verdict after {statistics.median(taken):.3f} s (median of {often})", flush=True)
        for path in ("/", "/compare", "/plan", "/agree", "/history", page.url.path, f"{page.url.path}/items"):
            each = [timed(lambda path=path: client.get(path))[1] for _ in range(often)]
            print(f"page {re.sub('results/[^/]+', 'results/ID', path)}: {statistics.median(each):.3f} s", flush=True)


def memory_of(process: int) -> int:
    """The memory of a process and of those it started, in MB; what they share (libraries) is counted once."""
    found = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    rows = [tuple(map(int, line.split())) for line in found.stdout.splitlines()]
    family = {process}
    for _ in range(4):
        family |= {pid for pid, parent in rows if parent in family}
    shares = (Path(f"/proc/{one}/smaps_rollup").read_text() for one in family)
    return sum(int(text.split("\nPss:")[1].split()[0]) for text in shares) // 1024


def simulations(client: httpx.Client, number: int) -> None:
    """Set long work going, beside which readers are to be answered."""
    for seed in range(number):
        body = {"data": {"example": "questions"}, "method": "permutation", "options": {"monte_carlo": 800_000_000}}
        client.post("/api/compare?wait=0", json={**body, "seed": seed}).raise_for_status()


def pictures(client: httpx.Client, content: bytes) -> list[float]:
    """Look at every picture of a new result, as a browser does when its page is scrolled; gives the seconds of each."""
    result = compared(client, content)
    page = client.get(f"/results/{result}").text
    found = sorted(set(re.findall(rf'<img src="(/results/{result}/charts/[^"]+)"', page)))
    return [timed(lambda address=address: client.get(address))[1] for address in found]


def timed(ask: Callable[[], httpx.Response]) -> tuple[httpx.Response, float]:
    """The answer, and how long it took."""
    begun = time.monotonic()
    answer = ask()
    answer.raise_for_status()
    return answer, time.monotonic() - begun


def many_clients(clients: int, seconds: float, what: str, act: Callable[[httpx.Client, bytes], list[float]]) -> None:
    taken: list[float] = []
    errors: list[str] = []
    stop = time.monotonic() + seconds

    def one(number: int) -> None:
        content = table(2_000, seed=number)
        with httpx.Client(
            base_url=ADDRESS, timeout=60, trust_env=False, follow_redirects=True, headers={"Accept": "text/html"}
        ) as client:
            time.sleep(number / clients)
            while time.monotonic() < stop:
                try:
                    taken.extend(act(client, content))
                except Exception as error:
                    errors.append(repr(error))
                time.sleep(1)

    threads = [threading.Thread(target=one, args=(i,)) for i in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in errors[:3]:
        print("  ", error)
    if len(taken) < 2:
        return
    cut = statistics.quantiles(taken, n=20)
    print(
        f"{clients} clients, {seconds:g} s: {len(taken)} {what}, {len(errors)} errors, "
        f"median {statistics.median(taken):.3f} s, 95% under {cut[-1]:.3f} s, slowest {max(taken):.3f} s",
        flush=True,
    )


def one_large_file(rows: int) -> None:
    content = table(rows)
    slowest = 0.0
    done = threading.Event()

    def look() -> None:
        nonlocal slowest
        with httpx.Client(base_url=ADDRESS, timeout=60, trust_env=False) as client:
            while not done.is_set():
                begun = time.monotonic()
                client.get("/")
                slowest = max(slowest, time.monotonic() - begun)
                time.sleep(0.2)

    watcher = threading.Thread(target=look)
    watcher.start()
    with httpx.Client(
        base_url=ADDRESS, timeout=120, trust_env=False, follow_redirects=True, headers={"Accept": "text/html"}
    ) as client:
        _, taken = timed(lambda: until_verdict(client, content))
    done.set()
    watcher.join()
    print(
        f"{rows:,} rows, {len(content) / 2**20:.0f} MB, dropped: verdict after {taken:.2f} s; "
        f"start page meanwhile at most {slowest:.2f} s",
        flush=True,
    )


def alone(given: argparse.Namespace, server: int) -> None:
    """What is measured while nothing long runs."""
    first_verdict(2_000)
    one_large_file(given.rows)
    time.sleep(10)
    print(f"idle after it: {memory_of(server)} MB, its workers included", flush=True)
    many_clients(given.clients, given.seconds, "comparisons by the API", by_api)
    many_clients(given.clients, given.seconds, "pages of dropped files", dropped)
    many_clients(given.clients, given.seconds, "pictures", pictures)
    print(f"after the pictures: {memory_of(server)} MB", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--clients", type=int, default=20)
    asked.add_argument("--beside-only", action="store_true", help="measure pages beside long simulations alone")
    asked.add_argument("--rows", type=int, default=1_000_000)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("nofluke")), "serve", "--port", str(PORT), "--folder", folder]
        begun = time.monotonic()
        server = subprocess.Popen(command)
        try:
            for _ in range(300):
                try:
                    httpx.get(ADDRESS, trust_env=False)
                    break
                except httpx.TransportError:
                    time.sleep(0.02)
            print(f"first page {time.monotonic() - begun:.2f} s after the start", flush=True)
            if not given.beside_only:
                alone(given, server.pid)
            with httpx.Client(base_url=ADDRESS, timeout=60, trust_env=False) as client:
                simulations(client, 3)
            many_clients(given.clients, given.seconds, "pages beside three long simulations", dropped)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
