package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("compose.yaml")
class ComposeFileTest {

    private final Map<?, ?> compose;

    ComposeFileTest() throws IOException {
        compose = ComposeEnvironment.compose();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "postgres-2", "redis", "kafka"})
    @DisplayName("A server can be reached neither from outside, nor outside from it")
    void isolated(String server) {
        assertThat(names(service(server))).doesNotContain("ports", "network_mode");
        assertThat(service(server).get("networks")).isEqualTo(List.of("servers"));
        assertThat(part("networks", "servers").get("internal")).isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "postgres-2", "redis", "kafka", "app", "prometheus", "grafana"})
    @DisplayName("No service gets a password or a key by its environment, and each secret is a file of the folder")
    void secretsAreFiles(String service) {
        Map<?, ?> environment = (Map<?, ?>) service(service).get("environment");
        if (environment != null) {
            assertThat(names(environment))
                    .filteredOn(name -> name.matches(".*(PASSWORD|SECRET|KEYS).*"))
                    .allMatch(name -> name.endsWith("_FILE"));
        }
        if (service(service).get("secrets") instanceof List<?> secrets) {
            secrets.forEach(
                    secret -> assertThat(part("secrets", String.valueOf(secret)).get("file"))
                            .isEqualTo("${LOTTERY_SECRETS:-./secrets}/" + secret));
        }
    }

    static Stream<String> services() throws IOException {
        return names(ComposeEnvironment.in(ComposeEnvironment.compose(), "services")).stream();
    }

    @ParameterizedTest
    @MethodSource("services")
    @DisplayName(
            "Each service has no privileges, a limit of memory and an exact image, and is published on this machine alone")
    void hardened(String service) {
        Map<?, ?> parts = service(service);
        assertThat(parts.get("cap_drop")).isEqualTo(List.of("ALL"));
        assertThat(parts.get("security_opt")).isEqualTo(List.of("no-new-privileges:true"));
        assertThat(parts.get("mem_limit")).isNotNull();
        assertThat(parts.get("privileged")).isNull();
        assertThat(parts.get("network_mode")).isNull();
        // The start script of Kafka writes its settings beside its program.
        assertThat(parts.get("read_only")).isEqualTo(service.equals("kafka") ? null : true);
        assertThat(String.valueOf(parts.get("image"))).matches("lottery:local|[a-z/]+:v?\\d+(\\.\\d+)+");
        if (parts.get("ports") instanceof List<?> ports) {
            assertThat(ports)
                    .allSatisfy(port -> assertThat(String.valueOf(port)).matches("(\\$\\{\\w+:-)?127\\.0\\.0\\.1:.*"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus", "grafana"})
    @DisplayName("What watches the lottery starts with its profile alone, and reaches none of the servers")
    void watchers(String service) {
        assertThat(service(service).get("profiles")).isEqualTo(List.of("monitoring"));
        assertThat((List<?>) Objects.requireNonNull(service(service).get("networks")))
                .map(String::valueOf)
                .isNotEmpty()
                .isSubsetOf("metrics", "monitoring");
        assertThat(part("networks", "metrics").get("internal")).isEqualTo(true);
        assertThat(service("grafana").get("networks")).isEqualTo(List.of("monitoring"));
        assertThat(names(service("prometheus"))).doesNotContain("ports");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "postgres-2", "prometheus", "grafana"})
    @DisplayName("Each file that a service reads is there")
    void mounted(String service) {
        assertThat((List<?>) Objects.requireNonNull(service(service).get("volumes")))
                .map(volume -> String.valueOf(volume).replaceFirst("^\\$\\{\\w+:-([^}]*)}", "$1"))
                .filteredOn(volume -> volume.startsWith("."))
                .isNotEmpty()
                .allSatisfy(volume -> {
                    assertThat(volume).endsWith(":ro");
                    assertThat(Path.of("..", volume.substring(0, volume.indexOf(':'))))
                            .exists();
                });
    }

    @Test
    @DisplayName("The lottery has the roles that roles.sql creates, and neither is the superuser")
    void roles() {
        Map<?, ?> environment = ComposeEnvironment.in(service("app"), "environment");
        assertThat(environment.get("LOTTERY_POSTGRES_OWNER")).isEqualTo("lottery_owner");
        assertThat(environment.get("LOTTERY_POSTGRES_USER")).isEqualTo("lottery_app");
        assertThat(names(ComposeEnvironment.in(service("postgres"), "environment")))
                .doesNotContain("POSTGRES_USER");
        assertThat(Objects.requireNonNull(service("postgres").get("volumes")).toString())
                .contains("./db/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro");
    }

    @Test
    @DisplayName("The second PostgreSQL is like the first, but has data of its own and starts with its profile alone")
    void secondDatabase() {
        Map<Object, Object> second = new HashMap<>(service("postgres-2"));
        Map<Object, Object> first = new HashMap<>(service("postgres"));
        assertThat(second.remove("profiles")).isEqualTo(List.of("two-databases"));
        assertThat(String.valueOf(second.remove("volumes")))
                .isEqualTo(String.valueOf(first.remove("volumes")).replace("postgres-data", "postgres-2-data"));
        assertThat(second).isEqualTo(first);
        assertThat(names(ComposeEnvironment.in(compose, "volumes"))).contains("postgres-2-data");

        Map<?, ?> needed = ComposeEnvironment.in(service("app"), "depends_on");
        assertThat(needed.get("postgres-2")).isEqualTo(Map.of("condition", "service_healthy", "required", false));
    }

    @Test
    @DisplayName("The lottery has one log, unless its caller asks for four on two databases")
    void logs() throws IOException {
        assertThat(ComposeEnvironment.with(Map.of(), Map.of())).containsEntry("LOTTERY_LOGS", "1");
        assertThat(ComposeEnvironment.with(Map.of(), Map.of("LOTTERY_LOGS", "4")))
                .containsEntry("LOTTERY_LOGS", "4")
                .doesNotContainKey("LOTTERY_LOG_01_URL")
                .containsEntry("LOTTERY_LOG_02_URL", "jdbc:postgresql://postgres-2:5432/lottery")
                .containsEntry("LOTTERY_LOG_03_URL", "jdbc:postgresql://postgres-2:5432/lottery");
    }

    @Test
    @DisplayName("Each key that seals secrets is named where operators read what to back up")
    void keysInBackup() throws IOException {
        String page = Files.readString(OperationsPages.FOLDER.resolve("backup.md"));
        int begin = page.indexOf("\n## What to back up\n");
        String backup = page.substring(begin, page.indexOf("\n#", begin + 1));
        assertThat(names(ComposeEnvironment.in(compose, "secrets")))
                .filteredOn(name -> name.endsWith(".keys.k1"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(backup).contains("`" + name + "`"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @DisplayName("Redis reads its password from the secret file, and not from its arguments")
    void passwordOfRedis(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("lottery.redis.password"), "s3cret\n");
        Path redis = Files.writeString(folder.resolve("redis-server"), "#!/bin/sh\necho \"$@\"\ncat\n");
        assertThat(redis.toFile().setExecutable(true)).isTrue();
        List<?> command = (List<?>) Objects.requireNonNull(service("redis").get("command"));
        String script = String.valueOf(command.getLast())
                .replace("$$", "$")
                .replace(ComposeEnvironment.SECRETS, folder + "/")
                .replace("redis-server", redis.toString());

        Process shell = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();

        assertThat(Files.readAllLines(folder.resolve("output")))
                .containsExactly(
                        "-", "requirepass s3cret", "appendonly yes", "maxmemory 256mb", "maxmemory-policy noeviction");
    }

    private static List<String> names(Map<?, ?> part) {
        return part.keySet().stream().map(String::valueOf).toList();
    }

    private Map<?, ?> service(String name) {
        return part("services", name);
    }

    private Map<?, ?> part(String kind, String name) {
        return ComposeEnvironment.in(ComposeEnvironment.in(compose, kind), name);
    }
}
