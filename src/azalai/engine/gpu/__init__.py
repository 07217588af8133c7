"""Many games on a GPU: the same rules, the same bytes, in arrays that stay there."""
