"""web: the pages that the server shows."""
