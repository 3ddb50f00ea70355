package lottery.app;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import lottery.embedded.ReservedPort;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * PostgreSQL, Redis and Kafka of a test, which let in nobody without TLS and a password. Passwords change while they
 * run. Redis has another port without TLS, which only the test knows.
 */
final class EncryptedServers implements AutoCloseable {

    static final String POSTGRES_PASSWORD = "password-of-the-application";

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Kafka asks its clients for their passwords again after this time, so that a change counts at once. */
    static final Duration LOGIN_LASTS = Duration.ofSeconds(2);

    private static final String LISTENER = "listener.name.clients.";
    private static final String KAFKA_USER = "lottery";
    private static final int SCRAM_ITERATIONS = 4_096;

    /** The login of the broker itself, and of the test, which gives the lottery its password. */
    private static final String BROKER_LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"broker\" password=\"of-the-broker\"";

    /** The superuser is the test itself. */
    private static final String ACCESS = """
            host all postgres 127.0.0.1/32 trust
            hostssl all all 127.0.0.1/32 scram-sha-256
            """;

    private final TestAuthority authority;
    private final EmbeddedServers servers;
    private final ReservedPort redisPort;
    private final RedisClient redisClient;
    private final StatefulRedisConnection<String, String> redis;

    private EncryptedServers(TestAuthority authority, EmbeddedServers servers) throws IOException {
        this.authority = authority;
        this.servers = servers;
        this.redisPort = ReservedPort.any();
        this.redisClient = RedisClient.create(RedisURI.create(property("lottery.redis.url")));
        this.redis = redisClient.connect();
    }

    static EncryptedServers start(Path data, TestAuthority authority) throws Exception {
        EncryptedServers started = new EncryptedServers(
                authority, EmbeddedServers.start(EmbeddedSettings.forTests(data).withKafka(kafkaSettings(authority))));
        try {
            started.encryptPostgres(data.resolve("postgres"));
            started.encryptRedis();
            return started;
        } catch (IOException | SQLException | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private static Map<String, String> kafkaSettings(TestAuthority authority) {
        Map<String, String> settings = new HashMap<>(trustOf(authority));
        settings.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,CLIENTS:SASL_SSL");
        settings.put("ssl.keystore.type", "PKCS12");
        settings.put("ssl.keystore.location", authority.serverStore().toString());
        settings.put("ssl.keystore.password", TestAuthority.PASSWORD);
        settings.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512");
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put(LISTENER + "plain.sasl.jaas.config", BROKER_LOGIN + " user_broker=\"of-the-broker\";");
        settings.put(
                LISTENER + "scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        settings.put("connections.max.reauth.ms", Long.toString(LOGIN_LASTS.toMillis()));
        return settings;
    }

    private static Map<String, String> trustOf(TestAuthority authority) {
        return Map.of(
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                authority.certificate().toString());
    }

    private void encryptPostgres(Path data) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection(
                        property("lottery.postgres.url").replaceFirst("/lottery$", "/postgres"), "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE lottery_app PASSWORD '%s'".formatted(POSTGRES_PASSWORD));
            statement.execute("ALTER SYSTEM SET ssl_cert_file = '%s'".formatted(authority.serverCertificate()));
            statement.execute("ALTER SYSTEM SET ssl_key_file = '%s'".formatted(authority.serverKey()));
            statement.execute("ALTER SYSTEM SET ssl = on");
            Files.writeString(data.resolve("pg_hba.conf"), ACCESS);
            statement.execute("SELECT pg_reload_conf()");
            await("TLS of PostgreSQL").atMost(SOON).until(() -> isOn(statement));
        }
    }

    private static boolean isOn(Statement statement) throws SQLException {
        try (ResultSet ssl = statement.executeQuery("SHOW ssl")) {
            return ssl.next() && ssl.getString(1).equals("on");
        }
    }

    private void encryptRedis() {
        RedisCommands<String, String> commands = redis.sync();
        commands.configSet("tls-cert-file", authority.serverCertificate().toString());
        commands.configSet("tls-key-file", authority.serverKey().toString());
        // Clients have passwords, and no certificates.
        commands.configSet("tls-auth-clients", "no");
        commands.configSet("tls-port", Integer.toString(redisPort.number()));
    }

    /** Sets the password of Redis, and cuts the connections of those who have the one before. */
    void setRedisPassword(String password) {
        redis.sync().configSet("requirepass", password);
        redis.sync().clientKill(KillArgs.Builder.typeNormal().skipme());
    }

    /** Sets the lottery's password for Kafka. */
    void setKafkaPassword(String password) throws Exception {
        Map<String, Object> settings = new HashMap<>(trustOf(authority));
        settings.put("bootstrap.servers", property("lottery.kafka.servers"));
        settings.put("security.protocol", "SASL_SSL");
        settings.put("sasl.mechanism", "PLAIN");
        settings.put("sasl.jaas.config", BROKER_LOGIN + ";");
        try (Admin admin = Admin.create(settings)) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            KAFKA_USER,
                            new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, SCRAM_ITERATIONS),
                            password)))
                    .all()
                    .get(SOON.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Returns the login of the lottery for Kafka, which is a secret file. */
    static String kafkaLogin(String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(KAFKA_USER, password);
    }

    /** Returns the settings of a lottery that trusts servers of this authority, as docs/operations/security.md says. */
    Map<String, String> environment(Path trusted, String redisPassword, Path secrets) throws IOException {
        Map<String, String> environment = Servers.environmentOf(servers);
        environment.put("LOTTERY_SECRETS", secrets.toString());
        environment.put("LOTTERY_POSTGRES_PASSWORD", POSTGRES_PASSWORD);
        environment.put("LOTTERY_POSTGRES_URL", postgresUrl(trusted));
        environment.put("LOTTERY_REDIS_URL", "rediss://:%s@127.0.0.1:%d".formatted(redisPassword, redisPort.number()));
        environment.put("SPRING_SSL_BUNDLE_PEM_SERVERS_TRUSTSTORE_CERTIFICATE", "file:" + trusted);
        environment.put("SPRING_DATA_REDIS_SSL_BUNDLE", "servers");
        environment.put("SPRING_KAFKA_SSL_BUNDLE", "servers");
        environment.put("SPRING_KAFKA_SECURITY_PROTOCOL", "SASL_SSL");
        environment.put("SPRING_KAFKA_PROPERTIES_SASL_MECHANISM", "SCRAM-SHA-512");
        return environment;
    }

    String postgresUrl(Path trusted) {
        return "%s?sslmode=verify-full&sslrootcert=%s".formatted(property("lottery.postgres.url"), trusted);
    }

    private String property(String name) {
        return Objects.requireNonNull(servers.properties().get(name), name);
    }

    @Override
    public void close() {
        redis.close();
        redisClient.close();
        redisPort.close();
        servers.close();
    }
}
