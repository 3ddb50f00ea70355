package lottery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import lottery.bench.InvariantRunner.ProgressListener;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.InvariantVerdict;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.BeforeEach;

/**
 * A sound history, restored before each test, and the checker that judges what a test makes of it. All classes share
 * one server, which ends with the process.
 */
abstract class CheckedHistory {

    static final ProgressListener SILENT = (number, of, events) -> {};

    /** The server and the history that all classes share. */
    private static final class SharedHistory {

        static final CheckedDatabase DATABASE;
        static final Connection CONNECTION;
        static final HistoryStore HISTORY;

        static {
            EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(
                    Path.of(System.getProperty("lottery.servers", "target/servers")), EmbeddedServerKind.POSTGRES));
            DATABASE = new CheckedDatabase(
                    setting(servers, "lottery.postgres.url"),
                    setting(servers, "lottery.postgres.owner"),
                    setting(servers, "lottery.postgres.owner-password"));
            try {
                CONNECTION = DATABASE.connect();
                HISTORY = new HistoryStore(DATABASE);
                HISTORY.prepare();
                new SoundHistory(HISTORY).add();
                HISTORY.save();
            } catch (SQLException | IOException e) {
                throw new IllegalStateException("the history cannot be stored", e);
            }
        }

        private static String setting(EmbeddedServers servers, String name) {
            return Objects.requireNonNull(servers.properties().get(name), name);
        }
    }

    final CheckedDatabase database = SharedHistory.DATABASE;
    final HistoryStore history = SharedHistory.HISTORY;
    final SoundHistory sound = new SoundHistory(history);
    final AccountEvents accounts = new AccountEvents(history);
    final RechargeEvents recharges = new RechargeEvents(history);
    final OrderEvents orders = new OrderEvents(history);
    final AwardEvents awards = new AwardEvents(history);
    final CreditEvents credits = new CreditEvents(history);

    @BeforeEach
    void restore() throws SQLException {
        history.restore();
    }

    /**
     * Checks the users together and in shares, which has to come to the same. Only the words may differ, since an award
     * of a user in another share seems to belong to nobody.
     */
    static CheckReport check(CheckMoment moment) throws SQLException {
        CheckReport together = InvariantChecker.check(SharedHistory.CONNECTION, moment, SILENT, events -> 1);
        CheckReport inShares = InvariantChecker.check(SharedHistory.CONNECTION, moment, SILENT, events -> 3);
        assertThat(inShares.verdicts().stream().map(CheckedHistory::withoutWords))
                .containsExactlyElementsOf(together.verdicts().stream()
                        .map(CheckedHistory::withoutWords)
                        .toList());
        return together;
    }

    private static InvariantVerdict withoutWords(InvariantVerdict verdict) {
        return new InvariantVerdict(
                verdict.name(), verdict.promise(), verdict.checked(), verdict.violated(), "", verdict.noted());
    }

    /** Returns the violated invariants, each with its first violation in words. */
    static Map<String, String> violated(CheckMoment moment) throws SQLException {
        return check(moment).verdicts().stream()
                .filter(verdict -> !verdict.holds())
                .collect(Collectors.toMap(CheckedHistory::title, InvariantVerdict::first));
    }

    /** Returns the title of a verdict, because several are called I8, one for each table. */
    static String title(InvariantVerdict verdict) {
        return verdict.name().equals("I8")
                ? "I8 " + verdict.promise().substring(0, verdict.promise().indexOf(' '))
                : verdict.name();
    }

    static InvariantVerdict verdict(String title, CheckMoment moment) throws SQLException {
        return check(moment).verdicts().stream()
                .filter(verdict -> title(verdict).equals(title))
                .findFirst()
                .orElseThrow();
    }
}
