"""Film strips of walks: scripts/film-strip is the command."""
