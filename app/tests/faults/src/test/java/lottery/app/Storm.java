package lottery.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import lottery.embedded.ReservedPort;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Two processes of the lottery with a Redis and a Kafka of their own, all of which suffer the faults of a schedule. */
final class Storm implements AutoCloseable {

    /** This user may end connections of others. */
    private static final JdbcClient ADMINISTRATOR =
            JdbcClient.create(new DriverManagerDataSource(Servers.property("lottery.postgres.url"), "postgres", ""));

    /** How late everything comes over a slow way. */
    private static final Duration PIECES_LATE = Duration.ofMillis(150);

    private final Path brokerData;
    private final FaultyRedis redis;
    private final List<StormNode> nodes = new ArrayList<>();
    private final ReservedPort brokerPort;
    private final ServerLink toBroker;
    private EmbeddedServers broker;

    private Storm(FaultyRedis redis, ReservedPort brokerPort, ServerLink toBroker, Path brokerData) {
        this.redis = redis;
        this.brokerPort = brokerPort;
        this.toBroker = toBroker;
        this.brokerData = brokerData;
        this.broker = broker();
    }

    private static Storm withServers(Path data) throws IOException {
        FaultyRedis redis = FaultyRedis.start(data.resolve("redis"));
        ReservedPort brokerPort = ReservedPort.any();
        ServerLink toBroker = ServerLink.open("127.0.0.1:" + brokerPort.number());
        try {
            return new Storm(redis, brokerPort, toBroker, data.resolve("broker"));
        } catch (RuntimeException e) {
            toBroker.close();
            brokerPort.close();
            redis.close();
            throw e;
        }
    }

    /** Starts two processes, which have this bug if there is one. */
    static Storm open(Optional<PlantedBug> bug) throws Exception {
        Path data = Files.createTempDirectory(LotteryProcess.FOLDER, "storm-");
        Storm storm = withServers(data);
        try {
            Map<String, String> environment = new LinkedHashMap<>(Servers.environmentOfTrial());
            environment.replaceAll(
                    (_, value) -> value.replace(Servers.property("lottery.kafka.servers"), storm.toBroker.address()));
            Path jar = ExtractedJar.JAR;
            if (bug.isPresent()) {
                jar = bug.get().patch().apply(bug.get().name());
                environment = JarPatch.environmentOf(environment);
            }
            for (int node = 0; node < StormSchedule.NODES; node++) {
                storm.nodes.add(StormNode.open(node, environment, storm.redis.address(), jar));
            }
            return storm;
        } catch (IOException | RuntimeException | AssertionError e) {
            storm.close();
            throw e;
        }
    }

    /** Starts Kafka, always at the same port. It tells its clients to come over the link. */
    private EmbeddedServers broker() {
        return EmbeddedServers.start(new EmbeddedSettings(
                        brokerData,
                        Set.of(EmbeddedServerKind.KAFKA),
                        Map.of(EmbeddedServerKind.KAFKA, brokerPort.number()),
                        true)
                .withKafka(Map.of("advertised.listeners", "CLIENTS://" + toBroker.address())));
    }

    List<StormNode> nodes() {
        return nodes;
    }

    void flushRedis() {
        redis.flush();
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
        StormNode node = nodes.get(fault.part().node());
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
                link(fault).stop();
                pause(fault.lasts());
                link(fault).goOn();
            }
            case SLOW -> {
                link(fault).slowDown(PIECES_LATE);
                pause(fault.lasts());
                link(fault).goOn();
            }
            case HALF_OPEN -> {
                link(fault).loseConnections();
                pause(fault.lasts());
                link(fault).endLostConnections();
            }
            case CONNECTIONS_ENDED -> endConnections();
            case DATABASE_CRASHED -> crashDatabase();
            case REDIS_FLUSHED -> redis.flush();
            case REDIS_KILLED -> redis.killAndStart();
            case BROKER_AWAY -> {
                broker.close();
                pause(fault.lasts());
                broker = broker();
            }
        }
    }

    private ServerLink link(ScheduledFault fault) {
        StormNode node = nodes.get(fault.part().node());
        return switch (fault.part()) {
            case FIRST_WAY_TO_POSTGRES, SECOND_WAY_TO_POSTGRES -> node.toPostgres();
            case FIRST_WAY_TO_REDIS, SECOND_WAY_TO_REDIS -> node.toRedis();
            case WAYS_TO_KAFKA -> toBroker;
            default -> throw new IllegalArgumentException(fault + " is about no way");
        };
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

    /** Closes everything, also if a process has ended by itself, and then says so. */
    @Override
    public void close() throws IOException {
        AssertionError ended = null;
        for (StormNode node : nodes) {
            try {
                node.close();
            } catch (AssertionError byItself) {
                ended = byItself;
            }
        }
        toBroker.close();
        broker.close();
        brokerPort.close();
        redis.close();
        if (ended != null) {
            throw ended;
        }
    }
}
