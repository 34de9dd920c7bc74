"""x"""

from dilemmas.scenarios.village.measures import measures, society

__all__ = ["measures", "society"]
