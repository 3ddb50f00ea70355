package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import lottery.app.MetricSelector.Sample;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares what docs/monitoring asks for with what a running lottery shows, and with docs/operations. */
@DisplayName("The alerts and the dashboard")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MonitoringIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    /** Long enough for a scrape in which each number waits for PostgreSQL by itself. */
    private static final Duration AWAY_MAX = Duration.ofMinutes(2);

    private static final Path FOLDER = Path.of("../docs/monitoring");

    /** These metrics are added by Prometheus itself. */
    private static final Set<String> METRICS_OF_PROMETHEUS = Set.of("up", "ALERTS");

    private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("job", "instance", "alertname", "alertstate");

    /** Its values are numbers that everybody knows, and some of them are shown after a failure only. */
    private static final String STATUS = "status";

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:lottery|kafka)_\\w+)(\\{[^}]*})?` \\|(.*)\\|$");

    /** The page at the end of a panel's description, as a path within docs/operations. */
    private static final Pattern PAGE =
            Pattern.compile("\n\nWhat to do: " + OperationsPages.ADDRESS + "([\\w/-]+\\.md(?:#[\\w-]+)?)$");

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 20, "month": 20, "day": 20, "stock": 9}]""";

    /** An expression of an alert or of a panel, or one that is recorded under a name. */
    record Expression(String where, String text) {}

    /** A metric that reference.md lists. */
    private record ListedMetric(String name, Set<String> labels, boolean isForWorry) {}

    private static ServerLink link;
    private static LotteryProcess lottery;
    private static List<Sample> samples;
    private static String reference;
    private static List<Map<?, ?>> rules;
    private static List<JsonNode> panels;

    @BeforeAll
    static void open() throws Exception {
        reference = Files.readString(OperationsPages.FOLDER.resolve("reference.md"));
        rules = rules();
        panels = new JsonMapper()
                .readTree(Files.readString(FOLDER.resolve("dashboard.json")))
                .path("panels")
                .valueStream()
                .filter(panel -> !panel.path("type").asString().equals("row"))
                .toList();
        link = ServerLink.toPostgres();
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_POSTGRES_URL", link.postgresUrl("monitored"));
        lottery = LotteryProcess.open(environment);
        useIt();
        String scrape = lottery.get("/actuator/prometheus").text();
        samples = Sample.in(scrape);
    }

    /** Does what is metered only once it has happened: requests, draws, limited stock and uploaded codes. */
    private static void useIt() {
        TrialActivity codes = TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Voucher", "type": "CODE", "rate": "1", "sort": 1, "stock": 3}]""", CHANCES);
        Reply uploaded = lottery.post(codes.path("/award-codes/1"), "{\"codes\": [\"A-1\", \"B-2\"]}");
        assertThat(uploaded.status()).as(uploaded.text()).isEqualTo(200);
        codes.recharge("ann");
        assertThat(codes.draw("ann", "first").status()).isEqualTo(201);
        await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(() -> {
            String shown = lottery.get("/actuator/prometheus").text();
            return shown.contains("lottery_stock_left{") && shown.contains("kafka_producer_record_send_total{");
        });
    }

    @AfterAll
    static void close() throws IOException {
        lottery.kill();
        link.close();
    }

    private static List<Map<?, ?>> rules() throws IOException {
        List<Map<?, ?>> rules = new ArrayList<>();
        for (Object group : list(yaml("alerts.yaml"), "groups")) {
            list((Map<?, ?>) group, "rules").forEach(rule -> rules.add((Map<?, ?>) rule));
        }
        return rules;
    }

    private static Map<?, ?> yaml(String name) throws IOException {
        try (Reader reader = Files.newBufferedReader(FOLDER.resolve(name))) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
        }
    }

    private static List<?> list(Map<?, ?> part, String name) {
        return (List<?>) Objects.requireNonNull(part.get(name), name);
    }

    private static Stream<Map<?, ?>> alerts() {
        return rules.stream().filter(rule -> rule.containsKey("alert"));
    }

    private static Stream<Expression> expressionsOfAlerts() {
        return alerts().map(rule -> new Expression(text(rule, "alert"), text(rule, "expr")));
    }

    private static Stream<Expression> expressionsOfPanels() {
        return panels.stream()
                .flatMap(panel -> panel.path("targets")
                        .valueStream()
                        .map(target -> new Expression(
                                panel.path("title").asString(),
                                filledIn(target.path("expr").asString()))));
    }

    /** Fills in what Grafana does. */
    private static String filledIn(String expression) {
        return expression.replace("$__rate_interval", "5m").replaceAll("\\$(instance|activity)", ".*");
    }

    private static Map<String, String> recorded() {
        Map<String, String> recorded = new LinkedHashMap<>();
        rules.stream()
                .filter(rule -> rule.containsKey("record"))
                .forEach(rule -> recorded.put(text(rule, "record"), text(rule, "expr")));
        return recorded;
    }

    private static Stream<Expression> expressions() {
        return Stream.of(
                        recorded().entrySet().stream().map(each -> new Expression(each.getKey(), each.getValue())),
                        expressionsOfAlerts(),
                        expressionsOfPanels())
                .flatMap(part -> part);
    }

    private static String text(Map<?, ?> rule, String name) {
        return String.valueOf(Objects.requireNonNull(rule.get(name), name));
    }

    /** Returns the labels of a metric, whether a process shows it or it is recorded. */
    private static Set<String> labels(String metric) {
        String recorded = recorded().get(metric);
        return recorded == null
                ? samples.stream()
                        .filter(sample -> sample.metric().equals(metric))
                        .flatMap(sample -> sample.labels().keySet().stream())
                        .collect(Collectors.toSet())
                : MetricSelector.in(recorded).stream()
                        .flatMap(selector -> labels(selector.metric()).stream())
                        .collect(Collectors.toSet());
    }

    @ParameterizedTest(name = "ask for what a running lottery shows: {0}")
    @MethodSource("expressions")
    @Order(1)
    void shown(Expression expression) {
        List<MetricSelector> selectors = MetricSelector.in(expression.text());
        assertThat(selectors).as(expression.text()).isNotEmpty();
        Set<String> leftOut = new HashSet<>(LABELS_OF_PROMETHEUS);
        leftOut.add(STATUS);
        Set<String> labels = new HashSet<>(LABELS_OF_PROMETHEUS);
        for (MetricSelector selector : selectors) {
            labels.addAll(labels(selector.metric()));
            if (METRICS_OF_PROMETHEUS.contains(selector.metric())) {
                continue;
            }
            if (recorded().containsKey(selector.metric())) {
                assertThat(labels).containsAll(selector.conditions().keySet());
                continue;
            }
            assertThat(samples)
                    .as("%s with %s", selector.metric(), selector.conditions())
                    .anyMatch(sample -> selector.matches(sample, leftOut));
            assertThat(labels).containsAll(selector.conditions().keySet());
        }
        assertThat(labels).containsAll(MetricSelector.groupings(expression.text()));
    }

    private static List<ListedMetric> listed() {
        String section = reference.substring(reference.indexOf("\n## Metrics\n"));
        return ROW.matcher(section.substring(0, section.indexOf("\n## ", 1)))
                .results()
                .map(MonitoringIT::listed)
                .toList();
    }

    private static ListedMetric listed(MatchResult row) {
        Set<String> labels = row.group(2) == null
                ? Set.of()
                : Set.of(row.group(2).substring(1, row.group(2).length() - 1).split(",", -1));
        List<String> cells = List.of(row.group(3).split("\\|", -1));
        return new ListedMetric(
                row.group(1), labels, cells.size() > 1 && !cells.getLast().isBlank());
    }

    private static Set<String> usedBy(Stream<Expression> expressions) {
        return expressions
                .flatMap(expression -> MetricSelector.in(expression.text()).stream())
                .map(MetricSelector::metric)
                .collect(Collectors.toSet());
    }

    @Test
    @Order(1)
    @DisplayName("use each metric that reference.md lists, and alert where it says when to worry")
    void allListed() {
        assertThat(listed()).hasSizeGreaterThan(20);
        assertThat(usedBy(expressionsOfPanels()))
                .containsAll(listed().stream().map(ListedMetric::name).toList());
        assertThat(usedBy(expressionsOfAlerts()))
                .containsAll(listed().stream()
                        .filter(ListedMetric::isForWorry)
                        .map(ListedMetric::name)
                        .toList());
    }

    @Test
    @Order(1)
    @DisplayName("go with a list in reference.md that has all metrics of the lottery, with their labels")
    void listIsComplete() {
        List<ListedMetric> listed = listed();
        assertThat(listed)
                .filteredOn(metric -> metric.name().startsWith("lottery_"))
                .allSatisfy(metric ->
                        assertThat(labels(metric.name())).as(metric.name()).isEqualTo(metric.labels()));
        assertThat(samples.stream()
                        .map(Sample::metric)
                        .filter(metric -> metric.startsWith("lottery_") || metric.startsWith("kafka_"))
                        .collect(Collectors.toSet()))
                .isSubsetOf(listed.stream().map(ListedMetric::name).toList());
    }

    @Test
    @Order(1)
    @DisplayName(
            "say for each alert how bad it is, what it means in a sentence, and which page of its own says what to do")
    void alertsSayWhatToDo() {
        assertThat(alerts()).hasSizeGreaterThan(20).allSatisfy(alert -> {
            Map<?, ?> annotations = (Map<?, ?>) Objects.requireNonNull(alert.get("annotations"));
            assertThat(text(alert, "alert")).matches("Lottery[A-Z]\\w+");
            assertThat(text(alert, "for")).matches("\\d+m");
            assertThat(text((Map<?, ?>) Objects.requireNonNull(alert.get("labels")), "severity"))
                    .isIn("critical", "warning");
            assertThat(text(annotations, "summary")).hasSizeBetween(20, 120).doesNotEndWith(".");
            assertThat(text(annotations, "description")).endsWith(".");
            String page = OperationsPages.pageOf(text(alert, "alert"));
            assertThat(text(annotations, "runbook")).isEqualTo(OperationsPages.ADDRESS + page);
            assertThat(OperationsPages.has(page)).as(page).isTrue();
        });
        assertThat(alerts().map(alert -> text(alert, "alert"))).doesNotHaveDuplicates();
    }

    private static String pageIn(String description) {
        Matcher page = PAGE.matcher(description);
        assertThat(page.find()).as(description).isTrue();
        return page.group(1);
    }

    @Test
    @Order(1)
    @DisplayName("say at each panel what it shows, and link the page that says what to do")
    void panelsSayWhatToDo() {
        assertThat(panels).hasSizeGreaterThan(30).allSatisfy(panel -> {
            String page = pageIn(panel.path("description").asString());
            assertThat(OperationsPages.has(page)).as(page).isTrue();
            assertThat(panel.path("links").get(0).path("url").asString()).isEqualTo("${operations}/" + page);
            assertThat(panel.path("datasource").path("uid").asString()).isEqualTo("${datasource}");
            assertThat(panel.path("targets").valueStream())
                    .allMatch(target ->
                            target.path("datasource").path("uid").asString().equals("${datasource}"));
        });
        assertThat(panels.stream().map(panel -> panel.path("id").asInt())).doesNotHaveDuplicates();
    }

    @Test
    @Order(2)
    @DisplayName("can be shown while PostgreSQL is away, before Prometheus has waited for too long")
    void postgresAway() throws IOException {
        String max =
                text((Map<?, ?>) Objects.requireNonNull(yaml("prometheus.yaml").get("global")), "scrape_timeout");
        link.close();
        // Numbers of the last second are shown again, and after a failure for eight seconds. Each scrape makes all
        // queries anew, and the machine may pause during one of them.
        await("a scrape within " + max)
                .atMost(AWAY_MAX)
                .pollDelay(Duration.ofSeconds(1))
                .pollInterval(Duration.ofSeconds(9))
                .until(() -> {
                    long begin = System.nanoTime();
                    Reply scrape = lottery.get("/actuator/prometheus");
                    Duration taken = Duration.ofNanos(System.nanoTime() - begin);
                    assertThat(scrape.status()).isEqualTo(200);
                    return scrape.text().contains("lottery_log_events NaN")
                            && scrape.text().contains("lottery_dead_letters NaN")
                            && taken.compareTo(Duration.parse("PT" + max)) < 0;
                });
    }
}
