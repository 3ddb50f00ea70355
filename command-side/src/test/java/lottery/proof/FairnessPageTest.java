package lottery.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The page about fairness")
class FairnessPageTest {

    private static final Path PAGE = Path.of("../docs/fairness.md");
    private static final Path EXAMPLE = Path.of("../docs/example-export.ndjson");
    private static final Pattern PYTHON = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder = Path.of(".");

    private record Ended(int status, String output) {}

    private Ended python(Path export) throws Exception {
        Matcher program = PYTHON.matcher(Files.readString(PAGE));
        assertThat(program.find()).isTrue();
        Path file = Files.writeString(folder.resolve("verify.py"), program.group(1));
        Process python = started(file, export);
        String output = new String(python.getInputStream().readAllBytes(), UTF_8);
        assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(python.exitValue(), output);
    }

    private static Process started(Path program, Path export) {
        try {
            return new ProcessBuilder("python3", program.toString(), export.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return abort("there is no python3 here");
        }
    }

    @Test
    @DisplayName("Its Python program computes the same as the lottery, and shares no code with it.")
    void python() throws Exception {
        assertThat(python(EXAMPLE)).isEqualTo(new Ended(0, "60 draws agree\n"));
    }

    @Test
    @DisplayName("Its program detects manipulated draws.")
    void tampered() throws Exception {
        Path tampered = Files.writeString(
                folder.resolve("tampered.ndjson"),
                Files.readString(EXAMPLE).replaceFirst("\"amount\":\"\\d", "\"amount\":\"77"));
        assertThat(python(tampered).status()).isEqualTo(1);
    }

    @Test
    @DisplayName("Its example can be read as long as the format exists.")
    void example() throws Exception {
        try (InputStream in = Files.newInputStream(EXAMPLE)) {
            VerificationCount count = ExportVerifier.verify(in, 1, 10);
            assertThat(count.differing()).isEmpty();
            assertThat(count.agreed()).isEqualTo(60);
        }
    }
}
