package lottery.app;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Prints which servers run at which addresses when the start is complete. With the demo activity, it also prints first
 * steps.
 */
class StartGreeting implements ApplicationListener<ApplicationReadyEvent> {

    private final WebServerApplicationContext web;
    private final ManagementPort management;
    private final Environment environment;

    StartGreeting(WebServerApplicationContext web, ManagementPort management, Environment environment) {
        this.web = web;
        this.management = management;
        this.environment = environment;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        print(System.out, Objects.requireNonNullElse(event.getTimeTaken(), Duration.ZERO));
    }

    private void print(PrintStream out, Duration startTook) {
        int port = web.getWebServer() == null ? 0 : web.getWebServer().getPort();
        out.println();
        out.println(
                String.format(Locale.ROOT, "The lottery is open, %.1f s after its start.", startTook.toMillis() / 1e3));
        if (hasPage()) {
            out.println("  Page        http://localhost:%d (for players)".formatted(port));
            out.println("  Console     http://localhost:%d/console (for operators)".formatted(management.number(port)));
        }
        out.println("  REST        http://localhost:%d/api/v1".formatted(port));
        out.println("  Management  http://localhost:%d (/api/v1/ops, /actuator/health, contract: /v3/api-docs)"
                .formatted(management.number(port)));
        if (SwaggerUiLocation.isHere()) {
            out.println("  Contract    http://localhost:%d%s (user and password: operator)"
                    .formatted(management.number(port), SwaggerUiLocation.PATH));
        }
        out.println("  PostgreSQL  " + address("lottery.postgres.url"));
        out.println("  Redis       " + address("lottery.redis.url"));
        out.println("  Kafka       " + address("lottery.kafka.servers"));
        out.println("  Roles       "
                + ProcessRole.in(environment).stream()
                        .sorted()
                        .map(ProcessRole::word)
                        .collect(Collectors.joining(", ")));
        boolean demo = environment.getProperty("lottery.demo", Boolean.class, false);
        if (demo && ProcessRole.in(environment).containsAll(Set.of(ProcessRole.COMMAND, ProcessRole.QUERY))) {
            tryFirst(out, port);
        }
        out.flush();
    }

    private boolean hasPage() {
        return environment.getProperty("lottery.console", Boolean.class, true);
    }

    private void tryFirst(PrintStream out, int port) {
        String activity = "http://localhost:" + port + "/api/v1/activities/" + DemoActivity.ACTIVITY.value();
        out.println();
        if (hasPage()) {
            out.println("Open http://localhost:%d, choose a player, and draw.".formatted(port));
        }
        out.println("Three calls: ten more chances for Ann, a draw, and what she sees of the wheel.");
        out.println(
                "  curl -u front:front -H 'Content-Type: application/json' -d '{\"sku\": %d, \"outBusinessNo\": \"sign-in-1\"}' %s"
                        .formatted(DemoActivity.SKU.value(), activity + "/accounts/ann/recharges"));
        out.println("  curl -u ann:ann -X POST -H 'Idempotency-Key: first' " + activity + "/accounts/ann/draws");
        out.println("  curl -u ann:ann '" + activity + "/awards?userId=ann'");
        out.println();
        out.println(
                "Everybody's password is the name: operator, approver, front, desk, auditor, payments, fulfilment and"
                        + " metrics have these roles; any other name is a player.");
        out.println("Look next: requests.http has every other call, README.md says what it can do, docs/ how and why.");
        out.println("Logs of the servers: %s/logs. Ctrl-C stops everything; the data stays."
                .formatted(environment.getProperty("lottery.data", ".lottery")));
        out.println();
    }

    /** Returns an address without passwords: the parts before the last @ and after a question mark are removed. */
    private String address(String setting) {
        return environment
                .getProperty(setting, "")
                .replaceFirst("//[^/]*@", "//***@")
                .replaceFirst("\\?.*", "");
    }
}
