package lottery.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import lottery.client.ApiClient;
import lottery.client.ApiException;
import lottery.client.api.AwardApi;
import lottery.client.api.DrawApi;
import lottery.client.api.RechargeApi;
import lottery.client.api.WheelApi;
import lottery.client.api.WinsApi;
import lottery.client.model.AwardState;
import lottery.client.model.AwardType;
import lottery.client.model.ClaimRequest;
import lottery.client.model.DrawReply;
import lottery.client.model.DrawRequest;
import lottery.client.model.DrawShortfall;
import lottery.client.model.FulfilmentRequest;
import lottery.client.model.FulfilmentResult;
import lottery.client.model.Outcome;
import lottery.client.model.Problem;
import lottery.client.model.RechargeReceipt;
import lottery.client.model.RechargeRequest;
import lottery.client.model.RechargeState;
import lottery.client.model.Refusal;
import lottery.client.model.WheelAward;
import lottery.client.model.Win;
import lottery.client.model.WinStep;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Uses the contract as others do: a client is generated from it when the tests are compiled. */
@DisplayName("A client that is generated from the committed contract")
@Order(1)
class ClientIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static LotteryProcess lottery;
    private static ApiClient client;
    private static TrialActivity activity;

    @BeforeAll
    static void open() throws Exception {
        lottery = GatewayLottery.process();
        client = new ApiClient();
        client.updateBaseUri(lottery.address().toString());
        client.setReadTimeout(SOON);
        activity = TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Bicycle", "type": "PHYSICAL", "rate": "1", "stock": 5, "sort": 1}]""", """
                "skus": [{"sku": 1, "total": 3, "month": 3, "day": 3}]""");
    }

    private static RechargeReceipt recharge(String user) throws ApiException {
        return new RechargeApi(client)
                .recharge(
                        activity.id(),
                        user,
                        new RechargeRequest().sku(1L).outBusinessNo("%s-%d".formatted(user, activity.id())));
    }

    @Test
    @DisplayName("A generated client recharges, draws, reads the wheel, claims a parcel and answers for it")
    void parcel() throws Exception {
        RechargeReceipt receipt = recharge("ann");
        assertThat(receipt.getState()).isEqualTo(RechargeState.COMPLETED);
        assertThat(receipt.getTotal()).isEqualTo(3);

        DrawReply drawn = new DrawApi(client).draw(activity.id(), "ann", null, "client-1", null);
        assertThat(drawn.getOutcome()).isEqualTo(Outcome.WON);
        assertThat(requireNonNull(drawn.getAward()).getType()).isEqualTo(AwardType.PHYSICAL);

        List<WheelAward> wheel = new WheelApi(client).getWheel(activity.id(), "ann", null);
        assertThat(wheel).singleElement().satisfies(award -> {
            assertThat(award.getTitle()).isEqualTo("Bicycle");
            assertThat(award.getUnlocked()).isTrue();
            assertThat(award.getSoldOut()).isFalse();
        });

        String won = requireNonNull(drawn.getAwardRecordId());
        AwardApi awards = new AwardApi(client);
        awards.claimAward(
                won, new ClaimRequest().name("Ann").phone("+86 10 0000").address("Harbour Street 1, Shanghai"));
        awaitState(won, AwardState.DISPATCHED);
        assertThat(awards.answerFulfilment(
                                won,
                                new FulfilmentRequest()
                                        .result(FulfilmentResult.GRANTED)
                                        .reference("parcel-1"))
                        .getState())
                .isEqualTo(AwardState.GRANTED);
        Win granted = awaitState(won, AwardState.GRANTED);
        assertThat(granted.getHistory())
                .extracting(WinStep::getState)
                .containsExactly(AwardState.WON, AwardState.DISPATCHED, AwardState.GRANTED);
    }

    private static Win awaitState(String awardRecordId, AwardState state) {
        return await().atMost(SOON)
                .ignoreException(ApiException.class)
                .until(() -> new WinsApi(client).getWin(awardRecordId, null), win -> win.getState() == state);
    }

    @Test
    @DisplayName("A generated client draws several times at once, and reads why there are fewer")
    void several() throws Exception {
        recharge("ben");
        DrawReply drawn = new DrawApi(client).draw(activity.id(), "ben", null, "client-2", new DrawRequest().count(5));
        assertThat(drawn.getDraws()).hasSize(3);
        DrawShortfall rest = requireNonNull(drawn.getNotDrawn());
        assertThat(rest.getCount()).isEqualTo(2);
        assertThat(rest.getCode()).isEqualTo(Refusal.QUOTA_TOTAL);
    }

    @Test
    @DisplayName("A generated client reads a refusal")
    void refused() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> new DrawApi(client).draw(activity.id(), "nobody", null, "client-3", null))
                .satisfies(refusal -> {
                    assertThat(refusal.getCode()).isEqualTo(409);
                    Problem problem =
                            ApiClient.createDefaultObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
                    assertThat(problem.getCode()).isEqualTo(Problem.CodeEnum.QUOTA_TOTAL);
                    assertThat(problem.getRetryable()).isFalse();
                });
    }
}
