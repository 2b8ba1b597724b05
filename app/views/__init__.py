"""The pages of the dashboard.

The folder is not named `pages`: Streamlit would run the scripts of such a folder by itself, without the frame.
"""
