"""Systems that SymPy's mechanics module describes: what its objects hold, and how that is said to a system."""
