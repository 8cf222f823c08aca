"""Watch functions of any origin as one kernel with one output per event."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cardan.errors import SimulationError
from cardan.native.engine import Library, compile_ir
from cardan.native.language import NativeFunction
from cardan.simulation.foreign import Failures, PythonKernel
from cardan.simulation.protocol import Watch

_CALL = """  %f{j} = inttoptr i64 {address} to ptr
  %o{j} = alloca [{outputs} x double], align 16
  %s{j} = call i64 %f{j}(double %t, ptr %y, ptr %p, ptr %o{j})
  %bad{j} = icmp ne i64 %s{j}, 0
  br i1 %bad{j}, label %stop{j}, label %next{j}
stop{j}:
  ret i64 %s{j}
next{j}:"""
_COPY = """  %from{k} = getelementptr double, ptr %o{j}, i64 {output}
  %to{k} = getelementptr double, ptr %out, i64 {k}
  %x{k} = load double, ptr %from{k}
  store double %x{k}, ptr %to{k}"""


class Triggers:
    """Address of a kernel that evaluates all events; alive as long as this object."""

    def __init__(self, events: Sequence[Watch], kernel: int, n: int, n_p: int) -> None:
        self.events = tuple(events)
        self.failures = Failures()
        self._kept: list[object] = []
        if kernel or not self.events:
            self.address = kernel
            return
        sources = tuple((self._address(e, n, n_p), e.output, e.outputs) for e in self.events)
        alone = tuple(output for _, output, _ in sources) == tuple(range(sources[0][2]))
        if alone and len({address for address, _, _ in sources}) == 1:  # one kernel whose outputs are the events
            self.address = sources[0][0]
            return
        joined = _join(sources)
        self._kept.append(joined)
        self.address = joined.address("events")

    def _address(self, watch: Watch, n: int, n_p: int) -> int:
        if isinstance(watch.kernel, int) and watch.kernel > 0:
            return int(watch.kernel)
        if not callable(watch.kernel):
            raise SimulationError(
                f"Watch {watch.name!r} has neither an address nor a function, but {watch.kernel!r}. "
                "Give a function g(t, y, p) or the address of a kernel with one output."
            )
        if isinstance(watch.kernel, NativeFunction):
            self._kept.append(watch.kernel)
            return watch.kernel.address()
        made = PythonKernel(watch.kernel, n, n_p, 1, self.failures)
        self._kept.append(made)
        return made.address


@lru_cache(maxsize=64)
def _join(sources: tuple[tuple[int, int, int], ...]) -> Library:
    """A kernel that calls others, each once, and collects what it wants of their outputs: (address, output, outputs).

    Addresses differ from one process to the next, so the machine code is kept in memory only.
    """
    calls = list(dict.fromkeys((address, outputs) for address, _, outputs in sources))
    text = [_CALL.format(j=j, address=address, outputs=outputs) for j, (address, outputs) in enumerate(calls)]
    text += [
        _COPY.format(k=k, j=calls.index((address, outputs)), output=output)
        for k, (address, output, outputs) in enumerate(sources)
    ]
    body = "\n".join(text)
    whole = f"define i64 @events(double %t, ptr %y, ptr %p, ptr %out) {{\n{body}\n  ret i64 0\n}}\n"
    return compile_ir(whole, ["events"], level=0, cache=False)
