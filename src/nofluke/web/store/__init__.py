"""What the app remembers: uploads, drafts, jobs and results in one SQLite database in the app's data folder."""

from nofluke.web.store.database import default_folder
from nofluke.web.store.records import Draft, Job, Upload, named_uploads, new_id
from nofluke.web.store.store import Store

__all__ = ["Draft", "Job", "Store", "Upload", "default_folder", "named_uploads", "new_id"]
