"""The starter suite: short items written for this project, so that a first look needs no download."""
