"""Every detector there is."""

from __future__ import annotations

from functools import cache

from memory.detectors.accounts import accounts
from memory.detectors.addresses import addresses
from memory.detectors.detector import Detector
from memory.detectors.identities import identities
from memory.detectors.network import network
from memory.detectors.phones import phones
from memory.detectors.places import places
from memory.detectors.secrets import secrets


@cache
def detectors() -> tuple[Detector, ...]:
    """Give all detectors; of findings of the same length the earlier one is taken. Patterns are compiled at the first call."""
    return (*secrets(), *identities(), *accounts(), *network(), *phones(), *places(), *addresses())
