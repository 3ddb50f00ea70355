package lottery.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.proof.SampleDraws.PLEDGE;
import static lottery.proof.SampleDraws.SEED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.proof.Difference.DifferenceMatter;
import lottery.proof.DrawExportCodec.CommitmentLine;
import lottery.proof.DrawExportCodec.DrawLine;
import lottery.proof.DrawExportCodec.EndLine;
import lottery.proof.DrawExportCodec.ExportLine;
import lottery.proof.DrawExportCodec.HeadingLine;
import lottery.proof.DrawExportCodec.VersionLine;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An export")
class ExportVerifierTest {

    private static final int DRAWS = 100;
    private static final int FIRST_DRAW = 3;

    private static final CompiledStrategy RULES = Described.single()
            .award(1, "0.25")
            .locked(2, "0.25", 2)
            .varying(3, "0.5", "1", "100")
            .fallback(1)
            .rules();

    private final List<String> lines = lines(DRAWS, PLEDGE);

    private static List<String> lines(int draws, RoundCommitment roundCommitment) {
        return lines(RULES, SampleDraws.draws(RULES, draws), roundCommitment);
    }

    static List<String> lines(CompiledStrategy rules, List<RaffleDrawn> draws, RoundCommitment roundCommitment) {
        List<ExportLine> lines = new ArrayList<>();
        lines.add(new HeadingLine(SampleDraws.ACTIVITY, DrawExportCodec.FORMAT));
        lines.add(new VersionLine(rules.strategyId(), rules.version(), rules.definition()));
        lines.add(new CommitmentLine(roundCommitment));
        draws.forEach(drawn -> lines.add(new DrawLine(drawn)));
        lines.add(new EndLine(draws.size()));
        return new ArrayList<>(lines.stream()
                .map(line -> new String(DrawExportCodec.bytes(line), UTF_8).strip())
                .toList());
    }

    private VerificationCount verify() throws IOException, UnreadableExportException {
        return verify(lines);
    }

    private static VerificationCount verify(List<String> lines) throws IOException, UnreadableExportException {
        return verify(String.join("\n", lines) + "\n");
    }

    private static VerificationCount verify(String text) throws IOException, UnreadableExportException {
        return ExportVerifier.verify(new ByteArrayInputStream(text.getBytes(UTF_8)), 2, 1_000);
    }

    private void change(int index, String from, String to) {
        assertThat(lines.get(index)).contains(from);
        lines.set(index, lines.get(index).replace(from, to));
    }

    private void unreadable(int line, String why) {
        assertThatThrownBy(this::verify)
                .isInstanceOf(UnreadableExportException.class)
                .hasMessageContaining(why)
                .extracting(failure -> ((UnreadableExportException) failure).line())
                .isEqualTo((long) line);
    }

    @Test
    @DisplayName("An export is verified without anything else.")
    void verified() throws Exception {
        VerificationCount count = verify();
        assertThat(count.draws()).isEqualTo(DRAWS);
        assertThat(count.agreed()).isEqualTo(DRAWS);
        assertThat(count.unseeded()).isZero();
    }

    /** Rules by which one user can win the second award twice, and the third one once. */
    static final CompiledStrategy LIMITED = Described.overall()
            .award(1, "0.25")
            .award(2, "0.25")
            .perUser(2)
            .award(3, "0.4")
            .perUser(1)
            .fallback(1)
            .rules();

