package lottery.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The public chain of random values")
class DrandChainTest {

    private static final DrandChain CHAIN = DrandChain.QUICKNET;

    /** The real value of a round. */
    static final String OF_1000 =
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

    @ParameterizedTest
    @CsvSource({
        "1000, b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
        "657413, b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
        "12040883, 929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394",
        "32285085, 81dbce51d584d90d618547f4b50391d53ace6f6b9aeb8fb67e1879427af9d0310ac0ec6f519271d9a313ee84b378d416",
        "32285086, a64d99fd7fa3e48912be7209c7b69c72c88fc5224be2516949b6f29f3a4b7e3fa069dd58b2bbb4bf2c34ae61ef631a44"
    })
    @DisplayName("has signed its real values.")
    void signed(String round, String value) {
        assertThat(CHAIN.isSigned(round, value)).isTrue();
        assertThat(CHAIN.isSigned("1" + round, value)).as("another round").isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The value of the same round of another chain, and the real one with one other bit.
                "b09eacd45767c4d58306b98901ad0d6086e2663766f3a4ec71d00cf26f0f49eaf248abc7151c60cf419c4e8b37e80412",
                "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e38",
                // The point at infinity, nothing, too few bytes, and no hex.
                "c00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "",
                "b44679",
                "not hex"
            })
    @DisplayName("has not signed other values.")
    void notSigned(String value) {
        assertThat(CHAIN.isSigned("1000", value)).isFalse();
    }

    @Test
    @DisplayName("has no round with a name that is no number.")
    void noNumber() {
        assertThat(CHAIN.isSigned("x", OF_1000)).isFalse();
        assertThat(CHAIN.isSigned("-1", OF_1000)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "2020-01-01T00:00:00Z, 1",
        "2023-08-23T15:09:27Z, 1",
        "2023-08-23T15:09:27.000000001Z, 2",
        "2023-08-23T15:09:30Z, 2",
        "2023-08-23T15:09:30.001Z, 3",
        "2023-08-23T15:59:24Z, 1000"
    })
    @DisplayName("has its rounds every three seconds, and the one of a time is not before it.")
    void rounds(Instant time, long round) {
        assertThat(CHAIN.roundAt(time)).isEqualTo(round);
        assertThat(CHAIN.genesis().plus(CHAIN.period().multipliedBy(round - 1))).isAfterOrEqualTo(time);
    }

    @Test
    @DisplayName("is found by the name that a pool gives it.")
    void named() {
        assertThat(DrandChain.named(CHAIN.source())).contains(CHAIN);
        assertThat(DrandChain.named("trial")).isEmpty();
        assertThat(DrandChain.named("drand:00")).isEmpty();
    }
}
