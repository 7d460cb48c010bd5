"""The storage of compiled searches: records, tables, agendas, and the numbers in them."""
