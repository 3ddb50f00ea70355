-- Decisions of the desk that wait for a second person, one for each subject.
CREATE TABLE desk_proposal (
    subject     text COLLATE "C" PRIMARY KEY,
    proposal    text COLLATE "C" NOT NULL,
    action      text COLLATE "C" NOT NULL,
    reason      text NOT NULL,
    proposed_by text COLLATE "C",
    proposed_at timestamptz NOT NULL
);

COMMENT ON COLUMN desk_proposal.subject IS 'as in desk_decision';
COMMENT ON COLUMN desk_proposal.proposal IS 'what the second person names to agree';
COMMENT ON COLUMN desk_proposal.proposed_by IS 'null: nobody was asked who he is';