    @Test
    @DisplayName("What users have won as often as one user can is counted again, over all chunks.")
    void limits() throws Exception {
        List<RaffleDrawn> draws = SampleDraws.limited(LIMITED, 10_000);
        assertThat(draws)
                .filteredOn(drawn -> drawn.award() != null && drawn.award().awardId() == 3)
                .as("the wins of ten users")
                .hasSize(10);
        List<String> many = lines(LIMITED, draws, PLEDGE);
        assertThat(verify(many).agreed()).isEqualTo(10_000);

        int first = IntStream.range(0, 10_000)
                .filter(i -> draws.get(i).reached() != null)
                .findFirst()
                .orElseThrow();
        RaffleDrawn last = draws.getLast();
        many.set(FIRST_DRAW + first, many.get(FIRST_DRAW + first).replaceFirst("\"reached\":\\[[0-9,]*],", ""));
        many.set(FIRST_DRAW + 9_999, many.get(FIRST_DRAW + 9_999).replace("\"reached\":[2,3]", "\"reached\":[2]"));
        VerificationCount count = verify(many);
        assertThat(count.differing())
                .extracting(DifferingDraw::orderId)
                .containsExactly(draws.get(first).orderId(), last.orderId());
        assertThat(count.differing())
                .allSatisfy(differing -> assertThat(differing.differences())
                        .extracting(Difference::matter)
                        .contains(DifferenceMatter.REACHED));
    }

    @Test
    @DisplayName("An export of many draws is verified in chunks, and differences are in the order of the draws.")
    void inPieces() throws Exception {
        List<String> many = lines(10_000, PLEDGE);
        List<Integer> tampered =
                IntStream.range(0, 10).map(i -> FIRST_DRAW + i * 999).boxed().toList();
        tampered.forEach(i -> many.set(i, many.get(i).replaceFirst("\"ticket\":\"....", "\"ticket\":\"ffff")));
        assertThat(String.join("\n", many).length()).isGreaterThan(3 << 20);

        VerificationCount count = verify(many);
        assertThat(count.draws()).isEqualTo(10_000);
        assertThat(count.differing())
                .extracting(differing -> differing.orderId().text())
                .containsExactlyElementsOf(tampered.stream()
                        .map(i -> many.get(i).replaceFirst(".*(order:[^\"]*).*", "$1"))
                        .toList());
    }

    @Nested
    @DisplayName("An export of rounds that have committed to versions")
    class CommittedRounds {

        private final ApprovedStrategy approved = new ApprovedStrategy(RULES.version(), "11".repeat(32));
        private final String published = PLEDGE.bindTo(SampleDraws.ACTIVITY, approved);
        private final List<String> committed = lines(
                DRAWS,
                new RoundCommitment(
                        1,
                        SEED.commitment(),
                        SEED.reveal(),
                        List.of(new CommittedStrategy(approved.version(), approved.hash(), published))));

        private void replaced(String from, String to) {
            committed.replaceAll(line -> line.replace(from, to));
        }

        @Test
        @DisplayName("It is verified with the values that were published.")
        void verified() throws Exception {
            assertThat(committed.get(2)).contains(published);
            assertThat(verify(committed).agreed()).isEqualTo(DRAWS);
        }

        @Test
        @DisplayName("Another hash, or a commitment that is missing, is reported for each draw.")
        void tampered() throws Exception {
            replaced(approved.hash(), "22".repeat(32));
            assertThat(matters()).containsExactly(DifferenceMatter.ROUND_COMMITMENT);
            replaced(committed.get(2).replaceFirst(".*\\[(.*)].*", "$1"), "");
            assertThat(committed.get(2)).contains("\"strategies\":[]");
            assertThat(matters()).containsExactly(DifferenceMatter.ROUND_COMMITMENT);
        }

        private List<DifferenceMatter> matters() throws Exception {
            VerificationCount count = verify(committed);
            assertThat(count.agreed()).isZero();
            return count.differing().stream()
                    .flatMap(differing -> differing.differences().stream())
                    .map(Difference::matter)
                    .distinct()
                    .toList();
        }

        @Test
        @DisplayName("A round without its versions, or a commitment without its value, cannot be read.")
        void incomplete() {
            List<String> withoutVersions = new ArrayList<>(committed);
            withoutVersions.replaceAll(line -> line.replaceFirst(",\"strategies\":\\[[^]]*]", ""));
            assertThat(withoutVersions).isNotEqualTo(committed);
            assertThatThrownBy(() -> verify(withoutVersions)).isInstanceOf(UnreadableExportException.class);
            replaced(",\"roundCommitment\":\"" + published + "\"", "");
            assertThatThrownBy(() -> verify(committed)).isInstanceOf(UnreadableExportException.class);
        }
    }

