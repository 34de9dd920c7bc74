"""Report sections on taxed societies and on laws that tax nobody."""
