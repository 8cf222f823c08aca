"""``python -m tools.locking``: write requirements/development.txt, packages with their hashes.

    pip install --require-hashes --requirement requirements/development.txt

gives the environment that the lock was made for (extras dev and docs), on any system and any supported Python. Needs
``uv`` (``pip install uv``). The page's own packages are locked in ``frontend/package-lock.json``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements" / "development.txt"
HEAD = "# Every package of development with its hashes, for all systems; written by: python -m tools.locking\n"


def uv() -> str:
    """The program ``uv``, from beside this Python or from the path."""
    found = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if found is None:
        sys.exit("uv is not installed. Install it with: pip install uv")
    return found


def main() -> int:
    """Resolve again; the file changes only where newer releases were found."""
    LOCK.parent.mkdir(exist_ok=True)
    options = ["--extra", "dev", "--extra", "docs", "--generate-hashes", "--universal", "--python-version", "3.11"]
    options += ["--no-header", "--no-annotate", "--quiet", "--upgrade"]
    command = [uv(), "pip", "compile", "pyproject.toml", *options, "--output-file", str(LOCK)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    LOCK.write_text(HEAD + LOCK.read_text(encoding="utf-8"), encoding="utf-8")
    print(f"Wrote {LOCK}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
