"""The command line: one command a file; what each prints is for others to script against."""
