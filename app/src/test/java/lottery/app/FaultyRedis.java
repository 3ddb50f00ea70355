package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;

/** A Redis of its own, which tests flush, kill and fill with wrong values. */
final class FaultyRedis implements AutoCloseable {

    /** The faults of Redis. All but the first two overwrite everything that is known of stock with wrong values. */
    enum RedisFault {
        FLUSHED,
        KILLED,
        TOO_HIGH,
        TOO_LOW,
        NEGATIVE,
        TEXT,
        WRONG_TYPE
    }

    private static final String OF_STOCK = "lottery:stock:*";
    private static final Duration START_MAX = Duration.ofSeconds(20);
    private static final double FAR_AWAY = 9e15;

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
        return "redis://%s:%d".formatted(address.getHost(), address.getPort());
    }

    /** Causes the fault, and returns how many keys were overwritten. */
    int suffer(RedisFault fault) throws IOException {
        return switch (fault) {
            case FLUSHED ->
                ask(redis -> {
                    redis.flushall();
                    return 0;
                });
            case KILLED -> killAndStart();
            case TOO_HIGH, TOO_LOW, NEGATIVE, TEXT, WRONG_TYPE -> ask(redis -> overwriteAll(redis, fault));
        };
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

    private int killAndStart() throws IOException {
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
        return 0;
    }

    private boolean answers() {
        try {
            return ask(redis -> redis.ping().length()) > 0;
        } catch (RedisException notYet) {
            return false;
        }
    }

    private static int overwriteAll(RedisCommands<String, byte[]> redis, RedisFault lie) {
        List<String> keys = redis.keys(OF_STOCK);
        int overwritten = 0;
        for (String key : keys) {
            try {
                overwrite(redis, key, lie);
                overwritten++;
            } catch (RedisCommandExecutionException tooLate) {
                // The key has just become one of another type.
            }
        }
        return overwritten;
    }

    private static void overwrite(RedisCommands<String, byte[]> redis, String key, RedisFault lie) {
        String type = redis.type(key);
        if (lie == RedisFault.WRONG_TYPE) {
            redis.del(key);
            if (type.equals("list")) {
                redis.set(key, value(lie));
            } else {
                redis.rpush(key, value(lie));
            }
            return;
        }
        switch (type) {
            case "string" -> redis.set(key, value(lie));
            case "hash" -> {
                redis.hkeys(key).forEach(field -> redis.hset(key, field, value(lie)));
                redis.hset(key, "nobody", value(lie));
            }
            case "zset" -> {
                redis.zrange(key, 0, -1).forEach(member -> redis.zadd(key, score(lie), member));
                redis.zadd(key, score(lie), value(lie));
            }
            case "set" -> redis.sadd(key, value(lie));
            case "list" -> redis.rpush(key, value(lie));
            case "none" -> {} // The key is gone, and nobody needs it any more.
            default -> throw new IllegalStateException("nobody has a lie for " + type);
        }
    }

    /** Returns a wrong value, whether it is taken for a number, for bits or for something else. */
    private static byte[] value(RedisFault lie) {
        return switch (lie) {
            case TOO_HIGH -> ones();
            case TOO_LOW -> new byte[0];
            case NEGATIVE -> "-5".getBytes(UTF_8);
            case TEXT, WRONG_TYPE, FLUSHED, KILLED -> "abc".getBytes(UTF_8);
        };
    }

    private static byte[] ones() {
        byte[] ones = new byte[2_000];
        Arrays.fill(ones, (byte) 0xff);
        return ones;
    }

    private static double score(RedisFault lie) {
        return switch (lie) {
            case TOO_HIGH -> FAR_AWAY;
            case NEGATIVE -> -FAR_AWAY;
            case TOO_LOW, TEXT, WRONG_TYPE, FLUSHED, KILLED -> 0;
        };
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
