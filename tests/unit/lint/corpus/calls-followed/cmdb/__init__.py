"""The site's inventory."""
