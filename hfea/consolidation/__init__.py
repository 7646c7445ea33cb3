"""From the messages of one day to one Episode value; pure but for the model call."""
