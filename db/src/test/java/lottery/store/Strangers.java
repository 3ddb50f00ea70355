package lottery.store;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Another version of the application, which writes events that this one does not know. */
final class Strangers {

    private Strangers() {}

    /** Writes the first event of a parcel under some name. */
    static void write(JdbcClient database, String parcel, String name) {
        database.sql("""
                        WITH head AS (UPDATE event_head SET position = position + 1 RETURNING position)
                        INSERT INTO event (position, event_id, at, sequence, aggregate_id, aggregate_type, type, revision,
                                           payload, metadata)
                        SELECT position, gen_random_uuid(), now(), 0, ?, 'parcel', ?, '1', '{}', '{}' FROM head""").params(parcel, name).update();
    }
}
