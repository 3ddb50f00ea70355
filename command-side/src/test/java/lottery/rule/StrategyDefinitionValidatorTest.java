package lottery.rule;

import static lottery.api.SubmissionFlaw.FlawKind.AMOUNT_EMPTY;
import static lottery.api.SubmissionFlaw.FlawKind.AMOUNT_TOO_FINE;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_LIMITED;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_LOCKED;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_NEVER_WON;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_TWICE;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_UNKNOWN;
import static lottery.api.SubmissionFlaw.FlawKind.CLAIM_DAYS_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.CREDITS_MISSING;
import static lottery.api.SubmissionFlaw.FlawKind.KIND_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.MATTER_UNKNOWN;
import static lottery.api.SubmissionFlaw.FlawKind.RATES_ABOVE_ONE;
import static lottery.api.SubmissionFlaw.FlawKind.RATES_BELOW_ONE;
import static lottery.api.SubmissionFlaw.FlawKind.RATE_NOT_POSITIVE;
import static lottery.api.SubmissionFlaw.FlawKind.RATE_TOO_FINE;
import static lottery.api.SubmissionFlaw.FlawKind.TIER_TWICE;
import static lottery.api.SubmissionFlaw.FlawKind.URL_UNFIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import lottery.api.SubmissionFlaw;
import lottery.api.strategy.AwardType;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The check of a strategy")
class StrategyDefinitionValidatorTest {

