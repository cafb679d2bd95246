"""Does the paper hold? Claims, their examination and its verdict, where theory and simulation meet."""
