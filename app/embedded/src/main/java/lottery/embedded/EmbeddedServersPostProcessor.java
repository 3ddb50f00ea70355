package lottery.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/** Starts each server whose address is not configured, before the application reads the address. */
final class EmbeddedServersPostProcessor implements EnvironmentPostProcessor, Ordered {

    /** Set by Spring Boot in tests, which often have no web server and else one with a port of their own. */
    private static final String WITHIN_TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

    private static final Duration FAILURE_MAX = Duration.ofMinutes(1);

    /** The configuration files may have the addresses. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 10;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (flag(environment, "lottery.embedded.stop-with-parent", false)) {
            stopWithParent();
        }
        EmbeddedSettings settings = settings(environment);
        if (settings.servers().isEmpty()) {
            return;
        }
        requireFreeWebPorts(environment, application);

        EmbeddedServers servers = EmbeddedServers.start(settings, progress(environment));
        application.addListeners(new CloseAfterContext(servers), new CloseAfterFailure(servers));

        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("embeddedServers", properties(servers, environment)));
        environment
                .getPropertySources()
                .addLast(new MapPropertySource("embeddedServersLoggers", QuietLoggers.properties()));
    }

    /** Whoever has said which key seals has keys of their own. */
    private static Map<String, Object> properties(EmbeddedServers servers, ConfigurableEnvironment environment) {
        Map<String, Object> properties = new HashMap<>(servers.properties());
        if (StringUtils.hasText(environment.getProperty("lottery.seeds.current-key"))) {
            properties.keySet().removeIf(name -> name.startsWith("lottery.seeds."));
        }
        return properties;
    }

    /** A process that Maven started also tells how long the build took. */
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
        Set<EmbeddedServer> servers = EnumSet.noneOf(EmbeddedServer.class);
        for (String word : environment
                .getProperty("lottery.embedded.servers", "postgres,redis,kafka")
                .split(",", -1)) {
            if (!word.isBlank()) {
                servers.add(server(word.strip()));
            }
        }
        servers.removeIf(server -> StringUtils.hasText(environment.getProperty(server.addressSetting())));
        Map<EmbeddedServer, Integer> ports = new EnumMap<>(EmbeddedServer.class);
        servers.forEach(server -> ports.put(server, port(environment, server.portSetting(), server.portUsual())));
        return new EmbeddedSettings(
                Path.of(environment.getProperty("lottery.data", ".lottery")),
                servers,
                ports,
                flag(environment, "lottery.embedded.keep", true));
    }

    private static EmbeddedServer server(String word) {
        for (EmbeddedServer server : EmbeddedServer.values()) {
            if (server.word().equals(word.toLowerCase(Locale.ROOT))) {
                return server;
            }
        }
        throw new ServersRefused(
                "The setting lottery.embedded.servers knows postgres, redis and kafka, but not '%s'.".formatted(word));
    }

    private static int port(ConfigurableEnvironment environment, String setting, int usual) {
        String text = environment.getProperty(setting, Integer.toString(usual)).strip();
        if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65_535) {
            return Integer.parseInt(text);
        }
        throw new ServersRefused("The setting %s is '%s', which is not a port.".formatted(setting, text));
    }

    private static boolean flag(ConfigurableEnvironment environment, String setting, boolean usual) {
        return switch (environment.getProperty(setting, Boolean.toString(usual)).strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ServersRefused("The setting %s must be true or false.".formatted(setting));
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

    /** A Maven that is killed cannot end the process that it has started to run the application. */
    private static void stopWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            var _ = parent.onExit().thenRunAsync(() -> System.exit(0));
        });
    }

    /** Spring's handlers run when all contexts of the process have been closed, and only if there is one at all. */
    private record CloseAfterContext(EmbeddedServers servers) implements ApplicationListener<ApplicationPreparedEvent> {

        @Override
        public void onApplicationEvent(ApplicationPreparedEvent event) {
            SpringApplication.getShutdownHandlers().add(servers::close);
            servers.leaveToOthers();
        }
    }

    /**
     * Kafka's threads would keep a process alive whose application has failed. The servers close after the thread that
     * runs the application has ended; in a test it goes on, and with it the servers, for the next context.
     */
    private record CloseAfterFailure(EmbeddedServers servers) implements ApplicationListener<ApplicationFailedEvent> {

        @Override
        public void onApplicationEvent(ApplicationFailedEvent event) {
            Thread failed = Thread.currentThread();
            Thread.ofPlatform().name("lottery-embedded-stop-after-failure").start(() -> {
                try {
                    if (failed.join(FAILURE_MAX)) {
                        servers.close();
                    }
                } catch (InterruptedException ending) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }
}
