"""The commands ``nova-ext lab …``; they import without the lab's extra."""
