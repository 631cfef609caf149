"""`jiyi bench`: how well and how fast Jiyi does, measured on labelled files."""
