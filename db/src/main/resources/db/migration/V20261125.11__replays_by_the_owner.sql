-- A replay makes a table beside a read model and puts it in that one's place, which only the owner of the tables may do. The
-- role that the application runs as owns nothing. It calls these procedures, which run with the rights of the owner. They
-- refuse each table whose rows the caller may not read, insert, update and delete himself.

-- The table of that name in the schema of these procedures, whatever else the caller's session calls so.
CREATE FUNCTION replay_table(wanted text) RETURNS regclass
LANGUAGE plpgsql STABLE AS $$
DECLARE
    named CONSTANT regclass := to_regclass(format('%I.%I', current_schema(), wanted));
BEGIN
    IF named IS NULL THEN
        RAISE EXCEPTION 'there is no table %', wanted USING ERRCODE = 'undefined_table';
    END IF;
    IF NOT (has_table_privilege(session_user, named, 'SELECT') AND has_table_privilege(session_user, named, 'INSERT')
            AND has_table_privilege(session_user, named, 'UPDATE') AND has_table_privilege(session_user, named, 'DELETE')) THEN
        RAISE EXCEPTION 'permission denied to replace table %', wanted USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN named;
END;
$$;

-- The indexes of a table. The shape of one is its definition without its name and its table's.
CREATE FUNCTION replay_indexes(wanted regclass) RETURNS TABLE (name text, shape text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT relname::text,
           regexp_replace(pg_get_indexdef(indexrelid), '^.*? USING ', '') || CASE WHEN indisunique THEN ' unique' ELSE '' END
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = wanted;
END;

CREATE PROCEDURE replay_drop_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM replay_table(wanted);
    IF to_regclass(format('%I.%I', current_schema(), wanted || '_next')) IS NOT NULL THEN
        EXECUTE format('DROP TABLE %s', replay_table(wanted || '_next'));
    END IF;
END;
$$;

-- Creates the second table, empty, with the options of the first one, for those who may use the first one.
CREATE PROCEDURE replay_create_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    original CONSTANT regclass := replay_table(wanted);
    second CONSTANT text := format('%I.%I', current_schema(), wanted || '_next');
    options CONSTANT text := (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = original);
    granted record;
BEGIN
    CALL replay_drop_table(wanted);
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', second, original);
    IF options <> '' THEN
        EXECUTE format('ALTER TABLE %s SET (%s)', second, options);
    END IF;
    FOR granted IN
        SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role,
               string_agg(privilege_type, ', ') AS privileges
        FROM pg_class, aclexplode(relacl)
        WHERE pg_class.oid = original AND grantee <> relowner
        GROUP BY grantee
    LOOP
        EXECUTE format('GRANT %s ON TABLE %s TO %s', granted.privileges, second, granted.role);
    END LOOP;
END;
$$;

CREATE PROCEDURE replay_analyze_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM replay_table(wanted);
    EXECUTE format('ANALYZE %s', replay_table(wanted || '_next'));
END;
$$;

-- Replaces the first table with the second one, which gets the names of its indexes, and its triggers.
CREATE PROCEDURE replay_switch_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    original CONSTANT regclass := replay_table(wanted);
    second CONSTANT regclass := replay_table(wanted || '_next');
    known CONSTANT jsonb := (SELECT jsonb_object_agg(shape, name) FROM replay_indexes(original));
    triggers CONSTANT text[] := ARRAY(
        SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = original AND NOT tgisinternal);
    index record;
    definition text;
BEGIN
    EXECUTE format('DROP TABLE %s', original);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', second, wanted);
    FOR index IN SELECT name, known ->> shape AS former FROM replay_indexes(second) LOOP
        IF index.former IS NOT NULL THEN
            EXECUTE format('ALTER INDEX %I.%I RENAME TO %I', current_schema(), index.name, index.former);
        END IF;
    END LOOP;
    FOREACH definition IN ARRAY triggers LOOP
        EXECUTE definition;
    END LOOP;
END;
$$;

-- Whoever migrates with two roles grants this to the role of the application.
REVOKE EXECUTE ON PROCEDURE replay_drop_table, replay_create_table, replay_analyze_table, replay_switch_table FROM PUBLIC;