    @Nested
    @DisplayName("A manipulated export")
    class Tampered {

        private List<DifferenceMatter> matters() throws Exception {
            VerificationCount count = verify();
            assertThat(count.draws()).isEqualTo(DRAWS);
            return count.differing().stream()
                    .flatMap(differing -> differing.differences().stream())
                    .map(Difference::matter)
                    .distinct()
                    .toList();
        }

        private int drawOf(int awardId) {
            return IntStream.range(FIRST_DRAW, lines.size())
                    .filter(i -> lines.get(i).contains("\"awardId\":" + awardId + ","))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        @DisplayName("A changed award is a difference.")
        void award() throws Exception {
            change(drawOf(3), "\"awardId\":3", "\"awardId\":1");
            assertThat(matters()).containsExactly(DifferenceMatter.AWARD);
        }

        @Test
        @DisplayName("A changed amount is a difference.")
        void amount() throws Exception {
            change(drawOf(3), "\"amount\":\"", "\"amount\":\"1");
            assertThat(matters()).containsExactly(DifferenceMatter.AMOUNT);
        }

        @Test
        @DisplayName("A changed input of a draw is a difference.")
        void situation() throws Exception {
            int locked = drawOf(2);
            lines.set(locked, lines.get(locked).replaceFirst("\"drawsBeforeToday\":\\d", "\"drawsBeforeToday\":0"));
            assertThat(matters()).contains(DifferenceMatter.OUTCOME, DifferenceMatter.AWARD);
        }

        @Test
        @DisplayName("Changed rates are differences in some of the draws.")
        void rates() throws Exception {
            change(1, "\"0.25\"", "\"0.24\"");
            assertThat(matters()).contains(DifferenceMatter.AWARD);
        }

        @Test
        @DisplayName("A changed seed or commitment is a difference.")
        void seed() throws Exception {
            change(2, SEED.reveal(), SampleDraws.OTHER_SEED.reveal());
            assertThat(matters()).containsExactly(DifferenceMatter.COMMITMENT, DifferenceMatter.TICKET);
            assertThat(verify().agreed()).isZero();
        }

        @Test
        @DisplayName("A changed version or round is a difference.")
        void version() throws Exception {
            change(FIRST_DRAW, "\"strategyVersion\":1", "\"strategyVersion\":2");
            change(FIRST_DRAW + 1, "\"round\":1", "\"round\":9");
            assertThat(matters())
                    .containsExactly(
                            DifferenceMatter.STRATEGY_VERSION,
                            DifferenceMatter.ROUND_COMMITMENT,
                            DifferenceMatter.ROUND);
        }
    }

    @Nested
    @DisplayName("An unreadable export, whose line is named")
    class IsUnreadable {

        @Test
        @DisplayName("A line that was cut is unreadable.")
        void cutLine() {
            int cut = FIRST_DRAW + 10;
            lines.set(cut, lines.get(cut).substring(0, 100));
            unreadable(cut + 1, "");
        }

        @Test
        @DisplayName("An export that was cut within a line is unreadable.")
        void cut() {
            String text = String.join("\n", lines).substring(0, 5_000);
            assertThatThrownBy(() -> verify(text))
                    .isInstanceOf(UnreadableExportException.class)
                    .extracting(failure -> ((UnreadableExportException) failure).line())
                    .isEqualTo(text.chars().filter(letter -> letter == '\n').count() + 1);
        }

        @Test
        @DisplayName("An export that was cut between two lines is unreadable, because its end is missing.")
        void withoutEnd() {
            lines.removeLast();
            unreadable(lines.size() + 1, "cut off");
        }

