package lottery.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;

/**
 * PostgreSQL, Redis and Kafka for tests that start the packaged jar. They run once per process of tests, outside the
 * jar.
 */
final class Servers {

    private static final EmbeddedServers RUNNING = EmbeddedServers.start(EmbeddedSettings.forTests(
            Path.of(System.getProperty("lottery.servers", "target/servers")).toAbsolutePath()));

    static final String ADMIN_PASSWORD = "the first of all";

    private Servers() {}

    /** Returns the environment that compose.yaml gives the application, with the addresses of these servers. */
    static Map<String, String> environment() throws IOException {
        Map<String, String> environment = ComposeEnvironment.with(
                Map.of(
                        "postgres:5432", afterSlashes("lottery.postgres.url").replaceFirst("/.*", ""),
                        "redis:6379", afterSlashes("lottery.redis.url"),
                        "kafka:9092", property("lottery.kafka.servers")),
                Map.of(
                        "LOTTERY_AUTH",
                        "gateway",
                        "LOTTERY_POSTGRES_PASSWORD",
                        property("lottery.postgres.password"),
                        "LOTTERY_SEEDS_KEY",
                        property("lottery.seeds.keys.local")));
        // Each process has ports of its own.
        environment.keySet().removeAll(Set.of("LOTTERY_MANAGEMENT_PORT", "LOTTERY_MANAGEMENT_ADDRESS"));
        return environment;
    }

    /** Returns the same for a process that lives for seconds: it starts fast, and never gets as fast as others do. */
    static Map<String, String> environmentOfTrial() throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(environment());
        ExtractedJar.use(environment);
        return environment;
    }

    /** Returns the environment of a process that knows its callers by tokens of this issuer, and by accounts. */
    static Map<String, String> environmentOfIdentity(TokenIssuer issuer) throws IOException {
        Map<String, String> environment = environmentOfTrial();
        environment.put("LOTTERY_AUTH", "issuer");
        environment.put("LOTTERY_AUTH_ISSUER", issuer.address());
        environment.put("LOTTERY_IDENTITY", "true");
        environment.put("LOTTERY_IDENTITY_ADMIN_PASSWORD", ADMIN_PASSWORD);
        environment.put("LOTTERY_IDENTITY_TOKEN_KEY", Base64.getEncoder().encodeToString(new byte[32]));
        return environment;
    }

    static String property(String name) {
        return Objects.requireNonNull(RUNNING.properties().get(name), name);
    }

    private static String afterSlashes(String name) {
        return property(name).replaceFirst(".*//", "");
    }
}
