"""Files that users gave: their content in the uploads folder, what is known of them in the database."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

from nofluke.web.store.database import Database
from nofluke.web.store.records import Upload


class UploadTable(Database):
    """The uploads."""

    def path_of(self, upload: str) -> Path:
        """Where the content of an upload lies; ids are made here, never by a client."""
        return self.uploads / upload

    def add_upload(self, identifier: str, name: str, size: int, sha256: str) -> Upload:
        """Remember a file whose content has been written."""
        upload = Upload(identifier, name, size, sha256, time.time())
        with self.transaction() as connection:
            connection.execute("INSERT INTO uploads VALUES (?, ?, ?, ?, ?)", tuple(asdict(upload).values()))
        return upload

    def upload(self, identifier: str) -> Upload | None:
        """Find an upload."""
        with self.transaction() as connection:
            row = connection.execute("SELECT * FROM uploads WHERE id = ?", (identifier,)).fetchone()
        return Upload(**row) if row else None

    def alike(self, upload: str) -> list[str]:
        """All uploads with the content of this one, itself among them."""
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT id FROM uploads WHERE sha256 = (SELECT sha256 FROM uploads WHERE id = ?)", (upload,)
            ).fetchall()
        return [row["id"] for row in rows]
