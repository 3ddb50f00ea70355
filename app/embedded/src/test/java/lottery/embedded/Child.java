package lottery.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, which uses the servers and can be killed. */
final class Child implements AutoCloseable {

    private final Process process;
    private final Path errors;
    private final BufferedReader output;

    private Child(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
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
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
                .start();
        return new Child(process, errors);
    }

    long number() {
        return process.pid();
    }

    /** Reads the addresses that {@link #tell} has written. */
    Map<String, String> addresses() throws IOException {
        Map<String, String> addresses = new HashMap<>();
        for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
            if (line == null) {
                throw new AssertionError("The child ended before it was ready:\n" + Files.readString(errors));
            }
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
    void kill() throws IOException, InterruptedException {
        process.destroyForcibly();
        end();
    }

    void askToEnd() {
        process.destroy();
    }

    int end() throws IOException, InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("The child did not end:\n" + Files.readString(errors));
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
