"""Real-time agents without a model: rules in place of a model's answers, a folder for each society.

village         the usual rules: work by hand-written tables (`activity_tables.py`)
taxation        citizens with trades and opinions, who vote
religion        believers, chosen by the option `tables=believers`
perception      companions, chosen by `tables=companions`
progression     explorers, chosen by `tables=explorers`

All numbers are assumptions and no findings; they stand in the folders' YAML files.
"""
