package lottery.fulfilment.coupon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The fulfilment of coupons that ships with the product")
class CouponWebhookSwitchTest {

    private final ApplicationContextRunner context =
            new ApplicationContextRunner().withUserConfiguration(CouponWebhookConsumer.class);

    @Test
    @DisplayName("The consumer is created unless it is switched off.")
    void switchedOff() {
        context.run(running -> assertThat(running).hasFailed());
        for (String off : List.of("lottery.fulfilment.enabled=false", "lottery.fulfilment.coupon.enabled=false")) {
            context.withPropertyValues(off)
                    .run(running -> assertThat(running).hasNotFailed().doesNotHaveBean(CouponWebhookConsumer.class));
        }
    }
}
