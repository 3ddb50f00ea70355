package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class EmbeddedServersStarterTest {

    private static final List<String> ADDRESSES = List.of(
            "lottery.postgres.url",
            "lottery.postgres.user",
            "lottery.postgres.password",
            "lottery.postgres.owner",
            "lottery.postgres.owner-password",
            "lottery.logs",
            "lottery.log.01.url",
            "lottery.log.02.url",
            "lottery.log.03.url",
            "lottery.redis.url",
            "lottery.kafka.servers");

    @TempDir
    private Path folder;

    @Test
    void theApplicationFindsTheAddressesAndClosesBeforeTheServersDo() throws Exception {
        try (Child child = start(Application.class, "redis")) {
            Client client = new Client(child.addresses());
            assertThat(client.redis("PING")).startsWith("+PONG");

            child.askToEnd();
            child.end();

            assertThat(folder.resolve("closing")).hasContent("still there");
            assertThatThrownBy(() -> client.redis("PING")).isInstanceOf(IOException.class);
            assertThat(data()).doesNotExist();
        }
    }

    @Test
    @DisplayName("The application finds the addresses of logs on two databases, and a configured address stays")
    void logsOnTwoDatabases() throws Exception {
        try (Child child = start(
                Application.class,
                "postgres,redis",
                "--lottery.embedded.postgres-port=0",
                "--lottery.embedded.databases=2",
                "--lottery.logs=4",
                "--lottery.log.03.url=configured")) {
            Map<String, String> addresses = child.addresses();

            assertThat(addresses)
                    .containsEntry("lottery.logs", "4")
                    .containsEntry("lottery.log.03.url", "configured")
                    .doesNotContainKey("lottery.log.02.url");
            Map<String, String> second = new HashMap<>(addresses);
            second.put("lottery.postgres.url", Objects.requireNonNull(addresses.get("lottery.log.01.url")));
            assertThat(data().resolve("postgres-2/postmaster.pid"))
                    .content()
                    .contains(new Client(second).sql("SHOW port"));

            child.askToEnd();
            child.end();
            assertThat(data()).doesNotExist();
        }
    }

    @Test
    void anApplicationThatFailsEndsWithItsServers() throws Exception {
        try (Child child = start(FailingApplication.class, "redis,kafka")) {
            assertThat(child.end()).isOne();
            assertThat(data()).doesNotExist();
        }
    }

    @Test
    void anApplicationWhoseSettingsAreRefusedEndsWithItsServers() throws Exception {
        try (Child child = start(RefusedSettings.class, "redis,kafka")) {
            assertThat(child.end()).isOne();
            assertThat(data()).doesNotExist();
        }
    }

    @Test
    void aRefusalIsOneLineAndStatusOne() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                Child child = start(WebApplication.class, "redis", "--server.port=" + taken.getLocalPort())) {
            assertThat(child.end()).isOne();
            assertThat(folder.resolve("errors"))
                    .hasContent(
                            "lottery: Port %d is taken by another program; stop it or set LOTTERY_PORT to a free port."
                                    .formatted(taken.getLocalPort()));
            assertThat(data()).doesNotExist();
        }
    }

    @Test
    void aManagementPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                Child child = start(
                        WebApplication.class,
                        "redis",
                        "--server.port=0",
                        "--lottery.management.port=" + taken.getLocalPort())) {
            assertThat(child.end()).isOne();
            assertThat(folder.resolve("errors")).content().contains("set LOTTERY_MANAGEMENT_PORT to a free port.");
        }
    }

    @Test
    void theApplicationEndsWithTheProcessThatHasStartedItIfAsked() throws Exception {
        try (Child shell = Child.startByShell(
                Application.class,
                folder.resolve("errors"),
                arguments("redis", "--lottery.embedded.stop-with-parent=true"))) {
            Client client = new Client(shell.addresses());
            assertThat(client.redis("PING")).startsWith("+PONG");

            shell.kill();

            assertThat(PollingWait.until(() -> !Files.exists(data()), Duration.ofSeconds(20)))
                    .as("ended")
                    .isTrue();
        }
    }

    @Test
    void nothingStartsWhereAllAddressesAreConfigured() {
        Map<String, Object> settings = new HashMap<>();
        ADDRESSES.forEach(name -> settings.put(name, "configured"));
        settings.put("lottery.data", data().toString());
        StandardEnvironment environment = environment(settings);
        int sources = environment.getPropertySources().size();

        new EmbeddedServersStarter().onApplicationEvent(prepared(environment));

        assertThat(environment.getPropertySources()).hasSize(sources);
        assertThat(data()).doesNotExist();
    }

    @Test
    void aSettingThatMakesNoSenseIsRefused() {
        assertRefused("lottery.embedded.servers", "postgres,mongo", "knows postgres, redis and kafka, but not 'mongo'");
        assertRefused("lottery.embedded.kafka-port", "70000", "is '70000', which is not a port");
        assertRefused("lottery.embedded.keep", "perhaps", "must be true or false");
        assertRefused("lottery.embedded.databases", "many", "is 'many', which is not a number");
        assertRefused("lottery.embedded.databases", "0", "is 0, which is not a number from 1 to 8");
        assertRefused("lottery.embedded.databases", "9", "is 9, which is not a number from 1 to 8");
    }

    @Test
    @DisplayName("Fewer logs than databases are refused")
    void fewerLogsThanDatabases() {
        Map<String, Object> settings = Map.of("lottery.embedded.databases", "3", "lottery.logs", "2");

        assertThatThrownBy(() -> new EmbeddedServersStarter().onApplicationEvent(prepared(environment(settings))))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessage(
                        "The setting lottery.logs is 2, but each of the 3 databases needs a log; set LOTTERY_LOGS to 3"
                                + " or more.");
    }

    private static void assertRefused(String setting, String value, String sentence) {
        assertThatThrownBy(() ->
                        new EmbeddedServersStarter().onApplicationEvent(prepared(environment(Map.of(setting, value)))))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessageContaining("The setting " + setting)
                .hasMessageContaining(sentence);
    }

    private static ApplicationEnvironmentPreparedEvent prepared(StandardEnvironment environment) {
        return new ApplicationEnvironmentPreparedEvent(
                new DefaultBootstrapContext(), new SpringApplication(), new String[0], environment);
    }

    private static StandardEnvironment environment(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
        return environment;
    }

    private Child start(Class<?> program, String servers, String... more) throws IOException {
        return Child.start(program, folder.resolve("errors"), arguments(servers, more));
    }

    private String[] arguments(String servers, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--lottery.data=" + data(),
                "--lottery.embedded.servers=" + servers,
                "--lottery.embedded.keep=false",
                "--lottery.embedded.redis-port=0",
                "--lottery.embedded.kafka-port=0",
                "--test.closing=" + folder.resolve("closing"),
                "--spring.main.banner-mode=off",
                "--spring.main.keep-alive=true"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    private Path data() {
        return folder.resolve("data");
    }

    /** Tells its addresses, and writes down at its end whether Redis still answers. */
    static class Application {

        static void main(String[] arguments) {
            Environment environment =
                    SpringApplication.run(Application.class, arguments).getEnvironment();
            Child.tell(addresses(environment));
        }

        @Bean
        AutoCloseable closing(Environment environment) {
            Client client = new Client(addresses(environment));
            Path file = Path.of(environment.getRequiredProperty("test.closing"));
            // Waits long enough to see servers that stop by themselves meanwhile.
            return () -> Files.writeString(
                    file, PollingWait.until(() -> !answers(client), Duration.ofSeconds(1)) ? "gone" : "still there");
        }

        private static boolean answers(Client client) {
            try {
                return client.redis("PING").startsWith("+PONG");
            } catch (IOException gone) {
                return false;
            }
        }

        private static Map<String, String> addresses(Environment environment) {
            Map<String, String> addresses = new HashMap<>();
            for (String name : ADDRESSES) {
                if (environment.containsProperty(name)) {
                    addresses.put(name, environment.getRequiredProperty(name));
                }
            }
            return addresses;
        }
    }

    static class FailingApplication {

        static void main(String[] arguments) {
            SpringApplication.run(FailingApplication.class, arguments);
        }

        @Bean
        String failing() {
            throw new IllegalStateException("on purpose");
        }
    }

    /** Refuses the settings after the servers have started, and before there is a context. */
    static class RefusedSettings implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

        static void main(String[] arguments) {
            SpringApplication application = new SpringApplication(Application.class);
            application.addListeners(new RefusedSettings());
            application.run(arguments);
        }

        @Override
        public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
            throw new IllegalStateException("on purpose");
        }
    }

    static class WebApplication {

        static void main(String[] arguments) {
            SpringApplication application = new SpringApplication(WebApplication.class);
            application.setWebApplicationType(WebApplicationType.SERVLET);
            application.run(arguments);
        }
    }
}
