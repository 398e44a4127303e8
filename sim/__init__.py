"""Python side: cards, rule sets, runs, datasets, statistics."""
