#!/usr/bin/env bash
# What of a contract helps: that players agree on who does what, or that emeralds move? Players who do what pays them most,
# ten runs of each condition in the mock world, one table and one report per scenario. Takes some minutes:
#   bash examples/laboratory.sh
set -eu
cd "$(dirname "$0")/.."
for scenario in double-vein cleanup; do
  .venv/bin/accord run "$scenario" --world mock --runs 10 --seed 0 --jobs 2 \
    --player Gizmo=best-response --player Glitch=best-response \
    --contract none --contract negotiate+coordination --contract negotiate+transfers --contract negotiate
done
