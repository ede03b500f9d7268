"""What must not change: every number nofluke gives for the same input, the stored results, the modules it loads."""
