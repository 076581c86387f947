"""Records as text and HTML. Everything here returns lines or strings; nothing prints."""