    @Test
    @DisplayName("All flaws of a definition are reported at once, each with its place.")
    void allAtOnce() {
        Described flawed = Described.single()
                .award(1, "0")
                .award(1, "0.0000000000000000001")
                .varying(2, "-1", "0", "5")
                .limited(3, "0.1", 5)
                .fallback(9)
                .blacklist(3, "mallory")
                .tier(5, 1, 8)
                .tier(5, 2, 2);
        assertThat(StrategyDefinitionValidator.findings(flawed.definition()))
                .containsExactlyInAnyOrder(
                        new SubmissionFlaw("/awards/0/rate", RATE_NOT_POSITIVE),
                        new SubmissionFlaw("/awards/1/awardId", AWARD_TWICE),
                        new SubmissionFlaw("/awards/1/rate", RATE_TOO_FINE),
                        new SubmissionFlaw("/awards/2/rate", RATE_NOT_POSITIVE),
                        new SubmissionFlaw("/awards/2/amount", AMOUNT_EMPTY),
                        new SubmissionFlaw("/fallback", AWARD_UNKNOWN),
                        new SubmissionFlaw("/blacklist/awardId", AWARD_LIMITED),
                        new SubmissionFlaw("/tiers/0/awardIds/1", AWARD_UNKNOWN),
                        new SubmissionFlaw("/tiers/1/from", TIER_TWICE),
                        new SubmissionFlaw("/tiers/1/awardIds/1", AWARD_TWICE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "coupons.example", "ftp://a", "https://", "https://u:p@a/", "https://a/#b", "https:// a"})
    @DisplayName("The webhook of a COUPON, if it has one, is a web address.")
    void webhook(String url) {
        assertThat(findings(Described.single().award(1, "0.5").typed(AwardType.COUPON, 2, "0.5", Map.of("url", url))))
                .containsExactly(new SubmissionFlaw("/awards/1/config/url", URL_UNFIT));
        assertThat(findings(Described.single()
                        .typed(AwardType.COUPON, 1, "0.5", Map.of())
                        .typed(AwardType.COUPON, 2, "0.5", Map.of("url", "https://coupons.example:8443/give?to=1"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "0", "-1", "3651", "7.5", " 7", "٧", "99999999999"})
    @DisplayName("The claim days of a PHYSICAL award, if it has any, are a valid number.")
    void claimDays(String days) {
        assertThat(findings(Described.single()
                        .award(1, "0.5")
                        .typed(AwardType.PHYSICAL, 2, "0.5", Map.of("claimDays", days))))
                .containsExactly(new SubmissionFlaw("/awards/1/config/claimDays", CLAIM_DAYS_UNFIT));
        assertThat(findings(Described.single()
                        .typed(AwardType.PHYSICAL, 1, "0.3", Map.of())
                        .typed(AwardType.PHYSICAL, 2, "0.3", Map.of("claimDays", "1"))
                        .typed(AwardType.PHYSICAL, 3, "0.2", Map.of("claimDays", "3650"))
                        .typed(AwardType.COUPON, 4, "0.2", Map.of("claimDays", days))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seat upgrade", "升舱", "a/b"})
    @DisplayName("An award of type OTHER says its kind, by which fulfilment tells it apart.")
    void kind(String kind) {
        assertThat(findings(Described.single()
                        .typed(AwardType.OTHER, 1, "0.5", Map.of("kind", kind))
                        .typed(AwardType.OTHER, 2, "0.2", Map.of())
                        .typed(AwardType.OTHER, 3, "0.2", Map.of("kind", "seat-upgrade"))))
                .containsExactly(
                        new SubmissionFlaw("/awards/0/config/kind", KIND_UNFIT),
                        new SubmissionFlaw("/awards/1/config/kind", KIND_UNFIT));
    }

    @Test
    @DisplayName("Rates add up to one at most, and to exactly one if that is demanded.")
    void sumOfRates() {
        assertThat(findings(Described.single().award(1, "0.6").award(2, "0.4000000001")))
                .containsExactly(new SubmissionFlaw("/awards", RATES_ABOVE_ONE));
        assertThat(findings(Described.single().award(1, "0.6").award(2, "0.39999")))
                .isEmpty();
        assertThat(findings(
                        Described.single().award(1, "0.6").award(2, "0.39999").demandingOne()))
                .containsExactly(new SubmissionFlaw("/awards", RATES_BELOW_ONE));
        assertThat(findings(
                        Described.single().award(1, "0.6").award(2, "0.40000").demandingOne()))
                .isEmpty();
    }

    @Test
    @DisplayName("A rate may be one, and a sum above one is reported beside other flaws.")
    void rateOfOne() {
        assertThat(findings(Described.single().award(1, "1"))).isEmpty();
        assertThat(findings(Described.single().award(1, "0.6").varying(2, "0.6", "2", "1")))
                .containsExactlyInAnyOrder(
                        new SubmissionFlaw("/awards/1/amount", AMOUNT_EMPTY),
                        new SubmissionFlaw("/awards", RATES_ABOVE_ONE));
    }

    @Test
    @DisplayName("A fallback is neither locked nor limited.")
    void fallback() {
        assertThat(findings(Described.single().locked(1, "0.6", 3).fallback(1)))
                .containsExactly(new SubmissionFlaw("/fallback", AWARD_LOCKED));
        assertThat(findings(Described.single().limited(1, "0.6", 3).fallback(1)))
                .containsExactly(new SubmissionFlaw("/fallback", AWARD_LIMITED));
        assertThat(findings(Described.single().award(1, "0.6").fallback(1))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"1E+999999999", "1.000000000000000001", "2"})
    @DisplayName("A rate above one is refused, however large it is written.")
    void aboveOne(String rate) {
        assertThat(findings(Described.single().award(1, rate)))
                .containsExactly(new SubmissionFlaw("/awards/0/rate", RATES_ABOVE_ONE));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"0", "-0.1", "-1E+999999999", "0E-400"})
    @DisplayName("A rate of zero or less is refused.")
    void notPositive(String rate) {
        assertThat(findings(Described.single().award(1, rate)))
                .containsExactly(new SubmissionFlaw("/awards/0/rate", RATE_NOT_POSITIVE));
    }

    @Test
    @DisplayName("A rate of 300 digits is refused.")
    void tooFine() {
        assertThat(findings(Described.single().award(1, "0." + "3".repeat(300))))
                .containsExactly(new SubmissionFlaw("/awards/0/rate", RATE_TOO_FINE));
        assertThat(findings(Described.single().award(1, "1E-999999999")))
                .containsExactly(new SubmissionFlaw("/awards/0/rate", RATE_TOO_FINE));
        assertThat(findings(Described.single().award(1, "0." + "3".repeat(18)))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "0", "-1", "ten", "1e3", "0.0000001", "1000000000000"})
    @DisplayName("An award with an invalid number of credits is refused.")
    void uncountable(String credits) {
        assertThat(findings(Described.single().typed(AwardType.CREDIT, 1, "0.1", Map.of("credits", credits))))
                .containsExactly(new SubmissionFlaw("/awards/0/config/credits", CREDITS_MISSING, "1"));
    }

    @Test
    @DisplayName("An award of credits may give its number, or leave that to the fulfilment.")
    void credits() {
        assertThat(findings(Described.single()
                        .typed(AwardType.CREDIT, 1, "0.1", Map.of("credits", "999999999999.000001"))
                        .typed(AwardType.CREDIT, 2, "0.1", Map.of("points", "ten"))))
                .isEmpty();
    }

    @Test
    @DisplayName("Amounts have to be countable.")
    void amounts() {
        assertThat(findings(Described.single().varying(1, "0.1", "5", "4")))
                .containsExactly(new SubmissionFlaw("/awards/0/amount", AMOUNT_EMPTY));
        assertThat(findings(Described.single().varying(1, "0.1", "1", "1000000000.01")))
                .containsExactly(new SubmissionFlaw("/awards/0/amount", AMOUNT_EMPTY));
        assertThat(findings(Described.single().varying(1, "0.1", "0.0000001", "1")))
                .containsExactly(new SubmissionFlaw("/awards/0/amount", AMOUNT_TOO_FINE));
        assertThat(findings(Described.single().varying(1, "0.1", "0.000001", "1000000000")))
                .isEmpty();
        assertThat(findings(Described.single().varying(1, "0.1", "5", "5"))).isEmpty();
    }

    @Test
    @DisplayName("A tree uses existing matters, and lets each of its awards be won.")
    void tree() {
        assertThat(findings(Described.single().award(1, "0.1").tree(onlyFor("weather", "1"))))
                .containsExactly(new SubmissionFlaw("/tree/nodes/0/matter", MATTER_UNKNOWN, "weather"));
        assertThat(findings(Described.single().award(1, "0.1").award(2, "0.1").tree(onlyFor("award", "1"))))
                .containsExactly(new SubmissionFlaw("/awards/1/awardId", AWARD_NEVER_WON, "2"));
        assertThat(findings(Described.single().award(1, "0.1").award(2, "0.1").tree(onlyFor("drawsBefore", "100"))))
                .isEmpty();
    }

    private static TreeDefinition onlyFor(String matter, String value) {
        return new TreeDefinition(
                "which",
                List.of(new Node("which", matter, NodeValueType.NUMBER, null), new Node("yes", null, null, "WIN")),
                List.of(new Line("which", "yes", Comparison.EQUAL, List.of(value))));
    }

    private static List<SubmissionFlaw> findings(Described strategy) {
        return StrategyDefinitionValidator.findings(strategy.definition());
    }
}
