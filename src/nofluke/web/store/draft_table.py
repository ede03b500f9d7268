"""Guided comparisons on their way."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from nofluke.web.store.database import Database
from nofluke.web.store.records import Draft, new_id


class DraftTable(Database):
    """The drafts."""

    def add_draft(self, action: str, request: Mapping[str, Any]) -> Draft:
        """Begin a guided comparison."""
        draft = Draft(new_id(), action, dict(request), "", time.time())
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO drafts VALUES (?, ?, ?, ?, ?, '')",
                (draft.id, action, json.dumps(draft.request), "", draft.created),
            )
        return draft

    def draft(self, identifier: str) -> Draft | None:
        """Find a draft."""
        with self.transaction() as connection:
            row = connection.execute("SELECT * FROM drafts WHERE id = ?", (identifier,)).fetchone()
        return Draft(**{**row, "request": json.loads(row["request"])}) if row else None

    def change_draft(self, identifier: str, request: Mapping[str, Any], job: str = "", step: str = "") -> None:
        """Change what has been filled in; a new request makes the last job stale."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE drafts SET request = ?, job = ?, step = coalesce(nullif(?, ''), step) WHERE id = ?",
                (json.dumps(dict(request)), job, step, identifier),
            )
