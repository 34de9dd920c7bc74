#!/usr/bin/env bash
# What do contracts change? Five runs of each condition on one server, one table, one report.
# Takes a few minutes: bash examples/compare.sh
set -eu
cd "$(dirname "$0")/.."
.venv/bin/accord run double-vein \
  --contract none --contract contract-1 --contract contract-2 --contract negotiate \
  --contract examples/my_contract.yaml \
  --runs 5 --seed 0
