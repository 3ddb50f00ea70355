package lottery.store.commit;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Converts a list of objects to one SQL array per column, as {@code unnest} takes them. */
record SqlArrays(PGConnection connection) {

    static SqlArrays of(Connection connection) throws SQLException {
        return new SqlArrays(connection.unwrap(PGConnection.class));
    }

    <T> Array texts(List<T> things, Function<T, @Nullable String> text) throws SQLException {
        @Nullable String[] column = new String[things.size()];
        for (int i = 0; i < column.length; i++) {
            column[i] = text.apply(things.get(i));
        }
        return connection.createArrayOf("text", column);
    }

    <T> Array ints(List<T> things, ToIntFunction<T> number) throws SQLException {
        int[] column = new int[things.size()];
        for (int i = 0; i < column.length; i++) {
            column[i] = number.applyAsInt(things.get(i));
        }
        return connection.createArrayOf("int4", column);
    }

    <T> Array longs(List<T> things, ToLongFunction<T> number) throws SQLException {
        long[] column = new long[things.size()];
        for (int i = 0; i < column.length; i++) {
            column[i] = number.applyAsLong(things.get(i));
        }
        return connection.createArrayOf("int8", column);
    }

    <T> Array flags(List<T> things, Predicate<T> flag) throws SQLException {
        boolean[] column = new boolean[things.size()];
        for (int i = 0; i < column.length; i++) {
            column[i] = flag.test(things.get(i));
        }
        return connection.createArrayOf("bool", column);
    }

    <T> Array bytes(List<T> things, Function<T, byte[]> bytes) throws SQLException {
        byte[][] column = new byte[things.size()][];
        for (int i = 0; i < column.length; i++) {
            column[i] = bytes.apply(things.get(i));
        }
        return connection.createArrayOf("bytea", column);
    }

    /**
     * Returns times as microseconds since 1970, because the driver binds an array of numbers without formatting it as
     * text.
     */
    <T> Array micros(List<T> things, Function<T, Instant> moment) throws SQLException {
        return longs(things, thing -> micros(moment.apply(thing)));
    }

    private static long micros(Instant at) {
        return TimeUnit.SECONDS.toMicros(at.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(at.getNano());
    }
}
