package lottery.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolWin;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardDefinitionBuilder;
import lottery.pool.EntryTree;
import lottery.pool.PoolAwardPlaces;
import lottery.pool.PoolDrawOrder;
import lottery.pool.PoolShuffleKey;
import lottery.proof.DrawExportCodec.CommitmentLine;
import lottery.proof.DrawExportCodec.EndLine;
import lottery.proof.DrawExportCodec.EntryLine;
import lottery.proof.DrawExportCodec.ExportLine;
import lottery.proof.DrawExportCodec.HeadingLine;
import lottery.proof.DrawExportCodec.PoolLine;
import lottery.proof.DrawExportCodec.VersionLine;
import lottery.proof.DrawExportCodec.WinLine;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The verification of a pool")
class PoolVerifierTest {

    private static final int ENTRIES = 5_000;

    private static final CompiledStrategy RULES = rules();

    /** Makes a strategy of a car, and of four amounts of points. */
    private static CompiledStrategy rules() {
        return Described.single()
                .limited(1, "0.1", 1)
                .award(2, "0.1", PoolVerifierTest::points)
                .rules();
    }

    private static AwardDefinitionBuilder points(AwardDefinitionBuilder award) {
        return award.amount(new AmountRange(new BigDecimal("0.5"), new BigDecimal("88.88")))
                .stock(4);
    }

    private static RaffleOrderId order(int entryNo) {
        return RaffleRequestIdentity.of(
                        new AccountId(SampleDraws.ACTIVITY, new UserId("user-" + entryNo % 10)), "entry-" + entryNo)
                .id();
    }

    /** Returns an export, as the lottery makes it: five winners, and a reserve that has moved up. */
    static List<String> lines() {
        return lines("trial", "2026-11-21T08:00:00Z", Instant.parse("2026-11-21T08:00:00Z"), "5f3a9c01");
    }

    private static List<String> lines(String beacon, String round, Instant drawAt, String value) {
        List<byte[]> leaves = IntStream.rangeClosed(1, ENTRIES)
                .mapToObj(entryNo -> EntryTree.leaf(
                        SampleDraws.ACTIVITY, entryNo, order(entryNo).text()))
                .toList();
        PoolFrozen frozen = new PoolFrozen(
                SampleDraws.ACTIVITY,
                ENTRIES,
                HexFormat.of().formatHex(EntryTree.root(leaves)),
                1,
                RULES.strategyId(),
                RULES.version(),
                "11".repeat(32),
                beacon,
                round,
                drawAt,
                2);
        PoolShuffleKey key = PoolShuffleKey.of(SampleDraws.SEED, frozen, value);
        PoolDrawOrder order = new PoolDrawOrder(ENTRIES, key);
        leaves.forEach(leaf -> order.add(leaf, 0));
        int[] ranked = order.sorted();
        List<ExportLine> lines = new ArrayList<>();
        lines.add(new HeadingLine(SampleDraws.ACTIVITY, DrawExportCodec.FORMAT));
        lines.add(new VersionLine(RULES.strategyId(), RULES.version(), RULES.definition()));
        lines.add(new CommitmentLine(SampleDraws.PLEDGE));
        lines.add(new PoolLine(frozen, new PoolOrdered(SampleDraws.ACTIVITY, value, key.hex(), 5, 2), true));
        IntStream.rangeClosed(1, ENTRIES)
                .forEach(entryNo ->
                        lines.add(new EntryLine(entryNo, order(entryNo).text())));
        PoolAwardPlaces awards = new PoolAwardPlaces(RULES.definition());
        for (int place = 1; place <= 6; place++) {
            AwardDefinition award =
                    awards.at(place).orElse(RULES.definition().awards().getFirst());
            RaffleOrderId winner = order(ranked[place - 1]);
            lines.add(new WinLine(new PoolWin(
                    place, ranked[place - 1], winner, award.awardId(), PoolAwardPlaces.amountOf(award, key, winner))));
        }
        lines.add(new EndLine(0));
        return new ArrayList<>(lines.stream()
                .map(line -> new String(DrawExportCodec.bytes(line), UTF_8).strip())
                .toList());
    }

