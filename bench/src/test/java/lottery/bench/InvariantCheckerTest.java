package lottery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.bench.invariant.CheckMoment.AT_REST;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import lottery.bench.invariant.CheckMoment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The invariant checker")
class InvariantCheckerTest extends CheckedHistory {

    @Nested
    @DisplayName("A sound history")
    class ASoundHistory {

        @ParameterizedTest
        @ValueSource(strings = {"AT_REST", "IN_FLIGHT"})
        @DisplayName("A sound history holds in all invariants")
        void holdsInEverything(CheckMoment moment) throws SQLException {
            CheckReport report = check(moment);
            assertThat(report.isSound()).as(report.table()).isTrue();
            assertThat(report.table()).endsWith("All invariants hold.");
        }

        @Test
        @DisplayName("A sound history is checked fact by fact")
        void isCheckedFactByFact() throws SQLException {
            assertThat(check(AT_REST).verdicts())
                    .extracting(verdict -> title(verdict) + " " + verdict.checked())
                    .containsExactly(
                            "names 92",
                            "log 92",
                            "claims 0",
                            "order 92",
                            "homes 85",
                            "I3 14",
                            "I5 15",
                            "once 5",
                            "payments 0",
                            "entitlements 0",
                            "counts 14",
                            "limits 0",
                            "sku-limits 0",
                            "I6 11",
                            "I7 47",
                            "credits 0",
                            "proposals 0",
                            "rebates 0",
                            "sign-ins 0",
                            "I8 view_account 4",
                            "I8 view_win 11",
                            "I8 view_credit_entry 0",
                            "I8 view_entitlement 0",
                            "I8 view_trade 0",
                            "I8 view_proposal 0",
                            "I8 view_sign_in 0",
                            "I8 view_recharge 6",
                            "commitments 1",
                            "I1 39",
                            "budgets 11",
                            "I8 view_activity 3",
                            "I8 view_award 3",
                            "I8 view_audit 1",
                            "I8 view_winner 7",
                            "I8 view_odds 14",
                            "I8 view_figure 12",
                            "pools 0");
        }

        @Test
        @DisplayName("A check changes nothing for the next one")
        void changesNothingForTheNextReader() throws SQLException {
            assertThat(check(AT_REST)).isEqualTo(check(AT_REST));
        }
    }

    @Nested
    @DisplayName("Shares of users")
    class Divides {

        @Test
        @DisplayName("A history too long for the memory is divided into shares, at most as many as there are shards")
        void byLength() {
            long memory = Runtime.getRuntime().maxMemory();
            assertThat(LongStream.of(0, 1, memory / 5_000, memory / 3_000, memory / 1_100, memory / 110, Long.MAX_VALUE)
                            .mapToInt(InvariantChecker::shares))
                    .as("of 64 shards, the largest of 33 shares has two")
                    .containsExactly(1, 1, 1, 2, 4, 64, 64);
        }

        @Test
        @DisplayName("The checker says how far it is")
        void saysHowFarItIs() throws SQLException {
            List<String> said = new ArrayList<>();
            InvariantChecker.check(
                    database, AT_REST, (number, of, events) -> said.add(number + "/" + of + " " + events), all -> 3);
            assertThat(said).hasSize(4).first().asString().startsWith("1/4 ");
        }
    }

    @Nested
    @DisplayName("The checker as a program")
    class TheProgram {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        private int run(Map<String, String> environment, String... arguments) {
            return InvariantChecker.run(arguments, environment, new PrintStream(out, true, UTF_8));
        }

        private Map<String, String> environment() {
            return Map.of(
                    "LOTTERY_POSTGRES_URL", database.url(),
                    "LOTTERY_POSTGRES_USER", database.user(),
                    "LOTTERY_POSTGRES_PASSWORD", database.password());
        }

        @Test
        @DisplayName("The program ends with 0 if all invariants hold")
        void endsWith0IfAllHolds() {
            assertThat(run(environment(), "--at-rest")).isZero();
            assertThat(out.toString(UTF_8)).contains("I3 ", "All invariants hold.");
        }

        @Test
        @DisplayName("The program ends with 1 and the first violation of each invariant")
        void endsWith1AndTheFirstViolationOfEachInvariant() throws SQLException {
            history.sql("UPDATE view_account SET day_used = 9");
            assertThat(run(environment())).isEqualTo(1);
            assertThat(out.toString(UTF_8))
                    .contains("first: view_account has day_used 9 for 100/ann, the events make it 1")
                    .contains("NOT ALL INVARIANTS HOLD.");
        }

        @Test
        @DisplayName("The program believes an argument more than the environment")
        void believesAnArgumentMoreThanTheEnvironment() {
            assertThat(run(
                            Map.of(
                                    "LOTTERY_POSTGRES_URL",
                                    "jdbc:postgresql://localhost:1/none",
                                    "LOTTERY_POSTGRES_USER",
                                    database.user()),
                            "--url=" + database.url(),
                            "--password=" + database.password()))
                    .isZero();
        }

        @Test
        @DisplayName("The program ends with 2 and says what is missing")
        void endsWith2AndSaysWhatIsMissing() {
            assertThat(run(Map.of())).isEqualTo(2);
            assertThat(out.toString(UTF_8)).startsWith("Neither --url nor LOTTERY_POSTGRES_URL is given.");
        }

        @Test
        @DisplayName("The program ends with 2 if it does not understand an argument")
        void endsWith2IfItDoesNotUnderstand() {
            assertThat(run(environment(), "--at-reest")).isEqualTo(2);
            assertThat(run(environment(), "--speed=high")).isEqualTo(2);
            assertThat(out.toString(UTF_8)).contains("Not understood: --at-reest", "Not understood: --speed");
        }

        @Test
        @DisplayName("The program ends with 2 if the database does not answer")
        void endsWith2IfNobodyAnswers() {
            assertThat(run(environment(), "--url=jdbc:postgresql://localhost:1/none"))
                    .isEqualTo(2);
            assertThat(out.toString(UTF_8)).startsWith("The database could not be read: ");
        }

        @Test
        @DisplayName("The program ends with 2, and not as after a violation, if the check breaks off")
        void breaksOff() throws SQLException {
            history.sql("""
                    UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'),
                        '2026-11-30T04:00:00.1234567Z', '+1000000000-12-31T23:59:59.9999999Z'), 'UTF8')
                    WHERE aggregate_id = 'award:33-1' AND sequence = 0""");
            assertThat(run(environment())).isEqualTo(2);
            assertThat(out.toString(UTF_8)).contains("The check broke off: ");
        }

        @Test
        @DisplayName("A database in words never contains the password")
        void neverSaysThePassword() {
            assertThat(new CheckedDatabase("jdbc:postgresql://db/lottery?password=secret", "lottery", "secret")
                            .toString())
                    .isEqualTo("lottery at jdbc:postgresql://db/lottery");
        }
    }
}
