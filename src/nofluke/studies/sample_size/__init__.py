"""How do p-values move with the number of items?"""