    private static PoolVerdict verify(List<String> lines) throws Exception {
        String text = String.join("\n", lines) + "\n";
        return ExportVerifier.verify(new ByteArrayInputStream(text.getBytes(UTF_8)), 2, 1_000)
                .pool()
                .orElseThrow();
    }

    @Test
    @DisplayName("finds nothing in a pool that was drawn by the rules")
    void agrees() throws Exception {
        assertThat(verify(lines())).isEqualTo(new PoolVerdict(ENTRIES, 6, false, List.of()));
    }

    @Test
    @DisplayName("checks all but the key of a pool whose seed is not published yet")
    void unseeded() throws Exception {
        List<String> lines = lines();
        lines.replaceAll(line -> line.replaceFirst(",\"seed\":\"[0-9a-f]*\"", ""));
        assertThat(verify(lines)).isEqualTo(new PoolVerdict(ENTRIES, 6, true, List.of()));
    }

    /** @param line the number of the line that is changed, from 0 on; the entries begin at 4 and the wins at 5004 */
    @ParameterizedTest
    @CsvSource({
        "POOL_ROOT, 10, order:, order:0",
        "POOL_ROOT, 3, '\"entries\":5000', '\"entries\":4999'",
        "PLACE, 5004, '\"place\":1,', '\"place\":2,'",
        "PLACE, 5006, '\"orderId\":\"order:', '\"orderId\":\"order:0'",
        "PLACE, 3, '\"winners\":5', '\"winners\":4'",
        "AWARD, 5004, '\"awardId\":1', '\"awardId\":2'",
        "AMOUNT, 5005, '\"amount\":\"', '\"amount\":\"1'",
        "DRAW_KEY, 3, '\"beaconValue\":\"5f', '\"beaconValue\":\"6f'",
        "STRATEGY_VERSION, 3, '\"strategyVersion\":1', '\"strategyVersion\":2'"
    })
    @DisplayName("finds what was changed")
    void differs(String matter, int line, String from, String to) throws Exception {
        List<String> lines = lines();
        String changed = line == 10 || from.contains("orderId")
                ? lines.get(line).replaceFirst("order:..", "order:3f")
                : lines.get(line).replaceFirst(Pattern.quote(from), to);
        assertThat(changed).isNotEqualTo(lines.get(line));
        lines.set(line, changed);
        assertThat(verify(lines).differences())
                .extracting(difference -> difference.matter().name())
                .contains(matter);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39, true",
        "1000, 929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394, false",
        "12040883, 929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394, false"
    })
    @DisplayName("accepts only the signed value of a public chain, and only that of the time of the draw")
    void signed(String round, String value, boolean accepted) throws Exception {
        Instant drawAt = Instant.parse("2023-08-23T15:59:24Z");
        String chain = "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
        assertThat(verify(lines(chain, round, drawAt, value)).differences())
                .extracting(difference -> difference.matter().name())
                .isEqualTo(accepted ? List.of() : List.of("BEACON_VALUE"));
    }

    @Test
    @DisplayName("finds a win that is missing, and entries that changed their numbers")
    void missing() throws Exception {
        List<String> fewer = lines();
        fewer.remove(5_008);
        assertThat(verify(fewer).differences()).isNotEmpty();
        List<String> swapped = lines();
        swapped.set(20, lines().get(21).replace("\"entryNo\":18", "\"entryNo\":17"));
        swapped.set(21, lines().get(20).replace("\"entryNo\":17", "\"entryNo\":18"));
        assertThat(verify(swapped).differences())
                .extracting(difference -> difference.matter().name())
                .contains("POOL_ROOT");
    }
}
