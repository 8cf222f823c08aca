"""The mechanism moving on a page of this computer's own browser."""
