"""From the text of a program to machine code.

`engine` turns LLVM IR text into callable machine code, `cache` keeps object code between runs, `trig` is sine and
cosine as IR text, `runtime` the C library's functions, and `language` compiles a small subset of Python. Nothing
here knows mechanics or graphs, and llvmlite is imported only when something is compiled.
"""

from __future__ import annotations

from cardan.native.engine import Host, Library, compile_ir, host

__all__ = ["Host", "Library", "compile_ir", "host"]
