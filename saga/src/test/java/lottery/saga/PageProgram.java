package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The program in the page about the feed, as a reader copies it. */
record PageProgram(Path folder, String servers) {

    private static final Path PAGE = Path.of("../docs/events.md");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    static PageProgram compiledIn(Path folder, String servers) throws IOException {
        Matcher program = JAVA.matcher(Files.readString(PAGE));
        assertThat(program.find()).isTrue();
        Path source = Files.writeString(folder.resolve("FeedReader.java"), program.group(1));
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        complaints,
                        complaints,
                        "-Xlint:all,-processing",
                        "-Werror",
                        "-proc:none",
                        "-cp",
                        classPath(),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(status).as(complaints.toString(UTF_8)).isZero();
        return new PageProgram(folder, servers);
    }

    /** Returns the file in which it records what it has handled. */
    Path book() {
        return folder.resolve("handled.txt");
    }

    Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        folder + System.getProperty("path.separator") + classPath(),
                        "FeedReader",
                        servers,
                        book().toString())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    /** Fails with the output of the program if it has ended. */
    void assertRuns(Process program) throws IOException {
        assertThat(program.isAlive()).as(Files.readString(output())).isTrue();
    }

    private Path output() {
        return folder.resolve("output.txt");
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
