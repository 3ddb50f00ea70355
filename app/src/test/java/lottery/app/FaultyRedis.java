package lottery.app;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;

/** A Redis of its own, which tests flush and kill. */
final class FaultyRedis implements AutoCloseable {

    private static final Duration START_MAX = Duration.ofSeconds(20);

    private final EmbeddedServers servers;
    private final Path numberFile;
    private final RedisURI address;

    private FaultyRedis(EmbeddedServers servers, Path numberFile, RedisURI address) {
        this.servers = servers;
        this.numberFile = numberFile;
        this.address = address;
    }

    static FaultyRedis start(Path data) {
        EmbeddedServers servers =
                EmbeddedServers.start(EmbeddedSettings.forTests(data.toAbsolutePath(), EmbeddedServerKind.REDIS));
        RedisURI address =
                RedisURI.create(Objects.requireNonNull(servers.properties().get("lottery.redis.url")));
        return new FaultyRedis(servers, data.resolve("redis/redis.pid"), address);
    }

    String url() {
        return "redis://" + address();
    }

    /** Returns host and port. */
    String address() {
        return address.getHost() + ":" + address.getPort();
    }

    /** Deletes everything. */
    void flush() {
        ask(redis -> redis.flushall().length());
    }

    /** Kills Redis, and does not start it again. */
    void kill() throws IOException {
        kill(ProcessHandle.of(Long.parseLong(Files.readString(numberFile).strip()))
                .orElseThrow());
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
        await().atMost(START_MAX).until(() -> !process.isAlive());
    }

    void killAndStart() throws IOException {
        String number = Files.readString(numberFile).strip();
        ProcessHandle process = ProcessHandle.of(Long.parseLong(number)).orElseThrow();
        String binary = process.info().command().orElseThrow();
        kill(process);
        Path folder = Objects.requireNonNull(numberFile.toRealPath().getParent());
        // Started as before: the folder among its arguments identifies the process when it is stopped.
        new ProcessBuilder(
                        binary,
                        "--daemonize",
                        "yes",
                        "--port",
                        Integer.toString(address.getPort()),
                        "--bind",
                        address.getHost(),
                        "--dir",
                        folder.toString(),
                        "--pidfile",
                        folder.resolve("redis.pid").toString(),
                        "--appendonly",
                        "yes",
                        "--save",
                        "",
                        "--set-proc-title",
                        "no")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(START_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> answers() && !Files.readString(numberFile).strip().equals(number));
    }

    private boolean answers() {
        try {
            return ask(redis -> redis.ping().length()) > 0;
        } catch (RedisException notYet) {
            return false;
        }
    }

    private interface RedisQuery {
        int ask(RedisCommands<String, byte[]> redis);
    }

    private int ask(RedisQuery question) {
        try (RedisClient client = RedisClient.create(address);
                StatefulRedisConnection<String, byte[]> connection =
                        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE))) {
            return question.ask(connection.sync());
        }
    }

    @Override
    public void close() {
        servers.close();
    }
}
