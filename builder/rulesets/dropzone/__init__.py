"""Drop Zone: Southern France. Every rule of the game, one module for each chapter."""
