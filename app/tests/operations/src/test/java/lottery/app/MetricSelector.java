package lottery.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A metric that an expression of Prometheus asks for, with conditions on its labels.
 *
 * @param conditions by label: a pattern that a value has to match
 */
record MetricSelector(String metric, Map<String, Pattern> conditions) {

    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");

    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");

    /** A name that is not the one of a function, and conditions if there are any. */
    private static final Pattern SELECTOR = Pattern.compile("\\b([a-zA-Z_:][\\w:]*+)(?!\\s*\\()\\s*(?:\\{([^}]*)})?");

    private static final Pattern CONDITION = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "Inf");

    /** One line of what a process shows. */
    record Sample(String metric, Map<String, String> labels) {

        private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");
        private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

        static List<Sample> in(String scrape) {
            return scrape.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> new Sample(line.group(1), labels(Objects.requireNonNullElse(line.group(2), ""))))
                    .toList();
        }

        private static Map<String, String> labels(String text) {
            Map<String, String> labels = new HashMap<>();
            LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
            return labels;
        }
    }

    static List<MetricSelector> in(String expression) {
        String rest =
                RANGE.matcher(GROUPING.matcher(expression).replaceAll(" ")).replaceAll(" ");
        List<MetricSelector> selectors = new ArrayList<>();
        SELECTOR.matcher(rest)
                .results()
                .filter(found -> !WORDS.contains(found.group(1)))
                .forEach(found -> selectors.add(of(found)));
        return selectors;
    }

    private static MetricSelector of(MatchResult found) {
        Map<String, Pattern> conditions = new HashMap<>();
        CONDITION
                .matcher(Objects.requireNonNullElse(found.group(2), ""))
                .results()
                .forEach(condition -> conditions.merge(
                        condition.group(1),
                        pattern(condition.group(2), condition.group(3)),
                        (one, other) -> Pattern.compile("(?=" + one + "$)(?:" + other + ")")));
        return new MetricSelector(found.group(1), conditions);
    }

    private static Pattern pattern(String operator, String value) {
        String matching = operator.endsWith("~") ? "(?:" + value + ")" : Pattern.quote(value);
        return Pattern.compile(operator.startsWith("!") ? "(?!" + matching + "$).*" : matching);
    }

    /** Returns the labels by which an expression groups or joins. */
    static Set<String> groupings(String expression) {
        Set<String> labels = new LinkedHashSet<>();
        GROUPING.matcher(expression)
                .results()
                .flatMap(found -> Stream.of(found.group(1).split(",", -1)))
                .map(String::strip)
                .filter(label -> !label.isEmpty())
                .forEach(labels::add);
        return labels;
    }

    /** Returns whether a sample is asked for; conditions on these labels do not count. */
    boolean matches(Sample sample, Set<String> leftOut) {
        return sample.metric().equals(metric)
                && conditions.entrySet().stream()
                        .filter(condition -> !leftOut.contains(condition.getKey()))
                        .allMatch(condition -> sample.labels().containsKey(condition.getKey())
                                && condition
                                        .getValue()
                                        .matcher(Objects.requireNonNull(
                                                sample.labels().get(condition.getKey())))
                                        .matches());
    }
}
