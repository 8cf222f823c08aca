"""What tests share: comparisons with reasons, random mechanisms, reference systems and independent routes."""
