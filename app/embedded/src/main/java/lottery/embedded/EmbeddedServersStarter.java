package lottery.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/** Starts each server whose address is not configured, before the application reads the address. */
final class EmbeddedServersStarter implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    /**
     * The property that Spring Boot sets in tests. With it, the web ports are not checked, because tests often have no
     * web server, or a web server on another port.
     */
    private static final String WITHIN_TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

    /** How often a watcher looks whether the start of the application has failed. */
    private static final Duration FAILURE_LOOK = Duration.ofMillis(200);

    /** The prefix of the settings for public random values. A trial generates these values itself. */
    private static final String BEACON = "lottery.beacon";

    /**
     * Runs after the configuration files are read, because they may contain the addresses, and after the logging is set
     * up, because Kafka's threads log from then on.
     */
    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        SpringApplication application = event.getSpringApplication();
        if (flag(environment, "lottery.embedded.stop-with-parent", false)) {
            stopWithParent();
        }
        EmbeddedSettings settings = settings(environment);
        if (settings.servers().isEmpty()) {
            return;
        }
        requireFreeWebPorts(environment, application);

        EmbeddedServers servers = EmbeddedServers.start(settings, progress(environment));
        application.addListeners(new CloseAfterContext(servers), CloseAfterFailure.watch(servers));

        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("embeddedServers", properties(servers, environment)));
    }

    /**
     * Returns the settings for the started servers. The local keys for seeds, codes or persons are left out if a
     * current key for the same secrets is configured.
     */
    private static Map<String, Object> properties(EmbeddedServers servers, ConfigurableEnvironment environment) {
        Map<String, Object> properties = new HashMap<>(servers.properties());
        for (String keys : List.of("lottery.seeds.", "lottery.codes.", "lottery.persons.")) {
            if (StringUtils.hasText(environment.getProperty(keys + "current-key"))) {
                properties.keySet().removeIf(name -> name.startsWith(keys));
            }
        }
        if (!environment.containsProperty(BEACON)) {
            properties.put(BEACON, "trial");
            Path data = Path.of(environment.getProperty("lottery.data", ".lottery"));
            properties.put(BEACON + ".file", data.resolve("beacon.txt").toString());
            properties.put(BEACON + ".trial", "true");
        }
        return properties;
    }

    /**
     * Returns the configured progress output. In a process that Maven started, it also prints how long the build took.
     */
    private static StartProgress progress(ConfigurableEnvironment environment) {
        if (!flag(environment, "lottery.progress", false)) {
            return StartProgress.SILENT;
        }
        StartProgress.Printed printed = new StartProgress.Printed(System.out);
        if (flag(environment, "lottery.embedded.stop-with-parent", false)) {
            ProcessHandle.current()
                    .parent()
                    .flatMap(parent -> parent.info().startInstant())
                    .ifPresent(printed::compiled);
        }
        return printed;
    }

    private static EmbeddedSettings settings(ConfigurableEnvironment environment) {
        Set<EmbeddedServerKind> servers = EnumSet.noneOf(EmbeddedServerKind.class);
        for (String word : environment
                .getProperty("lottery.embedded.servers", "postgres,redis,kafka")
                .split(",", -1)) {
            if (!word.isBlank()) {
                servers.add(server(word.strip()));
            }
        }
        servers.removeIf(server -> StringUtils.hasText(environment.getProperty(server.addressSetting())));
        Map<EmbeddedServerKind, Integer> ports = new EnumMap<>(EmbeddedServerKind.class);
        servers.forEach(server -> ports.put(server, port(environment, server.portSetting(), server.portUsual())));
        EmbeddedSettings settings = new EmbeddedSettings(
                Path.of(environment.getProperty("lottery.data", ".lottery")),
                servers,
                ports,
                flag(environment, "lottery.embedded.keep", true));
        int databases = number(environment, "lottery.embedded.databases", 1, Integer.MAX_VALUE, "a number");
        return databases == 1 || !servers.contains(EmbeddedServerKind.POSTGRES)
                ? settings
                : spread(settings, databases, environment);
    }

    /** Returns the settings with several databases, over which the logs without a configured address are spread. */
    private static EmbeddedSettings spread(
            EmbeddedSettings settings, int databases, ConfigurableEnvironment environment) {
        int logs = number(environment, "lottery.logs", databases, Integer.MAX_VALUE, "a number");
        Set<Integer> elsewhere = IntStream.range(1, logs)
                .filter(log -> StringUtils.hasText(environment.getProperty("lottery.log.%02d.url".formatted(log))))
                .boxed()
                .collect(Collectors.toSet());
        return settings.withDatabases(databases, logs, elsewhere);
    }

    private static EmbeddedServerKind server(String word) {
        for (EmbeddedServerKind server : EmbeddedServerKind.values()) {
            if (server.word().equals(word.toLowerCase(Locale.ROOT))) {
                return server;
            }
        }
        throw new EmbeddedServersFailedException(
                "The setting lottery.embedded.servers knows postgres, redis and kafka, but not '%s'.".formatted(word));
    }

    private static int port(ConfigurableEnvironment environment, String setting, int usual) {
        return number(environment, setting, usual, ServerPorts.PORT_MAX, "a port");
    }

    private static int number(ConfigurableEnvironment environment, String setting, int usual, int max, String what) {
        String text = environment.getProperty(setting, Integer.toString(usual)).strip();
        if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= max) {
            return Integer.parseInt(text);
        }
        throw new EmbeddedServersFailedException(
                "The setting %s is '%s', which is not %s.".formatted(setting, text, what));
    }

    private static boolean flag(ConfigurableEnvironment environment, String setting, boolean usual) {
        return switch (environment.getProperty(setting, Boolean.toString(usual)).strip()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new EmbeddedServersFailedException("The setting %s must be true or false.".formatted(setting));
        };
    }

    private static void requireFreeWebPorts(ConfigurableEnvironment environment, SpringApplication application) {
        boolean web = application.getWebApplicationType() != WebApplicationType.NONE
                && !"none".equalsIgnoreCase(environment.getProperty("spring.main.web-application-type"));
        if (web && !environment.containsProperty(WITHIN_TEST)) {
            requireFreeWebPort(port(environment, "server.port", 8080), "LOTTERY_PORT");
            requireFreeWebPort(port(environment, "lottery.management.port", 0), "LOTTERY_MANAGEMENT_PORT");
        }
    }

    private static void requireFreeWebPort(int port, String variable) {
        if (port != 0) {
            ServerPorts.requireFreeForWeb(port, variable);
        }
    }

    /** Ends this process when its parent ends. If Maven is killed, it cannot end the process that it has started. */
    private static void stopWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            var _ = parent.onExit().thenRunAsync(() -> System.exit(0));
        });
    }

    /**
     * Closes the servers after the application contexts, in a shutdown handler of Spring. Spring runs these handlers
     * after it has closed all contexts, and only if the process has a context.
     */
    private record CloseAfterContext(EmbeddedServers servers) implements ApplicationListener<ApplicationPreparedEvent> {

        @Override
        public void onApplicationEvent(ApplicationPreparedEvent event) {
            SpringApplication.getShutdownHandlers().add(servers::close);
            servers.leaveToOthers();
        }
    }

    /**
     * Closes the servers if the thread that runs the application ends before the application is ready, because Kafka's
     * threads would keep the process alive. Spring's event of a failure would not do: there is none for this listener
     * if a setting is refused before there is a context. In a test that thread does not end, so the servers stay for
     * the next context.
     */
    private static final class CloseAfterFailure implements ApplicationListener<ApplicationReadyEvent> {

        private final CountDownLatch ready = new CountDownLatch(1);

        static CloseAfterFailure watch(EmbeddedServers servers) {
            CloseAfterFailure closing = new CloseAfterFailure();
            Thread runner = Thread.currentThread();
            Thread.ofPlatform()
                    .name("lottery-embedded-stop-after-failure")
                    .start(() -> closing.closeIfItFails(runner, servers));
            return closing;
        }

        @Override
        public void onApplicationEvent(ApplicationReadyEvent event) {
            ready.countDown();
        }

        private void closeIfItFails(Thread runner, EmbeddedServers servers) {
            try {
                while (!ready.await(FAILURE_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                    if (!runner.isAlive()) {
                        servers.close();
                        return;
                    }
                }
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
