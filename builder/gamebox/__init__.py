"""What is in the box: the frozen types of a game, and reading them from a folder."""
