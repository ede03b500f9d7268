"""What rank is made of: the systems to compare, single tests where there is no bulk one, and max-t."""
