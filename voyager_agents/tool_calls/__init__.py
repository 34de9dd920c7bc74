"""Tool calls: a model calls primitives one after the other, instead of writing a program."""
