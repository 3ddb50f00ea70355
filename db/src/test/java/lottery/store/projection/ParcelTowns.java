package lottery.store.projection;

import java.sql.PreparedStatement;
import java.util.HashMap;
import java.util.Map;
import lottery.store.Parcel.ParcelMoved;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/** A read model that counts the moves to each place: a row gathers the events of many parcels. */
@ProcessingGroup(ParcelPlaces.PROCESSOR)
class ParcelTowns extends BatchProjection<Map<String, Integer>> {

    private final JdbcOperations database;

    ParcelTowns(JdbcOperations database) {
        super(database, "parcel_town");
        this.database = database;
    }

    @EventHandler
    void on(ParcelMoved moved) {
        batch().merge(moved.to(), 1, Integer::sum);
    }

    @Override
    protected Map<String, Integer> begin() {
        return new HashMap<>();
    }

    @Override
    protected void write(Map<String, Integer> moves, String table) {
        String add = """
                INSERT INTO %s AS known (place, moves) SELECT * FROM unnest(?::text[], ?::integer[])
                ON CONFLICT (place) DO UPDATE SET moves = known.moves + excluded.moves""".formatted(table);
        database.execute((ConnectionCallback<Integer>) connection -> {
            try (PreparedStatement statement = connection.prepareStatement(add)) {
                statement.setArray(
                        1, connection.createArrayOf("text", moves.keySet().toArray()));
                statement.setArray(
                        2, connection.createArrayOf("integer", moves.values().toArray()));
                return statement.executeUpdate();
            }
        });
    }
}
