"""The HTTP and socket addresses of the API, one module for each thing it is about."""
