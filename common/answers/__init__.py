"""Answers of language models: their words without thoughts, their JSON, and the typed form that a question asks for."""
