"""Rule sets: one folder per refereed game."""
