package lottery.store.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

@DisplayName("A trace id")
class TraceIdTest {

    private static final String TEXT = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final TraceId ID = new TraceId(TEXT);

    @AfterEach
    void forget() {
        MDC.clear();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-" + TEXT + "-00f067aa0ba902b7-01",
                "00-" + TEXT + "-00f067aa0ba902b7-00",
                "42-" + TEXT + "-00f067aa0ba902b7-01-more"
            })
    @DisplayName("is the caller's, where its traceparent is well-formed")
    void ofCaller(String header) {
        assertThat(TraceId.ofTraceparent(header)).contains(ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                TEXT,
                "00-" + TEXT + "-00f067aa0ba902b7",
                "00-" + TEXT + "-00f067aa0ba902b7-01-more",
                "00-" + TEXT + "-00f067aa0ba902b7-0x",
                "00-" + TEXT + "-0000000000000000-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473\n-00f067aa0ba902b7-01",
                "ff-" + TEXT + "-00f067aa0ba902b7-01",
                "42-" + TEXT + "-00f067aa0ba902b7-01more",
                "00_" + TEXT + "-00f067aa0ba902b7-01"
            })
    @DisplayName("is not taken from a malformed traceparent")
    void nonsense(String header) {
        assertThat(TraceId.ofTraceparent(header)).isEmpty();
    }

    @Test
    @DisplayName("is not read from another text")
    void otherText() {
        assertThat(TraceId.of(TEXT)).contains(ID);
        assertThat(TraceId.of("4bf92f35-77b3-4da6-a3ce-929d0e0e4736")).isEmpty();
        assertThat(TraceId.of("of a test")).isEmpty();
    }

    @Test
    @DisplayName("leaves in a traceparent that can be read again, and is the same if the same thing is sent again")
    void leaves() {
        String left = ID.traceparent("award:1/invoice/1");
        assertThat(TraceId.ofTraceparent(left)).contains(ID);
        assertThat(ID.traceparent("award:1/invoice/1")).isEqualTo(left);
        assertThat(ID.traceparent("award:1/invoice/2")).isNotEqualTo(left);
    }

    @Test
    @DisplayName("is another one each time it is created")
    void fresh() {
        assertThat(TraceId.fresh()).isNotEqualTo(TraceId.fresh());
    }

    @Test
    @DisplayName("is set on a thread until its work is done, and then the previous one is restored")
    void scopes() {
        TraceId outer = TraceId.fresh();
        try (var _ = TraceId.open(outer)) {
            try (var _ = TraceId.open(ID)) {
                assertThat(TraceId.current()).contains(ID);
                try (var _ = TraceId.open(null)) {
                    assertThat(TraceId.current()).contains(ID);
                }
            }
            assertThat(TraceId.current()).contains(outer);
        }
        assertThat(TraceId.current()).isEmpty();
    }

    @Test
    @DisplayName("goes along with work to another thread")
    void carried() throws InterruptedException {
        List<TraceId> seen = new ArrayList<>();
        Thread thread;
        try (var _ = TraceId.open(ID)) {
            thread = Thread.startVirtualThread(
                    TraceId.withCurrentTrace(() -> TraceId.current().ifPresent(seen::add)));
        }
        thread.join(10_000);
        assertThat(seen).containsExactly(ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4bf9", "00000000000000000000000000000000", "4BF92F3577B34DA6A3CE929D0E0E4736"})
    @DisplayName("has no other form")
    void nothingElse(String text) {
        assertThatThrownBy(() -> new TraceId(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
