package lottery.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import lottery.app.StormSchedule.ScheduledFault;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Two processes of the lottery with a Redis and a Kafka of their own, all of which suffer the faults of a schedule. */
final class Storm implements AutoCloseable {

    /** This user may end connections of others. */
    private static final JdbcClient ADMINISTRATOR =
            JdbcClient.create(new DriverManagerDataSource(Servers.property("lottery.postgres.url"), "postgres", ""));

    private final Path brokerData;
    private final FaultyRedis redis;
    private final List<StormNode> nodes = new ArrayList<>();
    private EmbeddedServers broker;

    private Storm(FaultyRedis redis, Path brokerData) {
        this.redis = redis;
        this.brokerData = brokerData;
        this.broker = broker(0);
    }

    /** Starts two processes, which have this bug if there is one. */
    static Storm open(Optional<PlantedBug> bug) throws Exception {
        Path data = Files.createTempDirectory(LotteryProcess.FOLDER, "storm-");
        Storm storm = new Storm(FaultyRedis.start(data.resolve("redis")), data.resolve("broker"));
        try {
            Map<String, String> environment = new LinkedHashMap<>(Servers.environmentOfTrial());
            environment.replaceAll(
                    (_, value) -> value.replace(Servers.property("lottery.kafka.servers"), storm.brokerAddress()));
            environment.put("LOTTERY_REDIS_URL", storm.redis.url());
            Path jar = ExtractedJar.JAR;
            if (bug.isPresent()) {
                jar = bug.get().plant(jar);
                // The cache of classes is of no use for changed ones.
                environment.computeIfPresent(
                        ExtractedJar.VARIABLE, (_, options) -> options.replaceAll(" -XX:AOTCache=\\S+", ""));
            }
            for (int node = 0; node < StormSchedule.NODES; node++) {
                storm.nodes.add(StormNode.open(node, environment, jar));
            }
            return storm;
        } catch (IOException | RuntimeException | AssertionError e) {
            storm.close();
            throw e;
        }
    }

    private EmbeddedServers broker(int port) {
        return EmbeddedServers.start(new EmbeddedSettings(
                brokerData, Set.of(EmbeddedServerKind.KAFKA), Map.of(EmbeddedServerKind.KAFKA, port), true));
    }

    private String brokerAddress() {
        return Objects.requireNonNull(broker.properties().get("lottery.kafka.servers"));
    }

    List<StormNode> nodes() {
        return nodes;
    }

    /** Causes all faults at their times, and returns when all have ended and both processes are ready again. */
    void suffer(StormSchedule schedule) throws Exception {
        long begunNanos = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<@Nullable Void>> all = new ArrayList<>();
            for (ScheduledFault fault : schedule.faults()) {
                all.add(() -> {
                    pause(fault.begins().minusNanos(System.nanoTime() - begunNanos));
                    suffer(fault);
                    return null;
                });
            }
            for (Future<@Nullable Void> ended : threads.invokeAll(all)) {
                ended.get();
            }
        }
    }

    private void suffer(ScheduledFault fault) throws IOException {
        StormNode node = nodes.get(fault.node());
        switch (fault.kind()) {
            case KILLED -> {
                node.lottery().kill();
                pause(fault.lasts());
                node.start();
            }
            case ENDED -> {
                node.lottery().close();
                pause(fault.lasts());
                node.start();
            }
            case FROZEN -> {
                node.lottery().freeze();
                pause(fault.lasts());
                node.lottery().goOn();
            }
            case CUT_OFF -> {
                node.link().stop();
                pause(fault.lasts());
                node.link().goOn();
            }
            case CONNECTIONS_ENDED -> endConnections();
            case DATABASE_CRASHED -> crashDatabase();
            case REDIS_FLUSHED -> redis.flush();
            case REDIS_KILLED -> redis.killAndStart();
            case BROKER_AWAY -> {
                int port = Integer.parseInt(brokerAddress().replaceFirst(".*:", ""));
                broker.close();
                pause(fault.lasts());
                broker = broker(port);
            }
        }
    }

    private static void endConnections() {
        ADMINISTRATOR
                .sql(
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE starts_with(application_name, ?)")
                .param(StormNode.NAMES)
                .query(Long.class)
                .single();
    }

    /** Kills a process of PostgreSQL that serves the lottery, if there is one. */
    private static void crashDatabase() {
        ADMINISTRATOR
                .sql("SELECT max(pid) FROM pg_stat_activity WHERE starts_with(application_name, ?)")
                .param(StormNode.NAMES)
                .query(Long.class)
                .optional()
                .flatMap(ProcessHandle::of)
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    private static void pause(Duration duration) {
        long endNanos = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() throws IOException {
        for (StormNode node : nodes) {
            node.close();
        }
        broker.close();
        redis.close();
    }
}
