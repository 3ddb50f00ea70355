package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Mistakes that programmers make, each put on purpose into one class of the packaged jar. A trial that does not find
 * them proves nothing by being green.
 */
enum PlantedBug {
    /** An answer that was given is not found when its key comes again. */
    KEY_FORGOTTEN(
            "command-side",
            "lottery/raffle/RepeatedRequestAnswerer.java",
            "mayBeKnown ? answers.find(request.id()) : Optional.empty()",
            "Optional.empty()"),
    /** A unit of stock is taken, and not counted. */
    UNIT_NOT_COUNTED(
            "db",
            "lottery/store/commit/LogWriter.java",
            "SET taken = known.taken + excluded.taken, total = excluded.total",
            "SET total = excluded.total"),
    /** A processor stores how far it is before it has handled the events. */
    POSITION_BEFORE_HANDLING(
            "db",
            "lottery/store/processing/SegmentWorker.java",
            "        processor.handle(\n                free,",
            """
                    parts.transactions()
                            .executeInTransaction(() -> parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId()));
                    processor.handle(
                            free,"""),
    /** A processor stores how far it is in another transaction, after it has handled the events. */
    POSITION_AFTER_HANDLING("db", "lottery/store/processing/SegmentWorker.java", """
                                together.values().forEach(parked -> parked.parkBehind(batch.events()));
                                parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
                            });
                    stored(batch.upTo());
            """, """
                                together.values().forEach(parked -> parked.parkBehind(batch.events()));
                            });
                    parts.transactions()
                            .executeInTransaction(() -> parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId()));
                    stored(batch.upTo());
            """),
    /** A commit that has failed is answered as if all were well. */
    FAILURE_IS_SUCCESS(
            "db",
            "lottery/store/commit/Committer.java",
            "group.forEach(unit -> unit.fail(e));",
            "group.forEach(unit -> unit.succeed(divergenceGuard.newest().position()));"),
    /** Commits do not wait for the disk. */
    NOT_DURABLE(
            "db",
            "lottery/store/commit/LogWriter.java",
            "\" SELECT base FROM head\"",
            "\" SELECT base, set_config('synchronous_commit', 'off', true) FROM head\""),
    /** A request that has waited is given up when the commit of its draw fails. */
    REQUEST_LOST(
            "saga",
            "lottery/saga/draw/DrawRequestConsumer.java",
            "throw failed.causeOrSelf();",
            "LOG.warn(\"A draw has failed\", failed);"),
    /** Requests that are drawn together are drawn in another order. */
    REQUESTS_REVERSED(
            "saga",
            "lottery/saga/draw/DrawRequestConsumer.java",
            "commands.sendAll(List.copyOf(left.values()));",
            "commands.sendAll(List.copyOf(left.values()).reversed());"),
    /** A ban holds only after a restart. */
    BAN_NOT_NOTICED(
            "command-side",
            "lottery/BannedUsers.java",
            "    public void forget() {\n        bans.forget(BanId.PREFIX);",
            "    public void forget() {"),
    /** A request is accepted although Kafka has not said that it is stored. */
    ACCEPTED_TOO_EARLY("messaging", "lottery/messaging/draw/KafkaDrawQueue.java", """
                        turnedAway.increment();
                        throw new RefusedException(
                                Refusal.ACCEPTANCE_UNKNOWN, request.orderId().text());
                    } catch (InterruptedException e) {
            """, """
                        return new RecordMetadata(
                                new org.apache.kafka.common.TopicPartition(KafkaTopics.DRAW_REQUESTS, 0), 0, 0, 0, 0, 0);
                    } catch (InterruptedException e) {
            """);

    private static final Path PROJECT = Path.of("..");

    private final String module;
    private final String source;
    private final String right;
    private final String wrong;

    PlantedBug(String module, String source, String right, String wrong) {
        this.module = module;
        this.source = source;
        this.right = right;
        this.wrong = wrong;
    }

    /** Returns how often the right text is in the source. */
    int occurrences() throws IOException {
        return text().split(Pattern.quote(right), -1).length - 1;
    }

    private String text() throws IOException {
        return Files.readString(PROJECT.resolve(module).resolve("src/main/java").resolve(source));
    }

    /** Returns a copy of the extracted jar that has this bug. */
    Path plant(Path extracted) throws IOException {
        Path folder = LotteryProcess.FOLDER.resolve("planted").resolve(name());
        copy(extracted.toAbsolutePath().getParent(), folder);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Path changed = folder.resolve("changed").resolve(Path.of(source).getFileName());
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, text().replace(right, wrong));
        compile(changed, classes, folder);
        Path library;
        try (Stream<Path> all = Files.list(folder.resolve("lib"))) {
            library = all.filter(each -> each.getFileName().toString().startsWith("lottery-" + module + "-"))
                    .findAny()
                    .orElseThrow();
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + library.toUri()), Map.of());
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Files.copy(each, jar.getPath(classes.relativize(each).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return folder.resolve(extracted.getFileName());
    }

    private static void compile(Path source, Path classes, Path folder) throws IOException {
        List<String> options =
                new ArrayList<>(List.of("-proc:none", "-parameters", "-nowarn", "-d", classes.toString()));
        try (Stream<Path> libraries = Files.list(folder.resolve("lib"))) {
            options.add("-classpath");
            options.add(libraries.map(Path::toString).collect(Collectors.joining(":")));
        }
        options.add(source.toString());
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .as("the compiler accepts " + source)
                .isZero();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each :
                    files.filter(each -> !each.toString().endsWith(".aot")).toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
