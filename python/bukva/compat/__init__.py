"""Drop-in shapes of other libraries: change an import, keep the program."""
