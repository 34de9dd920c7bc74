"""Base of all commands: options stand once, and the help has them in groups."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperOption

from dilemmas.errors import UsageError


class SingleOptionCommand(TyperCommand):
    """Command whose options stand once each, but for those that may be repeated.

    Of two values the last would win in silence, and the study would be another one.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own click has no public name
        """Return as every command does. Raises UsageError for an option that stands twice."""
        order = self.make_parser(ctx).parse_args(args=list(args))[2]
        for each in order:
            if isinstance(each, TyperOption) and not each.multiple and not each.count and order.count(each) > 1:
                raise UsageError(f"{'/'.join([*each.opts, *each.secondary_opts])} is given twice; give it once")
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the help with its options in groups."""
        from accord.cli.helps import show_help

        formatter.write(show_help(self, ctx))
