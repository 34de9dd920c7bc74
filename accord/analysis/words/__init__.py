"""Words against deeds: statements in utterances, matched to what the log shows; monitors of words; collusion."""
