"""Claims about Algorithms 1 to 4, with plain transcriptions of them."""
