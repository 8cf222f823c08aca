"""Hemingway & O'Reilly (2017): coordinate singularities and gimbal lock."""