        @Test
        @DisplayName("An export from which draws were removed is unreadable.")
        void fewer() {
            lines.remove(FIRST_DRAW);
            unreadable(lines.size(), "there should be 100 draws, there are 99");
        }

        @Test
        @DisplayName("An export with a round or version twice is unreadable, because one of them could be made up.")
        void twice() {
            lines.add(FIRST_DRAW, lines.get(2).replace(SEED.reveal(), SampleDraws.OTHER_SEED.reveal()));
            unreadable(FIRST_DRAW + 1, "second time");
            lines.remove(FIRST_DRAW);
            lines.add(2, lines.get(1));
            unreadable(3, "second time");
        }

        @Test
        @DisplayName("An export with a line after its end is unreadable.")
        void behindTheEnd() {
            lines.add(lines.get(FIRST_DRAW));
            unreadable(lines.size(), "behind the end");
        }

        @Test
        @DisplayName("An export in another format, or in none, is unreadable.")
        void format() {
            change(0, "\"format\":1", "\"format\":2");
            unreadable(1, "format 1");
        }

        @Test
        @DisplayName("An export that does not begin with its activity is unreadable.")
        void noHeading() {
            lines.removeFirst();
            unreadable(1, "begins with its activity");
        }

        @Test
        @DisplayName("An export with an invalid strategy is unreadable.")
        void strategy() {
            change(1, "\"0.5\"", "\"5\"");
            unreadable(2, "no strategy");
        }

        @Test
        @DisplayName("An export with an invalid seed is unreadable.")
        void seed() {
            change(2, SEED.reveal(), "cafe");
            unreadable(3, "a seed that is none");
        }

        @Test
        @DisplayName("An export with an invalid ticket is unreadable.")
        void ticket() {
            lines.set(FIRST_DRAW + 2, lines.get(FIRST_DRAW + 2).replaceFirst("\"ticket\":\"..", "\"ticket\":\"xx"));
            unreadable(FIRST_DRAW + 3, "");
        }

        @Test
        @DisplayName("An export in which a draw lacks a field, or has an unknown one, is unreadable.")
        void fields() {
            String whole = lines.get(FIRST_DRAW);
            change(FIRST_DRAW, "\"round\":1", "\"round\":1,\"rounds\":1");
            unreadable(FIRST_DRAW + 1, "rounds");
            lines.set(FIRST_DRAW, whole.replaceFirst("\"userId\":\"[^\"]*\",", ""));
            unreadable(FIRST_DRAW + 1, "userId");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "null",
                    "[]",
                    "{}",
                    "nonsense",
                    "{\"draw\":null}",
                    "{\"draw\":{}}",
                    "{\"nothing\":{}}",
                    "{\"end\":{\"draws\":100}} {}",
                    "{\"round\":{\"round\":2}}"
                })
        @DisplayName("An export with a line of another kind is unreadable.")
        void something(String line) {
            lines.set(FIRST_DRAW + 5, line);
            unreadable(FIRST_DRAW + 6, "");
        }

        @Test
        @DisplayName("An empty export is unreadable.")
        void empty() {
            assertThatThrownBy(() -> verify("")).isInstanceOf(UnreadableExportException.class);
        }

        @Test
        @DisplayName("An export with a line that is longer than any strategy is unreadable.")
        void longLine() {
            assertThatThrownBy(() -> verify("x".repeat(9 << 20)))
                    .isInstanceOf(UnreadableExportException.class)
                    .hasMessageContaining("longer than");
        }
    }

    @Test
    @DisplayName("Each draw can be read as it was written.")
    void roundTrip() {
        for (RaffleDrawn drawn : SampleDraws.draws(RULES, DRAWS)) {
            byte[] bytes = DrawExportCodec.bytes(new DrawLine(drawn));
            assertThat(DrawExportCodec.line(bytes, 0, bytes.length)).isEqualTo(new DrawLine(drawn));
        }
    }
}
