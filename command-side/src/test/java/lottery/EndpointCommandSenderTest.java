package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import lottery.api.Refusal;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.Partake;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command whose outcome is not known")
class EndpointCommandSenderTest {

    private static final AccountId ANN = new AccountId(new ActivityId(100), new UserId("ann"));
    private static final RaffleRequestIdentity KEYED = RaffleRequestIdentity.of(ANN, "key");
    private static final RaffleRequestIdentity FRESH = RaffleRequestIdentity.fresh(ANN, Instant.EPOCH, new Random(1));

    @Test
    @DisplayName("may be sent again if it has a key or a business number.")
    void repeatable() {
        assertThat(EndpointCommandSender.unknown(new Draw(ANN, KEYED, 1))).isEqualTo(Refusal.BUSY);
        assertThat(EndpointCommandSender.unknown(new Partake(ANN, KEYED))).isEqualTo(Refusal.BUSY);
        assertThat(EndpointCommandSender.unknown(new RechargeAccount(ANN, new SkuId(1), "number")))
                .isEqualTo(Refusal.BUSY);
    }

    @Test
    @DisplayName("must not be sent again without a key: it would spend another chance.")
    void once() {
        assertThat(EndpointCommandSender.unknown(new Draw(ANN, FRESH, 1))).isEqualTo(Refusal.OUTCOME_UNKNOWN);
        assertThat(EndpointCommandSender.unknown(new Partake(ANN, FRESH))).isEqualTo(Refusal.OUTCOME_UNKNOWN);
    }
}
