"""Functional mock-up units (FMI 2.0 and 3.0): a model as C sources with a description and a library, in one zip."""
