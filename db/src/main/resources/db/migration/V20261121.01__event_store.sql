-- Axon's own tables for events, tokens and sagas, as its JDBC engine expects them. Ids compare byte by byte
-- (COLLATE "C"): they are never sorted for people, and the indexes are smaller and faster for it.

CREATE TABLE domainevententry (
    globalindex         bigserial PRIMARY KEY,
    aggregateidentifier text COLLATE "C" NOT NULL,
    sequencenumber      bigint NOT NULL,
    type                text COLLATE "C",
    eventidentifier     text COLLATE "C" NOT NULL UNIQUE,
    metadata            bytea,
    payload             bytea NOT NULL,
    payloadrevision     text COLLATE "C",
    payloadtype         text COLLATE "C" NOT NULL,
    timestamp           text COLLATE "C" NOT NULL,
    UNIQUE (aggregateidentifier, sequencenumber)
);

COMMENT ON COLUMN domainevententry.payloadtype IS 'the stable name of the event, never a class';

CREATE TABLE snapshotevententry (
    aggregateidentifier text COLLATE "C" NOT NULL,
    sequencenumber      bigint NOT NULL,
    type                text COLLATE "C" NOT NULL,
    eventidentifier     text COLLATE "C" NOT NULL UNIQUE,
    metadata            bytea,
    payload             bytea NOT NULL,
    payloadrevision     text COLLATE "C",
    payloadtype         text COLLATE "C" NOT NULL,
    timestamp           text COLLATE "C" NOT NULL,
    PRIMARY KEY (aggregateidentifier, sequencenumber)
);

CREATE TABLE tokenentry (
    processorname text COLLATE "C" NOT NULL,
    segment       integer NOT NULL,
    token         bytea,
    tokentype     text COLLATE "C",
    timestamp     text COLLATE "C",
    owner         text COLLATE "C",
    PRIMARY KEY (processorname, segment)
);

CREATE TABLE sagaentry (
    sagaid         text COLLATE "C" PRIMARY KEY,
    revision       text COLLATE "C",
    sagatype       text COLLATE "C",
    serializedsaga bytea
);

CREATE TABLE associationvalueentry (
    id               bigserial PRIMARY KEY,
    associationkey   text COLLATE "C",
    associationvalue text COLLATE "C",
    sagaid           text COLLATE "C",
    sagatype         text COLLATE "C"
);

CREATE INDEX ON associationvalueentry (sagatype, associationkey, associationvalue);
CREATE INDEX ON associationvalueentry (sagaid, sagatype);

-- Events as a person reads them.
CREATE VIEW event_readable AS
SELECT globalindex                                AS position,
       aggregateidentifier                        AS aggregate_id,
       sequencenumber                             AS sequence,
       payloadtype                                AS name,
       payloadrevision                            AS revision,
       timestamp::timestamptz                     AS at,
       convert_from(payload, 'UTF8')::jsonb       AS payload,
       convert_from(metadata, 'UTF8')::jsonb      AS metadata
FROM domainevententry;
