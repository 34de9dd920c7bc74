#!/usr/bin/env bash
# What of a contract helps: that players agree on who does what, or that emeralds move? Players who do what pays them most,
# ten runs of each condition in the mock world, one table and one report per scenario. Takes some minutes:
#   bash examples/laboratory.sh
set -eu
cd "$(dirname "$0")/.."

# Plays that scenario with these players.
laboratory() {
  local scenario=$1 players=()
  shift
  for name in "$@"; do players+=(--player "$name=best-response"); done
  .venv/bin/accord run "$scenario" --world mock --runs 10 --seed 0 --jobs 2 "${players[@]}" \
    --contract none --contract negotiate+coordination --contract negotiate+transfers --contract negotiate
}

laboratory double-vein Gizmo Glitch
laboratory cleanup Gizmo Glitch
laboratory commons-harvest Laura Pedro Marta
