package lottery.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.ban.BanId;
import lottery.api.credit.CreditAccountId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementId;
import lottery.api.payment.PaymentId;
import lottery.api.person.PersonId;
import lottery.api.pool.PoolId;
import lottery.api.proposal.ProposedAction;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.RebateLimitCountsId;
import lottery.api.rebate.RebateRuleId;
import lottery.api.signin.SignInsId;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An id")
class IdTest {

    private static final AccountId ANNS = new AccountId(new ActivityId(100), new UserId("ann"));
    private static final AccountId BENS = new AccountId(new ActivityId(100), new UserId("ben"));

    @Test
    @DisplayName("is derived alike for ever, because these texts are stored already")
    void derivedAlike() {
        assertThat(ANNS.text()).isEqualTo("account:33:100:ann");
        assertThat(new CreditAccountId(ANNS.userId()).text()).isEqualTo("credit:33:ann");
        assertThat(order(ANNS, "first").text()).isEqualTo("order:33-07226822-d971-81cf-8edd-f6a317c687d5");
        assertThat(RechargeId.of(ANNS.userId(), "sign-in-1").text())
                .isEqualTo("recharge:33-b74d9671-747c-8f8d-90e9-2312b50ae440");
        BehaviourId shared = BehaviourId.of(ANNS.userId(), "share", "share-1");
        assertThat(shared.text()).isEqualTo("behaviour:33-fe171bca-ab00-8b5c-8259-f5d7bf0e6ec9");
        assertThat(shared.businessNo(new RebateRuleId(7), 1)).isEqualTo(shared + ":7:1");
        assertThat(new SignInsId(ANNS.userId()).text()).isEqualTo("sign-in:33:ann");
        assertThat(new RebateLimitCountsId(ANNS.userId()).text()).isEqualTo("rebates:33:ann");
    }

    @Test
    @DisplayName("tells the shard of its user; what belongs to no user has none")
    void shard() {
        int shard = UserShard.of(ANNS.userId()).number();
        assertThat(Stream.of(
                        ANNS,
                        order(ANNS, "first"),
                        AwardRecordId.of(order(ANNS, "first")),
                        new CreditAccountId(ANNS.userId()),
                        RechargeId.of(ANNS.userId(), "sign-in-1"),
                        PaymentId.of(ANNS.userId(), "payment-1"),
                        EntitlementId.of(ANNS.userId(), new ContentId("course")),
                        BehaviourId.of(ANNS.userId(), "share", "share-1"),
                        new SignInsId(ANNS.userId()),
                        new RebateLimitCountsId(ANNS.userId()),
                        new PersonId(ANNS.userId()),
                        ProposedAction.erasure(ANNS.userId(), "0123456789abcdef")
                                .proposalId()))
                .allSatisfy(id -> assertThat(UserShard.ofAggregate(id.text())).hasValue(shard));
        assertThat(Stream.of(
                        new ActivityId(100),
                        new PoolId(new ActivityId(100)),
                        new StrategyId(33),
                        new BanId(ANNS.userId()),
                        ProposedAction.dropOfDeadLetter("dead-letter:1").proposalId()))
                .allSatisfy(id -> assertThat(UserShard.ofAggregate(id.text())).isEmpty());
        assertThat(UserShard.ofAggregate("018f3c5e-7a4b-7000-8000-000000000000"))
                .isEmpty();
    }

    @Test
    @DisplayName("differs with the account and with the key, also if all characters together are the same")
    void derivedApart() {
        assertThat(order(ANNS, "first")).isNotEqualTo(order(BENS, "first"));
        assertThat(order(ANNS, "first")).isNotEqualTo(order(ANNS, "second"));
        assertThat(ShardedUuid.derived(ANNS.userId(), "a", "bc"))
                .isNotEqualTo(ShardedUuid.derived(ANNS.userId(), "ab", "c"));
    }

    @Test
    @DisplayName("of a request without a key is ordered by time")
    void freshByTime() {
        Instant now = Instant.parse("2026-11-21T04:00:00Z");
        String earlier =
                RaffleRequestIdentity.fresh(ANNS, now, new Random(1)).id().text();
        String later = RaffleRequestIdentity.fresh(ANNS, now.plusMillis(1), new Random(2))
                .id()
                .text();
        assertThat(earlier).isLessThan(later);
        UUID uuid = UUID.fromString(earlier.substring("order:33-".length()));
        assertThat(uuid.version()).isEqualTo(7);
        assertThat(uuid.variant()).isEqualTo(2);
    }

    @Test
    @DisplayName("of a won award has the key of the draw that won it")
    void awardOfItsOrder() {
        RaffleOrderId order = order(ANNS, "first");
        assertThat(AwardRecordId.of(order).text()).isEqualTo("award:" + order.key());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "award:33-2b2d8c38-1a0c-8f1f-9d5b-000000000000",
                "order:",
                "order:33-x",
                "",
                "order:40-2b2d8c38-1a0c-8f1f-9d5b-000000000000"
            })
    @DisplayName("refuses the prefix of another type, a shard that does not exist, and a text that is no key")
    void refusesOthers(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RaffleOrderId.of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "a\u0000"})
    @DisplayName("of a user has 1 to 64 characters and no control characters")
    void userIdIsBounded(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new UserId(text));
        assertThatIllegalArgumentException().isThrownBy(() -> new UserId("x".repeat(65)));
        assertThat(new UserId("x".repeat(64)).value()).hasSize(64);
    }

    @Test
    @DisplayName("spreads users over all shards, each with no more than double its share")
    void shardsAreEven() {
        int[] users = new int[UserShard.COUNT];
        IntStream.range(0, 64_000)
                .forEach(i -> users[UserShard.of(new UserId("user-" + i)).number()]++);
        assertThat(IntStream.of(users).boxed()).allMatch(count -> count > 500 && count < 2_000);
    }

    private static RaffleOrderId order(AccountId account, String key) {
        return RaffleRequestIdentity.of(account, key).id();
    }
}
