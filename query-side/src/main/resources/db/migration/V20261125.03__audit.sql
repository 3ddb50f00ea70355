-- What people have decided, an event each.
CREATE TABLE view_audit (
    subject  text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    type     text COLLATE "C" NOT NULL,
    actor    text COLLATE "C" NOT NULL,
    role     text COLLATE "C",
    trace_id text COLLATE "C",
    at       timestamptz NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (subject, sequence)
);

CREATE INDEX view_audit_newest ON view_audit (position DESC);
CREATE INDEX view_audit_by_actor ON view_audit (actor, position DESC);
