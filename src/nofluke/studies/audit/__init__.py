"""Does a test keep its promise on data like these?"""
