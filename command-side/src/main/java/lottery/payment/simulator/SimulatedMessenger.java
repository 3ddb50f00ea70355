package lottery.payment.simulator;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedTrade;
import lottery.store.loop.BackgroundLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;

/**
 * Tells the lottery over HTTP what the simulated provider has taken, as another company would. A message is repeated
 * until the lottery acknowledges it.
 */
final class SimulatedMessenger implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedMessenger.class);

    private static final Duration CALL_MAX = Duration.ofSeconds(5);
    private static final Duration REPEAT_PAUSE = Duration.ofSeconds(5);

    private final SimulatedProvider provider;
    private final SimulatedPaymentTable table;
    private final InstantSource clock;
    private final Environment environment;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CALL_MAX).build();

    SimulatedMessenger(
            SimulatedProvider provider, SimulatedPaymentTable table, InstantSource clock, Environment environment) {
        this.provider = provider;
        this.table = table;
        this.clock = clock;
        this.environment = environment;
    }

    BackgroundLoop loop() {
        return new BackgroundLoop(
                "simulated-messenger",
                REPEAT_PAUSE,
                () -> table.untold(clock.instant()).forEach(this::tell),
                "The simulator could not tell of money: {}. It tries again.");
    }

    void tell(SimulatedTrade trade) {
        byte[] body = provider.message(trade);
        String port = environment.getRequiredProperty("local.server.port");
        URI lottery =
                URI.create("http://127.0.0.1:%s/api/v1/payment-callbacks/%s".formatted(port, SimulatedProvider.NAME));
        try {
            int status = http.send(
                            HttpRequest.newBuilder(lottery)
                                    .timeout(CALL_MAX)
                                    .header("Content-Type", MediaType.APPLICATION_JSON_VALUE)
                                    .header(SimulatedProvider.SIGNATURE, provider.signature(body))
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            if (status == 200) {
                table.told(trade.tradeNo());
            } else {
                LOG.info("The simulator has told of {}, and was answered {}.", trade.tradeNo(), status);
            }
        } catch (IOException e) {
            LOG.info("The simulator could not tell of {}: {}.", trade.tradeNo(), e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void destroy() {
        http.shutdownNow();
    }
}
