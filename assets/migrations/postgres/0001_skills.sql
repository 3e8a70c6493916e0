-- The skills of projects. The same tables as in ../sqlite. Texts are compared by their bytes, as
-- there.

CREATE TABLE projects (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    -- over, under or error: what counts where a file and a stored skill have one name.
    precedence TEXT COLLATE "C" NOT NULL,
    -- Counts the changes. Who raises it holds the project until the transaction ends.
    revision BIGINT NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL,
    created_by TEXT COLLATE "C" NOT NULL
);

-- Files by the SHA-256 of their bytes.
CREATE TABLE blobs (
    digest TEXT COLLATE "C" PRIMARY KEY,
    bytes BYTEA NOT NULL
);

-- What a skill was at one time: its text and its files, by the SHA-256 of all of them.
CREATE TABLE skill_versions (
    digest TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    -- Whether it has further files.
    bundled BIGINT NOT NULL
);

CREATE TABLE version_files (
    version TEXT COLLATE "C" NOT NULL REFERENCES skill_versions (digest),
    path TEXT COLLATE "C" NOT NULL,
    blob TEXT COLLATE "C" NOT NULL REFERENCES blobs (digest),
    executable BIGINT NOT NULL,
    PRIMARY KEY (version, path)
);

CREATE TABLE project_skills (
    project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- The name, trimmed and in small letters.
    name_norm TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    -- The whole SKILL.md.
    content TEXT COLLATE "C" NOT NULL,
    -- A JSON object.
    metadata TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL REFERENCES skill_versions (digest),
    bundled BIGINT NOT NULL,
    -- How often the skill was changed.
    number BIGINT NOT NULL,
    author TEXT COLLATE "C" NOT NULL,
    updated_ms BIGINT NOT NULL,
    deleted_ms BIGINT
);

-- A name is there once, but any number of deleted skills may have had it.
CREATE UNIQUE INDEX project_skills_live ON project_skills (project_id, name_norm)
    WHERE deleted_ms IS NULL;

-- Who changed what, and when. Rows are only added. They have digests and never texts, and outlive
-- their project.
CREATE TABLE changes (
    project_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    author TEXT COLLATE "C" NOT NULL,
    -- create, put, delete, restore, undo, remove.
    action TEXT COLLATE "C" NOT NULL,
    name_norm TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    version TEXT COLLATE "C",
    previous TEXT COLLATE "C",
    -- The change that an `undo` took back.
    undoes BIGINT,
    PRIMARY KEY (project_id, seq)
);

CREATE INDEX changes_by_name ON changes (project_id, name_norm, seq);

CREATE FUNCTION skillpick_refuse() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only added', TG_TABLE_NAME;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER changes_are_kept BEFORE UPDATE OR DELETE ON changes
    FOR EACH ROW EXECUTE FUNCTION skillpick_refuse();
CREATE TRIGGER versions_stay BEFORE UPDATE ON skill_versions
    FOR EACH ROW EXECUTE FUNCTION skillpick_refuse();
CREATE TRIGGER blobs_stay BEFORE UPDATE ON blobs
    FOR EACH ROW EXECUTE FUNCTION skillpick_refuse();
