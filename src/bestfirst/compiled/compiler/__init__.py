"""From the methods of a domain to machine code, in the order of the pipeline: source, translate, rewriting, guards, code."""
