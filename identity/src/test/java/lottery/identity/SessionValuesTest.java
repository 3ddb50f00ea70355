package lottery.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The values of sessions in Redis")
class SessionValuesTest {

    @Test
    @DisplayName("Texts and numbers are read as they were written.")
    void same() {
        for (Object value : List.of("ann", 7, 1_800_000_000_000L)) {
            assertThat(IdentityAutoConfiguration.SESSION_VALUES.deserialize(
                            IdentityAutoConfiguration.SESSION_VALUES.serialize(value)))
                    .isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"java.io.File\", \"/etc/passwd\"]",
                "{\"@class\": \"java.io.File\", \"path\": \"/etc/passwd\"}",
                "{\"v\": [\"java.util.concurrent.atomic.AtomicLong\", 1]}"
            })
    @DisplayName("The name of a class is data, and no object of the class is created.")
    void noClass(String written) {
        Object read = IdentityAutoConfiguration.SESSION_VALUES.deserialize(written.getBytes(UTF_8));
        assertThat(String.valueOf(read)).contains("java.");
        assertThat(read).isNotInstanceOf(File.class);
        assertThat(read).isInstanceOfAny(List.class, Map.class);
    }
}
