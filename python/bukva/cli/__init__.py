"""The command ``bukva``: one file a command; each parses, calls the package, and prints."""
