package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.axonframework.common.IdentifierFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayName("The id of a message")
@Isolated
class AxonMessageIdFactoryTest {

    private final IdentifierFactory ids = new AxonMessageIdFactory();

    @Test
    @DisplayName("is made by this factory")
    void service() {
        assertThat(IdentifierFactory.getInstance()).isInstanceOf(AxonMessageIdFactory.class);
    }

    @Test
    @DisplayName("is a UUID of version 7 with the current time")
    void shape() {
        UUID id = UUID.fromString(ids.generateIdentifier());
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
                .isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now());
    }

    @Test
    @DisplayName("is unique among many threads and processes")
    void unique() {
        List<IdentifierFactory> processes = List.of(ids, new AxonMessageIdFactory(), new AxonMessageIdFactory());
        assertThat(IntStream.range(0, 300_000)
                        .parallel()
                        .mapToObj(i -> processes.get(i % 3).generateIdentifier())
                        .distinct()
                        .count())
                .isEqualTo(300_000);
    }

    @Test
    @DisplayName("contains its process, which does not change")
    void process() {
        assertThat(process(ids)).isEqualTo(process(ids)).isNotEqualTo(process(new AxonMessageIdFactory()));
    }

    private static long process(IdentifierFactory ids) {
        return UUID.fromString(ids.generateIdentifier()).getLeastSignificantBits() << 2 >>> (2 + 22);
    }
}
