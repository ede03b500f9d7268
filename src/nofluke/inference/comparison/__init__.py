"""Two systems compared: the margin, each dataset, several metrics; whether rounding or left-out items decide."""
