"""Policies: the files that say what may be kept can be used; nothing starts while one cannot."""

from __future__ import annotations

from graph.policies import PolicyFileError, policies_of
from graph.settings import Settings
from jiyi.cli.checks.check import Check


def check_policies(chosen: Settings) -> Check:
    """Read the keys, privacy and guard files of the settings."""
    try:
        policies = policies_of(chosen)
    except PolicyFileError as error:
        advice = "Nothing starts until the file is mended or taken out of KEYS_FILES, PRIVACY_FILE or GUARD_FILES."
        return Check(name="policies", status="fail", found=str(error), advice=advice)
    families = len(policies.keys.specs)
    files = len(chosen.keys_paths) + len(chosen.guard_paths) + (chosen.privacy_path is not None)
    kept = sorted(kind for kind, what in policies.privacy.items() if what == "keep")
    found = f"{families} families of facts, {files} files of your own"
    if kept:
        found += f"; kept as it is said: {', '.join(kept)}"
    return Check(name="policies", status="ok", found=found, measured={"families": families, "files": files})
