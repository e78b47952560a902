"""Findings and replays for people."""
