"""One thread prepares at a time: what is derived, translated, compiled or linked is made once, whoever asks first.

Machine code is called by its address. If two threads compiled the same function, the second would take the place of
the first, whose code is freed while it may be running. Everything that prepares therefore holds one lock for the whole
process (one, so that no two threads can wait for each other), looks again whether it has been made meanwhile, and makes
it otherwise. What runs afterwards holds no lock.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any, TypeVar, overload

T = TypeVar("T")

preparing = threading.RLock()


class once(cached_property[T]):  # noqa: N801 - it is written like the property that it is
    """A property computed when it is first asked for and then kept, by one thread for all."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> once[T] | T:
        if instance is None:
            return self
        name, made = str(self.attrname), instance.__dict__
        if name not in made:
            with preparing:
                if name not in made:
                    made[name] = self.func(instance)
        value: T = made[name]
        return value
