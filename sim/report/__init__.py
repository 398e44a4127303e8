"""A dataset or a study as one page with charts, tables and words: what ``tuolaji report`` writes."""
