package lottery.fairness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Random values in a file, for trials. The operator can choose them, so they prove nothing. Each line has the time of a
 * draw, in seconds of UTC, and the value in hex: {@code 2026-12-01T20:00:00Z 5f3a9c01}. The first line of a time
 * counts. Later lines of that time are ignored, and so are lines with other text.
 */
final class FileBeacon implements PublicRandomness {

    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+([0-9a-fA-F]{8,1024})\\s*");
    private static final int BYTES_MADE_UP = 32;

    private final Path file;
    private final boolean trial;
    private final SecureRandom random;

    FileBeacon(Path file, boolean trial, SecureRandom random) {
        this.file = file;
        this.trial = trial;
        this.random = random;
    }

    @Override
    public boolean isThere() {
        return true;
    }

    @Override
    public String source() {
        return "trial";
    }

    @Override
    public String roundAt(Instant drawAt) {
        Instant second = drawAt.truncatedTo(ChronoUnit.SECONDS);
        return (second.equals(drawAt) ? second : second.plusSeconds(1)).toString();
    }

    @Override
    public Optional<String> valueOf(String round) {
        try {
            Optional<String> value = stored(round);
            return value.isPresent() || !trial ? value : Optional.of(madeUp(round));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<String> stored(String round) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, UTF_8);
        // A line without a line end is ignored, because somebody may still be writing it.
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .filter(line -> line.group(1).equals(round))
                .map(line -> line.group(2).toLowerCase(Locale.ROOT))
                .findFirst();
    }

    /**
     * Makes a value up and adds it to the file. Then the file is read again: the first line of a time counts, and
     * another process may have added that line before.
     */
    private String madeUp(String round) throws IOException {
        byte[] bytes = new byte[BYTES_MADE_UP];
        random.nextBytes(bytes);
        String line = round + " " + HexFormat.of().formatHex(bytes) + "\n";
        Files.writeString(file, line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return stored(round).orElseThrow(() -> new IOException(file + " does not keep what is written"));
    }
}
