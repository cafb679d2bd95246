"""Examiners that every paper shares."""
