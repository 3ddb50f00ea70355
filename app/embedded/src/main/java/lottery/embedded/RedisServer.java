package lottery.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/**
 * A Redis server that writes every change to a file.
 *
 * <p>Only the binary comes from the library. The library's own starter is not used: it waits without a time limit, and
 * its shutdown hook stops Redis while the application is still closing.
 */
final class RedisServer implements RunningServer {

    private static final Duration START_MAX = Duration.ofSeconds(20);
    private static final Duration PING_MAX = Duration.ofSeconds(1);
    private static final ServerProcess.StopRequest STOP = new ServerProcess.StopRequest("TERM", Duration.ofSeconds(10));

    private final DataFolder folder;
    private final int port;

    private RedisServer(DataFolder folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static RedisServer start(DataFolder folder, int port) throws IOException {
        Path log = folder.log(ServerInstance.first(EmbeddedServerKind.REDIS));
        Process launcher = new ProcessBuilder(
                        binary(folder.programs()).toString(),
                        // Redis runs in a session of its own. Otherwise Ctrl-C in a terminal would end Redis before the
                        // application.
                        "--daemonize",
                        "yes",
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        ServerPorts.LOOPBACK,
                        "--dir",
                        folder.redis().toString(),
                        "--pidfile",
                        numberFile(folder).toString(),
                        "--logfile",
                        log.toString(),
                        "--appendonly",
                        "yes",
                        "--save",
                        "",
                        // Otherwise Redis would overwrite its arguments, by which ServerProcess recognises it.
                        "--set-proc-title",
                        "no")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        RedisServer server = new RedisServer(folder, port);
        PollingWait.until(() -> server.answers() || server.failed(launcher), START_MAX);
        if (!server.answers()) {
            stopProcess(folder);
            throw new IOException("no answer");
        }
        return server;
    }

    /**
     * Stops the server process that uses this folder, if there is one. It may have outlived the process that started
     * it.
     */
    static void stopProcess(DataFolder folder) {
        ServerProcess.find(numberFile(folder), folder.redis()).ifPresent(process -> process.stop(STOP));
    }

    @Override
    public Map<String, String> properties() {
        return Map.of(EmbeddedServerKind.REDIS.addressSetting(), "redis://%s:%d".formatted(ServerPorts.LOOPBACK, port));
    }

    @Override
    public void stop() {
        stopProcess(folder);
    }

    /**
     * Returns whether Redis is ready. It is ready when it answers a ping and has written the file with its process id,
     * which it does last. While it loads its data file, it answers with an error.
     */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(ServerPorts.LOOPBACK), port), (int)
                    PING_MAX.toMillis());
            socket.setSoTimeout((int) PING_MAX.toMillis());
            socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(5);
            return new String(answer, US_ASCII).equals("+PONG") && Files.exists(numberFile(folder));
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Returns whether the start has failed. The end of the launcher process does not mean a failure: it ends as soon as
     * Redis runs as a daemon.
     */
    private boolean failed(Process launcher) {
        return !launcher.isAlive() && !ServerProcess.anyRuns(folder.redis());
    }

    private static Path numberFile(DataFolder folder) {
        return folder.redis().resolve("redis.pid");
    }

    /**
     * Returns the binary. It is written only once, because the start of a program that was just written may fail while
     * another thread starts a process.
     */
    private static Path binary(Path programs) throws IOException {
        String name = ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
        if (name == null) {
            throw new IOException("no binary for this machine");
        }
        Path binary = programs.resolve(name.substring(1));
        if (Files.exists(binary)) {
            return binary;
        }
        Path part = programs.resolve(name.substring(1) + ".part");
        try (InputStream content = ExecutableProvider.class.getResourceAsStream(name)) {
            if (content == null) {
                throw new IOException("no binary named " + name);
            }
            Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
        }
        if (!part.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + part + " executable");
        }
        return Files.move(part, binary, StandardCopyOption.ATOMIC_MOVE);
    }
}
