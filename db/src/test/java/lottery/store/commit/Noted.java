package lottery.store.commit;

import java.util.Map;
import lottery.store.EventTypes;
import lottery.store.NamedEventSerializer;
import org.axonframework.serialization.Serializer;

/** The one type of event of these tests. */
record Noted(String text) {

    static final Serializer SERIALIZER =
            new NamedEventSerializer(EventTypes.of(Map.of("noted", Noted.class), type -> 1));
}
