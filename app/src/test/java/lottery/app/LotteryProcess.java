package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import lottery.app.CommittedContract.Exchange;
import lottery.embedded.ReservedPort;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The packaged jar as a process of its own, asked over HTTP as anybody asks it. If it ends by itself, its last output
 * is the text of the test's failure.
 */
final class LotteryProcess implements AutoCloseable {

    static final Path JAR = Path.of("target/lottery.jar");

    /** Where these tests write their files. Tests that run at once have folders of their own. */
    static final Path FOLDER =
            Path.of(System.getProperty("lottery.tests", "target/tests")).toAbsolutePath();

    /** The most connections to PostgreSQL that a process has for a log; it opens them as it needs them. */
    static final int CONNECTIONS_MAX = 24;

    private static final Duration START_MAX = Duration.ofMinutes(3);
    /**
     * Long, because a crowd comes to a process that has just begun, on a machine that may have a fifth of a processor
     * for it.
     */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);

    private static final Duration END_MAX = Duration.ofSeconds(45);
    private static final int LAST_LINES = 60;
    private static final JsonMapper JSON = new JsonMapper();
    private static final CommittedContract CONTRACT = CommittedContract.read();

    /** If one of them has ended by itself, its test fails and leaves the others alone; they must not run on. */
    private static final Set<LotteryProcess> RUNNING = ConcurrentHashMap.newKeySet();

    record Reply(int status, HttpHeaders headers, String text) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        String code() {
            return json().path("code").asString();
        }
    }

    private final Process process;
    private final ReservedPort port;
    private final Path output;
    private final String address;
    private final RestClient http;
    /** Breaches of the contract, for tests that ask in threads of their own, where a failure would go unnoticed. */
    private final Queue<String> breaches = new ConcurrentLinkedQueue<>();

    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    /** Whether the test has ended the process, or wants it to end by itself. */
    private volatile boolean endWanted;

    private LotteryProcess(Process process, Path output, ReservedPort port) {
        this.process = process;
        this.port = port;
        this.output = output;
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory();
        requests.setReadTimeout(ANSWER_MAX);
        this.address = "http://localhost:" + port.number();
        this.http = RestClient.builder().requestFactory(requests).build();
    }

    /** Starts the jar with only this environment, on a free port, and waits until it can draw. */
    static LotteryProcess open(Map<String, String> environment) throws IOException {
        return open(environment, jar(environment));
    }

    static LotteryProcess open(Map<String, String> environment, Path jar) throws IOException {
        return open(environment, jar, "/readyz");
    }

    /** Starts the jar where it never gets ready, and waits until it answers. */
    static LotteryProcess openUnready(Map<String, String> environment) throws IOException {
        return open(environment, jar(environment), "/livez");
    }

    private static LotteryProcess open(Map<String, String> environment, Path jar, String probe) throws IOException {
        SharedLottery.end();
        LotteryProcess lottery = start(environment, "-jar", jar.toString());
        try {
            await().atMost(START_MAX).pollInterval(Duration.ofMillis(200)).until(() -> {
                lottery.assertRunning();
                return lottery.isUp(probe);
            });
            return lottery;
        } catch (ConditionTimeoutException e) {
            lottery.kill();
            throw new AssertionError(
                    "The lottery did not get ready. Its last output:%n%s".formatted(lottery.lastOutput()), e);
        } catch (RuntimeException | AssertionError e) {
            lottery.wantEnd();
            lottery.kill();
            throw e;
        }
    }

    private static Path jar(Map<String, String> environment) {
        return ExtractedJar.isFor(environment) ? ExtractedJar.JAR : JAR;
    }

    /** Starts the jar where it cannot run, and waits for its end. */
    static LotteryProcess failing(Map<String, String> environment) throws IOException {
        return failing(environment, jar(environment));
    }

    static LotteryProcess failing(Map<String, String> environment, Path jar) throws IOException {
        return ended(start(environment, "-jar", jar.toString()));
    }

    /** Runs the jar for something that it does without any server, and waits for its end. */
    static LotteryProcess finished(String... arguments) throws IOException {
        return java(Stream.concat(Stream.of("-jar", JAR.toString()), Stream.of(arguments))
                .toArray(String[]::new));
    }

    /** Runs a command of the jar that needs settings, and waits for its end. */
    static LotteryProcess finished(Map<String, String> environment, String... arguments) throws IOException {
        return ended(begun(environment, arguments));
    }

    /** Begins to run a command of the jar that needs settings. It may end by itself. */
    static LotteryProcess begun(Map<String, String> environment, String... arguments) throws IOException {
        LotteryProcess command = start(
                environment,
                Stream.concat(Stream.of("-jar", jar(environment).toString()), Stream.of(arguments))
                        .toArray(String[]::new));
        command.wantEnd();
        return command;
    }

    /** Runs Java for something that needs no server, and waits for its end. */
    static LotteryProcess java(String... arguments) throws IOException {
        return ended(start(Map.of(), arguments));
    }

    private static LotteryProcess ended(LotteryProcess lottery) {
        try {
            lottery.awaitStatus(START_MAX);
        } finally {
            lottery.process.destroyForcibly();
        }
        return lottery;
    }

    private static LotteryProcess start(Map<String, String> environment, String... arguments) throws IOException {
        Path output = Files.createTempFile(Files.createDirectories(FOLDER), "lottery-", ".log");
        String java = ProcessHandle.current().info().command().orElseThrow();
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        ReservedPort port = ReservedPort.any();
        builder.environment().put("LOTTERY_PORT", Integer.toString(port.number()));
        builder.environment().putIfAbsent("LOTTERY_MANAGEMENT_PORT", Integer.toString(port.number()));
        try {
            LotteryProcess lottery = new LotteryProcess(endingWithTests(builder.start()), output, port);
            RUNNING.add(lottery);
            return lottery;
        } catch (IOException | IllegalStateException noProcess) {
            port.close();
            throw noProcess;
        }
    }

    /** Ends the process with that of the tests, which may be stopped in the middle. */
    private static Process endingWithTests(Process process) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "lottery-process-end"));
            return process;
        } catch (IllegalStateException stopping) {
            process.destroyForcibly();
            throw stopping;
        }
    }

    URI address() {
        return URI.create(address);
    }

    private boolean isUp(String probe) {
        try {
            return get(probe).status() == 200;
        } catch (RuntimeException e) {
            return false; // Not listening yet.
        }
    }

    Reply get(String path) {
        return ask(HttpMethod.GET, path, null);
    }

    Reply post(String path, String body, String... headers) {
        return ask(HttpMethod.POST, path, body, headers);
    }

    /**
     * Asks for this path as it is written, with a body of JSON unless a header says otherwise. Every accepted request,
     * and every answer, has to keep to the committed contract.
     */
    Reply ask(HttpMethod method, String path, @Nullable String body, String... headers) {
        RestClient.RequestBodySpec request = http.method(method).uri(URI.create(address + path));
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        HttpHeaders sent = new HttpHeaders();
        for (int i = 0; i < headers.length; i += 2) {
            sent.set(headers[i], headers[i + 1]);
        }
        request.headers(all -> all.putAll(sent));
        Reply reply = replyTo(request);
        Exchange exchange = new Exchange(method, path, sent, body, reply);
        List<String> found = CONTRACT.breaches(exchange);
        breaches.addAll(found);
        assertThat(found).as("%s answered %s", body, reply.text()).isEmpty();
        if (exchange.isAccepted()) {
            CONTRACT.operation(exchange).ifPresent(accepted::add);
        }
        return reply;
    }

    private Reply replyTo(RestClient.RequestBodySpec request) {
        try {
            return request.exchange((_, response) -> {
                HttpStatusCode status = response.getStatusCode();
                return new Reply(
                        status.value(),
                        response.getHeaders(),
                        new String(response.getBody().readAllBytes(), UTF_8));
            });
        } catch (ResourceAccessException unanswered) {
            assertRunning();
            throw unanswered;
        }
    }

    /** Returns the operations of the contract that were accepted so far. */
    Set<String> accepted() {
        return Set.copyOf(accepted);
    }

    /** Says that the process has to end by itself from now on. */
    void wantEnd() {
        endWanted = true;
    }

    /** Waits until the process has ended by itself, and returns its status. */
    int awaitStatus(Duration max) {
        wantEnd();
        awaitEnd(max);
        return exitStatus();
    }

    int exitStatus() {
        return process.exitValue();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    long number() {
        return process.pid();
    }

    /** Stops the process where it is. It does nothing any more, and its connections stay open. */
    void freeze() throws IOException {
        signal("STOP");
    }

    /** Lets a process that was frozen go on, as if nothing had happened. It may have ended already. */
    void goOn() throws IOException {
        if (process.isAlive()) {
            signal("CONT");
        }
    }

    private void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(number()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(END_MAX).pollInterval(Duration.ofMillis(5)).until(() -> !kill.isAlive());
        assertThat(kill.exitValue()).as("kill -" + name).isZero();
    }

    /** Kills the process. The operating system closes its connections, which a power cut would not. */
    void kill() {
        end(process::destroyForcibly, END_MAX);
    }

    /** Stops the process, as an operator would. */
    @Override
    public void close() {
        stop(END_MAX);
    }

    void stop(Duration max) {
        end(process::destroy, max);
    }

    private void end(Runnable signal, Duration max) {
        boolean byItself = hasEndedByItself();
        wantEnd();
        signal.run();
        try {
            awaitEnd(max);
        } finally {
            process.destroyForcibly();
        }
        if (byItself) {
            RUNNING.forEach(LotteryProcess::abandon);
            throw endedByItself();
        }
    }

    private void abandon() {
        wantEnd();
        process.destroyForcibly();
    }

    private void assertRunning() {
        if (hasEndedByItself()) {
            throw endedByItself();
        }
    }

    private boolean hasEndedByItself() {
        boolean hasEnded = !process.isAlive(); // Asked first: another thread may kill the process at this moment.
        return hasEnded && !endWanted;
    }

    private AssertionError endedByItself() {
        return new AssertionError("The lottery ended by itself with status %d. Its last output:%n%s"
                .formatted(exitStatus(), lastOutput()));
    }

    private String lastOutput() {
        try {
            List<String> lines = Files.readAllLines(output);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }

    private void awaitEnd(Duration max) {
        try {
            await().atMost(max).until(() -> !process.isAlive());
        } finally {
            RUNNING.remove(this);
            port.close();
        }
        assertThat(breaches).as("breaches of the contract").isEmpty();
    }
}
