"""What compare is made of: margin, effect sizes, and whether rounding or missing items decide the verdict."""
