"""What COMPL-AI asks for, which benchmarks answer it, and what the numbers then say.

``data/complai.yaml`` holds the six principles, the eighteen requirements and the benchmarks of each suite;
``catalogue.load`` reads it once. ``scoring.score`` turns measurements into eighteen scores, ``assessment.assess`` turns
those into the decision page. Everything here is pure: no network, no database, no clock.
"""
