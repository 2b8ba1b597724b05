"""A served model as a judge of answers: what it is asked, how its verdicts are read, how far they agree with people."""
