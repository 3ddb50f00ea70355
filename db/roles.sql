-- Creates the two roles of the lottery and its database. The image of PostgreSQL runs this once, as the superuser, when it makes
-- its data. docs/operations/security.md has the same for other servers.

DO $$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN
        SELECT * FROM (VALUES ('lottery_owner', 'lottery.postgres.owner-password'),
                              ('lottery_app', 'lottery.postgres.password')) AS roles (name, secret)
    LOOP
        EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', wanted.name,
                       rtrim(pg_read_file('/run/secrets/' || wanted.secret), E'\r\n'));
    END LOOP;
END;
$$;

CREATE DATABASE lottery OWNER lottery_owner;

REVOKE ALL ON DATABASE lottery FROM PUBLIC;

GRANT CONNECT ON DATABASE lottery TO lottery_app;
