package lottery.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, which uses the servers and can be killed. */
final class Child implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private Child(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Child start(Class<?> program, Path errors, String... arguments) throws IOException {
        return start(List.of(), program, errors, arguments);
    }

    /** Starts the program by a shell, as Maven does. A kill then hits the shell and not the program. */
    static Child startByShell(Class<?> program, Path errors, String... arguments) throws IOException {
        return start(List.of("sh", "-c", "\"$@\" & wait", "sh"), program, errors, arguments);
    }

    private static Child start(List<String> launcher, Class<?> program, Path errors, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
                .start());
    }

    long number() {
        return process.pid();
    }

    /** Reads the addresses that {@link #tell} has written; it also returns at the end of the child's output. */
    Map<String, String> addresses() throws IOException {
        Map<String, String> addresses = new HashMap<>();
        for (String line = output.readLine(); line != null && !line.equals("ready"); line = output.readLine()) {
            String[] parts = line.split("=", 2);
            if (parts.length == 2 && parts[0].startsWith("lottery.")) {
                addresses.put(parts[0], parts[1]);
            }
        }
        return addresses;
    }

    static void tell(Map<String, String> addresses) {
        addresses.forEach((name, value) -> System.out.println(name + "=" + value));
        System.out.println("ready");
    }

    /** Kills the process, so that not even its shutdown hooks run. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        end();
    }

    void askToEnd() {
        process.destroy();
    }

    int end() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the child did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
