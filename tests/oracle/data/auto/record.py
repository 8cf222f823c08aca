"""Record folds and Hopf points found by AUTO-07p: ``python record.py`` writes ../auto_continuation.json.

It needs the Debian packages auto-07p and gfortran. AUTO's programs read constants from fort.2 and a restart from
fort.3, and write what they find to fort.7 (a line for each point, its type in the third column) and fort.8.
"""

from __future__ import annotations

import glob
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
KINDS = {2: "fold", 3: "Hopf", 5: "fold of periodic motions"}
COMMON = """
IAD=3, ISW=1, IPLT=0, NBC=0, NINT=0, NPR=1000, MXBF=0, IID=2, ITMX=12, ITNW=7, NWTN=3, JAC=0, NCOL=4, ILP=1
EPSL=1e-11, EPSU=1e-11, EPSS=1e-10, DS=0.01, DSMIN=1e-7, DSMAX=0.02, IADS=1, THL={}, THU={}
"""


def compiled(name: str, folder: Path) -> Path:
    program = folder / f"{name}.exe"
    library = sorted(glob.glob("/usr/lib/auto-07p/lib/*.o"))
    subprocess.run(
        ["gfortran", "-O2", "-std=legacy", "-fopenmp", str(HERE / f"{name}.f90"), "-o", str(program), *library],
        check=True, cwd=folder,
    )  # fmt: skip
    return program


def run(program: Path, constants: str, folder: Path) -> list[dict[str, object]]:
    """Special points of one run, as AUTO writes them: the parameter, then U or its maxima, then the period."""
    (folder / "fort.2").write_text(constants + COMMON)
    subprocess.run([str(program)], check=True, cwd=folder, capture_output=True)
    found: list[dict[str, object]] = []
    for line in (folder / "fort.7").read_text().splitlines():
        words = line.split()
        if len(words) > 4 and words[0] != "0" and abs(int(words[2])) in KINDS:
            numbers = [float(word) for word in words[4:]]
            found.append({"kind": KINDS[abs(int(words[2]))], "value": numbers[0], "rest": numbers[2:]})
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "fort.3").write_text("")
        truss = run(
            compiled("truss", folder),
            "NDIM=4, IPS=1, IRS=0, ICP=[1], NTST=50, ISP=1, NMX=600, UZSTOP={1:[-4.0,4.0]}",
            folder,
        )
        cycle = compiled("cycle", folder)
        (folder / "fort.3").write_text("")
        rests = run(cycle, "NDIM=2, IPS=1, IRS=0, ICP=[1], NTST=100, ISP=2, NMX=600, UZSTOP={1:[-2.0,0.5]}", folder)
        (folder / "fort.3").write_text((folder / "fort.8").read_text())
        motions = run(
            cycle, "NDIM=2, IPS=2, IRS=2, ICP=[1,11], NTST=200, ISP=2, NMX=250, UZSTOP={1:[-2.0,0.5]}", folder
        )
    table = {
        "name": "auto_continuation",
        "tool": "AUTO-07p 0.9.2 (Debian auto-07p 0.9.2+dfsg-3)",
        "script": "auto/record.py, with the right-hand sides auto/truss.f90 and auto/cycle.f90",
        "tolerance": 1e-6,
        "truss": truss,
        "cycle": {"rests": rests, "motions": motions},
    }
    (HERE.parent / "auto_continuation.json").write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
