package lottery.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.pool.EntryTree;
import lottery.pool.PoolShuffleKey;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The page about fairness")
class FairnessPageTest {

    private static final Path PAGE = Path.of("../docs/fairness.md");
    private static final Path EXAMPLE = Path.of("../docs/example-export.ndjson");
    private static final Pattern PYTHON = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder = Path.of(".");

    private record Ended(int status, String output) {}

    /** Runs the first program of the page. */
    private Ended python(Path export) throws Exception {
        return ended(started(program(0), export.toString()));
    }

    private Path program(int number) throws IOException {
        String program = PYTHON.matcher(Files.readString(PAGE))
                .results()
                .skip(number)
                .findFirst()
                .orElseThrow()
                .group(1);
        return Files.writeString(folder.resolve("program-%d.py".formatted(number)), program);
    }

    private static Ended ended(Process python) throws Exception {
        String output = new String(python.getInputStream().readAllBytes(), UTF_8);
        assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(python.exitValue(), output);
    }

    private static Process started(Path program, String... arguments) {
        try {
            return new ProcessBuilder(Stream.concat(Stream.of("python3", program.toString()), Stream.of(arguments))
                            .toList())
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
    @DisplayName("Its program counts what users have won as often as one user can.")
    void limits() throws Exception {
        List<String> lines = ExportVerifierTest.lines(
                ExportVerifierTest.LIMITED, SampleDraws.limited(ExportVerifierTest.LIMITED, 200), SampleDraws.PLEDGE);
        Path export = Files.write(folder.resolve("limited.ndjson"), lines);
        assertThat(python(export)).isEqualTo(new Ended(0, "200 draws agree\n"));
        String last = lines.get(lines.size() - 2);
        assertThat(last).contains("\"reached\":[2,3]");
        lines.set(lines.size() - 2, last.replace("\"reached\":[2,3]", "\"reached\":[3]"));
        assertThat(python(Files.write(export, lines)).status()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("Its program computes draws while awards are held, also the fallback.")
    void held(Mode mode) throws Exception {
        CompiledStrategy rules = Described.in(mode)
                .award(1, "0.2")
                .award(2, "0.2")
                .award(3, "0.2")
                .award(4, "0.2")
                .award(5, "0.1")
                .fallback(1)
                .rules();
        List<String> lines = ExportVerifierTest.lines(
                rules,
                SampleDraws.held(rules, 200, List.of(List.of(), List.of(4), List.of(1, 4), List.of(1))),
                SampleDraws.PLEDGE);
        Path export = Files.write(folder.resolve("held.ndjson"), lines);
        assertThat(python(export)).isEqualTo(new Ended(0, "200 draws agree\n"));
        List<String> hidden = lines.stream()
                .map(line -> line.replaceFirst(",\"held\":\\[[0-9,]*]", ""))
                .toList();
        assertThat(hidden).isNotEqualTo(lines);
        assertThat(python(Files.write(export, hidden)).status()).isEqualTo(1);
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
    @DisplayName("Its program detects another hash, and a version that the round has not committed to.")
    void uncommitted() throws Exception {
        String example = Files.readString(EXAMPLE);
        for (String changed : List.of(
                example.replaceFirst("\"strategyHash\":\"....", "\"strategyHash\":\"0000"),
                example.replaceFirst("\\{\"strategyVersion\":2[^}]*}]", "]").replace(",]", "]"))) {
            assertThat(changed).isNotEqualTo(example);
            Ended ended = python(Files.writeString(folder.resolve("changed.ndjson"), changed));
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output()).contains("not a promised version");
        }
    }

    @Test
    @DisplayName("Its second program computes the commitments of an activity from what is shown in public.")
    void commitments() throws Exception {
        ApprovedStrategy strategy = new ApprovedStrategy(3, "11".repeat(32));
        String value = SampleDraws.PLEDGE.bindTo(SampleDraws.ACTIVITY, strategy);
        String shown = """
                {"activityId": 7, "rounds": [{"round": 1, "commitment": "%s", "strategies": [
                  {"strategyVersion": 3, "strategyHash": "%s", "roundCommitment": "%s"},
                  {"strategyVersion": 4, "strategyHash": "%s", "roundCommitment": "%s"}]}]}""".formatted(SampleDraws.PLEDGE.commitment(), strategy.hash(), value, strategy.hash(), value);
        Process python = started(program(3));
        try (OutputStream in = python.getOutputStream()) {
            in.write(shown.getBytes(UTF_8));
        }
        assertThat(ended(python)).isEqualTo(new Ended(0, "1 3 %s agrees\n1 4 %s DIFFERS\n".formatted(value, value)));
    }

    @Test
    @DisplayName("Its program for entries finds an entry in its pool, and no other one.")
    void entry() throws Exception {
        List<byte[]> leaves = List.of(
                EntryTree.leaf(SampleDraws.ACTIVITY, 1, "order:33-one"),
                EntryTree.leaf(SampleDraws.ACTIVITY, 2, "order:33-two"));
        HexFormat hex = HexFormat.of();
        String key = "0123456789abcdef".repeat(4);
        String lot = hex.formatHex(new PoolShuffleKey(key).lots().doFinal(leaves.getFirst()));
        String proof = """
                {"activityId": 7, "entryNo": 1, "leaf": "%s", "path": [{"side": "RIGHT", "hash": "%s"}], "root": "%s",
                 "entries": 2, "drawKey": "%s", "lot": "%s", "place": 2}""".formatted(
                        hex.formatHex(leaves.getFirst()),
                        hex.formatHex(leaves.getLast()),
                        hex.formatHex(EntryTree.root(leaves)),
                        key,
                        lot);
        assertThat(ended(asked(program(1), proof, "order:33-one")))
                .isEqualTo(new Ended(0, "entry 1 is in the pool at place 2\n"));
        assertThat(ended(asked(program(1), proof, "order:33-two")).status()).isEqualTo(1);
    }

    private static Process asked(Path program, String input, String... arguments) throws IOException {
        Process python = started(program, arguments);
        try (OutputStream in = python.getOutputStream()) {
            in.write(input.getBytes(UTF_8));
        }
        return python;
    }

    @Test
    @DisplayName("Its program for pools draws a pool as the lottery does, and finds what was changed.")
    void pool() throws Exception {
        List<String> lines = PoolVerifierTest.lines();
        Path export = Files.write(folder.resolve("pool.ndjson"), lines);
        assertThat(ended(started(program(2), export.toString())))
                .isEqualTo(new Ended(0, "5000 entries and 6 wins agree\n"));
        for (int changed : List.of(10, 5_004, 5_005)) {
            List<String> other = PoolVerifierTest.lines();
            other.set(changed, other.get(changed).replaceFirst("order:..", "order:3f"));
            assertThat(other).isNotEqualTo(lines);
            assertThat(ended(started(program(2), Files.write(export, other).toString()))
                            .status())
                    .isEqualTo(1);
        }
        lines.set(5_005, lines.get(5_005).replaceFirst("\"amount\":\"", "\"amount\":\"1"));
        assertThat(ended(started(program(2), Files.write(export, lines).toString()))
                        .status())
                .isEqualTo(1);
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
