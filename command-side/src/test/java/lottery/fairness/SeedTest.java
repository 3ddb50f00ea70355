package lottery.fairness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A seed")
class SeedTest {

    private static final String ZEROS = "00".repeat(32);
    private static final String SOME = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    @Test
    @DisplayName("The commitment of a seed is the SHA-256 of its bytes.")
    void commitment() {
        assertThat(Seed.of(ZEROS).commitment())
                .isEqualTo("66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
        assertThat(Seed.of(SOME).commitment())
                .isEqualTo("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
    }

    @Test
    @DisplayName("A seed is never shown by accident.")
    void notShown() {
        Seed seed = Seed.of(SOME);
        assertThat(seed.toString()).contains(seed.commitment()).doesNotContain("00010203");
        assertThat(seed.reveal()).isEqualTo(SOME);
    }

    @Test
    @DisplayName("A seed comes from the given random numbers, and each one differs.")
    void fresh() {
        SecureRandom random = new SecureRandom();
        assertThat(Seed.fresh(random).reveal())
                .hasSize(64)
                .isNotEqualTo(Seed.fresh(random).reveal());
        assertThatThrownBy(() -> Seed.of("00")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("A seed gives the HMAC-SHA256 of any text, the same on every thread.")
    void hmac() throws Exception {
        Seed seed = Seed.of(SOME);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> answers = IntStream.range(0, 2_000)
                    .mapToObj(i -> threads.submit((Callable<byte[]>) () -> seed.hmac("order:2f-抽奖-" + i)))
                    .toList();
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get(10, TimeUnit.SECONDS)).isEqualTo(expected("order:2f-抽奖-" + i));
            }
        }
    }

    private static byte[] expected(String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(HexFormat.of().parseHex(SOME), "HmacSHA256"));
        return mac.doFinal(text.getBytes(UTF_8));
    }
}
