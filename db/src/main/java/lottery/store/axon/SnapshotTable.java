package lottery.store.axon;

import java.sql.Timestamp;
import java.util.Optional;
import lottery.store.log.Log;
import lottery.store.log.LogRow;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.Serializer;

/**
 * Stores the latest snapshot of each aggregate that has one. Snapshots can be dropped at any time, because the events
 * contain the same state.
 */
final class SnapshotTable {

    private static final String READ = """
            SELECT aggregate_type, aggregate_id, sequence, event_id, at, type, revision, payload, metadata
            FROM snapshot WHERE aggregate_id = ?""";

    private static final String STORE = """
            INSERT INTO snapshot (aggregate_id, sequence, aggregate_type, event_id, at, type, revision, payload, metadata)
            VALUES (?, ?, ?, ?::uuid, ?, ?, ?, ?, ?)
            ON CONFLICT (aggregate_id) DO UPDATE
            SET sequence = excluded.sequence, event_id = excluded.event_id, at = excluded.at, type = excluded.type,
                revision = excluded.revision, payload = excluded.payload, metadata = excluded.metadata
            WHERE snapshot.sequence < excluded.sequence OR snapshot.revision IS DISTINCT FROM excluded.revision
               OR snapshot.type <> excluded.type""";

    private final Log log;

    SnapshotTable(Log log) {
        this.log = log;
    }

    Optional<DomainEventData<byte[]>> of(String aggregateId) {
        return log.sql()
                .sql(READ)
                .param(aggregateId)
                .query((row, i) -> EventRowConverter.domainEvent(LogRow.rowOf(row)))
                .optional();
    }

    void store(DomainEventMessage<?> snapshot, Serializer serializer) {
        SerializedObject<byte[]> payload = snapshot.serializePayload(serializer, byte[].class);
        log.sql()
                .sql(STORE)
                .param(snapshot.getAggregateIdentifier())
                .param(snapshot.getSequenceNumber())
                .param(snapshot.getType())
                .param(snapshot.getIdentifier())
                .param(Timestamp.from(snapshot.getTimestamp()))
                .param(payload.getType().getName())
                .param(payload.getType().getRevision())
                .param(payload.getData())
                .param(snapshot.serializeMetaData(serializer, byte[].class).getData())
                .update();
    }
}
