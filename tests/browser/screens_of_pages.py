"""The screens of all pages but the table."""
