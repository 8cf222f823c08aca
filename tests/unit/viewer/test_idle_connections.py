"""A thousand connections on which nothing is said do not keep the viewer from answering its own page."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.request

import cardan as cd

CROWD = """
import socket, sys, time
port, half = int(sys.argv[1]), sys.argv[2]
crowd = []
for k in range(int(sys.argv[3])):
    one = socket.create_connection(("127.0.0.1", port), timeout=20)
    if half == "half":
        one.sendall(b"GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nX-Slow: ")
    crowd.append(one)
print("here", flush=True)
sys.stdin.readline()
"""


def test_the_page_is_answered_beside_a_thousand_idle_connections() -> None:
    s = cd.System("free")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    run = s.simulate(0.1, v=[1.0])
    with run.view(open_browser=False, block=False) as viewer:
        for kind in ("silent", "half"):
            crowd = subprocess.Popen(
                [sys.executable, "-c", CROWD, str(viewer.port), kind, "1000"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            try:
                assert crowd.stdout is not None
                assert crowd.stdout.readline() == b"here\n"
                with urllib.request.urlopen(viewer.url, timeout=20) as answer:
                    assert answer.status == 200
                    assert b"cardan" in answer.read()
            finally:
                crowd.communicate(b"\n")
        with urllib.request.urlopen(viewer.url, timeout=20) as answer:
            assert answer.status == 200
        with socket.create_connection(("127.0.0.1", viewer.port), timeout=20) as one:  # and strangers are still refused
            one.sendall(b"GET /wrong/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % viewer.port)
            assert b" 403 " in one.recv(200) or b" 404 " in one.recv(200)
