"""Bodies, joints and forces as things to be drawn."""
