"""Where singularities lie, as conditions in symbols."""
