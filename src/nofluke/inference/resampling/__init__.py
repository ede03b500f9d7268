"""What swaps and resamples of means and of corpus metrics share: data prepared, draws made, and what draws say."""
