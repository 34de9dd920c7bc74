"""Commons Harvest: apples that grow again the faster the more of them are left."""
