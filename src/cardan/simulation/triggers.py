"""Event functions of any origin as one kernel with one output per event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardan.errors import SimulationError
from cardan.native.engine import compile_ir
from cardan.simulation.foreign import Failures, PythonKernel
from cardan.simulation.protocol import Event

_CALL = """  %f{j} = inttoptr i64 {address} to ptr
  %o{j} = getelementptr double, ptr %out, i64 {j}
  %s{j} = call i64 %f{j}(double %t, ptr %y, ptr %p, ptr %o{j})
  %bad{j} = icmp ne i64 %s{j}, 0
  br i1 %bad{j}, label %stop{j}, label %next{j}
stop{j}:
  ret i64 %s{j}
next{j}:"""


class Triggers:
    """Address of a kernel that evaluates all events; alive as long as this object."""

    def __init__(self, events: Sequence[Event], kernel: int, n: int, n_p: int) -> None:
        self.events = tuple(events)
        self.failures = Failures()
        self._kept: list[Any] = []
        if kernel or not self.events:
            self.address = kernel
            return
        addresses = [self._address(e, n, n_p) for e in self.events]
        self.address = addresses[0] if len(addresses) == 1 else self._joined(addresses)

    def _address(self, event: Event, n: int, n_p: int) -> int:
        if isinstance(event.kernel, int) and event.kernel > 0:
            return event.kernel
        if not callable(event.kernel):
            raise SimulationError(
                f"Event {event.name!r} has neither an address nor a function, but {event.kernel!r}. "
                "Give a function g(t, y, p) or the address of a kernel with one output."
            )
        if hasattr(event.kernel, "address"):  # a native function
            self._kept.append(event.kernel)
            return int(event.kernel.address())
        made = PythonKernel(event.kernel, n, n_p, 1, self.failures)
        self._kept.append(made)
        return made.address

    def _joined(self, addresses: list[int]) -> int:
        """A kernel that calls the given ones in turn. Addresses differ from run to run, so it is not cached."""
        calls = "\n".join(_CALL.format(j=j, address=a) for j, a in enumerate(addresses))
        text = f"define i64 @events(double %t, ptr %y, ptr %p, ptr %out) {{\n{calls}\n  ret i64 0\n}}\n"
        library = compile_ir(text, ["events"], level=0, cache=False)
        self._kept.append(library)
        return library.address("events")
