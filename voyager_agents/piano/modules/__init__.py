"""Standard modules, one file each, which defines `MODULE` (docs/societies.md explains how to write a module)."""
