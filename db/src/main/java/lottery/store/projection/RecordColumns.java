package lottery.store.projection;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Maps a record to its columns in a table. */
record RecordColumns<T extends Record>(Constructor<T> constructor, List<ColumnComponent> parts) {

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** A component of a record, which is a column or a record itself. */
    private record ColumnComponent(
            RecordComponent component,
            String name,
            @Nullable RecordColumns<?> nested) {

        @Nullable
        Object of(Record row) {
            try {
                return component.getAccessor().invoke(row);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(component + " cannot be read", e);
            }
        }
    }

    static <T extends Record> RecordColumns<T> of(Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return new RecordColumns<>(
                    constructor,
                    Arrays.stream(components).map(RecordColumns::part).toList());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no constructor of its components", e);
        }
    }

    private static ColumnComponent part(RecordComponent component) {
        component.getAccessor().setAccessible(true);
        String name = HUMP.matcher(component.getName()).replaceAll("_").toLowerCase(Locale.ROOT);
        Class<?> type = component.getType();
        if (type.isRecord()) {
            return new ColumnComponent(component, name, of(type.asSubclass(Record.class)));
        }
        typeOf(type);
        return new ColumnComponent(component, name, null);
    }

    /** Returns the name that PostgreSQL has for a type. */
    private static String typeOf(Class<?> type) {
        if (type == long.class || type == Long.class) {
            return "bigint";
        } else if (type == int.class || type == Integer.class) {
            return "integer";
        } else if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        } else if (type == String.class || type.isEnum()) {
            return "text";
        } else if (type == Instant.class) {
            return "timestamptz";
        } else if (type == LocalDate.class) {
            return "date";
        } else if (type == BigDecimal.class) {
            return "numeric";
        } else if (type == UUID.class) {
            return "uuid";
        }
        throw new IllegalArgumentException("a row of a projection has no columns of " + type);
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        for (ColumnComponent part : parts) {
            if (part.nested() == null) {
                names.add(part.name());
            } else {
                names.addAll(part.nested().names());
            }
        }
        return names;
    }

    /** Returns the parameters of a statement, one array for each column. */
    String parameters() {
        return parts.stream()
                .map(part -> part.nested() == null
                        ? "?::" + typeOf(part.component().getType()) + "[]"
                        : part.nested().parameters())
                .collect(joining(", "));
    }

    /** Binds the rows, and returns the number of the next parameter. */
    int bind(Connection connection, PreparedStatement statement, int first, List<? extends @Nullable Record> rows)
            throws SQLException {
        int next = first;
        for (ColumnComponent part : parts) {
            @Nullable Object[] column = new Object[rows.size()];
            for (int i = 0; i < column.length; i++) {
                Record row = rows.get(i);
                column[i] = row == null ? null : part.of(row);
            }
            if (part.nested() == null) {
                Arrays.setAll(column, i -> plain(column[i]));
                statement.setArray(
                        next, connection.createArrayOf(typeOf(part.component().getType()), column));
                next++;
            } else {
                List<@Nullable Record> nested = new ArrayList<>();
                for (Object value : column) {
                    nested.add((Record) value);
                }
                next = part.nested().bind(connection, statement, next, nested);
            }
        }
        return next;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Number number -> number;
            case Boolean bool -> bool;
            case Enum<?> constant -> constant.name();
            // The time is rounded here as the driver would round it. PostgreSQL gets it as a text, and would sometimes
            // round a half down.
            case Instant instant ->
                instant.plusNanos(500).truncatedTo(ChronoUnit.MICROS).toString();
            default -> value.toString();
        };
    }

    T read(ResultSet row) throws SQLException {
        @Nullable Object[] values = new Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            ColumnComponent part = parts.get(i);
            values[i] = part.nested() == null
                    ? value(row, part.name(), part.component().getType())
                    : part.nested().read(row);
        }
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(constructor + " does not take what the table has", e);
        }
    }

    private static @Nullable Object value(ResultSet row, String name, Class<?> type) throws SQLException {
        Object value = type == Instant.class
                ? row.getObject(name, OffsetDateTime.class)
                : type == LocalDate.class ? row.getObject(name, LocalDate.class) : row.getObject(name);
        if (value instanceof OffsetDateTime at) {
            return at.toInstant();
        }
        return value != null && type.isEnum() ? constant(type, value.toString()) : value;
    }

    private static Object constant(Class<?> type, String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalStateException("%s has no %s".formatted(type, name));
    }
}
