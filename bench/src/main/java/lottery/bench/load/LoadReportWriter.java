package lottery.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import lottery.bench.load.AfterLoadTask.TaskResult;
import lottery.bench.load.LoadResult.Second;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes the result as JSON for programs, and as a self-contained HTML page for readers. */
final class LoadReportWriter {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final int WIDTH = 900;
    private static final int HEIGHT = 180;

    private LoadReportWriter() {}

    static void write(Path folder, LoadResult result) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("result.json"), JSON.writeValueAsBytes(result));
        Files.writeString(folder.resolve("result.html"), html(result));
        System.out.println(text(result));
        System.out.println("Written to " + folder.resolve("result.json") + " and result.html");
    }

    static String text(LoadResult result) {
        return String.format(
                Locale.ROOT,
                "%,.0f a second done; p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f ms%n"
                        + "%,.0f a second in the first half, %,.0f in the second; lag at the end %s, %s%n"
                        + "Answers: %s%s",
                result.donePerSecond(),
                result.ms().p50(),
                result.ms().p90(),
                result.ms().p99(),
                result.ms().p999(),
                result.ms().max(),
                result.doneHalf().getFirst(),
                result.doneHalf().getLast(),
                result.lagAtEnd() == null ? "unknown" : "%,d events".formatted(result.lagAtEnd()),
                result.restMs() == null ? "not known to be at rest" : "at rest after " + result.restMs() + " ms",
                result.answers(),
                result.afterwards().stream().map(LoadReportWriter::line).collect(Collectors.joining()));
    }

    private static String line(TaskResult work) {
        return work.failedBecause() == null
                ? String.format(Locale.ROOT, "%nThen %,d %s, %,d a second", work.count(), work.what(), work.perSecond())
                : String.format(Locale.ROOT, "%n%s has failed: %s", work.what(), work.failedBecause());
    }

    static String html(LoadResult result) {
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>A lottery under load</title>
                <style>
                body { font: 15px/1.5 system-ui, sans-serif; max-width: 940px; margin: 2em auto; color: #222 }
                td { padding: 0 2em 0 0; vertical-align: top } pre { background: #f4f4f4; padding: 1em; white-space: pre-wrap }
                svg { background: #fafafa; border: 1px solid #ddd; width: 100% } polyline { fill: none; stroke-width: 1.5 }
                </style></head><body>
                <h1>A lottery under load</h1>
                <pre>TEXT</pre>
                <table>CONDITIONS</table>
                CHARTS
                <p>The warm-up is grey. Latency is that of what was done, from when it was due.</p>
                </body></html>
                """.replace("TEXT", escaped(text(result)))
                .replace("CONDITIONS", conditions(result.conditions()))
                .replace(
                        "CHARTS",
                        chart("Done a second", result.seconds(), "#1769aa", Second::done)
                                + chart("p99, ms", result.seconds(), "#c2410c", Second::p99)
                                + chart(
                                        "Lag of the slowest processor, events",
                                        result.seconds(),
                                        "#7c3aed",
                                        second -> second.lag() == null ? Double.NaN : second.lag())
                                + chart("Heap used, MB", result.seconds(), "#15803d", Second::heapMb));
    }

    private static String conditions(Map<String, String> conditions) {
        return conditions.entrySet().stream()
                .map(each ->
                        "<tr><td>%s</td><td>%s</td></tr>".formatted(escaped(each.getKey()), escaped(each.getValue())))
                .collect(Collectors.joining());
    }

    /**
     * Returns a chart as HTML, with one point for each second.
     *
     * @param value the value of a second; NaN: it is unknown, and the line continues with the next known value
     */
    private static String chart(String title, List<Second> seconds, String colour, ToDoubleFunction<Second> value) {
        double max =
                seconds.stream().mapToDouble(value).filter(Double::isFinite).reduce(1, Math::max);
        long warm = seconds.stream().filter(each -> each.second() < 0).count();
        double step = (double) WIDTH / Math.max(1, seconds.size() - 1);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < seconds.size(); i++) {
            double known = value.applyAsDouble(seconds.get(i));
            if (Double.isFinite(known)) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", i * step, HEIGHT * (1 - known / max)));
            }
        }
        return String.format(
                Locale.ROOT,
                "<h2>%s</h2><p>at most %,.0f</p><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">"
                        + "<rect width=\"%.1f\" height=\"%d\" fill=\"#eee\"/><polyline stroke=\"%s\" points=\"%s\"/></svg>",
                title,
                max,
                WIDTH,
                HEIGHT,
                warm * step,
                HEIGHT,
                colour,
                points.toString().strip());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
