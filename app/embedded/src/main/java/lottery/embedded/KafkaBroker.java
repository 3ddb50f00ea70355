package lottery.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** One Kafka node within this process, both broker and controller. */
final class KafkaBroker implements RunningServer {

    private static final int NODE = 1;

    private final KafkaRaftServer server;
    private final int port;

    private KafkaBroker(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts the node.
     *
     * @param other settings that override the broker's own
     */
    static KafkaBroker start(DataFolder folder, int port, int controllerPort, Map<String, String> other)
            throws Exception {
        if (!Files.exists(folder.kafka().resolve("meta.properties"))) {
            format(folder.kafka());
        }
        Map<String, String> settings = settings(folder.kafka(), port, controllerPort);
        settings.putAll(other);
        KafkaConfig config = new KafkaConfig(settings);
        KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
        try {
            server.startup();
        } catch (Exception failure) {
            // Without a shutdown, Kafka's threads would keep the process alive.
            server.shutdown();
            throw failure;
        }
        return new KafkaBroker(server, port);
    }

    @Override
    public Map<String, String> properties() {
        return Map.of(EmbeddedServerKind.KAFKA.addressSetting(), ServerPorts.LOOPBACK + ":" + port);
    }

    @Override
    public void stop() {
        server.shutdown();
        server.awaitShutdown();
    }

    /** Writes a cluster id to the folder, which it keeps from then on. */
    private static void format(Path folder) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(NODE)
                .addDirectory(folder.toString())
                .setMetadataLogDirectory(folder.toString())
                .setControllerListenerName("CONTROLLER")
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setIgnoreFormatted(true)
                .run();
    }

    private static Map<String, String> settings(Path folder, int port, int controllerPort) {
        Map<String, String> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(NODE));
        settings.put("controller.quorum.voters", NODE + "@" + ServerPorts.LOOPBACK + ":" + controllerPort);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,CLIENTS:PLAINTEXT");
        settings.put("inter.broker.listener.name", "CLIENTS");
        settings.put(
                "listeners",
                "CLIENTS://%s:%d,CONTROLLER://%s:%d"
                        .formatted(ServerPorts.LOOPBACK, port, ServerPorts.LOOPBACK, controllerPort));
        settings.put("advertised.listeners", "CLIENTS://" + ServerPorts.LOOPBACK + ":" + port);
        settings.put("log.dirs", folder.toString());
        settings.put("auto.create.topics.enable", "false");

        // After a kill, the controller waits this long before it treats the broker's earlier session as ended.
        settings.put("broker.session.timeout.ms", "2000");
        settings.put("broker.heartbeat.interval.ms", "500");
        settings.put("server.max.startup.time.ms", "60000");

        // A single node can have only one replica of each partition.
        settings.put("default.replication.factor", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");

        // These numbers are small, because Kafka's defaults of dozens of partitions, threads and megabytes are for
        // dedicated machines.
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("share.coordinator.state.topic.num.partitions", "1");
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        settings.put("background.threads", "2");
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));

        // A consumer group on one machine need not wait for other members.
        settings.put("group.initial.rebalance.delay.ms", "0");
        return settings;
    }
}
