package lottery.bench.load;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of a run.
 *
 * @param management the address of the management port, for metrics and projections
 * @param kafka the address of Kafka, from which a simulated external system reads invoices; empty: there is none
 * @param rate requests per second; 0: each connection sends its next request when it has its answer
 * @param events the length that the log needs before the measurement; 0: any length
 * @param burst the number of requests in a burst, which all may wait in the queue; 0: no burst, and the scenario is
 *     measured
 * @param turns the number of turns. Each turn measures bare SQL and the lottery; with a burst, it measures requests
 *     that wait, immediate draws and empty requests. 0: the lottery is measured alone, once
 */
record LoadOptions(
        URI url,
        URI management,
        String kafka,
        LoadScenario scenario,
        int connections,
        int rate,
        Duration warmUp,
        Duration time,
        int users,
        int units,
        int events,
        int burst,
        int turns,
        List<AfterLoadTask> then,
        Path out) {

    static final String USAGE = """
            Puts a lottery under load, over HTTP, with an activity of its own.
              --url=http://localhost:8080   where it is
              --management=         where it serves operators; port 8081 of the same machine, if it is not said
              --kafka=              host:port, for the scenarios in which a system outside hands awards over
              --scenario=draws      %s
              --connections=64      that ask at the same time
              --rate=0              requests a second, whatever the lottery does, timed from when each was due;
                                    0: each connection asks again when it is answered
              --warm-up=60          seconds before the measurement; a compiler needs a minute
              --seconds=60          of the measurement
              --users=20000         who take part
              --units=10000         of what is sold out, or codes that can be won
              --events=0            in the log before anything counts: there are draws until it is as long
              --burst=0             so many draws that may wait are asked for at once, on all connections, and nothing else
              --turns=0             so often bare SQL and the lottery in turns, for their ratio, each for --seconds, when
                                    the lottery is warm; LOTTERY_POSTGRES_URL, _USER and _PASSWORD say where;
                                    with --burst: so often a burst that waits, and then as many draws at once
              --then=               when all is at rest: any of %s, with commas between them;
                                    to check, LOTTERY_POSTGRES_URL, _USER and _PASSWORD say where its events are
              --out=bench/target/load   for result.json and result.html
            Ends with 0, or with 1 if the lottery answered wrongly or did not come to rest, and with 2 if it could not be asked.""".formatted(LoadScenario.NAMES, AfterLoadTask.NAMES);

    static LoadOptions of(String[] arguments) {
        Map<String, String> named = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("Not understood: " + argument);
            }
            named.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        URI lottery = url("url", take(named, "url", "http://localhost:8080"));
        LoadOptions options = new LoadOptions(
                lottery,
                url("management", take(named, "management", "http://%s:8081".formatted(lottery.getHost()))),
                take(named, "kafka", ""),
                LoadScenario.named(take(named, "scenario", "draws")),
                number(named, "connections", 64, 1, 10_000),
                number(named, "rate", 0, 0, 1_000_000),
                Duration.ofSeconds(number(named, "warm-up", 60, 0, 86_400)),
                Duration.ofSeconds(number(named, "seconds", 60, 1, 86_400)),
                number(named, "users", 20_000, 1, 10_000_000),
                number(named, "units", 10_000, 1, 1_000_000),
                number(named, "events", 0, 0, 999_999_999),
                number(named, "burst", 0, 0, 10_000_000),
                number(named, "turns", 0, 0, 1_000),
                AfterLoadTask.named(take(named, "then", "")),
                Path.of(take(named, "out", "bench/target/load")));
        if (!named.isEmpty()) {
            throw new IllegalArgumentException("Not understood: --" + String.join(", --", named.keySet()));
        }
        if (options.turns() > 0 && options.burst() == 0) {
            if (!options.then().isEmpty()) {
                throw new IllegalArgumentException("--turns compares, and does nothing then: leave --then out");
            }
            AfterLoadTask.CHECK.prepare();
        }
        if (options.scenario().needsDownstream() && options.kafka().isEmpty()) {
            throw new IllegalArgumentException("--scenario=%s needs --kafka=host:port"
                    .formatted(options.scenario().word()));
        }
        return options;
    }

    /** Returns options to measure only the lottery for this time, without a warm-up and without tasks after it. */
    LoadOptions only(Duration seconds) {
        return new LoadOptions(
                url,
                management,
                kafka,
                scenario,
                connections,
                rate,
                Duration.ZERO,
                seconds,
                users,
                units,
                0,
                0,
                0,
                List.of(),
                out);
    }

    private static URI url(String name, String text) {
        URI url = URI.create(text);
        if (!"http".equals(url.getScheme()) || url.getHost() == null) {
            throw new IllegalArgumentException("--%s is like http://localhost:8080, not %s".formatted(name, text));
        }
        int port = url.getPort() < 0 ? 80 : url.getPort();
        return URI.create("http://%s:%d".formatted(url.getHost(), port));
    }

    private static String take(Map<String, String> named, String name, String usual) {
        String value = named.remove(name);
        return value == null ? usual : value;
    }

    private static int number(Map<String, String> named, String name, int usual, int min, int max) {
        String value = take(named, name, Integer.toString(usual));
        if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < min || Integer.parseInt(value) > max) {
            throw new IllegalArgumentException(
                    "--%s is a number from %d to %d, not %s".formatted(name, min, max, value));
        }
        return Integer.parseInt(value);
    }
}
