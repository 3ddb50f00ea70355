package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("java -jar lottery.jar verify")
class ExportVerificationProgramTest {

    private static final String EXAMPLE = "../docs/example-export.ndjson";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int verify(String input, String... files) {
        return new ExportVerificationProgram(
                        new ByteArrayInputStream(input.getBytes(UTF_8)),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8))
                .run(List.of(files));
    }

    @Test
    @DisplayName("The program verifies only if that is its first argument, before any of Spring's")
    void asked() {
        assertThat(ExportVerificationProgram.isAskedFor("verify", "x")).isTrue();
        assertThat(ExportVerificationProgram.isAskedFor("--server.port=80", "verify"))
                .isFalse();
        assertThat(ExportVerificationProgram.isAskedFor()).isFalse();
    }

    @Test
    @DisplayName("The verification ends with 0 when all draws agree, and says how many there were")
    void agreed() {
        assertThat(verify("", EXAMPLE)).isZero();
        assertThat(out.toString(UTF_8))
                .contains("draws      60\nagreed     60\ndiffering  0\n", "per second ")
                .doesNotContain("unseeded");
    }

    @Test
    @DisplayName("The verification ends with 1 and says which draw differs, also from the standard input")
    void differs() throws IOException {
        String tampered = Files.readString(Path.of(EXAMPLE)).replaceFirst("\"ticket\":\"....", "\"ticket\":\"ffff");
        assertThat(verify(tampered, "-")).isEqualTo(1);
        assertThat(out.toString(UTF_8)).contains("differs    order:02-", "TICKET is ffff", "agreed     59\n");
    }

    @Test
    @DisplayName("The verification says for how many draws the seed is not known yet")
    void unseeded() throws IOException {
        String early = Files.readString(Path.of(EXAMPLE)).replaceFirst(",\"seed\":\"[0-9a-f]*\"", "");
        assertThat(verify(early, "-")).isZero();
        assertThat(out.toString(UTF_8)).contains("unseeded   60");
    }

    @Test
    @DisplayName("The verification ends with 2 and names the line that it cannot read")
    void unreadable() throws IOException {
        String cut = Files.readString(Path.of(EXAMPLE)).substring(0, 10_000);
        assertThat(verify(cut, "-")).isEqualTo(2);
        assertThat(err.toString(UTF_8))
                .startsWith("unreadable, line " + cut.lines().count() + ":");
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @Test
    @DisplayName("The verification ends with 2 without a file, and with more than one")
    void noFile() {
        assertThat(verify("", "no-such-file")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("there is no file no-such-file");
        assertThat(verify("")).isEqualTo(2);
        assertThat(verify("", "one", "two")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("usage: ");
    }
}
