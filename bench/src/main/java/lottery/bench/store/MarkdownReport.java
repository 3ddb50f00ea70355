package lottery.bench.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.StoreBenchmarkResult.LotteryStoreFigures;
import lottery.bench.store.VisibilityProbe.PingVisibility;
import lottery.bench.store.variant.StoreVariantKind;

/** Writes a result as a Markdown report. */
final class MarkdownReport {

    private final StringBuilder text = new StringBuilder();

    private MarkdownReport() {}

    static String of(StoreBenchmarkResult result) {
        MarkdownReport tables = new MarkdownReport();
        tables.conditions(result.conditions());
        tables.contenders("At peak", result.atPeak());
        tables.ratios(result.atPeak());
        tables.contenders("With fewer callers", result.withFewerCallers());
        LotteryStoreFigures ours = result.ours();
        if (ours != null) {
            tables.ours(ours);
        }
        tables.line("");
        tables.line("Disk, 8 kB and a sync: " + text(result.diskSyncMs()));
        tables.verified(result);
        return tables.text.toString();
    }

    private void conditions(Map<String, String> conditions) {
        conditions.forEach((name, value) -> line("- " + name + ": " + value));
    }

    private void contenders(String title, List<StoreVariantSummary> summaries) {
        line("\n## " + title + "\n");
        line("| contender | callers | units/s | from – to | p50 ms | p99 ms | max ms | units per commit"
                + " | WAL bytes per unit | syncs per unit |");
        line("|---|---|---|---|---|---|---|---|---|---|");
        for (StoreVariantSummary each : summaries) {
            line("| %s | %d | %,.0f | %,.0f – %,.0f | %.2f | %.2f | %.1f | %.1f | %,.0f | %.3f |"
                    .formatted(
                            each.entry().title(),
                            each.callers(),
                            each.unitsPerSecond(),
                            each.unitsPerSecondMin(),
                            each.unitsPerSecondMax(),
                            each.p50Ms(),
                            each.p99Ms(),
                            each.maxMs(),
                            each.unitsPerCommit(),
                            each.walBytesPerUnit(),
                            each.syncsPerUnit()));
        }
    }

    private void ratios(List<StoreVariantSummary> summaries) {
        Optional<StoreVariantSummary> ours = summaries.stream()
                .filter(each -> each.entry() == StoreVariantKind.OURS)
                .findAny();
        if (ours.isPresent() && summaries.size() > 1) {
            double rate = ours.get().unitsPerSecond();
            line("");
            line(summaries.stream()
                    .filter(each -> each.entry() != StoreVariantKind.OURS)
                    .map(each -> "%.2f × %s"
                            .formatted(
                                    rate / each.unitsPerSecond(), each.entry().title()))
                    .collect(Collectors.joining("; ", "This store is ", ".")));
        }
    }

    private void ours(LotteryStoreFigures ours) {
        line("\n## This store\n");
        line("| | |");
        line("|---|---|");
        line("| %,.0f units/s arrive, from when each was due | %s |"
                .formatted(ours.halfRate(), text(ours.atHalf().latency())));
        line("| one reader catches up, idle | %s |".formatted(text(ours.catchUpIdle())));
        line("| one reader catches up, half of that load | %s |".formatted(text(ours.catchUpLoaded())));
        ours.seenIdle().forEach(seen -> seen("idle", seen));
        ours.seenLoaded().forEach(seen -> seen("half of that load", seen));
    }

    private void seen(String when, PingVisibility seen) {
        line("| committed → seen in the %s, %s | after the answer %s; after sending %s; %d of %d unseen |"
                .formatted(
                        seen.where(),
                        when,
                        text(seen.sinceAnswerMs()),
                        text(seen.sinceSentMs()),
                        seen.unseen(),
                        seen.pings()));
    }

    private void verified(StoreBenchmarkResult result) {
        line("\n## Counted afterwards\n");
        line("| contender | events expected | found | positions without a hole |");
        line("|---|---|---|---|");
        result.verified()
                .forEach(each -> line("| %s | %,d | %,d | %s |"
                        .formatted(
                                each.entry().title(),
                                each.expected(),
                                each.found(),
                                each.withoutHole() ? "yes" : "no")));
        line(result.isSound() ? "\nAll is there." : "\nNOT ALL IS THERE.");
    }

    private static String text(Percentiles latency) {
        return "p50 %.2f ms, p99 %.2f ms, max %.2f ms".formatted(latency.p50(), latency.p99(), latency.max());
    }

    private static String text(CatchUpSpeed catchUp) {
        return "%,.0f events/s (%,d events)".formatted(catchUp.eventsPerSecond(), catchUp.events());
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
