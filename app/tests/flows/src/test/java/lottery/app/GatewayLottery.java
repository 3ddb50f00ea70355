package lottery.app;

/** One process behind a gateway, for the tests that need nothing but its operations. */
final class GatewayLottery {

    private static final SharedLottery SHARED = SharedLottery.behindGateway();

    private GatewayLottery() {}

    static LotteryProcess process() {
        return SHARED.process();
    }
}
