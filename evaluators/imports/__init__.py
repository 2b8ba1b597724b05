"""Results that another tool wrote: lm-eval's result files and Inspect's logs, read as raw results. Loads no tool."""
