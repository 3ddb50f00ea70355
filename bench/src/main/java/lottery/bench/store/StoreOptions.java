package lottery.bench.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.bench.store.variant.BenchmarkConnectionFactory;
import lottery.bench.store.variant.StoreVariantKind;

/**
 * The options of a run.
 *
 * @param target an existing PostgreSQL; if it is not set, one is started
 * @param time the time of each round
 */
record StoreOptions(
        Optional<BenchmarkConnectionFactory> target,
        Path out,
        int rounds,
        Duration time,
        Duration warmUp,
        Set<StoreVariantKind> only) {

    static final String USAGE = """
            Measures the event store beside bare SQL and Axon's own engine.
              --url=jdbc:postgresql://host:port/database   a PostgreSQL to measure on; without it one is started
              --user=name --password=...                   whoever may create schemas there
              --out=folder      for figures.json and figures.md; bench/target/figures by default
              --rounds=3        for each contender
              --seconds=7       of each round
              --warm-up=7       seconds of each contender before the first round
              --only=ours,...   of batch, bare, stock, tuned and ours""";

    private static final String OUT = "bench/target/figures";

    static StoreOptions of(String[] arguments) {
        Map<String, String> named = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("Not understood: " + argument);
            }
            named.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        StoreOptions options = new StoreOptions(
                Optional.ofNullable(named.remove("url")).map(url -> target(url, named)),
                Path.of(take(named, "out", OUT)),
                number(named, "rounds", 3),
                Duration.ofSeconds(number(named, "seconds", 7)),
                Duration.ofSeconds(number(named, "warm-up", 7)),
                entries(take(named, "only", "batch,bare,stock,tuned,ours")));
        if (!named.isEmpty()) {
            throw new IllegalArgumentException("Not understood: --" + String.join(", --", named.keySet()));
        }
        return options;
    }

    private static BenchmarkConnectionFactory target(String url, Map<String, String> named) {
        return new BenchmarkConnectionFactory(url, take(named, "user", "lottery"), take(named, "password", ""));
    }

    private static String take(Map<String, String> named, String name, String usual) {
        String value = named.remove(name);
        return value == null ? usual : value;
    }

    private static int number(Map<String, String> named, String name, int usual) {
        String value = take(named, name, Integer.toString(usual));
        if (!value.matches("[1-9]\\d{0,3}")) {
            throw new IllegalArgumentException("--%s is a number from 1 to 9999, not %s".formatted(name, value));
        }
        return Integer.parseInt(value);
    }

    private static Set<StoreVariantKind> entries(String words) {
        Set<StoreVariantKind> entries = EnumSet.noneOf(StoreVariantKind.class);
        Arrays.stream(words.split(",", -1))
                .map(word -> StoreVariantKind.valueOf(word.strip().toUpperCase(Locale.ROOT)))
                .forEach(entries::add);
        return entries;
    }
}
