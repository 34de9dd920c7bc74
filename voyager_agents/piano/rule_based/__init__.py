"""Rule-based real-time agents: rules in place of a model's answers, one folder per society.

village         default rules: work by hand-written tables (`activity_tables.py`)
taxation        citizens with trades, opinions and votes
religion        believers, selected by the option `tables=believers`
perception      companions, selected by `tables=companions`
progression     explorers, selected by `tables=explorers`

All numbers are assumptions, not findings. They are in the folders' YAML files.
"""
