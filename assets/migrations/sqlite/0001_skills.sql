-- The skills of projects. The same tables as in ../postgres.

CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    -- over, under or error: what counts where a file and a stored skill have one name.
    precedence TEXT NOT NULL,
    -- Counts the changes. Who raises it holds the project until the transaction ends.
    revision INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    created_by TEXT NOT NULL
) STRICT;

-- Files by the SHA-256 of their bytes.
CREATE TABLE blobs (
    digest TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- What a skill was at one time: its text and its files, by the SHA-256 of all of them.
CREATE TABLE skill_versions (
    digest TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    content TEXT NOT NULL,
    -- Whether it has further files.
    bundled INTEGER NOT NULL
) STRICT;

CREATE TABLE version_files (
    version TEXT NOT NULL REFERENCES skill_versions (digest),
    path TEXT NOT NULL,
    blob TEXT NOT NULL REFERENCES blobs (digest),
    executable INTEGER NOT NULL,
    PRIMARY KEY (version, path)
) STRICT;

CREATE TABLE project_skills (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- The name, trimmed and in small letters.
    name_norm TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    -- The whole SKILL.md.
    content TEXT NOT NULL,
    -- A JSON object.
    metadata TEXT NOT NULL,
    version TEXT NOT NULL REFERENCES skill_versions (digest),
    bundled INTEGER NOT NULL,
    -- How often the skill was changed.
    number INTEGER NOT NULL,
    author TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    deleted_ms INTEGER
) STRICT;

-- A name is there once, but any number of deleted skills may have had it.
CREATE UNIQUE INDEX project_skills_live ON project_skills (project_id, name_norm)
    WHERE deleted_ms IS NULL;

-- Who changed what, and when. Rows are only added. They have digests and never texts, and outlive
-- their project.
CREATE TABLE changes (
    project_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    author TEXT NOT NULL,
    -- create, put, delete, restore, undo, remove.
    action TEXT NOT NULL,
    name_norm TEXT NOT NULL,
    number INTEGER NOT NULL,
    version TEXT,
    previous TEXT,
    -- The change that an `undo` took back.
    undoes INTEGER,
    PRIMARY KEY (project_id, seq)
) STRICT;

CREATE INDEX changes_by_name ON changes (project_id, name_norm, seq);

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN
    SELECT RAISE(ABORT, 'changes are only added');
END;

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
BEGIN
    SELECT RAISE(ABORT, 'changes are only added');
END;

CREATE TRIGGER versions_stay BEFORE UPDATE ON skill_versions
BEGIN
    SELECT RAISE(ABORT, 'versions are never changed');
END;

CREATE TRIGGER blobs_stay BEFORE UPDATE ON blobs
BEGIN
    SELECT RAISE(ABORT, 'files are never changed');
END;
