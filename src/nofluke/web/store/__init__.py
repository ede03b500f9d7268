"""What the app remembers: uploads, drafts, jobs and results in one SQLite database in the app's data folder."""

from nofluke.web.store.database import FULL, cannot_open, default_folder
from nofluke.web.store.records import Chosen, Draft, Job, Upload, named_uploads, new_id
from nofluke.web.store.store import Store

__all__ = [
    "FULL",
    "Chosen",
    "Draft",
    "Job",
    "Store",
    "Upload",
    "cannot_open",
    "default_folder",
    "named_uploads",
    "new_id",
]
