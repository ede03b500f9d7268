"""How often is the winner of a test set truly better?"""
