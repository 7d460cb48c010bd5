"""The version, which the package, its files and the build all read here."""

__version__ = "0.1.0"
