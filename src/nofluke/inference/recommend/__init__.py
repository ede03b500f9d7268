"""Tables of rules that judge methods for the data at hand."""
