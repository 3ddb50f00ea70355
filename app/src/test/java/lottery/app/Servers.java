package lottery.app;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;

/**
 * PostgreSQL, Redis and Kafka for tests that start the packaged jar. They run once per process of tests, outside the
 * jar. PostgreSQL has the roles that compose creates, and asks for their passwords, as Redis does.
 */
final class Servers {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers");

    private static final EmbeddedServers RUNNING = EmbeddedServers.start(EmbeddedSettings.forTests(DATA));

    /** The number of logs of each lottery on these servers. */
    static final int LOGS = Integer.getInteger("lottery.tests.logs", 1);

    static final String ADMIN_PASSWORD = "the first of all";

    /** The files that compose hands to the containers, without those that may be empty. */
    private static final Map<String, String> SECRETS = Map.of(
            "lottery.postgres.owner-password",
            "secret'of the owner",
            "lottery.postgres.password",
            "secret of the application",
            "lottery.redis.password",
            "secret-of-redis",
            "lottery.seeds.keys.k1",
            started("lottery.seeds.keys.local"),
            "lottery.codes.keys.k1",
            started("lottery.codes.keys.local"),
            "lottery.persons.keys.k1",
            started("lottery.persons.keys.local"),
            "lottery.identity.admin-password",
            ADMIN_PASSWORD,
            "lottery.identity.token-key",
            Base64.getEncoder().encodeToString(new byte[32]));

    /** Only the superuser, which no process of the lottery is, needs no password. */
    private static final String ACCESS = """
            host all postgres 127.0.0.1/32 trust
            host all all 127.0.0.1/32 scram-sha-256
            """;

    private static final Path SECRET_FILES = DATA.resolve("secrets");

    private static final Map<String, String> PROPERTIES = new HashMap<>(RUNNING.properties());

    static {
        try {
            writeSecrets(SECRET_FILES, ComposeEnvironment.secrets());
            createRoles();
            protectRedis();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Servers() {}

    /** Returns when the servers run. The first use of this class starts them. */
    static void start() {
        // The class is initialized by now.
    }

    /** Returns the environment that compose.yaml gives the application, with the addresses of these servers. */
    static Map<String, String> environment() throws IOException {
        String postgres = afterSlashes("lottery.postgres.url").replaceFirst("/.*", "");
        Map<String, String> environment = ComposeEnvironment.with(
                Map.of(
                        "postgres:5432",
                        postgres,
                        "postgres-2:5432",
                        postgres,
                        "redis:6379",
                        afterSlashes("lottery.redis.url"),
                        "kafka:9092",
                        started("lottery.kafka.servers")),
                Map.of("LOTTERY_AUTH", "gateway"));
        // Each process has ports of its own.
        environment.keySet().removeAll(Set.of("LOTTERY_MANAGEMENT_PORT", "LOTTERY_MANAGEMENT_ADDRESS"));
        environment.put("LOTTERY_SECRETS", SECRET_FILES.toString());
        if (LOGS > 1) {
            environment.put("LOTTERY_LOGS", Integer.toString(LOGS));
        }
        environment.put("LOTTERY_PAYMENTS_PROVIDERS", "simulator");
        environment.put("LOTTERY_BEACON", "trial");
        environment.put("LOTTERY_BEACON_FILE", DATA.resolve("beacon.txt").toString());
        environment.put("LOTTERY_BEACON_TRIAL", "true");
        return environment;
    }

    /** Returns the same for a process that lives for seconds: it starts fast, and never gets as fast as others do. */
    static Map<String, String> environmentOfTrial() throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(environment());
        ExtractedJar.use(environment);
        return environment;
    }

    /** Returns the same for a process that uses other servers than these. */
    static Map<String, String> environmentOf(EmbeddedServers others) throws IOException {
        Map<String, String> environment = environmentOfTrial();
        environment.keySet().removeIf(name -> name.startsWith("LOTTERY_") && !name.equals("LOTTERY_AUTH"));
        others.properties()
                .forEach((name, value) ->
                        environment.put(name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"), value));
        return environment;
    }

    /** Returns the environment of a process that knows its callers by tokens of this issuer, and by accounts. */
    static Map<String, String> environmentOfIdentity(TokenIssuer issuer) throws IOException {
        Map<String, String> environment = environmentOfTrial();
        environment.put("LOTTERY_AUTH", "issuer");
        environment.put("LOTTERY_AUTH_ISSUER", issuer.address());
        environment.put("LOTTERY_IDENTITY", "true");
        return environment;
    }

    /** Writes all secret files but one into a folder. */
    static void writeSecretsWithout(String missing, Path folder) throws IOException {
        Set<String> names = ComposeEnvironment.secrets();
        names.remove(missing);
        writeSecrets(folder, names);
    }

    static String property(String name) {
        return Objects.requireNonNull(PROPERTIES.get(name), name);
    }

    private static void writeSecrets(Path folder, Set<String> names) throws IOException {
        Files.createDirectories(folder);
        for (String name : names) {
            // With the end of line that most programs write.
            Files.writeString(folder.resolve(name), SECRETS.getOrDefault(name, "") + "\n");
        }
    }

    /** Creates database and roles as compose does, in place of those that the embedded server has. */
    private static void createRoles() throws SQLException, IOException {
        String url = started("lottery.postgres.url").replaceFirst("/lottery$", "/postgres");
        try (Connection connection = DriverManager.getConnection(url, "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE lottery");
            statement.execute("DROP ROLE lottery_app");
            statement.execute("DROP ROLE lottery");
            String roles =
                    Files.readString(ComposeEnvironment.ROLES).replace(ComposeEnvironment.SECRETS, SECRET_FILES + "/");
            // One after the other, as the image sends them: a database is created in no transaction.
            for (String each : Pattern.compile("\n\n").splitAsStream(roles).toList()) {
                statement.execute(each);
            }
            Files.writeString(DATA.resolve("postgres/pg_hba.conf"), ACCESS);
            statement.execute("SELECT pg_reload_conf()");
        }
        PROPERTIES.put("lottery.postgres.owner", "lottery_owner");
        PROPERTIES.put("lottery.postgres.user", "lottery_app");
        for (String password : Set.of("lottery.postgres.owner-password", "lottery.postgres.password")) {
            PROPERTIES.put(password, Objects.requireNonNull(SECRETS.get(password)));
        }
    }

    private static void protectRedis() {
        String password = Objects.requireNonNull(SECRETS.get("lottery.redis.password"));
        try (RedisClient client = RedisClient.create(started("lottery.redis.url"));
                StatefulRedisConnection<String, String> redis = client.connect()) {
            redis.sync().configSet("requirepass", password);
        }
        PROPERTIES.put("lottery.redis.url", "redis://:" + password + "@" + afterSlashes("lottery.redis.url"));
    }

    private static String started(String name) {
        return Objects.requireNonNull(RUNNING.properties().get(name), name);
    }

    private static String afterSlashes(String name) {
        return started(name).replaceFirst(".*//", "");
    }
}
