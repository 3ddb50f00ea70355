package lottery.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Public random values in a file")
class FileBeaconTest {

    private static final String NOON = "2026-12-01T12:00:00Z";

    @TempDir
    private Path folder;

    private Path file;
    private FileBeacon beacon;

    @BeforeEach
    void open() {
        file = folder.resolve("beacon.txt");
        beacon = new FileBeacon(file, false, new SecureRandom());
    }

    @Test
    @DisplayName("A value is not known before the file, before its line, and before the end of its line.")
    void notYet() throws IOException {
        assertThat(beacon.valueOf(NOON)).isEmpty();
        Files.writeString(file, "2026-12-01T11:59:59Z 01234567\n");
        assertThat(beacon.valueOf(NOON)).isEmpty();
        Files.writeString(file, "2026-12-01T11:59:59Z 01234567\n" + NOON + " 5f3a9c01");
        assertThat(beacon.valueOf(NOON)).as("the line may go on").isEmpty();
        Files.writeString(file, "2026-12-01T11:59:59Z 01234567\n" + NOON + " 5F3A9C01aa\n");
        assertThat(beacon.valueOf(NOON)).hasValue("5f3a9c01aa");
    }

    @Test
    @DisplayName("The first line of a time counts, and lines with other text do not.")
    void first() throws IOException {
        Files.writeString(file, """
                # values of our beacon
                %1$s 1234567
                %1$s not-hex-at-all
                %1$s 5f3a9c01 and more
                %1$s 5f3a9c01
                %1$s 00000000
                """.formatted(NOON));
        assertThat(beacon.valueOf(NOON)).hasValue("5f3a9c01");
    }

    @Test
    @DisplayName("A draw between two seconds uses the value of the later one.")
    void rounds() {
        assertThat(beacon.roundAt(Instant.parse(NOON))).isEqualTo(NOON);
        assertThat(beacon.roundAt(Instant.parse("2026-12-01T11:59:59.000001Z"))).isEqualTo(NOON);
    }

    @Test
    @DisplayName("In a trial it makes a value up once, and all processes with that file know it.")
    void trial() throws IOException {
        FileBeacon trial = new FileBeacon(file, true, new SecureRandom());
        String value = trial.valueOf(NOON).orElseThrow();
        assertThat(value).matches("[0-9a-f]{64}");
        assertThat(trial.valueOf(NOON)).hasValue(value);
        assertThat(new FileBeacon(file, true, new SecureRandom()).valueOf(NOON)).hasValue(value);
        assertThat(Files.readAllLines(file)).hasSize(1);
    }

    @Test
    @DisplayName("A file that cannot be read is a failure, and not a value that is not known yet.")
    void unreadable() throws IOException {
        Files.createDirectory(file);
        assertThatThrownBy(() -> beacon.valueOf(NOON)).isInstanceOf(UncheckedIOException.class);
    }
}
