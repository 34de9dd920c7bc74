"""The ten modules, a file each: `MODULE` is the module (docs/societies.md tells how to write one)."""
