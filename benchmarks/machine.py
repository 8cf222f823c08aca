"""What the measurements were made on and with."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path

PACKAGES = (
    "cardan",
    "numpy",
    "scipy",
    "sympy",
    "llvmlite",
    "pydy",
    "cython",
    "casadi",
    "mujoco",
    "exudyn",
    "drake",
    "pin",
    "numba",
)


def describe() -> str:
    """Date, processor, system, compilers and versions, as a Markdown list."""
    load = f", load average {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return "\n".join(
        [
            f"- date: {datetime.date.today().isoformat()}",
            f"- machine: {processor()}, {os.cpu_count()} cores{load}",
            f"- system: {platform.system()} {platform.release()}, {platform.machine()}, Python "
            f"{platform.python_version()}, {compiler()}",
            "- versions: " + ", ".join(f"{name} {version(name)}" for name in PACKAGES),
        ]
    )


def processor() -> str:
    """The name the processor gives itself, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.split(':', 1)[1].strip()} ({llvm_name()})"
    except OSError:
        pass
    return f"{platform.processor() or platform.machine()} ({llvm_name()})"


def llvm_name() -> str:
    """The name of the processor's family to LLVM, such as znver4."""
    import llvmlite.binding

    return str(llvmlite.binding.get_host_cpu_name())


def compiler() -> str:
    """The C compiler that builds what peers generate."""
    try:
        return subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    except OSError:
        return "no gcc"


def version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "absent"
