"""How many datasets are counted when few or none differ?"""
