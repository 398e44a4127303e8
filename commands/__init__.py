"""The commands of `tuolaji`, one module a command, loaded when asked for."""
