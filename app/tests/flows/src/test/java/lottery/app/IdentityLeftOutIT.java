package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.HttpMethod;

/** The lottery of a company that has an issuer of tokens, and no dependency on the module identity. */
@DisplayName("The lottery without the module identity")
class IdentityLeftOutIT {

    /** The module, and the libraries that only it needs. */
    private static final List<String> LEFT_OUT =
            List.of("lottery-identity", "spring-session", "spring-security-oauth2-authorization-server");

    @TempDir
    private static Path folder;

    private static Path jar = Path.of("");

    @BeforeAll
    static void leaveOut() throws IOException {
        assertThat(LotteryProcess.java(
                                "-Djarmode=tools",
                                "-jar",
                                LotteryProcess.JAR.toString(),
                                "extract",
                                "--force",
                                "--destination",
                                folder.toString())
                        .exitStatus())
                .isZero();
        jar = folder.resolve("lottery.jar");
        try (Stream<Path> libraries = Files.list(folder.resolve("lib"))) {
            List<Path> ofIdentity = libraries
                    .filter(library ->
                            LEFT_OUT.stream().anyMatch(library.getFileName().toString()::startsWith))
                    .toList();
            assertThat(ofIdentity).hasSizeGreaterThanOrEqualTo(LEFT_OUT.size());
            ofIdentity.forEach(IdentityLeftOutIT::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> environment(TokenIssuer issuer) throws IOException {
        Map<String, String> environment = Servers.environmentOfIdentity(issuer);
        environment.remove(ExtractedJar.VARIABLE); // Its cache is that of another jar.
        return environment;
    }

    @Test
    @DisplayName("It starts, knows its callers by the tokens of the issuer, and records what they read about persons.")
    void issuer() throws IOException {
        try (TokenIssuer issuer = new TokenIssuer()) {
            Map<String, String> environment = environment(issuer);
            environment.remove("LOTTERY_IDENTITY");
            try (LotteryProcess lottery = LotteryProcess.open(environment, jar)) {
                assertThat(lottery.get("/api/v1/session/ways")
                                .json()
                                .get("password")
                                .asBoolean())
                        .isFalse();
                assertThat(lottery.get("/api/v1/bans").status()).isEqualTo(401);
                assertThat(as(lottery, issuer.token("dora", "desk"), "/api/v1/bans")
                                .status())
                        .isEqualTo(200);
                Reply reads = as(lottery, issuer.token("aron", "auditor"), "/api/v1/ops/personal-reads?actor=dora");
                assertThat(reads.text()).contains("/api/v1/bans");
            }
        }
    }

    private static Reply as(LotteryProcess lottery, String token, String path) {
        return lottery.ask(HttpMethod.GET, path, null, "Authorization", "Bearer " + token);
    }

    @Test
    @DisplayName("It refuses at its start to have accounts.")
    void accounts() throws IOException {
        try (TokenIssuer issuer = new TokenIssuer()) {
            assertThat(LotteryProcess.failing(environment(issuer), jar).output())
                    .contains("LOTTERY_IDENTITY is true, and this lottery was built without the module identity.");
        }
    }
}
