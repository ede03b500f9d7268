"""Two-dimensional lattice sums by Fourier inversion."""
