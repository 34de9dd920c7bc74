"""Base class of all commands: rejects repeated options and groups options in the help."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperOption

from dilemmas.errors import UsageError


class SingleOptionCommand(TyperCommand):
    """Command that rejects an option given twice, unless the option is repeatable.

    Click would silently use the last value, and run a different study than the user expects.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own click has no public name
        """Parse the arguments. Raises UsageError if an option is given twice."""
        order = self.make_parser(ctx).parse_args(args=list(args))[2]
        for each in order:
            if isinstance(each, TyperOption) and not each.multiple and not each.count and order.count(each) > 1:
                raise UsageError(f"{'/'.join([*each.opts, *each.secondary_opts])} is given twice; give it once")
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the help with options in groups."""
        from accord.cli.helps import show_help

        formatter.write(show_help(self, ctx))
