"""Reading conversations that were held elsewhere: their formats, and how they are kept."""
