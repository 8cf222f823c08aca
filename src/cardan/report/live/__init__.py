"""A page that computes: the loop and the kernels of a run as WebAssembly, with all that is needed to run them again."""
