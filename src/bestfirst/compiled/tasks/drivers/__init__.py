"""The drivers of compiled searches of tasks."""
