"""Two systems compared: the margin between them, and whether rounding or left-out items decide the verdict."""
