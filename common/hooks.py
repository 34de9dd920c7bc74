"""Base classes with declared hooks: a subclass that misspells a hook is refused when the class is made."""

from __future__ import annotations

import difflib
from typing import Any, TypeVar

Member = TypeVar("Member")

_MARK = "__is_helper__"


def helper(member: Member) -> Member:
    """Mark a public method of a subclass as its own helper, which is no hook of the base class.

    On a property the mark goes below `@property`.
    """
    setattr(member, _MARK, True)
    return member


class DeclaredHooks:
    """Parent of base classes whose public names are hooks.

    A subclass of such a base class overrides hooks. Every other public name in it is an error, except methods marked
    with `helper`; names that begin with an underscore are free.
    """

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401 - what other base classes take
        """Check the names of a new class.

        Raises:
            TypeError: A public name is neither a hook nor a marked helper.
        """
        super().__init_subclass__(**options)
        family = [each for each in cls.__mro__ if issubclass(each, DeclaredHooks) and each is not DeclaredHooks]
        base = family[-1]
        known = _public_names(base)
        for part in cls.__mro__:
            if part in base.__mro__:
                continue
            for name in vars(part):
                if not name.startswith("_") and name not in known and not _is_helper(cls, name):
                    raise TypeError(_refusal(cls, name, base, known))


def _public_names(base: type) -> set[str]:
    annotated = {name for part in base.__mro__ for name in vars(part).get("__annotations__", ())}
    return {name for name in {*dir(base), *annotated} if not name.startswith("_")}


def _is_helper(cls: type, name: str) -> bool:
    """Tell whether the name, in the class or one of its bases, was marked with `helper`."""
    for part in cls.__mro__:
        member = vars(part).get(name)
        # A property, a cached property and a class method hold the function that was marked.
        for marked in (member, *(getattr(member, inner, None) for inner in ("fget", "func", "__func__"))):
            if getattr(marked, _MARK, False):
                return True
    return False


def _refusal(cls: type, name: str, base: type, known: set[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return (
        f"{cls.__qualname__}.{name} is no hook of {base.__module__}.{base.__name__}{hint}: "
        "mark a helper with @common.hooks.helper, or begin its name with an underscore"
    )
