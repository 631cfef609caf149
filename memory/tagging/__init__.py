"""tagging: what is proposed where a tagger has marked the words of a message that say lasting facts."""
