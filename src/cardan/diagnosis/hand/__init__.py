"""The doctor of a robot's hand: what it cannot do here, which joints are to blame, how far trouble is, the way out."""
