"""Hex geometry only: grids, measures, paths, sight."""
