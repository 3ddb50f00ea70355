package lottery.messaging.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.Event;
import lottery.api.EventNames;
import lottery.store.EventTypes;
import lottery.store.NamedEventSerializer;
import org.axonframework.serialization.SimpleSerializedObject;

/** One of each stored event, read from the approved documents. */
final class StoredEvents {

    private static final Path DOCUMENTS = Path.of("../shared-api/src/test/resources/events");

    private static final NamedEventSerializer SERIALIZER =
            new NamedEventSerializer(EventTypes.of(EventNames.all(), EventNames::revisionOf));

    private StoredEvents() {}

    static List<Event> all() {
        return EventNames.all().values().stream()
                .sorted(Comparator.comparing(EventNames::nameOf))
                .map(StoredEvents::read)
                .toList();
    }

    static <E extends Event> Stream<E> of(Class<E> type) {
        return all().stream().filter(type::isInstance).map(type::cast);
    }

    static <E extends Event> E one(Class<E> type) {
        return of(type).findFirst().orElseThrow();
    }

    private static Event read(Class<?> type) {
        Path document = DOCUMENTS.resolve(EventNames.nameOf(type) + ".v" + EventNames.revisionOf(type) + ".json");
        try {
            Object event = SERIALIZER.deserialize(new SimpleSerializedObject<>(
                    Files.readString(document).getBytes(UTF_8), byte[].class, SERIALIZER.typeForClass(type)));
            return (Event) event;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
