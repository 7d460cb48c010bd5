"""Where a compiled search keeps its nodes: records, tables, agendas, and the numbers in them."""
