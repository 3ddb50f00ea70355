-- Gives the role of the application what it needs, and no more, after each migration by another role, the owner. Only what is
-- missing is granted: processes that start at the same time do not disturb each other, nor a replay.
DO $$
DECLARE
    application CONSTANT name := '${application_role}';
    too_much CONSTANT text := 'UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER, MAINTAIN';
    wanted text[];
    relation record;
    routine regprocedure;
BEGIN
    -- One role does everything, or the address names a role that is not known here.
    IF application IN ('', current_user) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('rights of ' || application, 0));

    -- Functions of others beside those of the owner could be called in their place.
    IF has_schema_privilege(application, current_schema(), 'CREATE') THEN
        EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I', current_schema(), application);
    END IF;
    IF NOT has_schema_privilege(application, current_schema(), 'USAGE') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), application);
    END IF;

    FOR relation IN
        SELECT oid::regclass AS id, relname, relkind,
               relname = 'event' OR obj_description(oid, 'pg_class') LIKE 'append-only%' AS only_added
        FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND pg_has_role(relowner, 'USAGE')
    LOOP
        IF relation.only_added AND has_table_privilege(application, relation.id, too_much) THEN
            EXECUTE format('REVOKE %s ON TABLE %s FROM PUBLIC, %I', too_much, relation.id, application);
        END IF;
        wanted := CASE
            WHEN relation.relkind = 'S' THEN ARRAY['USAGE']
            -- Rows of a table may be changed through a view of it, with the rights of the view's owner.
            WHEN relation.relkind IN ('v', 'm') OR relation.relname = '${flyway:table}' THEN ARRAY['SELECT']
            WHEN relation.only_added THEN ARRAY['SELECT', 'INSERT']
            ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']
        END;
        IF EXISTS (
            SELECT FROM unnest(wanted) AS privilege
            WHERE CASE relation.relkind WHEN 'S' THEN NOT has_sequence_privilege(application, relation.id, privilege)
                                     ELSE NOT has_table_privilege(application, relation.id, privilege) END) THEN
            EXECUTE format('GRANT %s ON %s %s TO %I', array_to_string(wanted, ', '),
                           CASE relation.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relation.id, application);
        END IF;
    END LOOP;

    FOR routine IN
        SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND pg_has_role(proowner, 'USAGE')
          AND NOT has_function_privilege(application, oid, 'EXECUTE')
    LOOP
        EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO %I', routine, application);
    END LOOP;
END;
$$;
